/**
 * Refused file: the objects that an import refused, one per line, to be corrected and imported again
 * (import.refused-file).
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { HandledObject } from './outcome.ts'
import type { SheetRow } from './parsed-object.ts'
import { BYTE_ORDER_MARK, csvText } from './sheet/csv-text.ts'
import { REFUSED_COLUMN, refusedHeader } from './sheet/sheet.ts'

/** Only the owner may read it, like the file of an export. */
const FILE_MODE = 0o600
/** Characters that are kept of a text that is not a JSON object. */
const TEXT_MAX = 10_000

/**
 * The file of one import. The import's state holds the file's valid length (import-progress.ts). Bytes after it come
 * from a failed transaction and are overwritten.
 */
export class RefusedFile {
  private constructor(private readonly handle: FileHandle) {}

  /** Opens the file and keeps its first `length` bytes; throws when it is shorter. */
  static async open(path: string, length: number): Promise<RefusedFile> {
    const handle = await open(path, length === 0 ? 'w' : 'r+', FILE_MODE)
    if ((await handle.stat()).size >= length) return new RefusedFile(handle)
    await handle.close()
    throw new Error(
      `${path} lacks objects that were refused before: give the --refused of the import that --resume goes on with`,
    )
  }

  /** Writes lines at an offset; returns the offset after them. */
  async write(lines: string, offset: number): Promise<number> {
    if (lines === '') return offset
    const bytes = Buffer.from(lines)
    for (let at = 0; at < bytes.length; ) {
      at += (await this.handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten
    }
    return offset + bytes.length
  }

  /** Cuts the file to its length and closes it. */
  async close(length: number): Promise<void> {
    await this.handle.truncate(length)
    await this.handle.close()
  }
}

/** The texts of refused objects, to be written at an offset of the file. */
export function refusedText(handled: readonly HandledObject[], file: string, offset: number): string {
  let text = ''
  for (const one of handled) {
    const { row } = one.found
    text += row ? refusedRow(row, one.problems ?? [], file, offset === 0 && text === '') : refusedLine(one, file)
  }
  return text
}

/** A refused row with a cell that says why; before the first one the header. */
function refusedRow(row: SheetRow, problems: readonly string[], file: string, isFirst: boolean): string {
  const { header, cells, separator } = row
  const kept = header.flatMap((name, index) => (name === REFUSED_COLUMN ? [] : [cells[index] ?? '']))
  const reason = problems.map((problem) => `${file} ${problem}`).join('\n')
  const rows = [...(isFirst ? [refusedHeader(header)] : []), [...kept, reason]]
  return (isFirst ? BYTE_ORDER_MARK : '') + csvText(rows, separator)
}

/**
 * The line of a refused object: its text as given, with a first member `refused` that says where it stood and why.
 * Imports ignore that member. For a text that is not a JSON object it is the only member and holds the text.
 */
function refusedLine({ found, problems }: HandledObject, file: string): string {
  const reason = { file, line: found.line, problems }
  const text = found.bytes.toString('utf8')
  if (!('value' in found)) return `${JSON.stringify({ refused: { ...reason, text: text.slice(0, TEXT_MAX) } })}\n`
  const members = withoutReason(onOneLine(text), found.value)
  return `{"refused":${JSON.stringify(reason)}${members.startsWith('}') ? '' : ','}${members}\n`
}

/** A JSON text on one line. Strings have no line breaks, so only indentation follows a line break. */
function onOneLine(text: string): string {
  return text.replace(/\r?\n\s*/g, ' ')
}

/** The text after the opening brace, without the reason of an earlier import. */
function withoutReason(text: string, value: { readonly refused?: unknown }): string {
  if (!Object.hasOwn(value, 'refused')) return text.slice(1).trimStart()
  const reason = `{"refused":${JSON.stringify(value.refused)}`
  if (text.startsWith(reason)) return text.slice(reason.length).replace(/^,/, '')
  const { refused: _, ...rest } = value
  return JSON.stringify(rest).slice(1)
}
