/**
 * Product price reads, each price with its sales, in one statement.
 *
 * Rows are the domain's entities: camelCase, instants in epoch milliseconds, sales by name in code point order. Values
 * of clients are only ever parameters.
 *
 * SQL, since Prisma reads children by a second statement or in twice the time (keyset.ts).
 */
import type { FilterClause } from '../../domain/input/filter.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import { comparesValues, type RecordClause } from '../../domain/input/record-filter.ts'
import type { RecordOrder } from '../../domain/input/record-order.ts'
import { isStorable } from '../../domain/input/text.ts'
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import type { ProductPrice } from '../../domain/pricing/product-price.ts'
import { columnOf, columnsOf, entityColumns } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type AddParameter, parametersOf } from '../database/query.ts'
import { sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'
import type { Transaction } from '../database/transaction.ts'
import { keysetClauses, keysetOrder } from '../loading/keyset.ts'
import { bookColumns, priceBookTable } from './price-book.ts'
import { saleColumns } from './sale-list.ts'

/** A page of a book's prices, oldest first unless it says otherwise (price-book.prices-oldest-first). */
export interface PriceWindow extends Partial<KeysetWindow> {
  /** On `sku`, `external_ref`, `createdAt` and `updatedAt`; all of them must hold. */
  readonly clauses: readonly RecordClause[]
  readonly order?: RecordOrder
  readonly limit: number
}

const oldestFirst: RecordOrder = { field: 'createdAt', descending: false }

const columns = `${entityColumns('productPrice', 'p', { createdAt: true, updatedAt: true }).list}, sales.list AS sales`

const salesOfP = `
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(${saleColumns.json} ORDER BY s.name COLLATE "C"), '[]') AS list
    FROM sale s WHERE s.product_price_id = p.id
  ) sales`

/** The beginning of a statement that reads prices `p`; its condition and order follow. */
export const selectPrices = `SELECT ${columns} FROM product_price p ${salesOfP}`

const byId = `${selectPrices} WHERE p.id = ANY ($1::uuid[])`

/** The prices with one of `ids`, in any order. One statement. */
export function pricesByIds(database: Database, ids: readonly string[]): Promise<ProductPrice[]> {
  return database.query<ProductPrice>('product_prices_by_id', byId, [ids])
}

/** As `pricesByIds`, inside a transaction. One statement. */
export function pricesByIdsIn(tx: Transaction, ids: readonly string[]): Promise<ProductPrice[]> {
  return tx.$queryRawUnsafe<ProductPrice[]>(byId, ids)
}

/** The statement that reads the ids and the JSON of the prices of a book, whose id is the parameter. */
export function priceDocumentsOfBook(parameter: string): string {
  return `
    SELECT listed.id, row_to_json(listed) AS document
    FROM (SELECT ${columns} FROM product_price p ${salesOfP} WHERE p.price_book_id = ${parameter}::uuid) listed`
}

/** The prices of pairs of book and SKU, in any order. One statement. */
export function pricesBySkus(
  database: Database,
  keys: readonly { priceBookId: string; sku: string }[],
): Promise<ProductPrice[]> {
  const storable = keys.filter(({ sku }) => isStorable(sku))
  const text = `
    SELECT ${columns} FROM unnest($1::uuid[], $2::text[]) AS k (price_book_id, sku)
    JOIN product_price p ON p.price_book_id = k.price_book_id AND md5(p.sku) = md5(k.sku) AND p.sku = k.sku ${salesOfP}`
  return database.query<ProductPrice>('product_prices_by_sku', text, [
    storable.map((key) => key.priceBookId),
    storable.map((key) => key.sku),
  ])
}

/** The prices that have one of the sales, in any order. One statement. */
export function pricesBySaleIds(database: Database, saleIds: readonly string[]): Promise<ProductPrice[]> {
  const text = `
    SELECT ${columns} FROM product_price p ${salesOfP}
    WHERE p.id IN (SELECT product_price_id FROM sale WHERE id = ANY ($1::uuid[]))`
  return database.query<ProductPrice>('product_prices_by_sale', text, [saleIds])
}

/** A price with its book. */
export interface PriceInBook {
  readonly price: ProductPrice
  readonly book: PriceBook
}

/** The prices of SKUs in all books with their books, oldest first. One statement. */
export async function pricesOfSkus(database: Database, skus: readonly string[]): Promise<PriceInBook[]> {
  const text = `
    SELECT ${columns}, ${bookColumns.json} AS book FROM product_price p JOIN price_book b ON b.id = p.price_book_id ${salesOfP}
    WHERE p.sku = ANY ($1::text[]) ORDER BY p.created_at, p.id`
  const rows = await database.query<ProductPrice & { book: PriceBook }>('product_prices_of_skus', text, [skus])
  return rows.map(({ book, ...price }) => ({ price, book }))
}

/**
 * A page of each book's prices, in one list; the prices of a book are in the window's order. One statement for any
 * number of books.
 */
export function pricePages(
  database: Database,
  priceBookIds: readonly string[],
  window: PriceWindow,
): Promise<ProductPrice[]> {
  const { values, add } = parametersOf(priceBookIds)
  const { page, sorted } = pageOf(fromPricesOf(window.clauses, add), window, add)
  const text = `SELECT ${columns} FROM unnest($1::uuid[]) AS b (id) CROSS JOIN LATERAL (${page}) p ${salesOfP} ${sorted}`
  return queryText<ProductPrice>(database, text, values)
}

/** The subquery of a page, and its ORDER BY. `from` is a result of `fromPricesOf`. */
function pageOf(from: string, window: PriceWindow, add: AddParameter) {
  const { order = oldestFirst, after = null, before = null, reverse = false, limit, offset = 0 } = window
  const { conditions, sorted } = keysetClauses(keysetOrder(order, 'p'), { after, before, reverse }, add)
  const page = `SELECT p.* ${[from, ...conditions].join(' AND ')} ${sorted} LIMIT ${add(limit)} OFFSET ${add(offset)}`
  return { page, sorted }
}

/** A page of a book's prices. */
export interface PriceList {
  readonly book: PriceBook
  readonly prices: readonly ProductPrice[]
  /** Matching prices of all pages. */
  readonly total: number
}

/** A book with a page of its prices, from one snapshot; null when there is no such book. One statement. */
export async function priceListOf(
  database: Database,
  priceBookId: string,
  window: PriceWindow,
): Promise<PriceList | null> {
  const { values, add } = parametersOf([priceBookId])
  const from = fromPricesOf(window.clauses, add)
  const { page, sorted } = pageOf(from, window, add)
  const text = `
    SELECT ${columnsOf('priceBook')}, (SELECT count(*) ${from})::float8 AS total,
      (SELECT coalesce(json_agg(listed), '[]') FROM (SELECT ${columns} FROM (${page}) p ${salesOfP} ${sorted}) listed) AS prices
    FROM unnest($1::uuid[]) AS b (id) JOIN price_book i ON i.id = b.id`
  type Row = Parameters<typeof priceBookTable.fromRow>[0] & Omit<PriceList, 'book'>
  const [row] = await queryText<Row>(database, text, values)
  if (!row) return null
  const { total, prices, ...book } = row
  return { book: priceBookTable.fromRow(book), prices, total }
}

/** The number of matching prices of each book, by book id. One statement for any number of books. */
export async function priceTotals(
  database: Database,
  priceBookIds: readonly string[],
  clauses: readonly RecordClause[],
): Promise<Map<string, number>> {
  const { values, add } = parametersOf(priceBookIds)
  const text = `SELECT b.id, (SELECT count(*) ${fromPricesOf(clauses, add)})::float8 AS total FROM unnest($1::uuid[]) AS b (id)`
  const rows = await queryText<{ id: string; total: number }>(database, text, values)
  return new Map(rows.map(({ id, total }) => [id, total]))
}

/**
 * `FROM ... WHERE ...` for the prices of the book b that meet all clauses. The distinct values of a column are one
 * parameter and looked up one by one in its unique index, which stays fast whatever the planner estimates.
 */
function fromPricesOf(clauses: readonly RecordClause[], add: AddParameter): string {
  const tables = ['product_price p']
  const conditions = ['p.price_book_id = b.id']
  for (const column of ['sku', 'external_ref'] as const) {
    const values = allowedValues(clauses.filter(comparesValues).filter(({ field }) => field === column))
    if (values === undefined) continue
    tables.push(`unnest(${add(values)}::text[]) AS by_${column} (value)`)
    conditions.push(`md5(p.${column}) = md5(by_${column}.value) AND p.${column} = by_${column}.value`)
  }
  for (const clause of clauses)
    if (!comparesValues(clause)) conditions.push(sqlCondition(`p.${columnOf(clause.field)}`, clause, add))
  return `FROM ${tables.join(' CROSS JOIN ')} WHERE ${conditions.join(' AND ')}`
}

/** The values that all clauses allow; undefined without clauses. */
function allowedValues(clauses: readonly FilterClause[]): string[] | undefined {
  const [first, ...others] = clauses.map(({ values }) => new Set(values))
  return first && [...first].filter((value) => others.every((other) => other.has(value)))
}
