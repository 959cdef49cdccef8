/**
 * Price records: the pricing data that publishing freezes in a release document (release.is-a-snapshot,
 * release.freezes-every-needed-price, release.freezes-all-that-prices).
 *
 * Publishing resolves the stack of price books: a product has the one record that prices it, so no reader looks at a
 * book again.
 */

/**
 * A stored tier: `minimum_quantity` is at least 1, `amount` is in minor units. A tier with a null amount counts as
 * absent (tier.null-amount-is-absent).
 */
export interface TierRecord {
  readonly minimum_quantity: number
  readonly amount: number | null
}

/** One stored currency of a list price, a sale or a modifier. Amounts are minor units. */
export interface CurrencyPriceRecord {
  readonly amount: number | null
  readonly includes_tax: boolean
  readonly tiers?: Readonly<Record<string, TierRecord>>
}

/** Stored prices by currency code. */
export type CurrencyPriceRecords = Readonly<Record<string, CurrencyPriceRecord>>

/**
 * A sale in a release. `from` is inclusive, `to` exclusive (sale.start-counts-end-does-not), both in epoch
 * milliseconds, null when open.
 */
export interface ReleaseSale {
  readonly name: string
  readonly from: number | null
  readonly to: number | null
  /**
   * Product ids of the bundles inside which the sale applies; empty for a sale that applies everywhere
   * (sale.bundle-sale-stays-inside).
   */
  readonly bundles: readonly string[]
  readonly currencies: CurrencyPriceRecords
}

/** A product price in a release: the one that the catalog's price books give for a SKU. */
export interface ReleasePriceRecord {
  /** Raw id of the product price. */
  readonly id: string
  /** Raw id of the price book that has the product price (`meta.pricebook_id`). */
  readonly book: string
  readonly currencies: CurrencyPriceRecords
  readonly sales: readonly ReleaseSale[]
  readonly shopper_attributes: Readonly<Record<string, string | null>> | null
}

/** The types of price modifiers, as clients write them. */
export const modifierTypes = ['price_increment', 'price_decrement', 'price_equals'] as const
/** How a modifier changes the inherited price: it adds, subtracts or replaces. */
export type ModifierType = (typeof modifierTypes)[number]

/** A price modifier of the book that has the parent's price record (modifier.from-supplying-book). */
export interface ReleaseModifier {
  readonly name: string
  readonly type: ModifierType
  readonly currencies: CurrencyPriceRecords
}

/** An option of a bundle's component: the product `id`. */
export interface BundleOption {
  readonly id: string
  readonly type?: string
  readonly quantity?: number | null
  readonly sort_order?: number | null
  readonly default?: boolean | null
}

/** A component of a bundle: at least `min` and at most `max` of its options are selected; null is no bound. */
export interface BundleComponent {
  readonly name: string
  readonly min?: number | null
  readonly max?: number | null
  readonly sort_order?: number | null
  readonly options: readonly BundleOption[]
}

/** The components of a bundle by their keys. */
export type BundleComponents = Readonly<Record<string, BundleComponent>>

/** The pricing data of one product: everything that decides its price, in a release document. */
export interface ReleasePricing {
  /** Raw product id. */
  readonly id: string
  /**
   * The record of the product's own SKU over the whole stack of books (price.own-record-before-base); null when no book
   * has it.
   */
  readonly own: ReleasePriceRecord | null
  /** For a child without an own record, the parent's record (release.freezes-every-needed-price); null otherwise. */
  readonly base: ReleasePriceRecord | null
  /**
   * A child's modifier names in the order of its options, repetitions included (modifier.last-mention-counts); absent
   * or [] for any other product.
   */
  readonly modifier_names?: readonly string[]
  /** The modifiers of those names in the book of the parent's record, in any order; absent without such a record. */
  readonly modifiers?: readonly ReleaseModifier[]
  /** The components of a bundle; absent for any other product. */
  readonly components?: BundleComponents
  /**
   * The live option products by raw id (bundle.live-options-only), with one level of nested bundles
   * (bundle.one-level-of-nesting). A draft, deleted or unknown option has no entry.
   */
  readonly options?: Readonly<Record<string, ReleasePricing>>
}
