/** Values of the facet of a variation by what most parents say: lists, publishes and the upgrade. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { catalog, NOW, size, sized, storeOf } from '../../support/option-family.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })

beforeEach(async () => {
  await reset(database)
  server.services.releases.invalidate()
  server.now = NOW
})

async function values(list = '', headers: Record<string, string> = {}): Promise<string[]> {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  const products = `products${list} { facets(keys: [{ variation: "Size" }]) { values { value } } }`
  const query = `{ catalog(id: "${catalog}") { latestRelease { ${products} } } }`
  const { data, errors } = await server.gql(query, {}, { token, headers })
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.products.facets[0].values.map(({ value }: { value: string }) => value)
}

const selectSortOrders = `
SELECT release_id, value FROM release_facet WHERE field = 'sort_orders' ORDER BY release_id, value COLLATE "C"`
const sortOrders = async () => (await database.pool.query(selectSortOrders)).rows

describe('facet.options-in-order: values of the facet of a variation', () => {
  /** Two of three say that S comes before M, one the opposite; XL is ordered by one parent, sizes by none. */
  const shop = () =>
    storeOf([
      ...sized(0x100, { S: 30, M: 20, 'Size 10': null, 'Size 9': null }),
      ...sized(0x200, { M: 20, S: 30 }),
      ...sized(0x300, { S: 20, M: 30, XL: 5, 'Size 10': null }),
    ])

  it('values come by the sort orders that most parents give, those without one last by name, whatever their counts', async () => {
    await publishStore(server, shop())
    expect(await values()).toEqual(['S', 'M', 'XL', 'Size 9', 'Size 10'])
    expect(await values('(filter: { options: [] }, groupVariants: true)')).toEqual([
      'S',
      'M',
      'XL',
      'Size 9',
      'Size 10',
    ])
    expect(await values(`(filter: { name: { in: ["000101", "000303", "000102"] } })`)).toEqual(['S', 'M', 'XL'])
  })

  it('values follow a publish: when one parent changes its mind, the other order is what most say', async () => {
    await publishStore(server, shop())
    const swapped = JSON.stringify([size({ M: 30, S: 20 }, 0x200)])
    await database.pool.query('UPDATE product SET variations = $1 WHERE id = $2', [swapped, idOf(0x200)])
    expect(await values()).toEqual(['S', 'M', 'XL', 'Size 9', 'Size 10'])
    await publish(server, catalog)
    expect(await values()).toEqual(['M', 'S', 'XL', 'Size 9', 'Size 10'])
  })

  it('of sort orders that equally many parents give, the highest counts', async () => {
    await publishStore(server, storeOf([...sized(0x100, { S: 1, M: 2 }), ...sized(0x200, { S: 3, M: 2 })]))
    expect(await values()).toEqual(['S', 'M'])
  })

  it('values cost no statement of their own once the facets of the release are read', async () => {
    await publishStore(server, shop())
    await values()
    expect((await countStatements(database, () => values('', { 'accept-language': 'fr' }))).count).toBe(0)
  })

  it('an upgrade writes the sort orders for the releases that are there, as a publish does', async () => {
    await publishStore(server, shop())
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [idOf(0x200)])
    await publish(server, catalog)
    const published = await sortOrders()
    expect(new Set(published.map(({ release_id }) => release_id)).size).toBe(2)
    await database.pool.query(`DELETE FROM release_facet WHERE field = 'sort_orders'`)
    const migration = 'prisma/migrations/20261128171500_sort_orders_of_options/migration.sql'
    await database.pool.query(readFileSync(migration, 'utf8'))
    expect(await sortOrders()).toEqual(published)
  })
})
