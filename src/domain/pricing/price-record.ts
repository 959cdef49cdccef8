/**
 * What a release freezes of prices (release.is-a-snapshot, release.freezes-every-needed-price, release.freezes-all-that-prices), as the
 * JSON that publishing writes into a release document. The book stack is settled here: a unit holds the one row that answers for it, so
 * reading a price never looks at a book again.
 */

/** A tier as stored: `minimum_quantity` is at least 1; an amount of null means the tier does not exist (tier.null-amount-is-absent). */
export interface TierRecord {
  readonly minimum_quantity: number
  readonly amount: number | null
}

/** One currency of a list price, a sale or a modifier, as stored. Amounts are minor units. */
export interface CurrencyPriceRecord {
  readonly amount: number | null
  readonly includes_tax: boolean
  readonly tiers?: Readonly<Record<string, TierRecord>>
}

export type CurrencyPriceRecords = Readonly<Record<string, CurrencyPriceRecord>>

/** A sale with its bounds in epoch milliseconds, null when open; `from` is inclusive, `to` exclusive (sale.start-counts-end-does-not). */
export interface ReleaseSale {
  readonly name: string
  readonly from: number | null
  readonly to: number | null
  /** Product ids of bundles; empty: an ordinary sale (sale.bundle-sale-stays-inside). */
  readonly bundles: readonly string[]
  readonly currencies: CurrencyPriceRecords
}

/** A product price as frozen: the row that the catalog's books give for one SKU. */
export interface ReleasePriceRecord {
  /** Raw id of the product price. */
  readonly id: string
  /** Raw id of the price book that supplied it (`meta.pricebook_id`). */
  readonly book: string
  readonly currencies: CurrencyPriceRecords
  readonly sales: readonly ReleaseSale[]
  readonly shopper_attributes: Readonly<Record<string, string | null>> | null
}

export const modifierTypes = ['price_increment', 'price_decrement', 'price_equals'] as const
export type ModifierType = (typeof modifierTypes)[number]

/** A price modifier of the book that supplied the base's row (modifier.from-supplying-book). */
export interface ReleaseModifier {
  readonly name: string
  readonly type: ModifierType
  readonly currencies: CurrencyPriceRecords
}

/** An option of a bundle's component. */
export interface BundleOption {
  readonly id: string
  readonly type?: string
  readonly quantity?: number | null
  readonly sort_order?: number | null
  readonly default?: boolean | null
}

export interface BundleComponent {
  readonly name: string
  readonly min?: number | null
  readonly max?: number | null
  readonly sort_order?: number | null
  readonly options: readonly BundleOption[]
}

export type BundleComponents = Readonly<Record<string, BundleComponent>>

/** Everything that decides the price of one product. */
export interface ReleasePricing {
  /** Raw product id. */
  readonly id: string
  /** The product's own row, through the whole stack of books (price.own-record-before-base); null when none has its SKU. */
  readonly own: ReleasePriceRecord | null
  /** For a child without an own row: the base's row (release.freezes-every-needed-price); else null. */
  readonly base: ReleasePriceRecord | null
  /**
   * A child's modifier names in the order of the child's options (modifier.last-mention-counts), duplicates still in; absent or []
   * otherwise.
   */
  readonly modifier_names?: readonly string[]
  /** The modifiers of those names found in the base row's book, in any order; absent when there is no base row. */
  readonly modifiers?: readonly ReleaseModifier[]
  /** A bundle's components; absent when it is none. */
  readonly components?: BundleComponents
  /**
   * The live option products by raw id (bundle.live-options-only), one level of nested bundles included (bundle.one-level-of-nesting); a
   * draft, deleted or unknown option has no entry.
   */
  readonly options?: Readonly<Record<string, ReleasePricing>>
}
