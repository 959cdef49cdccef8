import fc from 'fast-check'
import { type GraphQLError, parse } from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { RUNS_BEFORE_COMPILING } from '../../../src/graphql/server/compiled.ts'
import {
  CACHED_TOKENS_MAX,
  createDocumentCache,
  DOCUMENT_TEXT_MAX,
} from '../../../src/graphql/server/document-cache.ts'
import { createExecutor, YIELD_CHARACTERS } from '../../../src/graphql/server/executor.ts'
import { jsonSize } from '../../../src/lib/json-size.ts'
import { TimeSlices } from '../../../src/lib/time-slices.ts'
import { HEAVY_POINTS } from '../../../src/request/concurrency-limiter.ts'
import { RequestWork } from '../../../src/request/request-work.ts'
import { testContext } from '../../support/graph.ts'
import { frameSchema, thingId } from '../../support/graph-nouns.ts'

const schema = frameSchema()
const interpreted = createExecutor(schema, () => null)
const ctx = testContext()

/** An executor that has compiled the document before the run whose result is returned. */
function compiled(text: string, variables: Record<string, unknown> = {}) {
  const execute = createExecutor(schema)
  const document = parse(text)
  return async () => {
    for (let run = 0; run < RUNS_BEFORE_COMPILING; run++) await execute({ document, variables }, ctx)
    return execute({ document, variables }, ctx)
  }
}

const plain = (result: unknown): unknown => JSON.parse(JSON.stringify(result))

async function same(text: string, variables: Record<string, unknown> = {}): Promise<void> {
  const expected = plain(await interpreted({ document: parse(text), variables }, ctx))
  expect(plain(await compiled(text, variables)())).toEqual(expected)
}

describe('compiled operations have the same results as interpreted ones', () => {
  test('compiled operations have the same results as interpreted ones, for any variables', async () => {
    const text =
      'query($long: Long, $at: DateTime = "2026-01-01T00:00:00Z", $text: String, $list: [Int!]) { echo(long: $long, at: $at, text: $text, list: $list) }'
    const execute = createExecutor(schema)
    const document = parse(text)
    for (let run = 0; run < RUNS_BEFORE_COMPILING; run++) await execute({ document }, ctx)
    const value = fc.oneof(
      fc.constantFrom(undefined, null, '', '2026-01-31T10:00:00Z', 2 ** 53, -0, true, [], {}),
      fc.maxSafeInteger(),
      fc.double(),
      fc.string(),
      fc.array(fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 })), { maxLength: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.record({ long: value, at: value, text: value, list: value }, { requiredKeys: [] }),
        async (variables) => {
          const expected = plain(await interpreted({ document, variables }, ctx))
          expect(plain(await execute({ document, variables }, ctx))).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['nothing found', '{ node(id: $id) { id } }'],
    ['merged selections', '{ open { rank } open { id } ... on Query { open { __typename } } }'],
    [
      'fragments in fragments',
      'fragment A on Open { ...B rank } fragment B on Open { id secret { rank } } query($id: ID!) { node(id: $id) { ...A } open { ...A } }',
    ],
    [
      'a type condition on an interface',
      'query($id: ID!) { node(id: $id) { ... on Secret { rank } ... on Node { id } } }',
    ],
    ['a union', '{ eithers(ranks: [0, 1, 2]) { __typename ... on Open { rank } ... on Secret { rank note: id } } }'],
    ['errors beside data', '{ a: fails(kind: "boom") b: fails(kind: "badRequest") hello missing }'],
    ['errors in a list', '{ failsTwice hello }'],
    ['an error that takes its parent along', '{ open { rank } missing }'],
    [
      'connections',
      '{ opens(first: 3) { totalCount edges { cursor node { rank secret { id } } } pageInfo { hasNextPage endCursor } } }',
    ],
    [
      'a mutation',
      'mutation { a: poke(input: { kind: "stale" }) { secret { rank } userErrors { code path } } b: poke(input: { kind: "boom" }) { secret { rank } } }',
    ],
    [
      'enums, scalars, introspection',
      '{ instant __schema { queryType { name } } poke: __type(name: "UserErrorCode") { enumValues { name } } }',
    ],
  ])('compiled operations have the same results as interpreted ones: %s', async (_, body) => {
    const text = body.startsWith('{ node') ? `query($id: ID!) ${body}` : body
    await same(text, { id: globalId('Open', thingId(4)) })
    await same(text, { id: globalId('Open', thingId(999)) })
    await same(text, {})
  })

  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('compiled operations have the same results with @include(if: %s) and @skip(if: %s)', async (include, skip) => {
    const text = `query($i: Boolean!, $s: Boolean!) {
      a: hello @include(if: $i) b: hello @skip(if: $s) c: hello @include(if: $i) @skip(if: $s)
      open @include(if: $i) { rank } ...F @skip(if: $s) ... on Query @include(if: $i) { d: hello e: open { rank @skip(if: $s) id } }
    }
    fragment F on Query { d: hello f: opens(first: 2) { nodes { rank @include(if: $i) id } } }`
    await same(text, { i: include, s: skip })
  })

  test('compiled operations report the same locations of errors, for all line breaks', async () => {
    await same('{\n  hello\r\n  fails(\r kind: "boom")\n\n\n  a: fails(kind: "forbidden") }')
  })

  test('several operations of one document are compiled separately', async () => {
    const execute = createExecutor(schema)
    const document = parse('query A { hello } query B { instant } query C { missing }')
    for (let run = 0; run < 5; run++) {
      expect(await execute({ document, operationName: 'A' }, ctx)).toEqual({ data: { hello: 'world' } })
      expect(await execute({ document, operationName: 'B' }, ctx)).toEqual({
        data: { instant: '2026-01-15T12:00:00.000Z' },
      })
      expect((await execute({ document }, ctx)).errors).toHaveLength(1)
    }
  })

  test.each([
    // The marks by which graphql-jit writes values into its code that JSON does not know.
    ['a date', '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d0'],
    ['a number', '__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8'],
  ])('a text in a document never becomes code, such as %s', async (_, text) => {
    expect((await compiled(`{ echo(text: "${text}") }`)()).data).toEqual({ echo: JSON.stringify({ text }) })
    expect((await compiled('query($text: String) { echo(text: $text) }', { text })()).data).toEqual({
      echo: JSON.stringify({ text }),
    })
  })

  test.each([
    ['__proto__', '{ __proto__: hello open { __proto__: rank } }'],
    ['an absent variable in a list', 'query($a: Int) { echo(list: [1, $a]) }'],
    ['several errors of which one makes their parent null', '{ a: missing b: fails(kind: "boom") }'],
    ['errors in the items of a list', '{ opens(first: 2) { nodes { secret { rank } note } } missing }'],
  ])('compiled operations have the same results as interpreted ones in odd cases: %s', async (_, text) => {
    await same(text)
  })

  test('one compiled operation serves requests of different viewers', async () => {
    const execute = createExecutor(schema)
    const document = parse('{ secret { rank } }')
    for (let run = 0; run < 5; run++) {
      expect((await execute({ document }, ctx)).data).toEqual({ secret: { rank: 0 } })
      const refused = await execute({ document }, testContext('shopper'))
      expect(refused.errors?.map((error: GraphQLError) => error.extensions.code)).toEqual(['FORBIDDEN'])
    }
  })
})

describe('before the response is written, other requests run', () => {
  const text = 'query($text: String) { echo(text: $text) }'
  const empty = jsonSize({ echo: '{"text":""}' }, YIELD_CHARACTERS)

  /**
   * Whether an operation that has spent `points` and responds with `characters` ends only after the other requests of
   * its time slice.
   */
  async function endsAfterOthers(characters: number, points = 0): Promise<boolean> {
    const slices = new TimeSlices()
    let endOthers: () => void = () => undefined
    vi.spyOn(slices, 'turn').mockReturnValue(
      new Promise((resolve) => {
        endOthers = resolve
      }),
    )
    const work = new RequestWork(slices)
    work.spend(points)
    const variables = { text: 'x'.repeat(characters - empty) }
    const result = interpreted({ document: parse(text), variables }, testContext('admin', { work }))
    const waits = (await Promise.race([result, new Promise((resolve) => setImmediate(resolve, 'waits'))])) === 'waits'
    endOthers()
    expect((await result).data?.echo).toBe(`{"text":"${variables.text}"}`)
    return waits
  }

  test('other requests run before a response is written if it is large', async () => {
    expect(await endsAfterOthers(YIELD_CHARACTERS)).toBe(false)
    expect(await endsAfterOthers(YIELD_CHARACTERS + 1)).toBe(true)
  })

  test('other requests run before a response is written if its operation is heavy', async () => {
    expect(await endsAfterOthers(empty, HEAVY_POINTS)).toBe(false)
    expect(await endsAfterOthers(empty, HEAVY_POINTS + 1)).toBe(true)
  })
})

describe('the document cache', () => {
  const document = parse('{ hello }')

  test('the document cache is bounded in number: the least recently used document is evicted', () => {
    const cache = createDocumentCache(4)
    for (const text of ['a', 'b', 'c', 'd']) cache.set(text, document)
    cache.get('a')
    cache.set('e', document)
    expect(['a', 'b', 'c', 'd', 'e'].map((text) => cache.get(text) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
  })

  test('the document cache is bounded in tokens, with comments: the least recently used documents are evicted', () => {
    // Beside the braces, the start and the end of the text are tokens.
    const tokens = (count: number) => parse(`{ ${'a '.repeat(count - 4)} }`)
    const half = CACHED_TOKENS_MAX / 2
    const cache = createDocumentCache()
    cache.set('a', tokens(half))
    cache.set('b', tokens(half))
    expect(['a', 'b'].map((text) => cache.get(text) !== undefined)).toEqual([true, true])
    cache.set('c', parse(`#\n#\n#\n{ hello }`))
    expect(['a', 'b', 'c'].map((text) => cache.get(text) !== undefined)).toEqual([false, true, true])
    cache.set('d', parse(`{ hello } ${'#\n'.repeat(half)}`))
    expect(['b', 'c', 'd'].map((text) => cache.get(text) !== undefined)).toEqual([false, true, true])
  })

  test('the document cache keeps texts up to its limit', () => {
    const cache = createDocumentCache()
    const text = 'x'.repeat(DOCUMENT_TEXT_MAX)
    cache.set(text, document)
    cache.set(`${text}x`, document)
    expect([cache.get(text), cache.get(`${text}x`)]).toEqual([document, undefined])
  })
})
