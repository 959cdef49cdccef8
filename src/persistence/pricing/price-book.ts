/** Price books in the database. */
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import type { Prisma, PriceBook as Row } from '../../generated/prisma/client.ts'
import { lockRecord, type Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The table of price books. */
export const priceBookTable: Table<Omit<Row, 'version'>, PriceBook> = {
  model: 'priceBook',
  fromRow: (row) => ({ ...row, createdAt: row.createdAt.getTime(), updatedAt: row.updatedAt.getTime() }),
  toRow: (book): Prisma.PriceBookUncheckedCreateInput => ({
    ...book,
    createdAt: new Date(book.createdAt),
    updatedAt: new Date(book.updatedAt),
  }),
}

/**
 * Reads a book and locks it against deletion; null when there is none. The lock is the weakest that does, so that writers of prices in the
 * same book don't wait for each other.
 */
export function lockPriceBook(tx: Transaction, id: string): Promise<PriceBook | null> {
  return lockRecord(tx, priceBookTable, id, 'KEY SHARE')
}
