/** Variants of published parents, their price range, and the subscription products of a SKU. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SKU_SUBSCRIPTION_PRODUCTS_MAX } from '../../../src/domain/input/limits.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { publishStore } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'
import { makeProduct, idOf as subscriptionId } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 }, elapsed: manualClock() })

beforeAll(async () => {
  await publishStore(server, fullStore())
})
beforeEach(() => {
  server.now = START
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

async function ask(fields: string): Promise<Any> {
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
  return server.gql(
    `query ($catalog: ID!) { catalog(id: $catalog) { latestRelease { ${fields} } } }`,
    { catalog: ids.catalog },
    { token },
  )
}
async function read(fields: string): Promise<Any> {
  const { data, errors } = await ask(fields)
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease
}
const product = (id: string, fields: string) => `product(by: { id: "${id}" }) { ${fields} }`

describe('variation.exact-combination: variant(optionKeys:)', () => {
  const variant = async (...keys: string[]) =>
    (await read(product(ids.shirt, `variant(optionKeys: ${JSON.stringify(keys)}) { key }`))).product.variant

  test('variant(optionKeys:) finds the child of exactly these options, in any order and case', async () => {
    expect(await variant(ids.small, ids.red)).toEqual({ key: ids.redSmall })
    expect(await variant(ids.red, ids.small.toUpperCase())).toEqual({ key: ids.redSmall })
    expect(await variant(ids.large, ids.red)).toEqual({ key: ids.redLarge })
    expect(await variant(ids.blue, ids.small)).toEqual({ key: ids.blueSmall })
    const back = `variant(optionKeys: ["${ids.small}", "${ids.red}"]) { parent { key } }`
    expect((await read(product(ids.shirt, back))).product.variant).toEqual({ parent: { key: ids.shirt } })
  })

  test('variant(optionKeys:) is null for a part of a combination, for one that is not built, and for a child that is not live', async () => {
    expect(await variant(ids.small)).toBeNull()
    expect(await variant()).toBeNull()
    expect(await variant(ids.small, ids.large, ids.red)).toBeNull()
    expect(await variant(ids.never, ids.small)).toBeNull()
    expect(await variant(ids.large, ids.blue)).toBeNull()
  })

  test.each([
    ['an option of no variation', [ids.small, ids.unknown], 'INVALID_VALUE', ['optionKeys', '1']],
    ['what is no key', ['x'], 'INVALID_VALUE', ['optionKeys', '0']],
    ['too many', Array(101).fill(ids.small), 'TOO_MANY', ['optionKeys']],
  ])('variant(optionKeys:) refuses %s by name', async (_, keys, code, path) => {
    const { errors } = await ask(product(ids.shirt, `variant(optionKeys: ${JSON.stringify(keys)}) { key }`))
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ code, path }] })
    const { errors: ofMachine } = await ask(product(ids.machine, `variant(optionKeys: ["${ids.small}"]) { key }`))
    expect(ofMachine[0].extensions.violations).toMatchObject([{ code: 'INVALID_VALUE', path: ['optionKeys', '0'] }])
  })
})

test('variation.highest-sort-order-first: selectedOptions names variation and option of a child in the order of the variations', async () => {
  const fields = 'selectedOptions { variation { name } option { key name } } status'
  const found = await read(`${product(ids.redLarge, fields)} parent: ${product(ids.shirt, fields)}`)
  expect(found.product).toEqual({
    selectedOptions: [
      { variation: { name: 'Colour' }, option: { key: ids.red, name: 'Red' } },
      { variation: { name: 'Size' }, option: { key: ids.large, name: 'Large' } },
    ],
    status: 'LIVE',
  })
  expect(found.parent).toEqual({ selectedOptions: [], status: 'LIVE' })
})

describe('price.range-over-live-children: priceRange', () => {
  const amounts = 'priceRange(currency: $currency) { min { amount currency } max { amount } }'
  const range = async (id: string, currency: string) =>
    (await read(product(id, amounts.replace('$currency', `"${currency}"`)))).product.priceRange

  test.each(['USD', 'EUR', 'JPY', 'XXX'])(
    'priceRange of a parent in %s is the range of its own price and those of its live children',
    async (currency) => {
      const price = `price(currency: "${currency}") { amount { amount } }`
      const { product: shirt } = await read(product(ids.shirt, `${price} children { nodes { key ${price} } }`))
      expect(shirt.children.nodes).toHaveLength(3)
      const all = [shirt, ...shirt.children.nodes].flatMap((one: Any) => one.price?.amount.amount ?? [])
      expect(await range(ids.shirt, currency)).toEqual(
        all.length === 0 ? null : { min: { amount: Math.min(...all), currency }, max: { amount: Math.max(...all) } },
      )
      if (currency === 'USD') expect(new Set(all).size).toBeGreaterThan(1)
    },
  )

  test('priceRange of any other product is its own price', async () => {
    const { product: beans } = await read(product(ids.beans, 'price(currency: "USD") { amount { amount } }'))
    const { amount } = beans.price.amount
    expect(await range(ids.beans, 'USD')).toEqual({ min: { amount, currency: 'USD' }, max: { amount } })
    expect(await range(ids.manual, 'USD')).toBeNull()
  })

  test('priceRange refuses a malformed currency by name', async () => {
    const { errors } = await ask(product(ids.shirt, 'priceRange(currency: "usd") { min { amount } }'))
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  test('the price ranges of all parents of a page take one statement', async () => {
    const page = 'products(first: 100) { nodes { priceRange { min { amount } } } }'
    await read(page)
    expect((await countStatements(database, () => read(page))).count).toBe(1)
  })
})

test('subscriptionProducts of a product are those with its SKU, oldest first, in one statement for a page', async () => {
  const at = { services: server.services, now: START }
  const [first, second, other] = [3, 1, 2].map((number) => subscriptionId('product', number)) as [
    string,
    string,
    string,
  ]
  await makeProduct(at, first, { sku: 'BEANS' })
  await makeProduct({ ...at, now: START + 1 }, second, { sku: 'BEANS' })
  await makeProduct(at, other, { sku: 'beans' })
  const page = 'products(first: 100) { nodes { sku subscriptionProducts { id } } }'
  await read(page)
  const { result, count } = await countStatements(database, () => read(page))
  expect(count).toBe(1)
  const bySku = new Map(result.products.nodes.map((one: Any) => [one.sku, one.subscriptionProducts]))
  expect(bySku.get('BEANS')).toEqual([first, second].map((id) => ({ id: globalId('SubscriptionProduct', id) })))
  expect(bySku.get('MACHINE')).toEqual([])
  expect(bySku.get(null)).toEqual([])
})

test('subscriptionProducts of one SKU are at most SKU_SUBSCRIPTION_PRODUCTS_MAX, the oldest; the root field lists all of them', async () => {
  const at = { services: server.services, now: START }
  const idOf = (index: number) => subscriptionId('product', 1_000 + index)
  const shown = async () =>
    (await read('product(by: { sku: "GIFT" }) { subscriptionProducts { id } }')).product.subscriptionProducts
  const oldest = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: globalId('SubscriptionProduct', idOf(index)) }))
  for (let index = SKU_SUBSCRIPTION_PRODUCTS_MAX - 1; index >= 0; index--) {
    await makeProduct({ ...at, now: START + index }, idOf(index), { sku: 'GIFT' })
  }
  expect(await shown()).toEqual(oldest(SKU_SUBSCRIPTION_PRODUCTS_MAX))
  await makeProduct({ ...at, now: START + SKU_SUBSCRIPTION_PRODUCTS_MAX }, idOf(SKU_SUBSCRIPTION_PRODUCTS_MAX), {
    sku: 'GIFT',
  })
  expect(await shown()).toEqual(oldest(SKU_SUBSCRIPTION_PRODUCTS_MAX))
  const { data } = await server.gql(
    '{ subscriptionProducts(last: 1, filter: { sku: { eq: "GIFT" } }) { totalCount nodes { id } } }',
  )
  const last = oldest(SKU_SUBSCRIPTION_PRODUCTS_MAX + 1).slice(-1)
  expect(data.subscriptionProducts).toEqual({ totalCount: SKU_SUBSCRIPTION_PRODUCTS_MAX + 1, nodes: last })
})
