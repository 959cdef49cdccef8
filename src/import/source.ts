/** Import source: reads the objects of a file, gzipped or not, JSON or a sheet. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { entriesOf, type ParsedObject } from './parsed-object.ts'
import { isWorkbook, peek } from './sheet/rows.ts'
import { type SheetOptions, sheetObjects } from './sheet/sheet.ts'
import { Splitter } from './splitter.ts'

/** Bytes of one read. */
const PIECE_BYTES = 1024 * 1024

/** The problem of a workbook whose name does not tell of it. */
const WORKBOOK = 'is a workbook: its name must end in .xlsx, or by HTTP its Content-Type be that of XLSX'

/** Whether a file is a sheet, by its name. */
export function isSheet(file: string): boolean {
  return /\.(?:csv|xlsx)(?:\.gz)?$/i.test(file)
}

/** Whether a file is to be written as a workbook, by its name. */
export function isXlsx(file: string): boolean {
  return /\.xlsx(?:\.gz)?$/i.test(file)
}

/**
 * The objects of a file or a pipe in order; of a sheet those of its rows, as `sheet` says. `onRead` is called with the
 * number of bytes read so far, before decompression. Throws an error that names the file when it can't be read.
 */
export async function* readObjects(
  file: string,
  onRead: (bytes: number) => void,
  sheet: SheetOptions | null = null,
): AsyncGenerator<ParsedObject> {
  yield* objectsOf(readPieces(file, onRead), isSheet(file) ? sheet : null)
}

/** The objects of the bytes of a file; with `sheet` those of the rows of a sheet, which may be CSV or a workbook. */
export async function* objectsOf(
  pieces: AsyncIterable<Buffer>,
  sheet: SheetOptions | null,
): AsyncGenerator<ParsedObject> {
  const file = await peek(pieces)
  if (sheet) return yield* sheetObjects(file, sheet)
  if (isWorkbook(file)) return yield { line: 1, bytes: Buffer.alloc(0), problem: WORKBOOK }
  const splitter = new Splitter()
  for await (const piece of file.pieces) yield* splitter.push(piece).flatMap(entriesOf)
  yield* splitter.end().flatMap(entriesOf)
}

/** The unpacked pieces of a file or a pipe. Throws an error that names the file when it can't be read. */
export async function* readPieces(file: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const raw = createReadStream(file, { highWaterMark: PIECE_BYTES })
  try {
    // An error of either stream ends the loop below; without a callback it would count as unhandled.
    const stream = (await isGzip(raw)) ? pipeline(raw, createGunzip({ chunkSize: PIECE_BYTES }), () => {}) : raw
    for await (const piece of stream) {
      onRead(raw.bytesRead)
      yield piece as Buffer
    }
  } catch (cause) {
    throw new Error(`${file} can't be read`, { cause })
  }
}

/** Whether the first bytes are those of gzip; they are put back. */
async function isGzip(stream: Readable): Promise<boolean> {
  await once(stream, 'readable')
  const head: Buffer | null = stream.read(2) ?? stream.read()
  if (!head) return false
  stream.unshift(head)
  return head.length === 2 && head[0] === 0x1f && head[1] === 0x8b
}
