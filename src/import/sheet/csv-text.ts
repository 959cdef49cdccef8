/** CSV text: rows as RFC 4180 wants them, so that spreadsheets and `csvRows` read every cell as it was given. */
import { stringify } from 'csv-stringify/sync'
import type { Separator } from './row.ts'

/** Tells spreadsheets that a file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** The text of rows. Cells with a line break of any kind are quoted, since each kind ends a row. */
export function csvText(rows: readonly (readonly string[])[], separator: Separator = ','): string {
  return stringify(rows as string[][], { delimiter: separator, record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
}
