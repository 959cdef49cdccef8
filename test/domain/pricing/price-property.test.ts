import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { pricedCurrencies, resolvePrice } from '../../../src/domain/pricing/price.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { type ProductPriceView, toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import type { Resolution } from '../../../src/domain/pricing/resolution.ts'
import { runs } from '../../support/effort.ts'
import {
  bundleId,
  bundleProduct,
  childProduct,
  currency,
  instant,
  plainProduct,
  quantity,
  selection,
} from '../../support/price-arbitraries.ts'
import { type OraclePrice, oracleChange, oraclePrice } from '../../support/price-oracle.ts'
import { expectedPriceView } from '../../support/price-view-oracle.ts'

/** A failure prints its seed and path. */
const rowRuns = runs(5000)
const bundleRuns = runs(3000)
const listingRuns = runs(1500)

const anyQuery = fc.record({ now: instant, currency, quantity, bundleId })

/** The resolution in the form of the oracle. */
function toOraclePrice({ price }: Resolution): OraclePrice | null {
  if (price === null) return null
  const list = price.list && { amount: price.list.amount, tax: price.list.includesTax }
  const sale = { sale: price.sale?.name ?? null, from: price.sale?.validFrom ?? null, to: price.sale?.validTo ?? null }
  const modifiers = price.modifiers.map((modifier) => modifier.name)
  return { amount: price.amount, tax: price.includesTax, list, book: price.book, ...sale, tier: price.tier, modifiers }
}

function agree(
  item: ReleasePricing,
  given: { now: number; currency: string; quantity: number; bundleId: string | null },
  chosen?: Parameters<typeof toProductPriceView>[2],
) {
  const compiled = compileProduct(item)
  const query = { ...given, selection: chosen }
  const naive = { ...given, bundle: given.bundleId, selection: chosen as never }
  const expected = oraclePrice(item, naive)
  const change = oracleChange(item, naive)
  const resolution = resolvePrice(compiled, query)
  expect(toOraclePrice(resolution)).toEqual(expected)
  expect(resolution.price?.sale?.validTo ?? null).toBe(expected?.to ?? null)
  expect(resolution.changesAt).toBe(change)
}

describe('every resolution equals the brute-force oracle: amount, tax, list, book, sale, tier, modifiers, changesAt', () => {
  test('the prices of products with their own price record equal those of the brute-force oracle', () => {
    fc.assert(
      fc.property(plainProduct('p1'), anyQuery, (item, given) => agree(item, given)),
      rowRuns,
    )
  })

  test('the prices of children with modifiers equal those of the brute-force oracle', () => {
    fc.assert(
      fc.property(childProduct('p1'), anyQuery, (item, given) => agree(item, given)),
      rowRuns,
    )
  })

  test('the prices of bundles with one level of nesting equal those of the brute-force oracle, with default and given selections', () => {
    fc.assert(
      fc.property(bundleProduct, anyQuery, selection, (item, given, chosen) => agree(item, given, chosen)),
      bundleRuns,
    )
  })
})

describe('every listing equals the brute-force oracle', () => {
  const keysOf = ({ bundle_configuration: bundle, ...listing }: ProductPriceView) => {
    const { price_modifiers: _, shopper_attributes: __, ...prices } = listing
    if (bundle === undefined) return prices
    const components = Object.entries(bundle.component_products).map(([id, { price_modifiers: ___, ...entry }]) => [
      id,
      entry,
    ])
    return { ...prices, component_products: Object.fromEntries(components) }
  }

  test('the listings of products and children equal those of the brute-force oracle', () => {
    fc.assert(
      fc.property(fc.oneof(plainProduct('p1'), childProduct('p1')), instant, (item, now) => {
        expect(keysOf(toProductPriceView(compileProduct(item), now))).toEqual(expectedPriceView(item, now, null))
      }),
      listingRuns,
    )
  })

  test('the listings of bundles equal those of the brute-force oracle', () => {
    fc.assert(
      fc.property(bundleProduct, instant, selection, (item, now, chosen) => {
        expect(keysOf(toProductPriceView(compileProduct(item), now, chosen))).toEqual(
          expectedPriceView(item, now, chosen as never),
        )
      }),
      listingRuns,
    )
  })
})

test('a cached price view equals one computed for the first time, whatever was queried before', () => {
  fc.assert(
    fc.property(bundleProduct, fc.array(instant, { minLength: 2, maxLength: 6 }), (pricing, instants) => {
      const item = compileProduct(pricing)
      for (const now of instants)
        expect(toProductPriceView(item, now)).toEqual(toProductPriceView(compileProduct(pricing), now))
    }),
    listingRuns,
  )
})

test('price.every-currency-by-code: the currencies of a product are those that have a price, ordered by code', () => {
  fc.assert(
    fc.property(bundleProduct, instant, quantity, (frozen, now, count) => {
      const item = compileProduct(frozen)
      const priced = (codes: readonly string[]): readonly string[] =>
        codes.filter((currency) => resolvePrice(item, { now, currency, quantity: count }).price !== null)
      expect(priced(pricedCurrencies(item))).toEqual(priced(['EUR', 'GBP', 'USD']))
    }),
    runs(100),
  )
})
