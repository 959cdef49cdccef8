/** What a publish can see of products whose parts have prices but they themselves have none (pricing F8, H1). */
import { type SumPart, sumParts } from './bundle-sum.ts'
import { pricedCurrencies, resolvePrice } from './price.ts'
import type { PricedUnit } from './priced-unit.ts'
import type { ReleaseWarning } from './release-summary.ts'
import { hasRow, priceOfRow, type RowUnit } from './row-price.ts'

export type PriceWarning = Pick<ReleaseWarning, 'code' | 'currency'>

/** At quantity 1, for the default selection, at `now` (epoch milliseconds) and at list prices; a row's with each of its sales. */
export function priceWarnings(unit: PricedUnit, now: number): PriceWarning[] {
  if (hasRow(unit)) return rowWarnings(unit)
  return pricedCurrencies(unit).flatMap((currency): PriceWarning[] => {
    const code = sumWarning(unit, currency, now)
    return code === null ? [] : [{ code, currency }]
  })
}

function rowWarnings(unit: RowUnit): PriceWarning[] {
  const tooLarge = (currency: string): boolean => [null, ...unit.row.sales].some((sale) => priceOfRow(unit, currency, 1, sale) === null)
  return Object.keys(unit.row.list)
    .filter(tooLarge)
    .map((currency) => ({ code: 'AMOUNT_TOO_LARGE', currency }))
}

function sumWarning(unit: PricedUnit, currency: string, now: number): PriceWarning['code'] | null {
  const parts: SumPart[] = []
  for (const { unit: option, units } of unit.bundle?.chosen ?? []) {
    const { price } = resolvePrice(option, { now, currency, quantity: units, bundleId: unit.id })
    // It says why of itself.
    if (price === null) return sumWarning(option, currency, now) ?? 'AMOUNT_TOO_LARGE'
    parts.push({ units, price, list: price.list })
  }
  const mixed = (flags: readonly (boolean | undefined)[]): boolean => flags.some((flag) => flag === undefined || flag !== flags[0])
  if (mixed(parts.map(({ price }) => price.includesTax)) || mixed(parts.map(({ list }) => list?.includesTax))) return 'TAX_MIXED'
  return sumParts(parts) === null ? 'AMOUNT_TOO_LARGE' : null
}
