/** Price books: use cases. Names and external_refs are unique (NAME_TAKEN, EXTERNAL_REF_TAKEN). */
import { priceBookRecord } from '../../domain/pricing/price-book.ts'
import { priceBookTable } from '../../persistence/pricing/price-book.ts'
import { deletePriceBookWithContent } from '../../persistence/pricing/price-book-deletion.ts'
import { recordCommands } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A price book by its raw id, null when there is none. */
export const priceBook = recordById('admin', ({ priceBookById }) => priceBookById)

/** All price books, in pages. */
export const priceBooks = recordReads('admin', priceBookTable)

/**
 * Creates, changes and deletes a price book, with its prices and modifiers; IN_USE while a catalog uses it. Releases
 * keep their copies (release.is-a-snapshot).
 */
export const {
  create: createPriceBook,
  update: updatePriceBook,
  remove: deletePriceBook,
} = recordCommands('PriceBook', {
  record: priceBookRecord,
  table: priceBookTable,
  noun: 'price book',
  inUseAs: 'priceBook',
  remove: deletePriceBookWithContent,
})
