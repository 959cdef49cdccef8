/** Catalogs: the hierarchies that a publish includes, and the price books that price their products. */
import type { Violation } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import {
  CATALOG_HIERARCHIES_MAX,
  CATALOG_PRICE_BOOKS_MAX,
  EXTERNAL_REF_MAX,
  FREE_NAME_MAX,
  PRODUCT_DESCRIPTION_MAX,
} from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { type Reference, readReference, readReferenceList, recordReaders } from '../input/record.ts'
import { type Locales, readLocales } from '../language/locale.ts'

/**
 * A price book of a catalog. The book with the highest priority prices a SKU; of equal priorities the first listed
 * (catalog.equal-priority-first-listed).
 */
export interface CatalogPriceBook {
  readonly id: string
  readonly priority: number
}

/** A stored catalog. */
export interface Catalog extends StoredRecord {
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
  readonly locales: Locales | null
  /** In the order given, without duplicates. */
  readonly hierarchyIds: readonly string[]
  readonly priceBooks: readonly CatalogPriceBook[]
}

/** A price book of the input, by reference. */
export interface CatalogPriceBookInput {
  readonly book: Reference
  readonly priority: number
}

/** A partial update of a catalog. Given hierarchies and price books replace all stored ones. */
export interface CatalogPatch extends PatchOf<Catalog, 'name' | 'description' | 'externalRef' | 'locales'> {
  readonly hierarchies: readonly Reference[] | undefined
  readonly priceBooks: readonly CatalogPriceBookInput[] | undefined
}

/** The ids that the references of a patch resolve to; undefined for references that are not given. */
export type CatalogLinks = PatchOf<Catalog, 'hierarchyIds' | 'priceBooks'>

/** Readers of a catalog's `data`: `{ id?, type: 'catalog', attributes: { name, hierarchy_ids, pricebook_ids, ... } }`. */
export const { readNew: readCatalog, readUpdate: readCatalogUpdate } = recordReaders('catalog', readPatch)

/** A new catalog from the input of a create, which has a name. `now` is in epoch milliseconds. */
export function newCatalog(patch: CatalogPatch, links: CatalogLinks, id: string, now: number): Catalog {
  return {
    id,
    externalRef: patch.externalRef ?? null,
    name: patch.name ?? '',
    description: patch.description ?? null,
    locales: patch.locales ?? null,
    hierarchyIds: links.hierarchyIds ?? [],
    priceBooks: links.priceBooks ?? [],
    createdAt: now,
    updatedAt: now,
  }
}

/** The catalog after the patch; the same object when nothing changes. */
export function applyCatalogPatch(stored: Catalog, patch: CatalogPatch, links: CatalogLinks, now: number): Catalog {
  const { name, description, externalRef, locales } = patch
  return applyPatch(stored, { name, description, externalRef, locales, ...links }, now)
}

/** DUPLICATE for each repetition of a hierarchy or price book, by id or external_ref, in the order given. */
export function duplicateViolations(links: CatalogLinks): Violation[] {
  const twice = (ids: readonly string[], member: string): Violation[] =>
    ids.flatMap((id, index): Violation[] =>
      ids.indexOf(id) === index ? [] : [{ code: 'DUPLICATE', path: ['attributes', member, index], message: 'is given twice' }],
    )
  return [
    ...twice(links.hierarchyIds ?? [], 'hierarchy_ids'),
    ...twice(
      (links.priceBooks ?? []).map(({ id }) => id),
      'pricebook_ids',
    ),
  ]
}

/** The attributes in the order of the type's fields. */
function readPatch(attributes: InputReader, { create }: { create: boolean }): CatalogPatch {
  return {
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: PRODUCT_DESCRIPTION_MAX }),
    hierarchies:
      readReferenceList(attributes, 'hierarchy_ids', 'hierarchy', { required: create, max: CATALOG_HIERARCHIES_MAX }) ?? undefined,
    priceBooks: readPriceBooks(attributes, create),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    locales: readLocales(attributes),
  }
}

/**
 * Reads `[{ id, priority }]`; an external_ref may take the place of the id. Priorities are any safe integers
 * (catalog.equal-priority-first-listed).
 */
function readPriceBooks(attributes: InputReader, create: boolean): CatalogPriceBookInput[] | undefined {
  const rule = { required: create, max: CATALOG_PRICE_BOOKS_MAX }
  const books = attributes.list(
    'pricebook_ids',
    (entries, index) => {
      const entry = entries.object(index, { required: true })
      const book = entry && readReference(entries, index, ['pricebook'], { required: true })
      const priority = entry?.integer('priority', { required: true })
      return book && priority != null ? { book, priority } : undefined
    },
    rule,
  )
  return books?.filter((entry) => entry !== undefined)
}
