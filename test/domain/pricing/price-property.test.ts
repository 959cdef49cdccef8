import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolvePrice, resolvePrices } from '../../../src/domain/pricing/price.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { type ProductPriceView, toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import type { Resolution } from '../../../src/domain/pricing/resolution.ts'
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

/** Together more than 20,000 cases; a failure prints its seed and path. */
const rowRuns = { numRuns: 9000 }
const bundleRuns = { numRuns: 6000 }
const listingRuns = { numRuns: 3000 }

const question = fc.record({ now: instant, currency, quantity, bundleId })

/** The resolution in the oracle's words. */
function tell({ price }: Resolution): OraclePrice | null {
  if (price === null) return null
  const list = price.list && { amount: price.list.amount, tax: price.list.includesTax }
  const sale = { sale: price.sale?.name ?? null, from: price.sale?.validFrom ?? null, to: price.sale?.validTo ?? null }
  const modifiers = price.modifiers.map((modifier) => modifier.name)
  return { amount: price.amount, tax: price.includesTax, list, book: price.book, ...sale, tier: price.tier, modifiers }
}

function agree(
  unit: ReleasePricing,
  asked: { now: number; currency: string; quantity: number; bundleId: string | null },
  chosen?: Parameters<typeof toProductPriceView>[2],
) {
  const compiled = compileProduct(unit)
  const query = { ...asked, selection: chosen }
  const naive = { ...asked, bundle: asked.bundleId, selection: chosen as never }
  const expected = oraclePrice(unit, naive)
  const change = oracleChange(unit, naive)
  const answer = resolvePrice(compiled, query)
  expect(tell(answer)).toEqual(expected)
  expect(answer.price?.saleExpires ?? null).toBe(expected?.to ?? null)
  expect(answer.changesAt).toBe(change)
}

describe('every resolution equals the brute-force oracle: amount, tax, list, book, sale, tier, modifiers, changesAt', () => {
  test('for products with their own price record', () => {
    fc.assert(
      fc.property(plainProduct('p1'), question, (unit, asked) => agree(unit, asked)),
      rowRuns,
    )
  })

  test('for children with modifiers', () => {
    fc.assert(
      fc.property(childProduct('p1'), question, (unit, asked) => agree(unit, asked)),
      rowRuns,
    )
  })

  test('for bundles with one level of nesting, with default and given selections', () => {
    fc.assert(
      fc.property(bundleProduct, question, selection, (unit, asked, chosen) => agree(unit, asked, chosen)),
      bundleRuns,
    )
  })
})

describe('every listing equals the brute-force oracle', () => {
  const keysOf = ({ bundle_configuration: bundle, ...listing }: ProductPriceView) => {
    const { price_modifiers: _, shopper_attributes: __, ...prices } = listing
    if (bundle === undefined) return prices
    const components = Object.entries(bundle.component_products).map(([id, { price_modifiers: ___, ...entry }]) => [id, entry])
    return { ...prices, component_products: Object.fromEntries(components) }
  }

  test('for products and children', () => {
    fc.assert(
      fc.property(fc.oneof(plainProduct('p1'), childProduct('p1')), instant, (unit, now) => {
        expect(keysOf(toProductPriceView(compileProduct(unit), now))).toEqual(expectedPriceView(unit, now, null))
      }),
      listingRuns,
    )
  })

  test('for bundles', () => {
    fc.assert(
      fc.property(bundleProduct, instant, selection, (unit, now, chosen) => {
        expect(keysOf(toProductPriceView(compileProduct(unit), now, chosen))).toEqual(expectedPriceView(unit, now, chosen as never))
      }),
      listingRuns,
    )
  })
})

test('a cached price view equals one computed for the first time, whatever was queried before', () => {
  fc.assert(
    fc.property(bundleProduct, fc.array(instant, { minLength: 2, maxLength: 6 }), (frozen, instants) => {
      const unit = compileProduct(frozen)
      for (const now of instants) expect(toProductPriceView(unit, now)).toEqual(toProductPriceView(compileProduct(frozen), now))
    }),
    listingRuns,
  )
})

test('price.every-currency-by-code: prices in all currencies equal the prices of each currency alone, ordered by code', () => {
  fc.assert(
    fc.property(bundleProduct, instant, quantity, (frozen, now, count) => {
      const unit = compileProduct(frozen)
      const each = ['EUR', 'GBP', 'USD'].map((code) => resolvePrice(unit, { now, currency: code, quantity: count }))
      const priced = ({ price }: Resolution): boolean => price !== null
      expect(resolvePrices(unit, { now, quantity: count }).filter(priced)).toEqual(each.filter(priced))
    }),
    { numRuns: 500 },
  )
})
