/** Rows of Shopify's product CSV: those of one product stand together, and the first one says most of it. */
import { segmentTexts, type Violation } from '../../domain/input/errors.ts'
import { BrokenSheet } from '../sheet/row.ts'
import { peek, sheetRows } from '../sheet/rows.ts'
import { cellName, cellSentence } from '../sheet/sheet.ts'
import { readPieces } from '../source.ts'
import type { StandsAt } from './converted.ts'
import type { LeftOut } from './left-out.ts'
import { type Field, readColumns, type ShopifyColumns } from './shopify-columns.ts'

/** More rows than a product of Shopify can have: 2,048 variants, 250 images. */
const ROWS_MAX = 10_000

/** A row with its place. */
export class ShopifyRow implements StandsAt {
  constructor(
    private readonly columns: ShopifyColumns,
    readonly cells: readonly string[],
    readonly at: string,
    readonly line: number,
    readonly file: string,
  ) {}

  /** The row as a place, which keeps none of its cells. */
  withoutCells(): ShopifyRow {
    return new ShopifyRow(this.columns, [], this.at, this.line, this.file)
  }

  /** A cell as it stands; empty where it has none. */
  raw(field: Field): string {
    return this.cells[this.columns.fields.get(field) ?? -1] ?? ''
  }

  /** A sentence for what is wrong of a field, with its cell; with the row where the file has no such column. */
  describe(field: Field | undefined, violation: Violation): string {
    const index = field ? this.columns.fields.get(field) : this.metafieldAt(segmentTexts(violation.path))
    return cellSentence(this.columns.names, this.line, index, violation)
  }

  /** A sentence for what is wrong, without a code. */
  problem(message: string, field?: Field): string {
    const index = field && this.columns.fields.get(field)
    return `${cellName(this.line, index)}: ${index === undefined ? '' : `${this.columns.names[index]} `}${message}`
  }

  /** A cell without blanks around it. */
  text(field: Field): string {
    return this.raw(field).trim()
  }

  /** Whether it gives a variant, not only an image. */
  get isVariant(): boolean {
    return (['option1Value', 'sku', 'price'] as const).some((field) => this.text(field) !== '')
  }

  /** Its metafields by namespace and key. */
  metafields(wanted: 'product' | 'variant'): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const found = new Map<string, Record<string, string>>()
    for (const { index, of, namespace, key } of this.columns.metafields) {
      const value = this.cells[index] ?? ''
      if (of !== wanted || value === '') continue
      const template = `metafields.${namespace}`
      found.set(template, { ...found.get(template), [key]: value })
    }
    return Object.fromEntries(found)
  }

  /** The index of the metafield that a member of `extensions` is made of. */
  private metafieldAt([, member, template, name]: readonly string[]): number | undefined {
    if (member !== 'extensions') return undefined
    const found = this.columns.metafields.find((one) => `metafields.${one.namespace}` === template && one.key === name)
    return found?.index
  }

  /** Counts the cells to which nothing here corresponds. */
  countLeftOut(leftOut: LeftOut): void {
    for (const { index, name } of this.columns.leftOut)
      if ((this.cells[index] ?? '') !== '') leftOut.add(`column ${name}`)
  }
}

/** What is wrong with rows; the problem begins with the row or the cell. */
export interface WrongRow extends StandsAt {
  readonly problem: string
}

/** The rows of each product of a file, in their order, and what is wrong. `seen` has the places of handles so far. */
export async function* productRows(
  file: string,
  options: { readonly ignoreUnknown: boolean; readonly onRead: (bytes: number) => void },
  seen: Map<string, string>,
): AsyncGenerator<readonly [ShopifyRow, ...ShopifyRow[]] | WrongRow> {
  let columns: ShopifyColumns | undefined
  let group: [ShopifyRow, ...ShopifyRow[]] | undefined
  let handle = ''
  const place = (line: number): StandsAt => ({ at: `${file} row ${line}`, line, file })
  try {
    for await (const { number, cells, separator } of sheetRows(await peek(readPieces(file, options.onRead)))) {
      if (cells.every((cell) => cell.trim() === '')) continue
      if (!columns) {
        const read = readColumns({ number, cells, separator }, options.ignoreUnknown)
        if (Array.isArray(read)) {
          for (const problem of read) yield { ...place(number), problem }
          return
        }
        columns = read
        continue
      }
      const row = new ShopifyRow(columns, cells, place(number).at, number, file)
      const own = row.text('handle')
      if (group && own === handle) {
        if (group.push(row) > ROWS_MAX) throw new BrokenSheet(`has more than ${ROWS_MAX} rows of one product`, number)
        continue
      }
      if (group) yield group
      group = undefined
      const before = seen.get(own)
      if (own === '') yield wrong(row, 'must be given: by it the rows of a product are found')
      else if (before !== undefined && own !== handle)
        yield wrong(row, `is that of ${before}: the rows of a product must stand together`)
      else if (before === undefined) {
        seen.set(own, row.at)
        group = [row]
      }
      handle = own
    }
    if (group) yield group
  } catch (error) {
    if (!(error instanceof BrokenSheet)) throw error
    const { row, column, message } = error
    if (row === null) yield { at: file, line: 1, file, problem: message }
    else yield { ...place(row), problem: `${cellName(row, column)}: ${message}` }
  }
}

function wrong(row: ShopifyRow, message: string): WrongRow {
  const { at, line, file } = row
  return { at, line, file, problem: row.problem(message, 'handle') }
}
