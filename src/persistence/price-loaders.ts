/** Loaders of price books and product prices. Each batch is one statement, or one per distinct window where fields ask for several. */
import type { FilterClause } from '../domain/filter.ts'
import { groupBy } from '../domain/group-by.ts'
import type { ProductPrice } from '../domain/product-price.ts'
import { byId } from './by-id.ts'
import type { Database } from './database.ts'
import { familyOf, type LookUp, loaderOf } from './loader.ts'
import { bookColumns, fromRow as bookFromRow } from './price-book.ts'
import { type PriceWindow, pricePages, pricesByIds, pricesBySaleIds, pricesBySkus, priceTotals } from './product-price.ts'

interface OfBook {
  readonly priceBookId: string
}

interface OfSku extends OfBook {
  readonly sku: string
}

const placeOf = ({ priceBookId, sku }: OfSku): string => `${priceBookId} ${sku}`

const booksByIds = `SELECT ${bookColumns} FROM price_book i WHERE i.id = ANY ($1::uuid[])`

export const priceLoaders = {
  /** By a named statement: Prisma takes five times as long for a few rows. */
  priceBookById: byId('price books', async (on, ids) =>
    (await on.query<Parameters<typeof bookFromRow>[0]>('price_books_by_ids', booksByIds, [ids])).map(bookFromRow),
  ),
  productPriceById: byId('product prices', pricesByIds),
  saleById: byId('sales', async (on, ids) => (await pricesBySaleIds(on, ids)).flatMap(({ sales }) => sales)),
  productPriceByPriceBookIdAndSku: loaderOf<OfSku, ProductPrice | null>({
    name: 'prices by book and SKU',
    placeOf,
    fetch: async (on, keys) => {
      const found = new Map((await pricesBySkus(on, keys)).map((price) => [placeOf(price), price]))
      return (key) => found.get(placeOf(key)) ?? null
    },
  }),
  productPricePageByPriceBookId: byBook<{ window: PriceWindow }, ProductPrice[]>('price pages', async (on, ids, { window }) => {
    const pages = groupBy(await pricePages(on, ids, window), ({ priceBookId }) => priceBookId)
    return (id) => pages.get(id) ?? []
  }),
  productPriceTotalByPriceBookId: byBook<{ clauses: readonly FilterClause[] }, number>('price totals', async (on, ids, { clauses }) => {
    const totals = await priceTotals(on, ids, clauses)
    return (id) => totals.get(id) ?? 0
  }),
}

/** Loaders by book and what else was asked; books that were asked the same share a statement. */
function byBook<Asked extends object, Value>(
  name: string,
  fetch: (on: Database, priceBookIds: string[], asked: Asked) => Promise<LookUp<string, Value>>,
) {
  return familyOf<OfBook & Asked, string, Value>({
    idOf: ({ priceBookId: _, ...asked }) => JSON.stringify(asked),
    keyOf: ({ priceBookId }) => priceBookId,
    pathOf: (asked, id) => ({ name: `${name} ${id}`, fetch: (on, ids) => fetch(on, ids, asked) }),
  })
}
