/** Compiled prices by currency: those of a list price, a sale or a modifier. */
import type { CurrencyPriceRecords } from './price-record.ts'
import { compileTiers, reachedTier, type Tier } from './tier.ts'

/**
 * The price in one currency: the amount of one unit in minor units, and its tiers by rising minimum quantity (null for
 * none).
 */
export interface CurrencyPrice {
  readonly amount: number
  readonly includesTax: boolean
  readonly tiers: readonly Tier[] | null
}

/**
 * Prices by currency code, in code order (graph.maps-become-lists). Codes are three uppercase letters, so no key
 * collides with a member of Object.prototype.
 */
export type CurrencyPrices = Readonly<Record<string, CurrencyPrice>>

/**
 * Compiles the currencies that have an amount. A currency with a null amount is left out with all its tiers
 * (sale.null-amount-is-absent).
 */
export function compileCurrencies(currencies: CurrencyPriceRecords): CurrencyPrices {
  const prices: Record<string, CurrencyPrice> = {}
  for (const currency of inOrder(Object.keys(currencies))) {
    const stored = currencies[currency]
    if (stored == null || stored.amount == null) continue
    prices[currency] = {
      amount: stored.amount,
      includesTax: stored.includes_tax === true,
      tiers: compileTiers(stored.tiers),
    }
  }
  return prices
}

/**
 * The codes in order. Stored codes are sorted already, and sorting them again would take much of the time of compiling
 * a price.
 */
function inOrder(codes: string[]): string[] {
  return codes.every((code, at) => at === 0 || (codes[at - 1] as string) < code) ? codes : codes.sort()
}

/** The amount of one unit at `quantity`: that of the highest tier that it reaches, else the plain one. */
export function amountAt(price: CurrencyPrice, quantity: number): number {
  return reachedTier(price.tiers, quantity)?.amount ?? price.amount
}
