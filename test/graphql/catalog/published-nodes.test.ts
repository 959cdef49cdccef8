/** `nodes(ids:)` with ids of releases: all of them are checked and read in the same statements. */
import { beforeAll, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { MAX_STALE_MS } from '../../../src/persistence/catalog/release-knowledge.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { manualClock, useServer } from '../../support/server.ts'
import { insertCatalog } from '../../support/store.ts'

const elapsed = manualClock()
const database = useDatabase()
const server = useServer(database, { elapsed, config: { responseCacheMb: 0 } })
const numbers = Array.from({ length: 100 }, (_, at) => at)
const catalogIds = numbers.map((at) => idOf(0x1000 + at))
const releaseIds = numbers.map((at) => idOf(0x2000 + at))

beforeAll(async () => {
  for (const id of catalogIds) await insertCatalog(database, { id, name: id, hierarchy_ids: [], books: [] })
  await database.pool.query(
    `INSERT INTO release (id, catalog_id, sequence, status, catalog_name, hierarchy_ids, started_at, published_at)
     SELECT release_id, catalog_id, 1, 'published', catalog_id::text, '{}', now(), now() FROM unnest($1::uuid[], $2::uuid[]) AS one (release_id, catalog_id)`,
    [releaseIds, catalogIds],
  )
  await database.pool.query(
    'INSERT INTO release_activation (catalog_id, release_id, effective_at, scheduled) SELECT catalog_id, id, published_at, false FROM release',
  )
})

const nodes = (type: string, ids: readonly string[], token: string) => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Release { sequence } ... on Catalog { name } } }'
  return countStatements(database, async () => {
    const reply = await server.gql(query, { ids: ids.map((id) => globalId(type, id)) }, { token })
    return reply.data.nodes.map((node: { id: string } | null) => node?.id ?? null)
  })
}

test.each(['Release', 'Catalog'])(
  'node(id:) of 100 ids of a %s costs as many statements as of one, cached or not',
  async (type) => {
    const ids = type === 'Release' ? releaseIds : catalogIds
    for (const token of [server.admin, server.shopper]) {
      server.services.releases.invalidate()
      const counts = []
      for (const requested of [ids.slice(0, 1), ids, ids.slice(0, 1), ids]) {
        elapsed.ahead += MAX_STALE_MS
        const { result, count } = await nodes(type, requested, token)
        expect(result).toEqual(requested.map((id) => globalId(type, id)))
        counts.push(count)
      }
      expect(new Set(counts).size, String(counts)).toBe(1)
    }
  },
)

test('each id of a published node gets its own release, and null for one that is not published', async () => {
  elapsed.ahead += MAX_STALE_MS
  await database.pool.query(`UPDATE release SET status = 'retired' WHERE id = $1`, [releaseIds[1]])
  const { result } = await nodes(
    'Release',
    [releaseIds[2] ?? '', releaseIds[1] ?? '', idOf(1), releaseIds[0] ?? ''],
    server.shopper,
  )
  expect(result).toEqual([
    globalId('Release', releaseIds[2] ?? ''),
    null,
    null,
    globalId('Release', releaseIds[0] ?? ''),
  ])
})
