/** Rule choice: which catalog rule applies to a shopper (catalog-rule.most-matches-win). */
import type { CatalogRule } from './catalog-rule.ts'

/** The shopper's context, which the criteria of rules are compared with: an account and a channel, null for none, and any number of tags. */
export interface ShopperContext {
  readonly accountId: string | null
  readonly channel: string | null
  readonly tags: readonly string[]
}

/** The part of a rule that the choice depends on. */
export type CandidateRule = Pick<CatalogRule, 'catalogId' | 'accountIds' | 'channels' | 'tags' | 'schedules'>

/**
 * The rule for the context at `now` (epoch milliseconds), or null. `rules` are ordered oldest first.
 *
 * Rules outside their schedules, and rules with criteria none of which match, are dropped. Of the others the one with the most matched
 * criteria wins, then the one with the fewest unmatched, then the oldest.
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

/** A criterion is a list with at least one value; it matches, once, when it contains a value of the context. */
function compareCriteria(rule: CandidateRule, { accountId, channel, tags }: ShopperContext): { matched: number; unmatched: number } {
  const criteria = [
    [rule.accountIds, accountId === null ? [] : [accountId.toLowerCase()]],
    [rule.channels, channel === null ? [] : [channel]],
    [rule.tags, tags],
  ] as const
  const listed = criteria.filter(([values]) => values.length > 0)
  const matched = listed.filter(([values, given]) => given.some((value) => values.includes(value))).length
  return { matched, unmatched: listed.length - matched }
}

/** Whether a rule is in force: during any schedule, `valid_from` inclusive, `valid_to` exclusive; always without schedules. */
function inSchedule({ schedules }: CandidateRule, now: number): boolean {
  return schedules.length === 0 || schedules.some((one) => (one.valid_from ?? -Infinity) <= now && now < (one.valid_to ?? Infinity))
}
