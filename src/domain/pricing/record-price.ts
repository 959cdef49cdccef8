/** The price that one row gives, with the modifiers of an inheriting child, and when it changes. */
import { type AppliedModifier, type CompiledModifier, modifiedAmount, modifierEffect } from './modifier.ts'
import type { CompiledPriceRecord, PriceableProduct } from './priceable-product.ts'
import { type CompiledSale, findWinningSale, isUnscheduled, nextSaleChange } from './sale.ts'
import { reachedTier } from './tier.ts'

/** The price of one unit in one currency at one quantity. Amounts are minor units. */
export interface RecordPrice {
  readonly amount: number
  readonly includesTax: boolean
  /** Before tiers and sales, modifiers by their plain amounts (price.list-price-before-tiers). */
  readonly listAmount: number
  readonly listIncludesTax: boolean
  /** The sale that supplied the amount (sale.reported-when-it-supplies). */
  readonly sale: CompiledSale | null
  /** The key of the list or sale tier that supplied the amount (tier.named-when-it-supplies). */
  readonly tier: string | null
  readonly modifiers: readonly AppliedModifier[]
}

/** A unit that has a row. */
export type ProductWithRecord = PriceableProduct & { readonly record: CompiledPriceRecord }

export function hasRecord(unit: PriceableProduct): unit is ProductWithRecord {
  return unit.record !== null
}

/** Where and when a row is asked. `bundleId`: the bundle as whose option the product is priced (sale.bundle-sale-stays-inside). */
export interface RecordPriceQuery {
  readonly now: number
  readonly quantity: number
  readonly bundleId?: string | null | undefined
}

/** The winner among the row's sales at `now`. A bundle is not its own option (bundle.not-its-own-option). */
export function winningSaleAt(unit: ProductWithRecord, { now, bundleId }: RecordPriceQuery): CompiledSale | null {
  return findWinningSale(unit.record.sales, now, context(unit, bundleId))
}

const none: readonly AppliedModifier[] = []

/**
 * The price while `sale` is the winner; null without a list amount (price.list-price-fixes-currencies), or when an amount passes 2^53-1
 * (money.exact-or-no-price).
 */
export function resolveRecordPrice(
  unit: ProductWithRecord,
  currency: string,
  quantity: number,
  sale: CompiledSale | null,
): RecordPrice | null {
  const list = unit.record.list[currency]
  if (list === undefined) return null
  const salePrice = sale?.prices[currency]
  const listTier = reachedTier(list.tiers, quantity)
  // sale.yields-to-list-tier: a scheduled sale, its own tiers included, yields to a reached list tier; amounts are never compared
  // (sale.amounts-never-compared).
  const onSale = sale !== null && salePrice !== undefined && (listTier === null || isUnscheduled(sale))
  const price = onSale ? salePrice : list
  const tier = onSale ? reachedTier(salePrice.tiers, quantity) : listTier
  // Written out: spreads cost several times as much, and a page asks this hundreds of times.
  const plain: RecordPrice = {
    amount: tier?.amount ?? price.amount,
    includesTax: price.includesTax,
    listAmount: list.amount,
    listIncludesTax: list.includesTax,
    sale: onSale ? sale : null,
    tier: tier?.name ?? null,
    modifiers: none,
  }
  return unit.modifiers.length === 0 ? plain : modified(plain, unit.modifiers, currency, quantity)
}

/** `plain`, the base's price, with the modifiers over its amount and its list amount each. */
function modified(plain: RecordPrice, modifiers: readonly CompiledModifier[], currency: string, quantity: number): RecordPrice | null {
  const effect = modifierEffect(modifiers, currency, quantity)
  const amount = modifiedAmount(plain.amount, effect)
  const listAmount = modifiedAmount(plain.listAmount, modifierEffect(modifiers, currency, 0))
  if (amount === null || listAmount === null) return null
  if (effect.equals === null) return { ...plain, amount, listAmount, modifiers: effect.applied }
  // modifier.equals-replaces-base: neither sale nor tier of the base is left; modifier.tax-flag-of-base: the flag is the modifier's.
  const includesTax = effect.equals.includesTax
  return { amount, includesTax, listAmount, listIncludesTax: includesTax, sale: null, tier: null, modifiers: effect.applied }
}

/**
 * The first instant after `now` at which `price`, which `winner` gives in the currency at `now`, becomes another: in amount, tax, sale or
 * tier (price.changes-with-its-reasons, price.changes-strictly-later). Null: never. Between two turns of the winning sale nothing changes.
 */
export function nextRecordChange(
  unit: ProductWithRecord,
  question: RecordPriceQuery,
  currency: string,
  winner: CompiledSale | null,
  price: RecordPrice | null,
): number | null {
  const { sales } = unit.record
  // No sale changes a currency that none has.
  if (!sales.some(({ prices }) => prices[currency] !== undefined)) return null
  const bundleId = context(unit, question.bundleId)
  let at = nextSaleChange(sales, winner, question.now, bundleId)
  while (at !== null) {
    const sale = findWinningSale(sales, at, bundleId)
    if (differs(price, resolveRecordPrice(unit, currency, question.quantity, sale))) return at
    at = nextSaleChange(sales, sale, at, bundleId)
  }
  return null
}

/**
 * In one row, currency and quantity the sale decides amount, tax, expiry and tier. A price may also come and go (money.exact-or-no-price).
 */
function differs(one: RecordPrice | null, other: RecordPrice | null): boolean {
  return one === null || other === null ? one !== other : one.sale !== other.sale
}

function context(unit: ProductWithRecord, bundleId: RecordPriceQuery['bundleId']): string | null {
  return bundleId == null || bundleId === unit.id ? null : bundleId
}
