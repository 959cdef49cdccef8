import { assertValid } from '../domain/input/errors.ts'
import { findByKey } from '../persistence/database/find-by-key.ts'
import { readKey } from './keys.ts'
import type { Outcome } from './outcome.ts'
import { type ImportWrite, recordTypes } from './record-types.ts'

/**
 * Creates or updates what one object means (import.first-given-key-decides), by the operations that the API uses; throws what they throw.
 */
export async function upsert(type: string, write: ImportWrite): Promise<Outcome> {
  const importType = recordTypes[type]
  if (!importType) throw new Error(`no operations for ${type}`)
  const { key, violations } = readKey(write.data, importType.natural ?? null)
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
