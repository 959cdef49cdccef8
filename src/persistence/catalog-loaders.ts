/** Loaders of hierarchies, nodes, catalogs' settings and rules. Each batch is one statement, of catalogs by id three. */
import DataLoader from 'dataloader'
import type { CatalogNode } from '../domain/catalog-node.ts'
import { groupBy } from '../domain/group-by.ts'
import type { CatalogNode as NodeRow, CatalogRule as RuleRow } from '../generated/prisma/client.ts'
import { byId, mapById } from './by-id.ts'
import { catalogFromRow, catalogInclude } from './catalog.ts'
import { nodeFromRow, nodeMembers } from './catalog-node.ts'
import { ruleFromRow, ruleMembers } from './catalog-rule.ts'
import type { Database } from './database.ts'
import { createdOrder, type KeysetList, keysetPages, keysetTotals, selectItem } from './keyset.ts'
import { productColumns, type RelatedRow, relatedFromRow } from './product-loaders.ts'

export function catalogLoaders(database: Database) {
  return {
    catalogNodeById: catalogNodeById(database),
    nodePageByParentId: keysetPages(database, nodesOfParent, placedFromRow),
    nodeTotalByParentId: keysetTotals(database, nodesOfParent),
    nodePageByProductId: keysetPages(database, nodesOfProduct, ({ version, ...row }) => ({ ...placedFromRow(row), version })),
    nodeTotalByProductId: keysetTotals(database, nodesOfProduct),
    productPageByNodeId: keysetPages(database, productsOfNode, ({ version, ...row }) => ({ ...relatedFromRow(row), version })),
    productTotalByNodeId: keysetTotals(database, productsOfNode),
    ancestorsByNodeId: ancestorsByNodeId(database),
    catalogById: byId(database, 'catalogs', async ({ prisma }, ids) =>
      (await prisma.catalog.findMany({ where: { id: { in: ids } }, include: catalogInclude })).map(catalogFromRow),
    ),
    catalogPageByHierarchyId: keysetPages(database, catalogsOfHierarchy, createdFromRow),
    catalogTotalByHierarchyId: keysetTotals(database, catalogsOfHierarchy),
    catalogPageByPriceBookId: keysetPages(database, catalogsOfPriceBook, createdFromRow),
    catalogTotalByPriceBookId: keysetTotals(database, catalogsOfPriceBook),
    catalogRuleById: byId(database, 'catalog rules', async ({ prisma }, ids) =>
      (await prisma.catalogRule.findMany({ where: { id: { in: ids } } })).map(ruleFromRow),
    ),
    rulePageByCatalogId: keysetPages(database, rulesOfCatalog, ruleFromRow),
    ruleTotalByCatalogId: keysetTotals(database, rulesOfCatalog),
  }
}

/** The node of an id that the code names, looked up by its key: a plain join would read the whole table at each level. */
function byKey(id: string): string {
  return `(SELECT * FROM catalog_node WHERE id = ${id} LIMIT 1)`
}

/** Hierarchies and nodes alike. What stands above comes along, since who asks for a parent mostly goes on to the next. */
function catalogNodeById(database: Database): DataLoader<string, CatalogNode | null> {
  const text = `
    WITH RECURSIVE up AS (
      SELECT n.id, n.parent_id FROM catalog_node n WHERE n.id = ANY ($1::uuid[])
      UNION SELECT n.id, n.parent_id FROM up CROSS JOIN LATERAL ${byKey('up.parent_id')} n)
    SELECT ${selectItem('parentId', ...nodeMembers)} FROM up CROSS JOIN LATERAL ${byKey('up.id')} i`
  const fetch = async (on: Database, ids: string[]) =>
    mapById((await on.query<Omit<NodeRow, 'version'>>('catalog_nodes_by_ids', text, [ids])).map(nodeFromRow))
  const loader = new DataLoader<string, CatalogNode | null>(
    async (ids) => {
      const keys = ids.map((id) => id.toLowerCase())
      const found = await database.readTogether('catalog nodes', keys, fetch)
      for (const node of upwards(keys, found)) loader.prime(node.id, node)
      return keys.map((id) => found.get(id) ?? null)
    },
    { cacheKeyFn: (id) => id.toLowerCase() },
  )
  return loader
}

/** The nodes of `ids` and all above them, each once. */
function upwards(ids: readonly string[], nodes: ReadonlyMap<string, CatalogNode>): Set<CatalogNode> {
  const reached = new Set<CatalogNode>()
  for (const id of ids) {
    let node = nodes.get(id)
    while (node && !reached.has(node)) {
      reached.add(node)
      node = node.parentId === null ? undefined : nodes.get(node.parentId)
    }
  }
  return reached
}

/** The nodes above a node, below its hierarchy, direct parent last. One statement for any number of nodes, however deep. */
function ancestorsByNodeId(database: Database): DataLoader<string, CatalogNode[]> {
  const text = `
    WITH RECURSIVE up AS (
      SELECT n.id AS node_id, n.parent_id AS above, 1 AS distance FROM catalog_node n WHERE n.id = ANY ($1::uuid[])
      UNION ALL SELECT up.node_id, n.parent_id, up.distance + 1 FROM up CROSS JOIN LATERAL ${byKey('up.above')} n)
    SELECT up.node_id AS "nodeId", ${selectItem('parentId', ...nodeMembers)} FROM up CROSS JOIN LATERAL ${byKey('up.above')} i
    WHERE i.parent_id IS NOT NULL ORDER BY up.distance DESC`
  const fetch = async (on: Database, ids: string[]) =>
    groupBy(await on.query<Omit<NodeRow, 'version'> & { nodeId: string }>('ancestors_of_nodes', text, [ids]), ({ nodeId }) => nodeId)
  return new DataLoader(async (ids) => {
    const ancestors = await database.readTogether('ancestors of nodes', ids, fetch)
    return ids.map((id) => (ancestors.get(id) ?? []).map(({ nodeId: _, ...row }) => nodeFromRow(row)))
  })
}

/** `parentId` is what a page calls the record whose list it is. */
type PlacedRow = Omit<NodeRow, 'parentId' | 'version'> & { readonly aboveId: string }

function placedFromRow({ aboveId, ...row }: PlacedRow): CatalogNode {
  return nodeFromRow({ ...row, parentId: aboveId })
}

const nodeColumns = `${selectItem(...nodeMembers)}, i.parent_id AS "aboveId"`

const nodesOfParent: KeysetList<PlacedRow> = {
  from: 'catalog_node i',
  parent: 'i.parent_id',
  columns: nodeColumns,
  order: createdOrder,
}

/** Latest attachment first, as in bread_crumb_nodes (CAT-4). */
const latestAttachment = { order: [{ column: 'l.version', type: 'int8' }], descending: true } as const

const nodesOfProduct: KeysetList<PlacedRow & { version: number }> = {
  from: 'node_product l JOIN catalog_node i ON i.id = l.node_id',
  parent: 'l.product_id',
  columns: `${nodeColumns}, l.version`,
  ...latestAttachment,
}

const productsOfNode: KeysetList<RelatedRow & { version: number }> = {
  from: 'node_product l JOIN product i ON i.id = l.product_id',
  parent: 'l.node_id',
  columns: `${productColumns}, l.version`,
  ...latestAttachment,
}

interface CreatedRow {
  readonly id: string
  readonly createdAt: Date
}

function createdFromRow({ id, createdAt }: CreatedRow) {
  return { id, createdAt: createdAt.getTime() }
}

const catalogsOfHierarchy: KeysetList<CreatedRow> = {
  from: 'catalog_hierarchy l JOIN catalog i ON i.id = l.catalog_id',
  parent: 'l.hierarchy_id',
  columns: selectItem('id', 'createdAt'),
  order: createdOrder,
}

const catalogsOfPriceBook: KeysetList<CreatedRow> = {
  from: 'catalog_price_book l JOIN catalog i ON i.id = l.catalog_id',
  parent: 'l.price_book_id',
  columns: selectItem('id', 'createdAt'),
  order: createdOrder,
}

const rulesOfCatalog: KeysetList<Omit<RuleRow, 'version'>> = {
  from: 'catalog_rule i',
  parent: 'i.catalog_id',
  columns: selectItem(...ruleMembers),
  order: createdOrder,
}
