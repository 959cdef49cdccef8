/** Deletion guard: the conflict IN_USE for a record that others still refer to. */
import { conflict } from '../domain/input/errors.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import {
  findReferencingRecords,
  type ReferencedKind,
  type ReferencingRecords,
} from '../persistence/referencing-records.ts'

/**
 * Throws the conflict IN_USE, whose message counts and names the records that refer to the record, unless none does.
 */
export async function assertNotReferenced(tx: Transaction, kind: ReferencedKind, id: string): Promise<void> {
  const referencing = (await findReferencingRecords(tx, kind, id)).filter(({ count }) => count > 0)
  if (referencing.length > 0)
    throw conflict('IN_USE', ['id'], `is still used by ${referencing.map(describe).join(' and ')}`)
}

/** `2 child nodes ("Beans", "Filters")`; an ellipsis stands for further names. */
function describe({ noun, count, names }: ReferencingRecords): string {
  const shown = names.map((name) => JSON.stringify(name)).join(', ')
  return `${count} ${noun}${count === 1 ? '' : 's'}${shown && ` (${shown}${count > names.length ? ', ...' : ''})`}`
}
