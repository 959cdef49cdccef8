import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withPublishLock } from '../../src/persistence/catalog/publish/run.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { crash } from '../soak/crash.ts'
import { type Running, startServer, type Workspace } from '../soak/program.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { shortLived } from '../support/start-command.ts'

const databaseUrl = process.env.DATABASE_URL || null

/** `npm run soak -- crash` kills two hundred times. */
test('a server that is killed, and an import, lose nothing acknowledged, leave nothing half there, and start again without help', async () => {
  const report = await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    return crash(place, 8, 2)
  })
  expect(report.acknowledged.prices).toBeGreaterThanOrEqual(8)
  expect(report.acknowledged.releases).toBeGreaterThan(0)
}, 480_000)

const start = (place: Workspace) => startServer(place, {}, 'main', shortLived)
const open = (place: Workspace) => openDatabase({ ...place, poolMax: 1, statementTimeoutMs: 0 }, { warn: () => undefined })

/** A catalog with the row that a publish leaves when its server is killed; the release's id. */
async function leavePublishing(place: Workspace): Promise<string> {
  const database = await open(place)
  const [catalog, release] = [randomUUID(), randomUUID()]
  try {
    await database.pool.query(`INSERT INTO catalog (id, name, created_at, updated_at) VALUES ($1, 'Catalog', now(), now())`, [catalog])
    const row = `INSERT INTO release (id, catalog_id, sequence, status, started_at) VALUES ($1, $2, 1, 'publishing', now())`
    await database.pool.query(row, [release, catalog])
  } finally {
    await database.close()
  }
  return release
}

const failed = { status: 'FAILED', error: 'the server stopped while it was published', publishedAt: null }
const releaseOf = async ({ gql }: Running, id: string) =>
  (await gql('query($id: ID!) { release(id: $id) { status error publishedAt } }', { id })).data.release

test('release.whole-or-not-at-all: the start after a kill tells of the publish that was killed that it failed, without another publish', async () => {
  await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    await (await start(place)).kill()
    const id = await leavePublishing(place)
    const server = await start(place)
    // Tidied once it listens.
    await expect.poll(() => releaseOf(server, id), { timeout: 20_000 }).toEqual(failed)
    await server.kill()
  })
}, 90_000)

test.runIf(databaseUrl)(
  'release.whole-or-not-at-all: and when the killed one still has the lock at that start, as soon as it is free [needs PostgreSQL]',
  async () => {
    await withWorkspace(databaseUrl, async (place) => {
      await (await start(place)).kill()
      const id = await leavePublishing(place)
      const killed = await open(place)
      const server = await withPublishLock(killed.pool, async () => {
        const started = await start(place)
        expect((await releaseOf(started, id)).status).toBe('PUBLISHING')
        return started
      })
      await expect.poll(() => releaseOf(server, id), { timeout: 20_000 }).toEqual(failed)
      await server.kill()
      await killed.close()
    })
  },
  90_000,
)
