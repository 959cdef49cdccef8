/** Sheet of prices: the prices of a book, one a row. */
import { formatInstant } from '../domain/input/instant.ts'
import type { CurrencyPriceRecords } from '../domain/pricing/price-record.ts'
import type { ProductPrice } from '../domain/pricing/product-price.ts'
import { formatAmount, formatText } from '../import/sheet/cells.ts'
import { columnName, compareColumns, type PriceColumn, parseColumn } from '../import/sheet/price-columns.ts'
import type { Holds } from '../import/sheet/workbook-bytes.ts'
import type { Database } from '../persistence/database/database.ts'
import { pricesOfBook } from '../persistence/pricing/book-prices.ts'
import { type SheetSource, type SheetWriter, sheetText } from './sheet-text.ts'

/** A sheet in pieces, by SKU, as `write` has it. Calls `onPrice` for each price. */
export function priceSheetOf<Piece>(
  write: SheetWriter<Piece>,
  database: Database,
  bookId: string,
  onPrice: () => void,
): AsyncGenerator<Piece> {
  const source: SheetSource<ProductPrice> = {
    records: { statement: pricesOfBook(bookId), fromRow: (price: ProductPrice) => price },
    cells: cellsOf,
    always: ['sku', 'external_ref'],
    identity: (name) => name,
    order: (names) => [...names].map(columnOf).sort(compareColumns).map(columnName),
    holds: (name) => heldBy(columnOf(name)),
  }
  return write(database, source, onPrice)
}

/** The text of a sheet as CSV. */
export function priceSheetText(database: Database, bookId: string, onPrice: () => void): AsyncGenerator<string> {
  return priceSheetOf(sheetText, database, bookId, onPrice)
}

function columnOf(name: string): PriceColumn {
  return parseColumn(name) as PriceColumn
}

function heldBy({ on, member }: PriceColumn): Holds {
  if (on === 'currency') return member === 'includes_tax' ? 'flag' : 'number'
  return member === 'exists' ? 'flag' : 'text'
}

/** The cells of a price that have a value, by the names of their columns. */
function cellsOf({ sku, externalRef, currencies, sales }: ProductPrice): Map<string, string> {
  const cells = new Map<string, string>()
  const add = (column: PriceColumn, cell: string) => void cells.set(columnName(column), cell)
  add({ on: 'price', member: 'sku' }, formatText(sku))
  if (externalRef !== null) add({ on: 'price', member: 'external_ref' }, formatText(externalRef))
  addCurrencies(currencies, null, add)
  for (const { name, validFrom, validTo, bundleIds, currencies: ofSale } of sales) {
    const of = { on: 'sale', sale: name } as const
    add({ ...of, member: 'exists' }, 'true')
    if (validFrom !== null) add({ ...of, member: 'valid_from' }, formatInstant(validFrom))
    if (validTo !== null) add({ ...of, member: 'valid_to' }, formatInstant(validTo))
    if (bundleIds.length > 0) add({ ...of, member: 'bundle_ids' }, bundleIds.join(' '))
    addCurrencies(ofSale, name, add)
  }
  return cells
}

function addCurrencies(
  currencies: CurrencyPriceRecords,
  sale: string | null,
  add: (column: PriceColumn, cell: string) => void,
): void {
  for (const [currency, { amount, includes_tax, tiers }] of Object.entries(currencies)) {
    const of = { on: 'currency', sale, currency } as const
    if (amount !== null) add({ ...of, member: 'amount' }, formatAmount(amount, currency, '.'))
    add({ ...of, member: 'includes_tax' }, String(includes_tax))
    for (const { minimum_quantity: minimum, amount: reduced } of Object.values(tiers ?? {}))
      if (reduced !== null) add({ ...of, member: 'tier', minimum }, formatAmount(reduced, currency, '.'))
  }
}
