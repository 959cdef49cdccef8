import { type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../../src/graphql/schema.ts'
import { costOf } from '../../../src/graphql/server/cost.ts'
import { COST_MAX } from '../../../src/graphql/server/cost-tree.ts'
import { LIKELY_SEARCH_WEIGHT, SEARCH_WEIGHT } from '../../../src/graphql/server/cost-weights.ts'
import { refusalOf } from '../../../src/graphql/server/executor.ts'
import { HEAVY_POINTS } from '../../../src/request/concurrency-limiter.ts'
import type { Context } from '../../../src/request/context.ts'

const analysed = (lists: string, variables = '') => {
  const document = parse(`query Q${variables} { catalog(id: "1") { release(id: "latest") { ${lists} } } }`)
  return costOf(schema, document, document.definitions[0] as OperationDefinitionNode)
}
const list = (alias: string, filter: string): string =>
  `${alias}: products(first: 1${filter && `, filter: ${filter}`}) { totalCount }`
/** Points of what is searched beside the same lists without a search. */
const searchPoints = (filters: readonly string[], variables: object = {}, declared = ''): number => {
  const lists = (of: (filter: string) => string) => filters.map((filter, at) => list(`a${at}`, of(filter))).join(' ')
  return (
    analysed(
      lists((filter) => filter),
      declared,
    ).of(variables as never) - analysed(lists(() => '')).of({})
  )
}
const misspelt = (count: number): string =>
  Array.from({ length: count }, (_, at) => list(`a${at}`, `{ search: "mugg ${at}" }`)).join(' ')

describe('http.writes-leave-room: what a search can cost is in the figure', () => {
  test.each<[string, readonly string[], object, string, number]>([
    ['one search', ['{ search: "mug" }'], {}, '', 1],
    ['different texts each', ['{ search: "mug" }', '{ search: "cup" }', '{ search: "mug", onSale: true }'], {}, '', 2],
    [
      'the same text, as literal and variable',
      ['{ search: "mug" }', '{ search: $text }'],
      { text: 'mug' },
      '($text: String)',
      1,
    ],
    ['another text by a variable', ['{ search: "mug" }', '{ search: $text }'], { text: 'cup' }, '($text: String)', 2],
    ['a default', ['{ search: "mug" }', '{ search: $text }'], {}, '($text: String = "cup")', 2],
    ['a filter that is a variable', ['$filter'], { filter: { search: 'mug' } }, '($filter: CatalogProductFilter)', 1],
    [
      'a filter without a search',
      ['{ onSale: true }', '$filter'],
      { filter: { onSale: true } },
      '($filter: CatalogProductFilter)',
      0,
    ],
    ['no text', ['{ search: null }', '{ search: "" }', '{ search: $text }'], { text: null }, '($text: String)', 0],
  ])('what a search can cost is in the figure of an operation: %s', (_, filters, variables, declared, count) => {
    expect(searchPoints(filters, variables, declared)).toBe(count * SEARCH_WEIGHT)
  })

  test('a page with one search is still light, and 40 searches are refused with their number', () => {
    const page = analysed(list('a', '{ search: "mug" }'))
    expect(page.likely({})).toBe(page.of({}) - SEARCH_WEIGHT + LIKELY_SEARCH_WEIGHT)
    expect(page.likely({})).toBeLessThan(HEAVY_POINTS)
    const ctx = { viewer: { role: 'shopper' }, config: { production: true } } as Context
    expect(refusalOf(analysed(misspelt(20)), {}, ctx)).toBeNull()
    const many = analysed(misspelt(40))
    expect(many.of({})).toBeGreaterThan(COST_MAX)
    expect(refusalOf(many, {}, ctx)?.message).toBe(
      `The cost is ${many.of({})}, at most ${COST_MAX} is allowed: its 40 searches cost ${SEARCH_WEIGHT} each`,
    )
  })
})
