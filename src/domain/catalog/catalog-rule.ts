/**
 * Catalog rules: which shoppers get which catalog, and when (catalog-rule.most-matches-win). rule-choice.ts finds the rule for a
 * shopper.
 */
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { EXTERNAL_REF_MAX, FREE_NAME_MAX, RULE_SCHEDULES_MAX, RULE_VALUES_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { type Reference, readReference, recordReaders } from '../input/record.ts'

/**
 * A period in which a rule is in force: `valid_from` inclusive, `valid_to` exclusive, epoch milliseconds, null when open. Stored in
 * this form.
 */
export interface RuleSchedule {
  readonly valid_from: number | null
  readonly valid_to: number | null
}

/** A stored catalog rule. */
export interface CatalogRule extends StoredRecord {
  readonly externalRef: string | null
  readonly name: string
  readonly catalogId: string
  /** The three criteria; an empty list is no criterion. Values are unique and compared exactly; account ids are in lower case. */
  readonly accountIds: readonly string[]
  readonly channels: readonly string[]
  readonly tags: readonly string[]
  /** The rule is in force during any of the schedules; always without any. */
  readonly schedules: readonly RuleSchedule[]
}

/** A partial update of a rule. Lists are replaced whole; null input is an empty list. */
export interface CatalogRulePatch extends PatchOf<CatalogRule, Exclude<keyof CatalogRule, keyof StoredRecord | 'catalogId'>> {
  readonly catalog: Reference | undefined
}

/** Readers of a rule's `data`: `{ id?, type: 'catalog_rule', attributes: { name, catalog_id, ... } }`. */
export const { readNew: readCatalogRule, readUpdate: readCatalogRuleUpdate } = recordReaders('catalog_rule', readPatch)

/** A new rule from the input of a create, which has a name. `now` is in epoch milliseconds. */
export function newCatalogRule(patch: CatalogRulePatch, catalogId: string, id: string, now: number): CatalogRule {
  return {
    id,
    externalRef: patch.externalRef ?? null,
    name: patch.name ?? '',
    catalogId,
    accountIds: patch.accountIds ?? [],
    channels: patch.channels ?? [],
    tags: patch.tags ?? [],
    schedules: patch.schedules ?? [],
    createdAt: now,
    updatedAt: now,
  }
}

/** The rule after the patch; the same object when nothing changes. `catalogId` is the id of the patch's catalog reference. */
export function applyCatalogRulePatch(
  stored: CatalogRule,
  patch: CatalogRulePatch,
  catalogId: string | undefined,
  now: number,
): CatalogRule {
  const { catalog: _, ...plain } = patch
  return applyPatch(stored, { ...plain, catalogId }, now)
}

/** The attributes in the order of the type's fields. */
function readPatch(attributes: InputReader, { create }: { create: boolean }): CatalogRulePatch {
  return {
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined,
    catalog: readReference(attributes, 'catalog_id', ['catalog'], { required: create }) ?? undefined,
    accountIds: distinct(readValues(attributes, 'account_ids', uuid)?.map((id) => id.toLowerCase())),
    channels: distinct(readValues(attributes, 'channels')),
    tags: distinct(readValues(attributes, 'tags')),
    schedules: readSchedules(attributes),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
  }
}

function readValues(attributes: InputReader, name: string, format?: (text: string) => string | undefined): string[] | undefined {
  const rule = { required: true, min: 1, max: FREE_NAME_MAX, isName: true, ...(format && { format }) }
  const values = attributes.list(name, (entries, index) => entries.text(index, rule) ?? '', { nullable: true, max: RULE_VALUES_MAX })
  return values === null ? [] : values
}

function distinct(values: string[] | undefined): string[] | undefined {
  return values && [...new Set(values)]
}

/**
 * A schedule without bounds always applies; one that does not end after its start is a violation, as for a sale
 * (sale.ends-after-it-starts).
 */
function readSchedules(attributes: InputReader): RuleSchedule[] | undefined {
  const rule = { nullable: true, max: RULE_SCHEDULES_MAX }
  const schedules = attributes.list('schedules', (entries, index) => readSchedule(entries.object(index, { required: true })), rule)
  return schedules === null ? [] : schedules
}

function readSchedule(schedule: InputReader | null | undefined): RuleSchedule {
  const read = (name: string): number | null => schedule?.instant(name, { nullable: true }) ?? null
  const bounds = { valid_from: read('valid_from'), valid_to: read('valid_to') }
  if (bounds.valid_from !== null && bounds.valid_to !== null && bounds.valid_to <= bounds.valid_from) {
    schedule?.addViolation('valid_to', 'SALE_SCHEDULE_INVALID', 'must be after valid_from')
  }
  return bounds
}
