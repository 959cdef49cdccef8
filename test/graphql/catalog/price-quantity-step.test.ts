import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids, winter } from '../../support/full-store.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeAll(() => publishStore(server, fullStore()))
beforeEach(() => {
  server.now = START
})

const stepFields = 'steps { quantity amount { amount } includesTax sale { name } tier }'

/** The price of the product to a shopper. */
async function priceOf(id: string, selection: string, args = 'currency: "USD"') {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { product(by: { id: "${id}" }) { price(${args}) { ${selection} } } } } }`
  const { data, errors } = await server.gql(query, {}, { token })
  expect(errors).toBeUndefined()
  return data.catalog.release.product.price
}

interface Step {
  readonly quantity: number
  readonly amount: { readonly amount: number }
  readonly sale: { readonly name: string } | null
  readonly tier: string | null
}

const inWords = (steps: readonly Step[]) =>
  steps.map(({ quantity, amount, sale, tier }) => `${quantity}: ${amount.amount} ${sale?.name ?? ''} ${tier ?? ''}`)

describe('CatalogPrice.steps', () => {
  it('price.steps-by-quantity: CatalogPrice.steps has each quantity from which amount, sale or tier is another', async () => {
    const { steps, quantity } = await priceOf(ids.machine, `quantity ${stepFields}`, 'currency: "USD", quantity: 7')
    expect([quantity, ...inWords(steps)]).toEqual([7, '1: 40000 winter ', '2: 39000 winter pair'])
    expect(steps[0].includesTax).toBe(false)
  })

  it('price.steps-by-quantity: CatalogPrice.steps changes with the sale, also in a response that is cached', async () => {
    server.now = winter.to - 1
    for (let request = 0; request < 3; request++)
      expect(inWords((await priceOf(ids.machine, stepFields)).steps)).toEqual([
        '1: 40000 winter ',
        '2: 39000 winter pair',
      ])
    server.now = winter.to
    expect(inWords((await priceOf(ids.machine, stepFields)).steps)).toEqual(['1: 50000  ', '12: 45000  dozen'])
  })

  it('tier.listing-shows-those-that-supply: CatalogPrice.tiers leaves out a list tier that is dearer than the sale', async () => {
    const selection = 'tiers { name minimumQuantity price { amount } }'
    const shown = async () =>
      (await priceOf(ids.machine, selection)).tiers.map((tier: { name: string; price: { amount: number } }) => [
        tier.name,
        tier.price.amount,
      ])
    expect(await shown()).toEqual([['pair', 39000]])
    server.now = winter.to
    expect(await shown()).toEqual([['dozen', 45000]])
  })

  it('price.steps-by-quantity: CatalogPrice.steps of a summed bundle begin where its options reach their tiers', async () => {
    const { steps } = await priceOf(ids.starter, stepFields)
    expect(steps[0]).toMatchObject({ quantity: 1, sale: null, tier: null })
    for (const { quantity, amount } of steps as readonly Step[])
      expect(await priceOf(ids.starter, 'amount { amount }', `currency: "USD", quantity: ${quantity}`)).toEqual({
        amount,
      })
  })
})

describe('ProductPrice.warnings', () => {
  it('price-book.doubtful-prices-warned: the payload of updateProductPrice warns of a dearer tier and a dearer sale', async () => {
    const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
    const book = `{ priceBook(id: "${globalId('PriceBook', ids.premium)}") { prices(first: 1) { nodes { id } } } }`
    const { data: found } = await server.gql(book, {}, { token })
    const { data, errors } = await server.gql(
      `mutation ($id: ID!) { updateProductPrice(input: { id: $id
        prices: [{ currency: "USD", price: { amount: 1000, tiers: [{ name: "two", minimumQuantity: 2, amount: 1100 }] } }]
        sales: [{ name: "s", prices: [{ currency: "USD", price: { amount: 1200 } }] }] }) {
          productPrice { warnings { code currency sale tier } } userErrors { message } } }`,
      { id: found.priceBook.prices.nodes[0].id },
      { token },
    )
    expect(errors).toBeUndefined()
    expect(data.updateProductPrice).toEqual({
      productPrice: {
        warnings: [
          { code: 'TIER_DEARER', currency: 'USD', sale: null, tier: 'two' },
          { code: 'SALE_DEARER', currency: 'USD', sale: 's', tier: null },
        ],
      },
      userErrors: [],
    })
  })
})
