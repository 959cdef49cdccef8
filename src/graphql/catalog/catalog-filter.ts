/**
 * Filters of published products: input types, and their translation to the clauses of REST filters
 * (filter.clauses-all-hold).
 */
import { facetField, type ListingQuery, type PriceBounds } from '../../domain/catalog/listing-query.ts'
import type { ProductType } from '../../domain/catalog/release-document.ts'
import { searchViolations } from '../../domain/catalog/search-question.ts'
import { badRequest, DomainError, key, type Path } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { SEARCH_MAX } from '../../domain/input/limits.ts'
import type { TextClause } from '../../domain/input/record-filter.ts'
import type { Context } from '../../request/context.ts'
import { displayCurrency } from '../pricing/price.ts'
import { ProductTypeEnum } from '../products/product-types.ts'
import { assertCount } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { TextFilter, textClauses } from '../schema/text-filter.ts'
import { readRecordId } from './release-scoped-id.ts'

/** The maximum number of entries of a list of conditions in a filter. */
const FILTER_ENTRIES_MAX = 20

/** The conditions of a filter, as part of a ListingQuery. */
type ListingConditions = Pick<ListingQuery, 'clauses' | 'options' | 'search' | 'price' | 'onSale'>

const TagFilter = builder.inputType('TagFilter', {
  description: 'Which tags a product must have, in whatever case; all that is given holds.',
  fields: (t) => ({
    eq: t.string({ description: 'This one.' }),
    in: t.stringList({ description: 'At least one of these.' }),
    all: t.stringList({ description: `All of these, at most ${FILTER_ENTRIES_MAX}.` }),
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

const MoneyRangeInput = builder.inputType('MoneyRangeInput', {
  description: "A range of amounts in a currency's smallest unit; both ends belong to it.",
  fields: (t) => ({
    min: t.field({ type: 'Long', description: 'The lowest amount; none by default.' }),
    max: t.field({
      type: 'Long',
      description: 'The highest amount; none by default. Nothing is between `min` and a lower one.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: "Such as `EUR`; by default the request's, else the server's.",
    }),
  }),
})

const VariationFilterInput = builder.inputType('VariationFilterInput', {
  description: 'Which option of a variation a child must have, by names.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the variation, such as `Size`.' }),
    in: t.stringList({ required: true, description: 'The names of options, of which it has one.' }),
  }),
})

const ExtensionFilterInput = builder.inputType('ExtensionFilterInput', {
  description:
    'What a field of an extension must be: a text, a number or a boolean, given as text. All that is given holds.',
  fields: (t) => ({
    template: t.string({ required: true, description: 'The name of the template.' }),
    field: t.string({ required: true, description: 'The name of the field.' }),
    eq: t.string({ description: 'Exactly this, such as `cotton`, `5` or `true`.' }),
    in: t.stringList({ description: 'One of these.' }),
  }),
})

const CatalogProductFilter = builder.inputType('CatalogProductFilter', {
  description: 'Which products to list; all that is given holds.',
  fields: (t) => ({
    id: t.field({ type: IdFilter, description: 'By id.' }),
    name: t.field({ type: TextFilter, description: 'By name: the default text, whatever the language.' }),
    sku: t.field({ type: TextFilter, description: 'By SKU.' }),
    slug: t.field({ type: TextFilter, description: 'By slug: the one without a language.' }),
    manufacturerPartNum: t.field({ type: TextFilter, description: "By the manufacturer's part number." }),
    upcEan: t.field({ type: TextFilter, description: 'By UPC or EAN.' }),
    productTypes: t.field({ type: ProductTypeFilter, description: 'By type.' }),
    tags: t.field({ type: TagFilter, description: 'By tag.' }),
    search: t.string({
      description: `By words in its texts, tags and codes, such as \`blue mugs\` or \`AB-12\`; at most ${SEARCH_MAX} characters. A text without a letter or digit finds nothing, and an empty one is no search.`,
    }),
    price: t.field({
      type: MoneyRangeInput,
      description: 'By the price of one unit at this moment; a product without a price is left out.',
    }),
    onSale: t.boolean({ description: "Whether a sale supplies the price at this moment, in the request's currency." }),
    options: t.idList({
      description: `By options of variations, at most ${FILTER_ENTRIES_MAX} ids: a child has one of those of each variation, whether another one of them has children or not.`,
    }),
    variations: t.field({
      type: [VariationFilterInput],
      description: `By options of variations named alike in all products, at most ${FILTER_ENTRIES_MAX}.`,
    }),
    extension: t.field({
      type: [ExtensionFilterInput],
      description: `By fields of extensions, at most ${FILTER_ENTRIES_MAX}.`,
    }),
  }),
})

export const productFilterArgs = filterArgs(
  CatalogProductFilter,
  'Which products to list, such as `{ search: "mug", onSale: true }`.',
  readFilter,
)

export type Filter = typeof CatalogProductFilter.$inferInput

/**
 * The conditions of a filter. Null means absent; an empty list matches nothing. Throws DomainError (badRequest) for
 * invalid values.
 */
export function readFilter(filter: Filter | null | undefined, ctx: Context): ListingConditions {
  if (filter == null) return { clauses: [], options: [], search: null, price: null, onSale: null }
  for (const name of ['options', 'variations', 'extension'] as const)
    assertCount(filter[name], FILTER_ENTRIES_MAX, ['filter', name])
  assertCount(filter.tags?.all, FILTER_ENTRIES_MAX, ['filter', 'tags', 'all'])
  return {
    clauses: clausesOf(filter),
    options: (filter.options ?? []).map((id, index) => readOptionId(id, ['filter', 'options', index])),
    search: readSearch(filter.search),
    price: readPriceBounds(filter.price, ctx),
    onSale: filter.onSale == null ? null : { is: filter.onSale, currency: displayCurrency({}, ctx) },
  }
}

function readSearch(text: string | null | undefined): string | null {
  if (text == null || text === '') return null
  const violations = searchViolations(text, ['filter', 'search'])
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  return text
}

function clausesOf(filter: Filter): TextClause[] {
  const ids = filter.id?.in?.map((id, index) => readRecordId('CatalogProduct', id, ['filter', 'id', 'in', index]))
  return [
    ...textClauses('id', ids && { in: ids }),
    ...textClauses('name', filter.name),
    ...textClauses('sku', filter.sku),
    ...textClauses('slug', filter.slug),
    ...textClauses('mpn', filter.manufacturerPartNum, 'manufacturerPartNum'),
    ...textClauses('upc_ean', filter.upcEan, 'upcEan'),
    ...textClauses(
      'product_types',
      filter.productTypes as { eq?: ProductType | null; in?: ProductType[] | null } | null | undefined,
    ),
    ...textClauses('tags', filter.tags),
    ...(filter.tags?.all ?? []).flatMap((tag) => textClauses('tags', { eq: tag })),
    ...(filter.variations ?? []).flatMap((one) =>
      textClauses(facetField(['variation', one.name]), { in: one.in }, 'variations'),
    ),
    ...(filter.extension ?? []).flatMap((one) =>
      textClauses(facetField(['extension', one.template, one.field]), one, 'extension'),
    ),
  ]
}

function readOptionId(id: string, path: Path): string {
  if (isUuid(id)) return id.toLowerCase()
  throw badRequest('INVALID_FORMAT', path, 'must be the id of an option of a variation')
}

/** A map key, because the member name `price` of REST documents has another name in mutations. */
const pricePath: Path = ['filter', key('price')]

function readPriceBounds(
  range: typeof MoneyRangeInput.$inferInput | null | undefined,
  ctx: Context,
): PriceBounds | null {
  if (range == null) return null
  const { min = null, max = null } = range
  return { min, max, currency: displayCurrency(range, ctx, [...pricePath, 'currency']) }
}
