/** Rule choice: which catalog rule applies to a shopper (catalog-rule.most-matches-win). */
import type { CatalogRule } from './catalog-rule.ts'

/**
 * The shopper's context, which the criteria of rules are compared with: an account and a channel, null for none, and any number of tags.
 */
export interface ShopperContext {
  readonly accountId: string | null
  readonly channel: string | null
  readonly tags: readonly string[]
}

/** The part of a rule that decides whether it matches a shopper, and when. */
export type CandidateRule = Pick<CatalogRule, 'catalogId' | 'accountIds' | 'channels' | 'tags' | 'schedules'>

/**
 * The rules that match the context at some instant, the best first. `rules` are ordered oldest first.
 *
 * Rules with criteria none of which match are dropped. Of the others the one with the most matched criteria is the best, then the one with
 * the fewest unmatched, then the oldest. The list ends with a rule that is always in force, since none after it is ever chosen.
 */
export function matchingRules<Rule extends CandidateRule>(rules: readonly Rule[], context: ShopperContext): Rule[] {
  const matching = rules
    .map((rule) => ({ rule, ...compareCriteria(rule, context) }))
    .filter(({ matched, unmatched }) => matched > 0 || unmatched === 0)
    .sort((one, other) => other.matched - one.matched || one.unmatched - other.unmatched)
    .map(({ rule }) => rule)
  const last = matching.findIndex(({ schedules }) => schedules.length === 0)
  return last === -1 ? matching : matching.slice(0, last + 1)
}

/**
 * The first rule that is in force at `now`, epoch milliseconds, or null; and the next instant at which it may be another one, null for
 * never.
 */
export function ruleInForce<Rule extends Pick<CatalogRule, 'schedules'>>(
  rules: readonly Rule[],
  now: number,
): { readonly rule: Rule | null; readonly until: number | null } {
  let until = Number.POSITIVE_INFINITY
  for (const rule of rules) {
    const bounds = rule.schedules.flatMap(({ valid_from, valid_to }) => [valid_from ?? now, valid_to ?? now])
    until = Math.min(until, ...bounds.filter((bound) => bound > now))
    if (inSchedule(rule, now)) return { rule, until: Number.isFinite(until) ? until : null }
  }
  return { rule: null, until: Number.isFinite(until) ? until : null }
}

/**
 * A criterion is a list with at least one value; it matches, once, when it contains a value of the context (catalog-rule.any-tag-matches).
 */
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
function inSchedule({ schedules }: Pick<CatalogRule, 'schedules'>, now: number): boolean {
  return schedules.length === 0 || schedules.some((one) => (one.valid_from ?? -Infinity) <= now && now < (one.valid_to ?? Infinity))
}
