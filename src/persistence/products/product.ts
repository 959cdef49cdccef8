/**
 * Products in the database, and the look-ups that their rules need.
 *
 * SQL, since Prisma can't take an advisory lock, nor join by an array of ids.
 */
import { isUuid } from '../../domain/input/formats.ts'
import { isStorable } from '../../domain/input/text.ts'
import type { BundleComponents } from '../../domain/pricing/price-record.ts'
import { optionProductIds } from '../../domain/products/component-input.ts'
import { type Product, productRecord } from '../../domain/products/product.ts'
import type { SkuOwner } from '../../domain/products/product-build.ts'
import type { Child } from '../../domain/products/product-family.ts'
import type { Product as Row } from '../../generated/prisma/client.ts'
import { recordTable } from '../database/record-table.ts'
import { advisoryLock } from '../database/schema.ts'
import type { Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The columns of a product. */
export type ProductRow = Omit<Row, 'version' | 'componentProductIds'>

const table = recordTable('product', productRecord, { arrays: ['tags'], others: ['componentProductIds'] })

/** The table of products. The ids of a bundle's options are stored beside its components, for look-ups. */
export const productTable: Table<ProductRow, Product> = {
  ...table,
  toRow: (product) => {
    const componentProductIds = optionProductIds(product.components)
    return { ...table.toRow(product), componentProductIds }
  },
}

/** A parent's children, oldest first. */
export function findChildren(tx: Transaction, parentId: string): Promise<Child[]> {
  return tx.product.findMany({
    where: { parentId },
    select: { id: true, name: true, optionIds: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** The products that have one of the SKUs of `products`. One statement; none without a SKU. */
export async function skuOwners(tx: Transaction, products: readonly Pick<Product, 'sku'>[]): Promise<SkuOwner[]> {
  const skus = products.flatMap(({ sku }) => sku ?? [])
  return skus.length === 0
    ? []
    : tx.product.findMany({ where: { sku: { in: skus } }, select: { id: true, name: true, sku: true } })
}

/** The ids of products by the SKU or, where no product has it as SKU, the id that each text is. One statement. */
export async function idsBySkuOrId(tx: Transaction, texts: readonly string[]): Promise<Map<string, string>> {
  const distinct = [...new Set(texts)].filter(isStorable)
  const rows = await tx.$queryRaw<{ text: string; id: string }[]>`
    SELECT id::text AS text, id, 1 AS rank FROM product WHERE id = ANY (${distinct.filter(isUuid)}::uuid[])
    UNION ALL SELECT sku, id, 2 FROM product WHERE sku = ANY (${distinct}::text[]) ORDER BY rank`
  return new Map(rows.map(({ text, id }) => [text, id]))
}

/** The advisory lock of writes of components. The number is arbitrary but must not change. */
const NESTING_LOCK = advisoryLock(7_262_002)

/**
 * The components, by product id, of the bundles that bundle.one-level-of-nesting checks when the product `id` gets the
 * options `optionIds`: two levels down and two up. The rule spans several rows, so an advisory lock makes transactions
 * that write components run one after another. Two statements.
 */
export async function bundlesAround(
  tx: Transaction,
  id: string,
  optionIds: readonly string[],
): Promise<Map<string, BundleComponents>> {
  await tx.$executeRawUnsafe(`SELECT pg_advisory_xact_lock(${NESTING_LOCK})`)
  const rows = await tx.$queryRaw<{ id: string; components: BundleComponents }[]>`
    WITH bundle AS NOT MATERIALIZED (SELECT id, components, component_product_ids FROM product WHERE components IS NOT NULL),
    below AS (SELECT * FROM bundle WHERE id = ANY (${optionIds}::uuid[])),
    above AS (SELECT * FROM bundle WHERE component_product_ids @> ARRAY[${id}::uuid])
    SELECT id, components FROM below UNION SELECT id, components FROM above
    UNION SELECT id, components FROM bundle WHERE id IN (SELECT unnest(component_product_ids) FROM below)
    UNION SELECT b.id, b.components FROM above a JOIN bundle b ON b.component_product_ids @> ARRAY[a.id]`
  return new Map(rows.map((row) => [row.id, row.components]))
}
