/** Release search: the documents of a release by columns, product and option.
 *
 *  SQL, since a list of values is one parameter, where Prisma sends one for each. */
import type { Release } from '../../domain/catalog/release.ts'
import type { FilterClause } from '../../domain/input/filter.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Database } from '../database/database.ts'
import { childrenOfOptions, documentsOfProducts, facetDocuments } from './release-sql.ts'

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
 * The documents for which every clause on a column holds, of any release. One statement; clauses on the same field become one condition,
 * so that there are few statements to prepare.
 */
export async function matchColumns(database: Database, clauses: readonly FilterClause[]): Promise<Set<number>> {
  const wanted = [...groupBy(clauses, ({ field }) => field)].sort(([left], [right]) => (left < right ? -1 : 1))
  const values = wanted.map(([, [first, ...others]]) => {
    const sets = others.map((other) => new Set(other.values))
    return (first?.values ?? []).filter((value) => sets.every((set) => set.has(value)))
  })
  if (values.some((list) => list.length === 0)) return new Set()
  const conditions = wanted.map(([field], at) => `${columns[field]} = ANY ($${at + 1}::${field === 'id' ? 'uuid' : 'text'}[])`)
  const name = `release_match_${wanted.map(([field]) => field).join('_')}`
  const rows = await database.query<{ id: number }>(name, `SELECT id FROM release_document WHERE ${conditions.join(' AND ')}`, values)
  return new Set(rows.map(({ id }) => id))
}

interface FacetRow {
  readonly value: string
  readonly documents: number[]
}

/** The number of each product's document in the release, by product id. One statement. */
export async function documentNumbers(database: Database, release: Release, productIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await database.query<{ id: number; productId: string }>('release_products', documentsOfProducts, [productIds])
  return new Map(rows.filter(({ id }) => release.allProducts.positionOf(id) >= 0).map(({ id, productId }) => [productId, id]))
}

/** The numbers of the bundles that have an option, by the option's product id, in the order of the release's listing. One statement. */
export async function optionDocuments(
  database: Database,
  release: Release,
  optionIds: readonly string[],
): Promise<Map<string, Int32Array>> {
  const rows = await database.query<FacetRow>('release_facet', facetDocuments, [release.id, 'options', optionIds])
  const inOrder = (documents: readonly number[]): Int32Array => {
    const positioned = documents.map((document) => [release.allProducts.positionOf(document), document] as const)
    return Int32Array.from(
      positioned.sort(([left], [right]) => left - right),
      ([, document]) => document,
    )
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
  const rows = await database.query<OptionChild & { readonly optionId: string }>('release_options', childrenOfOptions, [optionIds])
  return groupBy(rows, ({ optionId }) => optionId)
}
