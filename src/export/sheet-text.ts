/** Sheets: records of any kind as CSV or as a workbook, one a row, which an import takes (sheet.export-restores-it). */
import { BYTE_ORDER_MARK, csvText } from '../import/sheet/csv-text.ts'
import { COLUMNS_MAX, ROW_BYTES_MAX } from '../import/sheet/row.ts'
import { type Holds, workbookBytes, workbookRow } from '../import/sheet/workbook-bytes.ts'
import type { Database } from '../persistence/database/database.ts'
import { inSnapshot, type Snapshot } from '../persistence/database/snapshot.ts'
import type { SheetRecords } from '../persistence/sheet-records.ts'

/** Rows that are written at once. */
const ROWS_AT_ONCE = 500

/** Error of records that need more columns than an import takes. The message is for the operator. */
export class SheetTooWide extends Error {
  override readonly name = 'SheetTooWide'
}

/** What the rows of a sheet are. */
export interface SheetSource<Item> {
  /** The records in the order of the rows. */
  readonly records: SheetRecords<Item>
  /** The columns that a record has a value for, by name, with their cells. */
  readonly cells: (record: Item) => ReadonlyMap<string, string>
  /** Columns that the sheet has without a value. */
  readonly always: readonly string[]
  /** Equal for names that mean one column. */
  readonly identity: (name: string) => string
  readonly order: (names: Iterable<string>) => readonly string[]
  /** What the cells of a column are in a workbook. */
  readonly holds: (name: string) => Holds
}

/** What an export is written as: its text in pieces, or its bytes. */
export type SheetWriter<Piece> = <Item>(
  database: Database,
  source: SheetSource<Item>,
  onRecord: (record: Item) => void,
) => AsyncGenerator<Piece>

/** CSV: the text of a sheet in pieces. Equal records give equal text. Other arguments and errors as of `sheetRows`. */
export async function* sheetText<Item>(
  database: Database,
  source: SheetSource<Item>,
  onRecord: (record: Item) => void,
): AsyncGenerator<string> {
  let isFirst = true
  let rows: (readonly string[])[] = []
  for await (const row of sheetRows(database, source, onRecord)) {
    rows.push(row)
    if (!isFirst && rows.length < ROWS_AT_ONCE) continue
    yield (isFirst ? BYTE_ORDER_MARK : '') + csvText(rows)
    isFirst = false
    rows = []
  }
  if (rows.length > 0) yield csvText(rows)
}

/** XLSX: the bytes of a workbook in pieces. Equal records give equal bytes. Other arguments as of `sheetRows`. */
export async function* sheetWorkbook<Item>(
  database: Database,
  source: SheetSource<Item>,
  onRecord: (record: Item) => void,
): AsyncGenerator<Uint8Array> {
  const rows = sheetRows(database, source, onRecord)
  try {
    // A workbook begins with parts that need no row. The header comes before them, as in CSV: it may be too wide.
    const header = (await rows.next()).value as readonly string[]
    const holds = header.map(source.holds)
    const all = async function* () {
      yield workbookRow(header, [])
      for await (const row of rows) yield workbookRow(row, holds)
    }
    yield* workbookBytes(all())
  } finally {
    await rows.return(undefined)
  }
}

/**
 * The rows of a sheet, the names of columns first, with the store as it is at one instant; cells are those of CSV.
 * The records are read twice: first for the columns, and to call `onRecord` with each, so that what it counts is known
 * when the first row comes. Throws an error for the operator when an import would refuse the sheet for its size.
 */
function sheetRows<Item>(
  database: Database,
  source: SheetSource<Item>,
  onRecord: (record: Item) => void,
): AsyncGenerator<readonly string[]> {
  return inSnapshot(database, [source.records.statement], async function* (snapshot) {
    const header = await headerOf(snapshot, source, onRecord)
    const places = new Map(header.map((name, index) => [source.identity(name), index]))
    yield header
    for await (const record of recordsOf(snapshot, source)) {
      const row = header.map(() => '')
      for (const [name, cell] of source.cells(record)) row[places.get(source.identity(name)) as number] = cell
      assertShort(row, header)
      yield row
    }
  })
}

async function* recordsOf<Item>(snapshot: Snapshot, { records }: SheetSource<Item>): AsyncGenerator<Item> {
  for await (const row of snapshot.rows(records.statement)) yield records.fromRow(row as never)
}

/** The names of the columns. Of several names of one column the first in their order is taken. */
async function headerOf<Item>(
  snapshot: Snapshot,
  source: SheetSource<Item>,
  onRecord: (record: Item) => void,
): Promise<readonly string[]> {
  const names = new Map(source.always.map((name) => [source.identity(name), name]))
  for await (const record of recordsOf(snapshot, source)) {
    onRecord(record)
    for (const name of source.cells(record).keys()) {
      const identity = source.identity(name)
      const before = names.get(identity)
      if (before === undefined || name < before) names.set(identity, name)
    }
    if (names.size > COLUMNS_MAX)
      throw new SheetTooWide(
        `A sheet has at most ${COLUMNS_MAX} columns, and these records need more: export them as JSON`,
      )
  }
  return source.order(names.values())
}

function assertShort(row: readonly string[], header: readonly string[]): void {
  // A character has at most three bytes of UTF-8, so most rows need no count.
  if (row.reduce((sum, cell) => sum + cell.length, 0) * 3 + row.length <= ROW_BYTES_MAX) return
  if (Buffer.byteLength(csvText([row])) <= ROW_BYTES_MAX) return
  const found = row.findIndex((cell) => cell !== '')
  throw new Error(
    `The row with ${header[found]} ${row[found]?.slice(0, 100)} has more than ${ROW_BYTES_MAX} bytes: export it as JSON`,
  )
}
