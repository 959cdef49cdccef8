/**
 * Tier warnings of a publish (tier.dearer-than-sale-warned): quantity tiers that cost more than a scheduled sale, which yields to them.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tierWarnings } from '../../../src/domain/catalog/price-warning.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolvePrice } from '../../../src/domain/pricing/price.ts'
import { runs } from '../../support/effort.ts'
import { priceRecord as anyRow, currencies, instant } from '../../support/price-arbitraries.ts'
import { at, price, product, sale, usd } from '../../support/price-builders.ts'

const NOW = at('2026-01-15T12:00:00Z')
const [DAY, MONTH, YEAR] = ['2026-01-16T00:00:00Z', '2026-02-01T00:00:00Z', '2027-01-01T00:00:00Z']
const list = usd(1000, { case: [6, 900], pallet: [60, 800] })
const warned = (...sales: Parameters<typeof tierWarnings>[1]) =>
  tierWarnings(list, sales, NOW).map((warning) => `${warning.currency} ${warning.tier} ${warning.sale}`)

describe('tier.dearer-than-sale-warned: a tier warning', () => {
  test.each([
    ['dearer than a sale that runs', [sale('s', null, MONTH, usd(899))], ['USD case s']],
    ['dearer than a sale to come', [sale('s', MONTH, YEAR, usd(850))], ['USD case s']],
    ['dearer than a sale without an end', [sale('s', DAY, null, usd(799))], ['USD case s', 'USD pallet s']],
    ['that costs what the sale does', [sale('s', null, MONTH, usd(900))], []],
    ['dearer than a sale that is over', [sale('s', null, '2026-01-15T12:00:00Z', usd(1))], []],
    ['dearer than a permanent sale, which beats tiers', [sale('s', null, null, usd(1))], []],
    ['beside a sale in other currencies, or without an amount', [sale('s', null, MONTH, { EUR: price(1), USD: price(null) })], []],
    ['dearer than the sale’s own tier at its quantity', [sale('s', null, MONTH, usd(950, { pair: [2, 890] }))], ['USD case s']],
    ['cheaper than the sale’s own tier at its quantity', [sale('s', null, MONTH, usd(950, { lot: [100, 1] }))], []],
    ['dearer than the sale’s tier for fewer', [sale('s', null, MONTH, usd(950, { pair: [2, 850], lot: [6, 940] }))], ['USD case s']],
    ['dearer than several sales: the lowest', [sale('a', null, DAY, usd(890)), sale('b', null, MONTH, usd(880))], ['USD case b']],
    ['dearer than a sale inside a bundle', [sale('s', null, MONTH, usd(1), ['bundle'])], ['USD case s', 'USD pallet s']],
  ])('%s', (_, sales, expected) => {
    expect(warned(...sales)).toEqual(expected)
  })

  test('is not made for a tier or a currency without an amount', () => {
    const sales = [sale('s', null, MONTH, { USD: price(1), EUR: price(1) })]
    expect(tierWarnings({ USD: price(1000, { none: [2, null] }), EUR: price(null, { case: [2, 500] }) }, sales, NOW)).toEqual([])
  })
})

test('a tier has a warning exactly if at some later instant it costs more than one unit does, or the same quantity without tiers', () => {
  fc.assert(
    fc.property(anyRow, fc.array(instant, { minLength: 5, maxLength: 5 }), (row, instants) => {
      const now = Math.min(...instants)
      const warnings = tierWarnings(row.currencies, row.sales, now)
      const bare = Object.fromEntries(Object.entries(row.currencies).map(([code, { tiers: _, ...rest }]) => [code, rest]))
      const [whole, untiered] = [row.currencies, bare].map((prices) => compileProduct(product({ ...row, currencies: prices })))
      for (const moment of instants) {
        for (const currency of currencies) {
          for (const [tier, { minimum_quantity: quantity }] of Object.entries(row.currencies[currency]?.tiers ?? {})) {
            const query = { now: moment, currency }
            const price = resolvePrice(whole as never, { ...query, quantity }).price
            const others = [1, quantity].map((count) => resolvePrice(untiered as never, { ...query, quantity: count }).price)
            if (price?.tier !== tier || price.sale !== null || others.every((other) => other?.sale == null)) continue
            if (others.every((other) => (other?.amount ?? 0) >= price.amount)) continue
            expect(warnings.map((warning) => `${warning.currency} ${warning.tier}`)).toContain(`${currency} ${tier}`)
          }
        }
      }
    }),
    runs(2000),
  )
})
