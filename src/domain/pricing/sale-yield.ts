/**
 * Where a sale and the tiers of a list price meet, in one currency: the lower of the two, the sale when they are equal
 * (sale.yields-to-lower-tier, sale.makes-no-quantity-dearer). The plain list amount is not compared
 * (sale.list-amount-never-compared).
 */
import { amountAt, type CurrencyPrice } from './list-price.ts'
import { reachedTier, type Tier } from './tier.ts'

/**
 * The list tier that supplies the price in place of the winning sale: the highest that `quantity` reaches, where it is
 * lower than the sale; null where the sale supplies it. Amounts with and without tax are not compared
 * (sale.other-tax-at-every-quantity).
 */
export function lowerListTier(list: CurrencyPrice, sale: CurrencyPrice, quantity: number): Tier | null {
  if (list.tiers === null || list.includesTax !== sale.includesTax) return null
  const tier = reachedTier(list.tiers, quantity)
  return tier !== null && tier.amount < amountAt(sale, quantity) ? tier : null
}
