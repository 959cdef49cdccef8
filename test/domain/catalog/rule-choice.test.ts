import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CandidateRule, matchingRules, ruleInForce, type ShopperContext } from '../../../src/domain/catalog/rule-choice.ts'

const NOW = Date.UTC(2026, 0, 15)
const nobody: ShopperContext = { accountId: null, channel: null, tags: [] }

function rule(catalogId: string, given: Partial<CandidateRule> = {}): CandidateRule {
  return { catalogId, accountIds: [], channels: [], tags: [], schedules: [], ...given }
}

const choose = (rules: CandidateRule[], context: Partial<ShopperContext> = {}, now = NOW) =>
  ruleInForce(matchingRules(rules, { ...nobody, ...context }), now).rule?.catalogId ?? null

const web = { channels: ['web'] }
const gold = { tags: ['gold'] }
const mine = { accountIds: ['a'] }

describe('catalog-rule.most-matches-win: the catalog rule for a shopper', () => {
  it('is null without any rules', () => {
    expect(choose([])).toBeNull()
  })

  it('is a rule without criteria in every context, unless another matches', () => {
    expect(choose([rule('default')])).toBe('default')
    expect(choose([rule('default')], { channel: 'web' })).toBe('default')
  })

  it('is never a rule with criteria none of which match', () => {
    expect(choose([rule('web', web)])).toBeNull()
    expect(choose([rule('web', web)], { channel: 'shop' })).toBeNull()
    expect(choose([rule('web', web), rule('default')], { channel: 'shop' })).toBe('default')
  })

  it('matches a criterion by any of its values', () => {
    expect(choose([rule('two', { channels: ['shop', 'web'] })], { channel: 'web' })).toBe('two')
  })

  it('is the one with the most matched criteria', () => {
    const rules = [rule('default'), rule('web', web), rule('both', { ...web, ...gold }), rule('all', { ...web, ...gold, ...mine })]
    expect(choose(rules, { channel: 'web' })).toBe('web')
    expect(choose(rules, { channel: 'web', tags: ['gold'] })).toBe('both')
    expect(choose(rules, { channel: 'web', tags: ['gold'], accountId: 'a' })).toBe('all')
  })

  it('is the one with the fewest unmatched criteria when as many match', () => {
    expect(choose([rule('narrow', { ...web, ...gold }), rule('web', web)], { channel: 'web' })).toBe('web')
    // Two matched and one unmatched criterion win over one matched and none unmatched.
    expect(choose([rule('web', web), rule('wide', { ...web, ...gold, ...mine })], { channel: 'web', tags: ['gold'] })).toBe('wide')
  })

  it('is the oldest one, listed first, when all counts are equal', () => {
    expect(choose([rule('old', web), rule('new', web)], { channel: 'web' })).toBe('old')
    expect(choose([rule('old'), rule('new')])).toBe('old')
  })

  it('compares account ids in lower case, and channels and tags exactly', () => {
    expect(choose([rule('mine', mine)], { accountId: 'A' })).toBe('mine')
    expect(choose([rule('web', web)], { channel: 'WEB' })).toBeNull()
  })

  it('is in one of its schedules: valid_from inclusive, valid_to exclusive, null bounds open', () => {
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

  it('catalog-rule.any-tag-matches: of several tags one is enough, and more of them win nothing', () => {
    const rules = [rule('silver', { tags: ['silver'] }), rule('both', { tags: ['gold', 'new'] })]
    expect(choose(rules, { tags: ['new', 'silver', 'gold'] })).toBe('silver')
    expect(choose(rules, { tags: ['new', 'other'] })).toBe('both')
    expect(choose(rules, { tags: ['other'] })).toBeNull()
  })

  it('tells until when it stays: the next bound of a schedule of it or of a better one, to the millisecond', () => {
    const timed = (catalogId: string, valid_from: number | null, valid_to: number | null, given: object = {}) =>
      rule(catalogId, { schedules: [{ valid_from, valid_to }], ...given })
    const until = (rules: CandidateRule[], now = NOW) => ruleInForce(matchingRules(rules, { ...nobody, channel: 'web' }), now).until
    const better = timed('better', NOW + 5, NOW + 9, web)
    expect([NOW, NOW + 4, NOW + 5, NOW + 8, NOW + 9].map((now) => until([rule('default'), better], now))).toEqual(
      [5, 5, 9, 9, null].map((by) => by && NOW + by),
    )
    // A worse rule changes nothing while a better one is in force, and one that matches in no case never does.
    expect(until([timed('worse', NOW + 1, null), timed('better', null, NOW + 9, web)])).toBe(NOW + 9)
    expect(until([timed('other', NOW + 1, null, { channels: ['shop'] })])).toBeNull()
    expect(until([])).toBeNull()
  })

  it('changes at no other instant than it tells, for random rules', () => {
    const bound = fc.option(fc.integer({ min: NOW, max: NOW + 12 }))
    const schedules = fc.array(fc.record({ valid_from: bound, valid_to: bound }), { maxLength: 3 })
    const values = fc.subarray(['web'])
    const rules = fc.array(
      fc.record({ catalogId: fc.uuid(), accountIds: fc.constant([]), channels: values, tags: fc.constant([]), schedules }),
    )
    fc.assert(
      fc.property(rules, (given) => {
        const matching = matchingRules(given, { ...nobody, channel: 'web' })
        for (let now = NOW - 1; now < NOW + 13; now++) {
          const { rule: chosen, until } = ruleInForce(matching, now)
          expect(until === null || until > now).toBe(true)
          if (until !== now + 1) expect(ruleInForce(matching, now + 1).rule).toBe(chosen)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('equals the first rule of a full sort, for random rules and contexts', () => {
    const values = fc.subarray(['a', 'b'])
    const bound = fc.constantFrom(null, NOW - 1, NOW, NOW + 1)
    const schedules = fc.array(fc.record({ valid_from: bound, valid_to: bound }), { maxLength: 2 })
    const rules = fc.array(fc.record({ catalogId: fc.uuid(), accountIds: values, channels: values, tags: values, schedules }), {
      maxLength: 6,
    })
    const value = fc.constantFrom(null, 'a', 'b', 'c')
    fc.assert(
      fc.property(rules, fc.record({ accountId: value, channel: value, tags: fc.subarray(['a', 'b', 'c']) }), (given, context) => {
        const scored = given.map((one, age) => {
          const pairs: [string[], (string | null)[]][] = [
            [one.accountIds, [context.accountId]],
            [one.channels, [context.channel]],
            [one.tags, context.tags],
          ]
          const listed = pairs.filter(([list]) => list.length > 0)
          const matched = listed.filter(([list, own]) => list.some((value) => own.includes(value))).length
          const runs = one.schedules.map((s) => (s.valid_from === null || s.valid_from <= NOW) && (s.valid_to === null || NOW < s.valid_to))
          return { one, age, matched, unmatched: listed.length - matched, runs: runs.length === 0 || runs.includes(true) }
        })
        const [best] = scored
          .filter(({ matched, unmatched, runs }) => runs && (matched > 0 || unmatched === 0))
          .sort((l, r) => r.matched - l.matched || l.unmatched - r.unmatched || l.age - r.age)
        expect(ruleInForce(matchingRules(given, context), NOW).rule).toBe(best?.one ?? null)
      }),
      { numRuns: 500 },
    )
  })
})
