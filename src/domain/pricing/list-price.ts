/** A map of currency prices, made ready for reading: a list price, a sale's or a modifier's. */
import type { CurrencyPriceRecords } from './price-record.ts'
import { compileTiers, type Tier } from './tier.ts'

/** One currency: the amount of one unit in minor units, and the tiers that count by rising minimum. */
export interface CurrencyPrice {
  readonly amount: number
  readonly includesTax: boolean
  readonly tiers: readonly Tier[] | null
}

/**
 * By currency code, in the order of the codes (graph.maps-become-lists). Codes are three uppercase letters, so no key meets Object's own
 * members.
 */
export type CurrencyPrices = Readonly<Record<string, CurrencyPrice>>

/** The currencies that have an amount. One with a null amount counts as absent with all its tiers. */
export function compileCurrencies(currencies: CurrencyPriceRecords): CurrencyPrices {
  const prices: Record<string, CurrencyPrice> = {}
  for (const currency of inOrder(Object.keys(currencies))) {
    const stored = currencies[currency]
    if (stored == null || stored.amount == null) continue
    prices[currency] = { amount: stored.amount, includesTax: stored.includes_tax === true, tiers: compileTiers(stored.tiers) }
  }
  return prices
}

/** As stored they are in order; sorting even what is sorted takes much of the time of making a price ready. */
function inOrder(codes: string[]): string[] {
  return codes.every((code, at) => at === 0 || (codes[at - 1] as string) < code) ? codes : codes.sort()
}
