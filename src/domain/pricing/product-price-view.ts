/**
 * Product price view: everything about a product's price that clients of a listing see, at quantity 1 and one instant.
 */
import { displayedQuantities } from './bundle.ts'
import { type ModifierView, toModifierViews } from './modifier-view.ts'
import { earliest, pricedCurrencies } from './price.ts'
import type { PriceView } from './price-view.ts'
import type { CompiledBundle, PriceableProduct, Selection } from './priceable-product.ts'
import { toPriceView } from './to-price-view.ts'

/** The price keys of a bundle's component product. */
export interface ComponentPriceView extends PriceView {
  /** Names of the option's modifiers, the same as in the option's own `attributes.price_modifiers`. */
  readonly price_modifiers: readonly string[]
}

/** The selection of a bundle and the prices of its options. */
export interface BundlePriceView {
  readonly selected_options: Selection
  /**
   * By product id: every live option of the bundle, selected or not (bundle.components-listed-anyway), at its displayed
   * quantity.
   */
  readonly component_products: Readonly<Record<string, ComponentPriceView>>
}

/**
 * The price keys of a product. Each member but `changesAt` is serialized under its name; the edges add the text of
 * display prices (`displayAmounts`).
 */
export interface ProductPriceView extends PriceView {
  /**
   * `meta.price_modifiers`, by name: those found in the supplying book (modifier.listed-without-sales); {} for none.
   */
  readonly price_modifiers: Readonly<Record<string, ModifierView>>
  /** Only for bundles. */
  readonly bundle_configuration?: BundlePriceView
  /** Shopper attributes of the price record, as of the publish (price.shopper-attributes-frozen); null for none. */
  readonly shopper_attributes: Readonly<Record<string, string | null>> | null
  /**
   * The next instant (epoch milliseconds) at which anything above changes in any currency; null for never
   * (list.true-until-next-change).
   */
  readonly changesAt: number | null
}

/**
 * The price view of `product` at `now` (epoch milliseconds). `selection` is a shopper's selection in place of a
 * bundle's default one.
 */
export function toProductPriceView(
  product: PriceableProduct,
  now: number,
  selection?: Selection | null,
): ProductPriceView {
  const { view, changesAt } = toPriceView(product, { now, quantity: 1, selection })
  const own = {
    ...view,
    price_modifiers: toModifierViews(product.modifiers),
    shopper_attributes: product.record?.shopperAttributes ?? null,
    changesAt,
  }
  if (product.bundle === null) return own
  const bundleView = toBundleView(product.id, product.bundle, now, selection ?? product.bundle.selection)
  return { ...own, bundle_configuration: bundleView.bundle, changesAt: earliest(changesAt, bundleView.changesAt) }
}

/**
 * Cost of a price view, in the unit of `PriceableProduct.resolutionCost`: every currency of the product and of each
 * option.
 */
export function productPriceViewCost(product: PriceableProduct): number {
  const own = product.resolutionCost * pricedCurrencies(product).length
  let options = 0
  for (const option of product.bundle?.options.values() ?? [])
    options += option.resolutionCost * pricedCurrencies(option).length
  return own + options
}

function toBundleView(bundleId: string, bundle: CompiledBundle, now: number, selection: Selection) {
  const components: [string, ComponentPriceView][] = []
  let changesAt: number | null = null
  for (const [id, quantity] of displayedQuantities(bundle.components, selection)) {
    const option = bundle.options.get(id)
    if (option === undefined) continue
    const { view, changesAt: optionChangesAt } = toPriceView(option, { now, quantity, bundleId })
    components.push([id, { ...view, price_modifiers: option.modifierNames }])
    changesAt = earliest(changesAt, optionChangesAt)
  }
  return { bundle: { selected_options: selection, component_products: Object.fromEntries(components) }, changesAt }
}
