import { beforeAll, describe, expect, it } from 'vitest'
import { rawId } from '../../src/graphql/schema/ids.ts'
import { createCatalogRule, deleteCatalogRule } from '../../src/operations/catalog/catalog-rule.ts'
import { deleteRelease } from '../../src/operations/catalog/release.ts'
import { useDatabase } from '../support/database.ts'
import { at, fullStore, ids } from '../support/full-store.ts'
import { contextOf } from '../support/price-books.ts'
import { idOf } from '../support/products.ts'
import { listingPath, publish, publishStore } from '../support/published.ts'
import { manualClock, startTestServer, type TestServer } from '../support/server.ts'
import { insertCatalog, type StoreCatalog } from '../support/store.ts'

const database = useDatabase()
const now = at('2026-01-11T00:00:00Z')
let here: TestServer
let elsewhere: TestServer
const elapsed = manualClock()
/** Elsewhere. */
const secondPasses = (): void => {
  elapsed.ahead += 1_000
}

beforeAll(async () => {
  here = await startTestServer(database)
  elsewhere = await startTestServer(database, { elapsed })
  await publishStore(here, fullStore())
  for (const server of [here, elsewhere]) server.now = now
  return async () => {
    await here.stop()
    await elsewhere.stop()
  }
})

const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { hierarchy(id: "${ids.hierarchy}") { products(first: 1) { nodes { name } } } } } }`
const ways = {
  REST: { method: 'GET', path: listingPath(ids.catalog, ids.hierarchy, 'page[limit]=1') },
  'GraphQL by GET': { method: 'GET', path: `/graphql?${new URLSearchParams({ query })}` },
  'GraphQL by POST': { method: 'POST', path: '/graphql', body: { query } },
}

describe.each(Object.entries(ways))(
  'release.is-a-snapshot: with cached responses, %s',
  (way, { method, path, ...body }) => {
    const first = async (server: TestServer): Promise<string | undefined> => {
      const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, now)
      return /"name":"([^"]*)"/.exec((await server.rest(method, path, { token, ...body })).text)?.[1]
    }

    it('a publish and a deletion are visible at once on their own server with cached responses, and within a second on others', async () => {
      const before = await first(here)
      for (let again = 0; again < 3; again++)
        expect([await first(here), await first(elsewhere)]).toEqual([before, before])
      const renamed = `Renamed for ${way}`
      await database.pool.query('UPDATE product SET name = $1 WHERE name = $2', [renamed, before])
      expect(await first(here)).toBe(before)

      const { id } = await publish(here, ids.catalog)
      expect(await first(here)).toBe(renamed)
      secondPasses()
      expect(await first(elsewhere)).toBe(renamed)

      await deleteRelease(contextOf(here.services, now), { releaseId: id })
      expect(await first(here)).toBe(before)
      secondPasses()
      expect(await first(elsewhere)).toBe(before)
      await database.pool.query('UPDATE product SET name = $2 WHERE name = $1', [renamed, before])
    })
  },
)

describe('release.seen-within-a-second: with cached responses, the storefront', () => {
  const query = '{ storefront { id latestRelease { sequence } } }'
  const chosen = async (server: TestServer): Promise<string | null> => {
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, now)
    const { body } = await server.rest('GET', `/graphql?${new URLSearchParams({ query })}`, {
      token,
      headers: { 'ep-channel': 'web' },
    })
    return body.data.storefront && rawId('Catalog', body.data.storefront.id)
  }

  it('with cached responses, the storefront follows a written and a deleted rule at once on their own server, and within a second on others', async () => {
    const other = { ...(fullStore().catalogs[0] as StoreCatalog), id: idOf(0xcb), name: 'Other' }
    await insertCatalog(database, other)
    // Before the first one by its server's clock, so it is the default.
    await publish(here, other.id)
    for (let again = 0; again < 3; again++) expect(await chosen(here)).toBe(other.id)
    secondPasses()
    expect(await chosen(elsewhere)).toBe(other.id)
    const attributes = { name: 'Rule', catalog_id: ids.catalog, channels: ['web'] }
    const { id } = await createCatalogRule(contextOf(here.services, now), {
      data: { type: 'catalog_rule', attributes },
    })
    expect(await chosen(here)).toBe(ids.catalog)
    secondPasses()
    expect(await chosen(elsewhere)).toBe(ids.catalog)

    await deleteCatalogRule(contextOf(here.services, now), { id })
    expect(await chosen(here)).toBe(other.id)
    secondPasses()
    expect(await chosen(elsewhere)).toBe(other.id)
  })
})
