/**
 * Catalog loaders: nodes, hierarchies, and the settings and rules of catalogs. Each batch is one statement; catalogs by
 * id take three.
 *
 * SQL, since Prisma can't walk a tree upwards; keyset.ts has the reason for pages of children.
 */
import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { RulesOfCatalog } from '../../domain/catalog/catalog-warning.ts'
import type { HierarchyNode } from '../../domain/catalog/hierarchy-node.ts'
import type { Catalog as CatalogRow, CatalogNode as NodeRow } from '../../generated/prisma/client.ts'
import { groupBy } from '../../lib/group-by.ts'
import { columnsOf } from '../database/columns.ts'
import type { RecordSource } from '../database/table.ts'
import { type KeysetList, keysetList, recordsUnder } from '../loading/keyset.ts'
import { byId, loaderOf, recordsById } from '../loading/loader.ts'
import { type ProductRow, productTable } from '../products/product.ts'
import { productColumns } from '../products/product-loaders.ts'
import { catalogTable } from './catalog.ts'
import { ruleTable } from './catalog-rule.ts'
import { nodeTable } from './hierarchy-node.ts'
import { labelTable } from './label.ts'
import type { Parts } from './release-loaders.ts'

const nodeColumns = columnsOf('catalogNode')

/**
 * Looks up a node by `id`, an SQL expression. A plain join would read the whole table at each level of the recursion.
 */
function byKey(id: string): string {
  return `(SELECT * FROM catalog_node WHERE id = ${id} LIMIT 1)`
}

const nodesById = `
  WITH RECURSIVE up AS (
    SELECT n.id, n.parent_id FROM catalog_node n WHERE n.id = ANY ($1::uuid[])
    UNION SELECT n.id, n.parent_id FROM up CROSS JOIN LATERAL ${byKey('up.parent_id')} n)
  SELECT ${nodeColumns} FROM up CROSS JOIN LATERAL ${byKey('up.id')} i`

/**
 * Hierarchies and nodes by id. Their ancestors are read with them, since a query for a parent mostly continues upwards.
 */
const hierarchyNodeById = byId<HierarchyNode>(
  'hierarchy nodes',
  async (on, ids) => (await on.query<NodeColumns>('hierarchy_nodes_by_ids', nodesById, [ids])).map(nodeTable.fromRow),
  ({ parentId }) => parentId,
)

const ancestorsOfNodes = `
  WITH RECURSIVE up AS (
    SELECT n.id AS node_id, n.parent_id, 1 AS distance FROM catalog_node n WHERE n.id = ANY ($1::uuid[])
    UNION ALL SELECT up.node_id, n.parent_id, up.distance + 1 FROM up CROSS JOIN LATERAL ${byKey('up.parent_id')} n)
  SELECT up.node_id AS "nodeId", ${nodeColumns} FROM up CROSS JOIN LATERAL ${byKey('up.parent_id')} i
  WHERE i.parent_id IS NOT NULL ORDER BY up.distance DESC`

/**
 * The ancestors of a node without its hierarchy, direct parent last. One statement for any number of nodes of any
 * depth.
 */
const ancestorsByNodeId = loaderOf<string, readonly HierarchyNode[]>({
  name: 'ancestors of nodes',
  none: [],
  read: async (on, ids) => {
    const rows = await on.query<NodeColumns & { nodeId: string }>('ancestors_of_nodes', ancestorsOfNodes, [ids])
    const groups = groupBy(rows, ({ nodeId }) => nodeId)
    return new Map([...groups].map(([id, ancestors]) => [id, ancestors.map(nodeTable.fromRow)]))
  },
})

type NodeColumns = Omit<NodeRow, 'version'>

/** The position of an attachment of a product to a node, by which a list of either is ordered. */
interface Attachment {
  readonly version: number
}

/** Latest attachment first, as in `bread_crumb_nodes` (node.latest-attachment-first). */
const latestAttachment = { order: [{ column: 'l.version', type: 'int8' }], descending: true } as const

const nodesOfProduct: KeysetList<NodeColumns & Attachment> = {
  from: 'node_product l JOIN catalog_node i ON i.id = l.node_id',
  parent: 'l.product_id',
  columns: `${nodeColumns}, l.version`,
  ...latestAttachment,
}

const productsOfNode: KeysetList<ProductRow & Attachment> = {
  from: 'node_product l JOIN product i ON i.id = l.product_id',
  parent: 'l.node_id',
  columns: `${productColumns}, l.version`,
  arrays: productTable.arrays ?? [],
  ...latestAttachment,
}

const listedMembers = ['id', 'name', 'createdAt', 'updatedAt'] as const satisfies (keyof CatalogRow)[]
type ListedCatalogRow = Pick<CatalogRow, (typeof listedMembers)[number]>

/** The members that order lists of catalogs; the others are read when they are selected. */
const listedCatalogs: RecordSource<ListedCatalogRow, Pick<Catalog, keyof ListedCatalogRow>> = {
  model: 'catalog',
  members: listedMembers,
  fromRow: ({ createdAt, updatedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  }),
}

/** A rule without schedules, or with one that has not ended, is in force now or later. */
const rulesOfCatalogs = `
  SELECT catalog_id AS id, coalesce(bool_or(criteria = 0), false) AS "hasEmpty", coalesce(bool_or(criteria > 0 AND lasts), false) AS "isGiven"
  FROM catalog_rule CROSS JOIN LATERAL (
    SELECT cardinality(account_ids) + cardinality(channels) + cardinality(tags) AS criteria,
      schedules = '[]' OR EXISTS (SELECT FROM jsonb_array_elements(schedules) s
        WHERE s ->> 'valid_to' IS NULL OR (s ->> 'valid_to')::numeric > $2) AS lasts) one
  WHERE catalog_id = ANY ($1::uuid[]) GROUP BY catalog_id`

/** What the rules of catalogs are for, once one of them is confidential. */
function rulesOfCatalogById(...[database, , , { now }]: Parts) {
  return loaderOf<string, RulesOfCatalog>({
    name: 'rules of catalogs',
    none: { isGiven: false, hasEmpty: false },
    read: async (on, ids) => {
      const rows = await on.query<RulesOfCatalog & { id: string }>('rules_of_catalogs', rulesOfCatalogs, [ids, now])
      return new Map(rows.map(({ id, ...rules }) => [id, rules]))
    },
  })(database)
}

/** The factories of a request's loaders. */
export const catalogLoaders = {
  hierarchyNodeById,
  nodeListByParentId: recordsUnder(nodeTable, 'i.parent_id'),
  nodeListByProductId: keysetList(nodesOfProduct, ({ version, ...row }) => ({ ...nodeTable.fromRow(row), version })),
  productListByNodeId: keysetList(productsOfNode, ({ version, ...row }) => ({ ...productTable.fromRow(row), version })),
  ancestorsByNodeId,
  catalogById: recordsById('catalogs', catalogTable),
  catalogListByHierarchyId: recordsUnder(listedCatalogs, 'l.hierarchy_id', {
    from: 'catalog_hierarchy l JOIN catalog i ON i.id = l.catalog_id',
  }),
  catalogListByPriceBookId: recordsUnder(listedCatalogs, 'l.price_book_id', {
    from: 'catalog_price_book l JOIN catalog i ON i.id = l.catalog_id',
  }),
  catalogRuleById: recordsById('catalog rules', ruleTable),
  labelById: recordsById('labels', labelTable),
  ruleListByCatalogId: recordsUnder(ruleTable, 'i.catalog_id'),
  rulesOfCatalogById,
}
