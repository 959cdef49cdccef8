/** Price warnings of a publish: prices that are probably not intended. */
import { type SelectedPrice, sumSelectedPrices } from '../pricing/bundle-sum.ts'
import { type CurrencyPrice, compileCurrencies } from '../pricing/list-price.ts'
import { pricedCurrencies, resolvePrice } from '../pricing/price.ts'
import type { CurrencyPriceRecords, ReleaseSale } from '../pricing/price-record.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import { hasRecord, type ProductWithRecord, resolveRecordPrice } from '../pricing/record-price.ts'
import { isUnscheduled, rankSales } from '../pricing/sale.ts'
import type { ReleaseWarning } from './release-summary.ts'

/** Warnings that a release stores at most; their total number is stored too. */
export const WARNINGS_MAX = 100

/** Why a product has no price in a currency in which it could have one. */
export interface PriceWarning {
  readonly code: Exclude<ReleaseWarning['code'], 'SKUS_LOOK_ALIKE'>
  readonly currency: string
}

/**
 * The currencies in which a product could have a price but has none: in a bundle, the selected options have prices while their sum does
 * not exist; in a price record, an amount is too large.
 *
 * A bundle is summed at quantity 1, for the default selection, at `now` (epoch milliseconds) and at list prices; a record is resolved
 * with each of its sales.
 */
export function priceWarnings(product: PriceableProduct, now: number): PriceWarning[] {
  if (hasRecord(product)) return recordWarnings(product)
  return pricedCurrencies(product).flatMap((currency): PriceWarning[] => {
    const code = sumWarning(product, currency, now)
    return code === null ? [] : [{ code, currency }]
  })
}

/**
 * A list tier with a higher amount than a scheduled sale, without the tier or at a smaller quantity; `sale` is the one with the lowest
 * amount.
 */
export interface TierWarning {
  readonly currency: string
  readonly tier: string
  readonly sale: string
}

/**
 * The list tiers that cost more than a scheduled sale of the same price, one warning per tier and currency. A sale yields to a reached
 * list tier (tier.dearer-than-sale-warned), so buying more raises the price of each unit. Sales that ended by `now` (epoch
 * milliseconds) are ignored.
 */
export function tierWarnings(currencies: CurrencyPriceRecords, sales: readonly ReleaseSale[], now: number): TierWarning[] {
  const unexpired = rankSales(sales).filter((sale) => !isUnscheduled(sale) && sale.to > now)
  return Object.entries(compileCurrencies(currencies)).flatMap(([currency, { tiers }]) =>
    (tiers ?? []).flatMap((tier) => {
      let cheapest: { readonly sale: string; readonly amount: number } | null = null
      for (const { name, prices } of unexpired) {
        const price = prices[currency]
        const amount = price === undefined ? tier.amount : lowestUpTo(price, tier.minimum)
        if (amount < (cheapest?.amount ?? tier.amount)) cheapest = { sale: name, amount }
      }
      return cheapest === null ? [] : [{ currency, tier: tier.name, sale: cheapest.sale }]
    }),
  )
}

/** The lowest amount of one unit in the sale at any quantity up to `quantity`. */
function lowestUpTo({ amount, tiers }: CurrencyPrice, quantity: number): number {
  const reached = (tiers ?? []).filter(({ minimum }) => minimum <= quantity)
  return Math.min(amount, ...reached.map((tier) => tier.amount))
}

function recordWarnings(product: ProductWithRecord): PriceWarning[] {
  const tooLarge = (currency: string): boolean =>
    [null, ...product.record.sales].some((sale) => resolveRecordPrice(product, currency, 1, sale) === null)
  return Object.keys(product.record.list)
    .filter(tooLarge)
    .map((currency) => ({ code: 'AMOUNT_TOO_LARGE', currency }))
}

function sumWarning(product: PriceableProduct, currency: string, now: number): PriceWarning['code'] | null {
  const prices: SelectedPrice[] = []
  for (const { product: option, quantity } of product.bundle?.chosen ?? []) {
    const { price } = resolvePrice(option, { now, currency, quantity, bundleId: product.id })
    // The option has its own reason.
    if (price === null) return sumWarning(option, currency, now) ?? 'AMOUNT_TOO_LARGE'
    prices.push({ quantity, price, list: price.list })
  }
  const mixed = (flags: readonly (boolean | undefined)[]): boolean => flags.some((flag) => flag === undefined || flag !== flags[0])
  if (mixed(prices.map(({ price }) => price.includesTax)) || mixed(prices.map(({ list }) => list?.includesTax))) return 'TAX_MIXED'
  return sumSelectedPrices(prices) === null ? 'AMOUNT_TOO_LARGE' : null
}
