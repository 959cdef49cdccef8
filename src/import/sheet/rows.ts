/** Rows of a sheet: the file tells by its first bytes whether it is a workbook or CSV (sheet.kind-by-content). */
import { csvRows } from './csv.ts'
import { BrokenSheet, type Row } from './row.ts'
import { xlsxRows } from './xlsx.ts'

/** The first bytes of ZIP files, and of the older files of Excel, which are also the frame of encrypted ones. */
const ZIP = Buffer.from('PK\x03\x04')
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** A file whose first bytes were looked at. */
export interface Peeked {
  readonly head: Buffer
  /** All bytes, the first ones included. */
  readonly pieces: AsyncIterable<Buffer>
}

/** Looks at the first bytes of a file. */
export async function peek(pieces: AsyncIterable<Buffer>): Promise<Peeked> {
  const iterator = pieces[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < ZIP.length) {
    const { done, value } = await iterator.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const all = async function* () {
    try {
      if (head.length > 0) yield head
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { head, pieces: all() }
}

/** Whether a file is one of a spreadsheet program. */
export function isWorkbook({ head }: Peeked): boolean {
  return [ZIP, OLE].some((first) => head.subarray(0, first.length).equals(first))
}

/** The rows of a file in order. Throws BrokenSheet. */
export async function* sheetRows(file: Peeked): AsyncGenerator<Row> {
  if (file.head.subarray(0, OLE.length).equals(OLE))
    throw new BrokenSheet('is an older file of Excel, or one with a password: save it as XLSX without one', null)
  yield* isWorkbook(file) ? xlsxRows(file.pieces) : csvRows(file.pieces)
}
