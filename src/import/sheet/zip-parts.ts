/**
 * Parts of a ZIP file in memory. What is unpacked is counted while it is, whatever the directory says of it, so that no
 * file takes more time and memory than others (sheet.memory-is-bounded).
 */
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { BrokenSheet } from './row.ts'

/** Bytes that all parts that are read may have together, unpacked. */
export const UNPACKED_MAX = 512 * 1024 * 1024
/** Parts that a file may list; a workbook has some ten. */
const PARTS_MAX = 10_000

export class ZipParts {
  private unpacked = 0

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  static async open(bytes: Buffer): Promise<ZipParts> {
    try {
      const zip = await fromBufferPromise(bytes, { lazyEntries: true })
      const entries = new Map<string, Entry>()
      if (zip.entryCount > PARTS_MAX) throw new Error(`it has more than ${PARTS_MAX} parts`)
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
      return new ZipParts(zip, entries)
    } catch (error) {
      throw unreadable(error)
    }
  }

  has(name: string): boolean {
    return this.entries.has(name.toLowerCase())
  }

  /** The bytes of a part, without regard to the case of its name; none when the file lacks it. */
  async *read(name: string, bytesMax = UNPACKED_MAX): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name.toLowerCase())
    if (!entry) return
    let ofPart = 0
    try {
      for await (const piece of await this.zip.openReadStreamPromise(entry)) {
        const { length } = piece as Buffer
        ofPart += length
        this.unpacked += length
        if (ofPart > bytesMax) throw new BrokenSheet(`has more than ${bytesMax} bytes in ${name}, unpacked`, null)
        if (this.unpacked > UNPACKED_MAX)
          throw new BrokenSheet(`has more than ${UNPACKED_MAX} bytes, unpacked: save it as CSV`, null)
        yield piece as Buffer
      }
    } catch (error) {
      throw unreadable(error)
    }
  }
}

function unreadable(error: unknown): BrokenSheet {
  if (error instanceof BrokenSheet) return error
  return new BrokenSheet(`can't be unpacked: ${(error as Error).message.replace(/\s+/g, ' ')}`, null)
}
