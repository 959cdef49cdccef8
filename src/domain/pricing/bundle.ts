/** Which options of a bundle are chosen, and what they add up to (bundle.default-selection). */

import { compareSortOrder } from '../input/sort-order.ts'
import type { BundleComponent, BundleComponents, BundleOption } from './price-record.ts'
import type { ChosenProduct, PriceableProduct, Selection } from './priceable-product.ts'

/** The units of an option that a shopper must buy; absent is 1 (bundle.option-quantity-from-one). */
export function optionQuantity(option: BundleOption): number {
  return option.quantity ?? 1
}

/**
 * Per component: its options marked default, or without any its first `min` options (bundle.default-selection). Every component has a key.
 */
export function defaultSelection(components: BundleComponents): Selection {
  return Object.fromEntries(
    Object.entries(components).map(([name, component]) => [
      name,
      Object.fromEntries(defaultOptions(component).map((option) => [option.id, optionQuantity(option)])),
    ]),
  )
}

function defaultOptions(component: BundleComponent): readonly BundleOption[] {
  const sorted = component.options.toSorted(compareSortOrder)
  const marked = sorted.filter((option) => option.default === true)
  return marked.length > 0 ? marked : sorted.slice(0, Math.max(0, component.min ?? 0))
}

/**
 * The units of every chosen product in one bundle; a product chosen in two components counts once with both its quantities
 * (bundle.same-product-adds-up).
 */
export function selectedQuantities(selection: Selection): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const chosen of Object.values(selection)) {
    for (const [id, units] of Object.entries(chosen)) totals.set(id, (totals.get(id) ?? 0) + units)
  }
  return totals
}

/**
 * The products of `selection`; null when it is empty (bundle.empty-selection-has-no-price) or names one without price data: draft, deleted
 * or unknown (bundle.live-options-only).
 */
export function selectProducts(selection: Selection, options: ReadonlyMap<string, PriceableProduct>): readonly ChosenProduct[] | null {
  const chosen: ChosenProduct[] = []
  for (const [id, units] of selectedQuantities(selection)) {
    const unit = options.get(id)
    if (unit === undefined) return null
    chosen.push({ product: unit, quantity: units })
  }
  return chosen.length === 0 ? null : chosen
}

/**
 * The quantity at which each option is shown in `component_products`, by product id: its units in the selection
 * (bundle.same-product-adds-up, bundle.component-at-option-quantity), or when it is not chosen the option's own quantity, the smallest one
 * where several components offer it.
 */
export function displayedQuantities(components: BundleComponents, selection: Selection): ReadonlyMap<string, number> {
  const selected = selectedQuantities(selection)
  const shown = new Map<string, number>()
  for (const component of Object.values(components)) {
    for (const option of component.options) {
      const offered = Math.min(optionQuantity(option), shown.get(option.id) ?? Number.POSITIVE_INFINITY)
      shown.set(option.id, selected.get(option.id) ?? offered)
    }
  }
  return shown
}
