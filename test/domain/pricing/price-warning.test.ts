import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CurrencyPriceRecords } from '../../../src/domain/pricing/price-record.ts'
import { priceWarnings } from '../../../src/domain/pricing/price-warning.ts'
import { runs } from '../../support/effort.ts'
import { instant, priceRecord } from '../../support/price-arbitraries.ts'
import { at, price, usd } from '../../support/price-builders.ts'

const NOW = at('2026-01-15T12:00:00Z')
const END = at('2026-02-01T00:00:00Z')
const gross = (amount: number) => ({ USD: { ...price(amount), includes_tax: true } })

/** The warnings of a list price and of a sale "s" that ends at `validTo`, each as a line. */
const warned = (currencies: CurrencyPriceRecords, offered?: CurrencyPriceRecords, validTo: number | null = END) =>
  priceWarnings({ currencies, sales: offered ? [{ name: 's', validTo, currencies: offered }] : [] }, NOW).map(
    (warning) => [warning.code, warning.currency, warning.sale, warning.tier].filter((part) => part !== null).join(' '),
  )

describe('price-book.doubtful-prices-warned: what a price is warned of', () => {
  test.each<[string, string[], CurrencyPriceRecords, CurrencyPriceRecords?, (number | null)?]>([
    ['nothing of falling tiers', [], usd(1000, { six: [6, 900], dozen: [12, 900] })],
    ['a tier above the plain amount', ['TIER_DEARER USD six'], usd(1000, { six: [6, 1001] })],
    ['nothing of a tier of the plain amount', [], usd(1000, { six: [6, 1000] })],
    ['a tier above the tier before it', ['TIER_DEARER USD ten'], usd(1000, { ten: [10, 900], four: [4, 700] })],
    ['nothing of a tier without an amount', [], usd(1000, { four: [4, 700], six: [6, null], ten: [10, 700] })],
    ['nothing in a currency without an amount', [], { EUR: price(null, { six: [6, 9] }) }, { EUR: price(10) }],
    ['a sale above the list price', ['SALE_DEARER USD s'], usd(1000), usd(1001)],
    ['nothing of a sale at the list price', [], usd(1000), usd(1000)],
    ['a sale with tax above a list price without', ['TAX_DIFFERS USD s'], usd(1000), gross(2000)],
    ['a sale without tax below a list price with', ['TAX_DIFFERS USD s'], gross(1000), usd(500)],
    ['a tier of the sale above its amount', ['TIER_DEARER USD s two'], usd(1000), usd(500, { two: [2, 501] })],
    ['nothing of a list tier above the sale', [], usd(1000, { four: [4, 900] }), usd(800)],
    ['a sale without an end', ['SALE_DEARER USD s'], usd(1000), usd(1001), null],
    ['a sale that ends a millisecond later', ['SALE_DEARER USD s'], usd(1000), usd(1001), NOW + 1],
    ['nothing of a sale that has just ended', [], usd(1000), usd(1001), NOW],
    ['nothing of a sale in another currency', [], usd(1000), { EUR: price(2000) }],
  ])('a price is warned of %s', (_, expected, list, offered, validTo) => {
    expect(warned(list, offered, validTo)).toEqual(expected)
  })
})

test('price-book.doubtful-prices-warned: without a warning neither a larger quantity nor a sale makes a unit dearer', () => {
  const amountAt = ({ amount, tiers = {} }: CurrencyPriceRecords[string], quantity: number): number => {
    const reached = Object.values(tiers).filter((tier) => tier.amount !== null && tier.minimum_quantity <= quantity)
    const [last] = reached.sort((one, other) => other.minimum_quantity - one.minimum_quantity)
    return (last?.amount ?? amount) as number
  }
  fc.assert(
    fc.property(priceRecord, instant, fc.integer({ min: 2, max: 30 }), ({ currencies, sales }, now, quantity) => {
      const warnings = priceWarnings({ currencies, sales: sales.map((one) => ({ ...one, validTo: one.to })) }, now)
      for (const [currency, list] of Object.entries(currencies)) {
        if (list.amount === null) continue
        const of = (code: string, name: string | null) =>
          warnings.some((one) => one.code === code && one.currency === currency && one.sale === name)
        if (!of('TIER_DEARER', null)) expect(amountAt(list, quantity)).toBeLessThanOrEqual(amountAt(list, quantity - 1))
        for (const { name, to, currencies: offered } of sales) {
          const sale = offered[currency]
          if (!sale || sale.amount === null || (to !== null && to <= now)) continue
          if (!of('TIER_DEARER', name))
            expect(amountAt(sale, quantity)).toBeLessThanOrEqual(amountAt(sale, quantity - 1))
          expect(of('TAX_DIFFERS', name)).toBe(sale.includes_tax !== list.includes_tax)
          if (!of('TAX_DIFFERS', name)) expect(of('SALE_DEARER', name)).toBe(sale.amount > list.amount)
        }
      }
    }),
    runs(1000),
  )
})
