/** What a publish can see of prices that are maybe not meant. */
import { type SelectedPrice, sumSelectedPrices } from '../pricing/bundle-sum.ts'
import { type CurrencyPrice, compileCurrencies } from '../pricing/list-price.ts'
import { pricedCurrencies, resolvePrice } from '../pricing/price.ts'
import type { CurrencyPriceRecords, ReleaseSale } from '../pricing/price-record.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import { hasRecord, type ProductWithRecord, resolveRecordPrice } from '../pricing/record-price.ts'
import { isUnscheduled, rankSales } from '../pricing/sale.ts'
import type { ReleaseWarning } from './release-summary.ts'

export type PriceWarning = Pick<ReleaseWarning, 'code' | 'currency'>

/** Products whose parts have prices but they themselves have none: at quantity 1, for the default selection, at `now` (epoch milliseconds) and at list prices; a row's with each of its sales. */
export function priceWarnings(unit: PriceableProduct, now: number): PriceWarning[] {
  if (hasRecord(unit)) return rowWarnings(unit)
  return pricedCurrencies(unit).flatMap((currency): PriceWarning[] => {
    const code = sumWarning(unit, currency, now)
    return code === null ? [] : [{ code, currency }]
  })
}

/** A list tier that makes a unit dearer than it is without the tier or in smaller quantities, and the sale that has the lowest amount. */
export interface TierWarning {
  readonly currency: string
  readonly tier: string
  readonly sale: string
}

/**
 * The tiers of a price that are dearer than one of its scheduled sales: the sale yields to a reached tier (tier.dearer-than-sale-warned),
 * so that whoever buys more pays more for each. Sales that are over at `now` (epoch milliseconds) do not count. One warning for each tier,
 * by currency.
 */
export function tierWarnings(currencies: CurrencyPriceRecords, sales: readonly ReleaseSale[], now: number): TierWarning[] {
  const coming = rankSales(sales).filter((sale) => !isUnscheduled(sale) && sale.to > now)
  return Object.entries(compileCurrencies(currencies)).flatMap(([currency, { tiers }]) =>
    (tiers ?? []).flatMap((tier) => {
      let below: { readonly sale: string; readonly amount: number } | null = null
      for (const { name, prices } of coming) {
        const price = prices[currency]
        const amount = price === undefined ? tier.amount : lowestUpTo(price, tier.minimum)
        if (amount < (below?.amount ?? tier.amount)) below = { sale: name, amount }
      }
      return below === null ? [] : [{ currency, tier: tier.name, sale: below.sale }]
    }),
  )
}

/** The lowest amount of a unit in the sale when no more than `quantity` are bought. */
function lowestUpTo({ amount, tiers }: CurrencyPrice, quantity: number): number {
  const reached = (tiers ?? []).filter(({ minimum }) => minimum <= quantity)
  return Math.min(amount, ...reached.map((tier) => tier.amount))
}

function rowWarnings(unit: ProductWithRecord): PriceWarning[] {
  const tooLarge = (currency: string): boolean =>
    [null, ...unit.record.sales].some((sale) => resolveRecordPrice(unit, currency, 1, sale) === null)
  return Object.keys(unit.record.list)
    .filter(tooLarge)
    .map((currency) => ({ code: 'AMOUNT_TOO_LARGE', currency }))
}

function sumWarning(unit: PriceableProduct, currency: string, now: number): PriceWarning['code'] | null {
  const parts: SelectedPrice[] = []
  for (const { product: option, quantity: units } of unit.bundle?.chosen ?? []) {
    const { price } = resolvePrice(option, { now, currency, quantity: units, bundleId: unit.id })
    // It says why of itself.
    if (price === null) return sumWarning(option, currency, now) ?? 'AMOUNT_TOO_LARGE'
    parts.push({ quantity: units, price, list: price.list })
  }
  const mixed = (flags: readonly (boolean | undefined)[]): boolean => flags.some((flag) => flag === undefined || flag !== flags[0])
  if (mixed(parts.map(({ price }) => price.includesTax)) || mixed(parts.map(({ list }) => list?.includesTax))) return 'TAX_MIXED'
  return sumSelectedPrices(parts) === null ? 'AMOUNT_TOO_LARGE' : null
}
