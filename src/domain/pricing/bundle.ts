/** Bundle selections: which options are chosen, and in what quantity (bundle.default-selection). */
import { compareSortOrder } from '../input/sort-order.ts'
import type { BundleComponent, BundleComponents, BundleOption } from './price-record.ts'
import type { ChosenProduct, PriceableProduct, Selection } from './priceable-product.ts'

/** Quantity of an option in one bundle; 1 when it is not given (bundle.option-quantity-from-one). */
export function optionQuantity(option: BundleOption): number {
  return option.quantity ?? 1
}

/**
 * The default selection: per component the options marked default, or without any the first `min` options
 * (bundle.default-selection). Every component has a key, also when nothing in it is selected.
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
 * Quantity of each selected product in one bundle, by product id. A product selected in two components has the sum of
 * both quantities (bundle.same-product-adds-up).
 */
export function selectedQuantities(selection: Selection): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const chosen of Object.values(selection)) {
    for (const [id, quantity] of Object.entries(chosen)) totals.set(id, (totals.get(id) ?? 0) + quantity)
  }
  return totals
}

/**
 * The products of `selection` with their quantities. Null when the selection is empty
 * (bundle.empty-selection-has-no-price) or names a product that `options` lacks because it is draft, deleted or unknown
 * (bundle.live-options-only).
 */
export function selectProducts(
  selection: Selection,
  options: ReadonlyMap<string, PriceableProduct>,
): readonly ChosenProduct[] | null {
  const chosen: ChosenProduct[] = []
  for (const [id, quantity] of selectedQuantities(selection)) {
    const product = options.get(id)
    if (product === undefined) return null
    chosen.push({ product, quantity })
  }
  return chosen.length === 0 ? null : chosen
}

/**
 * The quantity at which each option is listed in `component_products`, by product id. A selected option has its
 * quantity in the selection (bundle.same-product-adds-up, bundle.component-at-option-quantity); any other has its own
 * quantity, the smallest one when several components offer it.
 */
export function displayedQuantities(components: BundleComponents, selection: Selection): ReadonlyMap<string, number> {
  const selected = selectedQuantities(selection)
  const displayed = new Map<string, number>()
  for (const component of Object.values(components)) {
    for (const option of component.options) {
      const offered = Math.min(optionQuantity(option), displayed.get(option.id) ?? Number.POSITIVE_INFINITY)
      displayed.set(option.id, selected.get(option.id) ?? offered)
    }
  }
  return displayed
}
