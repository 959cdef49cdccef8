/** Price modifiers: use cases. A name is unique in its book, case-sensitive (NAME_TAKEN). */
import { assertValid } from '../../domain/input/errors.ts'
import { makeRecord, patchRecord, recordViolations } from '../../domain/input/record-change.ts'
import { readNew, readUpdate } from '../../domain/input/record-reader.ts'
import { type PriceModifier, priceModifierRecord } from '../../domain/pricing/price-modifier.ts'
import { priceModifierTable } from '../../persistence/pricing/price-modifier.ts'
import { lockOrThrow, recordCreate, recordDelete, recordUpdate } from '../record-commands.ts'
import { recordById } from '../record-reads.ts'
import { lockBookOrThrow } from './product-price.ts'

/** A modifier by its raw id, null when there is none. */
export const priceModifier = recordById('admin', ({ priceModifierById }) => priceModifierById)

/** Creates a modifier in a book, with `data.id` if given. */
export const createPriceModifier = recordCreate({
  name: 'createPriceModifier',
  table: priceModifierTable,
  read: (data) => readNew(priceModifierRecord, data),
  load: (tx, input: { priceBookId: string; data: unknown }) => lockBookOrThrow(tx, input),
  create: (given, id, now, book) => ({ ...makeRecord(priceModifierRecord, given, id, now), priceBookId: book.id }),
})

/**
 * Changes the given attributes of a modifier; equal values write nothing. Releases keep their copies
 * (release.freezes-all-that-prices).
 */
export const updatePriceModifier = recordUpdate({
  name: 'updatePriceModifier',
  table: priceModifierTable,
  load: (tx, { id }: { id: string; data: unknown }) => lockOrThrow(tx, priceModifierTable, id, 'price modifier'),
  read: ({ id, data }, _, stored) => readUpdate(priceModifierRecord, data, id, stored),
  apply: (stored, given, now) => {
    const updated = patchRecord(priceModifierRecord, stored, given, now)
    assertValid(recordViolations(priceModifierRecord, updated))
    return updated
  },
})

/**
 * Deletes a modifier and returns it. Variation options may still name it: a name that a book lacks is skipped
 * (modifier.from-supplying-book).
 */
export const deletePriceModifier = recordDelete<{ id: string }, PriceModifier>({
  name: 'deletePriceModifier',
  table: priceModifierTable,
  load: (tx, { id }) => lockOrThrow(tx, priceModifierTable, id, 'price modifier'),
})
