import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { COST_FIELDS_MAX, costOf } from '../../../src/graphql/server/cost.ts'
import { COST_MAX } from '../../../src/graphql/server/cost-tree.ts'
import { SCHEMA_WEIGHT } from '../../../src/graphql/server/cost-weights.ts'
import {
  ALIASES_MAX,
  CHARACTERS_MAX,
  DEPTH_MAX,
  DIRECTIVES_MAX,
  LINES_MAX,
  TOKENS_MAX,
} from '../../../src/graphql/server/document-limits.ts'
import { COST_HEADER } from '../../../src/graphql/server/server.ts'
import { useGraph } from '../../support/graph.ts'
import { fetched, frameSchema } from '../../support/graph-nouns.ts'

const schema = frameSchema()
const graph = useGraph(frameSchema)

function cost(text: string, variables: Record<string, unknown> = {}, name?: string): number {
  const document = parse(text)
  const operation = document.definitions.find(
    (one) => one.kind === 'OperationDefinition' && (!name || one.name?.value === name),
  )
  return costOf(schema, document, operation as never).of(variables)
}

/** The error that a document is refused with; nothing was fetched for it. */
async function refusal(query: string, variables: object = {}) {
  fetched.windows.length = 0
  const { body } = await graph.post({ query, variables })
  expect(fetched.windows).toEqual([])
  expect(body.errors).toHaveLength(1)
  expect(body).not.toHaveProperty('data')
  return body.errors[0].extensions
}

const accepted = async (query: string, variables: object = {}): Promise<boolean> =>
  (await graph.post({ query, variables })).body.errors === undefined

const values = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}: rank`).join(' ')

describe('the cost of an operation', () => {
  test.each([
    ['values cost nothing', '{ hello }', 0],
    ['an object costs one', '{ open { rank id } }', 1],
    ['objects in objects', '{ open { secret { rank } } }', 2],
    ['a connection: itself, and 25 nodes by default', '{ opens { nodes { rank } } }', 26],
    [
      'edges and their nodes',
      '{ opens(first: 10) { edges { cursor node { rank } } pageInfo { hasNextPage } totalCount } }',
      22,
    ],
    ['from the end', '{ opens(last: 3) { nodes { rank } } }', 4],
    ['an empty page', '{ opens(first: 0) { nodes { secret { rank } } } }', 1],
    ['what lies in each item', '{ opens(first: 10) { nodes { secret { rank } } } }', 21],
    ['null is the default page', '{ opens(first: null) { nodes { rank } } }', 26],
    ['more than a page may hold counts as full', '{ opens(first: 1000000) { nodes { rank } } }', 101],
    ['a list by its entries', '{ eithers(ranks: [1, 2, 3]) { __typename } }', 3],
    ['a list of one given bare', '{ eithers(ranks: 1) { __typename } }', 1],
    ['nodes by their ids', '{ nodes(ids: ["a", "b"]) { id } }', 2],
    ['up to ten values of an object are part of it', `{ open { ${values(10)} } }`, 1],
    ['and each ten more cost as much as an object', `{ opens(first: 10) { nodes { ${values(20)} } } }`, 1 + 10 * 2],
    ['fields that merge count once', '{ open { rank } open { secret { rank } } open { secret { id } } }', 2],
    ['aliases count each', '{ a: open { rank } b: open { rank } }', 2],
    [
      'a fragment counts where it is spread',
      '{ a: open { ...F } b: open { ...F } } fragment F on Open { secret { rank } }',
      4,
    ],
    ['spread twice it counts once', '{ open { ...F ...F } } fragment F on Open { secret { rank } }', 2],
    ['inline fragments', '{ open { ... { secret { rank } } ... on Open { secret { id } } } }', 2],
    [
      'a fragment called __schema',
      '{ ...__schema } fragment __schema on Query { opens(first: 100) { nodes { secret { rank } } } }',
      201,
    ],
    [
      'types of an interface, each',
      '{ nodes(ids: ["a"]) { ... on Open { secret { rank } } ... on Secret { rank } } }',
      2,
    ],
    ['introspection', '{ __schema { types { fields { type { name } } } } }', SCHEMA_WEIGHT + 1 + 10 + 100 + 100],
    ['the schema twice', '{ __schema { types { name } ... { all: types { name } } } }', 2 * SCHEMA_WEIGHT + 1 + 20],
  ])('the cost of an operation: %s', (_, text, figure) => {
    expect(cost(text)).toBe(figure)
  })

  test.each<[string, string, Record<string, unknown> | undefined, number]>([
    ['given', 'query($n: Int) { opens(first: $n) { nodes { secret { rank } } } }', { n: 50 }, 101],
    ['absent', 'query($n: Int) { opens(first: $n) { nodes { rank } } }', undefined, 26],
    ['null', 'query($n: Int) { opens(first: $n) { nodes { rank } } }', { n: null }, 26],
    ['by default', 'query($n: Int = 7) { opens(first: $n) { nodes { rank } } }', {}, 8],
    ['null beside a default', 'query($n: Int = 7) { opens(first: $n) { nodes { rank } } }', { n: null }, 26],
    ['out of range', 'query($n: Int) { opens(first: $n) { nodes { rank } } }', { n: 1e9 }, 101],
    ['negative', 'query($n: Int) { opens(first: $n) { nodes { rank } } }', { n: -5 }, 1],
    ['no number', 'query($n: Int) { opens(first: $n) { nodes { rank } } }', { n: 'x' }, 26],
    [
      'first and last',
      'query($f: Int, $l: Int) { opens(first: $f, last: $l) { nodes { rank } } }',
      { f: null, l: 40 },
      41,
    ],
    [
      'the same in two places',
      'query($n: Int) { a: opens(first: $n) { nodes { rank } } b: opens(first: $n) { nodes { id } } }',
      { n: 4 },
      10,
    ],
    ['a list', 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] }, 3],
    ['99 entries of a list', 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: Array(99).fill('a') }, 99],
    [
      '100 entries, one more for reading them',
      'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids: Array(100).fill('a') },
      101,
    ],
    [
      'each alias reads them again, on a value too',
      'query($ids: [ID!]!) { a: nodes(ids: $ids) { id } b: nodes(ids: [$ids]) { id } }',
      { ids: Array(250).fill('a') },
      250 + 2 + 1 + 2,
    ],
    ...['constructor', 'toString', '__proto__'].map((name): [string, string, Record<string, unknown>, number] => [
      `by default, when it is called ${name}`,
      `query($${name}: Int = 100) { opens(first: $${name}) { nodes { rank } } }`,
      {},
      101,
    ]),
    [
      'given, when it is called __proto__',
      'query($__proto__: Int) { opens(first: $__proto__) { nodes { rank } } }',
      JSON.parse('{"__proto__":7}'),
      8,
    ],
    ['inside a list', 'query($id: ID!) { nodes(ids: [$id, $id]) { id } }', { id: 'a' }, 2],
  ])('a variable decides the cost of an operation: %s', (_, text, variables, figure) => {
    expect(cost(text, variables)).toBe(figure)
  })

  test('the cost of nested fragments is computed or refused within a bounded time', async () => {
    const text = `{ ...F0 } ${Array.from({ length: 30 }, (_, n) => `fragment F${n} on Query { a: open { secret { id } } b: open { id } ...F${n + 1} }`).join(' ')} fragment F30 on Query { hello }`
    expect(cost(text)).toBe(3)
    const many = `{ ${Array.from({ length: 190 }, (_, n) => `a${n}: open { ...F }`).join(' ')} } fragment F on Open { ${Array.from({ length: 110 }, () => 'id rank').join(' ')} }`
    expect(await refusal(many)).toEqual({
      code: 'QUERY_TOO_COSTLY',
      figure: expect.any(Number),
      limit: COST_FIELDS_MAX,
    })
  })

  test('an operation whose cost is above the limit is refused before anything is read, with its figure', async () => {
    const query = 'query($n: Int) { opens(first: $n) { nodes { id } } ...F } fragment F on Query { opens2: hello }'
    expect(await accepted(query, { n: 100 })).toBe(true)
    // With the 990 that reading them counts it is the limit and one.
    const ids = Array.from({ length: COST_MAX + 1 - 990 }, () => 1)
    expect(await refusal('query($ranks: [Int!]!) { eithers(ranks: $ranks) { __typename } }', { ranks: ids })).toEqual({
      code: 'QUERY_TOO_COSTLY',
      figure: COST_MAX + 1,
      limit: COST_MAX,
    })
    const just = await graph.post({
      query: 'query($ranks: [Int!]!) { eithers(ranks: $ranks) { __typename } }',
      variables: { ranks: ids.slice(1) },
    })
    expect(JSON.stringify(just.body.errors ?? [])).not.toContain('QUERY_TOO_COSTLY')
  })

  test('the cost of an operation is added to the response when the header requests it', async () => {
    const query = '{ opens(first: 10) { nodes { rank } } }'
    const response = await graph.post({ query }, { headers: { [COST_HEADER]: '1' } })
    expect(response.body.extensions).toEqual({ cost: { figure: 11, spent: 0, limit: COST_MAX } })
    expect((await graph.post({ query })).body).not.toHaveProperty('extensions')
  })
})

describe('documents have limits, each with its code and figure', () => {
  const deep = (n: number) => `{ ${nest(n)} }`
  const nest = (n: number): string => (n === 1 ? 'hello' : `__schema { ${types(n - 2)} }`)
  const types = (n: number): string => `queryType { ${'ofType { '.repeat(n - 1)}name${' }'.repeat(n - 1)} }`

  test('the depth of a document is limited', async () => {
    expect(await accepted(deep(DEPTH_MAX))).toBe(true)
    expect(await refusal(deep(DEPTH_MAX + 1))).toEqual({
      code: 'QUERY_TOO_DEEP',
      figure: DEPTH_MAX + 1,
      limit: DEPTH_MAX,
    })
  })

  test('the depth of a document is limited through fragments, also through one called __schema', async () => {
    const text = (n: number) => `{ ...__schema } fragment __schema on Query { __schema { ${types(n - 2)} } }`
    expect(await accepted(text(DEPTH_MAX))).toBe(true)
    expect(await refusal(text(DEPTH_MAX + 1))).toMatchObject({ code: 'QUERY_TOO_DEEP', figure: DEPTH_MAX + 1 })
  })

  const aliases = (n: number) => Array.from({ length: n }, (_, i) => `a${i}: hello`).join(' ')
  test('the aliases of a document are limited', async () => {
    expect(await accepted(`{ ${aliases(ALIASES_MAX)} }`)).toBe(true)
    expect(await refusal(`{ ${aliases(ALIASES_MAX + 1)} }`)).toEqual({
      code: 'TOO_MANY_ALIASES',
      figure: ALIASES_MAX + 1,
      limit: ALIASES_MAX,
    })
  })

  test('the aliases of a document are limited through fragments, wherever they are spread', async () => {
    const half = ALIASES_MAX / 2
    const text = (n: number) =>
      `{ ...F ...__schema } fragment F on Query { ${aliases(half)} } fragment __schema on Query { ${aliases(n)} ... { ...G } } fragment G on Query { x: hello }`
    expect(await accepted(text(half - 1))).toBe(true)
    expect(await refusal(text(half))).toMatchObject({ code: 'TOO_MANY_ALIASES', figure: ALIASES_MAX + 1 })
    const bomb = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} ... { ...F${n + 1} } }`,
    ).join(' ')
    expect(await refusal(`{ ...F0 } ${bomb} fragment F60 on Query { a: hello }`)).toMatchObject({
      code: 'TOO_MANY_ALIASES',
    })
  })

  test('the directives of a document are limited, on variables and fragments too', async () => {
    const text = (n: number) =>
      `{ ${'... @include(if: true) { ...F } '.repeat(n - 1)} ...F @skip(if: false) } ${fragment}`
    const fragment = 'fragment F on Query { hello }'
    expect(await accepted(text(DIRECTIVES_MAX))).toBe(true)
    expect(await refusal(text(DIRECTIVES_MAX + 1))).toEqual({
      code: 'TOO_MANY_DIRECTIVES',
      figure: DIRECTIVES_MAX + 1,
      limit: DIRECTIVES_MAX,
    })
  })

  test.each([
    [
      'on each spread of one fragment',
      (n: number) => `{ ${'...F @skip(if: false) '.repeat(n)} } fragment F on Query { hello }`,
    ],
    [
      'on variables',
      (n: number) => `query (${Array.from({ length: n }, (_, at) => `$v${at}: Int @x`).join(' ')}) { hello }`,
    ],
  ])('the directives of a document are counted: %s', async (_, text) => {
    expect(await refusal(text(DIRECTIVES_MAX + 1))).toMatchObject({
      code: 'TOO_MANY_DIRECTIVES',
      figure: DIRECTIVES_MAX + 1,
    })
  })

  test('the tokens of a document are limited', async () => {
    const text = (n: number) => `{ eithers(ranks: [${'0 '.repeat(n - 12)}]) { __typename } }`
    expect(await accepted(text(TOKENS_MAX))).toBe(true)
    expect(await refusal(text(TOKENS_MAX + 1))).toEqual({
      code: 'QUERY_TOO_LONG',
      figure: TOKENS_MAX + 1,
      limit: TOKENS_MAX,
    })
  })

  test('the characters of a document are limited', async () => {
    const text = (n: number) => '{ hello }'.padEnd(n)
    expect(await accepted(text(CHARACTERS_MAX))).toBe(true)
    expect(await refusal(text(CHARACTERS_MAX + 1))).toEqual({
      code: 'QUERY_TOO_LONG',
      figure: CHARACTERS_MAX + 1,
      limit: CHARACTERS_MAX,
    })
  })

  test.each(['\n', '\r', '\r\n'])(
    'the lines of a document that end with %j are limited, in block strings too',
    async (end) => {
      expect(await accepted(`{ hello }${end.repeat(LINES_MAX - 1)}`)).toBe(true)
      const refused = { code: 'QUERY_TOO_LONG', figure: LINES_MAX + 1, limit: LINES_MAX }
      expect(await refusal(`{ hello }${end.repeat(LINES_MAX)}`)).toEqual(refused)
      expect(await refusal(`{ nodes(ids: """${end.repeat(LINES_MAX)}""") { id } }`)).toEqual(refused)
    },
  )

  test('a document with many errors reports a hundred of them, and that there are more', async () => {
    const wrong = (n: number) => `{ ${Array.from({ length: n }, (_, index) => `wrong${index}`).join(' ')} }`
    const errorsOf = async (n: number) => (await graph.post({ query: wrong(n) })).body.errors
    expect(await errorsOf(100)).toHaveLength(100)
    for (const n of [101, 2_000]) {
      const errors = await errorsOf(n)
      expect(errors).toHaveLength(101)
      expect(errors[100].message).toContain('Too many validation errors')
    }
  })

  test('a cycle of fragments is refused by its validation rule', async () => {
    expect(await refusal('{ ...A } fragment A on Query { ...A hello }')).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
    })
  })
})
