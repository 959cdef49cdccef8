/**
 * Which sale of a price row runs at an instant, and when that changes (sale.shortest-period-wins, sale.lacking-currency-keeps-list-price).
 */
import { compareCodePoints } from '../../lib/code-point.ts'
import { type CurrencyPrices, compileCurrencies } from './list-price.ts'
import type { ReleaseSale } from './price-record.ts'

/** The sale that supplied an amount; bounds in epoch milliseconds, null when open. */
export interface SaleSummary {
  readonly name: string
  readonly validFrom: number | null
  readonly validTo: number | null
}

/** A sale made ready for reading. `from` is inclusive, `to` exclusive, in epoch milliseconds; an open bound is infinite. */
export interface CompiledSale {
  readonly name: string
  /** What a price says of it: its bounds are null when open. */
  readonly summary: SaleSummary
  readonly from: number
  readonly to: number
  /** Ids of the bundles inside which it counts; null: an ordinary sale (sale.bundle-sale-stays-inside). */
  readonly bundles: readonly string[] | null
  /** The currencies that have an amount in it; may be empty (sale.empty-changes-nothing). */
  readonly prices: CurrencyPrices
}

/**
 * The sales that can win, best first: shortest period, later start, smaller name in code point order (sale.shortest-period-wins). So the
 * winner of an instant is the first one that runs. A sale with no currencies at all is no candidate (sale.empty-changes-nothing).
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
  // Compared, not subtracted: two infinite values have no difference.
  if (one !== other) return one < other ? -1 : 1
  if (left.from !== right.from) return left.from > right.from ? -1 : 1
  return compareCodePoints(left.name, right.name)
}

/**
 * The sale that wins at `now` among `ranked`, once for all currencies (sale.one-winner-for-all-currencies), or null. `bundleId`: the bundle
 * whose option is priced.
 */
export function findWinningSale(ranked: readonly CompiledSale[], now: number, bundleId: string | null): CompiledSale | null {
  for (const sale of ranked) {
    if (sale.from <= now && now < sale.to && isCandidate(sale, bundleId)) return sale
  }
  return null
}

/**
 * The first instant after `now` at which another sale wins, or none does; null when that never happens. `winner` is the winner of `now`:
 * it loses when it ends or when a better candidate starts. What ranks below it changes nothing meanwhile.
 */
export function nextSaleChange(
  ranked: readonly CompiledSale[],
  winner: CompiledSale | null,
  now: number,
  bundleId: string | null,
): number | null {
  let turn = winner === null ? Number.POSITIVE_INFINITY : winner.to
  for (const sale of ranked) {
    if (sale === winner) break
    if (sale.from > now && sale.from < turn && isCandidate(sale, bundleId)) turn = sale.from
  }
  return turn === Number.POSITIVE_INFINITY ? null : turn
}

/** Without any bound: permanent, so it beats list tiers. One open bound is a schedule (sale.one-bound-is-a-schedule). */
export function isUnscheduled(sale: CompiledSale): boolean {
  return sale.from === Number.NEGATIVE_INFINITY && sale.to === Number.POSITIVE_INFINITY
}

function isCandidate(sale: CompiledSale, bundleId: string | null): boolean {
  return sale.bundles === null || (bundleId !== null && sale.bundles.includes(bundleId))
}
