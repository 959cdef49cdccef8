/**
 * Record price: the price that one price record gives, with the modifiers of a child that inherits it, and when it
 * changes.
 */
import { type AppliedModifier, type CompiledModifier, modifiedAmount, modifierEffect } from './modifier.ts'
import type { CompiledPriceRecord, PriceableProduct } from './priceable-product.ts'
import { type CompiledSale, findWinningSale, nextSaleChange } from './sale.ts'
import { lowerListTier } from './sale-yield.ts'
import { reachedTier } from './tier.ts'

/** The price of one unit in one currency at one quantity. Amounts are minor units. */
export interface RecordPrice {
  readonly amount: number
  readonly includesTax: boolean
  /** Before tiers and sales, with modifiers by their plain amounts (price.list-price-before-tiers). */
  readonly listAmount: number
  readonly listIncludesTax: boolean
  /** The sale that supplied the amount (sale.reported-when-it-supplies). */
  readonly sale: CompiledSale | null
  /** Name of the list or sale tier that supplied the amount (tier.named-when-it-supplies). */
  readonly tier: string | null
  readonly modifiers: readonly AppliedModifier[]
}

/** A product with a price record, its own or its parent's. */
export type ProductWithRecord = PriceableProduct & { readonly record: CompiledPriceRecord }

/** Whether a price record prices the product; without one a bundle is summed and any other product has no price. */
export function hasRecord(product: PriceableProduct): product is ProductWithRecord {
  return product.record !== null
}

/**
 * For which instant (epoch milliseconds), quantity and context a record is resolved. `bundleId` is the bundle that the
 * product is an option of (sale.bundle-sale-stays-inside).
 */
export interface RecordPriceQuery {
  readonly now: number
  readonly quantity: number
  readonly bundleId?: string | null | undefined
}

/** The winning sale of the product's record, or null. */
export function winningSaleAt(product: ProductWithRecord, { now, bundleId }: RecordPriceQuery): CompiledSale | null {
  return findWinningSale(product.record.sales, now, contextBundle(product, bundleId))
}

const none: readonly AppliedModifier[] = []

/**
 * The price while `sale` is the winning sale (price.tax-flag-of-its-source). Null without a list amount
 * (price.list-price-fixes-currencies, modifier.adds-no-currency), or when an amount exceeds 2^53-1
 * (money.exact-or-no-price).
 */
export function resolveRecordPrice(
  product: ProductWithRecord,
  currency: string,
  quantity: number,
  sale: CompiledSale | null,
): RecordPrice | null {
  const list = product.record.list[currency]
  if (list === undefined) return null
  const salePrice = sale?.prices[currency]
  // sale.no-second-winner: when the winning sale yields, no other sale takes its place.
  const onSale = salePrice !== undefined && lowerListTier(list, salePrice, quantity) === null
  const price = onSale ? salePrice : list
  const tier = reachedTier(price.tiers, quantity)
  // Members are written out, because spreads cost several times as much and a page resolves hundreds of prices.
  const plain: RecordPrice = {
    amount: tier?.amount ?? price.amount,
    includesTax: price.includesTax,
    listAmount: list.amount,
    listIncludesTax: list.includesTax,
    sale: onSale ? sale : null,
    tier: tier?.name ?? null,
    modifiers: none,
  }
  return product.modifiers.length === 0 ? plain : modified(plain, product.modifiers, currency, quantity)
}

/**
 * The inherited price `plain` after the modifiers, which apply to its amount and to its list amount
 * (modifier.changes-price-and-list-price).
 */
function modified(
  plain: RecordPrice,
  modifiers: readonly CompiledModifier[],
  currency: string,
  quantity: number,
): RecordPrice | null {
  const effect = modifierEffect(modifiers, currency, quantity)
  const amount = modifiedAmount(plain.amount, effect)
  const listAmount = modifiedAmount(plain.listAmount, modifierEffect(modifiers, currency, 0))
  if (amount === null || listAmount === null) return null
  if (effect.equals === null) return { ...plain, amount, listAmount, modifiers: effect.applied }
  // modifier.equals-replaces-base drops the parent's sale and tier; modifier.tax-flag-of-base takes the modifier's
  // flag.
  const includesTax = effect.equals.includesTax
  return {
    amount,
    includesTax,
    listAmount,
    listIncludesTax: includesTax,
    sale: null,
    tier: null,
    modifiers: effect.applied,
  }
}

/**
 * The first instant after `query.now` at which `price` changes in amount, tax flag, sale or tier
 * (price.changes-with-its-reasons, price.changes-strictly-later); null for never. `sale` is the winning sale at
 * `query.now`, and `price` the price with it. Only a change of the winning sale changes a price.
 */
export function nextRecordChange(
  product: ProductWithRecord,
  query: RecordPriceQuery,
  currency: string,
  sale: CompiledSale | null,
  price: RecordPrice | null,
): number | null {
  const { sales } = product.record
  // Sales change only the currencies that they have.
  if (!sales.some(({ prices }) => prices[currency] !== undefined)) return null
  const bundleId = contextBundle(product, query.bundleId)
  let at = nextSaleChange(sales, sale, query.now, bundleId)
  while (at !== null) {
    const nextSale = findWinningSale(sales, at, bundleId)
    if (differs(price, resolveRecordPrice(product, currency, query.quantity, nextSale))) return at
    at = nextSaleChange(sales, nextSale, at, bundleId)
  }
  return null
}

/**
 * Whether two prices of one record, currency and quantity differ: their sale decides amount, tax flag, expiry and tier.
 * Either may be missing (money.exact-or-no-price).
 */
function differs(one: RecordPrice | null, other: RecordPrice | null): boolean {
  return one === null || other === null ? one !== other : one.sale !== other.sale
}

/** The bundle whose sales may apply, null for none: a bundle is not its own option (bundle.not-its-own-option). */
export function contextBundle(product: ProductWithRecord, bundleId: RecordPriceQuery['bundleId']): string | null {
  return bundleId == null || bundleId === product.id ? null : bundleId
}
