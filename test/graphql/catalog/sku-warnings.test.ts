import { beforeEach, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const created = async (name: string, field: string, input: object): Promise<string> =>
  (await mutate(server, name, input, `${field} { id }`))[field].id

let catalog: string
let node: string
let books: readonly string[]

beforeEach(async () => {
  await reset(database)
  books = [await book('First'), await book('Second'), await book('Of no catalog')]
  const hierarchy = await created('createHierarchy', 'hierarchy', { name: 'Shop' })
  node = await created('createNode', 'node', { name: 'All', parentId: hierarchy })
  const priceBooks = books.slice(0, 2).map((id, index) => ({ id, priority: 2 - index }))
  catalog = await created('createCatalog', 'catalog', { name: 'Shop', hierarchyIds: [hierarchy], priceBooks })
})

const book = (name: string) => created('createPriceBook', 'priceBook', { name })

async function sell(skus: readonly string[], status = 'LIVE'): Promise<void> {
  const productIds: string[] = []
  for (const sku of skus) productIds.push(await created('createProduct', 'product', { name: 'Thing', sku, status }))
  await mutate(server, 'attachProducts', { nodeId: node, productIds }, 'node { id }')
}

const price = (priceBookId: string, skus: readonly string[]) =>
  mutate(
    server,
    'upsertProductPrices',
    { priceBookId, rows: skus.map((sku) => ({ sku, prices: [] })) },
    'results { outcome }',
  )

const WARNINGS = 'warningCount warnings { code productId currency sku tier sale skus skuCount priceBookId }'
const none = { productId: null, currency: null, sku: null, tier: null, sale: null }
const found = (skus: string[], priceBookId: string | null = null, skuCount = skus.length) => ({
  ...{ code: 'SKUS_LOOK_ALIKE', ...none, skus, skuCount },
  priceBookId,
})

async function warnings(dryRun = false): Promise<{ warningCount: number; warnings: object[] }> {
  const { release } = await mutate(server, 'publishRelease', { catalogId: catalog, dryRun }, `release { ${WARNINGS} }`)
  return { warningCount: release.warningCount, warnings: release.warnings }
}

describe('product.skus-look-alike: a publish warns of SKUs that look alike', () => {
  it('a publish warns of SKUs of its products that look alike, once for all that look the same, as a draft does', async () => {
    await sell(['ab-1', 'AB-1', 'ＡＢ-1', 'AB -1', 'Café', 'Cafe\u0301', 'OTHER', 'AB1'])
    const expected = {
      warningCount: 2,
      warnings: [found(['AB -1', 'AB-1', 'ab-1', 'ＡＢ-1']), found(['Cafe\u0301', 'Café'])],
    }
    expect(await warnings(true)).toEqual(expected)
    expect(await warnings()).toEqual(expected)
    const stored = await database.query<{ n: number }>(
      'test-skus',
      'SELECT count(DISTINCT sku)::int4 AS n FROM product',
    )
    expect(stored).toEqual([{ n: 8 }])
  })

  it('a publish does not warn of SKUs of products that the release does not have, nor across a catalog and its books', async () => {
    await sell(['ab-1'])
    await sell(['AB-1'], 'DRAFT')
    await created('createProduct', 'product', { name: 'Thing', sku: 'Ab-1', status: 'LIVE' })
    await price(books[0] as string, ['aB-1'])
    await price(books[1] as string, ['AB -1'])
    expect(await warnings()).toEqual({ warningCount: 0, warnings: [] })
  })

  it('a publish warns of SKUs that look alike within each price book of the catalog, whether it has products of them or not', async () => {
    await sell(['S'])
    const [first = '', second = '', other = ''] = books
    await price(second, ['X', 'x', 'ΟΔΟΣ', 'οδος'])
    await price(first, ['s', 'S'])
    await price(other, ['y', 'Y'])
    expect(await warnings()).toEqual({
      warningCount: 3,
      warnings: [found(['S', 's'], first), found(['X', 'x'], second), found(['ΟΔΟΣ', 'οδος'], second)],
    })
  })

  it('a publish warns of SKUs that look alike names ten of them and counts all', async () => {
    const skus = Array.from({ length: 12 }, (_, index) => `A${'\u200b'.repeat(index)}B`)
    await price(books[0] as string, skus)
    expect(await warnings()).toEqual({ warningCount: 1, warnings: [found(skus.slice(0, 10).sort(), books[0], 12)] })
  })
})
