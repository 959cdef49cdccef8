/** Explanation of sales: one step for each sale of a price record, in the order in which they win. */
import { formatInstant } from '../input/instant.ts'
import type { PriceStep, StepResult } from './price-step.ts'
import { contextBundle } from './record-price.ts'
import { type CompiledSale, isCandidate, isRunning } from './sale.ts'
import type { WeighedRecord } from './weighed-record.ts'

/**
 * The steps of the sales; without `withFuture`, only of those that have begun by the instant
 * (price.future-sales-for-admins).
 */
export function saleSteps(weighed: WeighedRecord, withFuture: boolean): PriceStep[] {
  const { product, query } = weighed
  const shown = product.record.sales.filter((sale) => withFuture || sale.from <= query.now)
  return shown.map((sale) => {
    const amount = sale.prices[query.currency]?.amount ?? null
    return { kind: 'SALE', name: sale.name, ...saleResult(sale, weighed), amount }
  })
}

function saleResult(sale: CompiledSale, weighed: WeighedRecord): StepResult {
  const { product, query, winner, plain, replacing } = weighed
  const { now, currency, quantity } = query
  const name = `Sale "${sale.name}"`
  if (now < sale.from) return { outcome: 'NOT_RUNNING', reason: `${name} begins at ${formatInstant(sale.from)}.` }
  if (!isRunning(sale, now)) return { outcome: 'NOT_RUNNING', reason: `${name} ended at ${formatInstant(sale.to)}.` }
  if (!isCandidate(sale, contextBundle(product, query.bundleId)))
    return {
      outcome: 'OTHER_BUNDLE',
      reason: `${name} applies inside certain bundles only, and this price is not inside one of them.`,
    }
  if (winner !== null && sale !== winner)
    return {
      outcome: 'OUTRANKED',
      reason: `Sale "${winner.name}" goes before sale "${sale.name}": ${advantage(winner, sale)}.`,
    }
  if (sale.prices[currency] === undefined)
    return {
      outcome: 'NO_AMOUNT',
      reason: `${name} wins for all currencies and has no amount in ${currency}, so the list price stays.`,
    }
  if (plain.sale === null)
    return {
      outcome: 'YIELDED',
      reason: `${name} gives way to tier "${plain.tier}" of the list price, which ${quantity} reaches and which costs less.`,
    }
  if (replacing !== null)
    return { outcome: 'OUTRANKED', reason: `Modifier "${replacing}" replaces the price of sale "${sale.name}".` }
  return { outcome: 'APPLIED', reason: `${name} runs ${periodOf(sale)} and supplies the price in ${currency}.` }
}

/** Why `winner` wins over `other`, which runs as well (sale.shortest-period-wins). */
function advantage(winner: CompiledSale, other: CompiledSale): string {
  if (winner.to - winner.from !== other.to - other.from) return 'its period is shorter'
  return winner.from === other.from
    ? 'their periods are equally long and begin alike, and its name comes first'
    : 'their periods are equally long, and its own begins later'
}

function periodOf({ from, to }: CompiledSale): string {
  const bounds = [
    Number.isFinite(from) && `from ${formatInstant(from)}`,
    Number.isFinite(to) && `until ${formatInstant(to)}`,
  ]
  return bounds.filter((bound) => bound !== false).join(' ') || 'without a schedule'
}
