import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameProblem } from '../../../src/domain/input/text.ts'
import {
  applyProductPricePatch,
  type NewProductPrice,
  newProductPrice,
  type ProductPrice,
  readProductPrice,
} from '../../../src/domain/pricing/product-price.ts'

const NOW = Date.UTC(2026, 0, 15)

function read(attributes: unknown, create = true) {
  return readProductPrice({ type: 'product-price', attributes }, { create })
}

function patchOf(attributes: unknown, create = false): NewProductPrice {
  const { value, violations } = read(attributes, create)
  expect(violations).toEqual([])
  return value as NewProductPrice
}

function counter(): () => string {
  let count = 0
  return () => `id ${++count}`
}

function stored(attributes: object = {}): ProductPrice {
  return newProductPrice(
    'book',
    patchOf({ sku: 'SKU', currencies: { USD: { amount: 1 } }, ...attributes }, true),
    NOW,
    counter(),
  )
}

const apply = (price: ProductPrice, attributes: object, now = NOW + 1000) =>
  applyProductPricePatch(price, patchOf(attributes), now, () => 'new id')

describe('a partial update of a product price', () => {
  const whole = stored({
    external_ref: 'ref',
    sales: { s: {} },
    admin_attributes: { a: 'x' },
    shopper_attributes: { b: null },
  })

  it('a partial update of a product price returns the stored object when nothing, or only equal values are given', () => {
    expect(apply(whole, {})).toBe(whole)
    expect(
      apply(whole, {
        sku: 'SKU',
        currencies: { USD: { includes_tax: false, amount: 1 } },
        sales: { s: { currencies: null } },
        external_ref: 'ref',
      }),
    ).toBe(whole)
  })

  const cleared = { externalRef: null, adminAttributes: null, shopperAttributes: null, sales: [], currencies: {} }
  it.each([
    ['external_ref', 'externalRef', 'other', 'other'],
    ['admin_attributes', 'adminAttributes', { c: 'y' }, { c: 'y' }],
    ['shopper_attributes', 'shopperAttributes', {}, {}],
    [
      'currencies',
      'currencies',
      { EUR: { amount: 0 } },
      { EUR: { amount: 0, includes_tax: false }, USD: { amount: 1, includes_tax: false } },
    ],
  ] as const)(
    'a partial update of a product price keeps %s when absent, clears it by null, and sets a given value',
    (name, member, given, expected) => {
      expect(apply(whole, { sku: 'OTHER' })[member]).toEqual(whole[member])
      expect(apply(whole, { [name]: null })).toEqual({ ...whole, [member]: cleared[member], updatedAt: NOW + 1000 })
      expect(apply(whole, { [name]: given })).toEqual({ ...whole, [member]: expected, updatedAt: NOW + 1000 })
    },
  )

  it('patch.maps-merge-at-every-depth: a null currency is removed from a price map, a given one keeps its other fields, and other currencies stay', () => {
    const price = stored({
      currencies: { USD: { amount: 1, tiers: { t: { minimum_quantity: 2 } } }, EUR: { amount: 2 }, GBP: { amount: 3 } },
    })
    expect(apply(price, { currencies: { USD: { amount: 5 }, EUR: null } }).currencies).toEqual({
      GBP: { amount: 3, includes_tax: false },
      USD: { amount: 5, includes_tax: false, tiers: { t: { minimum_quantity: 2, amount: null } } },
    })
  })

  it('a partial update of a product price replaces its sales as a set, in which a sale of the same name keeps its id, and its updatedAt when it is equal', () => {
    const before = stored({
      sales: {
        a: { schedule: { valid_from: '2026-01-01T00:00:00Z' } },
        b: { schedule: { valid_from: '2026-01-02T00:00:00Z' } },
        c: { schedule: { valid_from: '2026-01-03T00:00:00Z' } },
      },
    })
    const [a, b] = before.sales
    const after = apply(before, {
      sales: {
        d: {
          schedule: { valid_to: '2026-01-01T00:00:00Z' },
        },
        b: { schedule: { valid_from: '2026-02-02T00:00:00Z' } },
        a: { schedule: { valid_from: '2026-01-01T01:00:00+01:00' } },
      },
    })
    expect(after.sales[0]).toBe(a)
    expect(after.sales.slice(1)).toEqual([
      { ...b, validFrom: Date.UTC(2026, 1, 2), updatedAt: NOW + 1000 },
      {
        id: 'new id',
        name: 'd',
        validFrom: null,
        validTo: Date.UTC(2026, 0, 1),
        productPriceId: before.id,
        bundleIds: [],
        currencies: {},
        createdAt: NOW + 1000,
        updatedAt: NOW + 1000,
      },
    ])
    expect(apply(before, { sales: null }).sales).toEqual([])
  })

  it('record.updated-at-rises: a partial update of a product price raises updated_at even when the clock stands still', () => {
    expect(apply(whole, { sku: 'OTHER' }, NOW - 5000).updatedAt).toBe(NOW + 1)
  })

  it('a partial update of a product price can not clear the sku, and follows the rules of a create', () => {
    const codes = (attributes: object) => read(attributes, false).violations.map(({ code }) => code)
    expect(codes({ sku: null })).toEqual(['REQUIRED'])
    expect(codes({ sku: '' })).toEqual(['TOO_SHORT'])
    expect(codes({ currencies: { USD: { tiers: { a: {} } } }, sales: { a: {}, b: {} } })).toEqual([
      'TIER_MINIMUM_QUANTITY',
      'SALE_SCHEDULE_REQUIRED',
      'SALE_SCHEDULE_REQUIRED',
    ])
  })
})

describe('rules between members of which one is malformed', () => {
  it('sale.several-need-schedules: a sale with a malformed schedule counts among the sales, and has no further violation', () => {
    const { violations } = read({ sku: 'S', currencies: {}, sales: { broken: { schedule: 5 }, open: {} } })
    expect(violations.map(({ code, path }) => [code, path.at(-2)])).toEqual([
      ['INVALID_TYPE', { key: 'broken' }],
      ['SALE_SCHEDULE_REQUIRED', { key: 'open' }],
    ])
  })

  it('tier.minimum-from-one: a tier with a malformed minimum has only that violation', () => {
    const { violations } = read({ sku: 'S', currencies: { USD: { tiers: { a: { minimum_quantity: '5' }, b: {} } } } })
    expect(violations.map(({ code }) => code)).toEqual(['INVALID_TYPE', 'TIER_MINIMUM_QUANTITY'])
  })

  it('tier.minimum-from-one, tier.minimums-differ: a wrong amount of a tier does not hide what is wrong with its minimum', () => {
    const tiers = {
      none: { amount: -1 },
      five: { minimum_quantity: 5, amount: '1' },
      again: { minimum_quantity: 5, amount: 1.5 },
    }
    const { violations } = read({ sku: 'S', currencies: { USD: { tiers } } })
    expect(violations.map(({ code, path }) => [code, path.at(-2), path.at(-1)])).toEqual([
      ['OUT_OF_RANGE', { key: 'none' }, 'amount'],
      ['INVALID_TYPE', { key: 'five' }, 'amount'],
      ['OUT_OF_RANGE', { key: 'again' }, 'amount'],
      ['TIER_MINIMUM_QUANTITY', { key: 'none' }, 'minimum_quantity'],
      ['TIER_CONFLICT', { key: 'again' }, 'minimum_quantity'],
    ])
  })

  it('tier.minimum-from-one: any number below 1 is refused by the tier’s name, any other by the range', () => {
    const violation = (minimum: number) => {
      const [first] = read({
        sku: 'S',
        currencies: { USD: { tiers: { a: { minimum_quantity: minimum } } } },
      }).violations
      return [first?.code, first?.message]
    }
    const named = ['TIER_MINIMUM_QUANTITY', 'tier "a" needs a minimum_quantity of 1 or more']
    const range = ['OUT_OF_RANGE', 'must be an integer from 1 to 9007199254740991']
    for (const minimum of [0, 0.5, -1.5, Number.NEGATIVE_INFINITY])
      expect([minimum, violation(minimum)]).toEqual([minimum, named])
    for (const minimum of [1.5, 2 ** 53, Number.POSITIVE_INFINITY])
      expect([minimum, violation(minimum)]).toEqual([minimum, range])
  })

  it('the maximum number of invalid tiers has a violation each, and one tier more only TOO_MANY', () => {
    const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`t${index}`, {}]))
    const codes = (length: number) =>
      read({ sku: 'S', currencies: { USD: { tiers: many(length) } } }).violations.map(({ code }) => code)
    expect(codes(100)).toEqual(Array(100).fill('TIER_MINIMUM_QUANTITY'))
    for (const length of [101, 150_000]) expect(codes(length)).toEqual(['TOO_MANY'])
  })
})

describe('random product prices', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 8, unit: 'binary' })
    .filter((text) => text.isWellFormed() && !text.includes('\u0000') && nameProblem(text) === undefined)
  const amount = fc.option(fc.nat(), { nil: null })
  const tiers = fc
    .uniqueArray(fc.tuple(name, fc.integer({ min: 1, max: 50 }), amount), { selector: ([key]) => key, maxLength: 4 })
    .map((list) => list.filter(([, minimum], index) => list.findIndex(([, other]) => other === minimum) === index))
    .map((list) =>
      Object.fromEntries(list.map(([key, minimum_quantity, value]) => [key, { minimum_quantity, amount: value }])),
    )
  const currencies = fc.dictionary(
    fc.stringMatching(/^[A-Z]{3}$/),
    fc.record({ amount, includes_tax: fc.boolean(), tiers }),
    {
      maxKeys: 3,
    },
  )
  const start = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_000 })
  const sales = fc
    .uniqueArray(fc.tuple(name, start, fc.integer({ min: 1, max: 500 }), currencies), {
      selector: ([key]) => key,
      maxLength: 4,
    })
    .map((list) => list.filter(([, from], index) => list.findIndex(([, other]) => other === from) === index))
    .map((list) =>
      Object.fromEntries(
        list.map(([key, from, length, prices]) => [
          key,
          {
            schedule: { valid_from: new Date(from).toISOString(), valid_to: new Date(from + length).toISOString() },
            currencies: prices,
          },
        ]),
      ),
    )
  const texts = fc.dictionary(
    name,
    fc.option(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000')),
      { nil: null },
    ),
    { maxKeys: 5 },
  )
  const attributes = fc.record({ sku: name, currencies, sales, admin_attributes: texts, shopper_attributes: texts })

  it('random product prices that follow the rules are read, and change nothing when they are given again', () => {
    fc.assert(
      fc.property(attributes, (given) => {
        const price = stored(given)
        expect(price.sku).toBe(given.sku)
        expect(Object.keys(price.currencies)).toEqual(Object.keys(given.currencies).sort())
        expect(price.sales.map((sale) => sale.name).sort()).toEqual(Object.keys(given.sales).sort())
        for (const [code, { amount: one, includes_tax }] of Object.entries(given.currencies)) {
          expect(price.currencies[code]).toMatchObject({ amount: one, includes_tax })
        }
        // Stored values come back from JSON, with their keys in another order.
        const roundTripped = JSON.parse(JSON.stringify(price)) as ProductPrice
        expect(apply(roundTripped, given)).toBe(roundTripped)
      }),
      { numRuns: 300 },
    )
  })

  it('random product prices never make the reader throw, and those that are read stay within int64 and the limits', () => {
    const anything = fc.anything({ withNullPrototype: false, maxDepth: 5 })
    const near = fc.record(
      {
        sku: anything,
        currencies: fc.dictionary(
          fc.constantFrom('USD', 'usd', '__proto__'),
          fc.oneof(anything, fc.record({ amount: anything, tiers: anything })),
        ),
        sales: fc.oneof(anything, fc.dictionary(name, anything)),
        admin_attributes: anything,
        external_ref: anything,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(anything, near), fc.boolean(), (given, create) => {
        const { value, violations } = read(given, create)
        if (violations.length > 0 || value === undefined) return
        for (const price of value.currencies?.values() ?? []) {
          expect(price?.amount == null || (Number.isSafeInteger(price.amount) && price.amount >= 0)).toBe(true)
        }
        expect(create && value.sku === undefined).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
