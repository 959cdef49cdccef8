/** Price loaders: price books, product prices and sales. Each batch is one statement, lists one per distinct window. */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { ProductPrice } from '../../domain/pricing/product-price.ts'
import { groupBy } from '../../lib/group-by.ts'
import { columnsOf } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { byId, loaderOf, loadersBy } from '../loading/loader.ts'
import { priceBookTable } from './price-book.ts'
import {
  type PriceWindow,
  pricePages,
  pricesByIds,
  pricesBySaleIds,
  pricesBySkus,
  priceTotals,
} from './product-price.ts'

interface SkuInBook {
  readonly priceBookId: string
  readonly sku: string
}

/** Books with the same window share a statement. */
const pagesOfBook = loadersBy<PriceWindow, string, readonly ProductPrice[]>(JSON.stringify, (window) => ({
  name: 'price pages',
  none: [],
  read: async (on, ids) => groupBy(await pricePages(on, ids, window), ({ priceBookId }) => priceBookId),
}))

const totalsOfBook = loadersBy<readonly RecordClause[], string, number>(JSON.stringify, (clauses) => ({
  name: 'price totals',
  none: 0,
  read: (on, ids) => priceTotals(on, ids, clauses),
}))

const skuInBook = ({ priceBookId, sku }: SkuInBook): string => `${priceBookId} ${sku}`

const booksByIds = `SELECT ${columnsOf('priceBook')} FROM price_book i WHERE i.id = ANY ($1::uuid[])`

/** The factories of a request's loaders. */
export const priceLoaders = {
  /** SQL, since Prisma takes five times as long for a few rows. */
  priceBookById: byId('price books', async (on, ids) =>
    (await on.query<Parameters<typeof priceBookTable.fromRow>[0]>('price_books_by_ids', booksByIds, [ids])).map(
      priceBookTable.fromRow,
    ),
  ),
  productPriceById: byId('product prices', pricesByIds),
  saleById: byId('sales', async (on, ids) => (await pricesBySaleIds(on, ids)).flatMap(({ sales }) => sales)),
  productPriceByPriceBookIdAndSku: loaderOf<SkuInBook, ProductPrice | null>({
    name: 'prices by book and SKU',
    cacheKeyFn: skuInBook,
    none: null,
    read: async (on, keys) => new Map((await pricesBySkus(on, keys)).map((price) => [skuInBook(price), price])),
  }),
  productPriceListByPriceBookId: (database: Database) => ({
    pages: pagesOfBook(database),
    totals: totalsOfBook(database),
  }),
}
