/** Price warnings: probable mistakes in a product price and its sales (price-book.doubtful-prices-warned). */
import { type CurrencyPrice, compileCurrencies } from './list-price.ts'
import type { CurrencyPriceRecords } from './price-record.ts'

/** A sale as it is offered; `validTo` in epoch milliseconds, null when open. */
interface OfferedSale {
  readonly name: string
  readonly validTo: number | null
  readonly currencies: CurrencyPriceRecords
}

/** The kinds: a tier that costs more than the step before it, a sale above the list price, and differing tax flags. */
export const priceWarningCodes = ['TIER_DEARER', 'SALE_DEARER', 'TAX_DIFFERS'] as const

export interface PriceWarning {
  readonly code: (typeof priceWarningCodes)[number]
  readonly currency: string
  /** The name of the sale; null for the list price. */
  readonly sale: string | null
  /** The name of the tier of TIER_DEARER; null otherwise. */
  readonly tier: string | null
}

/**
 * The warnings of a price by currency: of its list price, then of its sales. A sale that ended by `now` (epoch
 * milliseconds) is left out, and so is a currency without a list amount, in which there is no price.
 */
export function priceWarnings(
  { currencies, sales }: { readonly currencies: CurrencyPriceRecords; readonly sales: readonly OfferedSale[] },
  now: number,
): PriceWarning[] {
  const offers = sales
    .filter(({ validTo }) => validTo === null || validTo > now)
    .map(({ name, currencies: prices }) => ({ name, prices: compileCurrencies(prices) }))
  return Object.entries(compileCurrencies(currencies)).flatMap(([currency, list]) => [
    ...dearerTiers(list, currency, null),
    ...offers.flatMap(({ name, prices }) => {
      const price = prices[currency]
      return price ? [...saleWarnings(price, list, currency, name), ...dearerTiers(price, currency, name)] : []
    }),
  ])
}

function saleWarnings(price: CurrencyPrice, list: CurrencyPrice, currency: string, sale: string): PriceWarning[] {
  if (price.includesTax !== list.includesTax) return [{ code: 'TAX_DIFFERS', currency, sale, tier: null }]
  return price.amount > list.amount ? [{ code: 'SALE_DEARER', currency, sale, tier: null }] : []
}

/** Each tier that costs more than the tier before it, or than the plain amount. */
function dearerTiers({ amount, tiers }: CurrencyPrice, currency: string, sale: string | null): PriceWarning[] {
  return (tiers ?? []).flatMap((tier, at): PriceWarning[] => {
    const before = tiers?.[at - 1]?.amount ?? amount
    return tier.amount > before ? [{ code: 'TIER_DEARER', currency, sale, tier: tier.name }] : []
  })
}
