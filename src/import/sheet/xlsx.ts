/**
 * XLSX: the rows of a workbook, with cells as `csvRows` gives them (sheet.workbook-cells).
 *
 * The packed file is held in memory, and at most XLSX_BYTES_MAX of it; its rows are read one after another. A row is
 * bounded as one of CSV is, and so are the cells of all rows (sheet.memory-is-bounded).
 */
import { BrokenSheet, type Row } from './row.ts'
import { openWorkbook, type Workbook, type WorkbookSheet } from './workbook.ts'
import { WorkbookRows } from './workbook-rows.ts'
import { parseXml } from './xml.ts'

/** Bytes of a file, packed. */
export const XLSX_BYTES_MAX = 64 * 1024 * 1024

/** Sheets that a problem names. */
const NAMED_MAX = 10

/**
 * The rows of a workbook's only sheet with cells (sheet.one-sheet-of-a-workbook); numbers have a point. Throws
 * BrokenSheet.
 */
export async function* xlsxRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const workbook = await openWorkbook(await whole(pieces))
  const filled: WorkbookSheet[] = []
  for (const sheet of workbook.sheets) if (await hasCells(workbook, sheet)) filled.push(sheet)
  const [sheet, ...others] = filled
  if (others.length > 0) {
    const named = filled.slice(0, NAMED_MAX).map(({ name }) => JSON.stringify(name.slice(0, 100)))
    const more = filled.length - named.length
    const names = named.join(', ') + (more > 0 ? ` and ${more} more` : '')
    throw new BrokenSheet(`has cells in several sheets, ${names}: keep the one to import`, null)
  }
  if (sheet) yield* sheetRows(workbook, sheet)
}

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > XLSX_BYTES_MAX) throw new BrokenSheet(`has more than ${XLSX_BYTES_MAX} bytes: save it as CSV`, null)
    all.push(piece)
  }
  return Buffer.concat(all)
}

async function hasCells(workbook: Workbook, sheet: WorkbookSheet): Promise<boolean> {
  for await (const { cells } of sheetRows(workbook, sheet)) if (cells.some((cell) => cell !== '')) return true
  return false
}

async function* sheetRows(workbook: Workbook, { part }: WorkbookSheet): AsyncGenerator<Row> {
  const reader = new WorkbookRows(workbook)
  try {
    for await (const _ of parseXml(workbook.parts.read(part), reader)) yield* reader.taken()
  } catch (error) {
    // Rows that are complete come before the one where the file is broken.
    yield* reader.taken()
    throw error instanceof BrokenSheet ? reader.placed(error) : error
  }
}
