/**
 * Workbook bytes: rows as an XLSX file with one sheet. Cells are given as CSV has them, and written so that `xlsxRows`
 * reads the same (sheet.workbook-numbers-exact).
 */
import { writeXlsxStream } from 'hucre/xlsx'
import { CLEARS, pointed, readDecimal, readText } from './cells.ts'
import { ROWS_MAX } from './workbook-rows.ts'

/** The name of the sheet. */
const NAME = 'Sheet1'
/** Characters of a cell, as spreadsheets have them. */
const CELL_CHARS_MAX = 32_767
/** Digits that spreadsheets keep. */
const DIGITS = 15

/** What a cell may be in a workbook. */
export type WorkbookCell = string | number | boolean | null

/** What the cells of a column are. */
export type Holds = 'text' | 'number' | 'flag'

/**
 * The cells of a row for a workbook; `holds` has the columns, texts where it lacks one. Throws an error for the
 * operator for a cell that is longer than spreadsheets have them.
 */
export function workbookRow(cells: readonly string[], holds: readonly Holds[]): WorkbookCell[] {
  return cells.map((cell, index) => {
    if (cell === '') return null
    if (cell.length > CELL_CHARS_MAX)
      throw new Error(`A cell of ${cells.find(Boolean)} has more than ${CELL_CHARS_MAX} characters: export it as CSV`)
    if (holds[index] === 'flag') return cell === 'true'
    if (holds[index] === 'number') return exactNumber(cell) ?? cell
    return plainText(cell)
  })
}

/** The number of a cell that a spreadsheet keeps with all its digits. */
function exactNumber(cell: string): number | undefined {
  const read = readDecimal(cell, pointed)
  return 'value' in read && Number(read.value.toPrecision(DIGITS)) === read.value ? read.value : undefined
}

/** A text without the `'` that only CSV needs before it. */
function plainText(cell: string): string {
  const text = cell.startsWith("'") ? cell.slice(1) : cell
  const isPlain = text !== '' && text !== CLEARS && !text.startsWith("'") && 'value' in readText(text)
  return isPlain ? text : cell
}

/** The bytes of a workbook in pieces; equal rows give equal bytes. Throws an error for the operator at its limits. */
export async function* workbookBytes(rows: AsyncIterable<readonly WorkbookCell[]>): AsyncGenerator<Uint8Array> {
  yield* writeXlsxStream(checked(rows), { name: NAME, freezePane: { rows: 1 } })
}

async function* checked(rows: AsyncIterable<readonly WorkbookCell[]>): AsyncGenerator<WorkbookCell[]> {
  let count = 0
  for await (const row of rows) {
    if (++count > ROWS_MAX)
      throw new Error(`A workbook has at most ${ROWS_MAX} rows, and these are more: export them as CSV`)
    yield row.map((cell) => (typeof cell === 'string' ? escaped(cell) : cell))
  }
}

/** A text in which nothing reads as the code of a character; what XML can't hold and hucre leaves has one. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (one) => (one === '\ufffe' ? '_xFFFE_' : '_xFFFF_'))
}
