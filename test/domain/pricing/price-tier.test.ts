import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { type ProductPriceView, toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import { isQuantity, tierViolations } from '../../../src/domain/pricing/tier.ts'
import {
  amountOf,
  at,
  bundle,
  child,
  equals,
  modifier,
  plus,
  priceRecord,
  product,
  resolve,
  sale,
  usd,
} from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const tiersOf = (item: Parameters<typeof compileProduct>[0], now = '2026-03-15T00:00:00Z'): unknown => {
  const listing: ProductPriceView = toProductPriceView(compileProduct(item), at(now))
  return listing.price?.USD?.tiers
}

describe('quantity tiers', () => {
  const tiered = usd(1000, { five: [5, 900], ten: [10, 800] })

  test('tier.highest-reached-applies: quantity tiers apply from their minimum_quantity up to the next one', () => {
    const item = product(priceRecord(tiered))
    expect([1, 4, 5, 9, 10, Number.MAX_SAFE_INTEGER].map((quantity) => amountOf(item, { quantity }))).toEqual([
      1000, 1000, 900, 900, 800, 800,
    ])
  })

  test('tier.highest-reached-applies: quantity tiers apply even when a lower tier is cheaper', () => {
    expect(amountOf(product(priceRecord(usd(1000, { ten: [10, 1200], five: [5, 900] }))), { quantity: 10 })).toBe(1200)
  })

  test.each([
    [1, true],
    [Number.MAX_SAFE_INTEGER, true],
    [0, false],
    [-1, false],
    [1.5, false],
    [Number.MAX_SAFE_INTEGER + 1, false],
    [Number.NaN, false],
  ])('price.quantity-from-one: whether the quantity %d is valid is %s', (quantity, fine) => {
    expect(isQuantity(quantity)).toBe(fine)
  })

  test('price.amount-is-per-unit: a price in a quantity tier is that of one unit or one bundle, never a line total', () => {
    const item = product(priceRecord(tiered))
    expect(amountOf(item, { quantity: 5 })).toBe(900)
    expect(amountOf(bundle([item]), { quantity: 5 })).toBe(900)
  })

  test('price.list-price-before-tiers: the list price is the same whatever quantity tiers and sales apply', () => {
    const onSale = product(priceRecord(tiered, [sale('s', ...march, usd(700))]))
    expect(resolve(onSale, { quantity: 5 }).price).toMatchObject({ amount: 700, list: { amount: 1000 }, tier: null })
    expect(resolve(product(priceRecord(tiered)), { quantity: 5 }).price).toMatchObject({
      amount: 900,
      list: { amount: 1000 },
      tier: 'five',
    })
    expect(resolve(onSale).price).toMatchObject({ amount: 700, list: { amount: 1000 } })
    const permanent = product(priceRecord(tiered, [sale('s', null, null, usd(700))]))
    expect(resolve(permanent, { quantity: 5 }).price).toMatchObject({ amount: 700, list: { amount: 1000 }, tier: null })
  })

  test("tier.named-when-it-supplies: quantity tiers are named when they supply the amount, but never a modifier's", () => {
    expect(resolve(product(priceRecord(tiered)), { quantity: 5 }).price?.tier).toBe('five')
    expect(resolve(child(priceRecord(tiered), [plus('p', 1)]), { quantity: 5 }).price).toMatchObject({
      amount: 901,
      tier: 'five',
    })
    const withTier = modifier('p', 'price_increment', usd(50, { two: [2, 40] }))
    expect(resolve(child(priceRecord(usd(1000)), [withTier]), { quantity: 2 }).price).toMatchObject({
      amount: 1040,
      tier: null,
    })
    expect(resolve(child(priceRecord(tiered), [equals('e', 5)]), { quantity: 5 }).price).toMatchObject({
      amount: 5,
      tier: null,
    })
    expect(resolve(bundle([product(priceRecord(tiered))]), { quantity: 5 }).price).toMatchObject({
      amount: 900,
      tier: null,
    })
  })

  const saleTiers = usd(700, { two: [2, 650], five: [5, 600], nine: [9, 550] })

  test('tier.listing-shows-those-that-supply: quantity tiers are listed with their minimums only, those of the list price without a sale', () => {
    expect(tiersOf(product(priceRecord(tiered)))).toEqual({
      five: { minimum_quantity: 5 },
      ten: { minimum_quantity: 10 },
    })
    expect(tiersOf(product(priceRecord(usd(1000, { none: [2, null] }))))).toBeUndefined()
    expect(tiersOf(product(priceRecord(usd(1000, {}))))).toBeUndefined()
  })

  test('tier.listing-shows-those-that-supply: while a sale runs its own tiers are listed, and those of the list price that are lower', () => {
    const list = usd(1000, { five: [5, 900], six: [6, 620], eight: [8, 600] })
    const item = product(priceRecord(list, [sale('s', ...march, saleTiers)]))
    expect(tiersOf(item)).toEqual({
      two: { minimum_quantity: 2 },
      five: { minimum_quantity: 5 },
      nine: { minimum_quantity: 9 },
    })
    const lower = usd(1000, { five: [5, 900], six: [6, 599], eight: [8, 640] })
    expect(tiersOf(product(priceRecord(lower, [sale('s', ...march, saleTiers)])))).toEqual({
      two: { minimum_quantity: 2 },
      five: { minimum_quantity: 5 },
      six: { minimum_quantity: 6 },
      nine: { minimum_quantity: 9 },
    })
    expect(tiersOf(item, march[1])).toEqual({
      five: { minimum_quantity: 5 },
      six: { minimum_quantity: 6 },
      eight: { minimum_quantity: 8 },
    })
  })

  test("tier.listing-shows-those-that-supply: of a list tier and a sale's tier of one name that both supply the sale's is listed", () => {
    const item = product(
      priceRecord(usd(1000, { bulk: [5, 600] }), [sale('s', ...march, usd(700, { bulk: [2, 650], two: [3, 640] }))]),
    )
    expect(tiersOf(item)).toEqual({ bulk: { minimum_quantity: 2 }, two: { minimum_quantity: 3 } })
  })

  test('tier.listing-shows-those-that-supply: no tier is listed while a sale without tiers is cheaper than all', () => {
    expect(tiersOf(product(priceRecord(tiered, [sale('s', ...march, usd(500))])))).toBeUndefined()
    expect(tiersOf(product(priceRecord(tiered, [sale('s', null, null, usd(500))])))).toBeUndefined()
  })

  test('tier.listing-shows-those-that-supply: quantity tiers are not listed with price_equals, nor for a sum or with modifiers', () => {
    expect(tiersOf(child(priceRecord(tiered), [equals('e', 5)]))).toBeUndefined()
    expect(tiersOf(bundle([product(priceRecord(tiered))]))).toBeUndefined()
    const withTier = modifier('p', 'price_increment', usd(50, { two: [2, 40] }))
    expect(tiersOf(child(priceRecord(tiered), [withTier]))).toEqual({
      five: { minimum_quantity: 5 },
      ten: { minimum_quantity: 10 },
    })
  })
})

describe('tier.minimum-from-one, tier.minimums-differ: the input of tiers', () => {
  const found = (tiers: Record<string, { minimum_quantity?: number | null }>) =>
    tierViolations({ USD: { tiers } }).map(({ code, path }) => [code, path])

  test('tier.minimum-from-one: a tier needs a minimum_quantity of at least 1, and the violation names the tier', () => {
    const path = (name: string) => [{ key: 'USD' }, 'tiers', { key: name }, 'minimum_quantity']
    expect(
      found({
        absent: {},
        nothing: { minimum_quantity: null },
        zero: { minimum_quantity: 0 },
        one: { minimum_quantity: 1 },
      }),
    ).toEqual([
      ['TIER_MINIMUM_QUANTITY', path('absent')],
      ['TIER_MINIMUM_QUANTITY', path('nothing')],
      ['TIER_MINIMUM_QUANTITY', path('zero')],
    ])
    expect(tierViolations({ USD: { tiers: { big: {} } } })[0]?.message).toContain('"big"')
  })

  test('tier.minimums-differ: tiers must not repeat a minimum_quantity in one currency, even with a null amount', () => {
    const two = { minimum_quantity: 2, amount: null }
    expect(found({ a: two, b: { minimum_quantity: 3 }, c: two })).toEqual([
      ['TIER_CONFLICT', [{ key: 'USD' }, 'tiers', { key: 'c' }, 'minimum_quantity']],
    ])
    expect(
      tierViolations({
        USD: { tiers: { a: two } },
        EUR: { tiers: { a: two } },
        GBP: {},
        JPY: null,
        CHF: { tiers: null },
      }),
    ).toEqual([])
  })
})
