/**
 * The deletion of a price book, which takes its prices and modifiers along.
 *
 * SQL, since Prisma locks no rows.
 */
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import { type PriceModifier as ModifierRow, Prisma } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { membersOf } from '../database/columns.ts'
import { lockRows, rowLock } from '../database/row-lock.ts'
import { deleteRecord } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'
import { priceBookTable } from './price-book.ts'
import { priceModifierTable } from './price-modifier.ts'
import { logPricesOfBook } from './product-price-write.ts'

/**
 * Deletes a stored book with its prices and modifiers, each of which has an entry in the change log. They are locked,
 * since a change of one does not lock the book. Four statements.
 */
export async function deletePriceBookWithContent(tx: Transaction, stored: PriceBook): Promise<void> {
  const ofBook = Prisma.sql`i.price_book_id = ${stored.id}::uuid`
  // A statement of its own, so that the sales are read under the locks; it counts, since a book may have a million
  // prices.
  await tx.$executeRaw`SELECT count(*) FROM (${rowLock('productPrice', ofBook)}) locked`
  await logPricesOfBook(tx, stored.id)
  const modifiers = await lockRows<Omit<ModifierRow, 'version'>>(
    tx,
    'priceModifier',
    ofBook,
    'UPDATE',
    membersOf('priceModifier'),
  )
  for (const row of modifiers) logChange(tx, priceModifierTable, priceModifierTable.fromRow(row), null)
  await deleteRecord(tx, priceBookTable, stored)
}
