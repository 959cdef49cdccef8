import { describe, expect, it } from 'vitest'
import type { ReleaseProduct } from '../../../src/domain/catalog/released-product.ts'
import { variationMatrix, visibleVariations } from '../../../src/domain/catalog/variation-matrix.ts'

type Parent = Pick<ReleaseProduct, 'variations' | 'children' | 'build_rules'>

const size = {
  id: 'size',
  name: 'Size',
  sort_order: 1,
  options: ['s', 'm', 'l'].map((id, at) => ({ id, name: id, sort_order: at })),
}
const colour = { id: 'colour', name: 'Colour', sort_order: 2, options: ['red', 'blue'].map((id) => ({ id, name: id })) }
const none = { id: 'none', name: 'None', options: [{ id: 'x', name: 'x' }] }
const parent = (given: Partial<Parent> = {}): Parent => ({
  variations: [size, none, colour],
  children: null,
  build_rules: null,
  ...given,
})
const names = (product: Parent) =>
  visibleVariations(product)?.map(({ id, options }) => [id, ...options.map((option) => option.id)])

describe('variation.highest-sort-order-first: the order of variations and options', () => {
  it('variations and options are ordered by descending sort_order, with null last and ties in the given order', () => {
    expect(names(parent())).toEqual([
      ['colour', 'red', 'blue'],
      ['size', 'l', 'm', 's'],
      ['none', 'x'],
    ])
  })

  it('a sort_order of 0 comes before -1, and both come before null', () => {
    const options = [
      { id: 'none', name: '' },
      { id: 'below', name: '', sort_order: -1 },
      { id: 'zero', name: '', sort_order: 0 },
    ]
    expect(names(parent({ variations: [{ ...size, options }] }))).toEqual([['size', 'zero', 'below', 'none']])
  })
})

describe('variation.matrix-by-option: the variation matrix', () => {
  it('the variation matrix is {} without variations, even with children', () => {
    const children = [{ id: 'c', option_ids: [] }]
    expect(variationMatrix(parent({ variations: null, children }))).toEqual({})
    expect(variationMatrix(parent({ variations: [], children }))).toEqual({})
    expect(variationMatrix(parent())).toEqual({})
  })

  it('the variation matrix nests a level per variation in their order, with product ids as leaves', () => {
    const children = [
      { id: '1', option_ids: ['s', 'red'] },
      { id: '2', option_ids: ['red', 'l'] },
      { id: '3', option_ids: ['blue', 's'] },
    ]
    expect(variationMatrix(parent({ variations: [size, colour], children }))).toEqual({
      red: { s: '1', l: '2' },
      blue: { s: '3' },
    })
  })

  it('the variation matrix leaves out a child that lacks an option of a variation', () => {
    expect(variationMatrix(parent({ variations: [size, colour], children: [{ id: '1', option_ids: ['s'] }] }))).toEqual(
      {},
    )
  })
})

describe('the variations that a listing shows', () => {
  const rules = (given: object) => ({ default: 'include' as const, include: [], exclude: [], ...given })
  const two = { variations: [size, colour] }

  it('the variations that a listing shows are null for a product without variations', () => {
    expect(visibleVariations(parent({ variations: null }))).toBeNull()
    expect(visibleVariations(parent({ variations: [] }))).toBeNull()
  })

  it("the variations that a listing shows are all of the product's when build rules are absent or exclude nothing", () => {
    expect(names(parent(two))).toEqual(names(parent({ ...two, build_rules: rules({}) })))
  })

  it('the variations that a listing shows have only options of combinations that the build rules choose', () => {
    const excluded = rules({ exclude: [['l'], ['m', 'red']] })
    expect(names(parent({ ...two, build_rules: excluded }))).toEqual([
      ['colour', 'red', 'blue'],
      ['size', 'm', 's'],
    ])
    const included = rules({ default: 'exclude', include: [['red', 's']] })
    expect(names(parent({ ...two, build_rules: included }))).toEqual([
      ['colour', 'red'],
      ['size', 's'],
    ])
  })

  it('the variations that a listing shows are an empty list when the build rules choose nothing', () => {
    expect(names(parent({ ...two, build_rules: rules({ default: 'exclude' }) }))).toEqual([])
  })
})
