/** Makes a frozen product ready for pricing: everything that neither the clock nor a request decides is settled here, once. */
import { defaultSelection, selectProducts } from './bundle.ts'
import { compileCurrencies } from './list-price.ts'
import { compileModifiers, orderNames } from './modifier.ts'
import type { ReleasePriceRecord, ReleasePricing } from './price-record.ts'
import type { CompiledBundle, CompiledPriceRecord, PriceableProduct } from './priceable-product.ts'
import { rankSales } from './sale.ts'

/**
 * The unit that `resolvePrice` and `toProductPriceView` read. Keep it as long as the release document: it never changes. The own row wins
 * (price.own-record-before-base, price.book-chosen-by-sku); without one a bundle is summed (bundle.own-price-else-sum,
 * bundle.not-its-own-option), and a child takes its base's row and its modifiers (modifier.own-price-ignores-them).
 */
export function compileProduct(frozen: ReleasePricing): PriceableProduct {
  const bundle = compileBundle(frozen)
  const inherited = frozen.own === null && bundle === null ? frozen.base : null
  const row = frozen.own ?? inherited
  const names = orderNames(frozen.modifier_names ?? [])
  return {
    id: frozen.id,
    record: row === null ? null : compileRow(row),
    modifierNames: names,
    modifiers: inherited === null ? [] : compileModifiers(names, frozen.modifiers ?? []),
    bundle,
    resolutionCost:
      row === null ? totalResolutionCost(bundle?.chosen?.map(({ product: unit }) => unit) ?? []) : 1 + row.sales.length / SALES_PER_PART,
    cached: null,
  }
}

/** So many sales are looked at in the time of a price. */
const SALES_PER_PART = 4

/** The parts of units together. */
export function totalResolutionCost(units: Iterable<PriceableProduct>): number {
  let sum = 1
  for (const { resolutionCost: parts } of units) sum += parts
  return sum
}

function compileRow(row: ReleasePriceRecord): CompiledPriceRecord {
  return {
    id: row.id,
    book: row.book,
    list: compileCurrencies(row.currencies),
    sales: rankSales(row.sales),
    shopperAttributes: row.shopper_attributes,
  }
}

/** Components without any key make no bundle (product.types-that-hold). */
function compileBundle(frozen: ReleasePricing): CompiledBundle | null {
  const components = frozen.components
  if (components == null || Object.keys(components).length === 0) return null
  const options = new Map(Object.entries(frozen.options ?? {}).map(([id, option]) => [id, compileProduct(option)]))
  const selection = defaultSelection(components)
  return { components, options, selection, chosen: selectProducts(selection, options), cached: new Map() }
}
