/** Release index as it is stored: the row that release-sql.ts selects, and the index that it becomes. */
import { ProductOrder } from '../../domain/catalog/product-order.ts'
import { type CatalogTexts, Release, type ReleaseNode } from '../../domain/catalog/release.ts'

/** The row of one release. */
export interface IndexRow {
  readonly id: string
  readonly catalog_id: string
  readonly sequence: number
  readonly is_draft: boolean
  readonly started_at: number
  readonly published_at: number
  readonly catalog: CatalogTexts
  readonly hierarchy_ids: readonly string[]
  readonly nodes: readonly (Omit<ReleaseNode, 'id'> & { readonly nodeId: string })[] | null
  readonly listings: readonly (readonly [scope: string, curated: number, documents: readonly number[]])[] | null
}

/** The index of a row. */
export function readIndex(row: IndexRow): Release {
  const listings = (row.listings ?? []).map(
    ([scope, curated, documents]) => [scope, new ProductOrder(Int32Array.from(documents), curated)] as const,
  )
  const { id, catalog_id, sequence, started_at, published_at, catalog, hierarchy_ids, is_draft } = row
  const nodes = (row.nodes ?? []).map(({ nodeId, ...node }) => ({ id: nodeId, ...node }))
  return new Release(id, catalog_id, sequence, published_at, catalog, hierarchy_ids, nodes, new Map(listings), is_draft, started_at)
}
