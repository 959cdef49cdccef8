/** What decides the price of a product, made ready for reading: built once per release document, then only looked at. */

import type { CurrencyPrices } from './list-price.ts'
import type { CompiledModifier } from './modifier.ts'
import type { BundleComponents } from './price-record.ts'
import type { CachedPriceView } from './price-view.ts'
import type { CachedResolution } from './resolution.ts'
import type { CompiledSale } from './sale.ts'

/** The row that answers for a product: its own, or for a child without one its base's (price.own-record-before-base). */
export interface CompiledPriceRecord {
  /** Raw id of the product price. */
  readonly id: string
  /** Raw id of the price book. */
  readonly book: string
  readonly list: CurrencyPrices
  /** Best first (`rankSales`). */
  readonly sales: readonly CompiledSale[]
  readonly shopperAttributes: Readonly<Record<string, string | null>> | null
}

/** Chosen options: component key -> option product id -> units. */
export type Selection = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A product of a selection with its units in one bundle, over all components (bundle.same-product-adds-up). */
export interface ChosenProduct {
  readonly product: PriceableProduct
  readonly quantity: number
}

export interface CompiledBundle {
  readonly components: BundleComponents
  /** The live option products by raw id (bundle.live-options-only). */
  readonly options: ReadonlyMap<string, PriceableProduct>
  /** The default selection (bundle.default-selection). */
  readonly selection: Selection
  /** The default selection's products; null when it is empty or one of them has no price data. */
  readonly chosen: readonly ChosenProduct[] | null
  /** What one of it costs by currency, standing alone (price.ts), while that is true. */
  readonly cached: Map<string, CachedResolution>
}

export interface PriceableProduct {
  /** Raw product id. */
  readonly id: string
  /** Null: no row answers, so a bundle is summed and everything else has no price. */
  readonly record: CompiledPriceRecord | null
  /** The names of a child's modifiers in the order that counts, each once (modifier.last-mention-counts). */
  readonly modifierNames: readonly string[]
  /** Those of them that apply to `row`: none when the row is the product's own (modifier.own-price-ignores-them). */
  readonly modifiers: readonly CompiledModifier[]
  /** Null: not a bundle. */
  readonly bundle: CompiledBundle | null
  /** How much work one price of it is, in prices of a row without sales: a summed bundle asks each product of its default selection. */
  readonly resolutionCost: number
  /** What it listed last (price-view.ts). Beside it in a WeakMap it would cost a page as much as all its other prices. */
  cached: CachedPriceView | null
}
