/**
 * Price resolution: one pure function of a release's pricing data, the instant, the currency, the quantity and the
 * bundle, and of nothing else (price.same-in-every-context; pricing/README.md).
 */
import { selectProducts } from './bundle.ts'
import { type SelectedPrice, sumSelectedPrices } from './bundle-sum.ts'
import type {
  ChosenProduct,
  CompiledBundle,
  CompiledPriceRecord,
  PriceableProduct,
  Selection,
} from './priceable-product.ts'
import {
  hasRecord,
  nextRecordChange,
  type ProductWithRecord,
  type RecordPrice,
  resolveRecordPrice,
  winningSaleAt,
} from './record-price.ts'
import type { Price, Resolution } from './resolution.ts'

/** For which instant, currency, quantity and bundle a price is resolved. */
export interface PriceQuery {
  /** Epoch milliseconds; any instant (price.one-instant-per-request). */
  readonly now: number
  readonly currency: string
  /** From 1 to 2^53-1 (price.quantity-from-one; `isQuantity` checks it). */
  readonly quantity: number
  /**
   * Raw id of the bundle that the product is an option of (sale.bundle-sale-stays-inside); absent for a price outside
   * bundles (price.alone-outside-bundles).
   */
  readonly bundleId?: string | null | undefined
  /**
   * A shopper's selection of a bundle without a price record, in place of the default one. Callers check it
   * (`selectionViolations`).
   */
  readonly selection?: Selection | null | undefined
}

const noPrice: Resolution = { price: null, changesAt: null }

/**
 * The price and its reasons. Without a price, `changesAt` is the instant at which one may come
 * (bundle.price-may-come-and-go), which matters only for the lifetime of cached responses
 * (list.true-until-next-change).
 */
export function resolvePrice(product: PriceableProduct, query: PriceQuery): Resolution {
  if (hasRecord(product)) return resolveOwnPrice(product, query)
  return product.bundle === null ? noPrice : cachedBundlePrice(product, product.bundle, query)
}

/**
 * The sum of a bundle, cached until it changes for the most frequent query: quantity 1, default selection, outside
 * other bundles. A sum resolves the price of every selected option.
 */
function cachedBundlePrice(product: PriceableProduct, bundle: CompiledBundle, query: PriceQuery): Resolution {
  const { now, currency, quantity, bundleId, selection } = query
  if (quantity !== 1 || bundleId != null || selection != null) return resolveBundlePrice(product, bundle, query)
  const cached = bundle.cached.get(currency)
  if (cached && cached.from <= now && now < cached.until) return cached.resolution
  const resolution = resolveBundlePrice(product, bundle, query)
  // Clients may request any three letters; the cache holds only currencies that can have a price now or later.
  if (resolution !== noPrice)
    bundle.cached.set(currency, { from: now, until: resolution.changesAt ?? Number.POSITIVE_INFINITY, resolution })
  return resolution
}

function resolveOwnPrice(product: ProductWithRecord, query: PriceQuery): Resolution {
  const sale = winningSaleAt(product, query)
  const price = resolveRecordPrice(product, query.currency, query.quantity, sale)
  return {
    price: price === null ? null : toPrice(product.record, query.currency, price),
    changesAt: nextRecordChange(product, query, query.currency, sale, price),
  }
}

function toPrice(record: CompiledPriceRecord, currency: string, price: RecordPrice): Price {
  return {
    currency,
    amount: price.amount,
    includesTax: price.includesTax,
    list: { amount: price.listAmount, includesTax: price.listIncludesTax },
    book: record.book,
    productPrice: record.id,
    sale: price.sale?.summary ?? null,
    tier: price.tier,
    modifiers: price.modifiers,
  }
}

/** A chosen option of a bundle with its quantity in one bundle, and the query of its price. */
export interface OptionQuery {
  readonly option: PriceableProduct
  readonly quantity: number
  readonly query: PriceQuery
}

/**
 * The chosen options of a bundle, each with the query for its price in the context of this bundle
 * (bundle.options-in-its-context) and for all its units bought (bundle.tier-by-units-bought,
 * bundle.one-level-of-nesting).
 */
export function optionQueries(
  product: PriceableProduct,
  bundle: CompiledBundle,
  query: PriceQuery,
): readonly OptionQuery[] {
  const { now, currency } = query
  return chosenProducts(bundle, query.selection).map(({ product: option, quantity }) => ({
    option,
    quantity,
    query: { now, currency, quantity: query.quantity * quantity, bundleId: product.id },
  }))
}

/** The sum over a bundle's selection (bundle.own-price-else-sum, bundle.earliest-change-of-options). */
function resolveBundlePrice(product: PriceableProduct, bundle: CompiledBundle, query: PriceQuery): Resolution {
  const { currency } = query
  const chosen = chosenProducts(bundle, query.selection)
  // A bundle that fails here has no price at any instant: bundle.empty-selection-has-no-price,
  // bundle.currencies-of-all-options, bundle.live-options-only.
  if (chosen.length === 0 || !chosen.every((option) => hasCurrency(option, currency))) return noPrice
  const prices: SelectedPrice[] = []
  let changesAt: number | null = null
  for (const { option, quantity, query: optionQuery } of optionQueries(product, bundle, query)) {
    const { price, changesAt: optionChangesAt } = resolvePrice(option, optionQuery)
    changesAt = earliest(changesAt, optionChangesAt)
    if (price !== null) prices.push({ quantity, price, list: price.list })
  }
  const sum = prices.length === chosen.length ? sumSelectedPrices(prices) : null
  if (sum === null) return { price: null, changesAt }
  const reasons = { book: null, productPrice: null, sale: null, tier: null, modifiers: [] }
  return { price: { currency, ...sum, ...reasons }, changesAt }
}

function chosenProducts(bundle: CompiledBundle, selection: Selection | null | undefined): readonly ChosenProduct[] {
  return (selection == null ? bundle.chosen : selectProducts(selection, bundle.options)) ?? []
}

/**
 * The currencies in which a price can exist at some instant and quantity, in code order (price.every-currency-by-code).
 * `selection` as in PriceQuery.
 */
export function pricedCurrencies(product: PriceableProduct, selection?: Selection | null): readonly string[] {
  if (product.record !== null) return Object.keys(product.record.list)
  if (product.bundle === null) return []
  const [first, ...others] = chosenProducts(product.bundle, selection)
  if (first === undefined) return []
  return pricedCurrencies(first.product).filter((currency) => others.every((other) => hasCurrency(other, currency)))
}

function hasCurrency({ product }: ChosenProduct, currency: string): boolean {
  if (product.record !== null) return product.record.list[currency] !== undefined
  const chosen = product.bundle?.chosen ?? []
  return chosen.length > 0 && chosen.every((option) => hasCurrency(option, currency))
}

/** The earlier of two instants (epoch milliseconds), where null is never. */
export function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
