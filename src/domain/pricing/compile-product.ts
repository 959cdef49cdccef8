/**
 * Compiler of a product's pricing: turns a release's stored data into a `PriceableProduct`. It settles everything that
 * depends on neither the instant nor the request.
 */
import { defaultSelection, selectProducts } from './bundle.ts'
import { compileCurrencies } from './list-price.ts'
import { compileModifiers, orderNames } from './modifier.ts'
import type { ReleasePriceRecord, ReleasePricing } from './price-record.ts'
import type { CompiledBundle, CompiledPriceRecord, PriceableProduct } from './priceable-product.ts'
import { rankSales } from './sale.ts'

/**
 * The compiled pricing of one product. It never changes, so it is cached together with its release document.
 *
 * The product's own price record applies first (price.own-record-before-base, price.book-chosen-by-sku,
 * price.parent-by-its-own-sku). Without one, a bundle is summed (bundle.own-price-else-sum, bundle.not-its-own-option),
 * and a child inherits its parent's record with its modifiers (modifier.own-price-ignores-them,
 * modifier.book-and-sale-of-base).
 */
export function compileProduct(pricing: ReleasePricing): PriceableProduct {
  const bundle = compileBundle(pricing)
  const inherited = pricing.own === null && bundle === null ? pricing.base : null
  const record = pricing.own ?? inherited
  const names = orderNames(pricing.modifier_names ?? [])
  return {
    id: pricing.id,
    record: record === null ? null : compileRecord(record),
    inherited: inherited !== null,
    modifierNames: names,
    modifiers: inherited === null ? [] : compileModifiers(names, pricing.modifiers ?? []),
    bundle,
    resolutionCost:
      record === null
        ? totalResolutionCost(bundle?.chosen?.map(({ product }) => product) ?? [])
        : 1 + record.sales.length / SALES_PER_PRICE,
    cached: null,
  }
}

/** The number of sales whose ranking costs as much as one price. */
const SALES_PER_PRICE = 4

/** Cost of resolving a price that depends on all of `products`, in the unit of `resolutionCost`. */
export function totalResolutionCost(products: Iterable<PriceableProduct>): number {
  let sum = 1
  for (const { resolutionCost } of products) sum += resolutionCost
  return sum
}

function compileRecord(record: ReleasePriceRecord): CompiledPriceRecord {
  return {
    id: record.id,
    book: record.book,
    list: compileCurrencies(record.currencies),
    sales: rankSales(record.sales),
    shopperAttributes: record.shopper_attributes,
  }
}

/** Null for no components or an empty map, which make no bundle (product.types-that-hold). */
function compileBundle(pricing: ReleasePricing): CompiledBundle | null {
  const components = pricing.components
  if (components == null || Object.keys(components).length === 0) return null
  const options = new Map(Object.entries(pricing.options ?? {}).map(([id, option]) => [id, compileProduct(option)]))
  const selection = defaultSelection(components)
  return { components, options, selection, chosen: selectProducts(selection, options), cached: new Map() }
}
