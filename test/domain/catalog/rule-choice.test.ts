import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CandidateRule,
  givingRules,
  matchingRules,
  ruleInForce,
  type ShopperContext,
} from '../../../src/domain/catalog/rule-choice.ts'
import { explainRules } from '../../../src/domain/catalog/rule-explanation.ts'

const NOW = Date.UTC(2026, 0, 15)
const nobody: ShopperContext = { accountId: null, channel: null, tags: [] }

function rule(catalogId: string, given: Partial<CandidateRule> = {}): CandidateRule {
  return { catalogId, confidential: false, accountIds: [], channels: [], tags: [], schedules: [], ...given }
}

const choose = (rules: CandidateRule[], context: Partial<ShopperContext> = {}, now = NOW) =>
  chooseProved(rules, { ...nobody, ...context }, { ...nobody, ...context }, now)
const chooseProved = (rules: CandidateRule[], context: ShopperContext, proved: ShopperContext, now = NOW) =>
  ruleInForce(matchingRules(rules, { context, proved }), now).rule?.catalogId ?? null

const proving = (context: ShopperContext) => ({ context, proved: context })
const web = { channels: ['web'] }
const gold = { tags: ['gold'] }
const mine = { accountIds: ['a'] }

describe('catalog-rule.most-matches-win: the catalog rule for a shopper', () => {
  it('the catalog rule for a shopper is null without any rules', () => {
    expect(choose([])).toBeNull()
  })

  it('a rule without criteria is chosen in every context, unless another one matches', () => {
    expect(choose([rule('default')])).toBe('default')
    expect(choose([rule('default')], { channel: 'web' })).toBe('default')
  })

  it('a rule with criteria none of which match is never chosen', () => {
    expect(choose([rule('web', web)])).toBeNull()
    expect(choose([rule('web', web)], { channel: 'shop' })).toBeNull()
    expect(choose([rule('web', web), rule('default')], { channel: 'shop' })).toBe('default')
  })

  it("a rule matches a criterion by any of the criterion's values", () => {
    expect(choose([rule('two', { channels: ['shop', 'web'] })], { channel: 'web' })).toBe('two')
  })

  it('the rule with the most matched criteria is chosen', () => {
    const rules = [
      rule('default'),
      rule('web', web),
      rule('both', { ...web, ...gold }),
      rule('all', { ...web, ...gold, ...mine }),
    ]
    expect(choose(rules, { channel: 'web' })).toBe('web')
    expect(choose(rules, { channel: 'web', tags: ['gold'] })).toBe('both')
    expect(choose(rules, { channel: 'web', tags: ['gold'], accountId: 'a' })).toBe('all')
  })

  it('of rules with as many matched criteria the one with the fewest unmatched criteria is chosen', () => {
    expect(choose([rule('narrow', { ...web, ...gold }), rule('web', web)], { channel: 'web' })).toBe('web')
    // Two matched and one unmatched criterion win over one matched and none unmatched.
    expect(
      choose([rule('web', web), rule('wide', { ...web, ...gold, ...mine })], { channel: 'web', tags: ['gold'] }),
    ).toBe('wide')
  })

  it('the oldest rule, listed first, is chosen when all counts are equal', () => {
    expect(choose([rule('old', web), rule('new', web)], { channel: 'web' })).toBe('old')
    expect(choose([rule('old'), rule('new')])).toBe('old')
  })

  it('account ids of catalog rules are compared in lower case, channels and tags exactly', () => {
    expect(choose([rule('mine', mine)], { accountId: 'A' })).toBe('mine')
    expect(choose([rule('web', web)], { channel: 'WEB' })).toBeNull()
  })

  it('a rule is chosen only in one of its schedules: valid_from inclusive, valid_to exclusive, null bounds open', () => {
    const scheduled = (...schedules: [number | null, number | null][]) =>
      rule('timed', { schedules: schedules.map(([valid_from, valid_to]) => ({ valid_from, valid_to })) })
    expect(choose([scheduled([NOW, NOW + 1])], {}, NOW - 1)).toBeNull()
    expect(choose([scheduled([NOW, NOW + 1])], {}, NOW)).toBe('timed')
    expect(choose([scheduled([NOW, NOW + 1])], {}, NOW + 1)).toBeNull()
    expect(choose([scheduled([0, 1], [NOW, null])])).toBe('timed')
    expect(choose([scheduled([null, NOW])])).toBeNull()
    expect(choose([scheduled([null, null])])).toBe('timed')
    // A schedule is no criterion.
    expect(choose([scheduled([null, null]), rule('web', web)], { channel: 'web' })).toBe('web')
  })

  it('catalog-rule.any-tag-matches: of several tags one is enough for a rule to match, and more of them win nothing', () => {
    const rules = [rule('silver', { tags: ['silver'] }), rule('both', { tags: ['gold', 'new'] })]
    expect(choose(rules, { tags: ['new', 'silver', 'gold'] })).toBe('silver')
    expect(choose(rules, { tags: ['new', 'other'] })).toBe('both')
    expect(choose(rules, { tags: ['other'] })).toBeNull()
  })

  it('the choice of a rule tells until when it holds: the next bound of a schedule of the rule or of a better one, to the millisecond', () => {
    const timed = (catalogId: string, valid_from: number | null, valid_to: number | null, given: object = {}) =>
      rule(catalogId, { schedules: [{ valid_from, valid_to }], ...given })
    const until = (rules: CandidateRule[], now = NOW) =>
      ruleInForce(matchingRules(rules, proving({ ...nobody, channel: 'web' })), now).until
    const better = timed('better', NOW + 5, NOW + 9, web)
    expect([NOW, NOW + 4, NOW + 5, NOW + 8, NOW + 9].map((now) => until([rule('default'), better], now))).toEqual(
      [5, 5, 9, 9, null].map((by) => by && NOW + by),
    )
    // A worse rule changes nothing while a better one is in force, and one that matches in no case never does.
    expect(until([timed('worse', NOW + 1, null), timed('better', null, NOW + 9, web)])).toBe(NOW + 9)
    expect(until([timed('other', NOW + 1, null, { channels: ['shop'] })])).toBeNull()
    expect(until([])).toBeNull()
  })

  it('the choice of a rule changes at no other instant than it tells, for random rules', () => {
    const bound = fc.option(fc.integer({ min: NOW, max: NOW + 12 }))
    const schedules = fc.array(fc.record({ valid_from: bound, valid_to: bound }), { maxLength: 3 })
    const values = fc.subarray(['web'])
    const rules = fc.array(
      fc.record({
        catalogId: fc.uuid(),
        confidential: fc.boolean(),
        accountIds: fc.constant([]),
        channels: values,
        tags: fc.constant([]),
        schedules,
      }),
    )
    fc.assert(
      fc.property(rules, (given) => {
        const matching = matchingRules(given, proving({ ...nobody, channel: 'web' }))
        for (let now = NOW - 1; now < NOW + 13; now++) {
          const { rule: chosen, until } = ruleInForce(matching, now)
          expect(until === null || until > now).toBe(true)
          if (until !== now + 1) expect(ruleInForce(matching, now + 1).rule).toBe(chosen)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('the chosen rule equals the first rule of a full sort, for random rules and contexts', () => {
    const values = fc.subarray(['a', 'b'])
    const bound = fc.constantFrom(null, NOW - 1, NOW, NOW + 1)
    const schedules = fc.array(fc.record({ valid_from: bound, valid_to: bound }), { maxLength: 2 })
    const rules = fc.array(
      fc.record({
        catalogId: fc.uuid(),
        confidential: fc.boolean(),
        accountIds: values,
        channels: values,
        tags: values,
        schedules,
      }),
      {
        maxLength: 6,
      },
    )
    const value = fc.constantFrom(null, 'a', 'b', 'c')
    fc.assert(
      fc.property(
        rules,
        fc.record({ accountId: value, channel: value, tags: fc.subarray(['a', 'b', 'c']) }),
        fc.record({ accountId: value, channel: value, tags: fc.subarray(['a', 'b', 'c']) }),
        (given, inRequest, proved) => {
          const scored = given.map((one, age) => {
            const context = one.confidential ? proved : inRequest
            const pairs: [string[], (string | null)[]][] = [
              [one.accountIds, [context.accountId]],
              [one.channels, [context.channel]],
              [one.tags, context.tags],
            ]
            const listed = pairs.filter(([list]) => list.length > 0)
            const matched = listed.filter(([list, own]) => list.some((value) => own.includes(value))).length
            const runs = one.schedules.map(
              (s) => (s.valid_from === null || s.valid_from <= NOW) && (s.valid_to === null || NOW < s.valid_to),
            )
            return {
              one,
              age,
              matched,
              unmatched: listed.length - matched,
              runs: runs.length === 0 || runs.includes(true),
            }
          })
          const [best] = scored
            .filter(
              ({ one, matched, unmatched, runs }) => runs && (matched > 0 || (unmatched === 0 && !one.confidential)),
            )
            .sort((l, r) => r.matched - l.matched || l.unmatched - r.unmatched || l.age - r.age)
          const shopper = { context: inRequest, proved }
          expect(ruleInForce(matchingRules(given, shopper), NOW).rule).toBe(best?.one ?? null)
          const explained = explainRules(
            given.map((one, age) => ({ ...one, id: String(age) })),
            shopper,
            NOW,
          )
          const chosen = explained.filter(({ outcome }) => outcome === 'CHOSEN').map(({ rule: { id } }) => id)
          expect(chosen).toEqual(best ? [String(best.age)] : [])
          for (const {
            rule: { id },
            matched,
            unmatched,
          } of explained) {
            const { matched: count, unmatched: others } = scored[Number(id)] ?? {}
            expect([matched.length, unmatched.length]).toEqual([count, others])
          }
          const giving = scored.filter(({ one, matched }) => one.confidential && matched > 0).map(({ one }) => one)
          expect(givingRules(given, proved)).toEqual(giving)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('catalog.confidential-by-proof: rules of a confidential catalog', () => {
  const secret = (given: Partial<CandidateRule>) => rule('secret', { confidential: true, ...given })
  const all: ShopperContext = { accountId: 'a', channel: 'web', tags: ['gold'] }

  it('a rule of a confidential catalog matches what the token proves, and nothing else that the request says', () => {
    for (const given of [web, gold, mine]) {
      expect(chooseProved([secret(given)], all, nobody)).toBeNull()
      expect(chooseProved([secret(given)], nobody, all)).toBe('secret')
      expect(givingRules([secret(given)], nobody)).toEqual([])
      expect(givingRules([secret(given)], all)).toHaveLength(1)
    }
  })

  it('a rule of another catalog matches what the request says', () => {
    expect(chooseProved([rule('open', web)], all, nobody)).toBe('open')
    expect(chooseProved([rule('open', web)], nobody, all)).toBeNull()
    expect(givingRules([rule('open', web)], all)).toEqual([])
  })

  it('a rule without criteria gives a confidential catalog to nobody', () => {
    expect(chooseProved([secret({})], all, all)).toBeNull()
    expect(givingRules([secret({})], all)).toEqual([])
  })

  it('one proved criterion of several is enough, and the others count as unmatched', () => {
    const both = secret({ ...web, ...gold })
    const tagged = { ...nobody, tags: ['gold'] }
    expect(chooseProved([both], all, tagged)).toBe('secret')
    expect(chooseProved([both, rule('open', gold)], all, tagged)).toBe('open')
  })
})

describe('catalog-rule.choice-explained: what became of each rule', () => {
  const named = (id: string, given: Partial<CandidateRule>) => ({ ...rule(id, given), id })
  const outcomes = (rules: ReturnType<typeof named>[], shopper: { context: ShopperContext; proved: ShopperContext }) =>
    Object.fromEntries(explainRules(rules, shopper, NOW).map(({ rule: { id }, outcome }) => [id, outcome]))
  const context: ShopperContext = { accountId: 'a', channel: 'web', tags: ['gold'] }
  const ended = [{ valid_from: null, valid_to: NOW }]

  it('each rule that is not chosen has the reason why', () => {
    const rules = [
      named('chosen', { ...web, ...gold }),
      named('newer', { ...web, ...gold }),
      named('fewer', web),
      named('unmatched', { ...web, ...gold, accountIds: ['b'] }),
      named('ended', { ...web, ...gold, ...mine, schedules: ended }),
      named('other', { channels: ['app'] }),
      named('unproved', { ...gold, confidential: true }),
      named('empty', { confidential: true }),
      named('elsewhere', { tags: ['silver'], confidential: true }),
      named('everybody', {}),
    ]
    expect(outcomes(rules, { context, proved: { ...nobody, accountId: 'a' } })).toEqual({
      chosen: 'CHOSEN',
      newer: 'NEWER',
      fewer: 'FEWER_MATCHES',
      unmatched: 'MORE_UNMATCHED',
      ended: 'NOT_IN_FORCE',
      other: 'NO_MATCH',
      unproved: 'NOT_PROVED',
      empty: 'NOT_PROVED',
      elsewhere: 'NO_MATCH',
      everybody: 'FEWER_MATCHES',
    })
  })

  it('no rule is chosen where none matches', () => {
    expect(outcomes([named('other', { channels: ['app'] })], { context, proved: context })).toEqual({
      other: 'NO_MATCH',
    })
  })
})
