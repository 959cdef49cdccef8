/** Price books: use cases. Names and external_refs are unique (NAME_TAKEN, EXTERNAL_REF_TAKEN). */
import { applyPriceBookPatch, newPriceBook, type PriceBook, readPriceBook, readPriceBookUpdate } from '../../domain/pricing/price-book.ts'
import { priceBookTable } from '../../persistence/pricing/price-book.ts'
import { deletePriceBookWithContent } from '../../persistence/pricing/price-book-deletion.ts'
import { command, readNothing } from '../operation.ts'
import { lockOrThrow, recordCreate, recordUpdate } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'
import { assertNotReferenced } from '../referencing-records.ts'

/** A price book by its raw id, null when there is none. */
export const priceBook = recordById('priceBook', 'admin', ({ priceBookById }) => priceBookById)

/** All price books, in pages. */
export const priceBooks = recordReads('priceBooks', 'admin', priceBookTable)

/** Creates a price book, with `data.id` if given. */
export const createPriceBook = recordCreate({ name: 'createPriceBook', table: priceBookTable, read: readPriceBook, create: newPriceBook })

/** Changes the given attributes of a price book; equal values write nothing. */
export const updatePriceBook = recordUpdate({
  name: 'updatePriceBook',
  table: priceBookTable,
  load: (tx, { id }: { id: string; data: unknown }) => lockOrThrow(tx, priceBookTable, id, 'price book'),
  read: ({ id, data }, _, stored) => readPriceBookUpdate(data, id, stored),
  apply: applyPriceBookPatch,
})

/**
 * Deletes a price book with its prices and modifiers; IN_USE while a catalog uses it. Releases keep their copies
 * (release.is-a-snapshot).
 */
export const deletePriceBook = command<{ id: string }, undefined, PriceBook, PriceBook>({
  name: 'deletePriceBook',
  right: 'admin',
  read: readNothing,
  load: (tx, { id }) => lockOrThrow(tx, priceBookTable, id, 'price book'),
  run: async (tx, _, stored) => {
    await assertNotReferenced(tx, 'priceBook', stored.id)
    await deletePriceBookWithContent(tx, stored)
    return stored
  },
})
