/** Use cases of price modifiers (contract 2.5; MOD-1). A name is unique in its book, case-sensitive: NAME_TAKEN. */
import { assertValid, notFound } from '../domain/errors.ts'
import { isUuid } from '../domain/formats.ts'
import type { PriceBook } from '../domain/price-book.ts'
import {
  applyPriceModifierPatch,
  type NewPriceModifier,
  newPriceModifier,
  type PriceModifier,
  type PriceModifierPatch,
  priceModifierViolations,
  readPriceModifier,
  readPriceModifierUpdate,
} from '../domain/price-modifier.ts'
import { newId } from '../persistence/id.ts'
import { holdPriceBook } from '../persistence/price-book.ts'
import { priceModifierFromRow, priceModifierToRow } from '../persistence/price-modifier.ts'
import { lockRow, type Transaction } from '../persistence/transaction.ts'
import { command, query } from './operation.ts'

/** One modifier by its raw id, null when there is none. */
export const priceModifier = query({
  name: 'priceModifier',
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<PriceModifier | null> => (isUuid(id) ? ctx.loaders.priceModifierById.load(id) : null),
})

/** A new modifier in a book, with `id`, or `data.id`, when one is given. */
export const createPriceModifier = command<{ priceBookId: string; id?: string; data: unknown }, NewPriceModifier, PriceBook, PriceModifier>(
  {
    name: 'createPriceModifier',
    right: 'admin',
    read: ({ id, data }) => readPriceModifier(data, id),
    load: async (tx, { priceBookId }) => {
      const book = isUuid(priceBookId) ? await holdPriceBook(tx, priceBookId) : null
      if (!book) throw notFound(['priceBookId'], 'No such price book')
      return book
    },
    run: async (tx, { id, patch }, book, ctx) => {
      const created = newPriceModifier(book.id, patch, id ?? newId(ctx.now), ctx.now)
      await tx.priceModifier.create({ data: priceModifierToRow(created) })
      return created
    },
  },
)

/** Changes the attributes given, and nothing when they equal what is stored. Releases keep what they froze (A7). */
export const updatePriceModifier = command<{ id: string; data: unknown }, PriceModifierPatch, PriceModifier, PriceModifier>({
  name: 'updatePriceModifier',
  right: 'admin',
  read: ({ id, data }) => readPriceModifierUpdate(data, id),
  load: (tx, { id }) => lockPriceModifier(tx, id),
  run: async (tx, patch, stored, ctx) => {
    const updated = applyPriceModifierPatch(stored, patch, ctx.now)
    assertValid(priceModifierViolations(updated))
    if (updated !== stored) await tx.priceModifier.update({ where: { id: updated.id }, data: priceModifierToRow(updated) })
    return updated
  },
})

/** Deletes a modifier and answers what it was. Options may go on naming it: a name that a book lacks is skipped (E3). */
export const deletePriceModifier = command<{ id: string }, undefined, PriceModifier, PriceModifier>({
  name: 'deletePriceModifier',
  right: 'admin',
  read: () => ({ value: undefined, violations: [] }),
  load: (tx, { id }) => lockPriceModifier(tx, id),
  run: async (tx, _, stored) => {
    await tx.priceModifier.delete({ where: { id: stored.id } })
    return stored
  },
})

async function lockPriceModifier(tx: Transaction, id: string): Promise<PriceModifier> {
  const row = isUuid(id) && (await lockRow(tx, 'price_modifier', id)) && (await tx.priceModifier.findUnique({ where: { id } }))
  if (!row) throw notFound(['id'], 'No such price modifier')
  return priceModifierFromRow(row)
}
