/** Price books in the database. */
import { priceBookRecord } from '../../domain/pricing/price-book.ts'
import { entityColumns } from '../database/columns.ts'
import { recordTable } from '../database/record-table.ts'

/** The table of price books. */
export const priceBookTable = recordTable('priceBook', priceBookRecord)

/** The columns of a price book `b`, where it is read beside other records. */
export const bookColumns = entityColumns('priceBook', 'b', { createdAt: true, updatedAt: true })
