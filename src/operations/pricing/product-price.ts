/** Product prices: use cases. A book has one price per SKU (price-book.one-price-per-sku). */
import { assertValid, DomainError, notFound, type Path } from '../../domain/input/errors.ts'
import type { FilterClause, FilterRules } from '../../domain/input/filter.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { wholeResult } from '../../domain/input/reading.ts'
import { recordViolations } from '../../domain/input/record-change.ts'
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import {
  applyProductPricePatch,
  type NewProductPrice,
  newPriceResult,
  newProductPrice,
  type ProductPrice,
  type ProductPricePatch,
  productPriceRecord,
  readProductPrice,
} from '../../domain/pricing/product-price.ts'
import { translateFailure } from '../../persistence/database/failures.ts'
import { newId } from '../../persistence/database/id.ts'
import { lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { priceBookTable } from '../../persistence/pricing/price-book.ts'
import { type PriceList, priceListOf } from '../../persistence/pricing/product-price.ts'
import {
  insertProductPrices,
  lockPrices,
  priceTable,
  updateProductPrices,
} from '../../persistence/pricing/product-price-write.ts'
import { command, query } from '../operation.ts'
import { recordDelete } from '../record-commands.ts'

/** The fields by which a list of prices can be filtered. */
export const priceFilters: FilterRules = { eq: ['external_ref', 'sku'], in: ['sku'] }

/** A price by its raw id, in the book `priceBookId` if given; null when there is none. */
export const productPrice = query({
  right: 'admin',
  run: async (ctx, { id, priceBookId }: { id: string; priceBookId?: string }): Promise<ProductPrice | null> => {
    const price = isUuid(id) ? await ctx.loaders.productPriceById.load(id.toLowerCase()) : null
    return price && (priceBookId === undefined || priceBookId.toLowerCase() === price.priceBookId) ? price : null
  },
})

/**
 * A page of a book's prices, oldest first (price-book.prices-oldest-first). One statement. Throws notFound without such
 * a book.
 */
export const listProductPrices = query({
  right: 'admin',
  run: async (
    ctx,
    {
      priceBookId,
      ...window
    }: { priceBookId: string; clauses: readonly FilterClause[]; limit: number; offset: number },
  ): Promise<PriceList> => {
    const list = isUuid(priceBookId) ? await priceListOf(ctx.database, priceBookId, window) : null
    if (!list) throw priceBookNotFound()
    return list
  },
})

/**
 * Adds a price with its sales. Throws the conflict PRICE_EXISTS, and changes nothing, when the book has the SKU
 * already; of simultaneous calls for one SKU one succeeds.
 */
export const addProductPrice = command<
  { priceBookId: string; data: unknown },
  NewProductPrice,
  PriceBook,
  ProductPrice
>({
  name: 'addProductPrice',
  right: 'admin',
  read: ({ data }) => newPriceResult(readProductPrice(data, { create: true })),
  load: lockBookOrThrow,
  run: async (tx, given, book, { now, loaders }) => {
    const price = newProductPrice(book.id, given, now, () => newId(now))
    await withSubject(price, insertProductPrices(tx, [price]))
    // Responses contain the book.
    loaders.priceBookById.prime(book.id, book)
    return price
  },
})

/** Changes the given attributes of a price; equal values write nothing. Sales and attributes are replaced whole. */
export const updateProductPrice = command<{ id: string; data: unknown }, ProductPricePatch, ProductPrice, ProductPrice>(
  {
    name: 'updateProductPrice',
    right: 'admin',
    read: ({ data }, _, stored) => wholeResult(readProductPrice(data, { create: false, stored })),
    load: (tx, { id }) => lockProductPrice(tx, id),
    run: async (tx, patch, stored, ctx) => {
      const price = applyProductPricePatch(stored, patch, ctx.now, () => newId(ctx.now))
      assertValid(recordViolations(productPriceRecord, price))
      if (price !== stored) await withSubject(price, updateProductPrices(tx, [{ stored, price }]))
      return price
    },
  },
)

/** Deletes a price with its sales and returns it. Releases keep their copies (release.is-a-snapshot). */
export const deleteProductPrice = recordDelete<{ id: string }, ProductPrice>({
  name: 'deleteProductPrice',
  table: priceTable,
  load: (tx, { id }) => lockProductPrice(tx, id),
})

/** Adds the SKU and book of a price to the conflict PRICE_EXISTS that its write may throw. */
async function withSubject<T>({ sku, priceBookId }: ProductPrice, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    const failure = translateFailure(error)
    if (!(failure instanceof DomainError) || failure.violations[0]?.code !== 'PRICE_EXISTS') throw error
    const subject = `SKU ${sku} in the price book ${priceBookId}`
    const violations = failure.violations.map((violation) => ({ ...violation, subject }))
    throw new DomainError('conflict', violations)
  }
}

/**
 * Locks a price until the transaction ends and reads it with its sales; throws notFound at `path` when there is none.
 * Two statements.
 */
export async function lockProductPrice(tx: Transaction, id: string, path: Path = ['id']): Promise<ProductPrice> {
  const [price] = isUuid(id) ? await lockPrices(tx, [id]) : []
  if (!price) throw notFound(path, 'No such product price')
  return price
}

/**
 * Locks a price book against deletion and reads it; throws notFound when there is none. The lock is the weakest that
 * suffices, so writers of prices in the same book don't wait for each other. One statement.
 */
export async function lockBookOrThrow(
  tx: Transaction,
  { priceBookId }: { readonly priceBookId: string },
): Promise<PriceBook> {
  const book = isUuid(priceBookId) ? await lockRecord(tx, priceBookTable, priceBookId, 'KEY SHARE') : null
  if (!book) throw priceBookNotFound()
  return book
}

/** The error for an unknown price book. */
export function priceBookNotFound(): DomainError {
  return notFound(['priceBookId'], 'No such price book')
}
