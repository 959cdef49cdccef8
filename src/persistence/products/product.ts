/** Products in the database, and the look-ups that their rules need.
 *
 *  SQL, since Prisma can't take an advisory lock, nor join by an array of ids. */
import type { Locales } from '../../domain/language/locale.ts'
import type { BundleComponents } from '../../domain/pricing/price-record.ts'
import type { BuildRules } from '../../domain/products/build-rules.ts'
import { optionProductIds } from '../../domain/products/component-input.ts'
import type { CustomInputs } from '../../domain/products/custom-input.ts'
import type { Extensions } from '../../domain/products/extension.ts'
import type { CommodityType, Product, ProductFile, ProductStatus } from '../../domain/products/product.ts'
import type { SkuOwner } from '../../domain/products/product-build.ts'
import type { Child } from '../../domain/products/product-family.ts'
import type { Variation } from '../../domain/products/variation.ts'
import type { Prisma, Product as Row } from '../../generated/prisma/client.ts'
import { jsonOrNull } from '../database/json.ts'
import { advisoryLock } from '../database/schema.ts'
import type { Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The columns of a product. */
export type ProductRow = Omit<Row, 'version' | 'componentProductIds'>

/** The table of products. */
export const productTable: Table<ProductRow, Product> = {
  model: 'product',
  arrays: ['tags'],
  /** Further columns of the row are left out. */
  fromRow: (row) => ({
    id: row.id,
    externalRef: row.externalRef,
    name: row.name,
    description: row.description,
    sku: row.sku,
    slug: row.slug,
    status: row.status as ProductStatus,
    commodityType: row.commodityType as CommodityType | null,
    upcEan: row.upcEan,
    manufacturerPartNum: row.manufacturerPartNum,
    tags: row.tags,
    components: row.components as BundleComponents | null,
    customInputs: row.customInputs as CustomInputs | null,
    extensions: row.extensions as Extensions | null,
    locales: row.locales as Locales | null,
    variations: row.variations as Variation[] | null,
    buildRules: row.buildRules as BuildRules | null,
    parentId: row.parentId,
    optionIds: row.optionIds,
    files: row.files as ProductFile[] | null,
    mainImageId: row.mainImageId,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }),
  /** The ids of a bundle's options are stored beside its components, for look-ups. */
  toRow: (product): Prisma.ProductCreateManyInput => ({
    ...product,
    tags: [...product.tags],
    components: jsonOrNull(product.components),
    componentProductIds: optionProductIds(product.components),
    customInputs: jsonOrNull(product.customInputs),
    extensions: jsonOrNull(product.extensions),
    locales: jsonOrNull(product.locales),
    variations: jsonOrNull(product.variations),
    buildRules: jsonOrNull(product.buildRules),
    optionIds: [...product.optionIds],
    files: jsonOrNull(product.files),
    createdAt: new Date(product.createdAt),
    updatedAt: new Date(product.updatedAt),
  }),
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
  return skus.length === 0 ? [] : tx.product.findMany({ where: { sku: { in: skus } }, select: { id: true, name: true, sku: true } })
}

/** The advisory lock of writes of components. The number is arbitrary but must not change. */
const NESTING_LOCK = advisoryLock(7_262_002)

/**
 * The components, by product id, of the bundles that bundle.one-level-of-nesting checks when the product `id` gets the options
 * `optionIds`: two levels down and two up. The rule spans several rows, so an advisory lock makes transactions that write components run
 * one after another. Two statements.
 */
export async function bundlesAround(tx: Transaction, id: string, optionIds: readonly string[]): Promise<Map<string, BundleComponents>> {
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
