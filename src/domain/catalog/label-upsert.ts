/**
 * Label upsert: what each row of one call does to the store's labels, decided before anything is written
 * (label.set-by-name).
 */
import { prefixPaths, type Violation } from '../input/errors.ts'
import { LABEL_ROWS_MAX, LABELS_MAX } from '../input/limits.ts'
import type { ReadResult } from '../input/reading.ts'
import { makeRecord, patchRecord } from '../input/record-change.ts'
import { readNew } from '../input/record-reader.ts'
import { limitParams } from '../input/violation-params.ts'
import type { Locales } from '../language/locale.ts'
import { type Label, type LabelKind, labelRecord } from './label.ts'

/** What a name of a kind is called in languages from now on; null: in none, so that it has no label. */
export interface LabelRow {
  readonly kind: LabelKind
  readonly key: string
  readonly locales: Locales | null
}

/** The writes of a call. */
export interface LabelPlan {
  /** The labels of the rows that have one, in their order. */
  readonly labels: readonly Label[]
  readonly inserts: readonly Label[]
  readonly updates: readonly { readonly stored: Label; readonly label: Label }[]
  readonly deletes: readonly Label[]
}

/** Reads the rows, each in the form of a new label. No two are of one name (label.one-per-name). */
export function readLabelRows(given: readonly unknown[]): ReadResult<readonly LabelRow[]> {
  if (given.length > LABEL_ROWS_MAX) return { value: undefined, violations: [tooMany(LABEL_ROWS_MAX)] }
  const names = new Set<string>()
  const rows: LabelRow[] = []
  const violations = given.flatMap((data, index): Violation[] => {
    const { value, violations: own } = readNew(labelRecord, data)
    if (!value) return prefixPaths(['labels', index], own)
    const { kind, key, locales = null } = value.patch
    const name = nameOf({ kind, key })
    if (names.has(name)) return [{ code: 'DUPLICATE', path: ['labels', index, 'key'], message: 'is given twice' }]
    names.add(name)
    rows.push({ kind, key, locales })
    return []
  })
  return violations.length > 0 ? { value: undefined, violations } : { value: rows, violations: [] }
}

/** Plans the rows; `stored` has at least the labels that they name. `now` is in epoch milliseconds. */
export function planLabels(
  rows: readonly LabelRow[],
  stored: readonly Label[],
  now: number,
  newId: () => string,
): LabelPlan {
  const byName = new Map(stored.map((label) => [nameOf(label), label]))
  const labels: Label[] = []
  const inserts: Label[] = []
  const updates: { readonly stored: Label; readonly label: Label }[] = []
  const deletes: Label[] = []
  for (const row of rows) {
    const before = byName.get(nameOf(row))
    if (row.locales === null) {
      if (before) deletes.push(before)
      continue
    }
    const label = before ? patchRecord(labelRecord, before, row, now) : makeRecord(labelRecord, row, newId(), now)
    labels.push(label)
    if (!before) inserts.push(label)
    else if (label !== before) updates.push({ stored: before, label })
  }
  return { labels, inserts, updates, deletes }
}

/** The violation of a store that would have `count` labels (label.ten-thousand). */
export function countViolations(count: number): Violation[] {
  return count > LABELS_MAX
    ? [{ ...tooMany(LABELS_MAX), message: `would be more than the ${LABELS_MAX} labels that a store has at most` }]
    : []
}

function tooMany(max: number): Violation {
  const params = limitParams(null, max)
  return { code: 'TOO_MANY', path: ['labels'], message: `must have at most ${max} entries`, params }
}

function nameOf({ kind, key }: Pick<LabelRow, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}
