/**
 * Sheets of records: the cells of their columns, and a count of what has none
 * (sheet.export-counts-what-it-leaves-out).
 */
import type { AnyRecord } from '../import/sheet/record-sheet.ts'
import { type RecordSheetType, recordSheets } from '../import/sheet/record-sheets.ts'
import type { Database } from '../persistence/database/database.ts'
import { sheetRecords } from '../persistence/sheet-records.ts'
import { type SheetWriter, sheetText } from './sheet-text.ts'

/** Counts the records of a sheet, and those that have what it leaves out. */
export class LeftOut {
  private records = 0
  private readonly counts = new Map<string, number>()

  constructor(private readonly noun: string) {}

  add(members: readonly string[]): void {
    this.records++
    for (const member of members) this.counts.set(member, (this.counts.get(member) ?? 0) + 1)
  }

  /** A line for the operator, such as `3 records of type product; left out: components of 2, files of 1`. */
  toString(): string {
    const parts = [...this.counts].sort(([left], [right]) => (left < right ? -1 : 1))
    const counted = parts.map(([member, count]) => `${member} of ${count}`)
    const all = `${this.records} records of type ${this.noun}`
    return counted.length === 0 ? all : `${all}; left out: ${counted.join(', ')}`
  }
}

/** The sheet of a type in pieces, as `write` has it, with the store as it is at one instant; `leftOut` counts. */
export function recordSheetOf<Piece>(
  write: SheetWriter<Piece>,
  database: Database,
  type: RecordSheetType,
  leftOut: LeftOut,
): AsyncGenerator<Piece> {
  const sheet = recordSheets[type]
  const source = { ...sheet, records: sheetRecords<AnyRecord>(type) }
  return write(database, source, (record) => leftOut.add(sheet.leftOut(record)))
}

/** The text of the sheet of a type as CSV. */
export function recordSheetText(database: Database, type: RecordSheetType, leftOut: LeftOut): AsyncGenerator<string> {
  return recordSheetOf(sheetText, database, type, leftOut)
}
