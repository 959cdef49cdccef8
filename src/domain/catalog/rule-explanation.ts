/** Rule explanation: why each catalog rule was chosen for a shopper, or not (catalog-rule.choice-explained). */
import type { CatalogRule } from './catalog-rule.ts'
import {
  type CandidateRule,
  type ComparedRule,
  inSchedule,
  isMatching,
  rankedRules,
  type Shopper,
} from './rule-choice.ts'

/** What became of a rule. */
export type RuleOutcome =
  | 'CHOSEN'
  | 'NOT_IN_FORCE'
  | 'NOT_PROVED'
  | 'NO_MATCH'
  | 'FEWER_MATCHES'
  | 'MORE_UNMATCHED'
  | 'NEWER'

/** A rule with its comparison, and what became of it. */
export interface ExplainedRule<Rule> extends ComparedRule<Rule> {
  readonly outcome: RuleOutcome
}

/** All rules for a shopper at `now`, epoch milliseconds, the best first. `rules` are ordered oldest first. */
export function explainRules<Rule extends CandidateRule & Pick<CatalogRule, 'id'>>(
  rules: readonly Rule[],
  shopper: Shopper,
  now: number,
): ExplainedRule<Rule>[] {
  const ranked = rankedRules(rules, shopper)
  const chosen = ranked.find((one) => isMatching(one) && inSchedule(one.rule, now))
  const inContext = new Map(
    rankedRules(rules, { ...shopper, proved: shopper.context }).map((one) => [one.rule, one.matched.length > 0]),
  )
  const outcomeOf = (one: ComparedRule<Rule>): RuleOutcome => {
    if (one === chosen) return 'CHOSEN'
    if (!isMatching(one)) {
      const isEmpty = one.matched.length + one.unmatched.length === 0
      return isEmpty || inContext.get(one.rule) ? 'NOT_PROVED' : 'NO_MATCH'
    }
    if (!inSchedule(one.rule, now)) return 'NOT_IN_FORCE'
    if (one.matched.length < (chosen?.matched.length ?? 0)) return 'FEWER_MATCHES'
    return one.unmatched.length > (chosen?.unmatched.length ?? 0) ? 'MORE_UNMATCHED' : 'NEWER'
  }
  return ranked.map((one) => ({ ...one, outcome: outcomeOf(one) }))
}
