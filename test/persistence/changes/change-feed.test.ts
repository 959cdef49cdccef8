import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { Change, Subject } from '../../../src/domain/changes/change.ts'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { LOG_PAGE, pruneChangeLog, settleRestoredEntries } from '../../../src/persistence/changes/change.ts'
import { ChangeFeed, POLL_MS } from '../../../src/persistence/changes/change-feed.ts'
import { PENDING_MAX } from '../../../src/persistence/changes/event-stream.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { noteChanges } from '../../support/changes.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { waitUntil } from '../../support/live.ts'

const database = useDatabase()
const onServer = inject('databases').kind === 'server'
const releases = new ReleaseCache(database)
const feeds: ChangeFeed[] = []
const HOUR = 3_600_000

function makeFeed(parts: Partial<ConstructorParameters<typeof ChangeFeed>[0]> = {}): ChangeFeed {
  const feed = new ChangeFeed({ database, releases, log: pino({ level: 'silent' }), clock: Date.now, ...parts })
  feeds.push(feed)
  return feed
}

beforeEach(() => reset(database))
afterEach(() => {
  vi.restoreAllMocks()
  for (const feed of feeds.splice(0)) feed.stop()
})

/** From now on feeds poll only when the returned function is called. */
function pollByHand(): () => void {
  let poll = (): void => expect.unreachable('nothing polls')
  const { setInterval } = globalThis
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, wait: number) => {
    if (wait === POLL_MS) poll = run
    return setInterval(run, wait === POLL_MS ? HOUR : wait)
  }) as typeof globalThis.setInterval)
  return () => poll()
}

const subject = (): Subject => ({ topic: 'subscription', scope: randomUUID() })

async function note(subject: Subject, records: readonly string[]): Promise<void> {
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await noteChanges(client, subject, records)
  await client.query('COMMIT')
  client.release()
}

const record = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

async function take(stream: AsyncIterator<Change, void> | undefined, count: number): Promise<Change[]> {
  const changes: Change[] = []
  while (changes.length < count) {
    const { done, value } = (await stream?.next()) ?? { done: true, value: undefined }
    if (done || !value) throw new Error(`the stream ended after ${changes.length}`)
    changes.push(value)
  }
  return changes
}

const ids = (changes: readonly Change[]): string[] => changes.map(({ recordId }) => recordId)

describe('a stream', () => {
  test('a stream delivers the changes of its subject that commit after its start, without waiting for the poll', async () => {
    pollByHand()
    const [mine, other, feed] = [subject(), subject(), makeFeed()]
    await note(mine, [record(0)])
    const stream = await feed.listen(mine, HOUR)
    for (let number = 1; number <= 8; number++) {
      await note(other, [record(99)])
      await note({ ...mine, topic: 'release' }, [record(98)])
      await note(mine, [record(number)])
      expect(ids(await take(stream, 1))).toEqual([record(number)])
    }
  })

  test('a stream delivers no change that is rolled back', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await noteChanges(client, mine, [record(1)])
    await client.query('ROLLBACK')
    client.release()
    await note(mine, [record(2)])
    expect(ids(await take(stream, 1))).toEqual([record(2)])
  })

  test('a stream ends at once when its client leaves, even while it waits; the last one stops the feed from reading', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    const waiting = stream?.next()
    expect(feed.size).toBe(1)
    await stream?.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(feed.size).toBe(0)
  })

  test('a stream ends when its token expires, and when the server stops', async () => {
    const feed = makeFeed()
    const short = await feed.listen(subject(), 50)
    await expect(short?.next()).rejects.toMatchObject({ reason: 'expired' })
    const over = await feed.listen(subject(), 0)
    await expect(over?.next()).rejects.toMatchObject({ reason: 'expired' })
    const long = await feed.listen(subject(), 365 * 24 * HOUR)
    const waiting = expect(long?.next()).rejects.toMatchObject({ reason: 'stopping' })
    feed.stop()
    await waiting
    const late = await feed.listen(subject(), HOUR)
    await expect(late?.next()).rejects.toMatchObject({ reason: 'stopping' })
    expect(feed.size).toBe(0)
  })

  test(`a stream gives a slow client ${PENDING_MAX} pending entries and reads on from the log, each change once and in order`, async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const many = (from: number, count: number) =>
      note(
        mine,
        Array.from({ length: count }, (_, index) => record(from + index)),
      )
    const [patient, slow] = [await feed.listen(mine, HOUR), await feed.listen(mine, HOUR)]
    const seen: string[] = []
    // Less than a page of the log too many, then more than what may wait, while the client is away and while it reads
    // on.
    await many(0, PENDING_MAX + 1)
    seen.push(...ids(await take(patient, PENDING_MAX + 1)))
    await many(PENDING_MAX + 1, PENDING_MAX + LOG_PAGE)
    seen.push(...ids(await take(patient, PENDING_MAX + LOG_PAGE)))
    const behind = ids(await take(slow, PENDING_MAX + 10))
    await many(2 * PENDING_MAX + LOG_PAGE + 1, PENDING_MAX + 1)
    seen.push(...ids(await take(patient, PENDING_MAX + 1)))
    behind.push(...ids(await take(slow, 2 * PENDING_MAX + LOG_PAGE - 8)))
    expect(seen).toEqual(seen.map((_, index) => record(index)))
    expect(behind).toEqual(seen)
    await many(9_000, 1)
    expect(ids(await take(slow, 1))).toEqual([record(9_000)])
    expect(feed.size).toBe(2)
  })

  test('a stream of a slow client ends as lagging when the log can not be read, and its cursor resumes', async () => {
    const [mine, feed] = [subject(), makeFeed({ database: { ...database, query: (...given) => query(...given) } })]
    let query: typeof database.query = (...given) => database.query(...given)
    const [patient, slow] = [await feed.listen(mine, HOUR), await feed.listen(mine, HOUR)]
    await note(
      mine,
      Array.from({ length: PENDING_MAX + 1 }, (_, index) => record(index)),
    )
    await take(patient, PENDING_MAX + 1)
    const [last] = (await take(slow, PENDING_MAX)).slice(-1)
    query = () => Promise.reject(new Error('away'))
    await expect(slow?.next()).rejects.toMatchObject({ reason: 'lagging' })
    query = (...given) => database.query(...given)
    expect(ids(await take(await makeFeed().listen(mine, HOUR, last?.cursor), 1))).toEqual([record(PENDING_MAX)])
  })

  test('a stream of releases delivers those that are published, and no deletion', async () => {
    const [catalog, feed] = [{ ...subject(), topic: 'release' } as const, makeFeed()]
    const stream = await feed.listen(catalog, HOUR)
    await note(catalog, [record(1)])
    await noteChanges(database.pool, catalog, [record(1)], 'deleted')
    await note(catalog, [record(2)])
    expect(ids(await take(stream, 2))).toEqual([record(1), record(2)])
  })
})

test('while the database can not be reached no change is lost, one warning is logged, and new streams are refused', async () => {
  let away = false
  const warnings: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const query: typeof database.query = (...given) =>
    away ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) : database.query(...given)
  const [mine, feed] = [subject(), makeFeed({ database: { ...database, query }, log })]
  const stream = await feed.listen(mine, HOUR)
  await note(mine, [record(1)])
  const [received] = await take(stream, 1)
  away = true
  await note(mine, [record(2)])
  await expect(feed.listen(mine, HOUR, received?.cursor)).rejects.toThrow(Unavailable)
  for (let time = 0; time < 3; time++) feed.poll()
  await waitUntil(() => warnings.length > 0)
  await note(mine, [record(3)])
  expect(warnings).toHaveLength(1)
  away = false
  expect(ids(await take(stream, 2))).toEqual([record(2), record(3)])
  expect(feed.size).toBe(1)
})

test('a connection that is lost amid many changes repeats none of those that were delivered', async () => {
  let pages = 0
  const query: typeof database.query = (name, ...given) =>
    name.startsWith('change-log-later') && ++pages === 2
      ? Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' }))
      : database.query(name, ...given)
  const [mine, feed] = [subject(), makeFeed({ database: { ...database, query } })]
  const stream = await feed.listen(mine, HOUR)
  const records = Array.from({ length: LOG_PAGE + 20 }, (_, number) => record(number))
  await note(mine, records)
  expect(ids(await take(stream, records.length))).toEqual(records)
  expect(pages).toBeGreaterThan(2)
})

describe('without notifications', () => {
  /** The database, on a server with a listening connection that fails, embedded without an observer. */
  const muted = (): Database => {
    const options = { ...database.pool.options, connectionString: 'postgres://nobody@127.0.0.1:1/none' }
    return {
      ...database,
      pool: Object.create(database.pool, { options: { value: options } }),
      onStatement: () => () => undefined,
    }
  }

  test('without notifications a stream delivers what commits at the next poll, once a second, and one warning is logged', async () => {
    const poll = pollByHand()
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
    const [mine, feed] = [subject(), makeFeed({ database: muted(), log })]
    const stream = await feed.listen(mine, HOUR)
    for (let number = 1; number <= 3; number++) {
      await note(mine, [record(number)])
      poll()
      expect(ids(await take(stream, 1))).toEqual([record(number)])
    }
    expect(POLL_MS).toBe(1_000)
    if (onServer) await waitUntil(() => warnings.length > 0)
    expect(warnings).toEqual(onServer ? ['could not listen for changes: they are noticed by polling'] : [])
  })
})

describe('a resumed stream', () => {
  test('a resumed stream continues after any cursor, also within a transaction of many records, between pages, and on another process', async () => {
    const mine = subject()
    const records = Array.from({ length: LOG_PAGE + 20 }, (_, number) => record(number))
    const first = await makeFeed().listen(mine, HOUR)
    await note(mine, records.slice(0, 5))
    for (const one of records.slice(5)) await note(mine, [one])
    const received = await take(first, records.length)
    expect(ids(received)).toEqual(records)
    for (const index of [0, 2, 4, 5, 17, LOG_PAGE, records.length - 2]) {
      const resumed = await makeFeed().listen(mine, HOUR, received[index]?.cursor)
      expect(ids(await take(resumed, records.length - index - 1))).toEqual(records.slice(index + 1))
      await resumed?.return?.()
    }
  })

  test('a resumed stream delivers what commits while it catches up once, after its backlog', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const first = await feed.listen(mine, HOUR)
    await note(mine, [record(0)])
    const cursor = (await take(first, 1))[0]?.cursor
    for (let number = 1; number <= 5; number++) await note(mine, [record(number)])
    const resumed = await feed.listen(mine, HOUR, cursor)
    await note(mine, [record(6)])
    expect(ids(await take(resumed, 6))).toEqual([1, 2, 3, 4, 5, 6].map(record))
    await note(mine, [record(7)])
    expect(ids(await take(resumed, 1))).toEqual([record(7)])
  })

  test('a resumed stream misses no change whose transaction got, after a failover, the id of one that was rolled back before it', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    await note(mine, [record(0)])
    const rolledBack = await database.pool.connect()
    await rolledBack.query('BEGIN')
    const { rows } = await rolledBack.query('SELECT pg_current_xact_id()::text AS xid')
    await rolledBack.query('ROLLBACK')
    rolledBack.release()
    for (const number of [1, 2]) await note(mine, [record(number)])
    const [, , { cursor } = expect.unreachable()] = await take(stream, 3)
    const failedOver = await database.pool.connect()
    await failedOver.query('BEGIN')
    await noteChanges(failedOver, mine, [record(3)])
    await failedOver.query('UPDATE change SET xid = $1 WHERE record_id = $2', [rows[0].xid, record(3)])
    await failedOver.query('COMMIT')
    failedOver.release()
    expect(ids(await take(stream, 1))).toEqual([record(3)])
    const resumed = await makeFeed().listen(mine, HOUR, cursor)
    await note(mine, [record(4)])
    expect(ids(await take(resumed, 2))).toEqual([record(3), record(4)])
  })

  test('a resumed stream continues once in a database that was restored from a dump, whose transactions have higher ids than the new ones', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const first = await makeFeed().listen(mine, HOUR)
    for (const number of [1, 2]) await note(mine, [record(number)])
    const [{ cursor } = expect.unreachable()] = await take(first, 2)
    await first?.return?.()
    await database.pool.query('UPDATE change SET xid = xid + 1000000000')
    await settleRestoredEntries(database)
    const [resumed, begun] = [await feed.listen(mine, HOUR, cursor), await feed.listen(mine, HOUR)]
    await note(mine, [record(3)])
    expect(ids(await take(resumed, 2))).toEqual([record(2), record(3)])
    expect(ids(await take(begun, 1))).toEqual([record(3)])
  })

  test('a resumed stream refuses cursors of another stream and invalid ones', async () => {
    const [mine, other, feed] = [subject(), subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    await note(mine, [record(1)])
    const { cursor } = (await take(stream, 1))[0] ?? expect.unreachable()
    expect(await feed.listen(other, HOUR, cursor)).toBeUndefined()
    expect(await feed.listen({ ...mine, topic: 'release' }, HOUR, cursor)).toBeUndefined()
    expect(await feed.listen(mine, HOUR, { ...cursor, id: cursor.id + 1 })).toBeUndefined()
    expect(await feed.listen(mine, HOUR, { ...cursor, from: "1:1:'" })).toBeUndefined()
    expect(await feed.listen(mine, HOUR, { ...cursor, to: '' })).toBeUndefined()
    expect(feed.size).toBe(1)
  })

  test('history.kept-for-days: a stream resumes after any time without changes, and refuses a cursor after which entries were pruned', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    for (const number of [1, 2, 3]) await note(mine, [record(number)])
    const cursors = (await take(stream, 3)).map(({ cursor }) => cursor)
    const kept = Date.now() - HOUR
    const at = (ms: number) => database.pool.query('UPDATE change SET created_at = $1', [new Date(ms)])
    await at(kept)
    await pruneChangeLog(database, kept)
    expect(ids(await take(await feed.listen(mine, HOUR, cursors[0]), 2))).toEqual([record(2), record(3)])
    await at(kept - 1)
    await pruneChangeLog(database, kept)
    expect(await feed.listen(mine, HOUR, cursors[0])).toBeUndefined()
    expect(await feed.listen(mine, HOUR, cursors[1])).toBeUndefined()
    const resumed = await feed.listen(mine, HOUR, cursors[2])
    await note(mine, [record(4)])
    expect(ids(await take(resumed, 1))).toEqual([record(4)])
  })
})

test('history.kept-for-days: a feed of changes prunes at its start what is older than it keeps, but the last of each owner', async () => {
  const [mine, old] = [subject(), 3 * 24 * HOUR]
  for (const number of [1, 2]) await note(mine, [record(number)])
  await database.pool.query('UPDATE change SET created_at = $1', [new Date(Date.now() - old)])
  await note(mine, [record(3)])
  const left = async () =>
    (await database.prisma.change.findMany({ orderBy: { id: 'asc' } })).map(({ recordId }) => recordId)
  makeFeed().startPruning(old - HOUR)
  await expect.poll(left).toEqual([record(3)])
})

test('a pruning of the change log that fails is logged, but not that of a stopped feed, whose database may be closed', async () => {
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const [asked, failing] = [vi.fn(), 'a closed pool']
  const closed = { ...database, query: () => Promise.reject(new Error(failing)).finally(asked) } as unknown as Database
  const prune = async (stopped: boolean) => {
    const [feed, earlier] = [makeFeed({ database: closed, log }), asked.mock.calls.length]
    feed.startPruning(HOUR)
    if (stopped) feed.stop()
    // One statement settles restored entries, the other begins to prune.
    await expect.poll(() => asked.mock.calls.length).toBe(earlier + 2)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await prune(true)
  expect(lines).toEqual([])
  await prune(false)
  const line = { level: 40, msg: 'could not prune the change log', err: { message: failing } }
  expect(lines).toMatchObject([line, line])
})

describe.runIf(onServer)('a stream beside other transactions [needs PostgreSQL]', () => {
  const begin = async () => {
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT pg_current_xact_id()')
    return {
      note: (mine: Subject, number: number) => noteChanges(client, mine, [record(number)]),
      async end(how = 'COMMIT') {
        await client.query(how)
        client.release()
      },
    }
  }

  test('a stream delivers an entry that is numbered earlier and committed later, also to a client that resumes in between', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    const slow = await begin()
    await slow.note(mine, 1)
    await note(mine, [record(2)])
    const [second] = await take(stream, 1)
    expect(second?.recordId).toBe(record(2))
    const between = await makeFeed().listen(mine, HOUR, second?.cursor)
    await slow.end()
    expect(ids(await take(stream, 1))).toEqual([record(1)])
    expect(ids(await take(between, 1))).toEqual([record(1)])
    const resumed = await makeFeed().listen(mine, HOUR, second?.cursor)
    expect(ids(await take(resumed, 1))).toEqual([record(1)])
  })

  test('a stream delivers the changes of a record in their order, without waiting for long transactions', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    await note(mine, [record(0)])
    const [start] = await take(stream, 1)
    const early = await begin()
    const long = await begin()
    const late = await begin()
    await late.note(mine, 7)
    await late.end()
    const [first] = await take(stream, 1)
    // The early one changes the record only now: it comes after the late one.
    await early.note(mine, 7)
    await early.end()
    const [second] = await take(stream, 1)
    expect(second?.cursor.id).toBeGreaterThan(first?.cursor.id ?? 0)
    // Both at once.
    await stream?.return?.()
    const resumed = await makeFeed().listen(mine, HOUR, start?.cursor)
    const both = await take(resumed, 2)
    expect(both.map(({ cursor }) => cursor.id)).toEqual([first?.cursor.id, second?.cursor.id])
    await long.end('ROLLBACK')
  })

  test('a stream delivers every change of simultaneous writers once, and those of a record in order, while streams begin and end', async () => {
    const mine = subject()
    const [writers, rounds, records] = [6, 40, 4]
    const feed = makeFeed()
    const steady = await feed.listen(mine, HOUR)
    const restless = (async () => {
      const received: Change[] = []
      let stream = await makeFeed().listen(mine, HOUR)
      while (received.length < writers * rounds) {
        received.push(...(await take(stream, Math.min(7, writers * rounds - received.length))))
        await stream?.return?.()
        stream = await makeFeed().listen(mine, HOUR, received.at(-1)?.cursor)
      }
      return received
    })()
    await database.pool.query(`CREATE TABLE IF NOT EXISTS written_record (id int PRIMARY KEY)`)
    await database.pool.query(`INSERT INTO written_record SELECT generate_series(1, ${records}) ON CONFLICT DO NOTHING`)
    const write = async (writer: number) => {
      for (let round = 0; round < rounds; round++) {
        const number = 1 + ((writer * 7 + round * 3) % records)
        const client = await database.pool.connect()
        await client.query('BEGIN')
        if (round % 2 === 0) await client.query('SELECT pg_current_xact_id()')
        await client.query('SELECT 1 FROM written_record WHERE id = $1 FOR UPDATE', [number])
        await noteChanges(client, mine, [record(number)])
        await client.query('SELECT pg_sleep(random() * 0.004)')
        await client.query('COMMIT')
        client.release()
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    await database.pool.query('DROP TABLE written_record')
    for (const received of [await take(steady, writers * rounds), await restless]) {
      expect(new Set(received.map(({ cursor }) => cursor.id)).size).toBe(writers * rounds)
      for (let number = 1; number <= records; number++) {
        const order = received.filter(({ recordId }) => recordId === record(number)).map(({ cursor }) => cursor.id)
        expect(order).toEqual([...order].sort((a, b) => a - b))
      }
    }
  })

  test('a stream loses no change when the listening connection is lost, which is opened again', async () => {
    const [mine, feed] = [subject(), makeFeed()]
    const stream = await feed.listen(mine, HOUR)
    const listeners = async () => {
      const { rows } = await database.pool.query(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'commerce-graph live'",
      )
      return rows.map(({ pid }) => pid as number)
    }
    await waitUntil(async () => (await listeners()).length === 1)
    const [pid] = await listeners()
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid])
    await note(mine, [record(1)])
    expect(ids(await take(stream, 1))).toEqual([record(1)])
    await waitUntil(async () => (await listeners()).some((one) => one !== pid))
    await stream?.return?.()
    await waitUntil(async () => (await listeners()).length === 0)
  })
})
