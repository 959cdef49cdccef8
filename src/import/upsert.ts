/** Upsert: creates or updates the record of one object (import.first-given-key-decides). */
import { assertValid } from '../domain/input/errors.ts'
import { documentInput } from '../domain/input/unknown-members.ts'
import type { JsonObject } from '../lib/json-object.ts'
import { findByKey } from '../persistence/database/find-by-key.ts'
import { lockRecord } from '../persistence/database/table.ts'
import { readKey } from './keys.ts'
import type { SettledRow } from './node-row.ts'
import type { Outcome } from './outcome.ts'
import type { GivenRow } from './parsed-object.ts'
import { type ImportWrite, type RecordType, recordTypes } from './record-types.ts'

type GivenWrite = Omit<ImportWrite, 'data'>

/**
 * Creates the record of an object of a type, or updates the one with its key, by the operations of the API
 * (import.absent-fields-stay); throws their errors.
 */
export async function upsert(type: string, object: GivenWrite, row?: GivenRow): Promise<Outcome> {
  const importType = recordTypes[type]
  if (!importType) throw new Error(`no operations for ${type}`)
  if (row) return upsertRow(importType, object, row)
  const write = withData(object)
  const { key, violations } = readKey(write.given, importType.natural ?? null)
  assertValid(violations)
  const scope = (await importType.scope?.(write, key)) ?? {}
  const existing = key && (await findByKey(write.tx, importType, key, scope))
  if (!existing) {
    await importType.create(write, scope)
    return { kind: 'created' }
  }
  return updated(existing, await importType.update(write, existing.id))
}

/**
 * As `upsert`, for a row of a sheet: the change is made of the row and the stored record, which is locked
 * (sheet.absent-columns-stay).
 */
async function upsertRow(importType: RecordType, object: GivenWrite, row: GivenRow): Promise<Outcome> {
  const { tx, given } = object
  if (!importType.rows) throw new Error('no rows of this type')
  const { table, natural = null, settle } = importType.rows
  const { violations: wrong, settled, isNew } = (await settle?.(tx, given)) ?? unsettled
  const writeOf = (data: JsonObject): ImportWrite => {
    const unknown = [...object.unknown, ...wrong]
    return withData({ ...object, given: wrong.length > 0 ? data : settled(data), unknown })
  }
  const write = writeOf(given)
  const { key, violations } = readKey(write.given, natural, { naturalFirst: true })
  assertValid([...violations, ...(wrong.length > 0 ? write.unknown : [])])
  const existing = key && !isNew ? await findByKey(tx, importType, key, {}) : null
  if (!existing) {
    await importType.create(write, {})
    return { kind: 'created' }
  }
  const stored = await lockRecord(tx, table, existing.id, 'NO KEY UPDATE')
  const change = writeOf(row.dataFor(stored ?? undefined) as JsonObject)
  return updated(existing, await importType.update(change, existing.id))
}

const unsettled: SettledRow = { violations: [], settled: (data) => data, isNew: false }

function updated(before: { readonly updatedAt: number }, { updatedAt }: { readonly updatedAt: number }): Outcome {
  return { kind: updatedAt === before.updatedAt ? 'unchanged' : 'updated' }
}

function withData(object: GivenWrite): ImportWrite {
  return { ...object, data: documentInput(object.given, object.unknown) }
}
