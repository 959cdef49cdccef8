/** Loaders of price books and product prices. Each batch is one statement, or one per distinct window where fields ask for several. */

import DataLoader from 'dataloader'
import type { FilterClause } from '../domain/filter.ts'
import { groupBy } from '../domain/group-by.ts'
import type { ProductPrice } from '../domain/product-price.ts'
import { byId, recordsById } from './by-id.ts'
import type { Database } from './database.ts'
import { priceBookList } from './price-book.ts'
import { type PriceWindow, pricePages, pricesByIds, pricesBySaleIds, pricesBySkus, priceTotals } from './product-price.ts'

interface OfBook {
  readonly priceBookId: string
}

export function priceLoaders(database: Database) {
  return {
    priceBookById: recordsById(database, priceBookList.table, priceBookList.members, priceBookList.itemOf),
    productPriceById: byId(database, 'product prices', pricesByIds),
    saleById: byId(database, 'sales', async (on, ids) => (await pricesBySaleIds(on, ids)).flatMap(({ sales }) => sales)),
    productPriceByPriceBookIdAndSku: productPriceByPriceBookIdAndSku(database),
    productPricePageByPriceBookId: byBook<{ window: PriceWindow }, ProductPrice[]>(async (ids, { window }) => {
      const pages = groupBy(await pricePages(database, ids, window), ({ priceBookId }) => priceBookId)
      return (id) => pages.get(id) ?? []
    }),
    productPriceTotalByPriceBookId: byBook<{ clauses: readonly FilterClause[] }, number>(async (ids, { clauses }) => {
      const totals = await priceTotals(database, ids, clauses)
      return (id) => totals.get(id) ?? 0
    }),
  }
}

function productPriceByPriceBookIdAndSku(database: Database) {
  const place = ({ priceBookId, sku }: OfBook & { readonly sku: string }): string => `${priceBookId} ${sku}`
  return new DataLoader<OfBook & { readonly sku: string }, ProductPrice | null, string>(
    async (keys) => {
      const found = await database.readTogether('prices by book and SKU', keys, async (on, all) => {
        return new Map((await pricesBySkus(on, all)).map((price) => [place(price), price]))
      })
      return keys.map((key) => found.get(place(key)) ?? null)
    },
    { cacheKeyFn: place },
  )
}

/** A loader by book and what else was asked; books that were asked the same share a statement. `fetch` answers a look-up by book. */
function byBook<Asked extends object, Value>(fetch: (priceBookIds: string[], asked: Asked) => Promise<(priceBookId: string) => Value>) {
  type Key = OfBook & Asked
  const asked = (key: Key): string => JSON.stringify({ ...key, priceBookId: undefined })
  return new DataLoader<Key, Value, string>(
    async (keys) => {
      const lookups = new Map<string, Promise<(priceBookId: string) => Value>>()
      for (const [group, [first, ...rest]] of groupBy(keys, asked)) {
        if (first)
          lookups.set(
            group,
            fetch(
              [first, ...rest].map((key) => key.priceBookId),
              first,
            ),
          )
      }
      return Promise.all(
        keys.map(async (key) => {
          const lookup = await lookups.get(asked(key))
          return lookup ? lookup(key.priceBookId) : new Error('a group without a look-up')
        }),
      )
    },
    { cacheKeyFn: (key) => JSON.stringify(key) },
  )
}
