import { beforeEach, describe, expect, it } from 'vitest'
import { VIOLATIONS_MAX } from '../../../src/domain/input/errors.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { createCatalog } from '../../../src/operations/catalog/catalog.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const request = () => contextOf(server.services, START)
const BUNDLE = '0190a000-0000-7000-8000-00000000000b'

let book = ''
let price = ''

beforeEach(async () => {
  await reset(database)
  server.now = START
  book = (await makeBook(request(), 'Book', { external_ref: 'ref', description: 'd' })).id
  const sales = {
    one: { schedule: { valid_from: '2026-01-01T00:00:00Z' }, bundle_ids: [BUNDLE], currencies: { USD: { amount: 4 } } },
  }
  const currencies = {
    EUR: { amount: 4, tiers: { t: { minimum_quantity: 2, amount: 3 } } },
    USD: { amount: 5, includes_tax: true },
  }
  const texts = { external_ref: 'ref', admin_attributes: { a: 'x' }, shopper_attributes: { b: 'y' } }
  price = (await makePrice(request(), book, 'A', { currencies, sales, ...texts })).id
  server.now = START + 1_000
})

const codes = ({ userErrors }: { userErrors: { code: string; path: string[] }[] }) =>
  userErrors.map(({ code, path }) => `${path.join('.')} ${code}`)

describe('price books', () => {
  const BOOK = 'priceBook { id name description externalRef createdAt updatedAt }'

  it('price-book.name-is-unique: price books are created, updated and deleted with their prices and modifiers', async () => {
    const { priceBook: made } = await mutate(
      server,
      'createPriceBook',
      { name: 'New', description: 'd', externalRef: 'r' },
      BOOK,
    )
    const now = '2026-01-15T12:00:01.000Z'
    expect(made).toEqual({
      id: made.id,
      name: 'New',
      description: 'd',
      externalRef: 'r',
      createdAt: now,
      updatedAt: now,
    })
    server.now += 1_000
    const { priceBook: changed } = await mutate(
      server,
      'updatePriceBook',
      { id: made.id, name: 'Newer', externalRef: null },
      BOOK,
    )
    expect(changed).toEqual({ ...made, name: 'Newer', externalRef: null, updatedAt: '2026-01-15T12:00:02.000Z' })
    await makePrice(request(), (await database.prisma.priceBook.findFirstOrThrow({ where: { name: 'Newer' } })).id, 'B')
    const deleted = await mutate(
      server,
      'deletePriceBook',
      { id: made.id },
      `${BOOK.slice(0, -1)} prices { totalCount } }`,
    )
    expect(deleted).toEqual({ priceBook: { ...changed, prices: { totalCount: 0 } }, userErrors: [] })
    expect(await database.prisma.productPrice.count()).toBe(1)
  })

  it('mutations of price books report broken rules, and IN_USE names the catalog', async () => {
    expect(
      codes(
        await mutate(
          server,
          'createPriceBook',
          { name: '', description: 'x'.repeat(1025), externalRef: 'x'.repeat(2049) },
          BOOK,
        ),
      ),
    ).toEqual(['externalRef TOO_LONG', 'name TOO_SHORT', 'description TOO_LONG'])
    expect(codes(await mutate(server, 'createPriceBook', { name: 'Book' }, BOOK))).toEqual(['name NAME_TAKEN'])
    expect(codes(await mutate(server, 'createPriceBook', { name: 'B', externalRef: 'ref' }, BOOK))).toEqual([
      'externalRef EXTERNAL_REF_TAKEN',
    ])
    expect(codes(await mutate(server, 'updatePriceBook', { id: book, name: null }, BOOK))).toEqual(['name REQUIRED'])
    const attributes = { name: 'Winter', hierarchy_ids: [], pricebook_ids: [{ id: book, priority: 1 }] }
    await createCatalog(request(), { data: { type: 'catalog', attributes } })
    expect(await mutate(server, 'deletePriceBook', { id: book }, BOOK)).toEqual({
      priceBook: null,
      userErrors: [{ code: 'IN_USE', path: ['id'], message: 'is still used by 1 catalog ("Winter")' }],
    })
  })
})

const PRICE = `productPrice { sku externalRef prices { currency amount { amount } includesTax tiers { name } } sales { name }
  adminAttributes { key value } shopperAttributes { key value } updatedAt priceBook { name } }`

describe('updateProductPrice', () => {
  const before = {
    sku: 'A',
    externalRef: 'ref',
    prices: [
      { currency: 'EUR', amount: { amount: 4 }, includesTax: false, tiers: [{ name: 't' }] },
      { currency: 'USD', amount: { amount: 5 }, includesTax: true, tiers: [] },
    ],
    sales: [{ name: 'one' }],
    adminAttributes: [{ key: 'a', value: 'x' }],
    shopperAttributes: [{ key: 'b', value: 'y' }],
    updatedAt: '2026-01-15T12:00:00.000Z',
    priceBook: { name: 'Book' },
  }
  const [eur, usd] = before.prices

  it.each([
    ['nothing', {}, {}],
    ['the SKU', { sku: 'B' }, { sku: 'B' }],
    ['the reference, cleared', { externalRef: null }, { externalRef: null }],
    [
      'patch.maps-merge-at-every-depth: one amount',
      { prices: [{ currency: 'USD', price: { amount: 0 } }] },
      { prices: [eur, { ...usd, amount: { amount: 0 } }] },
    ],
    [
      'graph.maps-become-lists: one currency removed',
      { prices: [{ currency: 'EUR', price: null }] },
      { prices: [usd] },
    ],
    ['graph.maps-become-lists: all currencies removed', { prices: null }, { prices: [] }],
    ['the sales, replaced', { sales: [{ name: 'two' }] }, { sales: [{ name: 'two' }] }],
    ['the sales, cleared', { sales: null }, { sales: [] }],
    [
      'the attributes, cleared and replaced',
      { adminAttributes: null, shopperAttributes: [{ key: 'c' }] },
      { adminAttributes: [], shopperAttributes: [{ key: 'c', value: null }] },
    ],
  ])('patch.absent-keeps-null-clears: updateProductPrice changes %s', async (_, input, changes) => {
    const response = await mutate(server, 'updateProductPrice', { id: price, ...input }, PRICE)
    const updatedAt = Object.keys(changes).length > 0 ? '2026-01-15T12:00:01.000Z' : before.updatedAt
    expect(response).toEqual({ productPrice: { ...before, ...changes, updatedAt }, userErrors: [] })
    const read = await server.gql(`query ($id: ID!) { ${PRICE.replace('productPrice', 'productPrice(id: $id)')} }`, {
      id: price,
    })
    expect(read.data.productPrice).toEqual(response.productPrice)
  })

  it.each([
    ['price-book.one-price-per-sku: the SKU of another price', { sku: 'TAKEN' }, ['sku PRICE_EXISTS']],
    ['a null SKU', { sku: null }, ['sku REQUIRED']],
    [
      'tier.minimums-differ: tiers that conflict',
      {
        prices: [
          {
            currency: 'USD',
            price: {
              tiers: [
                { name: 'a', minimumQuantity: 2 },
                { name: 'b', minimumQuantity: 2 },
              ],
            },
          },
        ],
      },
      ['prices.0.price.tiers.1.minimumQuantity TIER_CONFLICT'],
    ],
    [
      'sale.several-need-schedules: two sales without schedule',
      { sales: [{ name: 'a' }, { name: 'b' }] },
      ['sales.0.schedule SALE_SCHEDULE_REQUIRED', 'sales.1.schedule SALE_SCHEDULE_REQUIRED'],
    ],
    [
      'a duplicate currency, reported with all other violations',
      {
        sku: '',
        prices: [
          { currency: 'eur', price: { amount: 1 } },
          { currency: 'USD', price: { amount: 1 } },
          { currency: 'USD', price: { amount: -1 } },
        ],
        externalRef: 'r'.repeat(2049),
      },
      [
        'sku TOO_SHORT',
        'prices.0.currency INVALID_FORMAT',
        'prices.2.currency DUPLICATE',
        'prices.2.price.amount OUT_OF_RANGE',
        'externalRef TOO_LONG',
      ],
    ],
  ])('updateProductPrice refuses %s and changes nothing', async (_, input, broken) => {
    await makePrice(request(), book, 'TAKEN')
    expect(codes(await mutate(server, 'updateProductPrice', { id: price, ...input }, PRICE))).toEqual(broken)
    expect(
      (
        await server.gql(`query ($id: ID!) { ${PRICE.replace('productPrice', 'productPrice(id: $id)')} }`, {
          id: price,
        })
      ).data.productPrice,
    ).toEqual(before)
  })

  it('price-book.one-price-per-sku: addProductPrice for a SKU that has a price is refused by an error that names SKU and book', async () => {
    await makePrice(request(), book, 'TAKEN')
    const { userErrors } = await mutate(server, 'updateProductPrice', { id: price, sku: 'TAKEN' }, PRICE)
    const message = `The price already exists: SKU TAKEN in the price book ${book}`
    expect(userErrors).toEqual([{ code: 'PRICE_EXISTS', path: ['sku'], message }])
  })

  it('graph.maps-become-lists: addProductPrice reports an unknown id before a duplicate currency', async () => {
    const prices = [{ currency: 'USD' }, { currency: 'USD' }]
    const gone = globalId('ProductPrice', book)
    expect(codes(await mutate(server, 'updateProductPrice', { id: gone, prices }, PRICE))).toEqual(['id NOT_FOUND'])
  })

  it('deleteProductPrice returns the deleted price', async () => {
    expect(await mutate(server, 'deleteProductPrice', { id: globalId('ProductPrice', price) }, PRICE)).toEqual({
      productPrice: before,
      userErrors: [],
    })
    expect(await database.prisma.sale.count()).toBe(0)
  })
})

describe('sales', () => {
  const SALE = `sale { id name schedule { validFrom validTo } bundleIds prices { currency amount { amount } } createdAt updatedAt
    productPrice { sku updatedAt sales { name } } }`

  it('sales are added to a price, updated and removed; each is a node with an edge to its price', async () => {
    const input = {
      productPriceId: globalId('ProductPrice', price),
      name: 'two',
      schedule: { validFrom: '2026-02-01T00:00:00+01:00', validTo: '2026-03-01T00:00:00Z' },
      bundleIds: [globalId('Product', BUNDLE)],
      prices: [{ currency: 'USD', price: { amount: 3 } }],
    }
    const at = (second: number) => `2026-01-15T12:00:0${second}.000Z`
    const { sale: added } = await mutate(server, 'addSale', input, SALE)
    expect(added).toEqual({
      id: added.id,
      name: 'two',
      schedule: { validFrom: '2026-01-31T23:00:00.000Z', validTo: '2026-03-01T00:00:00.000Z' },
      bundleIds: [globalId('Product', BUNDLE)],
      prices: [{ currency: 'USD', amount: { amount: 3 } }],
      createdAt: at(1),
      updatedAt: at(1),
      productPrice: { sku: 'A', updatedAt: at(1), sales: [{ name: 'one' }, { name: 'two' }] },
    })
    const read = `query ($id: ID!) { ${SALE.replace('sale', 'sale(id: $id)')} node(id: $id) { ... on ${SALE.replace('sale', 'Sale').trim()} } }`
    expect((await server.gql(read, { id: added.id })).data).toEqual({ sale: added, node: added })
    server.now += 1_000
    const change = {
      id: added.id,
      name: 'ten',
      schedule: { validTo: '2026-04-01T00:00:00Z' },
      bundleIds: null,
      prices: [{ currency: 'USD', price: null }],
    }
    const { sale: changed } = await mutate(server, 'updateSale', change, SALE)
    expect(changed).toEqual({
      ...added,
      name: 'ten',
      schedule: { validFrom: '2026-01-31T23:00:00.000Z', validTo: '2026-04-01T00:00:00.000Z' },
      bundleIds: [],
      prices: [],
      updatedAt: at(2),
      productPrice: { sku: 'A', updatedAt: at(2), sales: [{ name: 'one' }, { name: 'ten' }] },
    })
    server.now += 1_000
    const removed = await mutate(server, 'removeSale', { id: added.id }, SALE)
    expect(removed.sale).toEqual({ ...changed, productPrice: { sku: 'A', updatedAt: at(3), sales: [{ name: 'one' }] } })
    expect((await server.gql(read, { id: added.id })).data).toEqual({ sale: null, node: null })
  })

  it('patch.objects-merge: updateSale keeps the bound that it does not name; null clears one, a null schedule both', async () => {
    const from = '2026-02-01T00:00:00.000Z'
    const to = '2026-03-01T00:00:00.000Z'
    const alone = (await makePrice(request(), book, 'ALONE')).id
    const schedule = { validFrom: from, validTo: to }
    const { sale } = await mutate(server, 'addSale', { productPriceId: alone, name: 'later', schedule }, 'sale { id }')
    const updated = async (given: object | null) =>
      (await mutate(server, 'updateSale', { id: sale.id, schedule: given }, SALE)).sale.schedule
    const later = '2026-04-01T00:00:00.000Z'
    expect(await updated({ validTo: later })).toEqual({ validFrom: from, validTo: later })
    expect(await updated({})).toEqual({ validFrom: from, validTo: later })
    expect(await updated({ validTo: null })).toEqual({ validFrom: from, validTo: null })
    expect(await updated({ validFrom: null, validTo: to })).toEqual({ validFrom: null, validTo: to })
    expect(codes(await mutate(server, 'updateSale', { id: sale.id, schedule: { validFrom: to } }, SALE))).toEqual([
      'schedule.validTo SALE_SCHEDULE_INVALID',
    ])
    expect(await updated(null)).toBeNull()
  })

  it.each([
    ['sale.several-need-schedules: no schedule beside another', { name: 'two' }, ['schedule SALE_SCHEDULE_REQUIRED']],
    [
      'sale.schedules-differ: the schedule of another',
      { name: 'two', schedule: { validFrom: '2026-01-01T01:00:00+01:00' } },
      ['schedule SALE_SCHEDULE_DUPLICATE'],
    ],
    [
      'sale.ends-after-it-starts: an end that is no later',
      { name: 'two', schedule: { validFrom: '2026-01-02T00:00:00Z', validTo: '2026-01-02T00:00:00Z' } },
      ['schedule.validTo SALE_SCHEDULE_INVALID'],
    ],
    ['a name that is taken', { name: 'one', schedule: { validFrom: '2026-01-02T00:00:00Z' } }, ['name NAME_TAKEN']],
    [
      'members of the wrong form',
      { name: '', bundleIds: ['x'], prices: [{ currency: 'usd', price: { amount: -1 } }] },
      ['name TOO_SHORT', 'bundleIds.0 INVALID_FORMAT', 'prices.0.currency INVALID_FORMAT'],
    ],
  ])('addSale refuses %s', async (_, input, broken) => {
    expect(codes(await mutate(server, 'addSale', { productPriceId: price, ...input }, SALE))).toEqual(broken)
    expect(await database.prisma.sale.count()).toBe(1)
  })

  it('sales load their prices in one statement', async () => {
    const rows = await database.prisma.sale.findMany()
    for (let number = 0; number < 9; number++) await makePrice(request(), book, `S${number}`, { sales: { s: {} } })
    const all = await database.prisma.sale.findMany()
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Sale { name productPrice { sku priceBook { name } } } } }'
    const run = (sales: { id: string }[]) =>
      countStatements(database, () => server.gql(query, { ids: sales.map(({ id }) => globalId('Sale', id)) }))
    expect([(await run(rows)).count, (await run(all)).count]).toEqual([3, 3])
  })
})

describe('upsertProductPrices', () => {
  const RESULTS =
    'results { row outcome productPrice { sku prices { currency amount { amount } } sales { name } } userErrors { code path message } }'
  const rows = [
    { sku: 'A', prices: [{ currency: 'EUR', price: null }] },
    {
      sku: 'B',
      prices: [
        { currency: 'USD', price: { amount: 1 } },
        { currency: 'USD', price: { amount: 2 } },
      ],
    },
    { sku: 'C' },
    { sku: 'D', prices: [{ currency: 'USD', price: { amount: 0 } }], sales: [{ name: 's' }] },
  ]
  const broken = [
    { code: 'DUPLICATE', path: ['rows', '1', 'prices', '1', 'currency'], message: 'is given twice' },
    { code: 'REQUIRED', path: ['rows', '2', 'prices'], message: 'must be given' },
  ]

  it('upsertProductPrices with PER_ROW returns a result for each row', async () => {
    const response = await mutate(
      server,
      'upsertProductPrices',
      { priceBookId: globalId('PriceBook', book), mode: 'PER_ROW', rows },
      RESULTS,
    )
    expect(response).toEqual({
      userErrors: [],
      results: [
        {
          row: 0,
          outcome: 'UPDATED',
          productPrice: { sku: 'A', prices: [{ currency: 'USD', amount: { amount: 5 } }], sales: [{ name: 'one' }] },
          userErrors: [],
        },
        { row: 1, outcome: 'REFUSED', productPrice: null, userErrors: [broken[0]] },
        { row: 2, outcome: 'REFUSED', productPrice: null, userErrors: [broken[1]] },
        {
          row: 3,
          outcome: 'CREATED',
          productPrice: { sku: 'D', prices: [{ currency: 'USD', amount: { amount: 0 } }], sales: [{ name: 's' }] },
          userErrors: [],
        },
      ],
    })
    const [first, , , last] = rows
    const again = await mutate(
      server,
      'upsertProductPrices',
      { priceBookId: book, mode: 'PER_ROW', rows: [last, first] },
      RESULTS,
    )
    expect(again.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['UNCHANGED', 'UNCHANGED'])
  })

  it('upsertProductPrices with ALL_OR_NOTHING writes nothing and names the rows', async () => {
    const response = await mutate(
      server,
      'upsertProductPrices',
      { priceBookId: book, mode: 'ALL_OR_NOTHING', rows },
      RESULTS,
    )
    expect(response).toEqual({ results: null, userErrors: broken })
    expect(await database.prisma.productPrice.count()).toBe(1)
  })

  it('upsertProductPrices accepts 1,000 rows in one call, not 1,001, and no duplicate SKU', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ sku: `S${index}`, prices: [] }))
    const call = (given: object[]) =>
      mutate(server, 'upsertProductPrices', { priceBookId: book, mode: 'PER_ROW', rows: given }, 'results { outcome }')
    expect(await call(many)).toEqual({
      results: null,
      userErrors: [{ code: 'TOO_MANY', path: ['rows'], message: 'must have at most 1000 entries' }],
    })
    expect(codes(await call([...many.slice(0, 3), { sku: 'S1' }]))).toEqual(['rows.3.sku DUPLICATE'])
    expect(new Set((await call(many.slice(1))).results.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['CREATED']),
    )
    expect(
      codes(await mutate(server, 'upsertProductPrices', { priceBookId: price, mode: 'PER_ROW', rows: [] }, RESULTS)),
    ).toEqual(['priceBookId NOT_FOUND'])
  })
})

describe('an input that breaks very many rules', () => {
  const sales = Array.from({ length: VIOLATIONS_MAX + 1 }, (_, index) => ({ name: `s${index}` }))
  const last = `sale "s${VIOLATIONS_MAX - 1}" needs a schedule, since it is not the only sale`

  it.each([
    [VIOLATIONS_MAX, last],
    [VIOLATIONS_MAX + 1, `${last} (and 1 more)`],
  ])(
    'an input that breaks %i rules lists at most a hundred of them, in the graph and on the facade',
    async (count, message) => {
      const response = await mutate(
        server,
        'addProductPrice',
        { priceBookId: book, sku: 'B', prices: [], sales: sales.slice(0, count) },
        'productPrice { id }',
      )
      expect(response.userErrors).toHaveLength(VIOLATIONS_MAX)
      expect(response.userErrors[VIOLATIONS_MAX - 1].message).toBe(message)
      const attributes = {
        sku: 'B',
        currencies: {},
        sales: Object.fromEntries(sales.slice(0, count).map(({ name }) => [name, {}])),
      }
      const reply = await server.rest('POST', `/pcm/pricebooks/${book}/prices`, {
        body: { data: { type: 'product-price', attributes } },
      })
      expect(reply.status).toBe(422)
      expect(reply.body.errors).toHaveLength(VIOLATIONS_MAX)
      expect(reply.body.errors[VIOLATIONS_MAX - 1].detail).toBe(
        `data.attributes.sales.s${VIOLATIONS_MAX - 1}.schedule: ${message}`,
      )
    },
  )
})
