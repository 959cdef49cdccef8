import { describe, expect, test } from 'vitest'
import { formatPath } from '../../../src/domain/input/errors.ts'
import type { BundleComponent, BundleComponents, BundleOption } from '../../../src/domain/pricing/price-record.ts'
import { checkSelection } from '../../../src/domain/pricing/selection.ts'
import { componentViolations, nestingViolations } from '../../../src/domain/products/component.ts'

const options = (...ids: string[]): BundleOption[] => ids.map((id) => ({ id }))
const component = (given: BundleOption[], rest: Partial<BundleComponent> = {}): BundleComponent => ({
  name: 'c',
  options: given,
  ...rest,
})
const codesOf = (violations: ReturnType<typeof componentViolations>) =>
  violations.map(({ code, path }) => `${code} ${formatPath(path)}`)
const one = (given: BundleOption[], rest?: Partial<BundleComponent>) =>
  codesOf(componentViolations({ one: component(given, rest) }))
const marked = (count: number): BundleOption[] =>
  options('a', 'b', 'c').map((option, index) => ({ ...option, default: index < count }))

describe('the rules of components', () => {
  test('bundle.option-quantity-from-one: an option quantity below 1 is OUT_OF_RANGE', () => {
    expect(
      one([
        { id: 'a', quantity: 0 },
        { id: 'b', quantity: 1 },
        { id: 'c', quantity: null },
      ]),
    ).toEqual(['OUT_OF_RANGE one.options.0.quantity'])
  })

  test('bundle.option-once-per-component: the same product twice in one component is DUPLICATE', () => {
    expect(one(options('a', 'b', 'a'))).toEqual(['DUPLICATE one.options.2.id'])
    expect(componentViolations({ one: component(options('a')), two: component(options('a')) })).toEqual([])
  })

  test('bundle.default-selection-fits: a component with fewer options than min is a violation, with as many it is valid', () => {
    expect(one(options('a'), { min: 2 })).toEqual(['INVALID_STRUCTURE one.min'])
    expect(one(options('a', 'b'), { min: 2 })).toEqual([])
  })

  test('bundle.default-selection-fits: the default options of a component must number between min and max, or none', () => {
    const found = [0, 1, 2, 3].map((count) => one(marked(count), { min: 2, max: 2 }))
    expect(found).toEqual([[], ['INVALID_STRUCTURE one.options'], [], ['INVALID_STRUCTURE one.options']])
    expect(one(marked(3), { min: null, max: null })).toEqual([])
  })

  test('bundle.default-selection-fits: bounds of a component below 0, and a max below min, are violations', () => {
    expect(one(options('a', 'b'), { min: -1, max: -1 })).toEqual(['OUT_OF_RANGE one.min', 'OUT_OF_RANGE one.max'])
    expect(one(options('a', 'b'), { min: 2, max: 1 })).toEqual(['INVALID_STRUCTURE one.max'])
    expect(one(options('a', 'b'), { min: 0, max: 0 })).toEqual([])
  })
})

describe('bundle.one-level-of-nesting: bundles as options of bundles', () => {
  const holding = (...ids: string[]): BundleComponents => ({ one: component(options(...ids)) })
  const nesting = (components: BundleComponents, others: Record<string, BundleComponents>) =>
    codesOf(nestingViolations('me', components, new Map(Object.entries(others))))

  test('a bundle may have as options bundles, plain products and products with empty components', () => {
    expect(nesting(holding('inner', 'plain', 'empty'), { inner: holding('leaf'), empty: {} })).toEqual([])
    expect(nesting(holding('leaf'), { outer: holding('me') })).toEqual([])
    expect(nesting({}, { outer: holding('me'), outermost: holding('outer') })).toEqual([])
  })

  test('a bundle that has itself, or a bundle with it, as an option is CYCLE', () => {
    expect(nesting(holding('leaf', 'me'), {})).toEqual(['CYCLE one.options.1.id'])
    expect(nesting(holding('inner'), { inner: holding('leaf', 'me') })).toEqual(['CYCLE one.options.0.id'])
  })

  test('a bundle nested at a second level is a violation, whichever of the bundles is written', () => {
    expect(nesting(holding('inner'), { inner: holding('innermost'), innermost: holding('leaf') })).toEqual([
      'INVALID_STRUCTURE one.options.0.id',
    ])
    expect(nesting(holding('inner'), { inner: holding('leaf'), outer: holding('me') })).toEqual([
      'INVALID_STRUCTURE one.options.0.id',
    ])
    expect(nesting(holding('leaf'), { outer: holding('me'), outermost: holding('outer') })).toEqual([
      'INVALID_STRUCTURE ',
    ])
  })

  test('the stored components of the bundle that is being written are ignored', () => {
    expect(nesting(holding('inner'), { me: holding('other'), inner: holding('leaf') })).toEqual([])
  })
})

describe('configureBundle: the selection of a shopper', () => {
  const components: BundleComponents = {
    one: component([{ id: 'a', quantity: 2 }, { id: 'b' }, { id: 'c' }], { min: 1, max: 2 }),
    two: component(options('a')),
  }
  const choice = (name: string, ...chosen: [string, number?][]) => ({
    component: name,
    options: chosen.map(([productId, quantity = null]) => ({ productId, quantity })),
  })
  const check = (...given: ReturnType<typeof choice>[]) => checkSelection(components, given)
  const issues = (...given: ReturnType<typeof choice>[]) => codesOf([...check(...given).issues])

  test('a selection must have at least min and at most max options of each component', () => {
    expect(issues(choice('one'))).toEqual(['INVALID_STRUCTURE 0.options'])
    expect(check().issues).toEqual([
      {
        code: 'INVALID_STRUCTURE',
        path: [],
        message: 'must have at least 1 option of the component one',
        params: [
          { name: 'min', value: '1' },
          { name: 'max', value: '2' },
          { name: 'key', value: 'one' },
        ],
      },
    ])
    expect(
      checkSelection({ one: component(options('a', 'b'), { max: 1 }) }, [choice('one', ['a'], ['b'])]).issues,
    ).toMatchObject([{ message: 'must have at most 1 option' }])
    expect(issues(choice('one', ['a', 2]))).toEqual([])
    expect(issues(choice('one', ['a', 2], ['b', 1]), choice('two'))).toEqual([])
    expect(issues(choice('one', ['a'], ['b'], ['c']))).toEqual(['TOO_MANY 0.options'])
  })

  test('a selection must not have an unknown component or option, nor one named like a member of Object.prototype', () => {
    expect(issues(choice('three'), choice('one', ['a', 2], ['d', 1]))).toEqual([
      'INVALID_VALUE 0.component',
      'INVALID_VALUE 1.options.1.productId',
    ])
    for (const name of ['constructor', '__proto__']) {
      expect(issues(choice(name, ['a']), choice('one', ['a']))).toEqual(['INVALID_VALUE 0.component'])
    }
  })

  test('bundle.option-has-its-quantity: a selection may leave the quantity of an option out, and must not have another one', () => {
    expect(check(choice('one', ['a'], ['b']))).toEqual({ selection: { one: { a: 2, b: 1 }, two: {} }, issues: [] })
    expect(issues(choice('one', ['a', 1], ['b', 2]))).toEqual([
      'INVALID_VALUE 0.options.0.quantity',
      'INVALID_VALUE 0.options.1.quantity',
    ])
    expect(issues(choice('one', ['a', 2], ['b', 0]))).toEqual(['INVALID_VALUE 0.options.1.quantity'])
  })

  test('bundle.wrong-choice-is-a-state: a configured bundle keeps what is known of a wrong selection', () => {
    const { selection, issues: found } = check(
      choice('two', ['a'], ['x'], ['a']),
      choice('three', ['a']),
      choice('two'),
    )
    expect(selection).toEqual({ one: {}, two: { a: 1 } })
    expect(codesOf([...found])).toEqual([
      'INVALID_VALUE 0.options.1.productId',
      'DUPLICATE 0.options.2.productId',
      'INVALID_VALUE 1.component',
      'DUPLICATE 2.component',
      'INVALID_STRUCTURE ',
    ])
  })
})
