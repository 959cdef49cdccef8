/** Price view: the price keys of one product as clients see them, in every currency, at one instant. Computed by to-price-view.ts. */
import type { TierViews } from './tier-view.ts'

/** Amounts are minor units. */
export interface AmountView {
  readonly amount: number
  readonly includes_tax: boolean
}

export interface CurrencyPriceView extends AmountView {
  readonly tiers?: TierViews
}

/** A key that does not apply is absent (price.missing-currency-left-out, sale.reported-when-it-supplies). */
export interface PriceView {
  /** By currency code. */
  readonly price?: Readonly<Record<string, CurrencyPriceView>>
  readonly sale_id?: string
  /** UTC with milliseconds; null when the sale has no end (sale.expires-at-its-own-end). With `sale_id` only. */
  readonly sale_expires?: string | null
  /** Every currency of `price`, at its list amount (price.original-in-every-currency). With `sale_id` only. */
  readonly original_price?: Readonly<Record<string, AmountView>>
  /**
   * Also when no currency is usable (price.book-named-without-price); null without a row and for a summed bundle (bundle.sum-has-no-sale).
   */
  readonly pricebook_id: string | null
}

/** What is listed, and the next instant (epoch milliseconds) at which it changes in any currency. */
export interface ResolvedPriceView {
  readonly view: PriceView
  readonly changesAt: number | null
}

/** What a unit lists from an instant until another, exclusive; epoch milliseconds. */
export interface CachedPriceView {
  readonly from: number
  readonly until: number
  readonly resolved: ResolvedPriceView
}
