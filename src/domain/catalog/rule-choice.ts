/** Which catalog rule wins for a shopper (catalog-rule.most-matches-win). */
import type { CatalogRule } from './catalog-rule.ts'

/** What a rule's criteria are compared with; null: the shopper's context holds none. */
export interface ShopperContext {
  readonly accountId: string | null
  readonly channel: string | null
  readonly tag: string | null
}

/** A rule as far as the choice looks at it; of equal ones the first of the list is the older one. */
export type CandidateRule = Pick<CatalogRule, 'catalogId' | 'accountIds' | 'channels' | 'tags' | 'schedules'>

/**
 * The rule that fits the context at `now` (epoch milliseconds): dropped are those out of schedule, and those that list criteria and match
 * none; then the most matched criteria win, then the fewest unmatched, then the oldest. Null when none is left. `rules` are oldest first.
 */
export function chooseRule<Rule extends CandidateRule>(rules: readonly Rule[], context: ShopperContext, now: number): Rule | null {
  let best: { rule: Rule; matched: number; unmatched: number } | null = null
  for (const rule of rules) {
    const { matched, unmatched } = compareCriteria(rule, context)
    if ((matched === 0 && unmatched > 0) || !inSchedule(rule, now)) continue
    if (best === null || matched > best.matched || (matched === best.matched && unmatched < best.unmatched)) {
      best = { rule, matched, unmatched }
    }
  }
  return best?.rule ?? null
}

/** A criterion is a list that is not empty; it matches when it holds the context's value. */
function compareCriteria(rule: CandidateRule, { accountId, channel, tag }: ShopperContext): { matched: number; unmatched: number } {
  const criteria = [
    [rule.accountIds, accountId?.toLowerCase() ?? null],
    [rule.channels, channel],
    [rule.tags, tag],
  ] as const
  const listed = criteria.filter(([values]) => values.length > 0)
  const matched = listed.filter(([values, value]) => value !== null && values.includes(value)).length
  return { matched, unmatched: listed.length - matched }
}

/** In force while any schedule runs, `valid_from` inclusive, `valid_to` exclusive; without schedules always. */
function inSchedule({ schedules }: CandidateRule, now: number): boolean {
  return schedules.length === 0 || schedules.some((one) => (one.valid_from ?? -Infinity) <= now && now < (one.valid_to ?? Infinity))
}
