/** Price book mutations: create, update, delete (price-book.name-is-unique). */
import { createPriceBook, deletePriceBook, updatePriceBook } from '../../operations/pricing/price-book.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { PriceBookRef } from './price-book.ts'

const DESCRIPTION = 'The description, at most 1024 characters.'
const REFERENCE = 'A reference to another system, at most 2048 characters, unique among books.'

defineMutation('createPriceBook', {
  description: 'Creates a price book without prices. Catalogs take no prices from it before they name it.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters, unique among books.' }),
    description: t.string({ description: DESCRIPTION }),
    externalRef: t.string({ description: REFERENCE }),
  }),
  result: { name: 'priceBook', type: PriceBookRef, description: 'The new book.' },
  run: (ctx, { data }, options) => createPriceBook(ctx, { data }, options),
})

defineMutation('updatePriceBook', {
  description: 'Changes the members that are given; others keep their value, and null clears where null is allowed.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'PriceBook', noun: 'book' },
  input: (t) => ({
    name: t.string({ description: 'The name, 1 to 1024 characters, unique among books; it can not be cleared.' }),
    description: t.string({ description: `${DESCRIPTION} Null clears it.` }),
    externalRef: t.string({ description: `${REFERENCE} Null clears it.` }),
  }),
  result: { name: 'priceBook', type: PriceBookRef, description: 'The book after the change.' },
  run: (ctx, { id, data }, options) => updatePriceBook(ctx, { id, data }, options),
})

defineMutation('deletePriceBook', {
  description: 'Deletes a price book with its prices and modifiers. A book that a catalog uses can not be deleted (IN_USE). Releases stay.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'PriceBook', noun: 'book' },
  result: { name: 'priceBook', type: PriceBookRef, description: 'The book as it was.' },
  run: (ctx, { id }, options) => deletePriceBook(ctx, { id }, options),
})
