/** Release search: the documents of a release by columns, product and option.
 *
 *  SQL, since a list of values is one parameter, where Prisma sends one for each. */
import type { Release } from '../../domain/catalog/release.ts'
import { comparesValues, type TextClause, type TextPartClause } from '../../domain/input/record-filter.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Database } from '../database/database.ts'
import { parametersOf } from '../database/query.ts'
import { sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'

/** The columns of release_document, by the field of a filter. */
const columns: Readonly<Record<string, string>> = {
  id: 'product_id',
  name: 'name',
  sku: 'sku',
  slug: 'slug',
  mpn: 'manufacturer_part_num',
  upc_ean: 'upc_ean',
}

/** Whether a filter's field is a column of release_document. */
export function isColumn(field: string): boolean {
  return field in columns
}

/**
 * The numbers of a release's documents, as an array; `id` is the place of its id among the parameters. The planner takes rows of unnest for
 * ten, whatever the release has, and joins them by a loop that takes three times as long.
 */
const documentsOfRelease = (id: string): string =>
  `(SELECT documents FROM release_listing WHERE release_id = ${id}::uuid AND scope = ${id}::uuid)::int[]`

/**
 * The documents for which every clause on a column holds, possibly with documents of other releases. One statement; clauses on the same
 * field become one condition where one of them names values, so that there are few statements to prepare. An index finds values; without
 * any, the texts of all products of the release are looked at.
 */
export async function matchColumns(database: Database, release: Release, clauses: readonly TextClause[]): Promise<Set<number>> {
  const byField = [...groupBy(clauses, ({ field }) => field)].sort(([left], [right]) => (left < right ? -1 : 1))
  const wanted = byField.flatMap(([field, ofField]) => simplified(field, ofField))
  const lists = wanted.filter(comparesValues)
  if (lists.some(({ values }) => values.length === 0)) return new Set()
  const { values, add } = parametersOf()
  const conditions = wanted.map((clause) => sqlCondition(columns[clause.field] as string, clause, add))
  if (looksAtAll(clauses)) conditions.push(`id = ANY (${documentsOfRelease(add(release.id))})`)
  const text = `SELECT id FROM release_document WHERE ${conditions.join(' AND ')}`
  const rows = await queryText<{ id: number }>(database, text, values)
  return new Set(rows.map(({ id }) => id))
}

/** Whether no clause names values, so that no index helps. */
export function looksAtAll(clauses: readonly TextClause[]): boolean {
  return !clauses.some(comparesValues)
}

/** The same in fewer clauses: the values that all of them allow or, where none names values, the parts of texts. */
function simplified(field: string, clauses: readonly TextClause[]): TextClause[] {
  const parts = clauses.filter((clause) => !comparesValues(clause)) as TextPartClause[]
  const [first, ...others] = clauses.filter(comparesValues)
  if (!first) return parts
  const sets = others.map(({ values }) => new Set(values))
  const allowed = first.values.filter((value) => sets.every((set) => set.has(value)) && parts.every((part) => hasPart(value, part)))
  return [{ op: 'in', field, values: allowed }]
}

function hasPart(value: string, { op, text }: TextPartClause): boolean {
  return op === 'startsWith' ? value.startsWith(text) : value.includes(text)
}

/** The number of each product's document in the release, by product id. One statement. */
export async function documentNumbers(database: Database, release: Release, productIds: readonly string[]): Promise<Map<string, number>> {
  const found = await documentsOfProducts(database, productIds)
  const inRelease = (numbers: readonly number[]) => numbers.find((number) => release.allProducts.positionOf(number) >= 0)
  return new Map(
    [...found].flatMap(([productId, numbers]) => {
      const number = inRelease(numbers)
      return number === undefined ? [] : [[productId, number]]
    }),
  )
}

/** The numbers of each product's documents in whatever release, by product id. One statement. */
export async function documentsOfProducts(database: Database, productIds: readonly string[]): Promise<Map<string, number[]>> {
  const text = 'SELECT id, product_id AS "productId" FROM release_document WHERE product_id = ANY ($1::uuid[])'
  const rows = await database.query<{ id: number; productId: string }>('release_products', text, [productIds])
  return new Map([...groupBy(rows, ({ productId }) => productId)].map(([id, found]) => [id, found.map((row) => row.id)]))
}

/** The numbers of the bundles that have an option, by the option's product id, in the order of the release's listing. One statement. */
export async function optionDocuments(
  database: Database,
  release: Release,
  optionIds: readonly string[],
): Promise<Map<string, Int32Array>> {
  // Documents are JSON, which parses ten times faster than arrays.
  const text = `SELECT value, to_json(documents) AS documents FROM release_facet
    WHERE release_id = $1::uuid AND field = 'options' AND value = ANY ($2::text[])`
  const rows = await database.query<{ value: string; documents: number[] }>('release_facet', text, [release.id, optionIds])
  const inOrder = (documents: readonly number[]): Int32Array => {
    const positioned = documents.map((document) => [release.allProducts.positionOf(document), document] as const)
    positioned.sort(([left], [right]) => left - right)
    return Int32Array.from(positioned, ([, document]) => document)
  }
  return new Map(rows.map(({ value, documents }) => [value, inOrder(documents)]))
}

/** A child that has a variation option. */
export interface OptionChild {
  readonly document: number
  /** The names of the variation and the option, as the child's parent names them. */
  readonly variation: string
  readonly name: string
}

/** The children that have an option, of any release, by the option's id. One statement. */
export async function optionChildren(database: Database, optionIds: readonly string[]): Promise<Map<string, OptionChild[]>> {
  const text = `SELECT option_id AS "optionId", document_id AS document, variation, name FROM release_option
    WHERE option_id = ANY ($1::uuid[])`
  const rows = await database.query<OptionChild & { readonly optionId: string }>('release_options', text, [optionIds])
  return groupBy(rows, ({ optionId }) => optionId)
}
