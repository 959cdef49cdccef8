/** Server startup on a database that has data: what it does beside listening. */
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defaultClaims } from '../../src/config/auth-config.ts'
import { DAY_MS } from '../../src/domain/input/instant.ts'
import { createLogger } from '../../src/lib/log.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { EXPIRED_KEPT_MS, IDEMPOTENCY_RETENTION_MS } from '../../src/persistence/idempotency.ts'
import { listen, PRUNE_KEYS_EVERY_MS, type StartupState } from '../../src/server/start.ts'
import { describeStartupError } from '../../src/server/startup-error.ts'
import { noteChanges } from '../support/changes.ts'
import { useDatabase } from '../support/database.ts'
import { servicesOf } from '../support/services.ts'
import { idOf } from '../support/subscriptions.ts'

const database = useDatabase()
const states: StartupState[] = []

async function start(historyDays: number): Promise<void> {
  const { config } = servicesOf(database, { historyDays, port: 0, production: true })
  const state: StartupState = {
    log: createLogger('silent'),
    database: null,
    app: null,
    deliverer: null,
    runner: null,
    stopping: false,
  }
  states.push(state)
  await listen(config, database, state)
}

afterEach(async () => {
  vi.restoreAllMocks()
  for (const state of states.splice(0)) {
    state.stopping = true
    await Promise.all([state.app?.stop(0), state.deliverer?.stop()])
  }
})

test('history.kept-for-days: a start prunes what is older than HISTORY_DAYS, and keeps what is younger', async () => {
  const record = (number: number) => idOf('subscription', number)
  const client = await database.pool.connect()
  for (const number of [1, 2, 3])
    await noteChanges(client, { topic: 'subscription', scope: record(9) }, [record(number)])
  client.release()
  const now = Date.now()
  const minute = 60_000
  const age = (number: number, ms: number) =>
    database.pool.query('UPDATE change SET created_at = $1 WHERE record_id = $2', [new Date(now - ms), record(number)])
  await age(1, 3 * DAY_MS + minute)
  await age(2, 3 * DAY_MS - 10 * minute)
  await start(3)
  const left = async () =>
    (await database.prisma.change.findMany({ orderBy: { id: 'asc' } })).map(({ recordId }) => recordId)
  await expect.poll(left).toEqual([record(2), record(3)])
})

test('results stored for idempotency keys are deleted an hour after they expired, at the start and every hour', async () => {
  const prune = vi.spyOn(globalThis, 'setInterval')
  const store = (id: string, age: number) =>
    database.pool.query(`INSERT INTO idempotency_key (id, input, answer, created_at) VALUES ($1, '', '{}', $2)`, [
      id,
      new Date(Date.now() - age),
    ])
  const left = async () =>
    (await database.prisma.idempotencyKey.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
  const minute = 60_000
  const kept = IDEMPOTENCY_RETENTION_MS + EXPIRED_KEPT_MS
  await store('expired', kept + minute)
  await store('expiring', kept - 10 * minute)
  await start(3)
  await expect.poll(left).toEqual(['expiring'])
  await store('later', kept + minute)
  // The change log is pruned every hour too.
  for (const [run, wait] of prune.mock.calls) if (wait === PRUNE_KEYS_EVERY_MS) run()
  await expect.poll(left).toEqual(['expiring'])
})

describe('an identity provider', () => {
  /** Starts a server, whose provider is not there, and returns what it logged. */
  async function startWith(production: boolean, given: { issuer: string | null; audience: string | null }) {
    const auth = { kind: 'jwks', url: 'http://127.0.0.1:1/keys', claims: defaultClaims, ...given } as const
    const { config } = servicesOf(database, { port: 0, production, auth })
    const lines: Record<string, unknown>[] = []
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const state: StartupState = { log, database: null, app: null, deliverer: null, runner: null, stopping: false }
    states.push(state)
    vi.spyOn(console, 'log').mockReturnValue(undefined)
    await listen(config, database, state)
    const address = state.app?.server.address() as AddressInfo
    return { lines, port: address.port }
  }
  const missing = (lines: readonly Record<string, unknown>[]) =>
    lines.flatMap(({ level, msg }) => (level === 40 ? (/^AUTH_\w+(?= is not set)/.exec(String(msg)) ?? []) : []))

  test.each([
    [{ issuer: null, audience: null }, ['AUTH_ISSUER', 'AUTH_AUDIENCE']],
    [{ issuer: 'https://id.example', audience: null }, ['AUTH_AUDIENCE']],
    [{ issuer: null, audience: 'shop' }, ['AUTH_ISSUER']],
    [{ issuer: 'https://id.example', audience: 'shop' }, []],
  ])(
    'token.issuer-and-audience-expected: with an identity provider and %j production warns of %j',
    async (given, expected) => {
      expect(missing((await startWith(true, given)).lines)).toEqual(expected)
      expect(missing((await startWith(false, given)).lines)).toEqual([])
    },
  )

  test('token.keys-before-ready: with an identity provider a start fetches the keys, and the server is not ready without them', async () => {
    const { lines, port } = await startWith(true, { issuer: 'https://id.example', audience: 'shop' })
    await expect
      .poll(() => lines.find(({ reason }) => reason === 'ECONNREFUSED')?.msg)
      .toMatch(/^the keys of AUTH_JWKS_URL cannot be fetched/)
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(503)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })
})

test('a start whose shutdown has begun leaves the database as it is, so that the shutdown need not wait for it', async () => {
  const untouched = new Proxy({} as Database, {
    get: (_, name) => {
      throw new Error(`the start used database.${String(name)}`)
    },
  })
  const state: StartupState = {
    log: createLogger('silent'),
    database: null,
    app: null,
    deliverer: null,
    runner: null,
    stopping: true,
  }
  await listen(servicesOf(database, {}).config, untouched, state)
  expect(state.app).toBeNull()
})

test('a start whose shutdown begins while it opens its port begins nothing that the shutdown does not know of', async () => {
  const { config } = servicesOf(database, { port: 0, production: true })
  let app: StartupState['app'] = null
  const state: StartupState = {
    log: createLogger('silent'),
    database: null,
    get app() {
      return app
    },
    // The signal comes when the server is there and does not listen yet.
    set app(made) {
      app = made
      this.stopping = true
    },
    deliverer: null,
    runner: null,
    stopping: false,
  }
  states.push(state)
  await listen(config, database, state)
  expect([state.stopping, state.deliverer === null]).toEqual([true, true])
})

test('the startup error of a failed statement is what the database said, without the lines of code that Prisma adds', async () => {
  const cause = await database.prisma.$queryRawUnsafe('SELECT "nothing"').catch((error: unknown) => error)
  const told = describeStartupError(new Error('the database is not available', { cause }))
  expect(told).toMatch(/^the database is not available: Raw query failed\. .*column "nothing" does not exist/)
  expect(told).not.toMatch(/\n|prisma/)
})
