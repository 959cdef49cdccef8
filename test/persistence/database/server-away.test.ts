import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { translateFailure } from '../../../src/persistence/database/failures.ts'
import { databaseOver, openDatabase } from '../../../src/persistence/database/open-database.ts'
import { serverPool } from '../../../src/persistence/database/pool.ts'
import { useDatabase } from '../../support/database.ts'

const here = useDatabase()
const open: Database[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
})

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return translateFailure(error)
  }
  throw new Error('was expected to fail')
}

describe('a PostgreSQL server that can not be reached', () => {
  it('a PostgreSQL server that can not be reached fails reads, writes and transactions with Unavailable, and the process continues', async () => {
    // A port that was free a moment ago, and one where every connection is cut.
    const cut = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve))
    const { port } = cut.address() as { port: number }
    for (const stop of [false, true]) {
      if (stop) await new Promise((resolve) => cut.close(resolve))
      const databaseUrl = `postgresql://user:hunter2@127.0.0.1:${port}/shop`
      const database = await openDatabase(
        { databaseUrl, dataDir: '', poolMax: 2, statementTimeoutMs: 100 },
        { warn: () => {} },
      )
      open.push(database)
      const failures = [
        await failureOf(database.query('test-away', 'SELECT 1')),
        await failureOf(database.prisma.storeFact.count()),
        await failureOf(database.prisma.$transaction(async (tx) => tx.storeFact.count())),
      ]
      for (const failure of failures) {
        expect(failure).toBeInstanceOf(Unavailable)
        expect((failure as Error).message).not.toContain('hunter2')
      }
    }
  })
})

/** The same server with its own limits; embedded there are none of these cases. */
function another(options: { max: number; statementTimeoutMs: number }): Database {
  const url = (here.pool.options as { connectionString?: string }).connectionString ?? ''
  const database = databaseOver('server', serverPool({ url, ...options, onError: () => {} }))
  open.push(database)
  return database
}

if (here.kind === 'server') {
  describe('a server', () => {
    it('a server aborts a statement after the timeout, on every connection', async () => {
      const database = another({ max: 2, statementTimeoutMs: 100 })
      const failures = await Promise.all([1, 2].map(() => failureOf(database.pool.query('SELECT pg_sleep(5)'))))
      for (const failure of failures) expect(failure).toBeInstanceOf(Unavailable)
    })

    it('a server notices within twenty seconds that a client is gone without a word, whose session would keep its locks for hours', async () => {
      const settings = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count']
      const { rows } = await another({ max: 1, statementTimeoutMs: 0 }).pool.query(
        'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
        [settings],
      )
      const of = (name: string) => Number(rows.find((row) => row.name === name)?.setting)
      const [idle, interval, count] = settings.map(of) as [number, number, number]
      expect(interval).toBeGreaterThan(0)
      expect(idle + interval * count).toBe(20)
    })

    it('a server may close idle and busy connections: waiting statements fail, the next statement connects again', async () => {
      const database = another({ max: 2, statementTimeoutMs: 5_000 })
      const pid = async () =>
        (await database.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
      await here.pool.query('SELECT pg_terminate_backend($1)', [await pid()])
      await expect.poll(() => pid().catch(() => 'lost')).toEqual(expect.any(Number))

      const client = await database.pool.connect()
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const waiting = failureOf(client.query('SELECT pg_sleep(5)'))
      await here.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      expect(await waiting).toBeInstanceOf(Unavailable)
      client.release(true)
      expect(await pid()).toEqual(expect.any(Number))
    })
  })
}
