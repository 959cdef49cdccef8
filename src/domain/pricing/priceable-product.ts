/** What decides the price of a product, made ready for reading: built once per release document, then only looked at. */

import type { CurrencyPrices } from './list-price.ts'
import type { PricedModifier } from './modifier.ts'
import type { FrozenComponents } from './price-record.ts'
import type { HeldListing } from './price-view.ts'
import type { HeldResolution } from './resolution.ts'
import type { PricedSale } from './sale.ts'

/** The row that answers for a product: its own, or for a child without one its base's (price.own-record-before-base). */
export interface PricedRow {
  /** Raw id of the product price. */
  readonly id: string
  /** Raw id of the price book. */
  readonly book: string
  readonly list: CurrencyPrices
  /** Best first (`rankSales`). */
  readonly sales: readonly PricedSale[]
  readonly shopperAttributes: Readonly<Record<string, string | null>> | null
}

/** Chosen options: component key -> option product id -> units. */
export type Selection = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A product of a selection with its units in one bundle, over all components (bundle.same-product-adds-up). */
export interface ChosenUnit {
  readonly unit: PricedUnit
  readonly units: number
}

export interface PricedBundle {
  readonly components: FrozenComponents
  /** The live option products by raw id (bundle.live-options-only). */
  readonly options: ReadonlyMap<string, PricedUnit>
  /** The default selection (bundle.default-selection). */
  readonly selection: Selection
  /** The default selection's products; null when it is empty or one of them has no price data. */
  readonly chosen: readonly ChosenUnit[] | null
  /** What one of it costs by currency, standing alone (price.ts), while that is true. */
  readonly held: Map<string, HeldResolution>
}

export interface PricedUnit {
  /** Raw product id. */
  readonly id: string
  /** Null: no row answers, so a bundle is summed and everything else has no price. */
  readonly row: PricedRow | null
  /** The names of a child's modifiers in the order that counts, each once (modifier.last-mention-counts). */
  readonly modifierNames: readonly string[]
  /** Those of them that apply to `row`: none when the row is the product's own (modifier.own-price-ignores-them). */
  readonly modifiers: readonly PricedModifier[]
  /** Null: not a bundle. */
  readonly bundle: PricedBundle | null
  /** How much work one price of it is, in prices of a row without sales: a summed bundle asks each product of its default selection. */
  readonly parts: number
  /** What it listed last (price-view.ts). Beside it in a WeakMap it would cost a page as much as all its other prices. */
  held: HeldListing | null
}
