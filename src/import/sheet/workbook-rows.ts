/** Rows of a sheet of a workbook, made of its document (sheet.workbook-cells). */
import { serialToDate } from 'hucre'
import { formatDecimal, isErrorValue } from './cells.ts'
import { BrokenSheet, COLUMNS_MAX, ROW_BYTES_MAX, type Row } from './row.ts'
import { TextReader, unescaped, type Workbook } from './workbook.ts'
import type { XmlHandler } from './xml.ts'

/** Rows of a sheet, as spreadsheets have them. */
export const ROWS_MAX = 1_048_576
/** Cells of a sheet; empty ones before others count. */
const CELLS_MAX = 20_000_000
/** Digits that spreadsheets keep and show. */
const DIGITS = 15

export class WorkbookRows implements XmlHandler {
  private rows: Row[] = []
  private cellCount = 0
  private number = 0
  private inRow = false
  private bytes = 0
  private cells: string[] = []
  private values = new Map<number, number | boolean>()
  private dates = new Set<number>()
  private column = -1
  /** The type of the present cell; null between cells. */
  private type: string | null = null
  private style = 0
  private value = ''
  private inValue = false
  private inInline = false
  private readonly inline = new TextReader()

  constructor(private readonly workbook: Workbook) {}

  /** The complete rows since the last call. */
  taken(): readonly Row[] {
    const { rows } = this
    this.rows = []
    return rows
  }

  /** An error of the document as one of the row that it is about. */
  placed({ message, row, column }: BrokenSheet): BrokenSheet {
    return new BrokenSheet(message, row ?? (this.inRow ? this.number : this.number + 1), column)
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.beginRow(attributes.r)
    else if (name === 'c' && this.inRow) this.beginCell(attributes)
    else if (this.type === null) return
    else if (name === 'v') this.inValue = true
    else if (name === 'is') this.inInline = true
    else if (this.inInline) this.inline.open(name)
  }

  text(piece: string): void {
    if (this.inInline) this.inline.add(piece)
    if (!this.inValue) return
    this.value += piece
    if (this.value.length > ROW_BYTES_MAX) this.refuse(`has a cell with more than ${ROW_BYTES_MAX} bytes`)
  }

  close(name: string): void {
    if (name === 'v') this.inValue = false
    else if (name === 'is') this.inInline = false
    else if (this.inInline) this.inline.close(name)
    else if (name === 'c') this.endCell()
    else if (name === 'row') this.endRow()
  }

  private beginRow(given: string | undefined): void {
    const number = given === undefined ? this.number + 1 : Number(given)
    if (!Number.isInteger(number) || number <= this.number)
      this.refuse(`is followed by row ${given?.slice(0, 20)}: rows must be in order`, this.number)
    if (number > ROWS_MAX) this.refuse(`is more than the ${ROWS_MAX} rows that a sheet may have`, number)
    this.number = number
    this.inRow = true
    this.bytes = 0
    this.column = -1
    this.cells = []
    this.values = new Map()
    this.dates = new Set()
  }

  private beginCell({ r: place, t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>): void {
    const before = this.column
    this.column = place === undefined ? before + 1 : columnOf(place)
    if (this.column >= COLUMNS_MAX) this.refuse(`has more than ${COLUMNS_MAX} columns`)
    if (this.column <= before) this.refuse('has cells that are not in order')
    this.type = type
    this.style = Number(style)
    this.value = ''
    this.inline.begin()
  }

  private endCell(): void {
    const { type, column } = this
    if (type === null) return
    this.type = null
    const cell = this.cellOf(type)
    if (cell === '') return
    this.bytes += Buffer.byteLength(cell)
    if (this.bytes > ROW_BYTES_MAX) this.refuse(`has more than ${ROW_BYTES_MAX} bytes`)
    while (this.cells.length < column) this.cells.push('')
    this.cells.push(cell)
  }

  private endRow(): void {
    if (!this.inRow) return
    this.inRow = false
    this.cellCount += this.cells.length
    if (this.cellCount > CELLS_MAX) this.refuse(`is behind ${CELLS_MAX} cells, the most that a sheet may have`)
    const { number, cells, values, dates } = this
    this.rows.push({ number, cells, separator: ',', values, dates })
  }

  private cellOf(type: string): string {
    const { value, column } = this
    switch (type) {
      case 's':
        return value === '' ? '' : this.sharedText(Number(value))
      case 'inlineStr':
        return this.inline.end()
      case 'str':
        return unescaped(value)
      case 'b':
        this.values.set(column, value === '1')
        return value === '1' ? 'TRUE' : 'FALSE'
      case 'e':
        return isErrorValue(value) ? value : '#VALUE!'
      case 'd':
        // Without an offset it is in UTC, as dates that are numbers are.
        return this.dateOf(new Date(/T[^Z+-]*$/.test(value) ? `${value}Z` : value)) ?? value
      default:
        return value === '' ? '' : this.numberOf(Number(value))
    }
  }

  private sharedText(index: number): string {
    return this.workbook.texts[index] ?? this.refuse('names a text that the workbook does not have', this.number, true)
  }

  private numberOf(given: number): string {
    if (!Number.isFinite(given)) this.refuse('is no number', this.number, true)
    if (this.workbook.isDate[this.style]) {
      const date = this.dateOf(serialToDate(given, this.workbook.is1904))
      // A time without a day would be one of the year 1899.
      if (date !== undefined) return given < 1 ? date.slice(date.indexOf('T') + 1) : date
    }
    const number = Number(given.toPrecision(DIGITS))
    this.values.set(this.column, number)
    // A code of so many digits has lost some: it is refused like the text that a spreadsheet makes of one in CSV.
    if (Math.abs(number) >= 10 ** DIGITS) return number.toExponential()
    return formatDecimal(number)
  }

  private dateOf(date: Date): string | undefined {
    if (Number.isNaN(date.getTime())) return undefined
    this.dates.add(this.column)
    return date.toISOString()
  }

  private refuse(message: string, row = this.number, isOfCell = false): never {
    throw new BrokenSheet(message, row, isOfCell ? this.column : undefined)
  }
}

/** The index of the column of a cell such as B17. */
function columnOf(place: string): number {
  const [letters = ''] = /^[A-Z]{0,4}/i.exec(place) ?? []
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
