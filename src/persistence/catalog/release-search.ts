/** Release search: the documents of a release by columns, tags, product types, product and option. */
import type { Release } from '../../domain/catalog/release.ts'
import type { FilterClause } from '../../domain/input/filter.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Database } from '../database/database.ts'
import { documentsOfProducts, facetDocuments } from './release-sql.ts'

/** The columns of release_document, by the field of a filter. */
const columns: Readonly<Record<string, string>> = {
  id: 'product_id',
  name: 'name',
  sku: 'sku',
  slug: 'slug',
  mpn: 'manufacturer_part_num',
  upc_ean: 'upc_ean',
}

/**
 * The documents for which every clause holds, possibly with documents of other releases; `clauses` is not empty. One statement for all
 * columns and one for each clause on tags or types.
 */
export async function matchDocuments(database: Database, release: Release, clauses: readonly FilterClause[]): Promise<Set<number>> {
  const byColumn = clauses.filter(({ field }) => field in columns)
  const byFacet = clauses.filter(({ field }) => !(field in columns))
  const sets = await Promise.all([
    ...(byColumn.length > 0 ? [matchColumns(database, byColumn)] : []),
    ...byFacet.map((clause) => matchFacet(database, release, clause)),
  ])
  const [smallest = new Set<number>(), ...others] = sets.sort((a, b) => a.size - b.size)
  return others.length === 0 ? smallest : new Set([...smallest].filter((document) => others.every((set) => set.has(document))))
}

/** Clauses on the same field become one condition, so that there are few statements to prepare. */
async function matchColumns(database: Database, clauses: readonly FilterClause[]): Promise<Set<number>> {
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

async function matchFacet(database: Database, release: Release, { field, values }: FilterClause): Promise<Set<number>> {
  const wanted = field === 'tags' ? values.map((value) => value.toLowerCase()) : values
  const rows = await database.query<FacetRow>('release_facet', facetDocuments, [release.id, field, wanted])
  return new Set(rows.flatMap(({ documents }) => documents))
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
