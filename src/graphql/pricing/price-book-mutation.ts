/** Price book mutations: create, update, delete (price-book.name-is-unique). */
import { priceBookRecord } from '../../domain/pricing/price-book.ts'
import { createPriceBook, deletePriceBook, updatePriceBook } from '../../operations/pricing/price-book.ts'
import { PriceBookRef } from './price-book.ts'
import { cleared, kept } from './record-input.ts'
import { defineRecordMutations } from './record-mutations.ts'

defineRecordMutations('PriceBook', {
  record: priceBookRecord,
  ref: PriceBookRef,
  noun: 'book',
  members: {
    externalRef: cleared('A reference to another system, {limits}.'),
    name: kept('The name, {limits}'),
    description: cleared('The description, {limits}.'),
  },
  create: {
    description: 'Creates a price book without prices. Catalogs take no prices from it before they name it.',
    run: createPriceBook,
  },
  update: {
    description: 'Changes the members that are given; others keep their value, and null clears where null is allowed.',
    run: updatePriceBook,
  },
  remove: {
    description:
      'Deletes a price book with its prices and modifiers. A book that a catalog uses can not be deleted (IN_USE). Releases stay.',
    run: deletePriceBook,
  },
})
