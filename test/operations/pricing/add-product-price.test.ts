import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { type GraphReply, type Operation, runCases } from '../../support/cases.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice, storedPrices } from '../../support/price-books.ts'
import { graphPriceInput } from '../../support/price-input.ts'
import { START, useServer } from '../../support/server.ts'
import { cases, full, price, seasons } from './add-product-price-cases.ts'

const database = useDatabase()
const server = useServer(database)

const ADD = `mutation ($input: AddProductPriceInput!) {
  addProductPrice(input: $input) { productPrice { id sku } userErrors { code path message } }
}`

let book = ''
let always: string[] = []

beforeAll(async () => {
  const ctx = contextOf(server.services, START)
  book = (await makeBook(ctx, 'Book', { external_ref: 'book-ref' })).id
  const first = await makePrice(ctx, book, 'TAKEN', {
    external_ref: 'taken-ref',
    currencies: { EUR: { amount: 5 } },
    sales: { old: {} },
  })
  const ref = await makePrice(ctx, book, 'TAKEN-TOO', { external_ref: 'taken-too', sales: seasons })
  const other = await makeBook(ctx, 'Other')
  const second = await makePrice(ctx, other.id, 'ELSEWHERE', { external_ref: 'elsewhere-ref', sales: seasons })
  always = [first.id, ref.id, second.id]
})

/** Takes away what earlier tests added; the three prices that are always there must have stayed as they are. */
async function prepare(): Promise<void> {
  await database.query('test-prepare', 'DELETE FROM product_price WHERE id <> ALL ($1::uuid[])', [always])
}

beforeEach(prepare)

const rest = (data: unknown, headers: Record<string, string> = {}) =>
  server.rest('POST', `/pcm/pricebooks/${book}/prices`, { body: { data }, headers })

function graph(data: unknown, more: object = {}): Promise<GraphReply> {
  return server.gql(ADD, { input: { priceBookId: book, ...(graphPriceInput(data) as object), ...more } })
}

/** The price that was added, its sales by name. */
async function readBack(): Promise<object> {
  const [row] = await database.query<{ attributes: object }>(
    'test-read-back',
    `SELECT to_jsonb(p) || jsonb_build_object('sales', (SELECT jsonb_object_agg(name, to_jsonb(s)) FROM sale s WHERE product_price_id = p.id))
       AS attributes FROM product_price p WHERE id <> ALL ($1::uuid[])`,
    [always],
  )
  return { type: 'product-price', ...row }
}

const stored = () => storedPrices(server.services)
const operation: Operation<Record<string, unknown>> = {
  prepare,
  rest,
  graph,
  graphInput: graphPriceInput,
  stored,
  readBack,
  success: 201,
}

describe('addProductPrice, through both edges', () => {
  runCases(cases, 'addProductPrice', () => operation)

  it('addProductPrice sends the same statements with and without sales: one transaction that locks the book, inserts the price and logs it', async () => {
    const sales = Object.fromEntries(
      Array.from({ length: 20 }, (_, month) => [`s${month}`, { schedule: scheduleOf(month) }]),
    )
    for (const given of [{ sku: 'NONE' }, { sku: 'MANY', sales }]) {
      const sent: string[] = []
      const end = database.onStatement(({ text }) => void sent.push(text.trim().split(' ')[0] as string))
      expect((await rest(price(given))).status).toBe(201)
      end()
      expect(sent).toEqual(['BEGIN', 'SELECT', 'WITH', 'WITH', 'COMMIT'])
    }
  })
})

const scheduleOf = (month: number) => ({
  valid_from: new Date(Date.UTC(2030, month)).toISOString(),
  valid_to: new Date(Date.UTC(2030, month + 1)).toISOString(),
})

describe.runIf(database.kind === 'server')(
  'adding a price to a book that another transaction deletes [needs PostgreSQL]',
  () => {
    it.each([
      ['COMMIT', [404, 0]],
      ['ROLLBACK', [201, 1]],
    ])(
      'adding a price to a book that another transaction deletes waits for that transaction: %s',
      async (end, outcome) => {
        const doomed = (await makeBook(contextOf(server.services, START), `Doomed by ${end}`)).id
        const deleting = await database.pool.connect()
        await deleting.query('BEGIN')
        await deleting.query('DELETE FROM price_book WHERE id = $1', [doomed])
        const adding = server.rest('POST', `/pcm/pricebooks/${doomed}/prices`, { body: { data: price({}) } })
        const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%price_book%FOR KEY SHARE%'`
        await expect.poll(async () => (await database.pool.query(waits)).rowCount).toBe(1)
        await deleting.query(end)
        deleting.release()
        const { status } = await adding
        const { rowCount } = await database.pool.query('SELECT 1 FROM product_price WHERE price_book_id = $1', [doomed])
        expect([status, rowCount]).toEqual(outcome)
      },
    )
  },
)

describe('addProductPrice, REST alone', () => {
  it.each([
    ['data absent', undefined, 'data: must be given'],
    ['type absent', { attributes: { sku: 'A', currencies: {} } }, 'data.type: must be given'],
    ['another type', { type: 'price', attributes: { sku: 'A', currencies: {} } }, 'data.type: must be product-price'],
    ['attributes absent', { type: 'product-price' }, 'data.attributes: must be given'],
    ['attributes null', { type: 'product-price', attributes: null }, 'data.attributes: must not be null'],
    ['attributes a list', { type: 'product-price', attributes: [] }, 'data.attributes: must be an object'],
    [
      'tiers a list',
      price({ currencies: { USD: { tiers: [] } } }),
      'data.attributes.currencies.USD.tiers: must be an object',
    ],
  ])('addProductPrice by REST refuses %s', async (_, data, detail) => {
    const reply = await rest(data)
    expect([reply.status, reply.body.errors.map((error: { detail: string }) => error.detail)]).toEqual([422, [detail]])
  })

  it('input.server-members-accepted: addProductPrice by REST accepts what a price shows when it is read, which has no effect', async () => {
    const reply = await rest({
      ...price({ created_at: '2000-01-01T00:00:00Z', updated_at: 5 }),
      id: 'not even an id',
      meta: { owner: 'organization', pricebook_id: 'x' },
      pricebook_external_ref: 'x',
      links: { self: 'x' },
      relationships: 7,
    })
    expect(reply.status).toBe(201)
    expect(reply.body.data.attributes.created_at).toBe('2026-01-15T12:00:00.000Z')
    expect(reply.body.data.meta).toEqual({ owner: 'store', pricebook_id: book })
    expect(reply.body.data.pricebook_external_ref).toBe('book-ref')
  })

  it('addProductPrice by REST returns the whole product price, with the link in both places (http.success-statuses, price-book.prices-oldest-first)', async () => {
    const reply = await rest(price({ ...full(), external_ref: 'ERP-1' }))
    const self = `/pcm/pricebooks/${book}/prices/${reply.body.data.id}`
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'product-price',
        pricebook_external_ref: 'book-ref',
        attributes: {
          sku: 'FULL',
          currencies: {
            EUR: { amount: 950, includes_tax: false },
            USD: {
              amount: 1000,
              includes_tax: true,
              tiers: { few: { minimum_quantity: 5, amount: 900 }, bulk: { minimum_quantity: 10, amount: 800 } },
            },
          },
          sales: {
            late: { schedule: { valid_from: '2026-01-10T00:00:00.000Z' }, currencies: {} },
            winter: {
              bundle_ids: ['0190a000-0000-7000-8000-00000000000b'],
              schedule: { valid_from: '2026-01-01T00:00:00.000Z', valid_to: '2026-02-01T00:00:00.000Z' },
              currencies: {
                USD: { amount: 700, includes_tax: false, tiers: { few: { minimum_quantity: 2, amount: 650 } } },
              },
            },
          },
          external_ref: 'ERP-1',
          admin_attributes: { margin: '12%', note: null },
          shopper_attributes: { badge: 'new' },
          created_at: '2026-01-15T12:00:00.000Z',
          updated_at: '2026-01-15T12:00:00.000Z',
        },
        meta: { owner: 'store', pricebook_id: book },
        links: { self },
      },
      links: { self },
    })
    const again = await server.rest('GET', self)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(reply.body)
  })

  it('addProductPrice by REST omits members that were never given, except the nullable external_ref', async () => {
    const { body } = await rest(price({ sales: { s: { schedule: { valid_to: null } } } }))
    expect(Object.keys(body.data.attributes)).toEqual([
      'sku',
      'currencies',
      'sales',
      'external_ref',
      'created_at',
      'updated_at',
    ])
    expect(body.data.attributes.external_ref).toBeNull()
    expect(body.data.attributes.sales).toEqual({ s: { currencies: {} } })
  })

  it('http.first-failure-wins: addProductPrice by REST to an unknown or malformed book is 404, before the data is checked', async () => {
    for (const id of ['0190a000-0000-7000-8000-000000000000', 'no-uuid']) {
      const reply = await server.rest('POST', `/pcm/pricebooks/${id}/prices`, { body: { data: 'nonsense' } })
      expect([reply.status, reply.body.errors[0].code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('http.fixed-statuses-and-titles: addProductPrice by REST of an existing SKU is 409 with the fixed title', async () => {
    const reply = await rest(price({ sku: 'TAKEN' }))
    expect(reply.body).toEqual({
      errors: [{ title: 'Conflict', status: '409', detail: 'The price already exists', code: 'PRICE_EXISTS' }],
    })
  })
})

describe('addProductPrice, the graph alone', () => {
  it('price-book.one-price-per-sku: addProductPrice in the graph reports an existing price with its SKU and book', async () => {
    const reply = await graph(price({ sku: 'TAKEN' }))
    const message = `The price already exists: SKU TAKEN in the price book ${book}`
    expect(reply.data.addProductPrice.userErrors).toEqual([{ code: 'PRICE_EXISTS', path: ['sku'], message }])
  })

  it('addProductPrice in the graph accepts the book by global id or UUID, and reports an unknown or malformed one in userErrors', async () => {
    const global = await graph(price({ sku: 'G' }), { priceBookId: globalId('PriceBook', book) })
    expect(global.data.addProductPrice.userErrors).toEqual([])
    const unknown = await graph(price({ sku: 'H' }), { priceBookId: '0190a000-0000-7000-8000-000000000000' })
    expect(unknown.data.addProductPrice).toEqual({
      productPrice: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['priceBookId'], message: 'No such price book' }],
    })
    const malformed = await graph(price({ sku: 'H' }), { priceBookId: globalId('ProductPrice', book) })
    expect(malformed.data.addProductPrice.userErrors).toMatchObject([{ code: 'INVALID_FORMAT', path: ['priceBookId'] }])
  })

  it.each([
    [
      'prices',
      {
        prices: [
          { currency: 'USD', price: {} },
          { currency: 'USD', price: {} },
        ],
      },
      ['prices', '1', 'currency'],
    ],
    [
      'tiers',
      {
        prices: [
          {
            currency: 'USD',
            price: {
              tiers: [
                { name: 'a', minimumQuantity: 1 },
                { name: 'a', minimumQuantity: 2 },
              ],
            },
          },
        ],
      },
      ['prices', '0', 'price', 'tiers', '1', 'name'],
    ],
    ['sales', { sales: [{ name: 's' }, { name: 's' }] }, ['sales', '1', 'name']],
    ['attributes', { adminAttributes: [{ key: 'k' }, { key: 'k', value: 'x' }] }, ['adminAttributes', '1', 'key']],
  ])('addProductPrice in the graph refuses the same key twice in %s', async (_, more, path) => {
    const before = await storedPrices(server.services)
    const reply = await graph(price(), more)
    expect(reply.data.addProductPrice.userErrors).toMatchObject([{ code: 'DUPLICATE', path }])
    expect(await storedPrices(server.services)).toEqual(before)
  })

  it('graph.maps-become-lists: addProductPrice in the graph refuses a currency without a price, absent like null', async () => {
    const reply = await graph(price(), { prices: [{ currency: 'USD' }, { currency: 'EUR', price: null }] })
    expect(reply.data.addProductPrice.userErrors).toMatchObject([
      { code: 'REQUIRED', path: ['prices', '0', 'price'] },
      { code: 'REQUIRED', path: ['prices', '1', 'price'] },
    ])
  })
})

describe('addProductPrice, simultaneous calls and idempotency keys', () => {
  it('price-book.one-price-per-sku: one of 50 simultaneous additions of a SKU to a book succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => rest(price({ sku: 'RACE', currencies: { USD: { amount: index } } }))),
    )
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
    const rows = (await storedPrices(server.services)) as { sku: string; currencies: string }[]
    const winner = replies.find(({ status }) => status === 201)
    expect(rows.filter(({ sku }) => sku === 'RACE').map(({ currencies }) => JSON.parse(currencies))).toEqual([
      winner?.body.data.attributes.currencies,
    ])
  })

  it('price-book.one-price-per-sku: simultaneous additions of different SKUs to a book all succeed', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => rest(price({ sku: `S${index}` }))))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
  })

  it('write.idempotency-key: addProductPrice returns the first price for a repeated key, and refuses another input under it', async () => {
    const first = await rest(price({ sku: 'KEY' }), { 'Idempotency-Key': 'k-1' })
    const second = await rest(price({ sku: 'KEY' }), { 'Idempotency-Key': 'k-1' })
    expect([second.status, second.body]).toEqual([201, first.body])
    const other = await rest(price({ sku: 'KEY2' }), { 'Idempotency-Key': 'k-1' })
    expect([other.status, other.body.errors[0].code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
    const inGraph = await graph(price({ sku: 'KEY3' }), { idempotencyKey: 'k-2' })
    expect((await graph(price({ sku: 'KEY3' }), { idempotencyKey: 'k-2' })).data).toEqual(inGraph.data)
  })

  it('write.idempotency-key: addProductPrice refuses another input under a used key before it is checked', async () => {
    const headers = { 'Idempotency-Key': 'used' }
    await rest(price({ sku: 'USED' }), headers)
    const before = await storedPrices(server.services)
    for (const attributes of [{ sku: '' }, { sku: 'TAKEN' }, { sku: 'USED', external_ref: 'other' }]) {
      const { status, body } = await rest(price(attributes), headers)
      expect([status, body.errors.map(({ code }: { code: string }) => code)]).toEqual([409, ['IDEMPOTENCY_MISMATCH']])
    }
    expect(await storedPrices(server.services)).toEqual(before)
  })

  it('right.shoppers-see-published-and-own: addProductPrice refuses a shopper on both edges, before the input is checked', async () => {
    const before = await storedPrices(server.services)
    const reply = await server.rest('POST', `/pcm/pricebooks/${book}/prices`, {
      token: server.shopper,
      body: { data: price() },
    })
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'FORBIDDEN'])
    const answer = await server.gql(
      ADD,
      { input: { priceBookId: book, sku: 'S', prices: [] } },
      { token: server.shopper },
    )
    expect(answer.errors[0].extensions.code).toBe('FORBIDDEN')
    expect(await storedPrices(server.services)).toEqual(before)
  })
})
