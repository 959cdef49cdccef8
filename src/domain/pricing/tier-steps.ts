/** Explanation of tiers: those of the list price, then those of the winning sale (sale.own-tiers-within-it), each by rising quantity. */
import type { PriceStep, StepResult } from './price-step.ts'
import { reachedTier, type Tier } from './tier.ts'
import type { WeighedRecord } from './weighed-record.ts'

/** The steps of all tiers that could supply the amount. */
export function tierSteps(weighed: WeighedRecord): PriceStep[] {
  const { list, winner, plain, query } = weighed
  const sale = winner?.prices[query.currency]
  // sale.yields-to-list-tier: of a reached list tier and the winning sale, the one that supplied the price goes before the other.
  const overList: StepResult | null =
    plain.sale === null ? null : { outcome: 'OUTRANKED', reason: `sale "${plain.sale.name}" has no schedule and goes before list tiers` }
  const overSale: StepResult | null =
    plain.sale === null ? { outcome: 'YIELDED', reason: `sale "${winner?.name}" gives way to a tier of the list price` } : null
  return [
    ...stepsOf(list.tiers, 'the list price', overList, weighed),
    ...stepsOf(sale?.tiers ?? null, `sale "${winner?.name}"`, overSale, weighed),
  ]
}

function stepsOf(tiers: readonly Tier[] | null, owner: string, beaten: StepResult | null, weighed: WeighedRecord): PriceStep[] {
  const reached = reachedTier(tiers, weighed.query.quantity)
  return (tiers ?? []).map((tier) => {
    const { outcome, reason } = tierResult(tier, reached, beaten, weighed)
    const subject = `Tier "${tier.name}" of ${owner}, from a quantity of ${tier.minimum}`
    return { kind: 'TIER', name: tier.name, outcome, reason: `${subject}: ${reason}.`, amount: tier.amount }
  })
}

function tierResult(tier: Tier, reached: Tier | null, beaten: StepResult | null, { query, replacing }: WeighedRecord): StepResult {
  const { quantity } = query
  if (reached === null || reached.minimum < tier.minimum) return { outcome: 'NOT_REACHED', reason: `${quantity} does not reach it` }
  if (beaten !== null) return beaten
  if (tier !== reached) return { outcome: 'OUTRANKED', reason: `${quantity} reaches tier "${reached.name}" as well, which is higher` }
  if (replacing !== null) return { outcome: 'OUTRANKED', reason: `modifier "${replacing}" replaces its price` }
  return { outcome: 'APPLIED', reason: `it is the highest that ${quantity} reaches` }
}
