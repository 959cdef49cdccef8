/**
 * Rule choice: which catalog rule applies to a shopper (catalog-rule.most-matches-win), and which confidential catalogs
 * rules give to a shopper (catalog.confidential-by-proof).
 */
import type { CatalogRule } from './catalog-rule.ts'

/**
 * The shopper's context, which the criteria of rules are compared with: an account and a channel, null for none, and
 * any number of tags.
 */
export interface ShopperContext {
  readonly accountId: string | null
  readonly channel: string | null
  readonly tags: readonly string[]
}

/** A shopper: what rules are compared with, and the part of it that the token proves. */
export interface Shopper {
  readonly context: ShopperContext
  readonly proved: ShopperContext
}

/** The part of a rule that decides whether it matches a shopper, and when. */
export interface CandidateRule
  extends Pick<CatalogRule, 'catalogId' | 'accountIds' | 'channels' | 'tags' | 'schedules'> {
  /** Whether its catalog is confidential. */
  readonly confidential: boolean
}

/** What a rule can list. */
export type Criterion = 'ACCOUNT' | 'CHANNEL' | 'TAGS'

/** A rule with the criteria that it lists: those that the shopper matches, and the others. */
export interface ComparedRule<Rule> {
  readonly rule: Rule
  readonly matched: readonly Criterion[]
  readonly unmatched: readonly Criterion[]
}

/**
 * All rules, the best first. `rules` are ordered oldest first. The best has the most matched criteria; ties go to the
 * fewest unmatched ones, then to the oldest rule. A rule of a confidential catalog matches what is proved alone.
 */
export function rankedRules<Rule extends CandidateRule>(
  rules: readonly Rule[],
  { context, proved }: Shopper,
): ComparedRule<Rule>[] {
  return rules
    .map((rule) => ({ rule, ...compareCriteria(rule, rule.confidential ? proved : context) }))
    .sort((one, other) => other.matched.length - one.matched.length || one.unmatched.length - other.unmatched.length)
}

/**
 * Whether a rule counts for the shopper. One that has criteria of which none matches does not, nor does one without
 * criteria of a confidential catalog, since it proves nothing.
 */
export function isMatching({ rule, matched, unmatched }: ComparedRule<CandidateRule>): boolean {
  return matched.length > 0 || (unmatched.length === 0 && !rule.confidential)
}

/**
 * The rules that match the shopper at some instant, the best first. The list ends with the first rule that is always in
 * force, since no rule after it is ever chosen.
 */
export function matchingRules<Rule extends CandidateRule>(rules: readonly Rule[], shopper: Shopper): Rule[] {
  const matching = rankedRules(rules, shopper)
    .filter(isMatching)
    .map(({ rule }) => rule)
  const last = matching.findIndex(({ schedules }) => schedules.length === 0)
  return last === -1 ? matching : matching.slice(0, last + 1)
}

/** The rules that give a confidential catalog to who proves this, at some instant. */
export function givingRules<Rule extends CandidateRule>(rules: readonly Rule[], proved: ShopperContext): Rule[] {
  return rules.filter((rule) => rule.confidential && compareCriteria(rule, proved).matched.length > 0)
}

/**
 * The first rule that is in force at `now` (epoch milliseconds) or null, and the next instant at which another may be,
 * null for never.
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
 * A criterion is a list with at least one value; it matches, once, when it contains a value of the context
 * (catalog-rule.any-tag-matches).
 */
function compareCriteria(
  rule: CandidateRule,
  { accountId, channel, tags }: ShopperContext,
): Pick<ComparedRule<CandidateRule>, 'matched' | 'unmatched'> {
  const criteria: readonly (readonly [Criterion, readonly string[], readonly string[]])[] = [
    ['ACCOUNT', rule.accountIds, accountId === null ? [] : [accountId.toLowerCase()]],
    ['CHANNEL', rule.channels, channel === null ? [] : [channel]],
    ['TAGS', rule.tags, tags],
  ]
  const matched: Criterion[] = []
  const unmatched: Criterion[] = []
  for (const [criterion, values, given] of criteria) {
    if (values.length === 0) continue
    const side = given.some((value) => values.includes(value)) ? matched : unmatched
    side.push(criterion)
  }
  return { matched, unmatched }
}

/**
 * Whether a rule is in force: during any schedule, `valid_from` inclusive, `valid_to` exclusive; always without
 * schedules.
 */
export function inSchedule({ schedules }: Pick<CatalogRule, 'schedules'>, now: number): boolean {
  return (
    schedules.length === 0 ||
    schedules.some((one) => (one.valid_from ?? -Infinity) <= now && now < (one.valid_to ?? Infinity))
  )
}
