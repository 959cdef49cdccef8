import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

/** SKUs that a filter could stumble over, all in one book. */
const odd = [
  `it's`,
  'say "hi"',
  'a,b',
  'a:b',
  '(x)',
  'back\\slash',
  ' lead',
  '%00',
  'a+b',
  '100% &=?#',
  'Ünïcødé \u{1F600}',
  'SKU-1',
  'sku-1',
  '*',
  "'; DROP TABLE sale; --",
]

let book = ''
let empty = ''
let ids: string[] = []

beforeAll(async () => {
  book = (await makeBook(contextOf(server.services, START), 'Odd', { external_ref: 'odd-ref' })).id
  empty = (await makeBook(contextOf(server.services, START), 'Empty')).id
  const made = []
  for (const [index, sku] of odd.entries()) {
    // Three of them share each instant, so that the id decides between them (price-book.prices-oldest-first).
    const ctx = contextOf(server.services, START + Math.floor(index / 3))
    made.push(
      await makePrice(ctx, book, sku.trim(), { external_ref: `ref ${index}`, sales: index < 2 ? { s: {} } : {} }),
    )
  }
  // As older versions took it (text.names-are-visible).
  await database.query('test-odd-sku', "UPDATE product_price SET sku = ' lead' WHERE sku = 'lead'")
  made.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
  ids = made.map(({ id }) => id)
  const other = await makeBook(contextOf(server.services, START), 'Other')
  await makePrice(contextOf(server.services, START), other.id, 'SKU-1')
})

const list = (query = '', of = book) => server.rest('GET', `/pcm/pricebooks/${of}/prices${query}`)
const skusOf = (reply: { body: { data: { attributes: { sku: string } }[] } }) =>
  reply.body.data.map(({ attributes }) => attributes.sku)
const filtered = (filter: string) => list(`?filter=${encodeURIComponent(filter)}`)

describe('GET the prices of a book', () => {
  it('price-book.prices-oldest-first: the prices of a book are ordered by created_at, then id, each a whole product price', async () => {
    const reply = await list()
    expect(reply.status).toBe(200)
    expect(reply.body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(reply.body.meta).toEqual({ results: { total: 15 }, page: { limit: 25, offset: 0, current: 1, total: 1 } })
    const path = `/pcm/pricebooks/${book}/prices?page%5Blimit%5D=25&page%5Boffset%5D=0`
    expect(reply.body.links).toEqual({ self: path, first: path, last: null, prev: null, next: null })
    const one = await server.rest('GET', reply.body.data[0].links.self)
    expect(reply.body.data[0]).toEqual(one.body.data)
    expect(
      reply.body.data.every((price: { pricebook_external_ref: string }) => price.pricebook_external_ref === 'odd-ref'),
    ).toBe(true)
    expect(Object.keys(reply.body.data[0])).toEqual([
      'id',
      'type',
      'pricebook_external_ref',
      'attributes',
      'meta',
      'links',
    ])
  })

  it('list.pages-and-links: the prices of a book can be walked by next, and back by prev', async () => {
    const walk = async (step: 'next' | 'prev', start: string): Promise<string[]> => {
      const found: string[] = []
      for (let path: string | null = start; path !== null; ) {
        const reply = await server.rest('GET', path)
        const page = reply.body.data.map(({ id }: { id: string }) => id)
        if (step === 'next') found.push(...page)
        else found.unshift(...page)
        path = reply.body.links[step]
      }
      return found
    }
    const start = `/pcm/pricebooks/${book}/prices?page[limit]=4`
    expect(await walk('next', start)).toEqual(ids)
    expect(await walk('prev', (await server.rest('GET', start)).body.links.last)).toEqual(ids)
  })

  it("list.pages-and-links: a page past the end of a book's prices is 200 and empty, and its links repeat the filter", async () => {
    const past = await list('?page[limit]=10&page[offset]=10000')
    expect([past.status, past.body.data, past.body.meta.page.current]).toEqual([200, [], 1001])
    const page = await list('?filter=in(sku,SKU-1,sku-1)&page[limit]=1')
    expect(decodeURIComponent(page.body.links.next)).toBe(
      `/pcm/pricebooks/${book}/prices?filter=in(sku,SKU-1,sku-1)&page[limit]=1&page[offset]=1`,
    )
    expect(page.body.meta).toEqual({ results: { total: 2 }, page: { limit: 1, offset: 0, current: 1, total: 2 } })
  })

  it.each([
    ['?page[limit]=0', 'page[limit]'],
    ['?page[limit]=101', 'page[limit]'],
    ['?page[offset]=10001', 'page[offset]'],
    ['?page[offset]=-1', 'page[offset]'],
    ['?filter=eq(name,x)', 'filter'],
    ['?filter=in(external_ref,x)', 'filter'],
    ['?filter=ge(sku,x)', 'filter'],
    ['?filter=eq(sku,a,b)', 'filter'],
    ['?filter=eq(sku', 'filter'],
    ['?filter=eq(sku,a%00)', 'filter'],
    ['?filter=eq(sku,a)&filter=eq(sku,a)', 'filter'],
  ])(
    'list.pages-and-links, filter.clauses-all-hold: the prices of a book are refused with 400 for %s',
    async (query, member) => {
      const reply = await list(query)
      expect(reply.status).toBe(400)
      expect(reply.body.errors[0].detail.startsWith(`${member}: `)).toBe(true)
    },
  )

  it('the prices of a book are an empty list for an empty book, 404 for an unknown one, and 403 for a shopper (right.shoppers-see-published-and-own)', async () => {
    const nothing = await list('', empty)
    expect([nothing.status, nothing.body.data, nothing.body.meta.results.total, nothing.body.meta.page.total]).toEqual([
      200,
      [],
      0,
      0,
    ])
    const refusal = async (path: string) => {
      const { status, body } = await server.rest('GET', `/pcm/pricebooks/${path}`)
      return [status, body.errors[0].detail]
    }
    for (const id of ['0190a000-0000-7000-8000-000000000000', 'x']) {
      expect(await refusal(`${id}/prices`)).toEqual([404, 'No such price book'])
      expect(await refusal(`${id}/prices/${ids[0]}`)).toEqual([404, 'No such price book'])
      expect(await refusal(`${book}/prices/${id}`)).toEqual([404, 'No such product price'])
    }
    expect((await server.rest('GET', `/pcm/pricebooks/${empty}/prices/${ids[0]}`)).status).toBe(404)
    for (const path of [`/pcm/pricebooks/${book}/prices`, `/pcm/pricebooks/${book}/prices/${ids[0]}`]) {
      expect((await server.rest('GET', path, { token: server.shopper })).status).toBe(403)
    }
  })
})

describe('filters (filter.clauses-all-hold)', () => {
  it.each(odd)('the filter eq(sku) of prices finds exactly %s', async (sku) => {
    const quoted = `"${sku.replace(/["\\]/g, '\\$&')}"`
    expect(skusOf(await filtered(`eq(sku,${quoted})`))).toEqual([sku])
    expect(skusOf(await filtered(`in(sku,${quoted},"none")`))).toEqual([sku])
  })

  it('price-book.skus-compare-exactly: a filter of prices compares a SKU with case and spaces', async () => {
    expect(skusOf(await filtered('eq(sku,SKU-1)'))).toEqual(['SKU-1'])
    expect(skusOf(await filtered('eq(sku,lead)'))).toEqual([])
  })

  it('the filter of prices takes eq(external_ref), several clauses that match, and clauses that exclude each other', async () => {
    expect(skusOf(await filtered('eq(external_ref,ref 3)'))).toEqual([odd[3]])
    expect(skusOf(await filtered('eq(external_ref,"ref 11"):in(sku,SKU-1,sku-1)'))).toEqual(['SKU-1'])
    expect(skusOf(await filtered('in(sku,SKU-1,"*"):in(sku,"*",sku-1):eq(sku,"*")'))).toEqual(['*'])
    expect(skusOf(await filtered('eq(sku,SKU-1):eq(sku,sku-1)'))).toEqual([])
  })

  it('the filter in(sku) of prices accepts thousands of values and sends them as one parameter', async () => {
    const values = [...Array.from({ length: 5_000 }, (_, index) => `S${index}`), '"a,b"', '"SKU-1"']
    const counted = await countStatements(database, () => filtered(`in(sku,${values.join(',')})`))
    expect(skusOf(counted.result)).toEqual(['a,b', 'SKU-1'])
    expect(counted.count).toBe(1)
  })
})

describe('number of statements', () => {
  it('a page of prices runs one statement for any length, filter and number of sales', async () => {
    for (const query of [
      '',
      '?page[limit]=1',
      '?page[limit]=100&page[offset]=3',
      '?filter=eq(sku,SKU-1):eq(external_ref,x)',
    ]) {
      expect((await countStatements(database, () => list(query))).count).toBe(1)
    }
  })

  it('adding a price runs three statements between BEGIN and COMMIT, the lock of the book, the insert and the change log’s, for any number of sales', async () => {
    const add = (sku: string, count: number) => {
      const sale = (index: number) => [`s${index}`, { schedule: { valid_from: `2026-01-${10 + index}T00:00:00Z` } }]
      const sales = Object.fromEntries(Array.from({ length: count }, (_, index) => sale(index)))
      const body = { data: { type: 'product-price', attributes: { sku, currencies: {}, sales } } }
      return server.rest('POST', `/pcm/pricebooks/${empty}/prices`, { body })
    }
    const one = await countStatements(database, () => add('few', 0))
    const many = await countStatements(database, () => add('many', 19))
    expect([one.result.status, many.result.status]).toEqual([201, 201])
    expect([one.count, many.count]).toEqual([3, 3])
  })
})
