/** What an export writes: the whole store, its subscriptions, or a sheet. */
import type { TypedSheetArguments } from '../import/arguments.ts'
import type { Database } from '../persistence/database/database.ts'
import { bookNamed } from '../persistence/pricing/book-prices.ts'
import { exportText, subscriptionsText } from './export.ts'
import { priceSheetOf } from './price-sheet.ts'
import { LeftOut, recordSheetOf } from './record-sheet.ts'
import { sheetText, sheetWorkbook } from './sheet-text.ts'

/** Text, or bytes of a workbook. */
export type Piece = string | Uint8Array

/** What is asked for. */
export interface ExportOptions {
  /** What is written as a sheet; null for JSON lines. */
  readonly sheet: Exclude<TypedSheetArguments, { readonly type: null }> | null
  /** Whether a sheet is a workbook, not CSV. */
  readonly asWorkbook: boolean
  /** Whether the lines are those of all subscriptions, not of the store. */
  readonly subscriptions: boolean
}

/** An export that nobody has read yet. */
export interface StoreExport {
  readonly pieces: AsyncIterable<Piece>
  /** What it holds and leaves out, in a line: of a sheet from its first piece on, else at the end. */
  readonly told: () => string
}

/** The export. Throws NoSuchBook. */
export async function storeExport(
  database: Database,
  options: ExportOptions,
): Promise<StoreExport & { readonly pieces: AsyncGenerator<Piece> }> {
  const { sheet, subscriptions } = options
  const write = options.asWorkbook ? sheetWorkbook : sheetText
  let count = 0
  if (sheet === null) {
    const onObjects = (objects: number): void => {
      count = objects
    }
    const linesOf = subscriptions ? subscriptionsText : exportText
    return { pieces: linesOf(database, onObjects), told: () => `${count} objects` }
  }
  if (sheet.type !== 'product-price') {
    const leftOut = new LeftOut(sheet.type)
    return { pieces: recordSheetOf<Piece>(write, database, sheet.type, leftOut), told: () => leftOut.toString() }
  }
  const onPrice = (): void => {
    count++
  }
  const pieces = priceSheetOf<Piece>(write, database, await bookNamed(database, sheet.book), onPrice)
  return { pieces, told: () => `${count} prices, without the names of tiers and without attributes` }
}
