import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const BUNDLE = '0190a000-0000-7000-8000-00000000000b'
const PARENTS = 20
const PRICES = 7

let books: string[] = []
let price = ''

beforeAll(async () => {
  for (let index = 0; index < PARENTS; index++) {
    const book = await makeBook(contextOf(server.services, START + index), `Book ${index}`, {
      external_ref: `book-${index}`,
      description: 'd',
    })
    books = [...books, book.id]
    for (let number = 0; number < PRICES; number++) {
      // Two prices of each instant: the id decides between them.
      const ctx = contextOf(server.services, START + 1000 + Math.floor(number / 2))
      const sales = {
        a: { schedule: { valid_to: '2026-02-01T00:00:00Z' } },
        b: { schedule: { valid_from: '2026-01-01T00:00:00Z' } },
      }
      await makePrice(ctx, book.id, `SKU-${number}`, {
        external_ref: `ref-${number}`,
        currencies: { USD: { amount: number } },
        sales,
      })
    }
  }
  const full = await makePrice(contextOf(server.services, START), books[0] ?? '', 'FULL', {
    external_ref: null,
    currencies: {
      USD: {
        amount: 1000,
        includes_tax: true,
        tiers: {
          many: { minimum_quantity: 100, amount: 700 },
          'a longer name': { minimum_quantity: 10, amount: null },
        },
      },
      EUR: { amount: null },
    },
    sales: {
      '\u{10000}': { schedule: { valid_from: '2026-01-01T00:00:00Z' } },
      '\uffff': {
        bundle_ids: [BUNDLE],
        schedule: { valid_to: '2026-01-01T00:00:00+01:00' },
        currencies: { GBP: { amount: 0 } },
      },
    },
    admin_attributes: { b: null, a: 'x' },
    shopper_attributes: { z: '' },
  })
  price = full.id
})

const PRICE = `
  id sku externalRef owner createdAt updatedAt
  prices { currency amount { amount } includesTax tiers { name minimumQuantity amount { amount } } }
  sales { name schedule { validFrom validTo } bundleIds prices { currency amount { amount } includesTax tiers { name } } createdAt updatedAt }
  adminAttributes { key value } shopperAttributes { key value }
  priceBook { id name }`

describe('ProductPrice (graph.maps-become-lists)', () => {
  it('ProductPrice has all members, with maps as ordered lists', async () => {
    const { data, errors } = await server.gql(`query ($id: ID!) { productPrice(id: $id) { ${PRICE} } }`, { id: price })
    expect(errors).toBeUndefined()
    expect(data.productPrice).toEqual({
      id: globalId('ProductPrice', price),
      sku: 'FULL',
      externalRef: null,
      owner: 'STORE',
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
      prices: [
        { currency: 'EUR', amount: null, includesTax: false, tiers: [] },
        {
          currency: 'USD',
          amount: { amount: 1000 },
          includesTax: true,
          tiers: [
            { name: 'a longer name', minimumQuantity: 10, amount: null },
            { name: 'many', minimumQuantity: 100, amount: { amount: 700 } },
          ],
        },
      ],
      sales: [
        {
          name: '\uffff',
          schedule: { validFrom: null, validTo: '2025-12-31T23:00:00.000Z' },
          bundleIds: [globalId('Product', BUNDLE)],
          prices: [{ currency: 'GBP', amount: { amount: 0 }, includesTax: false, tiers: [] }],
          createdAt: '2026-01-15T12:00:00.000Z',
          updatedAt: '2026-01-15T12:00:00.000Z',
        },
        {
          name: '\u{10000}',
          schedule: { validFrom: '2026-01-01T00:00:00.000Z', validTo: null },
          bundleIds: [],
          prices: [],
          createdAt: '2026-01-15T12:00:00.000Z',
          updatedAt: '2026-01-15T12:00:00.000Z',
        },
      ],
      adminAttributes: [
        { key: 'a', value: 'x' },
        { key: 'b', value: null },
      ],
      shopperAttributes: [{ key: 'z', value: '' }],
      priceBook: { id: globalId('PriceBook', books[0] ?? ''), name: 'Book 0' },
    })
  })

  it('graph.global-or-raw-ids: ProductPrice is fetched by UUID, by global id and as a node; an absent one is null', async () => {
    const id = globalId('ProductPrice', price)
    const query =
      'query ($a: ID!, $b: ID!, $c: ID!) { a: productPrice(id: $a) { id } b: productPrice(id: $b) { id } c: productPrice(id: $c) { id } node(id: $b) { ... on ProductPrice { sku } } }'
    const { data } = await server.gql(query, { a: price.toUpperCase(), b: id, c: books[0] })
    expect(data).toEqual({ a: { id }, b: { id }, c: null, node: { sku: 'FULL' } })
  })

  it('ProductPrice is in the payload of the mutation that adds it, with its book', async () => {
    const mutation = `mutation ($input: AddProductPriceInput!) { addProductPrice(input: $input) { productPrice { ${PRICE} } userErrors { code } } }`
    const input = {
      priceBookId: books[1],
      sku: 'ADDED',
      prices: [
        {
          currency: 'USD',
          price: { amount: 5, includesTax: true, tiers: [{ name: 't', minimumQuantity: 2, amount: 4 }] },
        },
      ],
      sales: [
        {
          name: 's',
          bundleIds: [globalId('Product', BUNDLE)],
          schedule: { validFrom: '2026-01-01T00:00:00+01:00' },
          prices: [{ currency: 'USD', price: { amount: 3 } }],
        },
      ],
      adminAttributes: [{ key: 'k', value: 'v' }, { key: 'n' }],
    }
    const { data } = await server.gql(mutation, { input })
    const added = data.addProductPrice.productPrice
    expect(added).toMatchObject({
      sku: 'ADDED',
      prices: [
        {
          currency: 'USD',
          amount: { amount: 5 },
          includesTax: true,
          tiers: [{ name: 't', minimumQuantity: 2, amount: { amount: 4 } }],
        },
      ],
      sales: [
        {
          name: 's',
          bundleIds: [globalId('Product', BUNDLE)],
          schedule: { validFrom: '2025-12-31T23:00:00.000Z', validTo: null },
          prices: [{ currency: 'USD', amount: { amount: 3 } }],
        },
      ],
      adminAttributes: [
        { key: 'k', value: 'v' },
        { key: 'n', value: null },
      ],
      priceBook: { name: 'Book 1' },
    })
    expect(
      (await server.gql(`query ($id: ID!) { productPrice(id: $id) { ${PRICE} } }`, { id: added.id })).data.productPrice,
    ).toEqual(added)
    await database.query('test-take-back', 'DELETE FROM product_price WHERE sku = $1', ['ADDED'])
  })
})

describe('PriceBook', () => {
  it('PriceBook has its own members, and is null when absent', async () => {
    const query =
      'query ($id: ID!, $none: ID!) { priceBook(id: $id) { id name description externalRef owner createdAt updatedAt } none: priceBook(id: $none) { id } }'
    const { data } = await server.gql(query, { id: books[2], none: price })
    expect(data.none).toBeNull()
    expect(data.priceBook).toEqual({
      id: globalId('PriceBook', books[2] ?? ''),
      name: 'Book 2',
      description: 'd',
      externalRef: 'book-2',
      owner: 'STORE',
      createdAt: '2026-01-15T12:00:00.002Z',
      updatedAt: '2026-01-15T12:00:00.002Z',
    })
  })

  it('price(sku) of a book compares exactly and is null when the book has no such price; aliases share one statement', async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on PriceBook { a: price(sku: "SKU-1") { sku } b: price(sku: "sku-1") { sku } c: price(sku: "FULL") { sku } d: price(sku: "\\u0000") { sku } } } }`
    const { result, statements } = await countStatements(database, () =>
      server.gql(query, { ids: books.slice(0, 2).map((id) => globalId('PriceBook', id)) }),
    )
    expect(result.data.nodes).toEqual([
      { a: { sku: 'SKU-1' }, b: null, c: { sku: 'FULL' }, d: null },
      { a: { sku: 'SKU-1' }, b: null, c: null, d: null },
    ])
    expect(statements).toHaveLength(2)
  })
})

describe('PriceBook.prices', () => {
  const QUERY = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: ProductPriceFilter, $orderBy: ProductPriceOrderInput) {
    priceBook(id: $id) { prices(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { id sku } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } }
  }`
  type Given = Record<string, unknown>
  const connection = async (given: Given = {}) =>
    (await server.gql(QUERY, { id: books[3], ...given })).data.priceBook.prices
  const skus = (page: { nodes: { sku: string }[] }) => page.nodes.map(({ sku }) => sku)

  it.each([
    ['startsWith', { sku: { startsWith: 'SKU-1' } }, (sku: string) => sku.startsWith('SKU-1')],
    ['contains, with signs that are no wildcards', { sku: { contains: '_' } }, () => false],
    ['eq and contains', { sku: { eq: 'SKU-2', contains: '2' } }, (sku: string) => sku === 'SKU-2'],
    ['createdAt from an instant after all', { createdAt: { from: '2027-01-01T00:00:00Z' } }, () => false],
    [
      'createdAt and updatedAt before it',
      { createdAt: { before: '2027-01-01T00:00:00Z' }, updatedAt: { before: '2027-01-01T00:00:00Z' } },
      () => true,
    ],
  ])('PriceBook.prices is filtered, its count too, by %s', async (_, filter, matches) => {
    const all = Array.from({ length: PRICES }, (__, number) => `SKU-${number}`).filter(matches)
    const page = await connection({ filter })
    expect([skus(page).sort(), page.totalCount]).toEqual([all.sort(), all.length])
  })

  it('price-book.prices-oldest-first: PriceBook.prices is walked forward and backward in one order, also through equal instants', async () => {
    const whole = await connection()
    const ids = whole.nodes.map(({ id }: { id: string }) => id)
    expect(whole.totalCount).toBe(PRICES)
    expect([...skus(whole)].sort()).toEqual(Array.from({ length: PRICES }, (_, number) => `SKU-${number}`))
    const forward: string[] = []
    for (
      let page = await connection({ first: 2 });
      ;
      page = await connection({ first: 2, after: page.pageInfo.endCursor })
    ) {
      forward.push(...page.nodes.map(({ id }: { id: string }) => id))
      if (!page.pageInfo.hasNextPage) break
    }
    const backward: string[] = []
    for (
      let page = await connection({ last: 3 });
      ;
      page = await connection({ last: 3, before: page.pageInfo.startCursor })
    ) {
      backward.unshift(...page.nodes.map(({ id }: { id: string }) => id))
      if (!page.pageInfo.hasPreviousPage) break
    }
    expect(forward).toEqual(ids)
    expect(backward).toEqual(ids)
  })

  it.each([
    ['eq', { sku: { eq: 'SKU-3' } }, ['SKU-3']],
    ['in', { sku: { in: ['SKU-3', 'SKU-5', 'none'] } }, ['SKU-3', 'SKU-5']],
    ['in with nothing', { sku: { in: [] } }, []],
    ['eq and in', { sku: { eq: 'SKU-3', in: ['SKU-5'] } }, []],
    ['externalRef', { externalRef: { eq: 'ref-4' } }, ['SKU-4']],
    ['externalRef and sku', { externalRef: { eq: 'ref-4' }, sku: { in: ['SKU-4', 'SKU-5'] } }, ['SKU-4']],
    [
      'nulls, which ask for nothing',
      { externalRef: { eq: null }, sku: null },
      Array.from({ length: PRICES }, (_, number) => `SKU-${number}`),
    ],
  ])('PriceBook.prices is filtered by %s, the count too', async (_, filter, found) => {
    const page = await connection({ filter })
    expect([...skus(page)].sort()).toEqual(found)
    expect(page.totalCount).toBe(found.length)
  })

  describe('in an order', () => {
    /** As they are made, whose SKUs collations and UTF-16 sort otherwise. The first is changed last. */
    const made = ['a', 'A', '\uffff', 'b', '\u{10000}']
    let book = ''
    beforeAll(async () => {
      book = (await makeBook(contextOf(server.services, START + 10_000), 'Ordered')).id
      for (const [index, sku] of made.entries()) await makePrice(contextOf(server.services, START + index), book, sku)
      await database.pool.query(
        `UPDATE product_price SET updated_at = updated_at + interval '1 hour' WHERE price_book_id = $1 AND sku = 'a'`,
        [book],
      )
    })

    it.each([
      ['creation', { field: 'CREATED_AT' }, made],
      ['change', { field: 'UPDATED_AT' }, ['A', '\uffff', 'b', '\u{10000}', 'a']],
      ['SKU', { field: 'SKU' }, ['A', 'a', 'b', '\uffff', '\u{10000}']],
    ])(
      'PriceBook.prices is walked forward and backward by %s, and by it descending, with a filter and without',
      async (_, by, ascending) => {
        const filters = [
          [{}, made],
          [
            { sku: { in: ['a', 'b', '\uffff'] }, createdAt: { before: new Date(START + 4).toISOString() } },
            ['a', 'b', '\uffff'],
          ],
        ] as const
        for (const [filter, matching] of filters) {
          for (const direction of ['ASC', 'DESC']) {
            const order = direction === 'ASC' ? ascending : [...ascending].reverse()
            const expected = order.filter((sku) => (matching as readonly string[]).includes(sku))
            const ask = (given: Given) => connection({ id: book, filter, orderBy: { ...by, direction }, ...given })
            expect([skus(await ask({})), (await ask({})).totalCount]).toEqual([expected, expected.length])
            const forward: string[] = []
            for (let page = await ask({ first: 2 }); ; page = await ask({ first: 2, after: page.pageInfo.endCursor })) {
              forward.push(...skus(page))
              if (!page.pageInfo.hasNextPage) break
            }
            const backward: string[] = []
            for (
              let page = await ask({ last: 2 });
              ;
              page = await ask({ last: 2, before: page.pageInfo.startCursor })
            ) {
              backward.unshift(...skus(page))
              if (!page.pageInfo.hasPreviousPage) break
            }
            expect([forward, backward]).toEqual([expected, expected])
          }
        }
      },
    )

    it('PriceBook.prices refuses cursors of another order, and what prices are not ordered by', async () => {
      const { endCursor } = (await connection({ id: book, first: 1, orderBy: { field: 'SKU' } })).pageInfo
      const { errors } = await server.gql(QUERY, { id: book, after: endCursor })
      expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ path: ['after'] }] })
      expect((await server.gql(QUERY, { id: book, orderBy: { field: 'NAME' } })).errors[0].message).toContain('NAME')
    })
  })

  it('PriceBook.prices refuses forged cursors and page sizes out of range', async () => {
    const cursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
    const bad = [
      { after: 'x' },
      { after: cursor([1]) },
      { after: cursor(['2026', price]) },
      { before: cursor([1, 'x']) },
      { first: 101 },
      { first: -1 },
      { first: 1, last: 1 },
    ]
    for (const given of bad) {
      const reply = await server.gql(QUERY, { id: books[3], ...given })
      expect([given, reply.errors?.[0]?.extensions.code]).toEqual([given, 'BAD_USER_INPUT'])
    }
    const far = await server.gql(QUERY, { id: books[3], after: cursor([Number.MAX_SAFE_INTEGER, price]) })
    expect([far.errors?.[0]?.extensions.code]).toEqual(['BAD_USER_INPUT'])
  })
})

describe('statements', () => {
  const LISTING = `query ($first: Int!) { priceBooks(first: $first) { nodes { name
    prices(first: 3) { totalCount pageInfo { hasNextPage } nodes { sku sales { name prices { currency } } prices { amount { amount } } priceBook { name } } }
    filtered: prices(filter: { sku: { in: ["SKU-1", "SKU-2"] } }) { nodes { sku } }
    ordered: prices(first: 2, orderBy: { field: SKU, direction: DESC }) { nodes { sku } }
    price(sku: "SKU-2") { sku sales { name } }
  } } }`

  it('a list of price books with nested lists runs the same number of statements for 2 and 20 parents', async () => {
    const run = (first: number) => countStatements(database, () => server.gql(LISTING, { first }))
    const few = await run(2)
    const many = await run(PARENTS)
    expect(few.result.errors).toBeUndefined()
    expect(many.result.data.priceBooks.nodes).toHaveLength(PARENTS)
    for (const [index, book] of many.result.data.priceBooks.nodes.entries()) {
      expect(book.name).toBe(`Book ${index}`)
      expect(book.prices.nodes).toHaveLength(3)
      expect(book.prices.totalCount).toBe(index === 0 ? PRICES + 1 : PRICES)
      expect(
        book.prices.nodes.every((node: { priceBook: { name: string } }) => node.priceBook.name === `Book ${index}`),
      ).toBe(true)
      expect(book.ordered.nodes).toEqual([{ sku: 'SKU-6' }, { sku: 'SKU-5' }])
      expect(book.filtered.nodes.map(({ sku }: { sku: string }) => sku).sort()).toEqual(['SKU-1', 'SKU-2'])
    }
    // Books, three windows of prices, a total, a price by SKU, and the prices' books.
    expect(few.count).toBe(7)
    expect(many.count).toBe(7)
  })

  it('a page of prices is counted only when totalCount is selected, and fetched only when items are', async () => {
    const run = (selected: string) =>
      countStatements(database, () =>
        server.gql(`query ($id: ID!) { priceBook(id: $id) { prices { ${selected} } } }`, { id: books[4] }),
      )
    expect((await run('totalCount')).count).toBe(2)
    expect((await run('nodes { sku }')).count).toBe(2)
    expect((await run('totalCount nodes { sku }')).count).toBe(3)
  })
})

describe('right.shoppers-see-published-and-own: price books are for administrators', () => {
  it.each([
    ['priceBook', 'query ($book: ID!) { priceBook(id: $book) { id } }'],
    ['priceBooks', '{ priceBooks { totalCount } }'],
    ['productPrice', 'query ($price: ID!) { productPrice(id: $price) { id } }'],
    ['node', 'query ($price: ID!) { node(id: $price) { id } }'],
    ['nodes', 'query ($book: ID!) { nodes(ids: [$book]) { id } }'],
  ])('price books are refused to shoppers: %s', async (_, query) => {
    const variables = { book: globalId('PriceBook', books[0] ?? ''), price: globalId('ProductPrice', price) }
    const counted = await countStatements(database, () => server.gql(query, variables, { token: server.shopper }))
    expect(counted.result.errors[0].extensions.code).toBe('FORBIDDEN')
    expect(counted.count).toBe(0)
  })
})
