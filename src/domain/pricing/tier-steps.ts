/**
 * Explanation of tiers: those of the list price, then those of the winning sale (sale.own-tiers-within-it), each by
 * rising quantity.
 */
import type { CurrencyPrice } from './list-price.ts'
import type { PriceStep, StepResult } from './price-step.ts'
import { reachedTier, type Tier } from './tier.ts'
import type { WeighedRecord } from './weighed-record.ts'

/** The steps of all tiers that could supply the amount. */
export function tierSteps(weighed: WeighedRecord): PriceStep[] {
  const { list, winner, plain, query } = weighed
  const sale = winner?.prices[query.currency]
  // sale.yields-to-lower-tier: of a reached list tier and the winning sale, the one that supplied the price takes
  // precedence.
  const overList: StepResult | null =
    plain.sale === null || sale === undefined
      ? null
      : { outcome: 'OUTRANKED', reason: advantage(plain.sale.name, list, sale) }
  const overSale: StepResult | null =
    plain.sale === null
      ? { outcome: 'YIELDED', reason: `sale "${winner?.name}" gives way to tier "${plain.tier}", which costs less` }
      : null
  return [
    ...stepsOf(list.tiers, 'the list price', overList, weighed),
    ...stepsOf(sale?.tiers ?? null, `sale "${winner?.name}"`, overSale, weighed),
  ]
}

/** Why the sale `name` takes precedence over a list tier that is reached. */
function advantage(name: string, list: CurrencyPrice, sale: CurrencyPrice): string {
  return list.includesTax === sale.includesTax
    ? `sale "${name}" costs no more`
    : `of the list price and sale "${name}" one alone includes tax, so the sale goes before it at every quantity`
}

function stepsOf(
  tiers: readonly Tier[] | null,
  owner: string,
  beaten: StepResult | null,
  weighed: WeighedRecord,
): PriceStep[] {
  const reached = reachedTier(tiers, weighed.query.quantity)
  return (tiers ?? []).map((tier) => {
    const { outcome, reason } = tierResult(tier, reached, beaten, weighed)
    const subject = `Tier "${tier.name}" of ${owner}, from a quantity of ${tier.minimum}`
    return { kind: 'TIER', name: tier.name, outcome, reason: `${subject}: ${reason}.`, amount: tier.amount }
  })
}

function tierResult(
  tier: Tier,
  reached: Tier | null,
  beaten: StepResult | null,
  { query, replacing }: WeighedRecord,
): StepResult {
  const { quantity } = query
  if (reached === null || reached.minimum < tier.minimum)
    return { outcome: 'NOT_REACHED', reason: `${quantity} does not reach it` }
  if (tier !== reached)
    return { outcome: 'OUTRANKED', reason: `${quantity} reaches tier "${reached.name}" as well, which is higher` }
  if (beaten !== null) return beaten
  if (replacing !== null) return { outcome: 'OUTRANKED', reason: `modifier "${replacing}" replaces its price` }
  return { outcome: 'APPLIED', reason: `it is the highest that ${quantity} reaches` }
}
