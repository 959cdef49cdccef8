import fc from 'fast-check'
import { type OperationDefinitionNode, parse } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../src/graphql/schema.ts'
import { costOf } from '../../../src/graphql/server/cost.ts'
import { COST_MAX } from '../../../src/graphql/server/cost-tree.ts'
import { refusalOf } from '../../../src/graphql/server/executor.ts'
import { testContext } from '../../support/graph.ts'

function costFor(text: string) {
  const document = parse(text)
  return costOf(schema, document, document.definitions[0] as OperationDefinitionNode)
}

/** A category tree of three levels, as a storefront reads it. */
const tree = (outer: number, middle: number, inner: number): string => `{
  catalog(id: "c") { release(id: "latest") { hierarchy(id: "h") {
    top: children(first: ${outer}) { nodes { children(first: ${middle}) { nodes { products(first: ${inner}) { nodes { name } } } } } }
  } } }
}`

test('the figure of a refused cost is the whole cost: it grows with every page of a tree, also far above the limit', () => {
  const figures = [1, 2, 10, 30, 99, 100].map((first) => costFor(tree(first, first, first)).of({}))
  expect(figures).toEqual(figures.toSorted((one, other) => one - other))
  // Catalog and release 3 each, hierarchy and connection 1 each, nodes and their connections 1 each, products 5 each.
  expect(figures.at(-1)).toBe(3 + 3 + 1 + 1 + 100 * (2 + 100 * (2 + 100 * 5)))
})

test('the error of a refused cost names the page that costs most, by its path in the response, and the longest page that would pass', () => {
  const error = refusalOf(costFor(tree(30, 30, 30)), {}, testContext('shopper'))
  expect(error?.extensions).toEqual({
    code: 'QUERY_TOO_COSTLY',
    figure: 136_868,
    limit: COST_MAX,
    dearest: {
      path: ['catalog', 'release', 'hierarchy', 'top', 'nodes', 'children', 'nodes', 'products'],
      first: 30,
      passes: 21,
    },
  })
  expect(error?.message).toBe(
    'The cost is 136868, at most 100000 is allowed: the page at catalog.release.hierarchy.top.nodes.children.nodes.products (30 items) costs most, with `first: 21` there it would pass',
  )
  expect(costFor(tree(30, 30, 21)).of({})).toBeLessThanOrEqual(COST_MAX)
  expect(costFor(tree(30, 30, 22)).of({})).toBeGreaterThan(COST_MAX)
})

test('an operation passes with the page length that the error names, and not with one more', () => {
  const size = fc.integer({ min: 1, max: 100 })
  fc.assert(
    fc.property(size, size, size, (outer, middle, inner) => {
      const dearest = costFor(tree(outer, middle, inner)).dearest({})
      fc.pre(
        costFor(tree(outer, middle, inner)).of({}) > COST_MAX && dearest !== null && dearest.path.at(-1) === 'products',
      )
      const passes = dearest?.passes ?? 0
      if (passes > 0) expect(costFor(tree(outer, middle, passes)).of({})).toBeLessThanOrEqual(COST_MAX)
      expect(costFor(tree(outer, middle, passes + 1)).of({})).toBeGreaterThan(COST_MAX)
    }),
    { numRuns: 300 },
  )
})

test('when several pages are each too long, the error of the cost says that shortening one is not enough', () => {
  const [, body = ''] = /\{([\s\S]*)\}/.exec(tree(100, 100, 100)) ?? []
  const error = refusalOf(costFor(`{ a: ${body.trim()} b: ${body.trim()} }`), {}, testContext('shopper'))
  expect(error?.extensions.figure).toBe(2 * costFor(tree(100, 100, 100)).of({}))
  expect(error?.message).toMatch(/ costs most, and other pages are too long as well$/)
})
