/**
 * Authored records: everything that a team wrote, kind by kind. Each record comes after those that it names.
 *
 * SQL, since one statement reads a kind with its parts, however many records there are. Within a kind records are
 * ordered by id, or by age where that decides between them, so that equal stores are read alike.
 */
import type { Catalog } from '../domain/catalog/catalog.ts'
import type { CatalogRule } from '../domain/catalog/catalog-rule.ts'
import type { HierarchyNode } from '../domain/catalog/hierarchy-node.ts'
import type { Label } from '../domain/catalog/label.ts'
import type { PriceBook } from '../domain/pricing/price-book.ts'
import type { PriceModifier } from '../domain/pricing/price-modifier.ts'
import type { ProductPrice } from '../domain/pricing/product-price.ts'
import type { Product } from '../domain/products/product.ts'
import type { ComposedOffering } from '../domain/subscriptions/offering.ts'
import type { Plan } from '../domain/subscriptions/plan.ts'
import type { SubscriptionProduct } from '../domain/subscriptions/subscription-product.ts'
import { catalogTable } from './catalog/catalog.ts'
import { ruleTable } from './catalog/catalog-rule.ts'
import { nodeTable } from './catalog/hierarchy-node.ts'
import { labelTable } from './catalog/label.ts'
import { columnOf, columnsOf } from './database/columns.ts'
import type { Database } from './database/database.ts'
import { fromListColumns, listColumns } from './database/record-lists.ts'
import { inSnapshot, type Snapshot, type SnapshotStatement } from './database/snapshot.ts'
import type { WholeSource } from './database/table.ts'
import { priceBookTable } from './pricing/price-book.ts'
import { priceModifierTable } from './pricing/price-modifier.ts'
import { selectPrices } from './pricing/product-price.ts'
import { productTable } from './products/product.ts'
import { offeringTable } from './subscriptions/offering.ts'
import { planTable } from './subscriptions/plan.ts'
import { subscriptionProductTable } from './subscriptions/subscription-product.ts'

/** A node with the products that are attached to it, the first attached first. */
export interface NodeWithProducts extends HierarchyNode {
  readonly productIds: readonly string[]
}

/** The release that is the latest of its catalog. */
export interface LatestRelease {
  readonly id: string
  readonly catalogId: string
}

/** A record with the type that it has in the import's format. */
export type AuthoredRecord =
  | { readonly type: 'pricebook'; readonly record: PriceBook }
  | { readonly type: 'price-modifier'; readonly record: PriceModifier }
  | { readonly type: 'product-price'; readonly record: ProductPrice }
  | { readonly type: 'subscription_product'; readonly record: SubscriptionProduct }
  | { readonly type: 'subscription_plan'; readonly record: Plan }
  | { readonly type: 'subscription_offering'; readonly record: ComposedOffering }
  | { readonly type: 'product'; readonly record: Product }
  | { readonly type: 'hierarchy'; readonly record: HierarchyNode }
  | { readonly type: 'node'; readonly record: NodeWithProducts }
  | { readonly type: 'catalog'; readonly record: Catalog }
  | { readonly type: 'catalog_rule'; readonly record: CatalogRule }
  | { readonly type: 'label'; readonly record: Label }
  | { readonly type: 'catalog-release'; readonly record: LatestRelease }

type RecordOf<Type> = Extract<AuthoredRecord, { type: Type }>['record']

/** How the records of a type are read. Each statement is complete and ordered. */
interface Kind<Type extends AuthoredRecord['type']> extends SnapshotStatement {
  readonly type: Type
  /** Takes a row that `text` selects; only the reader of this kind calls it. */
  readonly fromRow: (row: never) => RecordOf<Type>
}

type Links<Name extends string> = Readonly<Record<Name, readonly string[]>>

function kind<Type extends AuthoredRecord['type']>(
  type: Type,
  text: string,
  fromRow: Kind<Type>['fromRow'],
  name: string = type,
): Kind<Type> {
  return { name: `export_${name.replaceAll('-', '_')}`, type, text, fromRow }
}

/** The records of a table by id, with their lists. */
function recordsOf<Type extends AuthoredRecord['type'], Row extends object>(
  type: Type,
  { model, fromRow, lists = {} }: WholeSource<Row, RecordOf<Type>>,
  where = '',
  name: string = type,
) {
  const columns = [columnsOf(model), ...listColumns(lists)].join(', ')
  const text = `SELECT ${columns} FROM ${columnOf(model)} i ${where} ORDER BY i.id`
  return kind(type, text, (row: Row) => fromRow(fromListColumns(lists, row)), name)
}

// An export has one release per catalog: its latest now. Catalogs come in the order in which they were first published,
// which decides between their rules (catalog-rule.most-matches-win).
const latestReleases = `
  SELECT latest.id, c.id AS "catalogId" FROM catalog c CROSS JOIN LATERAL (SELECT latest_release(c.id, now()) AS id) latest
  WHERE latest.id IS NOT NULL ORDER BY c.first_published_at, c.id`

// Nodes are ordered by depth, so that parents come first. Deleted products may still be among the curated ones, so they
// are left out.
const nodes = `
  WITH RECURSIVE tree AS (
    SELECT id, 0 AS depth FROM catalog_node WHERE parent_id IS NULL
    UNION ALL SELECT n.id, tree.depth + 1 FROM tree JOIN catalog_node n ON n.parent_id = tree.id)
  SELECT ${columnsOf('catalogNode')}, ARRAY(SELECT a.product_id FROM node_product a WHERE a.node_id = i.id ORDER BY a.version) AS "productIds",
    ARRAY(SELECT c.id FROM unnest(i.curated_product_ids) WITH ORDINALITY c (id, place) JOIN product p ON p.id = c.id ORDER BY c.place)
      AS "curatedProductIds"
  FROM tree JOIN catalog_node i ON i.id = tree.id WHERE tree.depth > 0 ORDER BY tree.depth, i.id`

const kinds = [
  recordsOf('pricebook', priceBookTable),
  recordsOf('price-modifier', priceModifierTable),
  kind('product-price', `${selectPrices} ORDER BY p.id`, (row: ProductPrice) => row),
  recordsOf('subscription_product', subscriptionProductTable),
  recordsOf('subscription_plan', planTable),
  recordsOf('subscription_offering', offeringTable),
  // Parents and children by two statements, each of which an index orders.
  recordsOf('product', productTable, 'WHERE i.parent_id IS NULL'),
  recordsOf('product', productTable, 'WHERE i.parent_id IS NOT NULL', 'child'),
  recordsOf('hierarchy', nodeTable, 'WHERE i.parent_id IS NULL'),
  kind('node', nodes, ({ productIds, ...row }: Parameters<typeof nodeTable.fromRow>[0] & Links<'productIds'>) => ({
    ...nodeTable.fromRow(row),
    productIds,
  })),
  recordsOf('catalog', catalogTable),
  // Of equal rules the oldest is chosen (catalog-rule.most-matches-win).
  kind(
    'catalog_rule',
    `SELECT ${columnsOf('catalogRule')} FROM catalog_rule i ORDER BY i.created_at, i.first_version`,
    ruleTable.fromRow,
  ),
  recordsOf('label', labelTable),
  kind('catalog-release', latestReleases, (row: LatestRelease) => row),
] as const

/**
 * All authored records at one instant; only a few of them are in memory at once. The latest release of each catalog
 * comes last and stands for a publish of what precedes it.
 */
export function authoredRecords(database: Database): AsyncGenerator<AuthoredRecord> {
  return inSnapshot(database, kinds, recordsIn)
}

async function* recordsIn(snapshot: Snapshot): AsyncGenerator<AuthoredRecord> {
  for (const { type, fromRow, ...statement } of kinds) {
    for await (const row of snapshot.rows(statement)) yield { type, record: fromRow(row as never) } as AuthoredRecord
  }
}
