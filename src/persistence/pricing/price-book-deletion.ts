/** The deletion of a price book, which takes its prices and modifiers along. */
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import { logChange } from '../database/change-log.ts'
import { deleteRecord } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'
import { priceBookTable } from './price-book.ts'
import { priceModifierTable } from './price-modifier.ts'
import { logPricesOfBook } from './product-price-write.ts'

/** Deletes a stored book with its prices and modifiers, each of which has an entry in the change log. Three statements. */
export async function deletePriceBookWithContent(tx: Transaction, stored: PriceBook): Promise<void> {
  await logPricesOfBook(tx, stored.id)
  const modifiers = await tx.priceModifier.findMany({ where: { priceBookId: stored.id }, omit: { version: true }, orderBy: { id: 'asc' } })
  for (const row of modifiers) logChange(tx, priceModifierTable, priceModifierTable.fromRow(row), null)
  await deleteRecord(tx, priceBookTable, stored)
}
