/** Sheets: reads a CSV file or a workbook as objects of the import, one a row, whatever its rows are. */
import { type Path, segmentTexts, type Violation } from '../../domain/input/errors.ts'
import type { SpellOption } from '../option-words.ts'
import type { ParsedObject, SheetRow } from '../parsed-object.ts'
import { type DecimalMark, type NumberFormat, pointed } from './cells.ts'
import { BrokenSheet, COLUMNS_MAX, type Row, type Separator } from './row.ts'
import { type Peeked, sheetRows } from './rows.ts'

/** Problems of the header that are reported. */
const HEADER_PROBLEMS_MAX = 20

/** The column that says why a row was refused; it has no effect. */
export const REFUSED_COLUMN = 'refused'

/** What the rows of a sheet are. */
export interface SheetKind<Column = unknown> {
  /** The type of their objects. */
  readonly type: string
  /** Columns by which a row finds its record; a file has at least one of them. */
  readonly keys: readonly string[]
  /** The column with a name; undefined when there is none. */
  parse(name: string): Column | undefined
  /** A sentence for a name that no column has. */
  unknown(name: string): string
  /** Equal for names that mean one column. */
  identity(name: string): string
  /** The path of a column's value in an object's data. */
  pathOf(column: Column): Path
  /** Whether a column takes an instant; a date in any other one is a code or a text that a spreadsheet changed. */
  isInstant?(column: Column): boolean
  /** A row that has no cells yet. */
  row(): CellTaker<Column>
  /** What has to be given before its rows can be read; it completes "row: ...". */
  readonly lacks?: string | undefined
}

/** A row that takes its cells one after another. */
export interface CellTaker<Column> {
  /** Takes a cell that is not empty; numbers in it have the `format`. */
  take(column: Column, cell: string, format: NumberFormat): void
  /** What is wrong with the cells so far; paths begin at the object's data. */
  readonly violations: readonly Violation[]
  /** The object's `data` for a stored record, which keeps what the row has no cells for, or for a new one. */
  dataFor(stored: object | undefined): object
}

/** How a sheet is read. */
export interface SheetOptions {
  /** What its rows may be: of several the one kind that has all its columns (sheet.kind-by-columns). */
  readonly kinds: readonly SheetKind[]
  /** Undefined: a comma where `;` separates the cells. */
  readonly decimal?: DecimalMark | undefined
  /** Whether unknown columns are left out and counted; otherwise the file is refused. */
  readonly ignoreUnknown: boolean
  /** How problems name options. */
  readonly spell: SpellOption
}

/** The columns of a sheet by place. */
interface Header {
  readonly kind: SheetKind
  readonly names: readonly string[]
  /** Of the kind's own type; null for one that is not read. */
  readonly columns: readonly unknown[]
  readonly ignored: readonly string[]
  readonly separator: Separator
  readonly format: NumberFormat
}

/**
 * The objects of a sheet. A row that can't be read is an object with violations; a file that can't be read from some
 * row on ends with a problem (sheet.errors-name-the-cell).
 */
export function sheetObjects(file: Peeked, options: SheetOptions): AsyncGenerator<ParsedObject> {
  return rowObjects(sheetRows(file), options)
}

/** The objects of the rows of a sheet, of which the first has the names of the columns. */
export async function* rowObjects(
  rows: AsyncIterable<Row> | Iterable<Row>,
  options: SheetOptions,
): AsyncGenerator<ParsedObject> {
  let header: Header | undefined
  let isFirst = true
  try {
    for await (const row of rows) {
      const { number, cells, separator } = row
      if (cells.every((cell) => cell === '')) continue
      if (!header) {
        const read = readHeader(row, options)
        if (Array.isArray(read)) {
          yield unreadable(number, read, { header: cells.slice(0, COLUMNS_MAX), cells: [], separator })
          return
        }
        header = read
        continue
      }
      // The places of an import hash what it has read, and what a row says depends on the header.
      const hashed = isFirst ? [header.names, cells] : cells
      isFirst = false
      yield rowObject(header, row, Buffer.from(JSON.stringify(hashed)))
    }
  } catch (error) {
    if (!(error instanceof BrokenSheet)) throw error
    const { row, column, message } = error
    const [names, separator] = [header?.names ?? options.kinds[0]?.keys.slice(0, 1) ?? [], header?.separator ?? ',']
    const problem =
      row === null ? message : `${cellName(row, column)}: ${message}; the file is not read from this row on`
    yield unreadable(row ?? 1, [problem], { header: names, cells: [], separator })
  }
}

function unreadable(line: number, problems: readonly string[], row: Omit<SheetRow, 'number'>): ParsedObject {
  return { line, bytes: Buffer.from(problems.join('\n')), problem: problems.join('\n'), row: { ...row, number: line } }
}

/** The header of a sheet, or what is wrong with it. */
function readHeader(row: Row, options: SheetOptions): Header | string[] {
  const { kinds } = options
  const [kind, ...others] =
    kinds.length > 1 ? kinds.filter((one) => headerProblems(row, one, false).length === 0) : kinds
  if (!kind || others.length > 0) {
    const types = (kind ? [kind, ...others] : kinds).map(({ type }) => type).join(', ')
    const problem = kind ? 'has columns that fit several types' : 'has columns that fit no type'
    return [`row ${row.number}: ${problem}: the type must be given, one of ${types}`]
  }
  const problems =
    kind.lacks === undefined ? headerProblems(row, kind, options.ignoreUnknown) : [`row ${row.number}: ${kind.lacks}`]
  return problems.length > 0 ? problems : headerOf(row, kind, options)
}

function headerProblems({ cells: names, number: row }: Row, kind: SheetKind, ignoreUnknown: boolean): string[] {
  if (names.length > COLUMNS_MAX) return [`row ${row}: has ${names.length} columns, at most ${COLUMNS_MAX} are allowed`]
  const problems: string[] = []
  const first = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const at = cellName(row, index)
    if (name === '' || name === REFUSED_COLUMN) continue
    const before = first.get(kind.identity(name))
    if (before !== undefined)
      problems.push(`${at}: column ${shown(name)} is given twice, first in ${cellName(row, before)}`)
    else first.set(kind.identity(name), index)
    if (!ignoreUnknown && !kind.parse(name)) problems.push(`${at}: column ${shown(name)} ${kind.unknown(name)}`)
  }
  if (!kind.keys.some((name) => first.has(name)))
    problems.push(`row ${row}: has no column ${kind.keys.join(' or ')}, by which a row finds its record`)
  const more = problems.length - HEADER_PROBLEMS_MAX
  return more > 0 ? [...problems.slice(0, HEADER_PROBLEMS_MAX), `row ${row}: has ${more} more such columns`] : problems
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}...` : name
}

function headerOf({ cells: names, separator }: Row, kind: SheetKind, { decimal, spell }: SheetOptions): Header {
  const columns = names.map((name) => kind.parse(name) ?? null)
  const ignored = names.filter((name, index) => name !== '' && name !== REFUSED_COLUMN && columns[index] === null)
  const mark = decimal ?? (separator === ';' ? ',' : '.')
  const format = { mark, option: spell('decimal', mark === '.' ? ',' : '.') }
  return { kind, names, columns, ignored, separator, format }
}

function rowObject(header: Header, { number, cells, values, dates }: Row, bytes: Buffer): ParsedObject {
  const { kind, names, columns, separator, format, ignored } = header
  const taken = kind.row()
  const misplaced: string[] = []
  for (const [index, cell] of cells.entries()) {
    if (cell === '') continue
    const column = columns[index]
    const at = cellName(number, index)
    if (column && dates?.has(index) && !kind.isInstant?.(column))
      misplaced.push(`${at}: ${names[index]} is a date, and takes none: write what was meant as a text`)
    // A number of a workbook has a point, whatever mark its texts have.
    else if (column) taken.take(column, cell, values?.has(index) ? pointed : format)
    else if ((names[index] ?? '') === '') misplaced.push(`${at}: is in a column without a name`)
  }
  const row = {
    number,
    header: names,
    cells,
    separator,
    ...(values && { values }),
    ...(dates && { dates }),
    ignored: ignored.map((name) => `${kind.type} ${name}`),
    violations: taken.violations,
    dataFor: (stored: object | undefined) => taken.dataFor(stored),
    describe: (violation: Violation) => describe(header, number, violation),
  }
  const line = number
  if (misplaced.length > 0) return { line, bytes, problem: misplaced.slice(0, HEADER_PROBLEMS_MAX).join('\n'), row }
  return { line, bytes, value: { data: taken.dataFor(undefined) }, row }
}

/** A sentence with the cell that a violation is about; with the row where no column is nearer than others. */
function describe({ kind, columns, names }: Header, row: number, violation: Violation): string {
  return cellSentence(names, row, nearestColumn(columns, kind, violation.path), violation)
}

/** A sentence for what is wrong in a row; `index` is that of the cell, where there is one. */
export function cellSentence(
  names: readonly string[],
  row: number,
  index: number | undefined,
  { code, path, message }: Violation,
): string {
  const member = index === undefined ? segmentTexts(path).slice(1).join('.') : names[index]
  return `${cellName(row, index)}: ${member ? `${member} ` : ''}${message} (${code})`
}

function nearestColumn(columns: Header['columns'], kind: SheetKind, path: Path): number | undefined {
  const wanted = segmentTexts(path)
  let best: { readonly index: number; readonly steps: number } | undefined
  for (const [index, column] of columns.entries()) {
    const steps = column === null ? 0 : stepsAlong(segmentTexts(kind.pathOf(column)), wanted)
    // The first step, `attributes`, leads to all columns.
    if (steps > Math.max(wanted[0] === 'attributes' ? 1 : 0, best?.steps ?? 0)) best = { index, steps }
  }
  return best?.index
}

/** How many steps two paths share: the more, the better a column names what a path is about. */
function stepsAlong(own: readonly string[], wanted: readonly string[]): number {
  const differs = own.findIndex((step, index) => step !== wanted[index])
  return differs === -1 ? own.length : differs
}

/** The name of a cell, as in `B17`; without an index that of the row. */
export function cellName(row: number, index: number | undefined): string {
  if (index === undefined) return `row ${row}`
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return `${name}${row}`
}

/** The header of a file of refused rows. */
export function refusedHeader(header: readonly string[]): string[] {
  return [...header.filter((name) => name !== REFUSED_COLUMN), REFUSED_COLUMN]
}
