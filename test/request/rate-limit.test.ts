import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAuthenticate } from '../../src/auth/verify.ts'
import { databaseOver } from '../../src/persistence/database/open-database.ts'
import { serverPool } from '../../src/persistence/database/pool.ts'
import { createRateLimit, createSharedRateLimit, type RateLimit, TOKENS_MAX } from '../../src/request/rate-limit.ts'
import { startServer } from '../soak/program.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { countStatements, testDatabaseUrl, useDatabase } from '../support/database.ts'
import { hold, untilItWaits } from '../support/held-transaction.ts'
import { START, startTestServer, testAuth, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { rateLimit: 6 } })
const PRODUCT = '/v2/subscriptions/products/none'
let tokens = 0
const newToken = (): string => `token ${tokens++}`

/** A clock that only the test moves, and a limiter by it. */
function limiter(store: 'memory' | 'database', limit: number): { ask: RateLimit; clock: { now: number } } {
  const clock = { now: START }
  const ask =
    store === 'memory'
      ? createRateLimit(limit, () => clock.now)
      : createSharedRateLimit(database, limit, () => clock.now)
  return { ask, clock }
}

test('the rate limit in memory forgets a token when TOKENS_MAX others were used since, and one fewer leaves it', async () => {
  const askOthers = async (count: number) => {
    const ask = createRateLimit(1, () => START)
    expect(await ask('first')).toBeNull()
    for (let other = 0; other < count; other++) await ask(`other ${other}`)
    return ask('first')
  }
  expect(await askOthers(TOKENS_MAX - 1)).toBe(61)
  expect(await askOthers(TOKENS_MAX)).toBeNull()
})

describe.each(['memory', 'database'] as const)('the window of a token, in %s', (store) => {
  test(`the rate limit in ${store} admits the limit at once, and the next request when the first second has left the window, to the millisecond`, async () => {
    const { ask, clock } = limiter(store, 3)
    const token = newToken()
    expect([await ask(token), await ask(token), await ask(token), await ask(token)]).toEqual([null, null, null, 61])
    clock.now = START + 1
    expect(await ask(token)).toBe(61)
    clock.now = START + 59_999
    expect(await ask(token)).toBe(2)
    clock.now = START + 60_000
    expect(await ask(token)).toBe(1)
    clock.now = START + 60_999
    expect(await ask(token)).toBe(1)
    clock.now = START + 61_000
    expect([await ask(token), await ask(token), await ask(token), await ask(token)]).toEqual([null, null, null, 61])
  })

  test(`the rate limit in ${store} admits requests one by one as older ones leave the window`, async () => {
    const { ask, clock } = limiter(store, 2)
    const token = newToken()
    expect(await ask(token)).toBeNull()
    clock.now = START + 20_500
    expect([await ask(token), await ask(token)]).toEqual([null, 41])
    clock.now = START + 61_000
    expect([await ask(token), await ask(token)]).toEqual([null, 20])
    clock.now = START + 81_000
    expect([await ask(token), await ask(token)]).toEqual([null, 41])
  })

  test(`the rate limit in ${store} does not admit twice the limit around the edge of a minute`, async () => {
    const { ask, clock } = limiter(store, 10)
    const token = newToken()
    let taken = 0
    for (const second of [59, 60, 61, 62]) {
      clock.now = START + second * 1_000
      for (let n = 0; n < 10; n++) if ((await ask(token)) === null) taken++
    }
    expect(taken).toBe(10)
  })

  test(`the rate limit in ${store} is separate for each token`, async () => {
    const { ask } = limiter(store, 1)
    const [one, other] = [newToken(), newToken()]
    expect([await ask(one), await ask(other), await ask(one), await ask(other)]).toEqual([null, null, 61, 61])
  })

  test(`a token has the whole rate limit again after a long pause, in ${store}`, async () => {
    const { ask, clock } = limiter(store, 2)
    const token = newToken()
    for (const away of [0, 61_000, 122_000, 3_600_000, 86_400_000]) {
      clock.now += away
      expect([away, await ask(token), await ask(token), (await ask(token)) !== null]).toEqual([away, null, null, true])
    }
  })

  test(`a clock that is set back admits no additional requests, in ${store}`, async () => {
    const { ask, clock } = limiter(store, 2)
    const token = newToken()
    expect(await ask(token)).toBeNull()
    clock.now = START - 10_000
    expect([await ask(token), (await ask(token)) !== null]).toEqual([null, true])
    clock.now = START + 60_999
    expect(await ask(token)).toBe(1)
  })

  test(`the rate limit in ${store} holds for any arrivals: never more than the limit in 60 s, never a refusal below it, and Retry-After is the shortest wait that helps`, async () => {
    const gaps = fc.array(
      fc.oneof(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 0, max: 30_000 }),
        fc.constantFrom(0, 1_000, 59_999, 60_000),
      ),
      {
        minLength: 5,
        maxLength: 60,
      },
    )
    const arrivals = async (limit: number, given: readonly number[]): Promise<void> => {
      const { ask, clock } = limiter(store, limit)
      const token = newToken()
      const taken: number[] = []
      clock.now = START + (given[0] ?? 0)
      for (const gap of given) {
        clock.now += gap
        const wait = await ask(token)
        const second = Math.floor(clock.now / 1_000)
        const counting = (at: number): number =>
          taken.filter((instant) => Math.floor(instant / 1_000) > Math.floor(at / 1_000) - 61).length
        if (wait === null) {
          taken.push(clock.now)
          // The closed minute that ends with this request.
          expect(taken.filter((instant) => instant >= clock.now - 60_000).length).toBeLessThanOrEqual(limit)
        } else {
          expect(counting(clock.now)).toBe(limit)
          expect(counting((second + wait) * 1_000)).toBeLessThan(limit)
          expect(counting(clock.now + (wait - 1) * 1_000)).toBe(limit)
        }
      }
    }
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 7 }), gaps, arrivals), {
      numRuns: store === 'memory' ? 500 : 25,
    })
  })
})

test('the rate limit frees the memory of tokens without further requests', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const clock = { now: START }
  const ask = createRateLimit(1, () => clock.now)
  collect()
  const used = process.memoryUsage().heapUsed
  for (let minute = 0; minute < 20; minute++) {
    for (let n = 0; n < 20_000; n++) ask(`${minute} ${n}`)
    clock.now += 61_000
  }
  collect()
  // 400,000 logs take some 80 MB.
  expect(process.memoryUsage().heapUsed - used).toBeLessThan(20 * 1024 * 1024)
  expect(ask('19 1')).toBeNull()
})

describe('a window shared by several servers', () => {
  test('a rate limit shared by several servers is the same on each of them, and admits exactly the limit of simultaneous requests', async () => {
    const clock = { now: START }
    const [one, other] = [0, 1].map(() => createSharedRateLimit(database, 20, () => clock.now)) as [
      RateLimit,
      RateLimit,
    ]
    const token = newToken()
    const responses = await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? one : other)(token)))
    expect(responses.filter((response) => response === null)).toHaveLength(20)
    expect(new Set(responses.filter((response) => response !== null))).toEqual(new Set([61]))
    clock.now += 61_000
    expect([await one(token), await other(token)]).toEqual([null, null])
  })

  test('a rate limit shared by several servers costs one statement per request, and none while its token is at the limit', async () => {
    const clock = { now: START }
    const ask = createSharedRateLimit(database, 2, () => clock.now)
    await ask(newToken())
    const token = newToken()
    const statements = async () => (await countStatements(database, async () => ask(token))).count
    expect([await statements(), await statements()]).toEqual([1, 1])
    // The first refusal reads the log for Retry-After.
    expect(await statements()).toBe(2)
    for (const after of [0, 1, 60_999]) {
      clock.now = START + after
      expect([after, await statements()]).toEqual([after, 0])
    }
    clock.now = START + 61_000
    expect([await statements(), await ask(token)]).toEqual([2, null])
  })

  test('a rate limit shared by several servers uses the clock of the database, the same for all servers', async () => {
    const ask = createSharedRateLimit(database, 2)
    const token = newToken()
    expect([await ask(token), await ask(token)]).toEqual([null, null])
    const wait = await ask(token)
    expect(wait).toBeLessThanOrEqual(61)
    expect(wait).toBeGreaterThan(30)
    const [row] = await database.query<{ age: number }>(
      'test-age',
      'SELECT extract(epoch FROM now())::float8 - second AS age FROM rate_limit WHERE token = $1',
      [token],
    )
    expect(row?.age).toBeLessThan(30)
  })

  test.runIf(testDatabaseUrl() !== null)(
    'a shared rate limit counts a request from when it is admitted, however long it waited [needs PostgreSQL]',
    async () => {
      const ask = createSharedRateLimit(database, 2)
      const token = newToken()
      await ask(token)
      const readSecond = (name: string, text: string) => database.query<{ second: number }>(name, text)
      const commit = await hold(
        database,
        (tx) => tx.$executeRaw`SELECT FROM rate_limit WHERE token = ${token} FOR UPDATE`,
      )
      const waiting = Promise.resolve(ask(token))
      await untilItWaits(database, waiting)
      const text = 'SELECT floor(extract(epoch FROM clock_timestamp()))::float8 AS second FROM pg_sleep(1.01)'
      const [released] = await readSecond('test-released', text)
      await commit()
      expect(await waiting).toBeNull()
      const [counted] = await readSecond(
        'test-counted',
        `SELECT second::float8 AS second FROM rate_limit WHERE token = '${token}'`,
      )
      expect(counted?.second).toBeGreaterThanOrEqual(released?.second ?? Number.POSITIVE_INFINITY)
    },
  )

  test('a rate limit shared by several servers deletes rows that have left the window', async () => {
    await database.query('test-clear', 'DELETE FROM rate_limit')
    const clock = { now: START }
    const ask = createSharedRateLimit(database, 1, () => clock.now)
    const left = async () =>
      (await database.query<{ token: string }>('test-left', 'SELECT token FROM rate_limit ORDER BY token')).map(
        ({ token }) => token,
      )
    await ask('old')
    clock.now += 62_000
    await ask('new')
    expect(await left()).toEqual(['new'])
    // A row of the future, as a clock that is set back leaves it.
    await database.query(
      'test-future',
      `INSERT INTO rate_limit VALUES ('future', ${Math.floor(clock.now / 1_000) + 3_600}, '{1}')`,
    )
    clock.now += 61_000
    await ask('newer')
    expect(await left()).toEqual(['new', 'newer'])
  })

  test.runIf(testDatabaseUrl() !== null)(
    'a shared rate limit holds for two processes of one database [needs PostgreSQL]',
    async () => {
      await withWorkspace(process.env.DATABASE_URL ?? null, async (place) => {
        const servers = [await startServer(place, { RATE_LIMIT: '10' }), await startServer(place, { RATE_LIMIT: '10' })]
        const headers = { authorization: `Bearer ${servers[0]?.shopper}` }
        const statuses = await Promise.all(
          Array.from({ length: 40 }, async (_, n) => {
            const { status, headers: responseHeaders } =
              (await servers[n % 2]?.client.send({ method: 'GET', path: PRODUCT, headers })) ?? {}
            // Some of the minute has passed, on a busy machine more.
            if (status === 429) expect(responseHeaders?.['retry-after']).toMatch(/^([345]\d|6[01])$/)
            return status
          }),
        )
        expect(statuses.filter((status) => status === 400)).toHaveLength(10)
        expect(statuses.filter((status) => status === 429)).toHaveLength(30)
        for (const one of servers) await one.kill()
      })
    },
  )

  test('a rate limit shared by several servers responds with 503 on both edges while the database is unavailable, and admits no uncounted request', async () => {
    const pool = serverPool({ url: 'postgres://127.0.0.1:1/none', max: 1, statementTimeoutMs: 0, onError: () => {} })
    const away = databaseOver('server', pool)
    const lost = await startTestServer(away, { config: { rateLimit: 6 } })
    const rest = await lost.rest('GET', PRODUCT)
    expect([rest.status, rest.headers.get('retry-after'), rest.body.errors[0].code]).toEqual([
      503,
      '1',
      'SERVICE_UNAVAILABLE',
    ])
    const graph = await lost.gql('{ __typename }')
    expect([graph.status, graph.errors[0].extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    // Requests without a token are not counted.
    expect((await lost.rest('GET', PRODUCT, { token: null })).status).toBe(401)
    await lost.stop()
    await away.close()
  })
})

test('a token has one rate limit, for all encodings of its signature', async () => {
  const { token } = await server.issue({ subject: 'spelled', role: 'shopper' }, START)
  const spellings = spellingsOf(token)
  expect(spellings.length).toBeGreaterThanOrEqual(5)
  const statuses = []
  for (const spelling of [...spellings, ...spellings])
    statuses.push((await server.rest('GET', PRODUCT, { token: spelling })).status)
  expect(statuses).toEqual(statuses.map((_, index) => (index < 6 ? 400 : 429)))
})

test('a token has the same digest on every server, and when it is verified again', async () => {
  const { token } = await server.issue({ subject: 'again', role: 'shopper' }, START)
  const digests = []
  for (const authenticate of [createAuthenticate(testAuth), createAuthenticate(testAuth)]) {
    for (const spelling of spellingsOf(token)) digests.push((await authenticate(`Bearer ${spelling}`, START)).token)
    expect(authenticate(`Bearer ${token}`, START + 300_001)).toBeInstanceOf(Promise)
    digests.push((await authenticate(`Bearer ${token}`, START + 300_001)).token)
  }
  expect(new Set(digests).size).toBe(1)
  expect(token).not.toContain(digests[0])
})

/** The token in other words, which say the same: the last character has two bits to spare, and padding is allowed. */
function spellingsOf(token: string): string[] {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = digits.indexOf(token.at(-1) ?? '')
  return [...[0, 1, 2, 3].map((bits) => `${token.slice(0, -1)}${digits[(last & ~3) + bits]}`), `${token}=`]
}

describe('RATE_LIMIT on a server', () => {
  test('both edges count in one window: 429 with Retry-After and THROTTLED, and then requests are admitted again', async () => {
    const { token } = await server.issue({ subject: 'busy', role: 'shopper' }, START)
    for (let n = 0; n < 3; n++) {
      expect((await server.gql('{ __typename }', {}, { token })).data).toEqual({ __typename: 'Query' })
      expect((await server.rest('GET', PRODUCT, { token })).status).toBe(400)
    }
    const rest = await server.rest('GET', PRODUCT, { token })
    expect([rest.status, rest.headers.get('retry-after'), rest.body.errors[0]]).toEqual([
      429,
      '61',
      { title: 'Too Many Requests', status: '429', code: 'THROTTLED', detail: 'Too many requests, try again later' },
    ])
    const graph = await server.gql('{ __typename }', {}, { token })
    expect([graph.status, graph.headers.get('retry-after'), graph.errors[0].extensions.code]).toEqual([
      429,
      '61',
      'THROTTLED',
    ])

    // What needs no token, or is nowhere, is not counted.
    expect((await server.rest('GET', '/nowhere', { token })).status).toBe(404)
    expect((await server.rest('DELETE', PRODUCT, { token })).status).toBe(405)
    for (let n = 0; n < 20; n++) expect((await server.rest('GET', '/health', { token: null })).status).toBe(200)

    const { token: other } = await server.issue({ subject: 'busy', role: 'shopper', accountId: null }, START + 1000)
    expect((await server.gql('{ __typename }', {}, { token: other })).status).toBe(200)
    server.now += 60_999
    expect((await server.gql('{ __typename }', {}, { token })).status).toBe(429)
    server.now += 1
    for (let n = 0; n < 6; n++) expect((await server.gql('{ __typename }', {}, { token })).status).toBe(200)
    expect((await server.gql('{ __typename }', {}, { token })).status).toBe(429)
    server.now -= 61_000
  })
})
