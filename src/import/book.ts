/** Price book of an import object. */
import { assertValid } from '../domain/input/errors.ts'
import { resolveId } from '../operations/references.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { readBook } from './keys.ts'

/** The id of the book that an object names, locked until the transaction ends; throws `validation` when there is none. */
export async function resolveBook(tx: Transaction, data: object): Promise<string> {
  const { book, path, violations } = readBook(data)
  assertValid(violations)
  return (await resolveId(tx, 'price book', book, [path])) ?? ''
}
