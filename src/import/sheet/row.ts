/** Rows of a sheet, whichever file they are read from, and the sizes that bound them (sheet.memory-is-bounded). */

/** The bytes of UTF-8 that one row may have. */
export const ROW_BYTES_MAX = 1024 * 1024
/** The columns that a sheet may have: as many as a spreadsheet. */
export const COLUMNS_MAX = 16_384

/** What may separate the cells of a CSV file. */
export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

/** A row with its number as spreadsheets count it: the first is 1, and empty rows count. */
export interface Row {
  readonly number: number
  readonly cells: readonly string[]
  /** What separates cells in the file; a comma in a workbook, whose numbers have a point. */
  readonly separator: Separator
  /** Numbers and flags of a workbook by the index of their cell. */
  readonly values?: ReadonlyMap<number, number | boolean>
  /** The indexes of the cells of a workbook that are dates. */
  readonly dates?: ReadonlySet<number>
}

/**
 * Error of a file that can't be read from a row on, or not at all; `column` is the index of the cell, where one is to
 * blame. The message completes "row: ...", or the name of the file.
 */
export class BrokenSheet extends Error {
  override readonly name = 'BrokenSheet'
  constructor(
    message: string,
    readonly row: number | null,
    readonly column?: number,
  ) {
    super(message)
  }
}
