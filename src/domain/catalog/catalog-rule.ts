/**
 * Catalog rules: which shoppers get which catalog, and when (catalog-rule.most-matches-win). rule-choice.ts finds the
 * rule for a shopper.
 */
import { freeName, schedule, toSchedule } from '../input/document.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { FREE_NAME_MAX, RULE_SCHEDULES_MAX, RULE_VALUES_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { link } from '../input/record-links.ts'
import { externalRef, text } from '../input/record-members.ts'
import { named, sentence } from '../input/sentence.ts'
import { wholeJson, wholePlain } from '../input/whole-member.ts'

/**
 * A period in which a rule is in force: `valid_from` inclusive, `valid_to` exclusive, epoch milliseconds, null when
 * open. Stored in this form.
 */
export interface RuleSchedule {
  readonly valid_from: number | null
  readonly valid_to: number | null
}

/** A criterion: unique values, compared exactly; an empty list is no criterion. */
function values(of: schema.Schema, read: (entries: InputReader, index: number) => string) {
  return wholePlain<readonly string[]>([], {
    max: RULE_VALUES_MAX,
    schema: schema.nullable(schema.list(of, RULE_VALUES_MAX)),
    read: (reader, name) => distinct(reader.list(name, read, { nullable: true, max: RULE_VALUES_MAX })),
  })
}

const value = { required: true, min: 1, max: FREE_NAME_MAX, isName: true } as const
const names = values(freeName, (entries, index) => entries.text(index, value) ?? '')

const schedules = wholeJson<readonly RuleSchedule[]>([], {
  max: RULE_SCHEDULES_MAX,
  schema: schema.nullable(schema.list(schedule, RULE_SCHEDULES_MAX)),
  read: (reader, name) =>
    reader.list(name, (entries, index) => readSchedule(entries.object(index, { required: true })), {
      nullable: true,
      max: RULE_SCHEDULES_MAX,
    }),
  exported: (all) => all.map(({ valid_from, valid_to }) => toSchedule(valid_from, valid_to)),
})

export const catalogRuleRecord = defineRecord('catalog_rule', {
  name: text({ min: 1, max: FREE_NAME_MAX, isName: true }),
  catalogId: link(['catalog']),
  /** In lower case. */
  accountIds: values(schema.uuid, (entries, index) =>
    (entries.text(index, { ...value, format: uuid }) ?? '').toLowerCase(),
  ),
  channels: names,
  tags: names,
  /** The rule is in force during any of the schedules; always without any. */
  schedules,
  externalRef: externalRef(),
})

/** A stored catalog rule. */
export type CatalogRule = RecordOf<typeof catalogRuleRecord.members>

function distinct(given: readonly string[] | null | undefined): readonly string[] | null | undefined {
  return given && [...new Set(given)]
}

/**
 * A schedule without bounds always applies. One that does not end after its start is a violation, as for a sale
 * (sale.ends-after-it-starts).
 */
function readSchedule(schedule: InputReader | null | undefined): RuleSchedule {
  const read = (name: string): number | null => schedule?.instant(name, { nullable: true }) ?? null
  const bounds = { valid_from: read('valid_from'), valid_to: read('valid_to') }
  if (bounds.valid_from !== null && bounds.valid_to !== null && bounds.valid_to <= bounds.valid_from) {
    schedule?.addViolation('valid_to', 'SALE_SCHEDULE_INVALID', sentence`must be after ${named('valid_from')}`)
  }
  return bounds
}
