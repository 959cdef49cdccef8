/**
 * Price view: the price keys of one product as clients see them, in every currency, at one instant. to-price-view.ts
 * computes it.
 */
import type { TierViews } from './tier-view.ts'

/** An amount in minor units, and whether it includes tax. */
export interface AmountView {
  readonly amount: number
  readonly includes_tax: boolean
}

/** The price of one unit in one currency, with its tiers by name. */
export interface CurrencyPriceView extends AmountView {
  readonly tiers?: TierViews
}

/**
 * The price keys of a product. A key that does not apply is absent (price.missing-currency-left-out,
 * sale.reported-when-it-supplies).
 */
export interface PriceView {
  /** By currency code. */
  readonly price?: Readonly<Record<string, CurrencyPriceView>>
  readonly sale_id?: string
  /**
   * RFC 3339, UTC, with milliseconds; null when the sale has no end (sale.expires-at-its-own-end). Only with `sale_id`.
   */
  readonly sale_expires?: string | null
  /** The list amounts of every currency of `price` (price.original-in-every-currency). Only with `sale_id`. */
  readonly original_price?: Readonly<Record<string, AmountView>>
  /**
   * Raw id of the price book, also when no currency has a price (price.book-named-without-price). Null without a price
   * record and for a summed bundle (bundle.sum-has-no-sale).
   */
  readonly pricebook_id: string | null
}

/** A price view, and the next instant (epoch milliseconds) at which it changes in any currency; null for never. */
export interface ResolvedPriceView {
  readonly view: PriceView
  readonly changesAt: number | null
}

/** A price view that is valid from an instant, inclusive, until another, exclusive; epoch milliseconds. */
export interface CachedPriceView {
  readonly from: number
  readonly until: number
  readonly resolved: ResolvedPriceView
}
