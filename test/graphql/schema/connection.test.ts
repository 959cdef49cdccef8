import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { FREE_NAME_MAX } from '../../../src/domain/input/limits.ts'
import { CURSOR_MAX, readCursor, writeCursor } from '../../../src/graphql/schema/cursor.ts'
import { useGraph } from '../../support/graph.ts'
import { fetched, frameSchema, thingId, things } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)
const PAGE = '{ nodes { rank } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }'

async function opens(
  args: string,
): Promise<{ ranks: number[]; next: boolean; previous: boolean; start: string; end: string; cursors: string[] }> {
  const { body } = await graph.post({ query: `{ opens${args} ${PAGE} }` })
  const { nodes, edges, pageInfo } = body.data.opens
  return {
    ranks: nodes.map((node: { rank: number }) => node.rank),
    cursors: edges.map((edge: { cursor: string }) => edge.cursor),
    next: pageInfo.hasNextPage,
    previous: pageInfo.hasPreviousPage,
    start: pageInfo.startCursor,
    end: pageInfo.endCursor,
  }
}

const ranks = (from: number, to: number): number[] => things.slice(from, to).map(({ rank }) => rank)

beforeEach(() => {
  fetched.windows.length = 0
  fetched.counts = 0
})

describe('graph.connections-both-ways: connections', () => {
  test('a page of a connection has 25 items by default, 100 at most, and may have 0', async () => {
    expect(await opens('')).toMatchObject({ ranks: ranks(0, 25), next: true, previous: false })
    expect(await opens('(first: 100)')).toMatchObject({ ranks: ranks(0, 100), next: true })
    expect(await opens('(first: 0)')).toEqual({
      ranks: [],
      cursors: [],
      next: false,
      previous: false,
      start: null,
      end: null,
    })
    const refused = await graph.post({ query: '{ opens(last: 101) { totalCount } }' })
    expect(refused.body.errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  test('first: 0, and a page of which only the count is selected, fetch nothing', async () => {
    await opens('(first: 0)')
    expect((await graph.post({ query: '{ opens { totalCount } }' })).body.data.opens.totalCount).toBe(130)
    expect(fetched.windows).toEqual([])
    expect(fetched.counts).toBe(1)
  })

  test('a page without totalCount counts nothing, and is fetched once for any selection', async () => {
    await opens('')
    expect(fetched.counts).toBe(0)
    expect(fetched.windows).toHaveLength(1)
  })

  test('connections can be walked forward to the end', async () => {
    const first = await opens('(first: 65)')
    expect(first).toMatchObject({ next: true, previous: false })
    const second = await opens(`(first: 65, after: "${first.end}")`)
    expect(second).toMatchObject({ ranks: ranks(65, 130), next: false, previous: true })
    expect(await opens(`(first: 64, after: "${first.end}")`)).toMatchObject({ ranks: ranks(65, 129), next: true })
    expect(await opens(`(after: "${second.end}")`)).toEqual({
      ranks: [],
      cursors: [],
      next: false,
      previous: true,
      start: null,
      end: null,
    })
  })

  test('connections can be walked backward to the start, in the same order', async () => {
    const last = await opens('(last: 65)')
    expect(last).toMatchObject({ ranks: ranks(65, 130), next: false, previous: true })
    expect(await opens(`(last: 65, before: "${last.start}")`)).toMatchObject({
      ranks: ranks(0, 65),
      next: true,
      previous: false,
    })
    expect(await opens(`(last: 64, before: "${last.start}")`)).toMatchObject({
      ranks: ranks(1, 65),
      next: true,
      previous: true,
    })
  })

  test('connections can be limited to the items between two cursors', async () => {
    const { cursors } = await opens('(first: 10)')
    expect(await opens(`(after: "${cursors[1]}", before: "${cursors[5]}")`)).toMatchObject({ ranks: [2, 3, 4] })
    expect(await opens(`(last: 2, after: "${cursors[1]}", before: "${cursors[5]}")`)).toMatchObject({
      ranks: [3, 4],
      previous: true,
    })
  })

  test('null arguments of a connection mean absent ones', async () => {
    expect((await opens('(first: null, after: null, last: null, before: null)')).ranks).toEqual(ranks(0, 25))
  })

  test('parents with the same page share the id of its window', async () => {
    await graph.post({
      query:
        '{ a: opens(first: 3) { nodes { rank } } b: opens(first: 3) { nodes { rank } } c: opens(last: 3) { nodes { rank } } }',
    })
    const [a, b, c] = fetched.windows.map(({ id }) => id)
    expect(a).toBe(b)
    expect(a).not.toBe(c)
  })
})

describe('cursors', () => {
  const order = ['integer', 'text', 'uuid'] as const
  const encode = (text: string): string => Buffer.from(text).toString('base64url')

  test('cursors are decoded to what was encoded', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'))
    fc.assert(
      fc.property(fc.maxSafeInteger(), text, fc.uuid(), (integer, name, id) => {
        const key = [integer === 0 ? 0 : integer, name, id]
        expect(readCursor(writeCursor(key), order)).toEqual(key)
      }),
    )
  })

  test.each([
    ['nothing', ''],
    ['no base64', '!!!'],
    ['no JSON', encode('{')],
    ['no array', encode('{"0":1}')],
    ['too few values', encode('[1,"a"]')],
    ['too many values', encode(`[1,"a","${thingId(1)}",1]`)],
    ['another kind', encode(`["1","a","${thingId(1)}"]`)],
    ['an integer that is none', encode(`[1.5,"a","${thingId(1)}"]`)],
    ['an integer that is not exact', encode(`[9007199254740993,"a","${thingId(1)}"]`)],
    ['a UUID that is none', encode('[1,"a","x"]')],
    ['U+0000', encode(`[1,"\\u0000","${thingId(1)}"]`)],
    ['a lone surrogate', encode(`[1,"\\ud800","${thingId(1)}"]`)],
    ['white space that this server would not write', encode(`[1, "a","${thingId(1)}"]`)],
    ['padding that this server would not write', `${writeCursor([1, 'a', thingId(1)])}=`],
    ['null', encode('null')],
  ])('the cursor %s is refused', (_, cursor) => {
    expect(readCursor(cursor, order)).toBeUndefined()
  })

  test('cursors are decoded up to their maximal length, which fits the longest name', () => {
    const key = (length: number) => ['x'.repeat((length / 4) * 3 - 4)]
    expect([writeCursor(key(CURSOR_MAX)).length, readCursor(writeCursor(key(CURSOR_MAX)), ['text'])]).toEqual([
      CURSOR_MAX,
      key(CURSOR_MAX),
    ])
    expect(readCursor(writeCursor(key(CURSOR_MAX + 4)), ['text'])).toBeUndefined()
    const name = ['\u0001'.repeat(FREE_NAME_MAX), thingId(1)]
    expect(readCursor(writeCursor(name), ['text', 'uuid'])).toEqual(name)
  })
})
