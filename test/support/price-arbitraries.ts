/**
 * Price arbitraries: generated prices for property tests, of few values, so that bounds, ties and overlaps are
 * frequent.
 */
import fc from 'fast-check'
import {
  type BundleComponents,
  type CurrencyPriceRecords,
  modifierTypes,
  type ReleaseModifier,
  type ReleasePriceRecord,
  type ReleasePricing,
  type ReleaseSale,
} from '../../src/domain/pricing/price-record.ts'

export const currencies = ['EUR', 'GBP', 'USD'] as const
const top = Number.MAX_SAFE_INTEGER

const amount = fc.oneof(
  { arbitrary: fc.constantFrom(100, 200, 500, 1000), weight: 12 },
  { arbitrary: fc.constantFrom(0, 1, null), weight: 3 },
  { arbitrary: fc.constantFrom(top, top - 1, top - 500, Math.floor(top / 2)), weight: 1 },
)
const minimum = fc.constantFrom(1, 2, 3, 4, 6, 10)
const tierNames = ['t1', 't2', 'bulk', '__proto__']

const tiers = fc
  .uniqueArray(fc.record({ minimum_quantity: minimum, amount }), {
    selector: (tier) => tier.minimum_quantity,
    maxLength: 3,
  })
  .map((list) => Object.fromEntries(list.map((tier, index) => [tierNames[index] ?? 'more', tier])))

const stored = fc
  .record({ amount, includes_tax: fc.boolean(), tiers: fc.option(tiers, { freq: 2, nil: undefined }) })
  .map(({ tiers: given, ...rest }) => {
    return given === undefined ? rest : { ...rest, tiers: given }
  })

/** Mostly net, so that sums (bundle.options-agree-on-tax) often agree. */
const net = fc
  .tuple(stored, fc.integer({ min: 0, max: 5 }))
  .map(([price, die]) => (die === 0 ? price : { ...price, includes_tax: false }))

const currencyMap: fc.Arbitrary<CurrencyPriceRecords> = fc
  .tuple(
    net,
    fc.integer({ min: 0, max: 9 }),
    fc.uniqueArray(fc.tuple(fc.constantFrom(...currencies), net), { selector: ([code]) => code, maxLength: 2 }),
  )
  .map(([usd, die, entries]) => Object.fromEntries(die === 0 ? entries : [...entries, ['USD', usd]]))

/** Instants on a grid of seconds, and one millisecond before and after, as the bounds of schedules are on the grid. */
const grid = fc.integer({ min: 0, max: 8 }).map((step) => step * 1000)
export const instant = fc
  .tuple(fc.integer({ min: -1, max: 9 }), fc.constantFrom(-1, 0, 0, 0, 1))
  .map(([step, off]) => step * 1000 + off)

const schedule = fc.oneof(
  {
    arbitrary: fc
      .tuple(grid, grid)
      .map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a === b ? a + 1000 : a })),
    weight: 6,
  },
  { arbitrary: grid.map((from) => ({ from, to: null })), weight: 2 },
  { arbitrary: grid.map((to) => ({ from: null, to })), weight: 2 },
  { arbitrary: fc.constant({ from: null, to: null }), weight: 1 },
)

// U+FF5E comes after U+1F600 in UTF-16 and before it in code points.
const saleNames = ['summer', 'Summer', 'a', '\uff5e', '\u{1f600}', 'summer2', '__proto__']
const saleBundles = fc.oneof(
  { arbitrary: fc.constant<string[]>([]), weight: 3 },
  { arbitrary: fc.subarray(['outer', 'inner', 'p1'], { minLength: 1 }), weight: 1 },
)

const sales: fc.Arbitrary<ReleaseSale[]> = fc
  .tuple(
    fc.shuffledSubarray(saleNames, { maxLength: 5 }),
    fc.array(fc.record({ schedule, bundles: saleBundles, currencies: currencyMap }), { minLength: 5, maxLength: 5 }),
  )
  .map(([names, bodies]) =>
    names.flatMap((name, index) => {
      const body = bodies[index]
      return body === undefined ? [] : [{ name, ...body.schedule, bundles: body.bundles, currencies: body.currencies }]
    }),
  )

export const priceRecord: fc.Arbitrary<ReleasePriceRecord> = fc
  .record({ currencies: currencyMap, sales })
  .map(({ currencies: list, sales: given }) => ({
    id: 'row',
    book: 'book',
    currencies: list,
    sales: given,
    shopper_attributes: null,
  }))

const modifierNames = ['m1', 'm2', 'm3', 'm4', 'unknown']
const modifiers: fc.Arbitrary<ReleaseModifier[]> = fc
  .array(fc.tuple(fc.constantFrom(...modifierTypes), currencyMap), { minLength: 4, maxLength: 4 })
  .map((list) =>
    list.map(([type, prices], index) => ({ name: modifierNames[index] ?? 'more', type, currencies: prices })),
  )

export const plainProduct = (id: string): fc.Arbitrary<ReleasePricing> =>
  priceRecord.map((own) => ({ id, own, base: null }))

export const childProduct = (id: string): fc.Arbitrary<ReleasePricing> =>
  fc
    .record({
      base: priceRecord,
      modifiers,
      modifier_names: fc.array(fc.constantFrom(...modifierNames), { maxLength: 6 }),
    })
    .map((unit) => ({ id, own: null, ...unit }))

const leaf = (id: string): fc.Arbitrary<ReleasePricing> =>
  fc.oneof(
    { arbitrary: plainProduct(id), weight: 16 },
    { arbitrary: childProduct(id), weight: 8 },
    { arbitrary: fc.constant({ id, own: null, base: null }), weight: 1 },
  )

const sortOrder = fc.constantFrom(undefined, null, 0, 1, 1, 2)
const componentsOf = (ids: readonly string[]): fc.Arbitrary<BundleComponents> => {
  const option = fc.record({
    id: fc.constantFrom(...ids),
    quantity: fc.constantFrom(undefined, null, 1, 2, 3),
    sort_order: sortOrder,
    default: fc.constantFrom(undefined, null, false, false, true),
  })
  const component = fc
    .record({
      min: fc.constantFrom(undefined, null, 0, 1, 1, 1, 1, 2, 2),
      options: fc.uniqueArray(option, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
    })
    .map(({ min, options }) => ({
      name: 'component',
      min: min ?? null,
      options: options.map(({ sort_order, ...rest }) => ({
        ...rest,
        quantity: rest.quantity ?? null,
        default: rest.default ?? null,
        sort_order: sort_order ?? null,
      })),
    }))
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom('c1', 'c2', '__proto__'), component), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 2,
    })
    .map((list) => Object.fromEntries(list))
}

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, { arbitrary, weight: 1 })

/**
 * A bundle whose options may be summed bundles themselves; `gone` is an option outside the release
 * (bundle.live-options-only).
 */
export const bundleProduct: fc.Arbitrary<ReleasePricing> = fc
  .record({
    leaves: fc.tuple(leaf('p1'), leaf('p2'), leaf('p3')),
    inner: componentsOf([...Array(12).fill('p1'), ...Array(12).fill('p2'), 'gone']),
    innerRow: sometimes(priceRecord),
    components: componentsOf([...Array(8).fill(['p1', 'p2', 'p3', 'inner']).flat(), 'gone']),
    own: sometimes(priceRecord),
  })
  .map(({ leaves: [p1, p2, p3], inner, innerRow, components, own }) => {
    const held: ReleasePricing = { id: 'inner', own: innerRow, base: null, components: inner, options: { p1, p2 } }
    return { id: 'outer', own, base: null, components, options: { p1, p2, p3, inner: held } }
  })

/** A shopper's selection of `bundleUnit`, within its components or not; null: the default one. */
export const selection = sometimes(
  fc.dictionary(
    fc.constantFrom('c1', 'c2', '__proto__'),
    fc.dictionary(fc.constantFrom('p1', 'p2', 'p3', 'inner', 'gone'), fc.integer({ min: 1, max: 3 }), { maxKeys: 3 }),
    {
      maxKeys: 2,
    },
  ),
)

export const currency = fc.constantFrom('USD', 'USD', 'USD', 'USD', 'USD', 'EUR', 'EUR', 'GBP', 'XXX')
export const quantity = fc.constantFrom(1, 1, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, top)
export const bundleId = fc.constantFrom(null, null, 'outer', 'inner', 'p1')
