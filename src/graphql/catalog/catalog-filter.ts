/** Filters of published products: input types, and their translation to the clauses of REST filters (filter.clauses-all-hold). */

import type { ProductType } from '../../domain/catalog/release-document.ts'
import { DomainError, type Path } from '../../domain/input/errors.ts'
import type { FilterClause } from '../../domain/input/filter.ts'
import { isStorable } from '../../domain/input/text.ts'
import { ProductTypeEnum } from '../products/product-types.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { TextFilter, textClauses } from '../schema/text-filter.ts'
import { readRecordId } from './release-scoped-id.ts'

const TagFilter = builder.inputType('TagFilter', {
  description: 'Which tags a product must have, in whatever case; all that is given holds.',
  fields: (t) => ({
    eq: t.string({ description: 'This one.' }),
    in: t.stringList({ description: 'At least one of these.' }),
  }),
})

const ProductTypeFilter = builder.inputType('ProductTypeFilter', {
  description: 'What types a product must be of; all that is given holds.',
  fields: (t) => ({
    eq: t.field({ type: ProductTypeEnum, description: 'Of this one, maybe among others.' }),
    in: t.field({ type: [ProductTypeEnum], description: 'Of at least one of these.' }),
  }),
})

const IdFilter = builder.inputType('IdFilter', {
  description: 'Which records.',
  fields: (t) => ({ in: t.idList({ description: 'Global ids or UUIDs.' }) }),
})

const CatalogProductFilter = builder.inputType('CatalogProductFilter', {
  description: 'Which products to list; all that is given holds.',
  fields: (t) => ({
    id: t.field({ type: IdFilter, description: 'By id.' }),
    name: t.field({ type: TextFilter, description: 'By name: the default text, whatever the language.' }),
    sku: t.field({ type: TextFilter, description: 'By SKU.' }),
    slug: t.field({ type: TextFilter, description: 'By slug.' }),
    manufacturerPartNum: t.field({ type: TextFilter, description: "By the manufacturer's part number." }),
    upcEan: t.field({ type: TextFilter, description: 'By UPC or EAN.' }),
    productTypes: t.field({ type: ProductTypeFilter, description: 'By type.' }),
    tags: t.field({ type: TagFilter, description: 'By tag.' }),
  }),
})

/** The argument `filter` of connections of published products. */
export const productListArgs = builder.args((t) => ({
  filter: t.field({
    type: CatalogProductFilter,
    description: 'Which products to list.',
    ...withReader(({ filter }: { filter?: Filter | null }) => clausesOf(filter)),
  }),
}))

type Filter = typeof CatalogProductFilter.$inferInput

interface Comparison {
  readonly eq?: string | null | undefined
  readonly in?: readonly string[] | null | undefined
}

/** The clauses of a filter. Null means absent; an empty list matches nothing. Throws DomainError (badRequest) for invalid values. */
export function clausesOf(filter: Filter | null | undefined): FilterClause[] {
  if (filter == null) return []
  const ids = filter.id?.in?.map((id, index) => readRecordId('CatalogProduct', id, ['filter', 'id', 'in', index]))
  return [
    ...compare('id', ids && { in: ids }),
    ...compare('name', filter.name),
    ...compare('sku', filter.sku),
    ...compare('slug', filter.slug),
    ...compare('mpn', filter.manufacturerPartNum, 'manufacturerPartNum'),
    ...compare('upc_ean', filter.upcEan),
    ...compare('product_types', filter.productTypes as { eq?: ProductType | null; in?: ProductType[] | null } | null | undefined),
    ...compare('tags', filter.tags),
  ]
}

/** The clauses of one field; `name` is its name in the input. */
function compare(field: string, comparison: Comparison | null | undefined, name = field): FilterClause[] {
  const clauses = textClauses(field, comparison as typeof TextFilter.$inferInput | null | undefined)
  for (const clause of clauses) for (const value of clause.values) assertText(value, ['filter', name])
  return clauses
}

/** Throws DomainError (badRequest) for text that PostgreSQL can't store, since it refuses it in a query as well (value.text-can-be-stored). */
export function assertText(text: string, path: Path): void {
  if (isStorable(text)) return
  throw new DomainError('badRequest', [{ code: 'INVALID_TEXT', path, message: 'must not hold U+0000 or a lone surrogate' }])
}
