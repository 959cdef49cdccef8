import { assertValid, type Path } from '../domain/input/errors.ts'
import { type Reference, resolveReferences } from '../domain/input/record.ts'
import { type LockableNoun, lockReferenced } from '../persistence/database/reference.ts'
import type { LockStrength } from '../persistence/database/row-lock.ts'
import type { Transaction } from '../persistence/database/transaction.ts'

/**
 * The ids that `references` mean, in their order, of records that stay until the transaction ends; undefined without references. Throws
 * `validation` with every one under `path` that means nothing, or several (record.references-by-id-or-ref).
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

/** As `resolveIds`, for one reference at `path`. */
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
