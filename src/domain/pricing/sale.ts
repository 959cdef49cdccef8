/**
 * Sales of a price record: which one wins at an instant, and when that changes (sale.shortest-period-wins,
 * sale.lacking-currency-keeps-list-price).
 */
import { compareCodePoints } from '../../lib/code-point.ts'
import { type CurrencyPrices, compileCurrencies } from './list-price.ts'
import type { ReleaseSale } from './price-record.ts'

/** A sale as prices report it; bounds in epoch milliseconds, null when open. */
export interface SaleSummary {
  readonly name: string
  readonly validFrom: number | null
  readonly validTo: number | null
}

/** A compiled sale. `from` is inclusive, `to` exclusive, in epoch milliseconds; an open bound is infinite. */
export interface CompiledSale {
  readonly name: string
  /** The sale as a price reports it. */
  readonly summary: SaleSummary
  readonly from: number
  readonly to: number
  /**
   * Ids of the bundles inside which the sale applies; null for a sale that applies everywhere
   * (sale.bundle-sale-stays-inside).
   */
  readonly bundles: readonly string[] | null
  /** The currencies with an amount; may be empty (sale.empty-changes-nothing). */
  readonly prices: CurrencyPrices
}

/**
 * The sales in the order in which they win: shortest period, later start, smaller name in code point order
 * (sale.shortest-period-wins). The first one that runs at an instant wins. Sales without any currency are left out
 * (sale.empty-changes-nothing).
 */
export function rankSales(sales: readonly ReleaseSale[]): readonly CompiledSale[] {
  return sales
    .filter((sale) => Object.keys(sale.currencies).length > 0)
    .map(compileSale)
    .sort(compareRank)
}

function compileSale(sale: ReleaseSale): CompiledSale {
  return {
    name: sale.name,
    summary: { name: sale.name, validFrom: sale.from, validTo: sale.to },
    from: sale.from ?? Number.NEGATIVE_INFINITY,
    to: sale.to ?? Number.POSITIVE_INFINITY,
    bundles: sale.bundles.length === 0 ? null : sale.bundles,
    prices: compileCurrencies(sale.currencies),
  }
}

function compareRank(left: CompiledSale, right: CompiledSale): number {
  const one = left.to - left.from
  const other = right.to - right.from
  // Comparison, since the difference of two infinite periods is not a number.
  if (one !== other) return one < other ? -1 : 1
  if (left.from !== right.from) return left.from > right.from ? -1 : 1
  return compareCodePoints(left.name, right.name)
}

/**
 * The sale that wins at `now` (epoch milliseconds) among `ranked`, once for all currencies
 * (sale.one-winner-for-all-currencies), or null. `bundleId` is the bundle that the priced product is an option of.
 */
export function findWinningSale(
  ranked: readonly CompiledSale[],
  now: number,
  bundleId: string | null,
): CompiledSale | null {
  for (const sale of ranked) {
    if (isRunning(sale, now) && isCandidate(sale, bundleId)) return sale
  }
  return null
}

/**
 * The first instant after `now` (epoch milliseconds) at which the winning sale changes; null for never. `winningSale`
 * is the one at `now`: it stops winning when it ends or when a sale of higher rank starts.
 */
export function nextSaleChange(
  ranked: readonly CompiledSale[],
  winningSale: CompiledSale | null,
  now: number,
  bundleId: string | null,
): number | null {
  let changesAt = winningSale === null ? Number.POSITIVE_INFINITY : winningSale.to
  for (const sale of ranked) {
    if (sale === winningSale) break
    if (sale.from > now && sale.from < changesAt && isCandidate(sale, bundleId)) changesAt = sale.from
  }
  return changesAt === Number.POSITIVE_INFINITY ? null : changesAt
}

/** Whether the sale runs at `now`, epoch milliseconds (sale.start-counts-end-does-not). */
export function isRunning(sale: CompiledSale, now: number): boolean {
  return sale.from <= now && now < sale.to
}

/**
 * Whether the sale may apply to an option of the bundle, or outside of bundles for null
 * (sale.bundle-sale-stays-inside).
 */
export function isCandidate(sale: CompiledSale, bundleId: string | null): boolean {
  return sale.bundles === null || (bundleId !== null && sale.bundles.includes(bundleId))
}
