/** Resolution: the price that was found for one query, its reasons, and when it changes. */
import type { TaxedAmount } from './bundle-sum.ts'
import type { AppliedModifier } from './modifier.ts'
import type { SaleSummary } from './sale.ts'

/**
 * The price of one unit when `quantity` of them are bought (price.amount-is-per-unit), and why. Amounts are minor units, instants epoch
 * milliseconds.
 */
export interface Price extends TaxedAmount {
  readonly currency: string
  /**
   * The list price: before tiers and sales, with modifiers by plain amounts (price.list-price-before-tiers). Null only for a sum that mixes
   * net and gross.
   */
  readonly list: TaxedAmount | null
  /** Raw id of the price book that supplied it, and of its product price; null for a summed bundle (bundle.sum-has-no-sale). */
  readonly book: string | null
  readonly productPrice: string | null
  /** The sale that supplied the amount (sale.reported-when-it-supplies); its bounds, null when open. */
  readonly sale: SaleSummary | null
  /** The sale's own end (sale.expires-at-its-own-end), not `changesAt`. */
  readonly saleExpires: number | null
  /** The key of the tier that supplied the amount (tier.named-when-it-supplies). */
  readonly tier: string | null
  readonly modifiers: readonly AppliedModifier[]
}

export interface Resolution {
  readonly price: Price | null
  /** The next instant at which the answer is another; null when that never comes. */
  readonly changesAt: number | null
}

/** A resolution that holds from an instant until another, exclusive; epoch milliseconds. */
export interface CachedResolution {
  readonly from: number
  readonly until: number
  readonly resolution: Resolution
}
