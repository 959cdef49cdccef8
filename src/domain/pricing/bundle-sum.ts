/** Sum of a bundle's selected products: the price of one bundle, in one currency. */
import { addAmounts, multiplyAmount } from './money.ts'

/** An amount in minor units, and whether it includes tax. */
export interface TaxedAmount {
  readonly amount: number
  readonly includesTax: boolean
}

/** A selected product's price per unit, and its quantity in one bundle. */
export interface SelectedPrice {
  readonly quantity: number
  readonly price: TaxedAmount
  /** List price per unit; null when the list prices inside the product (a nested bundle) disagree on tax. */
  readonly list: TaxedAmount | null
}

/** The price of one bundle, in minor units. */
export interface BundleSum extends TaxedAmount {
  /** Sum of the list prices; null when they disagree on tax although the prices agree, since that sum would be neither net nor gross. */
  readonly list: TaxedAmount | null
}

/**
 * The sum over `selected`, which has at least one element. Null when the prices disagree on tax (bundle.options-agree-on-tax) or when a
 * sum, of prices or of list prices, exceeds 2^53-1 (money.exact-or-no-price).
 */
export function sumSelectedPrices(selected: readonly SelectedPrice[]): BundleSum | null {
  const prices = selected.map(({ price, quantity }) => ({ ...price, quantity }))
  const lists = selected.flatMap(({ list, quantity }) => (list === null ? [] : [{ ...list, quantity }]))
  const amount = totalOf(prices)
  const listAmount = totalOf(lists)
  const includesTax = sharedTax(prices)
  if (amount === null || listAmount === null || includesTax === null) return null
  const listTax = lists.length === selected.length ? sharedTax(lists) : null
  return { amount, includesTax, list: listTax === null ? null : { amount: listAmount, includesTax: listTax } }
}

function totalOf(amounts: readonly { readonly amount: number; readonly quantity: number }[]): number | null {
  let total: number | null = 0
  for (const { amount, quantity } of amounts) {
    const product = multiplyAmount(amount, quantity)
    total = product === null || total === null ? null : addAmounts(total, product)
  }
  return total
}

/** The tax flag of all amounts; null when they disagree. */
function sharedTax(amounts: readonly TaxedAmount[]): boolean | null {
  const flag = amounts[0]?.includesTax ?? null
  return amounts.every((amount) => amount.includesTax === flag) ? flag : null
}
