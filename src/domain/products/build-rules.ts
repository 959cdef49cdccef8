/** Build rules: for which combinations of options a parent gets children (product.children-from-build-rules). */
import type { Violation } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { BUILD_RULES_MAX, VARIATIONS_MAX } from '../input/limits.ts'
import type { CustomMember } from '../input/record-members.ts'
import { compareSortOrder } from '../input/sort-order.ts'
import { keyParams, limitParams } from '../input/violation-params.ts'
import { wholePlain } from '../input/whole-member.ts'
import { type Variation, variationsByOption } from './variation.ts'

const defaultWords = ['include', 'exclude'] as const

/**
 * Build rules, in the shape of the wire. A rule is a set of option ids of different variations; it matches a
 * combination that has all of them. A combination is built when `default` is include or an `include` rule matches,
 * unless an `exclude` rule matches.
 */
export interface BuildRules {
  readonly default: (typeof defaultWords)[number]
  readonly include: readonly (readonly string[])[]
  readonly exclude: readonly (readonly string[])[]
}

/** The part of a variation or option that the rules depend on. */
interface Choice {
  readonly id: string
  readonly sort_order?: number | null
}

interface Choices<Option> {
  readonly sort_order?: number | null
  readonly options: readonly Option[]
}

/** A partial update of build rules: an undefined member keeps what is stored, null clears it (patch.objects-merge). */
export type BuildRulesPatch = { readonly [Member in keyof BuildRules]: BuildRules[Member] | null | undefined }

const { closed, list, nullable } = schema
const optionIdsSchema = list(schema.uuid, VARIATIONS_MAX)
const rulesSchema = nullable(list(optionIdsSchema, BUILD_RULES_MAX))

/** The ids of a child's options, one of each variation of its parent. */
export const optionIds = wholePlain<readonly string[]>([], {
  schema: nullable(optionIdsSchema),
  read: (attributes, name) => attributes.list(name, readOptionId, { nullable: true, max: VARIATIONS_MAX }),
})

/** The build rules of a parent; null for none. */
export const buildRules: CustomMember<BuildRules | null, BuildRulesPatch, 'optional', BuildRulesPatch, 'json'> = {
  kind: 'custom',
  presence: 'optional',
  column: 'json',
  schema: nullable(
    closed({
      'default?': nullable(schema.word(...defaultWords)),
      'include?': rulesSchema,
      'exclude?': rulesSchema,
    }),
  ),
  read: readBuildRules,
  merge: (stored = null, patch) => patchBuildRules(stored, patch),
}

/** Reads `{ default?, include?: [[option id]], exclude?: [[option id]] }`; null for none. */
function readBuildRules(attributes: InputReader): BuildRulesPatch | null | undefined {
  const rules = attributes.object('build_rules', { nullable: true })
  if (rules == null) return rules
  return {
    default: rules.oneOf('default', defaultWords, { nullable: true }),
    include: rules.list('include', readRule, { nullable: true, max: BUILD_RULES_MAX }),
    exclude: rules.list('exclude', readRule, { nullable: true, max: BUILD_RULES_MAX }),
  }
}

/**
 * The rules after the patch. A member that is neither given nor stored is its default: include all, without exceptions.
 */
function patchBuildRules(stored: BuildRules | null, patch: BuildRulesPatch | null | undefined): BuildRules | null {
  if (patch == null) return patch === null ? null : stored
  const merged = <Member extends keyof BuildRules>(member: Member): BuildRules[Member] => {
    const value = patch[member] === undefined ? stored?.[member] : patch[member]
    return (value ?? noRules[member]) as BuildRules[Member]
  }
  return { default: merged('default'), include: merged('include'), exclude: merged('exclude') }
}

const noRules: BuildRules = { default: 'include', include: [], exclude: [] }

/** The violations of `rules` over `variations`; paths start at the rules. */
export function buildRuleViolations(rules: BuildRules, variations: readonly Variation[]): Violation[] {
  const byOption = variationsByOption(variations)
  return (['include', 'exclude'] as const).flatMap((list) =>
    rules[list].flatMap((rule, index) =>
      ruleViolations(rule, byOption).map((violation) => ({ ...violation, path: [list, index, ...violation.path] })),
    ),
  )
}

/** The number of combinations of options, whatever the build rules; 0 without variations. */
export function combinationCount(variations: readonly Variation[]): number {
  return variations.length === 0 ? 0 : variations.reduce((count, { options }) => count * options.length, 1)
}

/**
 * The combinations to build, with one option of each variation; variations and options by descending sort_order
 * (product.children-from-build-rules).
 */
export function chosenCombinations<Option extends Choice>(
  variations: readonly Choices<Option>[],
  rules: BuildRules | null,
): Option[][] {
  if (variations.length === 0) return []
  const ordered = [...variations].sort(compareSortOrder).map(({ options }) => [...options].sort(compareSortOrder))
  const all = ordered.reduce<Option[][]>(
    (made, options) => made.flatMap((one) => options.map((option) => [...one, option])),
    [[]],
  )
  return rules === null ? all : all.filter((combination) => isChosen(new Set(combination.map(({ id }) => id)), rules))
}

function isChosen(ids: ReadonlySet<string>, rules: BuildRules): boolean {
  const meets = (rule: readonly string[]): boolean => rule.every((id) => ids.has(id))
  return (rules.default === 'include' || rules.include.some(meets)) && !rules.exclude.some(meets)
}

function readRule(rules: InputReader, index: number): string[] {
  return rules.list(index, readOptionId, { required: true, max: VARIATIONS_MAX }) ?? []
}

/** Reads an option id, in lower case as ids are stored. */
export function readOptionId(ids: InputReader, index: number): string {
  return ids.text(index, { required: true, format: uuid })?.toLowerCase() ?? ''
}

function ruleViolations(rule: readonly string[], byOption: ReadonlyMap<string, Variation>): Violation[] {
  if (rule.length === 0)
    return [
      { code: 'INVALID_STRUCTURE', path: [], message: 'must name at least one option', params: limitParams(1, null) },
    ]
  return optionViolations(rule, byOption)
}

/** Violations of ids that are no option, or are a second option of one variation; paths are indexes. */
export function optionViolations(ids: readonly string[], byOption: ReadonlyMap<string, Variation>): Violation[] {
  const taken = new Set<Variation>()
  return ids.flatMap((id, index): Violation[] => {
    const variation = byOption.get(id)
    if (variation === undefined)
      return [{ code: 'NOT_FOUND', path: [index], message: 'must be an option of the variations' }]
    if (taken.has(variation)) {
      const message = `must not be a second option of the variation "${variation.name}"`
      return [{ code: 'INVALID_STRUCTURE', path: [index], message, params: keyParams(variation.name) }]
    }
    taken.add(variation)
    return []
  })
}
