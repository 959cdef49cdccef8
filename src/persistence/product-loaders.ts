/** Loaders of catalog products and price modifiers. Each batch is one statement, connections one per distinct window (keyset.ts). */
import { groupBy } from '../domain/group-by.ts'
import type { Product } from '../domain/product.ts'
import type { ProductPrice } from '../domain/product-price.ts'
import type { PriceModifier as ModifierRow } from '../generated/prisma/client.ts'
import { byId, recordsById } from './by-id.ts'
import { createdOrder, type KeysetList, keysetPages, keysetTotals, selectItem } from './keyset.ts'
import { loaderOf } from './loader.ts'
import { priceModifierFromRow } from './price-modifier.ts'
import { type ProductRow, productFromRow, productList, productMembers } from './product.ts'
import { pricesOfSkus } from './product-price.ts'

export const productColumns = selectItem(...productMembers)

const childrenOfParent: KeysetList<ProductRow> = {
  from: 'product i',
  parent: 'i.parent_id',
  columns: productColumns,
  order: createdOrder,
}

/** The options' ids are indexed as arrays (GIN), which is why the list is not a join. */
const bundlesOfOption: KeysetList<ProductRow> = {
  from: 'product i',
  parent: 'i.component_product_ids',
  among: true,
  columns: productColumns,
  order: createdOrder,
}

const modifiersOfBook: KeysetList<ModifierRow> = {
  from: 'price_modifier i',
  parent: 'i.price_book_id',
  columns: selectItem('id', 'priceBookId', 'name', 'externalRef', 'modifierType', 'currencies', 'createdAt', 'updatedAt'),
  order: createdOrder,
}

const productsBySkus = `SELECT ${productColumns} FROM product i WHERE i.sku = ANY ($1::text[])`

export const productLoaders = {
  productById: recordsById(productList.table, productList.members, productList.itemOf),
  /** A SKU is one product's at most. */
  productBySku: loaderOf<string, Product | null>({
    name: 'products by SKU',
    fetch: async (on, skus) => {
      const rows = await on.query<ProductRow>('products_by_skus', productsBySkus, [skus])
      const found = new Map(rows.map((row) => [row.sku, productFromRow(row)]))
      return (sku) => found.get(sku) ?? null
    },
  }),
  productPageByParentId: keysetPages(childrenOfParent, productFromRow),
  productTotalByParentId: keysetTotals(childrenOfParent),
  bundlePageByOptionId: keysetPages(bundlesOfOption, productFromRow),
  bundleTotalByOptionId: keysetTotals(bundlesOfOption),
  productPricesBySku: loaderOf<string, readonly ProductPrice[]>({
    name: 'prices by SKU',
    fetch: async (on, skus) => {
      const prices = groupBy(await pricesOfSkus(on, skus), ({ sku }) => sku)
      return (sku) => prices.get(sku) ?? []
    },
  }),
  priceModifierById: byId('price modifiers', async ({ prisma }, ids) =>
    (await prisma.priceModifier.findMany({ where: { id: { in: ids } } })).map(priceModifierFromRow),
  ),
  priceModifierPageByPriceBookId: keysetPages(modifiersOfBook, priceModifierFromRow),
  priceModifierTotalByPriceBookId: keysetTotals(modifiersOfBook),
}
