/** Missing prices: why a product of a release has no price in a currency in which it could have one. */
import { type SelectedPrice, sumSelectedPrices } from '../pricing/bundle-sum.ts'
import { pricedCurrencies, resolvePrice } from '../pricing/price.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import { hasRecord, type ProductWithRecord, resolveRecordPrice } from '../pricing/record-price.ts'

/** Why a product has no price in a currency in which it could have one. */
export interface MissingPrice {
  readonly code: 'TAX_MIXED' | 'AMOUNT_TOO_LARGE'
  readonly currency: string
}

/**
 * The currencies in which a product could have a price but has none. In a bundle, the selected options have prices, but
 * no sum. In a price record, an amount is too large.
 *
 * A bundle is summed at quantity 1, for the default selection, at `now` (epoch milliseconds) and at list prices; a
 * record is resolved with each of its sales.
 */
export function missingPrices(product: PriceableProduct, now: number): MissingPrice[] {
  if (hasRecord(product)) return missingRecordPrices(product)
  return pricedCurrencies(product).flatMap((currency): MissingPrice[] => {
    const code = sumProblem(product, currency, now)
    return code === null ? [] : [{ code, currency }]
  })
}

function missingRecordPrices(product: ProductWithRecord): MissingPrice[] {
  const tooLarge = (currency: string): boolean =>
    [null, ...product.record.sales].some((sale) => resolveRecordPrice(product, currency, 1, sale) === null)
  return Object.keys(product.record.list)
    .filter(tooLarge)
    .map((currency) => ({ code: 'AMOUNT_TOO_LARGE', currency }))
}

function sumProblem(product: PriceableProduct, currency: string, now: number): MissingPrice['code'] | null {
  const prices: SelectedPrice[] = []
  for (const { product: option, quantity } of product.bundle?.chosen ?? []) {
    const { price } = resolvePrice(option, { now, currency, quantity, bundleId: product.id })
    // The option has its own reason.
    if (price === null) return sumProblem(option, currency, now) ?? 'AMOUNT_TOO_LARGE'
    prices.push({ quantity, price, list: price.list })
  }
  const mixed = (flags: readonly (boolean | undefined)[]): boolean =>
    flags.some((flag) => flag === undefined || flag !== flags[0])
  if (mixed(prices.map(({ price }) => price.includesTax)) || mixed(prices.map(({ list }) => list?.includesTax)))
    return 'TAX_MIXED'
  return sumSelectedPrices(prices) === null ? 'AMOUNT_TOO_LARGE' : null
}
