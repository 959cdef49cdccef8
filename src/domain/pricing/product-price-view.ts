/** What a listing says about a product's price: the keys that prices decide, at quantity 1 and one instant. */
import { displayedQuantities } from './bundle.ts'
import { type ModifierView, toModifierViews } from './modifier-view.ts'
import { earliest, pricedCurrencies } from './price.ts'
import type { PriceView } from './price-view.ts'
import type { CompiledBundle, PriceableProduct, Selection } from './priceable-product.ts'
import { toPriceView } from './to-price-view.ts'

export interface ComponentPriceView extends PriceView {
  /** The names of the option's modifiers, as in its own `attributes.price_modifiers`. */
  readonly price_modifiers: readonly string[]
}

export interface BundlePriceView {
  readonly selected_options: Selection
  /** By product id: every live option of the bundle, chosen or not, at its own quantity. */
  readonly component_products: Readonly<Record<string, ComponentPriceView>>
}

/** Each member but `changesAt` goes to the wire under its name; texts of display prices are added at the edge (`displayAmounts`). */
export interface ProductPriceView extends PriceView {
  /** `meta.price_modifiers`: those found in the supplying book (modifier.listed-without-sales); {} for none. */
  readonly price_modifiers: Readonly<Record<string, ModifierView>>
  /** Bundles only. */
  readonly bundle_configuration?: BundlePriceView
  /** Those of the row, frozen with it (price.shopper-attributes-frozen); null for none. */
  readonly shopper_attributes: Readonly<Record<string, string | null>> | null
  /**
   * The next instant, in epoch milliseconds, at which anything above changes in any currency; null: never (list.true-until-next-change).
   */
  readonly changesAt: number | null
}

/** The listing of `unit` at `now`, epoch milliseconds. `selection`: a bundle as a shopper configured it, in place of the default one. */
export function toProductPriceView(unit: PriceableProduct, now: number, selection?: Selection | null): ProductPriceView {
  const { view: prices, changesAt } = toPriceView(unit, { now, quantity: 1, bundleId: null }, selection)
  const listing = {
    ...prices,
    price_modifiers: toModifierViews(unit.modifiers),
    shopper_attributes: unit.record?.shopperAttributes ?? null,
    changesAt,
  }
  if (unit.bundle === null) return listing
  const components = listBundle(unit.id, unit.bundle, now, selection ?? unit.bundle.selection)
  return { ...listing, bundle_configuration: components.bundle, changesAt: earliest(changesAt, components.changesAt) }
}

/** How much work a listing is, in prices of a row without sales (PriceableProduct.parts): every currency of the unit and of each option. */
export function productPriceViewCost(unit: PriceableProduct): number {
  const own = unit.resolutionCost * pricedCurrencies(unit).length
  let options = 0
  for (const option of unit.bundle?.options.values() ?? []) options += option.resolutionCost * pricedCurrencies(option).length
  return own + options
}

function listBundle(bundleId: string, bundle: CompiledBundle, now: number, selection: Selection) {
  const products: [string, ComponentPriceView][] = []
  let changesAt: number | null = null
  for (const [id, quantity] of displayedQuantities(bundle.components, selection)) {
    const option = bundle.options.get(id)
    if (option === undefined) continue
    const listed = toPriceView(option, { now, quantity, bundleId })
    products.push([id, { ...listed.view, price_modifiers: option.modifierNames }])
    changesAt = earliest(changesAt, listed.changesAt)
  }
  return { bundle: { selected_options: selection, component_products: Object.fromEntries(products) }, changesAt }
}
