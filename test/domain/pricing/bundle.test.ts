import { describe, expect, test } from 'vitest'
import { defaultSelection } from '../../../src/domain/pricing/bundle.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import type { BundleComponent, BundleOption } from '../../../src/domain/pricing/price-record.ts'
import { toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import {
  amountOf,
  at,
  bundle,
  child,
  gross,
  plus,
  price,
  priceRecord,
  product,
  resolve,
  sale,
  usd,
} from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const listing = (item: Parameters<typeof compileProduct>[0], now = '2026-03-15T00:00:00Z') =>
  toProductPriceView(compileProduct(item), at(now))
const component = (options: BundleOption[], rest: Partial<BundleComponent> = {}): BundleComponent => ({
  name: 'c',
  options,
  ...rest,
})
const item = (id: string, amount: number) => product(priceRecord(usd(amount)), id)
const selected = (one: BundleComponent) => Object.keys(defaultSelection({ one }).one ?? {})

describe('bundle.default-selection: the default selection of a bundle', () => {
  const options = [
    { id: 'a' },
    { id: 'b', sort_order: 1 },
    { id: 'c', sort_order: 2 },
    { id: 'd', sort_order: 1 },
    { id: 'e', sort_order: null },
  ]

  test('bundle.default-selection: the default selection of a bundle has of each component the options marked default, else the first min ones', () => {
    const marked = options.map((option) => ({ ...option, default: option.id === 'a' || option.id === 'e' }))
    expect(defaultSelection({ marked: component(marked, { min: 1 }), first: component(options, { min: 2 }) })).toEqual({
      marked: { a: 1, e: 1 },
      first: { c: 1, b: 1 },
    })
  })

  test.each([undefined, null, 0])(
    'bundle.default-selection: the default selection of a bundle has no option of a component with min %s and no defaults',
    (min) => {
      expect(selected(component(options, min === undefined ? {} : { min }))).toEqual([])
    },
  )

  test('bundle.options-by-sort-order: the default selection of a bundle takes min options by descending sort_order, null last and ties in order', () => {
    expect(selected(component(options, { min: 4 }))).toEqual(['c', 'b', 'd', 'a'])
    expect(defaultSelection({ one: component([{ id: 'a', quantity: 3 }, { id: 'b' }], { min: 1 }) })).toEqual({
      one: { a: 3 },
    })
  })
})

describe('bundle.own-price-else-sum: the price of a bundle', () => {
  test('bundle.not-its-own-option: the price of a bundle is that of its own record, without sales for options of the bundle', () => {
    const self = sale('self', ...march, usd(1), ['bundle'])
    const own = priceRecord(usd(1000, { two: [2, 900] }), [self])
    const priced = bundle([item('a', 300)], undefined, own)
    expect(resolve(priced)).toMatchObject({ price: { amount: 1000, book: 'book' }, changesAt: null })
    expect(amountOf(priced, { bundleId: 'bundle' })).toBe(1000)
    expect(amountOf(priced, { quantity: 2 })).toBe(900)
  })

  const tiered = product(priceRecord(usd(100, { two: [2, 90], ten: [10, 50] })), 'a')
  const pair = bundle([tiered], { one: component([{ id: 'a', quantity: 2 }], { min: 1 }) })

  test("bundle.tier-by-units-bought: the price of a bundle counts each option at the tier of its quantity times the bundle's", () => {
    expect([1, 4, 5].map((quantity) => amountOf(pair, { quantity }))).toEqual([180, 180, 100])
    expect(listing(pair)).toMatchObject({
      price: { USD: { amount: 180 } },
      bundle_configuration: { component_products: { a: { price: { USD: { amount: 90 } } } } },
    })
  })

  test('bundle.same-product-adds-up: the price of a bundle adds the quantities of a product in two components', () => {
    const twice = bundle([tiered], {
      one: component([{ id: 'a' }], { min: 1 }),
      two: component([{ id: 'a' }], { min: 1 }),
    })
    expect(amountOf(twice)).toBe(180)
    expect(listing(twice).bundle_configuration).toEqual({
      selected_options: { one: { a: 1 }, two: { a: 1 } },
      component_products: {
        a: { price: { USD: { amount: 90, includes_tax: false } }, pricebook_id: 'book', price_modifiers: [] },
      },
    })
  })

  test('bundle.empty-selection-has-no-price: the price of a bundle is missing, and not 0, for an empty selection', () => {
    const empty = bundle([item('a', 100)], { one: component([{ id: 'a' }]) })
    expect(resolve(empty)).toEqual({ price: null, changesAt: null })
    expect(Object.keys(listing(empty))).not.toContain('price')
    expect(listing(empty).bundle_configuration?.selected_options).toEqual({ one: {} })
    expect(amountOf(empty, { selection: {} })).toBeNull()
  })

  test('bundle.currencies-of-all-options: the price of a bundle has the currencies that all selected options have', () => {
    const both = product(priceRecord({ USD: price(100), EUR: price(90) }), 'a')
    const one = { id: 'b', own: priceRecord({ EUR: price(10), GBP: price(9) }), base: null }
    const mixed = bundle([both, one])
    expect(listing(mixed).price).toEqual({ EUR: { amount: 100, includes_tax: false } })
    expect(listing(bundle([both, one], { c: component([{ id: 'a', default: true }, { id: 'b' }]) })).price).toEqual({
      EUR: { amount: 90, includes_tax: false },
      USD: { amount: 100, includes_tax: false },
    })
  })

  const flipping = product(priceRecord(usd(100), [sale('gross', ...march, { USD: gross(80) })]), 'a')

  test('bundle.options-agree-on-tax, bundle.price-may-come-and-go: the price of a bundle is missing while options disagree on tax', () => {
    const sum = bundle([flipping, item('b', 50)])
    expect(resolve(sum, { now: '2026-02-28T23:59:59.999Z' })).toMatchObject({
      price: { amount: 150, includesTax: false },
      changesAt: at(march[0]),
    })
    expect(resolve(sum, { now: march[0] })).toEqual({ price: null, changesAt: at(march[1]) })
    expect(listing(sum, march[0])).toMatchObject({ changesAt: at(march[1]) })
    expect(resolve(sum, { now: march[1] })).toMatchObject({ price: { amount: 150 }, changesAt: null })
  })

  test('bundle.options-agree-on-tax: the price of a bundle is without a list price when only the list prices disagree on includes_tax', () => {
    const sum = bundle([flipping, product(priceRecord({ USD: gross(50) }), 'b')])
    expect(resolve(sum, { now: march[0] }).price).toMatchObject({ amount: 130, includesTax: true, list: null })
    expect(resolve(sum, { now: march[1] })).toEqual({ price: null, changesAt: null })
  })

  test('bundle.live-options-only: the price of a bundle is missing when a selected option is not in the release; other options may be missing from it', () => {
    const options = [{ id: 'a' }, { id: 'gone' }]
    expect(amountOf(bundle([item('a', 100)], { one: component(options, { min: 2 }) }))).toBeNull()
    const fine = bundle([item('a', 100)], { one: component(options, { min: 1 }) })
    expect(amountOf(fine)).toBe(100)
    expect(Object.keys(listing(fine).bundle_configuration?.component_products ?? {})).toEqual(['a'])
  })

  test('bundle.options-in-its-context: the price of a bundle counts bundle sales of its options, also those that a child inherits', () => {
    const base = priceRecord(usd(100), [sale('inside', ...march, usd(60), ['bundle'])])
    const sum = bundle([child(base, [plus('p', 5)], undefined, 'a'), item('b', 1)])
    expect(resolve(sum)).toMatchObject({ price: { amount: 66, list: { amount: 106 } }, changesAt: at(march[1]) })
    expect(listing(sum).bundle_configuration?.component_products.a).toEqual({
      price: { USD: { amount: 65, includes_tax: false } },
      sale_id: 'inside',
      sale_expires: '2026-04-01T00:00:00.000Z',
      original_price: { USD: { amount: 105, includes_tax: false } },
      pricebook_id: 'book',
      price_modifiers: ['p'],
    })
  })

  test('bundle.sum-has-no-sale: a summed price of a bundle has a list price, but no book, sale or tier, and no sale keys in the listing', () => {
    const onSale = product(priceRecord(usd(100), [sale('s', ...march, usd(60))]), 'a')
    const sum = bundle([onSale], { one: component([{ id: 'a', quantity: 3 }], { min: 1 }) })
    expect(resolve(sum).price).toEqual({
      currency: 'USD',
      amount: 180,
      includesTax: false,
      list: { amount: 300, includesTax: false },
      book: null,
      productPrice: null,
      sale: null,
      tier: null,
      modifiers: [],
    })
    const { bundle_configuration: _, ...own } = listing(sum)
    expect(own).toEqual({
      price: { USD: { amount: 180, includes_tax: false } },
      pricebook_id: null,
      price_modifiers: {},
      shopper_attributes: null,
      changesAt: at(march[1]),
    })
  })

  test('bundle.one-level-of-nesting: the price of a bundle multiplies quantities of nested bundles, whose options are priced inside the inner bundle', () => {
    const sales = [
      sale('outer', null, march[1], usd(70), ['bundle']),
      sale('inner', null, march[0], usd(50), ['inner']),
    ]
    const leaf = product(priceRecord(usd(100, { twelve: [12, 40] }), sales), 'leaf')
    const components = { c: component([{ id: 'leaf', quantity: 2 }], { min: 1 }) }
    const outer = (inner: ReturnType<typeof bundle>) =>
      bundle([inner], { c: component([{ id: 'inner', quantity: 3 }], { min: 1 }) })
    const summed = outer(bundle([leaf], components, null, 'inner'))
    expect(amountOf(summed, { now: '2026-02-01T00:00:00Z' })).toBe(300)
    expect(amountOf(summed)).toBe(600)
    expect(amountOf(summed, { quantity: 2 })).toBe(240)
    expect(amountOf(outer(bundle([leaf], components, priceRecord(usd(100), sales), 'inner')))).toBe(210)
  })

  test('bundle.components-listed-anyway: the price of a bundle is not changed by component_products, which it lists with a price of its own too', () => {
    const inside = product(priceRecord(usd(100), [sale('s', ...march, usd(60), ['bundle'])]), 'a')
    expect(listing(bundle([inside], undefined, priceRecord(usd(5))))).toMatchObject({
      price: { USD: { amount: 5 } },
      bundle_configuration: {
        selected_options: { main: { a: 1 } },
        component_products: { a: { price: { USD: { amount: 60 } } } },
      },
      changesAt: at(march[1]),
    })
  })

  test('bundle.own-price-else-sum: the price of a bundle that is also a child is a sum, and not inherited', () => {
    expect(amountOf({ ...bundle([item('a', 100)]), base: priceRecord(usd(7)) })).toBe(100)
    expect(amountOf({ ...bundle([item('a', 100)], {}), base: priceRecord(usd(7)) })).toBe(7)
  })

  test('bundle.component-at-option-quantity: the listing of a bundle has each option at its own quantity, selected or not', () => {
    const components = { one: component([{ id: 'a', quantity: 10 }]), two: component([{ id: 'a', quantity: 2 }]) }
    expect(listing(bundle([tiered], components)).bundle_configuration?.component_products.a?.price).toEqual({
      USD: { amount: 90, includes_tax: false },
    })
    const chosen = toProductPriceView(compileProduct(bundle([tiered], components)), at(march[0]), { one: { a: 10 } })
    expect(chosen).toMatchObject({
      price: { USD: { amount: 500 } },
      bundle_configuration: { component_products: { a: { price: { USD: { amount: 50 } } } } },
    })
  })

  test('the price of a bundle can be that of a given selection in place of the default one', () => {
    const two = bundle([item('a', 100), item('b', 30)], {
      one: component([{ id: 'a' }, { id: 'b', quantity: 2 }], { min: 1 }),
    })
    expect([
      amountOf(two),
      amountOf(two, { selection: { one: { b: 2 } } }),
      amountOf(two, { selection: { one: { a: 1, b: 2 } } }),
    ]).toEqual([100, 60, 160])
  })

  test('money.exact-or-no-price: the price of a bundle may be 2^53-1, and is missing above it', () => {
    const half = (Number.MAX_SAFE_INTEGER - 1) / 2
    const twice = { one: component([{ id: 'a', quantity: 2 }, { id: 'b' }], { min: 2 }) }
    expect(amountOf(bundle([item('a', half), item('b', 1)], twice))).toBe(Number.MAX_SAFE_INTEGER)
    expect(amountOf(bundle([item('a', half), item('b', 2)], twice))).toBeNull()
    expect(
      amountOf(bundle([item('a', half + 1)], { one: component([{ id: 'a', quantity: 2 }], { min: 1 }) })),
    ).toBeNull()
  })
})
