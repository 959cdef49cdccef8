/** POST /exports: what is sent, what is refused, and that the store goes on meanwhile. */
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { storeExport } from '../../../src/export/store-export.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runImport } from '../../support/import.ts'
import { idOf } from '../../support/products.ts'
import { START, useServer } from '../../support/server.ts'
import { servicesOf } from '../../support/services.ts'
import { insertProducts } from '../../support/store.ts'

const database = useDatabase()
const services = servicesOf(database)
const server = useServer(database)

beforeEach(async () => {
  await reset(database)
  await runImport(services, [
    { type: 'pricebook', id: idOf(1), attributes: { name: 'Retail' } },
    {
      type: 'product-price',
      id: idOf(2),
      pricebook_id: idOf(1),
      attributes: { sku: 'MUG', currencies: { USD: { amount: 1250 } } },
    },
    {
      type: 'product',
      id: idOf(3),
      attributes: { name: 'Mug', sku: 'MUG', extensions: { 'products(made)': { by: 'hand' } } },
    },
  ])
})

const refusal = (status: number, title: string, ...errors: [code: string, detail: string][]) => [
  status,
  { errors: errors.map(([code, detail]) => ({ title, status: String(status), detail, code })) },
]

const insertMany = (count: number): Promise<void> =>
  insertProducts(
    database,
    Array.from({ length: count }, (_, at) => ({
      id: idOf(100 + at),
      name: `Product ${at}`,
      slug: `product-${at}`,
      status: 'live',
      description: 'x'.repeat(500),
      created_at: START,
      updated_at: START,
    })),
  )

/** What the command line would write. */
async function written(options: Partial<Parameters<typeof storeExport>[1]>): Promise<Buffer> {
  const pieces: Buffer[] = []
  const whole = { sheet: null, asWorkbook: false, subscriptions: false, ...options }
  for await (const piece of (await storeExport(database, whole)).pieces) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** The bytes of a response. */
async function bytes(query: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${server.admin}` }
  const response = await fetch(`${server.url}/exports${query}`, { method: 'POST', headers })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

test('export.by-http: the store and its subscriptions are sent as the command line writes them', async () => {
  const reply = await server.rest('POST', '/exports')
  expect([reply.status, reply.headers.get('content-type'), reply.headers.get('content-disposition')]).toEqual([
    200,
    'application/x-ndjson',
    'attachment; filename="export.jsonl"',
  ])
  expect(reply.text).toBe((await written({})).toString())
  expect(reply.text.split('\n').map((line) => line.slice(9, 30))).toEqual([
    '"type":"pricebook","i',
    '"type":"product-price',
    '"type":"product","id"',
    '',
  ])
  expect((await bytes('?subscriptions=true')).toString()).toBe((await written({ subscriptions: true })).toString())
})

test('export.by-http: sheets are sent as CSV and as workbooks, and tell what has no column', async () => {
  const prices = await server.rest('POST', '/exports?format=csv&type=product-price&book=Retail')
  expect([prices.status, prices.headers.get('content-type'), prices.headers.get('export-summary')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    '1 prices, without the names of tiers and without attributes',
  ])
  expect(prices.text.replace(/^\uFEFF/, '')).toBe(
    'sku,external_ref,USD.amount,USD.includes_tax\r\nMUG,,12.50,false\r\n',
  )
  const products = await server.rest('POST', '/exports?format=csv&type=product')
  expect(products.headers.get('export-summary')).toBe('1 records of type product; left out: extensions of 1')
  const workbook = await server.rest('POST', '/exports?format=xlsx&type=product')
  expect(workbook.headers.get('export-summary')).toBe('1 records of type product; left out: extensions of 1')
  const sheet = { type: 'product-price', book: 'Retail', decimal: undefined } as const
  expect(await bytes('?format=xlsx&type=product-price&book=Retail')).toEqual(await written({ sheet, asWorkbook: true }))
})

test('export.by-http: an export is compressed for a client that takes that', async () => {
  await insertMany(50)
  const sent = await new Promise<[string | undefined, Buffer]>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.admin}`, 'accept-encoding': 'gzip' }
    const client = request(`${server.url}/exports`, { method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve([response.headers['content-encoding'], Buffer.concat(pieces)]))
    })
    client.on('error', reject)
    client.end()
  })
  expect(sent[0]).toBe('gzip')
  expect(gunzipSync(sent[1])).toEqual(await written({}))
})

const cases: [what: string, query: string, expected: unknown][] = [
  [
    'an unknown parameter',
    '?kind=product',
    refusal(400, 'Bad Request', [
      'UNKNOWN_FIELD',
      'kind: must not be given; there are format, type, book, subscriptions',
    ]),
  ],
  [
    'another format',
    '?format=pdf&type=product',
    refusal(400, 'Bad Request', ['INVALID_VALUE', 'format: must be one of jsonl csv xlsx']),
  ],
  [
    'a sheet without a type',
    '?format=csv',
    refusal(400, 'Bad Request', ['REQUIRED', 'type: must be given with a sheet']),
  ],
  [
    'prices without a book',
    '?format=csv&type=product-price',
    refusal(400, 'Bad Request', ['REQUIRED', 'book: must be given with product-price']),
  ],
  [
    'products of a book',
    '?format=xlsx&type=product&book=Retail',
    refusal(400, 'Bad Request', ['INVALID_VALUE', 'book: is for product-price alone']),
  ],
  [
    'a type and a book without a sheet',
    '?type=product-price&book=Retail',
    refusal(
      400,
      'Bad Request',
      ['INVALID_VALUE', 'type: is for sheets alone: give format csv or xlsx'],
      ['INVALID_VALUE', 'book: is for sheets alone: give format csv or xlsx'],
    ),
  ],
  [
    'a sheet of subscriptions',
    '?format=csv&type=product&subscriptions=true',
    refusal(400, 'Bad Request', ['INVALID_VALUE', 'subscriptions: is for jsonl alone']),
  ],
  [
    'a book that is not there',
    '?format=csv&type=product-price&book=Nobody',
    refusal(404, 'Not Found', ['NOT_FOUND', 'No such price book']),
  ],
]
test.each(cases)('export.by-http: %s is refused', async (_, query, expected) => {
  const { status, body } = await server.rest('POST', `/exports${query}`)
  expect([status, body]).toEqual(expected)
})

test('export.by-http: a shopper gets no export', async () => {
  const { status, body } = await server.rest('POST', '/exports', { token: server.shopper })
  expect([status, body]).toEqual(refusal(403, 'Forbidden', ['FORBIDDEN', 'The token lacks the role admin']))
})

/** A client that has read the head of an export and no more. */
function stalled(): Promise<{ readonly rest: () => Promise<string>; readonly leave: () => void }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.admin}` }
    const client = request(`${server.url}/exports`, { method: 'POST', headers }, (response) => {
      response.pause()
      response.on('error', () => undefined)
      onTestFinished(() => void response.destroy())
      resolve({
        leave: () => response.destroy(),
        rest: async () => {
          const pieces: Buffer[] = []
          for await (const piece of response) pieces.push(piece)
          return Buffer.concat(pieces).toString()
        },
      })
    })
    client.on('error', reject)
    client.end()
  })
}

test('export.of-one-instant: while a client reads slowly the store is read and written, and the export has nothing of it', async () => {
  // More than sockets and streams hold.
  await insertMany(8_000)
  const before = (await written({})).toString()
  const slow = await stalled()
  const added = await server.gql(
    'mutation { createPriceBook(input: { name: "Meanwhile" }) { priceBook { name } userErrors { code } } }',
  )
  expect(added.data.createPriceBook).toEqual({ priceBook: { name: 'Meanwhile' }, userErrors: [] })
  const { data } = await server.gql('{ priceBooks(first: 5) { nodes { name } } }')
  expect(data.priceBooks.nodes.map(({ name }: { name: string }) => name)).toEqual(['Meanwhile', 'Retail'])
  expect(await slow.rest()).toBe(before)
})

test('export.by-http: an export whose client has left makes room for the next', async () => {
  await insertMany(8_000)
  const { exports } = database.bulkheads
  const slow = await stalled()
  expect(exports.running).toBe(1)
  const next = bytes('?format=csv&type=product-price&book=Retail')
  await expect.poll(() => exports.waiting).toBe(1)
  slow.leave()
  expect((await next).length).toBeGreaterThan(0)
  await expect.poll(() => exports.running).toBe(0)
  const held = await database.query<{ name: string }>('test-cursors', 'SELECT name FROM pg_cursors WHERE is_holdable')
  expect(held).toEqual([])
})
