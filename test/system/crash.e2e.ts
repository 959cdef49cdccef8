import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withPublishLock } from '../../src/persistence/catalog/publish/lock.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { crash } from '../soak/crash.ts'
import { type Running, startProgram, startServer, type Workspace } from '../soak/program.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { times } from '../support/effort.ts'
import { shortLived } from '../support/start-command.ts'

const databaseUrl = process.env.DATABASE_URL || null

/** `npm run soak -- crash` kills two hundred times. */
test('a server that is killed, and an import, lose nothing acknowledged, leave nothing half there, and start again without help', async () => {
  // Every second kill waits for a release and a campaign.
  const kills = times(2, 2)
  const report = await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    return crash(place, kills, times(1))
  })
  expect(report.acknowledged.prices).toBeGreaterThanOrEqual(kills)
  expect(report.acknowledged.releases).toBeGreaterThan(0)
  expect(report.acknowledged.campaigns).toBeGreaterThan(0)
})

const start = (place: Workspace) => startServer(place, {}, 'main', shortLived)
const open = (place: Workspace) =>
  openDatabase({ ...place, poolMax: 1, statementTimeoutMs: 0 }, { warn: () => undefined })

/** A catalog with the row that a publish leaves when its server is killed; the release's id. */
async function leavePublishing(place: Workspace): Promise<string> {
  const database = await open(place)
  const [catalog, release] = [randomUUID(), randomUUID()]
  try {
    await database.pool.query(
      `INSERT INTO catalog (id, name, created_at, updated_at) VALUES ($1, 'Catalog', now(), now())`,
      [catalog],
    )
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

test('release.whole-or-not-at-all: the start after a kill marks the killed publish as failed, without another publish', async () => {
  await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    await (await start(place)).kill()
    const id = await leavePublishing(place)
    const server = await start(place)
    // Tidied once it listens.
    await expect.poll(() => releaseOf(server, id), { timeout: 60_000 }).toEqual(failed)
    await server.kill()
  })
})

test.runIf(databaseUrl)(
  'release.whole-or-not-at-all: the start after a kill marks the killed publish as failed once its lock is free [needs PostgreSQL]',
  async () => {
    await withWorkspace(databaseUrl, async (place) => {
      await (await start(place)).kill()
      const id = await leavePublishing(place)
      const killed = await open(place)
      const server = await withPublishLock(killed, async () => {
        const started = await start(place)
        expect((await releaseOf(started, id)).status).toBe('PUBLISHING')
        return started
      })
      await expect.poll(() => releaseOf(server, id), { timeout: 60_000 }).toEqual(failed)
      await server.kill()
      await killed.close()
    })
  },
)

/** A store whose only hierarchy has so many products. */
async function importCatalog(place: Workspace, products: number): Promise<string> {
  const [catalog, hierarchy, node] = [randomUUID(), randomUUID(), randomUUID()]
  const sold = Array.from({ length: products }, (_, n) => ({ id: randomUUID(), sku: `S${n}` }))
  const relationships = {
    parent: { data: { type: 'hierarchy', id: hierarchy } },
    products: { data: sold.map(({ id }) => ({ type: 'product', id })) },
  }
  const rows = [
    ...sold.map(({ id, sku }) => ({ type: 'product', id, attributes: { name: sku, sku, status: 'live' } })),
    { type: 'hierarchy', id: hierarchy, attributes: { name: 'All' } },
    { type: 'node', id: node, attributes: { name: 'Node' }, relationships },
    { type: 'catalog', id: catalog, attributes: { name: 'Catalog', hierarchy_ids: [hierarchy], pricebook_ids: [] } },
  ]
  const file = join(place.dataDir, '..', 'store.jsonl')
  writeFileSync(file, rows.map((data) => JSON.stringify({ data })).join('\n'))
  const program = startProgram('import/main', [file], place, {}, shortLived)
  expect([await program.exit, program.printed()]).toEqual([0, expect.any(String)])
  return catalog
}

interface ListedRelease {
  readonly id: string
  readonly status: string
  readonly productCount: number
}

test('release.scheduled-at-its-millisecond: a server that is killed while it publishes for later leaves no release or a whole one, which is the latest from its instant on', async () => {
  await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    const [products, catalogId] = [200, await importCatalog(place, 200)]
    const publish =
      'mutation ($input: PublishReleaseInput!) { publishRelease(input: $input) { release { id } userErrors { code message } } }'
    const list =
      'query ($id: ID!) { catalog(id: $id) { latestRelease { pinned { id } } releases(first: 100) { nodes { id status productCount } } } }'
    let server = await start(place)
    let latest: string | null = null
    const seen = new Set<string>()
    for (const killAfter of ['its response', 'a moment']) {
      const at = Date.now() + 8_000
      const call: Promise<Awaited<ReturnType<Running['gql']>>> = server
        .gql(publish, { input: { catalogId, at: new Date(at).toISOString() } })
        .catch(() => undefined)
      if (killAfter === 'its response') expect((await call).data.publishRelease.userErrors).toEqual([])
      else await pause(Math.random() * 200)
      await server.kill()
      const acknowledged = (await call)?.data.publishRelease.release.id
      server = await start(place)
      const read = async () => (await server.gql(list, { id: catalogId })).data.catalog
      const { latestRelease, releases } = await read()
      if (Date.now() < at) expect(latestRelease?.pinned.id ?? null).toBe(latest)
      const whole = releases.nodes.filter(
        ({ id, status }: ListedRelease) => !seen.has(id) && /SCHEDULED|PUBLISHED/.test(status),
      )
      expect(whole.length).toBeLessThan(2)
      for (const { id, productCount } of whole) expect([productCount, seen.add(id).size]).toEqual([products, seen.size])
      if (acknowledged !== undefined) expect(whole).toMatchObject([{ id: acknowledged }])
      // A timer may be a millisecond early.
      await pause(Math.max(0, at - Date.now()) + 10)
      latest = whole[0]?.id ?? latest
      expect((await read()).latestRelease?.pinned.id ?? null).toBe(latest)
    }
    await server.kill()
  })
})
