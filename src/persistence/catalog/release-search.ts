/**
 * Release search: the documents of a release by columns, product and option.
 *
 * SQL, since a list of values is one parameter, where Prisma sends one for each value.
 */
import type { OptionUse } from '../../domain/catalog/listing-columns.ts'
import type { DocumentField } from '../../domain/catalog/listing-query.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { comparesValues, type TextClause, type TextPartClause } from '../../domain/input/record-filter.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Database } from '../database/database.ts'
import { parametersOf } from '../database/query.ts'
import { sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'
import { SLUG_KEY, slugKeys } from '../slugs.ts'

/** The columns of release_document, by the field of a filter. */
const columns: Readonly<Record<DocumentField, string>> = {
  id: 'product_id',
  name: 'name',
  sku: 'sku',
  slug: 'slug',
  mpn: 'manufacturer_part_num',
  upc_ean: 'upc_ean',
}

/**
 * The numbers of a release's documents, as an array; `id` is the placeholder of the release id. The planner estimates
 * ten rows for unnest, whatever the release has, and its nested loop takes three times as long.
 */
const documentsOfRelease = (id: string): string =>
  `(SELECT documents FROM release_listing WHERE release_id = ${id}::uuid AND scope = ${id}::uuid)::int[]`

/**
 * The documents that meet every clause on a column, possibly with documents of other releases. One statement. Clauses
 * on the same field become one condition when one of them names values, so that there are few statements to prepare. An
 * index finds values; when no clause names any, the texts of all products of the release are scanned.
 */
export async function matchColumns(
  database: Database,
  release: Release,
  clauses: readonly TextClause[],
): Promise<Set<number>> {
  const byField = [...groupBy(clauses, ({ field }) => field)].sort(([left], [right]) => (left < right ? -1 : 1))
  const wanted = byField.flatMap(([field, ofField]) => simplified(field, ofField))
  const lists = wanted.filter(comparesValues)
  if (lists.some(({ values }) => values.length === 0)) return new Set()
  const { values, add } = parametersOf()
  const conditions = wanted.map((clause) => sqlCondition(columns[clause.field as DocumentField], clause, add))
  if (looksAtAll(clauses)) conditions.push(`id = ANY (${documentsOfRelease(add(release.id))})`)
  const text = `SELECT id FROM release_document WHERE ${conditions.join(' AND ')}`
  const rows = await queryText<{ id: number }>(database, text, values)
  return new Set(rows.map(({ id }) => id))
}

/** Whether no clause names values, so that no index helps. */
export function looksAtAll(clauses: readonly TextClause[]): boolean {
  return !clauses.some(comparesValues)
}

/** Fewer clauses of the same meaning: the values that all allow or, when none names values, the parts of texts. */
function simplified(field: string, clauses: readonly TextClause[]): TextClause[] {
  const parts = clauses.filter((clause) => !comparesValues(clause)) as TextPartClause[]
  const [first, ...others] = clauses.filter(comparesValues)
  if (!first) return parts
  const sets = others.map(({ values }) => new Set(values))
  const allowed = first.values.filter(
    (value) =>
      (field !== 'id' || isUuid(value)) &&
      sets.every((set) => set.has(value)) &&
      parts.every((part) => hasPart(value, part)),
  )
  return [{ op: 'in', field, values: allowed }]
}

function hasPart(value: string, { op, text }: TextPartClause): boolean {
  return op === 'startsWith' ? value.startsWith(text) : value.includes(text)
}

/** The number of each product's document in the release, by product id. One statement. */
export async function documentNumbers(
  database: Database,
  release: Release,
  productIds: readonly string[],
): Promise<Map<string, number>> {
  const found = await documentsOfProducts(database, productIds)
  const inRelease = (numbers: readonly number[]) =>
    numbers.find((number) => release.allProducts.positionOf(number) >= 0)
  return new Map(
    [...found].flatMap(([productId, numbers]) => {
      const number = inRelease(numbers)
      return number === undefined ? [] : [[productId, number]]
    }),
  )
}

/** The numbers of each product's documents in whatever release, by product id. One statement. */
export async function documentsOfProducts(
  database: Database,
  productIds: readonly string[],
): Promise<Map<string, number[]>> {
  const text = 'SELECT id, product_id AS "productId" FROM release_document WHERE product_id = ANY ($1::uuid[])'
  const rows = await database.query<{ id: number; productId: string }>('release_products', text, [productIds])
  return new Map(
    [...groupBy(rows, ({ productId }) => productId)].map(([id, found]) => [id, found.map((row) => row.id)]),
  )
}

/** A document with one of its slugs. */
export interface DocumentSlug {
  readonly number: number
  readonly slug: string
}

/**
 * The documents of a release that have one of the keys as their slug (slug.exact-first), in its order; after them those
 * that have it in a language, once for each such slug. One statement.
 */
export async function documentsBySlugKey(
  database: Database,
  release: Release,
  keys: readonly string[],
): Promise<Map<string, DocumentSlug[]>> {
  const text = `SELECT id AS number, slug, ${SLUG_KEY} AS key, false AS "inLanguage" FROM release_document WHERE ${SLUG_KEY} = ANY ($1::text[])
    UNION ALL
    SELECT * FROM (
      SELECT id, slug, ${SLUG_KEY} AS key, true FROM (
        SELECT id, jsonb_array_elements_text(language_slugs) AS slug FROM release_document WHERE language_slugs IS NOT NULL AND (${slugKeys('language_slugs')}) ?| $1::text[]) s) k
    WHERE key = ANY ($1::text[])`
  type Row = DocumentSlug & { readonly key: string; readonly inLanguage: boolean }
  const rows = await database.query<Row>('release_slugs', text, [keys])
  const positioned = rows.flatMap(({ key, inLanguage, ...found }) => {
    const position = release.allProducts.positionOf(found.number)
    return position < 0 ? [] : [{ key, position, inLanguage, found }]
  })
  positioned.sort((left, right) => Number(left.inLanguage) - Number(right.inLanguage) || left.position - right.position)
  const byKey = groupBy(positioned, ({ key }) => key)
  return new Map([...byKey].map(([key, matches]) => [key, matches.map(({ found }) => found)]))
}

/**
 * The numbers of the bundles that have an option, by the option's product id, in the order of the release's listing.
 * One statement.
 */
export async function optionDocuments(
  database: Database,
  release: Release,
  optionIds: readonly string[],
): Promise<Map<string, Int32Array>> {
  // Documents are JSON, which parses ten times faster than arrays.
  const text = `SELECT value, to_json(documents) AS documents FROM release_facet
    WHERE release_id = $1::uuid AND field = 'options' AND value = ANY ($2::text[])`
  const rows = await database.query<{ value: string; documents: number[] }>('release_facet', text, [
    release.id,
    optionIds,
  ])
  const inOrder = (documents: readonly number[]): Int32Array => {
    const positioned = documents.map((document) => [release.allProducts.positionOf(document), document] as const)
    positioned.sort(([left], [right]) => left - right)
    return Int32Array.from(positioned, ([, document]) => document)
  }
  return new Map(rows.map(({ value, documents }) => [value, inOrder(documents)]))
}

/** The uses of options in a release, by the option's id. One statement. */
export async function optionUses(
  database: Database,
  { id, allProducts }: Release,
  optionIds: readonly string[],
): Promise<Map<string, OptionUse[]>> {
  const text = `SELECT option_id AS "optionId", document_id AS document, variation, name FROM release_option
    WHERE option_id = ANY ($2::uuid[])
    UNION ALL
    SELECT split_part(field, ' ', 2)::uuid, NULL, value::jsonb ->> 0, value::jsonb ->> 1 FROM release_facet
    WHERE release_id = $1::uuid AND field = ANY ($3::text[])`
  const childless = optionIds.map((optionId) => `childless ${optionId}`)
  const values = [id, optionIds, childless]
  const rows = await database.query<OptionUse & { readonly optionId: string }>('release_options', text, values)
  // Documents of other releases have the option too.
  const used = rows.filter(({ document }) => document === null || allProducts.positionOf(document) >= 0)
  return groupBy(used, ({ optionId }) => optionId)
}
