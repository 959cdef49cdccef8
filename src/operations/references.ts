/** References: resolves the records that an input names by id or external_ref (record.references-by-id-or-ref). */
import { assertValid, type Path } from '../domain/input/errors.ts'
import { type Reference, resolveReferences } from '../domain/input/record.ts'
import { type LockableNoun, lockReferenced } from '../persistence/database/reference.ts'
import type { LockStrength } from '../persistence/database/row-lock.ts'
import type { Transaction } from '../persistence/database/transaction.ts'

/**
 * The ids of the records that `references` name, in their order, locked until the transaction ends; undefined without references. Throws
 * `validation` with a violation under `path` for each reference that names no record, or several.
 */
export async function resolveIds(
  tx: Transaction,
  noun: LockableNoun,
  references: readonly Reference[] | undefined,
  path: Path,
  strength?: LockStrength,
): Promise<string[] | undefined> {
  const found = references ? await lockReferenced(tx, noun, references, strength) : []
  const { ids, violations } = resolveReferences(references, found, path, noun)
  assertValid(violations)
  return ids
}

/** As `resolveIds`, for a single reference, whose violations are at `path`. */
export async function resolveId(
  tx: Transaction,
  noun: LockableNoun,
  reference: Reference | undefined,
  path: Path,
): Promise<string | undefined> {
  if (reference === undefined) return undefined
  const { ids, violations } = resolveReferences([reference], await lockReferenced(tx, noun, [reference]), [], noun)
  assertValid(violations.map((violation) => ({ ...violation, path })))
  return ids?.[0]
}
