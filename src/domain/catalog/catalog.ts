/** Catalogs: the hierarchies that a publish includes, and the price books that price their products. */
import { reference } from '../input/document.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import {
  CATALOG_HIERARCHIES_MAX,
  CATALOG_PRICE_BOOKS_MAX,
  FREE_NAME_MAX,
  PRODUCT_DESCRIPTION_MAX,
} from '../input/limits.ts'
import { type Reference, readReference } from '../input/record.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { repeatedIds, requiredList } from '../input/record-links.ts'
import { booleanOr, type CustomMember, externalRef, optionalText, text } from '../input/record-members.ts'
import { replacedBy } from '../input/whole-member.ts'
import { locales } from '../language/locale-member.ts'

/**
 * A price book of a catalog. The book with the highest priority prices a SKU; among equal priorities, the first listed
 * (catalog.equal-priority-first-listed).
 */
export interface CatalogPriceBook {
  readonly id: string
  readonly priority: number
}

/** A price book of the input, by reference. */
export interface CatalogPriceBookInput {
  readonly book: Reference
  readonly priority: number
}

type PriceBooks = readonly CatalogPriceBook[]

const priceBooks: CustomMember<PriceBooks, PriceBooks, 'required', readonly CatalogPriceBookInput[], 'none'> = {
  kind: 'custom',
  presence: 'required',
  restName: 'pricebook_ids',
  column: 'none',
  max: CATALOG_PRICE_BOOKS_MAX,
  schema: schema.list(reference(['pricebook'], { priority: schema.integer() }), CATALOG_PRICE_BOOKS_MAX),
  read: (reader, name, { isNew }) => readPriceBooks(reader, name, isNew),
  merge: replacedBy<PriceBooks>([]),
  violations: (books) => repeatedIds(books.map(({ id }) => id)),
}

export const catalogRecord = defineRecord('catalog', {
  name: text({ min: 1, max: FREE_NAME_MAX, isName: true }),
  description: optionalText({ max: PRODUCT_DESCRIPTION_MAX }),
  hierarchyIds: requiredList({ type: 'hierarchy', max: CATALOG_HIERARCHIES_MAX, refusesRepeated: true }),
  priceBooks,
  /** Whether it exists for those alone to whom a rule gives it (catalog.confidential-by-proof). */
  confidential: booleanOr(false),
  externalRef: externalRef(),
  locales,
})

/** A stored catalog. */
export type Catalog = RecordOf<typeof catalogRecord.members>

/**
 * Reads `[{ id, priority }]`; an external_ref may take the place of the id. Priorities are any safe integers
 * (catalog.equal-priority-first-listed).
 */
function readPriceBooks(attributes: InputReader, name: string, required: boolean): CatalogPriceBookInput[] | undefined {
  const books = attributes.list(
    name,
    (entries, index) => {
      const entry = entries.object(index, { required: true })
      const book = entry && readReference(entries, index, ['pricebook'], { required: true })
      const priority = entry?.integer('priority', { required: true })
      return book && priority != null ? { book, priority } : undefined
    },
    { required, max: CATALOG_PRICE_BOOKS_MAX },
  )
  return books?.filter((entry) => entry !== undefined)
}
