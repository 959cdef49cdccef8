/**
 * Product price writes, with their sales, single or in bulk: the number of statements does not grow with that of
 * prices.
 *
 * SQL, since Prisma can't update many rows with different values, and its createMany takes nine times as long.
 */
import { formatInstant } from '../../domain/input/instant.ts'
import type { PriceUpdate, ProductPrice, Sale } from '../../domain/pricing/product-price.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type LoggedTable, logChange, logFound } from '../database/change-log.ts'
import { type ColumnValues, columnOf, membersOf } from '../database/columns.ts'
import { lockRows, withIds } from '../database/row-lock.ts'
import type { Transaction } from '../database/transaction.ts'
import { priceDocumentsOfBook, pricesByIdsIn } from './product-price.ts'

/** The table of prices as the change log has them: with their sales, which have no entries of their own. */
export const priceTable: LoggedTable<ProductPrice> = {
  model: 'productPrice',
  scopeOf: ({ priceBookId }) => priceBookId,
}

const stored = membersOf('productPrice').map(columnOf)
const salesStored = membersOf('sale').map(columnOf).join(', ')

// The JSON omits nulls and an `updated_at` that equals `created_at`: parsing it is a fifth of an import.
const input = `input AS (
  SELECT ${stored.map((column) => (column === 'updated_at' ? 'coalesce(updated_at, created_at) AS updated_at' : column)).join(', ')}
  FROM jsonb_populate_recordset(NULL::product_price, $1::jsonb))`

const insertPrices = `INSERT INTO product_price (${stored.join(', ')}) SELECT ${stored.join(', ')} FROM input`

/** The columns that a change of a price may write. */
const changed = stored.filter((column) => !['id', 'price_book_id', 'created_at'].includes(column))

/** $2 is the JSON of `salesJson`. */
const insertSales = `
  INSERT INTO sale (${salesStored}) SELECT ${salesStored} FROM jsonb_populate_recordset(NULL::sale, $2::jsonb)`

/**
 * Inserts new prices, in their order, and their sales. One statement. A SKU or external_ref that the book has already,
 * or that two prices share, fails all of them with a unique violation (price-book.external-ref-once-per-book,
 * price-book.one-price-per-sku).
 */
export async function insertProductPrices(tx: Transaction, prices: readonly ProductPrice[]): Promise<void> {
  if (prices.length === 0) return
  await tx.$executeRawUnsafe(
    `WITH ${input}, inserted AS (${insertPrices}) ${insertSales}`,
    pricesJson(prices),
    salesJson(prices),
  )
  for (const price of prices) logChange(tx, priceTable, null, price)
}

/**
 * Updates stored prices and replaces those of their sales that changed: a sale that stays is the stored object itself.
 * The caller has locked their rows. Two statements at most.
 */
export async function updateProductPrices(tx: Transaction, updates: readonly PriceUpdate[]): Promise<void> {
  if (updates.length === 0) return
  const gone = updates.flatMap(({ stored, price }) => salesUnlike(stored, price).map(({ id }) => id))
  // A statement of its own: together with the inserts, an unchanged name or schedule would violate the unique index by
  // its own old row.
  if (gone.length > 0) await tx.$executeRaw`DELETE FROM sale WHERE id = ANY (${gone}::uuid[])`
  const written = updates.map(({ stored, price }) => ({ ...price, sales: salesUnlike(price, stored) }))
  await tx.$executeRawUnsafe(
    `WITH ${input}, updated AS (
      UPDATE product_price p SET ${changed.map((column) => `${column} = g.${column}`).join(', ')} FROM input g WHERE p.id = g.id
    ) ${insertSales}`,
    pricesJson(written),
    salesJson(written),
  )
  for (const { stored, price } of updates) logChange(tx, priceTable, stored, price)
}

/** The sales of a price that are not among those of `other`, the same price before or after a change. */
function salesUnlike({ sales }: ProductPrice, other: ProductPrice): Sale[] {
  return sales.filter((sale) => !other.sales.includes(sale))
}

/** Reports the prices of a book before its deletion takes them along. One statement. */
export function logPricesOfBook(tx: Transaction, priceBookId: string): Promise<void> {
  const found = `
    SELECT 'product_price' AS topic, $4::uuid AS scope, price.id AS record_id, price.document AS before, NULL::json AS after
    FROM (${priceDocumentsOfBook('$4')}) price`
  return logFound(tx, found, priceBookId)
}

/** Locks and reads the prices with one of `ids`. Two statements, so that the sales are read under the lock. */
export async function lockPrices(tx: Transaction, ids: readonly string[]): Promise<ProductPrice[]> {
  return lockPricesWhere(tx, withIds(ids))
}

/** Locks and reads a book's prices with one of `skus`. Two statements. */
export async function lockPricesBySku(
  tx: Transaction,
  priceBookId: string,
  skus: readonly string[],
): Promise<ProductPrice[]> {
  return lockPricesWhere(tx, withSkus(priceBookId, skus))
}

/** Locks a book's prices with one of `skus`, all at once, for a transaction that reads them in parts. */
export async function lockSkus(tx: Transaction, priceBookId: string, skus: readonly string[]): Promise<void> {
  await lockRows(tx, 'productPrice', withSkus(priceBookId, skus))
}

/** Reads a book's prices with one of `skus` without a lock, for a plan alone. Two statements. */
export async function pricesBySkuIn(
  tx: Transaction,
  priceBookId: string,
  skus: readonly string[],
): Promise<ProductPrice[]> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`SELECT i.id FROM product_price i WHERE ${withSkus(priceBookId, skus)}`
  return readPrices(tx, rows)
}

/**
 * Looks each SKU up by itself: a plan that joins, made while the book was small, would read the whole book when it is
 * large.
 */
function withSkus(priceBookId: string, skus: readonly string[]): Prisma.Sql {
  return Prisma.sql`i.id = ANY (ARRAY(SELECT found.id FROM unnest(${skus}::text[]) AS k (sku) CROSS JOIN LATERAL (
    SELECT p.id FROM product_price p
    WHERE p.price_book_id = ${priceBookId}::uuid AND md5(p.sku) = md5(k.sku) AND p.sku = k.sku LIMIT 1) found))`
}

async function lockPricesWhere(tx: Transaction, where: Prisma.Sql): Promise<ProductPrice[]> {
  return readPrices(tx, await lockRows<{ id: string }>(tx, 'productPrice', where))
}

async function readPrices(tx: Transaction, rows: readonly { readonly id: string }[]): Promise<ProductPrice[]> {
  const ids = rows.map(({ id }) => id)
  return ids.length === 0 ? [] : pricesByIdsIn(tx, ids)
}

/** The id of the price that has a sale; undefined when there is no such sale. */
export async function priceIdOfSale(tx: Transaction, saleId: string): Promise<string | undefined> {
  return (await tx.sale.findUnique({ where: { id: saleId }, select: { productPriceId: true } }))?.productPriceId
}

/** The ids of the book's prices that have one of `externalRefs`, by external_ref. One statement. */
export async function ownersOfExternalRefs(
  tx: Transaction,
  priceBookId: string,
  externalRefs: readonly string[],
): Promise<Map<string, string>> {
  if (externalRefs.length === 0) return new Map()
  const rows = await tx.$queryRaw<{ ref: string; id: string }[]>`
    SELECT k.ref, found.id FROM unnest(${externalRefs}::text[]) AS k (ref) CROSS JOIN LATERAL (
      SELECT p.id FROM product_price p
      WHERE p.price_book_id = ${priceBookId}::uuid AND md5(p.external_ref) = md5(k.ref) AND p.external_ref = k.ref LIMIT 1) found`
  return new Map(rows.map(({ ref, id }) => [ref, id]))
}

/**
 * Clears the external_ref of prices that are updated next, so that another price of the same bulk can take it over. One
 * statement.
 */
export async function freeExternalRefs(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.$executeRaw`UPDATE product_price SET external_ref = NULL WHERE id = ANY (${ids}::uuid[])`
}

/** The JSON of `input`. */
function pricesJson(prices: readonly ProductPrice[]): string {
  const instant = instantTexts()
  const record = (price: ProductPrice): ColumnValues<'productPrice'> => ({
    id: price.id,
    price_book_id: price.priceBookId,
    sku: price.sku,
    external_ref: price.externalRef ?? undefined,
    currencies: price.currencies,
    admin_attributes: price.adminAttributes ?? undefined,
    shopper_attributes: price.shopperAttributes ?? undefined,
    created_at: instant(price.createdAt),
    updated_at: price.updatedAt === price.createdAt ? undefined : instant(price.updatedAt),
  })
  return JSON.stringify(prices.map(record))
}

/** The JSON of `insertSales`. */
function salesJson(prices: readonly ProductPrice[]): string {
  const instant = instantTexts()
  const bound = (ms: number | null): string | null => (ms === null ? null : instant(ms))
  const record = (sale: Sale, price: ProductPrice): ColumnValues<'sale'> => ({
    id: sale.id,
    product_price_id: price.id,
    price_book_id: price.priceBookId,
    name: sale.name,
    valid_from: bound(sale.validFrom),
    valid_to: bound(sale.validTo),
    bundle_ids: sale.bundleIds,
    currencies: sale.currencies,
    created_at: instant(sale.createdAt),
    updated_at: instant(sale.updatedAt),
  })
  return JSON.stringify(prices.flatMap((price) => price.sales.map((sale) => record(sale, price))))
}

/** A formatter of instants that caches its texts, since most instants of a bulk are equal. */
function instantTexts(): (ms: number) => string {
  const texts = new Map<number, string>()
  return (ms) => {
    const cached = texts.get(ms)
    if (cached !== undefined) return cached
    const text = formatInstant(ms)
    texts.set(ms, text)
    return text
  }
}
