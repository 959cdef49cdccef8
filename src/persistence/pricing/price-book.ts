import type { PriceBook } from '../../domain/pricing/price-book.ts'
import type { Prisma, PriceBook as Row } from '../../generated/prisma/client.ts'
import { lockRecord, type Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

export function fromRow(row: Omit<Row, 'version'>): PriceBook {
  return { ...row, createdAt: row.createdAt.getTime(), updatedAt: row.updatedAt.getTime() }
}

function toRow(book: PriceBook): Prisma.PriceBookUncheckedCreateInput {
  return { ...book, createdAt: new Date(book.createdAt), updatedAt: new Date(book.updatedAt) }
}

export const priceBookTable: Table<Omit<Row, 'version'>, PriceBook> = { model: 'priceBook', fromRow, toRow }

/**
 * The book, which can't be deleted before the transaction ends; null when there is none. The lock is the weakest that keeps it, so
 * writers of prices in one book don't wait for each other.
 */
export function lockPriceBook(tx: Transaction, id: string): Promise<PriceBook | null> {
  return lockRecord(tx, priceBookTable, id, 'KEY SHARE')
}
