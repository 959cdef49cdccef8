/** Release index as it is stored: the row that release-sql.ts selects, and the index that it becomes. */
import type { ReleaseLabels } from '../../domain/catalog/label.ts'
import { ProductOrder } from '../../domain/catalog/product-order.ts'
import { type CatalogTexts, Release, type ReleaseNode } from '../../domain/catalog/release.ts'
import { namedQuery, type Queryable } from '../database/query.ts'
import { releaseIndexes } from './release-sql.ts'

/** The row of one release. */
export interface IndexRow {
  readonly id: string
  readonly catalog_id: string
  readonly sequence: number
  readonly status: 'published' | 'draft'
  readonly started_at: number
  readonly published_at: number
  readonly catalog: CatalogTexts
  readonly labels: ReleaseLabels | null
  readonly hierarchy_ids: readonly string[]
  readonly nodes: readonly (Omit<ReleaseNode, 'id'> & { readonly nodeId: string })[] | null
  readonly listings: readonly (readonly [scope: string, curated: number, documents: readonly number[]])[] | null
}

/** The index of a row. */
export function readIndex(row: IndexRow): Release {
  const listings = (row.listings ?? []).map(
    ([scope, curated, documents]) => [scope, new ProductOrder(Int32Array.from(documents), curated)] as const,
  )
  const { id, catalog_id, sequence, started_at, published_at, catalog, hierarchy_ids, status } = row
  const nodes = (row.nodes ?? []).map(({ nodeId, ...node }) => ({ id: nodeId, ...node }))
  return new Release(
    id,
    catalog_id,
    sequence,
    published_at,
    catalog,
    hierarchy_ids,
    nodes,
    new Map(listings),
    status,
    started_at,
    row.labels ?? {},
  )
}

/** Reads the indexes of releases of any status on a given connection, by id. One statement. */
export async function readIndexes(on: Queryable, ids: readonly string[]): Promise<Map<string, Release>> {
  const rows = await namedQuery<{ release: IndexRow }>(on, 'release_indexes', releaseIndexes, [ids])
  return new Map(rows.map(({ release }) => [release.id, readIndex(release)]))
}
