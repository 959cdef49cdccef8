/** Loaders of catalog products and price modifiers. Each batch is one statement, connections one per distinct window (keyset.ts). */
import DataLoader from 'dataloader'
import { groupBy } from '../domain/group-by.ts'
import type { Product } from '../domain/product.ts'
import type { ProductPrice } from '../domain/product-price.ts'
import type { PriceModifier as ModifierRow } from '../generated/prisma/client.ts'
import { byId, recordsById } from './by-id.ts'
import type { Database } from './database.ts'
import { createdOrder, type KeysetList, keysetPages, keysetTotals, selectItem } from './keyset.ts'
import { priceModifierFromRow } from './price-modifier.ts'
import { ownMembers, type ProductRow, productFromRow, productList } from './product.ts'
import { pricesOfSkus } from './product-price.ts'

export function productLoaders(database: Database) {
  return {
    productById: recordsById(database, productList.table, productList.members, productList.itemOf),
    productBySku: productBySku(database),
    productPageByParentId: keysetPages(database, childrenOfParent, relatedFromRow),
    productTotalByParentId: keysetTotals(database, childrenOfParent),
    bundlePageByOptionId: keysetPages(database, bundlesOfOption, relatedFromRow),
    bundleTotalByOptionId: keysetTotals(database, bundlesOfOption),
    productPricesBySku: new DataLoader<string, readonly ProductPrice[]>(async (skus) => {
      const prices = await database.readTogether('prices by SKU', skus, async (on, all) =>
        groupBy(await pricesOfSkus(on, all), ({ sku }) => sku),
      )
      return skus.map((sku) => prices.get(sku) ?? [])
    }),
    priceModifierById: byId(database, 'price modifiers', async ({ prisma }, ids) =>
      (await prisma.priceModifier.findMany({ where: { id: { in: ids } } })).map(priceModifierFromRow),
    ),
    priceModifierPageByPriceBookId: keysetPages(database, modifiersOfBook, priceModifierFromRow),
    priceModifierTotalByPriceBookId: keysetTotals(database, modifiersOfBook),
  }
}

/** A SKU is one product's at most. */
function productBySku(database: Database): DataLoader<string, Product | null> {
  const text = `SELECT ${selectItem(...productList.members)} FROM product i WHERE i.sku = ANY ($1::text[])`
  const fetch = async (on: Database, skus: string[]) =>
    new Map((await on.query<ProductRow>('products_by_skus', text, [skus])).map((row) => [row.sku, productFromRow(row)]))
  return new DataLoader(async (skus) => {
    const found = await database.readTogether('products by SKU', skus, fetch)
    return skus.map((sku) => found.get(sku) ?? null)
  })
}

/** `parentId` is what a page calls the product whose list it is. */
export type RelatedRow = Omit<ProductRow, 'parentId'> & { readonly baseId: string | null }

export function relatedFromRow({ baseId, ...row }: RelatedRow) {
  return productFromRow({ ...row, parentId: baseId })
}

export const productColumns = `${selectItem(...ownMembers)}, i.parent_id AS "baseId"`

const childrenOfParent: KeysetList<RelatedRow> = {
  from: 'product i',
  parent: 'i.parent_id',
  columns: productColumns,
  order: createdOrder,
}

/** The options' ids are indexed as arrays (GIN), which is why the list is not a join. */
const bundlesOfOption: KeysetList<RelatedRow> = {
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
