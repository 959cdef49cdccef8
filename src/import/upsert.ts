/** Upsert: creates or updates the record of one object (import.first-given-key-decides). */
import { assertValid } from '../domain/input/errors.ts'
import { documentInput } from '../domain/input/unknown-members.ts'
import { findByKey } from '../persistence/database/find-by-key.ts'
import { readKey } from './keys.ts'
import type { Outcome } from './outcome.ts'
import { type ImportWrite, recordTypes } from './record-types.ts'

/**
 * Creates the record of an object of a type, or updates the one with its key, by the operations of the API (import.absent-fields-stay);
 * throws their errors.
 */
export async function upsert(type: string, object: Omit<ImportWrite, 'data'>): Promise<Outcome> {
  const importType = recordTypes[type]
  if (!importType) throw new Error(`no operations for ${type}`)
  const write: ImportWrite = { ...object, data: documentInput(object.given, object.unknown) }
  const { key, violations } = readKey(write.given, importType.natural ?? null)
  assertValid(violations)
  const scope = (await importType.scope?.(write)) ?? {}
  const existing = key && (await findByKey(write.tx, importType, key, scope))
  if (!existing) {
    await importType.create(write, scope)
    return { kind: 'created' }
  }
  const { updatedAt } = await importType.update(write, existing.id)
  return { kind: updatedAt === existing.updatedAt ? 'unchanged' : 'updated' }
}
