/**
 * The price of a product: one pure function of what a release froze, the instant, the currency, the quantity and the bundle
 * (pricing/README.md).
 */
import { selectProducts } from './bundle.ts'
import { type SelectedPrice, sumSelectedPrices } from './bundle-sum.ts'
import type { ChosenProduct, CompiledBundle, CompiledPriceRecord, PriceableProduct, Selection } from './priceable-product.ts'
import { hasRecord, nextRecordChange, type ProductWithRecord, type RecordPrice, resolveRecordPrice, winningSaleAt } from './record-price.ts'
import type { Price, Resolution } from './resolution.ts'

export interface PriceQuery {
  /** Epoch milliseconds; any instant (price.one-instant-per-request). */
  readonly now: number
  readonly currency: string
  /** From 1 to 2^53-1 (price.quantity-from-one; `isQuantity`). */
  readonly quantity: number
  /**
   * Raw id of the bundle as whose option the product is priced (sale.bundle-sale-stays-inside); otherwise its price stands alone
   * (price.alone-outside-bundles).
   */
  readonly bundleId?: string | null | undefined
  /** A shopper's selection in place of the default one; only a bundle without a row looks at it. Check it with `selectionViolations`. */
  readonly selection?: Selection | null | undefined
}

const nothing: Resolution = { price: null, changesAt: null }

/** The resolutions in every currency in which a price can exist, in the order of the codes. */
export function resolvePrices(unit: PriceableProduct, query: Omit<PriceQuery, 'currency'>): readonly Resolution[] {
  const { now, quantity, bundleId, selection } = query
  return pricedCurrencies(unit, selection).map((currency) => resolvePrice(unit, { now, currency, quantity, bundleId, selection }))
}

/**
 * The price and its reasons. Without a price `changesAt` is the instant at which one may come (bundle.price-may-come-and-go), which only
 * cache ends count (list.true-until-next-change).
 */
export function resolvePrice(unit: PriceableProduct, query: PriceQuery): Resolution {
  if (hasRecord(unit)) return rowPrice(unit, query)
  return unit.bundle === null ? nothing : heldPrice(unit, unit.bundle, query)
}

/** What is asked most, one bundle of the default selection standing alone, is summed once for as long as the sum is true: it asks every option. */
function heldPrice(unit: PriceableProduct, bundle: CompiledBundle, query: PriceQuery): Resolution {
  const { now, currency, quantity, bundleId, selection } = query
  if (quantity !== 1 || bundleId != null || selection != null) return bundlePrice(unit, bundle, query)
  const known = bundle.cached.get(currency)
  if (known && known.from <= now && now < known.until) return known.resolution
  const resolution = bundlePrice(unit, bundle, query)
  // Any three letters may be asked for; only currencies that there are can have a price, now or later.
  if (resolution !== nothing)
    bundle.cached.set(currency, { from: now, until: resolution.changesAt ?? Number.POSITIVE_INFINITY, resolution })
  return resolution
}

function rowPrice(unit: ProductWithRecord, query: PriceQuery): Resolution {
  const winner = winningSaleAt(unit, query)
  const price = resolveRecordPrice(unit, query.currency, query.quantity, winner)
  return {
    price: price === null ? null : tellRowPrice(unit.record, query.currency, price),
    changesAt: nextRecordChange(unit, query, query.currency, winner, price),
  }
}

function tellRowPrice(row: CompiledPriceRecord, currency: string, price: RecordPrice): Price {
  const sale = price.sale === null ? null : price.sale.summary
  return {
    currency,
    amount: price.amount,
    includesTax: price.includesTax,
    list: { amount: price.listAmount, includesTax: price.listIncludesTax },
    book: row.book,
    productPrice: row.id,
    sale,
    saleExpires: sale === null ? null : sale.validTo,
    tier: price.tier,
    modifiers: price.modifiers,
  }
}

/**
 * bundle.own-price-else-sum: the sum over the selection, each product priced in the context of this bundle (bundle.options-in-its-context)
 * for all its units bought (bundle.tier-by-units-bought, bundle.one-level-of-nesting).
 */
function bundlePrice(unit: PriceableProduct, bundle: CompiledBundle, query: PriceQuery): Resolution {
  const { now, currency, quantity } = query
  const chosen = chosenUnits(bundle, query.selection)
  // bundle.empty-selection-has-no-price, bundle.currencies-of-all-options, bundle.live-options-only: otherwise no instant ever brings a
  // price.
  if (chosen.length === 0 || !chosen.every((option) => hasCurrency(option, currency))) return nothing
  const parts: SelectedPrice[] = []
  let changesAt: number | null = null
  for (const { product: option, quantity: units } of chosen) {
    const answer = resolvePrice(option, { now, currency, quantity: quantity * units, bundleId: unit.id })
    changesAt = earliest(changesAt, answer.changesAt)
    if (answer.price !== null) parts.push({ quantity: units, price: answer.price, list: answer.price.list })
  }
  const sum = parts.length === chosen.length ? sumSelectedPrices(parts) : null
  if (sum === null) return { price: null, changesAt }
  const reasons = { book: null, productPrice: null, sale: null, saleExpires: null, tier: null, modifiers: [] }
  return { price: { currency, ...sum, ...reasons }, changesAt }
}

function chosenUnits(bundle: CompiledBundle, selection: Selection | null | undefined): readonly ChosenProduct[] {
  return (selection == null ? bundle.chosen : selectProducts(selection, bundle.options)) ?? []
}

/** The currencies in which a price can exist at all, in the order of their codes. */
export function pricedCurrencies(unit: PriceableProduct, selection?: Selection | null): readonly string[] {
  if (unit.record !== null) return Object.keys(unit.record.list)
  if (unit.bundle === null) return []
  const [first, ...others] = chosenUnits(unit.bundle, selection)
  return first === undefined
    ? []
    : pricedCurrencies(first.product).filter((currency) => others.every((other) => hasCurrency(other, currency)))
}

function hasCurrency({ product: unit }: ChosenProduct, currency: string): boolean {
  if (unit.record !== null) return unit.record.list[currency] !== undefined
  const chosen = unit.bundle?.chosen ?? []
  return chosen.length > 0 && chosen.every((option) => hasCurrency(option, currency))
}

/** The earlier of two instants; null is never. */
export function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
