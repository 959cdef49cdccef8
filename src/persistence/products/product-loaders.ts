/**
 * Product loaders: products and price modifiers. Each batch is one statement, lists one per distinct window
 * (keyset.ts).
 *
 * SQL, since a child's parent is read with it; keyset.ts has the reason for pages of children.
 */
import type { Product } from '../../domain/products/product.ts'
import { groupBy } from '../../lib/group-by.ts'
import { columnsOf } from '../database/columns.ts'
import { recordsUnder } from '../loading/keyset.ts'
import { byId, loaderOf, recordsById } from '../loading/loader.ts'
import { priceModifierTable } from '../pricing/price-modifier.ts'
import { type PriceInBook, pricesOfSkus } from '../pricing/product-price.ts'
import { type ProductRow, productTable } from './product.ts'

/** The select list of a product. */
export const productColumns = columnsOf('product')

const productsByIds = `
  SELECT ${productColumns} FROM product i WHERE i.id = ANY ($1::uuid[])
  UNION ALL SELECT ${productColumns} FROM product child JOIN product i ON i.id = child.parent_id WHERE child.id = ANY ($1::uuid[])`

/** The parent of a child is read with it, since a query for a child mostly continues to its parent. */
const productById = byId<Product>(
  'products',
  async (on, ids) => (await on.query<ProductRow>('products_by_ids', productsByIds, [ids])).map(productTable.fromRow),
  ({ parentId }) => parentId,
)

const productsBySkus = `SELECT ${productColumns} FROM product i WHERE i.sku = ANY ($1::text[])`

/** The factories of a request's loaders. */
export const productLoaders = {
  productById,
  productBySku: loaderOf<string, Product | null>({
    name: 'products by SKU',
    none: null,
    read: async (on, skus) => {
      const rows = await on.query<ProductRow & { sku: string }>('products_by_skus', productsBySkus, [skus])
      return new Map(rows.map((row) => [row.sku, productTable.fromRow(row)]))
    },
  }),
  productListByParentId: recordsUnder(productTable, 'i.parent_id'),
  /** A condition on the array of option ids, which has a GIN index, instead of a join. */
  bundleListByOptionId: recordsUnder(productTable, 'i.component_product_ids', { among: true }),
  productPricesBySku: loaderOf<string, readonly PriceInBook[]>({
    name: 'prices by SKU',
    none: [],
    read: async (on, skus) => groupBy(await pricesOfSkus(on, skus), ({ price }) => price.sku),
  }),
  priceModifierById: recordsById('price modifiers', priceModifierTable),
  priceModifierListByPriceBookId: recordsUnder(priceModifierTable, 'i.price_book_id'),
}
