/** Campaigns: what one call does to the sales of many prices, decided price by price before anything is written. */
import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../input/errors.ts'
import { formatInstant } from '../input/instant.ts'
import { SALES_MAX } from '../input/limits.ts'
import { limitParams } from '../input/violation-params.ts'
import type { NamedSales, SaleCampaign, SaleChange } from './campaign-input.ts'
import type { CurrencyPriceRecord, CurrencyPriceRecords, TierRecord } from './price-record.ts'
import type { ProductPrice, Sale } from './product-price.ts'
import { type Reduction, reducedAmount } from './sale-amount.ts'
import { applySalePatch, isFull, saleViolations, withoutSale, withSale } from './sale-change.ts'
import { patchCurrencies } from './tiered-price-input.ts'

/** A price in one currency before a call and after it. */
export interface PriceChange {
  readonly currency: string
  readonly before: CurrencyPriceRecord
  readonly after: CurrencyPriceRecord
}

/** The planned change of the sales of one price. */
export interface PlannedSale {
  readonly outcome: 'changed' | 'unchanged' | 'refused'
  /** The price as the call leaves it. */
  readonly price: ProductPrice
  /** By currency code. */
  readonly changes: readonly PriceChange[]
  /** Why it was refused; their paths have no meaning. */
  readonly violations: readonly Violation[]
}

/**
 * Plans the sale on one price, in the currencies in which the price has a list amount (campaign.list-price-currencies);
 * null when there are none. `id` is that of the new sale, `now` in epoch milliseconds.
 */
export function planAddedSale(
  price: ProductPrice,
  campaign: SaleCampaign,
  id: string,
  now: number,
): PlannedSale | null {
  const { name, bounds, bundleIds } = campaign
  const { currencies, violations } = salePrices(price.currencies, campaign)
  if (violations.length > 0) return refused(price, violations)
  if (Object.keys(currencies).length === 0) return null
  const { from: validFrom, to: validTo } = bounds
  const sale: Sale = {
    id,
    productPriceId: price.id,
    name,
    validFrom,
    validTo,
    bundleIds,
    currencies,
    createdAt: now,
    updatedAt: now,
  }
  const changes = changesOf(currencies, price.currencies, currencies)
  const stored = price.sales.find((one) => one.name === name)
  if (stored) {
    return isDeepStrictEqual(contentOf(stored), contentOf(sale))
      ? { outcome: 'unchanged', price, changes, violations: [] }
      : refused(price, [nameTaken])
  }
  if (isFull(price)) return refused(price, [tooManySales])
  const broken = saleViolations(price, sale)
  return broken.length > 0
    ? refused(price, broken)
    : { outcome: 'changed', price: withSale(price, sale, now), changes, violations: [] }
}

/** The part of a sale that matters to shoppers; the order of its bundles does not. */
function contentOf({ id, createdAt, updatedAt, bundleIds, ...content }: Sale) {
  return { ...content, bundleIds: new Set(bundleIds) }
}

/** Plans to remove the sale of this name from one price; a price without it stays unchanged. */
export function planRemovedSale(price: ProductPrice, { name }: NamedSales, now: number): PlannedSale {
  const stored = price.sales.find((one) => one.name === name)
  if (!stored) return { outcome: 'unchanged', price, changes: [], violations: [] }
  const changes = changesOf(stored.currencies, stored.currencies, price.currencies)
  return { outcome: 'changed', price: withoutSale(price, stored, now), changes, violations: [] }
}

/**
 * Plans to end the sale of this name on one price. A sale that ends earlier, and a price without it, stay unchanged
 * (campaign.end-never-extends).
 */
export function planEndedSale(price: ProductPrice, { name, at }: NamedSales, now: number): PlannedSale {
  const stored = price.sales.find((one) => one.name === name)
  const to = at ?? now
  if (!stored || (stored.validTo !== null && stored.validTo <= to))
    return { outcome: 'unchanged', price, changes: [], violations: [] }
  if (stored.validFrom !== null && stored.validFrom >= to) return refused(price, [notBegun(stored.validFrom)])
  const bounds = { from: stored.validFrom, to }
  const ended = applySalePatch(stored, { name: undefined, bundleIds: undefined, currencies: undefined, bounds }, now)
  const broken = saleViolations(price, ended)
  return broken.length > 0
    ? refused(price, broken)
    : { outcome: 'changed', price: withSale(price, ended, now), changes: [], violations: [] }
}

function refused(price: ProductPrice, violations: readonly Violation[]): PlannedSale {
  return { outcome: 'refused', price, changes: [], violations }
}

/**
 * The sale prices for a list price and its tiers (campaign.tiers-with-the-price), and a violation for each amount that
 * would fall to nothing.
 */
function salePrices(list: CurrencyPriceRecords, { change, currencies, roundings }: SaleCampaign) {
  const violations: Violation[] = []
  const found: [string, CurrencyPriceRecord][] = []
  for (const [currency, price] of Object.entries(list)) {
    if (price.amount === null || currencies?.has(currency) === false) continue
    const given = change.prices?.get(currency)
    if (given) {
      const { [currency]: set } = patchCurrencies(
        { [currency]: { amount: null, includes_tax: price.includes_tax } },
        new Map([[currency, given]]),
      )
      if (set) found.push([currency, set])
      continue
    }
    const reduction = reductionIn(change, currency)
    if (!reduction) continue
    const reduce = (amount: number, where: string): number => {
      const left = reducedAmount(amount, reduction, roundings.get(currency))
      if (left === null) violations.push({ code: 'OUT_OF_RANGE', path: [], message: `nothing is left of ${where}` })
      return left ?? 0
    }
    const amount = reduce(price.amount, `the price in ${currency}`)
    const tiers = Object.entries(price.tiers ?? {}).filter(
      (tier): tier is [string, TierRecord & { amount: number }] => tier[1].amount !== null,
    )
    const reduced = tiers.map(([name, tier]) => [
      name,
      { ...tier, amount: reduce(tier.amount, `tier "${name}" in ${currency}`) },
    ])
    found.push([
      currency,
      { amount, includes_tax: price.includes_tax, ...(tiers.length > 0 && { tiers: Object.fromEntries(reduced) }) },
    ])
  }
  return { currencies: Object.fromEntries(found) as CurrencyPriceRecords, violations }
}

function reductionIn({ percentParts, amountOff }: SaleChange, currency: string): Reduction | undefined {
  if (percentParts !== undefined) return { percentParts }
  const off = amountOff?.get(currency)
  return off === undefined ? undefined : { amountOff: off }
}

function changesOf(of: CurrencyPriceRecords, from: CurrencyPriceRecords, to: CurrencyPriceRecords): PriceChange[] {
  const none: CurrencyPriceRecord = { amount: null, includes_tax: false }
  const codes = Object.keys(of).sort()
  return codes.map((currency) => ({ currency, before: from[currency] ?? none, after: to[currency] ?? none }))
}

const nameTaken: Violation = {
  code: 'NAME_TAKEN',
  path: [],
  message: 'The price has a sale of the name that is another one',
}
const tooManySales: Violation = {
  code: 'TOO_MANY',
  path: [],
  message: `must have at most ${SALES_MAX} sales`,
  params: limitParams(null, SALES_MAX),
}
const notBegun = (from: number): Violation => ({
  code: 'SALE_SCHEDULE_INVALID',
  path: [],
  message: `the sale begins at ${formatInstant(from)}, which is not before its end; it can be removed`,
})
