/** Resolution: the price for one query, its reasons, and when it changes. */
import type { TaxedAmount } from './bundle-sum.ts'
import type { AppliedModifier } from './modifier.ts'
import type { SaleSummary } from './sale.ts'

/**
 * The price of one unit when `quantity` of them are bought (price.amount-is-per-unit), and why. Amounts are minor
 * units, instants epoch milliseconds.
 */
export interface Price extends TaxedAmount {
  readonly currency: string
  /**
   * The list price: before tiers and sales, with modifiers by their plain amounts (price.list-price-before-tiers). Null
   * only for a sum that mixes net and gross.
   */
  readonly list: TaxedAmount | null
  /**
   * Raw id of the price book that has the product price, and of that price; null for a summed bundle
   * (bundle.sum-has-no-sale).
   */
  readonly book: string | null
  readonly productPrice: string | null
  /**
   * The sale that supplied the amount, or null (sale.reported-when-it-supplies). Its own end may be later than
   * `changesAt`.
   */
  readonly sale: SaleSummary | null
  /** Name of the tier that supplied the amount (tier.named-when-it-supplies). */
  readonly tier: string | null
  readonly modifiers: readonly AppliedModifier[]
}

/** The result of a price query. */
export interface Resolution {
  readonly price: Price | null
  /** The next instant (epoch milliseconds) at which the result differs; null for never. */
  readonly changesAt: number | null
}

/** A resolution that is valid from an instant, inclusive, until another, exclusive; epoch milliseconds. */
export interface CachedResolution {
  readonly from: number
  readonly until: number
  readonly resolution: Resolution
}
