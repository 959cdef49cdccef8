import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf, makeProduct, variationsOf } from '../../support/products.ts'
import { useServer } from '../../support/server.ts'

const server = useServer(useDatabase())

type Params = { name: string; value: string }[]

/** Refusals of a mutation as `CODE`, then its params as `name value`. */
async function refusals(name: string, input: object): Promise<string[][]> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code params { name value } } } }`
  const { data, errors } = await server.gql(query, { input })
  expect(errors).toBeUndefined()
  return data[name].userErrors.map(({ code, params }: { code: string; params: Params }) => [
    code,
    ...params.map((one) => `${one.name} ${one.value}`),
  ])
}

const option = (n: number, more: object = {}) => ({ id: idOf(n), ...more })

describe('graph.errors-carry-limits: UserError.params', () => {
  test('UserError.params has both limits of a text, and none for what is only missing', async () => {
    const query = `mutation ($input: CreatePriceBookInput!) { createPriceBook(input: $input) { userErrors { path message params { name value } } } }`
    const long = 'x'.repeat(1025)
    const { data } = await server.gql(query, { input: { name: '', description: long } })
    expect(data.createPriceBook.userErrors).toEqual([
      {
        path: ['name'],
        message: 'must be 1 to 1024 characters',
        params: [
          { name: 'min', value: '1' },
          { name: 'max', value: '1024' },
        ],
      },
      { path: ['description'], message: expect.stringContaining('1024'), params: [{ name: 'max', value: '1024' }] },
    ])
    const lost = '0190a000-0000-7000-8000-00000000000c'
    const deletion = `mutation { deletePriceBook(input: { id: "${lost}" }) { userErrors { code path params { name } } } }`
    expect((await server.gql(deletion)).data.deletePriceBook.userErrors).toEqual([
      { code: 'NOT_FOUND', path: ['id'], params: [] },
    ])
  })

  test('UserError.params has the bounds of components, and the index of the option that is given twice', async () => {
    const component = (options: object[], bounds: object = {}) => [{ key: 'one', name: 'One', options, ...bounds }]
    const marked = { default: true }
    const inputs = [
      component([option(1)], { min: 2 }),
      component([option(1), option(2)], { min: 2, max: 1 }),
      component([option(1)], { max: -1 }),
      component([option(1, marked), option(2)], { min: 2 }),
      component([option(1, marked), option(2, marked)], { max: 1 }),
      component([option(1), option(2, { quantity: 0 }), option(1)]),
    ]
    const found = await Promise.all(inputs.map((components) => refusals('createProduct', { name: 'Set', components })))
    expect(found).toEqual([
      [['INVALID_STRUCTURE', 'max 1']],
      [['INVALID_STRUCTURE', 'min 2']],
      [['OUT_OF_RANGE', 'min 0']],
      [['INVALID_STRUCTURE', 'min 2']],
      [['INVALID_STRUCTURE', 'max 1']],
      [
        ['OUT_OF_RANGE', 'min 1'],
        ['DUPLICATE', 'key 0'],
      ],
    ])
  })

  test('UserError.params has the variations of which a child or a build rule has no option, or two', async () => {
    const ctx = contextOf(server.services, server.now)
    const parent = await makeProduct(ctx, { variations: variationsOf({ Size: [1, 2], Colour: [3] }) })
    const child = { name: 'Small', parentId: parent.id, optionKeys: [idOf(1), idOf(2)] }
    expect(await refusals('createProduct', child)).toEqual([
      ['INVALID_STRUCTURE', 'key Size'],
      ['INVALID_STRUCTURE', 'key Colour'],
    ])
    const rules = { include: [[], [idOf(2), idOf(1)]] }
    expect(await refusals('updateProduct', { id: parent.id, buildRules: rules })).toEqual([
      ['INVALID_STRUCTURE', 'min 1'],
      ['INVALID_STRUCTURE', 'key Size'],
    ])
  })

  test('UserError.params has the number of combinations that are too many to count, or to build', async () => {
    const ctx = contextOf(server.services, server.now)
    const built = async (...counts: [number, number, number]) => {
      const [sizes, colours, cuts] = counts.map((count, list) =>
        Array.from({ length: count }, (_, index) => 100 * list + index + 1),
      )
      const { id } = await makeProduct(ctx, {
        variations: variationsOf({ Size: sizes ?? [], Colour: colours ?? [], Cut: cuts ?? [] }),
      })
      return refusals('buildChildProducts', { id })
    }
    expect(await built(11, 11, 10)).toEqual([['TOO_MANY', 'max 1000']])
    expect(await built(50, 50, 41)).toEqual([['TOO_MANY', 'max 100000']])
  })

  test('UserError.params has the tiers, sales and language tags that are in conflict', async () => {
    const bookId = (await server.gql('mutation { createPriceBook(input: { name: "Retail" }) { priceBook { id } } }'))
      .data.createPriceBook.priceBook.id
    const tiers = [
      { name: 'few', minimumQuantity: 5, amount: 90 },
      { name: 'many', minimumQuantity: 5, amount: 80 },
      { name: 'none', minimumQuantity: 0, amount: 80 },
    ]
    const schedule = { validFrom: '2030-01-01T00:00:00Z', validTo: '2030-02-01T00:00:00Z' }
    const prices = [{ currency: 'USD', price: { amount: 90 } }]
    const sales = [
      { name: 'spring', schedule, prices },
      { name: 'easter', schedule, prices },
      { name: 'always', prices },
    ]
    const input = {
      priceBookId: bookId,
      sku: 'MUG',
      prices: [{ currency: 'USD', price: { amount: 100, tiers } }],
      sales,
    }
    expect(await refusals('addProductPrice', input)).toEqual([
      ['TIER_CONFLICT', 'key many', 'key few'],
      ['TIER_MINIMUM_QUANTITY', 'key none', 'min 1'],
      ['SALE_SCHEDULE_DUPLICATE', 'key easter', 'key spring'],
      ['SALE_SCHEDULE_REQUIRED', 'key always'],
    ])
    const locales = [
      { language: 'de-CH', name: 'Becher' },
      { language: 'de-ch', name: 'Tasse' },
    ]
    expect(await refusals('createProduct', { name: 'Mug', locales })).toEqual([['DUPLICATE', 'key de-CH']])
  })
})
