/** Priceable product: the compiled pricing data of one product, built once per release document and then only read. */
import type { CurrencyPrices } from './list-price.ts'
import type { CompiledModifier } from './modifier.ts'
import type { BundleComponents } from './price-record.ts'
import type { CachedPriceView } from './price-view.ts'
import type { CachedResolution } from './resolution.ts'
import type { CompiledSale } from './sale.ts'

/** The price record of a product: its own, or its parent's when a child has none (price.own-record-before-base). */
export interface CompiledPriceRecord {
  /** Raw id of the product price. */
  readonly id: string
  /** Raw id of the price book. */
  readonly book: string
  readonly list: CurrencyPrices
  /** The sale that wins over the others comes first (`rankSales`). */
  readonly sales: readonly CompiledSale[]
  readonly shopperAttributes: Readonly<Record<string, string | null>> | null
}

/** The selected options of a bundle: component key to option product id to quantity. */
export type Selection = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A selected product and its quantity in one bundle, over all components (bundle.same-product-adds-up). */
export interface ChosenProduct {
  readonly product: PriceableProduct
  readonly quantity: number
}

/** The compiled components of a bundle. */
export interface CompiledBundle {
  readonly components: BundleComponents
  /** The live option products by raw id (bundle.live-options-only). */
  readonly options: ReadonlyMap<string, PriceableProduct>
  /** The default selection (bundle.default-selection). */
  readonly selection: Selection
  /** The products of the default selection; null when it is empty or one of them has no pricing data. */
  readonly chosen: readonly ChosenProduct[] | null
  /** Cached sums by currency, at quantity 1 outside other bundles (price.ts). */
  readonly cached: Map<string, CachedResolution>
}

/** Everything that decides the price of one product. */
export interface PriceableProduct {
  /** Raw product id. */
  readonly id: string
  /**
   * Null for a product that no price record prices: a bundle is summed, any other product has no price
   * (price.none-without-record).
   */
  readonly record: CompiledPriceRecord | null
  /** Whether `record` is the parent's (price.own-record-before-base). */
  readonly inherited: boolean
  /** Names of a child's modifiers in the order in which they apply, each once (modifier.last-mention-counts). */
  readonly modifierNames: readonly string[]
  /**
   * The modifiers that apply to `record`: none when the record is the product's own (modifier.own-price-ignores-them).
   */
  readonly modifiers: readonly CompiledModifier[]
  /** Null for a product that is no bundle. */
  readonly bundle: CompiledBundle | null
  /**
   * Estimated cost of resolving one price of the product, in resolutions of a record without sales. A summed bundle
   * resolves each product of its default selection.
   */
  readonly resolutionCost: number
  /**
   * The last price view (to-price-view.ts). A WeakMap beside the product would cost a page as much time as all its
   * other prices.
   */
  cached: CachedPriceView | null
}
