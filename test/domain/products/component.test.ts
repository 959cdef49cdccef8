import { describe, expect, test } from 'vitest'
import { formatPath } from '../../../src/domain/input/errors.ts'
import type { BundleComponent, BundleComponents, BundleOption } from '../../../src/domain/pricing/price-record.ts'
import { selectionViolations } from '../../../src/domain/pricing/selection.ts'
import { componentViolations, nestingViolations } from '../../../src/domain/products/component.ts'

const options = (...ids: string[]): BundleOption[] => ids.map((id) => ({ id }))
const component = (given: BundleOption[], rest: Partial<BundleComponent> = {}): BundleComponent => ({ name: 'c', options: given, ...rest })
const told = (violations: ReturnType<typeof componentViolations>) => violations.map(({ code, path }) => `${code} ${formatPath(path)}`)
const one = (given: BundleOption[], rest?: Partial<BundleComponent>) => told(componentViolations({ one: component(given, rest) }))
const marked = (count: number): BundleOption[] => options('a', 'b', 'c').map((option, index) => ({ ...option, default: index < count }))

describe('what components may be written', () => {
  test('bundle.option-quantity-from-one: an option quantity below 1', () => {
    expect(
      one([
        { id: 'a', quantity: 0 },
        { id: 'b', quantity: 1 },
        { id: 'c', quantity: null },
      ]),
    ).toEqual(['OUT_OF_RANGE one.options.0.quantity'])
  })

  test('bundle.option-once-per-component: the same product twice in one component, not in two', () => {
    expect(one(options('a', 'b', 'a'))).toEqual(['DUPLICATE one.options.2.id'])
    expect(componentViolations({ one: component(options('a')), two: component(options('a')) })).toEqual([])
  })

  test('bundle.default-selection-fits: fewer options than min; as many are fine', () => {
    expect(one(options('a'), { min: 2 })).toEqual(['INVALID_STRUCTURE one.min'])
    expect(one(options('a', 'b'), { min: 2 })).toEqual([])
  })

  test('bundle.default-selection-fits: more defaults than max, or some but fewer than min; none, min and max are fine', () => {
    const found = [0, 1, 2, 3].map((count) => one(marked(count), { min: 2, max: 2 }))
    expect(found).toEqual([[], ['INVALID_STRUCTURE one.options'], [], ['INVALID_STRUCTURE one.options']])
    expect(one(marked(3), { min: null, max: null })).toEqual([])
  })

  test('bundle.default-selection-fits: bounds below 0 and max below min, since the default selection must fit', () => {
    expect(one(options('a', 'b'), { min: -1, max: -1 })).toEqual(['OUT_OF_RANGE one.min', 'OUT_OF_RANGE one.max'])
    expect(one(options('a', 'b'), { min: 2, max: 1 })).toEqual(['INVALID_STRUCTURE one.max'])
    expect(one(options('a', 'b'), { min: 0, max: 0 })).toEqual([])
  })
})

describe('bundle.one-level-of-nesting: bundles in bundles, one level', () => {
  const holding = (...ids: string[]): BundleComponents => ({ one: component(options(...ids)) })
  const nesting = (components: BundleComponents, others: Record<string, BundleComponents>) =>
    told(nestingViolations('me', components, new Map(Object.entries(others))))

  test('one level is fine, and so is a plain product or one whose components hold nothing', () => {
    expect(nesting(holding('inner', 'plain', 'empty'), { inner: holding('leaf'), empty: {} })).toEqual([])
    expect(nesting(holding('leaf'), { outer: holding('me') })).toEqual([])
    expect(nesting({}, { outer: holding('me'), outermost: holding('outer') })).toEqual([])
  })

  test('itself, or a bundle that has it as an option, is a cycle', () => {
    expect(nesting(holding('leaf', 'me'), {})).toEqual(['CYCLE one.options.1.id'])
    expect(nesting(holding('inner'), { inner: holding('leaf', 'me') })).toEqual(['CYCLE one.options.0.id'])
  })

  test('deeper than one level is refused, from above, from below and in the middle', () => {
    expect(nesting(holding('inner'), { inner: holding('innermost'), innermost: holding('leaf') })).toEqual([
      'INVALID_STRUCTURE one.options.0.id',
    ])
    expect(nesting(holding('inner'), { inner: holding('leaf'), outer: holding('me') })).toEqual(['INVALID_STRUCTURE one.options.0.id'])
    expect(nesting(holding('leaf'), { outer: holding('me'), outermost: holding('outer') })).toEqual(['INVALID_STRUCTURE '])
  })

  test('what is stored of the bundle itself does not count', () => {
    expect(nesting(holding('inner'), { me: holding('other'), inner: holding('leaf') })).toEqual([])
  })
})

describe('configureBundle: what a shopper may select', () => {
  const components: BundleComponents = {
    one: component([{ id: 'a', quantity: 2 }, { id: 'b' }, { id: 'c' }], { min: 1, max: 2 }),
    two: component(options('a')),
  }
  const selection = (given: Parameters<typeof selectionViolations>[1]) => told(selectionViolations(components, given))

  test('min and max count options: 0 of 1, 1, 2, 3 of 2', () => {
    expect(selection({ one: {} })).toEqual(['INVALID_STRUCTURE one'])
    expect(selection({})).toEqual(['INVALID_STRUCTURE one'])
    expect(selection({ one: { a: 2 } })).toEqual([])
    expect(selection({ one: { a: 2, b: 1 }, two: {} })).toEqual([])
    expect(selection({ one: { a: 2, b: 1, c: 1 } })).toEqual(['TOO_MANY one'])
  })

  test('an unknown component or option, also under names that every object has', () => {
    expect(selection({ three: {}, one: { a: 2, d: 1 } })).toEqual(['INVALID_VALUE three', 'INVALID_VALUE one.d'])
    expect(selection({ constructor: {}, one: { a: 2 } })).toEqual(['INVALID_VALUE constructor'])
    expect(selection(JSON.parse('{"one": {"a": 2}, "__proto__": {"a": 1}}'))).toEqual(['INVALID_VALUE __proto__'])
  })

  test('the quantity must be that of the option', () => {
    expect(selection({ one: { a: 1, b: 2 } })).toEqual(['INVALID_VALUE one.a', 'INVALID_VALUE one.b'])
    expect(selection({ one: { a: 2, b: 0 } })).toEqual(['INVALID_VALUE one.b'])
  })
})
