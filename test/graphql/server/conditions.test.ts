/**
 * Conditions (`@skip`, `@include`), variables and texts of operations that run often: each run responds as the first,
 * and as graphql-js does.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { expectSameRuns, RUNS, type RunRequest } from '../../support/compiled-runs.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
// A response from the cache would be no run; in production no suggestion stands behind graphql-js's messages.
const server = useServer(database, { config: { production: true, responseCacheMb: 0 } })
let id = ''

beforeAll(async () => {
  const ctx = contextOf(server.services, server.now)
  const book = await makeBook(ctx, 'Retail')
  id = book.id
  for (const sku of ['A', 'B']) await makePrice(ctx, id, sku)
})

const books = (selection: string) => `priceBooks(first: 1) { nodes ${selection} }`
const F = 'fragment F on PriceBook { name }'
const conditional = (body: string, fragments = F) => `query ($c: Boolean!) { ${body} } ${fragments}`
const isFalse = { c: false }

/** Runs an operation until it is compiled and longer; all responses must have this data and no errors. */
async function expectData(request: RunRequest, data: unknown): Promise<void> {
  await expectSameRuns(server, request)
  const { query, operationName, variables } = request
  const { body } = await server.rest('POST', '/graphql', { body: { query, operationName, variables } })
  expect({ data: body.data, errors: body.errors }).toEqual({ data, errors: undefined })
}

describe('a fragment that is left out at one place stands at the others', () => {
  const named = { nodes: [{ name: 'Retail' }] }
  const empty = { nodes: [{}] }
  test.each<[string, string, Record<string, unknown>, unknown]>([
    [
      'in another field',
      conditional(`a: ${books('{ ...F @include(if: $c) }')} b: ${books('{ ...F }')}`),
      isFalse,
      { a: empty, b: named },
    ],
    ['after it in one selection', conditional(books('{ ...F @include(if: $c) ...F }')), isFalse, { priceBooks: named }],
    [
      'before it in one selection',
      conditional(books('{ ...F ...F @include(if: $c) }')),
      isFalse,
      { priceBooks: named },
    ],
    ['without any variable', `{ ${books('{ ...F @skip(if: true) ...F }')} } ${F}`, {}, { priceBooks: named }],
    [
      'through another fragment',
      conditional(
        books('{ ...A @include(if: $c) ...B }'),
        `fragment A on PriceBook { ...F } fragment B on PriceBook { ...F } ${F}`,
      ),
      isFalse,
      { priceBooks: named },
    ],
    [
      'in an inline fragment',
      conditional(books('{ ... @include(if: $c) { ...F } ... @skip(if: $c) { ...F } }')),
      isFalse,
      { priceBooks: named },
    ],
    [
      'nowhere, and its object is empty',
      conditional(books('{ ...F @include(if: $c) }')),
      isFalse,
      { priceBooks: empty },
    ],
    [
      'nowhere, and the response is empty',
      conditional(`...G @include(if: $c)`, `fragment G on Query { ${books('{ name }')} }`),
      isFalse,
      {},
    ],
  ])('a fragment that is left out at one place stands at the others: %s', async (_, query, variables, data) => {
    await expectData({ query, variables }, data)
  })

  test('a fragment that is left out at one place stands at the others in the payload of a mutation', async () => {
    const input = `input: { id: "${id}", name: "Retail" }`
    const query = `mutation ($c: Boolean!) { updatePriceBook(${input}) { priceBook { ...F @include(if: $c) ...F } userErrors { code } } } ${F}`
    for (let run = 0; run < RUNS; run++) {
      const { data } = await server.gql(query, isFalse)
      expect(data).toEqual({ updatePriceBook: { priceBook: { name: 'Retail' }, userErrors: [] } })
    }
  })
})

describe('what is left out is not in the response', () => {
  test.each<[string, string, unknown]>([
    [
      'where it merges with what is not',
      conditional(
        books(
          '{ ... @include(if: $c) { prices(first: 1) { ... { nodes { sku } } } } prices(first: 1) { totalCount } }',
        ),
        '',
      ),
      { priceBooks: { nodes: [{ prices: { totalCount: 2 } }] } },
    ],
    [
      'nor are the errors of its fields',
      conditional(
        books(
          '{ ... @include(if: $c) { prices(first: 1) { ... { nodes { history(first: 101) { totalCount } } } } } prices(first: 1) { totalCount } }',
        ),
        '',
      ),
      { priceBooks: { nodes: [{ prices: { totalCount: 2 } }] } },
    ],
    [
      'under conditions inside of conditions',
      conditional(
        books('{ ... @skip(if: $c) { a: name ... @include(if: $c) { b: name } } c: name @skip(if: true) }'),
        '',
      ),
      { priceBooks: { nodes: [{ a: 'Retail' }] } },
    ],
  ])('what is left out is not in the response: %s', async (_, query, data) => {
    await expectData({ query, variables: isFalse }, data)
  })
})

test('the same operation responds by the values of its conditions, in any order', async () => {
  const query = `query ($c: Boolean!, $d: Boolean! = true) { ${books('{ ...F @include(if: $c) ... @skip(if: $d) { externalRef } }')} } ${F}`
  const node = { name: 'Retail', externalRef: null }
  for (let round = 0; round < RUNS; round++)
    for (const [variables, keys] of [
      [{ c: true }, ['name']],
      [{ c: false }, []],
      [{ c: true, d: false }, ['name', 'externalRef']],
      [{ c: false, d: false }, ['externalRef']],
    ] as const) {
      const { data, errors } = await server.gql(query, variables)
      const expected = Object.fromEntries(
        Object.entries(node).filter(([key]) => (keys as readonly string[]).includes(key)),
      )
      expect([data, errors]).toEqual([{ priceBooks: { nodes: [expected] } }, undefined])
    }
})

test('an operation without conditions is not changed by another one of its document', async () => {
  const query = `query A { ${books('{ ...F }')} } query B($c: Boolean!) { ${books('{ ...F @include(if: $c) }')} } ${F}`
  await expectData({ query, operationName: 'B', variables: isFalse }, { priceBooks: { nodes: [{}] } })
  await expectData({ query, operationName: 'A' }, { priceBooks: { nodes: [{ name: 'Retail' }] } })
})

describe('values that graphql-js refuses are refused at each run', () => {
  test.each<[string, string, unknown, unknown]>([
    [
      'null for a condition that has a default',
      `query ($v: Boolean = true) { ${books('{ name @include(if: $v) }')} }`,
      true,
      null,
    ],
    [
      'a list in place of an object',
      `query ($v: RecordFilter) { priceBooks(first: 1, filter: $v) { totalCount } }`,
      { name: { eq: 'Retail' } },
      [],
    ],
    [
      'two members where one is taken',
      'query ($v: CatalogProductKey!) { storefront { latestRelease { product(by: $v) { id } } } }',
      { sku: 'A' },
      { sku: 'A', id },
    ],
  ])('values that graphql-js refuses are refused at each run: %s', async (_, query, good, bad) => {
    await expectSameRuns(server, { query, variables: { v: good } })
    await expectSameRuns(server, { query, variables: { v: bad } })
    const { body } = await server.rest('POST', '/graphql', { body: { query, variables: { v: bad } } })
    expect(body.errors?.length).toBeGreaterThan(0)
  })
})

test('an absent variable inside an object is absent at each run, and null is null', async () => {
  const query = `mutation ($name: String, $text: String) {
    updatePriceBook(input: { id: "${id}", name: $name, description: $text }) { priceBook { description } userErrors { code } }
  }`
  const update = async (variables: Record<string, unknown>) => (await server.gql(query, variables)).data.updatePriceBook
  for (let run = 0; run < RUNS; run++) {
    const updated = { priceBook: { description: 'For shops' }, userErrors: [] }
    expect(await update({ name: 'Retail', text: 'For shops' })).toEqual(updated)
    expect(await update({ name: 'Retail' })).toEqual(updated)
  }
  expect(await update({ text: null })).toEqual({ priceBook: { description: null }, userErrors: [] })
})

describe('each run counts as much work', () => {
  const prices = 'prices(first: 2) { nodes { sku prices { tiers { name } } sales { name } } }'
  test.each([
    ['of lists', `{ ${books(`{ ${prices} }`)} }`],
    ['of lists in fragments', `{ ${books('{ ...P }')} } fragment P on PriceBook { ${prices} }`],
    [
      'of lists whose paths look alike',
      `{ a_b: ${books('{ name }')} b: ${books(`{ a: ${prices} }`)} nodes_a: ${books(`{ ${prices} }`)} }`,
    ],
  ])('each run of an operation counts as much work: %s', async (_, query) => {
    const costs = new Set<string>()
    for (let run = 0; run < RUNS; run++)
      costs.add(JSON.stringify((await server.gql(query, {}, { headers: { 'GraphQL-Cost': '1' } })).extensions.cost))
    expect([...costs]).toHaveLength(1)
    expect(JSON.parse([...costs].join()).spent).toBeGreaterThan(0)
  })
})

test('what is left out counts in the cost at each run: it is the cost of what was sent', async () => {
  const selection = 'history(first: 100) { nodes { before after } }'
  const query = `query ($c: Boolean!) { priceBooks(first: 100) { nodes { name prices(first: 100) @include(if: $c) { nodes { ${selection} } } } } }`
  for (let run = 0; run < RUNS; run++)
    expect((await server.gql(query, isFalse)).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COSTLY' } }])
})
