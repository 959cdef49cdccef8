/** Sheet of prices: one price of a book a row. */
import { productPriceRecord } from '../../domain/pricing/product-price.ts'
import { type PriceColumn, parseColumn, unknownColumn } from './price-columns.ts'
import { PriceRow, pathOf } from './price-row.ts'
import type { SheetKind } from './sheet.ts'

/** The sheets of the prices of a book; null where none is named. */
export function priceSheet(bookId: string | null): SheetKind<PriceColumn> {
  return {
    type: productPriceRecord.type,
    keys: ['sku'],
    parse: parseColumn,
    unknown: unknownColumn,
    identity: (name) => name,
    pathOf,
    isInstant: (column) => column.on === 'sale' && column.member.startsWith('valid_'),
    row: () => new PriceRow(bookId ?? ''),
    lacks: bookId === null ? 'has prices: the price book must be given, by its name or id' : undefined,
  }
}
