/** Adds the prices of a bundle's selected products. */
import { addAmounts, multiplyAmount } from './money.ts'

/** An amount in minor units with its tax flag. */
export interface TaxedAmount {
  readonly amount: number
  readonly includesTax: boolean
}

/** A selected product's price of one unit and its units in one bundle. */
export interface SelectedPrice {
  readonly quantity: number
  readonly price: TaxedAmount
  /** Null when the product's own list price mixes net and gross. */
  readonly list: TaxedAmount | null
}

/** The price of one bundle. */
export interface BundleSum extends TaxedAmount {
  /** Null when the list prices disagree on tax although the prices do not: that sum would be neither net nor gross. */
  readonly list: TaxedAmount | null
}

/**
 * The sum of all `parts`, at least one; null when they disagree on tax (bundle.options-agree-on-tax) or an amount, list included, passes
 * 2^53-1 (money.exact-or-no-price).
 */
export function sumSelectedPrices(parts: readonly SelectedPrice[]): BundleSum | null {
  const prices = parts.map(({ price, quantity: units }) => ({ ...price, units }))
  const lists = parts.flatMap(({ list, quantity: units }) => (list === null ? [] : [{ ...list, units }]))
  const amount = totalOf(prices)
  const listAmount = totalOf(lists)
  const includesTax = sharedTax(prices)
  if (amount === null || listAmount === null || includesTax === null) return null
  const listTax = lists.length === parts.length ? sharedTax(lists) : null
  return { amount, includesTax, list: listTax === null ? null : { amount: listAmount, includesTax: listTax } }
}

function totalOf(amounts: readonly { readonly amount: number; readonly units: number }[]): number | null {
  let total: number | null = 0
  for (const { amount, units } of amounts) {
    const part = multiplyAmount(amount, units)
    total = part === null || total === null ? null : addAmounts(total, part)
  }
  return total
}

/** The flag that all amounts carry, or null when they disagree. */
function sharedTax(amounts: readonly TaxedAmount[]): boolean | null {
  const flag = amounts[0]?.includesTax ?? null
  return amounts.every((amount) => amount.includesTax === flag) ? flag : null
}
