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
let high: string
let middle: string
let low: string
let other: string

beforeEach(async () => {
  await reset(database)
  const books = ['High', 'Middle', 'Low', 'Of no catalog']
  ;[high, middle, low, other] = (await Promise.all(
    books.map((name) => created('createPriceBook', 'priceBook', { name })),
  )) as [string, string, string, string]
  const hierarchy = await created('createHierarchy', 'hierarchy', { name: 'Shop' })
  node = await created('createNode', 'node', { name: 'All', parentId: hierarchy })
  const priceBooks = [high, middle, low].map((id, index) => ({ id, priority: 3 - index }))
  catalog = await created('createCatalog', 'catalog', { name: 'Shop', hierarchyIds: [hierarchy], priceBooks })
})

async function sell(sku: string | null, input: object = {}): Promise<string> {
  server.now += 1
  const product = await created('createProduct', 'product', { name: 'Thing', sku, status: 'LIVE', ...input })
  await mutate(server, 'attachProducts', { nodeId: node, productIds: [product] }, 'node { id }')
  return product
}

/** Prices a SKU in a book; null is a currency without an amount. */
const price = (priceBookId: string, sku: string, amounts: Record<string, number | null>) =>
  mutate(
    server,
    'addProductPrice',
    {
      priceBookId,
      sku,
      prices: Object.entries(amounts).map(([currency, amount]) => ({ currency, price: { amount } })),
    },
    'productPrice { id }',
  )

const WARNINGS = 'warningCount warnings { code count productId currency sku tier sale skus skuCount priceBookId }'

async function warnings(dryRun = false): Promise<{ warningCount: number; warnings: object[] }> {
  const { release } = await mutate(server, 'publishRelease', { catalogId: catalog, dryRun }, `release { ${WARNINGS} }`)
  return { warningCount: release.warningCount, warnings: release.warnings }
}

const none = { tier: null, sale: null, skus: [], skuCount: null }
const hidden = (priceBookId: string, currency: string, productId: string, sku: string, count = 1) => ({
  ...{ code: 'CURRENCY_HIDDEN_BY_BOOK', count, productId, currency, sku, priceBookId },
  ...none,
})

describe('price-book.hidden-currency-warned: a publish warns of currencies that a higher book hides', () => {
  it('a book that has the SKU without the currency is warned of once for each currency, with the count of products, as a draft does', async () => {
    const first = await sell('A')
    const second = await sell('B')
    await sell('C')
    for (const sku of ['A', 'B', 'C']) await price(low, sku, { EUR: 1, GBP: 2, USD: 3 })
    await price(high, 'A', { USD: 3 })
    await price(high, 'B', { USD: 3, GBP: 2 })
    await price(middle, 'C', { EUR: 1, GBP: 2, USD: 3 })
    const expected = {
      warningCount: 2,
      // The product that was updated last is listed first.
      warnings: [hidden(high, 'EUR', second, 'B', 2), hidden(high, 'GBP', first, 'A')],
    }
    expect(await warnings(true)).toEqual(expected)
    expect(await warnings()).toEqual(expected)
  })

  it('the highest book that has the SKU hides the currency, whichever lower book has it, and a currency without an amount is lacking', async () => {
    const product = await sell('A')
    await price(high, 'A', { EUR: null, USD: null })
    await price(middle, 'A', { EUR: null, USD: 3 })
    await price(low, 'A', { EUR: null, USD: 4 })
    expect((await warnings()).warnings).toEqual([hidden(high, 'USD', product, 'A')])
  })

  it('books come by their priority, and a book between the highest and the lowest hides what is below it', async () => {
    const first = await sell('A')
    const second = await sell('B')
    await price(low, 'A', { EUR: 1 })
    await price(middle, 'A', {})
    await price(low, 'B', { USD: 1 })
    await price(high, 'B', { EUR: 1 })
    expect((await warnings()).warnings).toEqual([hidden(high, 'USD', second, 'B'), hidden(middle, 'EUR', first, 'A')])
  })

  it('children that inherit a price count with their parent, and one with a price of its own does not', async () => {
    const options = [{ name: 'S' }, { name: 'M' }]
    const parent = await sell('P', { variations: [{ name: 'Size', options }] })
    const { built } = await mutate(server, 'buildChildProducts', { id: parent }, 'built { children { sku } }')
    const [own] = (built.children as { sku: string }[]).map(({ sku }) => sku)
    await price(low, 'P', { EUR: 1 })
    await price(high, 'P', { USD: 1 })
    const { warnings: both } = await warnings()
    expect(both).toMatchObject([{ priceBookId: high, currency: 'EUR', sku: 'P', count: 3 }])
    await price(low, own as string, { USD: 1 })
    expect((await warnings()).warnings).toMatchObject([{ priceBookId: high, currency: 'EUR', sku: 'P', count: 2 }])
  })

  it('nothing is hidden by a lower book, from a book of another catalog, or of a product that is not in the release', async () => {
    await sell('A')
    await price(high, 'A', { EUR: 1 })
    await price(low, 'A', {})
    await price(other, 'A', { USD: 1 })
    await sell('B', { status: 'DRAFT' })
    await price(high, 'B', {})
    await price(low, 'B', { USD: 1 })
    expect(await warnings()).toEqual({ warningCount: 0, warnings: [] })
  })
})
