/**
 * CSV: the rows of a file, as RFC 4180 and spreadsheets write them. Cells are separated by `,`, `;` or tabs; the text
 * is UTF-8 or UTF-16.
 *
 * Memory is bounded, whatever the file holds: a row has at most ROW_BYTES_MAX (sheet.memory-is-bounded).
 */
import { type CsvError, parse } from 'csv-parse'
import { BrokenSheet, ROW_BYTES_MAX, type Row, type Separator, separators } from './row.ts'

/** Bytes that the parser gets at once: by so much a row may be longer before it is noticed. */
const PIECE_BYTES = 64 * 1024

/** The rows of a file in order, with the separator of its cells. Throws BrokenSheet. */
export async function* csvRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let rows: Row[] = []
  let number = 0
  let separator: Separator | undefined
  let parser: ReturnType<typeof parse> | undefined
  let failure: CsvError | undefined
  /** Bytes since the last row that was complete. */
  let unfinished = 0
  let isBegun = false
  const make = (cut: Separator) => {
    // The rows are taken from here, since a stream that fails would lose those before the failure.
    const onRecord = (cells: string[]): null => {
      number++
      unfinished = 0
      const namesSeparator = !isBegun && /^sep=$/i.test(cells.join(''))
      isBegun ||= cells.join('') !== ''
      if (!namesSeparator) rows.push({ number, cells, separator: cut })
      return null
    }
    const made = parse({
      delimiter: cut,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: onRecord as never,
    })
    made.on('error', (error) => {
      failure ??= error as CsvError
    })
    return made.resume()
  }
  const taken = function* () {
    const done = rows
    rows = []
    yield* done
    if (failure) throw broken(failure, number + 1)
    if (unfinished > ROW_BYTES_MAX)
      throw new BrokenSheet(`has more than ${ROW_BYTES_MAX} bytes: is a quote not closed?`, number + 1)
  }

  for await (const text of fromHeader(utf8(pieces, () => number + 1))) {
    separator ??= separatorOf(text)
    parser ??= make(separator)
    for (let at = 0; at < text.length; at += PIECE_BYTES) {
      const piece = text.subarray(at, at + PIECE_BYTES)
      unfinished += piece.length
      const writing = parser
      await new Promise<void>((resolve) => writing.write(piece, () => resolve()))
      yield* taken()
    }
  }
  if (!parser || !separator) return
  const ending = parser
  await new Promise<void>((resolve) => ending.once('error', () => resolve()).end(() => resolve()))
  yield* taken()
}

function broken(error: CsvError, row: number): BrokenSheet {
  const column = typeof error.column === 'number' ? error.column : undefined
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new BrokenSheet('opens a quote that is not closed', row, column)
    case 'INVALID_OPENING_QUOTE':
      return new BrokenSheet(
        'has a quote within a cell that does not begin with one: double it, and quote the cell',
        row,
        column,
      )
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new BrokenSheet('has text behind its closing quote: a quote within a cell is doubled', row, column)
    default:
      return new BrokenSheet(`is not CSV: ${error.message.replace(/\s+/g, ' ')}`, row, column)
  }
}

/** The text as UTF-8, without byte order mark. `row` tells where the file is. */
async function* utf8(pieces: AsyncIterable<Buffer>, row: () => number): AsyncGenerator<Buffer> {
  let decoder: { readonly name: string; readonly text: TextDecoder } | undefined
  let head: Buffer = Buffer.alloc(0)
  const decode = (bytes: Buffer | undefined): Buffer => {
    decoder ??= decoderOf(head)
    const { name, text } = decoder
    try {
      return Buffer.from(text.decode(bytes, { stream: bytes !== undefined }))
    } catch {
      throw new BrokenSheet(`is not ${name}: save the file as CSV in UTF-8`, row())
    }
  }
  for await (const piece of pieces) {
    head = decoder ? piece : Buffer.concat([head, piece])
    if (head.length < 2) continue
    const text = decode(head)
    if (text.length > 0) yield text
  }
  const rest = decoder ? [decode(undefined)] : [decode(head), decode(undefined)]
  for (const text of rest) if (text.length > 0) yield text
}

/** The decoder by the byte order mark; without one the first letter of a header tells UTF-16 by its empty byte. */
function decoderOf(head: Buffer): { readonly name: string; readonly text: TextDecoder } {
  const isLittle = (head[0] === 0xff && head[1] === 0xfe) || head[1] === 0
  const isBig = (head[0] === 0xfe && head[1] === 0xff) || head[0] === 0
  const name = isLittle || isBig ? 'UTF-16' : 'UTF-8'
  return { name, text: new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8', { fatal: true }) }
}

/** The pieces, the first of which has the whole line of the header, as far as it is not longer than PIECE_BYTES. */
async function* fromHeader(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of pieces) {
    const text: Buffer = start ? Buffer.concat([start, piece]) : piece
    const isEnough: boolean = !start || text.length >= PIECE_BYTES || /[^\r\n][\r\n]/.test(text.toString())
    start = isEnough ? undefined : text
    if (isEnough) yield text
  }
  if (start?.length) yield start
}

/**
 * The separator that the first line with text names, as Excel does (`sep=;`), or that beside the column `sku` in it;
 * without one the most frequent in it.
 */
function separatorOf(text: Buffer): Separator {
  const [line = ''] = /[^\r\n]+/.exec(text.subarray(0, PIECE_BYTES).toString()) ?? []
  const named = /^sep=([,;\t])$/i.exec(line)
  const beside = /^"?sku"?([,;\t])|([,;\t])"?sku"?(?=[,;\t]|$)/.exec(line)
  const found = (named?.[1] ?? beside?.[1] ?? beside?.[2]) as Separator | undefined
  const count = (separator: string): number => line.split(separator).length
  return found ?? separators.reduce((best, next) => (count(next) > count(best) ? next : best))
}
