/** Records of a type in the order of the rows of a sheet. */
import { nodeTable } from './catalog/hierarchy-node.ts'
import { columnOf, columnsOf } from './database/columns.ts'
import type { SnapshotStatement } from './database/snapshot.ts'
import type { RecordSource } from './database/table.ts'
import { productTable } from './products/product.ts'
import { planTable } from './subscriptions/plan.ts'
import { subscriptionProductTable } from './subscriptions/subscription-product.ts'

/** The products of a list, each by its SKU, else by its id. */
const skus = (from: string, order: string): string =>
  `ARRAY(SELECT coalesce(p.sku, p.id::text) FROM ${from} JOIN product p ON p.id = a.product_id ORDER BY a.${order})`

/**
 * Nodes by their paths, parents before children. In place of its parent a node has its path, in place of ids SKUs where
 * products have them. Deleted products may still be among the curated ones, so they are left out.
 */
const nodes = `
  WITH RECURSIVE tree AS (
    SELECT id, ARRAY[slug] AS slugs FROM catalog_node WHERE parent_id IS NULL
    UNION ALL SELECT n.id, tree.slugs || n.slug FROM tree JOIN catalog_node n ON n.parent_id = tree.id)
  SELECT ${columnsOf('catalogNode')}, array_to_string(slugs, '/') AS path, count(*) OVER (PARTITION BY slugs) > 1 AS "isShared",
    ${skus('(SELECT * FROM node_product WHERE node_id = i.id) a', 'version')} AS products,
    ${skus('unnest(i.curated_product_ids) WITH ORDINALITY a (product_id, place)', 'place')} AS curated
  FROM tree JOIN catalog_node i ON i.id = tree.id WHERE i.parent_id IS NOT NULL ORDER BY slugs COLLATE "C", i.id`

type NodeRow = Parameters<typeof nodeTable.fromRow>[0] & {
  readonly path: string
  readonly isShared: boolean
  readonly products: readonly string[]
  readonly curated: readonly string[]
}

function nodeOf({ path, isShared, products, curated, ...row }: NodeRow) {
  return { ...nodeTable.fromRow(row), parentId: path, productIds: products, curatedProductIds: curated, isShared }
}

const byName = 'i.name COLLATE "C", i.external_ref COLLATE "C", i.id'

/** The tables of types that have sheets, and the order of their rows: by a text that people know, in code points. */
const tables = {
  product: { table: productTable, order: 'i.sku COLLATE "C", i.id' },
  subscription_product: { table: subscriptionProductTable, order: byName },
  subscription_plan: { table: planTable, order: byName },
} as const satisfies Readonly<Record<string, { table: RecordSource<never, object>; order: string }>>

/** How the records of a type are read: a statement, and what makes a record of each of its rows. */
export interface SheetRecords<Item> {
  readonly statement: SnapshotStatement
  readonly fromRow: (row: never) => Item
}

/**
 * The records of a type. `isShared` says that another one has the same key in sheets, a path or an `external_ref`; SKUs
 * of products are unique.
 */
export function sheetRecords<Item>(type: keyof typeof tables | 'node'): SheetRecords<Item> {
  const name = `export_sheet_${type}`
  if (type === 'node') return { statement: { name, text: nodes }, fromRow: (row: NodeRow) => nodeOf(row) as Item }
  const { table, order } = tables[type]
  const { model, fromRow }: RecordSource<never, object> = table
  const shared = type === 'product' ? 'false' : 'count(*) OVER (PARTITION BY i.external_ref) > 1'
  const text = `SELECT ${columnsOf(model)}, ${shared} AS "isShared" FROM ${columnOf(model)} i ORDER BY ${order}`
  return {
    statement: { name, text },
    fromRow: ({ isShared, ...row }: { readonly isShared: boolean }) => ({ ...fromRow(row as never), isShared }) as Item,
  }
}
