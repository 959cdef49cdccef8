/** Price books in the database. */
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import type { Prisma, PriceBook as Row } from '../../generated/prisma/client.ts'
import { entityColumns } from '../database/columns.ts'
import type { Table } from '../database/table.ts'

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

/** The columns of a price book `b`, where it is read beside other records. */
export const bookColumns = entityColumns('priceBook', 'b', { createdAt: true, updatedAt: true })
