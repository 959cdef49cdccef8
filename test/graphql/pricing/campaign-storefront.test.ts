import { beforeAll, expect, it } from 'vitest'
import { createCatalog } from '../../../src/operations/catalog/catalog.ts'
import { attachProducts } from '../../../src/operations/catalog/node-product.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode } from '../../support/hierarchies.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { makeProduct } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const [from, to] = [START + 3_600_000, START + 7_200_000]
const iso = (instant: number): string => new Date(instant).toISOString()
let catalog = ''
let book = ''

beforeAll(async () => {
  await reset(database)
  server.now = START
  const ctx = contextOf(server.services, START)
  book = (await makeBook(ctx, 'Book')).id
  const hierarchy = await makeHierarchy(ctx, 'Shop')
  const { id: nodeId } = await makeNode(ctx, hierarchy, 'All')
  for (const n of [1, 2, 3, 4]) {
    const { id } = await makeProduct(ctx, {
      name: `Product ${n}`,
      sku: `S${n}`,
      status: 'live',
      tags: n < 4 ? ['sale'] : [],
    })
    await attachProducts(ctx, { id: nodeId, data: [id] })
    const tiers = n === 3 ? { many: { minimum_quantity: 5, amount: 1_500 } } : {}
    await makePrice(ctx, book, `S${n}`, { currencies: { USD: { amount: n * 555, tiers }, JPY: { amount: n * 333 } } })
  }
  const attributes = { name: 'Catalog', hierarchy_ids: [hierarchy.id], pricebook_ids: [{ id: book, priority: 1 }] }
  catalog = (await createCatalog(ctx, { data: { type: 'catalog', attributes } })).id
})

/** The amounts of one unit by SKU and currency. */
const pricesAt = async (instant: number): Promise<string[]> => {
  server.now = instant
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, instant)
  const text = `query ($id: ID!) { catalog(id: $id) { latestRelease { products(orderBy: { field: NAME }) { nodes { sku prices { amount { amount currency } } } } } } }`
  const { data } = await server.gql(text, { id: catalog }, { token })
  const { nodes } = data.catalog.latestRelease.products
  return nodes.flatMap(({ sku, prices }: { sku: string; prices: { amount: { amount: number; currency: string } }[] }) =>
    prices.map(({ amount }) => `${sku} ${amount.currency} ${amount.amount}`),
  )
}

it('campaign.dry-run-equals-run: shoppers pay what the dry run showed, from the first to the last millisecond of the schedule', async () => {
  const input = {
    ...{
      priceBookId: book,
      filter: { tags: ['sale'] },
      name: 'Hour',
      schedule: { validFrom: iso(from), validTo: iso(to) },
    },
    ...{ change: { percentOff: 33.3 }, rounding: [{ currency: 'USD', to: { ending: '9' } }] },
  }
  const shown = 'campaign { rows { sku prices { currency before { amount { amount } } after { amount { amount } } } } }'
  const { campaign } = await mutate(server, 'addSales', { ...input, dryRun: true }, shown)
  type Row = { sku: string; prices: { currency: string; before: Amount; after: Amount }[] }
  type Amount = { amount: { amount: number } }
  const side = (name: 'before' | 'after') =>
    campaign.rows.flatMap(({ sku, prices }: Row) =>
      prices.map((price) => `${sku} ${price.currency} ${price[name].amount.amount}`),
    )
  expect(side('after')).toEqual(['S1 JPY 222', 'S1 USD 369', 'S2 JPY 444', 'S2 USD 739', 'S3 JPY 666', 'S3 USD 1109'])
  const others = ['S4 JPY 1332', 'S4 USD 2220']
  await publish(server, catalog)
  expect(await pricesAt(from)).toEqual([...side('before'), ...others])
  expect(await mutate(server, 'addSales', input, shown)).toEqual({ campaign, userErrors: [] })
  server.now = START + 1_000
  await publish(server, catalog)
  for (const [instant, name] of [
    [from - 1, 'before'],
    [from, 'after'],
    [to - 1, 'after'],
    [to, 'before'],
  ] as const)
    expect([instant, await pricesAt(instant)]).toEqual([instant, [...side(name), ...others]])
})
