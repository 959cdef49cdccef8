import { describe, expect, it } from 'vitest'
import { PUBLISH_LOCK, withPublishLock } from '../../../src/persistence/catalog/publish/lock.ts'
import { isLockTimeout } from '../../../src/persistence/database/failures.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()

const SETTINGS = ['statement_timeout', 'lock_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout']

/** What `work` resolves to, or whether it failed since the lock was not granted in time. */
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error) => (isLockTimeout(error) ? 'lock timeout' : error))

async function settings(client: Pick<typeof database.pool, 'query'>): Promise<Record<string, string>> {
  const { rows } = await client.query('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [SETTINGS])
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

describe('the publish lock', () => {
  it('the publish lock changes the limits of its session only while it is held', async () => {
    const before = await settings(database.pool)
    const idleLimit = database.kind === 'server' ? '60000' : '0'
    const during = await withPublishLock(database, settings)
    expect(during).toEqual({
      statement_timeout: '0',
      lock_timeout: '0',
      idle_session_timeout: idleLimit,
      idle_in_transaction_session_timeout: idleLimit,
    })
    expect(await settings(database.pool)).toEqual(before)
  })

  it('a publish waits for those of its own process as long as they run', async () => {
    const order: string[] = []
    const publish = (name: string) =>
      withPublishLock(
        database,
        async (client) => {
          await client.query('SELECT pg_sleep(0.2)')
          order.push(name)
        },
        100,
      )
    await Promise.all(['first', 'second', 'third'].map(publish))
    expect(order).toEqual(['first', 'second', 'third'])
  })

  it.runIf(database.kind === 'server')(
    'a publish fails when another server keeps the lock too long, and so do those that queue behind it [needs PostgreSQL]',
    async () => {
      const other = await database.pool.connect()
      try {
        await other.query(`SELECT pg_advisory_lock(${PUBLISH_LOCK})`)
        const publish = (waitMs: number) => outcome(withPublishLock(database, async () => 'published', waitMs))
        const queued = [publish(500), publish(500), publish(500), publish(60_000)]
        expect(await Promise.all(queued.slice(0, 3))).toEqual(['lock timeout', 'lock timeout', 'lock timeout'])
        await other.query(`SELECT pg_advisory_unlock(${PUBLISH_LOCK})`)
        expect(await queued[3]).toBe('published')
      } finally {
        other.release(true)
      }
    },
  )
})
