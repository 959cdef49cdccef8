/** Work of operations while they run: real lengths of lists, abort at the limit, each price computed once. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { COST_HEADER } from '../../../src/graphql/server/server.ts'
import { TimeSlices } from '../../../src/lib/time-slices.ts'
import { PRICE_POINTS } from '../../../src/operations/catalog/price.ts'
import { RequestWork, WORK_MAX } from '../../../src/request/request-work.ts'
import {
  bookId,
  bundlesNodeId,
  type CostlySize,
  costlyCatalogId,
  costlyLines,
  everywhereProductId,
  treeId,
} from '../../soak/costly-store.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runImport } from '../../support/import.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 } })
const size: CostlySize = { products: 400, bundles: 60, branches: 2, leaves: 2 }
/** Each bundle has 200 options; a record with a sale is a price and a quarter. */
const SUM = (1 + 200 * 1.25) * PRICE_POINTS

beforeAll(async () => {
  await reset(database)
  const { fine, refused } = await runImport(server.services, [...costlyLines(size)].join(''))
  expect([fine, refused]).toEqual([true, []])
})

const inRelease = (body: string): string =>
  `{ catalog(id: "${costlyCatalogId}") { release(id: "latest") { ${body} } } }`
const bundles = (fields: string): string =>
  inRelease(`nodes(ids: ["${bundlesNodeId}"]) { products(first: 3) { nodes { name ${fields} } } }`)
const everywhere = (fields: string): string => inRelease(`product(by: { id: "${everywhereProductId}" }) { ${fields} }`)

async function spent(query: string): Promise<number> {
  const { errors, extensions } = await server.gql(query, {}, { headers: { [COST_HEADER]: '1' } })
  expect(errors).toBeUndefined()
  return extensions.cost.spent
}

describe('a price is computed once per request', () => {
  const price = (alias: string, args = 'currency: "USD"') => `${alias}: price(${args}) { amount { amount } }`

  test('equal price fields under other aliases cost only their objects, and have the same results', async () => {
    const plain = await spent(bundles(''))
    const one = await spent(bundles(price('a')))
    const many = await spent(bundles(Array.from({ length: 50 }, (_, index) => price(`a${index}`)).join(' ')))
    // Three points for each price and its money, and for one of them the sum over the options of each of three bundles.
    expect(one - plain).toBeCloseTo(3 * (3 + SUM), -0.5)
    expect(many - one).toBe(49 * 3 * 3)
    const { data } = await server.gql(
      bundles(`${price('a')} ${price('b')} ${price('c', 'currency: "USD", quantity: 1')}`),
    )
    for (const { a, b, c } of data.catalog.release.nodes[0].products.nodes) expect([b, c]).toEqual([a, a])
    expect(data.catalog.release.nodes[0].products.nodes[0].a.amount.amount).toBe(200 * 9_500)
  })

  test('a price of another quantity, currency or instant is computed anew', async () => {
    const one = await spent(bundles(price('a')))
    for (const args of [
      'currency: "USD", quantity: 2',
      'currency: "EUR"',
      'currency: "USD", at: "2026-06-01T00:00:00Z"',
    ]) {
      expect((await spent(bundles(`${price('a')} ${price('b', args)}`))) - one).toBeGreaterThan(3 * SUM - 1)
    }
  })

  test('the price of a bundle costs one sum for one currency, and one each for all currencies', async () => {
    const plain = await spent(bundles(''))
    const displayed = await spent(bundles('price(currency: "EUR") { amount { amount } }'))
    const all = await spent(bundles('prices { amount { amount } }'))
    expect(displayed - plain).toBeLessThan(3 * (SUM + 4))
    expect(all - plain).toBeGreaterThan(3 * 3 * SUM - 1)
  })
})

test('a REST page that takes too much work is refused, and the error suggests a smaller page', async () => {
  const path = (limit: number) =>
    `/pcm/catalogs/${costlyCatalogId}/releases/latest/hierarchies/${treeId}/products?filter=eq(product_types,bundle)&page[limit]=${limit}`
  const { status, body } = await server.rest('GET', path(60))
  expect([status, body.errors]).toEqual([
    400,
    [
      {
        title: 'Bad Request',
        status: '400',
        code: 'BAD_REQUEST',
        detail: expect.stringMatching(
          /^The work that the request turned out to take is \d+, at most 100000 is allowed: ask for a smaller page\[limit\]$/,
        ),
      },
    ],
  ])
  expect((await server.rest('GET', path(30))).status).toBe(200)
})

test('a heavy REST page lets other requests run after each of its products, a light one does not', async () => {
  const page = (type: string) =>
    `/pcm/catalogs/${costlyCatalogId}/releases/latest/hierarchies/${treeId}/products?filter=eq(product_types,${type})&page[limit]=20`
  const turn = vi.spyOn(TimeSlices.prototype, 'turn').mockReturnValue(undefined)
  const yields = async (type: string): Promise<number> => {
    // The first request works out the list, with yields of its own.
    await server.rest('GET', page(type))
    turn.mockClear()
    expect((await server.rest('GET', page(type))).body.data).toHaveLength(20)
    return turn.mock.calls.length
  }
  try {
    // One yield follows the reading of the documents.
    expect([await yields('bundle'), await yields('standard')]).toEqual([20 + 1, 1])
  } finally {
    turn.mockRestore()
  }
})

test.each([
  ['price', 'price(currency: "USD") { includesTax }', 1],
  ['prices', 'prices { includesTax }', 2],
  ['priceTimeline', 'priceTimeline(from: "2026-01-01T00:00:00Z", currency: "USD") { from }', 2],
  ['options', 'bundleConfiguration { componentProducts { price(currency: "USD") { includesTax } } }', 1 + 200],
])(
  'a heavy query lets other requests run before each price and after each list of a product: its %s',
  async (_, fields, turns) => {
    const turn = vi.spyOn(TimeSlices.prototype, 'turn').mockReturnValue(undefined)
    const heavy = vi.spyOn(RequestWork.prototype, 'isHeavy', 'get').mockReturnValue(true)
    const turnsOf = async (selected: string): Promise<number> => {
      turn.mockClear()
      await spent(bundles(selected))
      return turn.mock.calls.length
    }
    try {
      // The first request works out the list, with yields of its own.
      await turnsOf('')
      expect((await turnsOf(fields)) - (await turnsOf(''))).toBe(3 * turns)
    } finally {
      turn.mockRestore()
      heavy.mockRestore()
    }
  },
)

describe('lists without paging are counted by their real length', () => {
  test('a product in hundreds of nodes costs each of its breadcrumbs', async () => {
    const plain = await spent(everywhere('name'))
    const crumbs = await spent(everywhere('breadCrumbs { node { name } }'))
    expect(crumbs - plain).toBe(500 * 2)
  })

  test('an operation that exceeds the limit while it runs is aborted, with one error and no data', async () => {
    const query = everywhere(
      'breadCrumbs { node { products(first: 10) { nodes { name breadCrumbs { node { name } } } } } }',
    )
    const { status, data, errors } = await server.gql(query)
    expect([status, data]).toEqual([200, undefined])
    expect(errors).toHaveLength(1)
    expect(errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', limit: WORK_MAX })
    expect(errors[0].extensions.figure).toBeGreaterThan(WORK_MAX)
    expect(errors[0].message).toMatch(
      /^The work that the request turned out to take is \d+, at most 100000 is allowed$/,
    )
    expect(server.logs.filter(({ level }) => (level as number) >= 50)).toEqual([])
  })

  test('a response that is too long is not sent', async () => {
    const { data, errors } = await server.gql(
      everywhere(
        `breadCrumbs { node { ${Array.from({ length: 60 }, (_, index) => `a${index}: id`).join(' ')} products(first: 5) { nodes { ${Array.from({ length: 120 }, (_, index) => `b${index}: description`).join(' ')} } } } }`,
      ),
    )
    expect(data).toBeUndefined()
    expect(errors).toHaveLength(1)
    expect(errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', limit: 8 * 1024 * 1024 })
  })
})

test('a mutation whose selection exceeds the limit reports what it did, and later mutations run', async () => {
  const codes = Array.from(
    { length: 100 },
    (_, index) => `A${String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26))}`,
  )
  const tiers = Array.from({ length: 100 }, (_, index) => ({
    name: `tier ${index}`,
    minimumQuantity: index + 2,
    amount: 900 - index,
  }))
  const prices = codes.map((currency) => ({ currency, price: { amount: 1_000, tiers } }))
  const query = `mutation ($prices: [CurrencyTieredPriceInput!]!) {
    one: addProductPrice(input: { priceBookId: "${bookId}", sku: "PAST", prices: $prices }) {
      productPrice { sku ${Array.from({ length: 80 }, (_, index) => `a${index}: prices { tiers { amount { amount } } }`).join(' ')} }
    }
    two: createPriceBook(input: { name: "After it" }) { priceBook { name } }
  }`
  const { data, errors } = await server.gql(query, { prices })
  expect(errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', limit: WORK_MAX })
  expect(errors[0].path[0]).toBe('one')
  expect(data.two).toEqual({ priceBook: { name: 'After it' } })
  expect(await database.prisma.productPrice.count({ where: { sku: 'PAST' } })).toBe(1)
})
