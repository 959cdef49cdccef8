/** Server startup on a database that has data: what it does beside listening. */
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/input/instant.ts'
import { createLogger } from '../../src/lib/log.ts'
import { listen, type StartupState } from '../../src/server/start.ts'
import { noteChanges } from '../support/changes.ts'
import { useDatabase } from '../support/database.ts'
import { servicesOf } from '../support/services.ts'
import { idOf } from '../support/subscriptions.ts'

const database = useDatabase()

test('history.kept-for-days: a start prunes what is older than HISTORY_DAYS, and keeps what is younger', async () => {
  const record = (number: number) => idOf('subscription', number)
  const client = await database.pool.connect()
  for (const number of [1, 2, 3]) await noteChanges(client, { topic: 'subscription', scope: record(9) }, [record(number)])
  client.release()
  const now = Date.now()
  const minute = 60_000
  const age = (number: number, ms: number) =>
    database.pool.query('UPDATE change SET created_at = $1 WHERE record_id = $2', [new Date(now - ms), record(number)])
  await age(1, 3 * DAY_MS + minute)
  await age(2, 3 * DAY_MS - 10 * minute)
  const { config } = servicesOf(database, { historyDays: 3, port: 0, production: true })
  const state: StartupState = { log: createLogger('silent'), database: null, app: null, deliverer: null, stopping: false }
  await listen(config, database, state)
  const left = async () => (await database.prisma.change.findMany({ orderBy: { id: 'asc' } })).map(({ recordId }) => recordId)
  await expect.poll(left).toEqual([record(2), record(3)])
  state.stopping = true
  await Promise.all([state.app?.stop(0), state.deliverer?.stop()])
})
