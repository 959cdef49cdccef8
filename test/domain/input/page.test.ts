import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CONNECTION_DEFAULT,
  CONNECTION_MAX,
  connectionSlice,
  PAGE_LIMIT_MAX,
  PAGE_OFFSET_MAX,
  pageMeta,
  pageOffsets,
  readConnection,
  readOffsetPage,
} from '../../../src/domain/input/page.ts'

const read = (limit?: string, offset?: string) => readOffsetPage({ limit, offset }, 25)

describe('list.pages-and-links: reading page[limit] and page[offset]', () => {
  test('without page[limit] and page[offset] the default limit and offset 0 hold', () => {
    expect(read()).toEqual({ value: { limit: 25, offset: 0 }, violations: [] })
  })

  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('page[limit]=%s is valid', (text, limit) => {
    expect(read(text)).toEqual({ value: { limit, offset: 0 }, violations: [] })
  })

  test.each(['0', '101', '-1', '', ' 5', '1.0', '1e1', '+5', 'ten', '0x10', '99999999999999999999'])(
    'page[limit]=%s is a violation',
    (text) => {
      const message = `must be an integer from 1 to ${PAGE_LIMIT_MAX}`
      expect(read(text).violations).toEqual([{ code: 'OUT_OF_RANGE', path: ['page[limit]'], message }])
    },
  )

  test.each([
    ['0', 0],
    ['-0', 0],
    ['10000', 10_000],
  ])('page[offset]=%s is valid', (text, offset) => {
    expect(read(undefined, text)).toEqual({ value: { limit: 25, offset }, violations: [] })
  })

  test.each(['-1', '10001', '1.5', ''])('page[offset]=%s is a violation', (text) => {
    const message = `must be an integer from 0 to ${PAGE_OFFSET_MAX}`
    expect(read(undefined, text).violations).toEqual([{ code: 'OUT_OF_RANGE', path: ['page[offset]'], message }])
  })

  test('an invalid page[limit] and an invalid page[offset] are both reported', () => {
    expect(read('0', '-1').violations.map(({ path }) => path)).toEqual([['page[limit]'], ['page[offset]']])
  })
})

describe('list.pages-and-links: page numbers in meta', () => {
  test.each([
    [{ limit: 25, offset: 0 }, 0, 1, 0],
    [{ limit: 25, offset: 0 }, 25, 1, 1],
    [{ limit: 25, offset: 25 }, 26, 2, 2],
    [{ limit: 10, offset: 9 }, 30, 1, 3],
    [{ limit: 10, offset: 10_000 }, 30, 1001, 3],
  ])('the page %o of %i records is page %i of %i', (page, total, current, pages) => {
    expect(pageMeta(page, total)).toEqual({ results: { total }, page: { ...page, current, total: pages } })
  })
})

describe('list.pages-and-links: links to other pages', () => {
  const cases: [string, { limit: number; offset: number }, number, (number | null)[]][] = [
    ['nothing matches', { limit: 10, offset: 0 }, 0, [0, 0, null, null, null]],
    ['the total fits one page', { limit: 10, offset: 0 }, 10, [0, 0, null, null, null]],
    ['the total fits one page, offset past the end', { limit: 10, offset: 500 }, 10, [500, 0, null, null, null]],
    ['the first of two', { limit: 10, offset: 0 }, 11, [0, 0, 10, null, 10]],
    ['the last of two', { limit: 10, offset: 10 }, 11, [10, 0, 10, 0, null]],
    ['between pages', { limit: 10, offset: 5 }, 30, [5, 0, 20, 0, 15]],
    ['one before the end', { limit: 10, offset: 19 }, 30, [19, 0, 20, 9, 29]],
    ['at the end', { limit: 10, offset: 20 }, 30, [20, 0, 20, 10, null]],
    ['past the end', { limit: 10, offset: 100 }, 30, [100, 0, 20, 90, null]],
    ['the last offset reachable', { limit: 100, offset: 9_900 }, 10_100, [9_900, 0, 10_000, 9_800, 10_000]],
    ['last and next unreachable', { limit: 100, offset: 9_901 }, 10_200, [9_901, 0, null, 9_801, null]],
  ]
  test.each(cases)('the links to other pages: %s', (_, page, total, [self, first, last, prev, next]) => {
    expect(pageOffsets(page, total)).toEqual({ self, first, last, prev, next })
  })

  test('the next links from the first page lead to every record once, and end at the last page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 2000 }), (limit, total) => {
        let seen = 0
        let offset = 0
        for (;;) {
          const { next, last } = pageOffsets({ limit, offset }, total)
          seen += Math.max(0, Math.min(limit, total - offset))
          if (next === null) {
            expect(last ?? 0).toBe(offset)
            break
          }
          offset = next
        }
        expect(seen).toBe(total)
      }),
    )
  })
})

describe('graph.connections-both-ways: paging of connections', () => {
  test('a page of a connection has 25 records from the start by default, and up to 100 from either end', () => {
    expect(readConnection({})).toEqual({ value: { limit: CONNECTION_DEFAULT, backward: false }, violations: [] })
    expect(readConnection({ first: CONNECTION_MAX }).value).toEqual({ limit: 100, backward: false })
    expect(readConnection({ last: CONNECTION_MAX, first: null }).value).toEqual({ limit: 100, backward: true })
    expect(readConnection({ first: 0 })).toEqual({ value: { limit: 0, backward: false }, violations: [] })
  })

  test.each([{ first: 101 }, { last: 101 }, { first: -1 }, { last: -1 }, { first: 1.5 }])(
    'the page of a connection by %o is a violation',
    (args) => {
      expect(readConnection(args).violations).toEqual([
        { code: 'OUT_OF_RANGE', path: [Object.keys(args)[0]], message: 'must be an integer from 0 to 100' },
      ])
    },
  )

  test('first and last together are a violation', () => {
    expect(readConnection({ first: 1, last: 1 }).violations).toEqual([
      { code: 'INVALID_VALUE', path: ['last'], message: 'must not be given beside first' },
    ])
  })

  test('a record read beyond the page is not on it, but means that more follow', () => {
    const forward = { limit: 2, backward: false }
    expect(connectionSlice([1, 2, 3], forward, {})).toEqual({ rows: [1, 2], hasNextPage: true, hasPreviousPage: false })
    expect(connectionSlice([1, 2], forward, { after: 'x' })).toEqual({
      rows: [1, 2],
      hasNextPage: false,
      hasPreviousPage: true,
    })
  })

  test('a page that is counted backward has its rows in reading order', () => {
    const backward = { limit: 2, backward: true }
    expect(connectionSlice([9, 8, 7], backward, {})).toEqual({
      rows: [8, 9],
      hasNextPage: false,
      hasPreviousPage: true,
    })
    expect(connectionSlice([9], backward, { before: 'x' })).toEqual({
      rows: [9],
      hasNextPage: true,
      hasPreviousPage: false,
    })
  })
})
