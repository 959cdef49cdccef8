/** Prices of one book, as a sheet has them. */
import { isUuid } from '../../domain/input/formats.ts'
import { isStorable } from '../../domain/input/text.ts'
import type { Database } from '../database/database.ts'
import type { SnapshotStatement } from '../database/snapshot.ts'
import { selectPrices } from './product-price.ts'

/** Error of a price book that is not there. The message is for the operator. */
export class NoSuchBook extends Error {
  override readonly name = 'NoSuchBook'
}

/** The id of the price book with a name, or with that id. Throws NoSuchBook when there is none. */
export async function bookNamed(database: Database, nameOrId: string): Promise<string> {
  const id = isUuid(nameOrId) ? nameOrId : null
  const text = 'SELECT id FROM price_book WHERE name = $1 OR id = $2::uuid ORDER BY name = $1 DESC LIMIT 1'
  const rows = isStorable(nameOrId)
    ? await database.query<{ id: string }>('price_book_named', text, [nameOrId, id])
    : []
  if (rows[0]) return rows[0].id
  throw new NoSuchBook(`There is no price book ${nameOrId}: give --book the name or the id of one that is stored`)
}

/** The prices of a book by SKU, in code point order: the statement of `ProductPrice` rows. */
export function pricesOfBook(bookId: string): SnapshotStatement {
  const text = `${selectPrices} WHERE p.price_book_id = $1::uuid ORDER BY p.sku COLLATE "C"`
  return { name: 'export_price_sheet', text, id: bookId }
}
