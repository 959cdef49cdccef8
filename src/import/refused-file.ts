/**
 * Refused file: the objects that an import refused, one per line, to be corrected and imported again
 * (import.refused-file), and the nodes that it took without refused products, as they were given.
 */
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { HandledObject } from './outcome.ts'
import type { ParsedObject, SheetRow } from './parsed-object.ts'
import { BYTE_ORDER_MARK, csvText } from './sheet/csv-text.ts'
import { REFUSED_COLUMN, refusedHeader } from './sheet/sheet.ts'
import { type WorkbookCell, workbookBytes } from './sheet/workbook-bytes.ts'
import { isXlsx } from './source.ts'

/** Only the owner may read it, like the file of an export. */
const FILE_MODE = 0o600
/** Characters of the reason beside a refused row; a cell of a workbook may have 32,767. */
const REASON_MAX = 32_000
/** Characters that are kept of a text that is not a JSON object. */
const TEXT_MAX = 10_000

/**
 * The file of one import. The import's state holds the file's valid length (import-progress.ts). Bytes after it come
 * from a failed transaction and are overwritten.
 *
 * A workbook can't be written piece by piece. So its rows stand in a draft beside it, `bad.xlsx.part`, one per line in
 * JSON; the workbook is made of them when the import ends, and the draft goes when there is nothing to resume.
 */
export class RefusedFile {
  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** Whether its rows are written as a workbook. */
  get isWorkbook(): boolean {
    return isXlsx(this.path)
  }

  /** Opens the file and keeps its first `length` bytes; throws when it is shorter. */
  static async open(path: string, length: number): Promise<RefusedFile> {
    const written = isXlsx(path) ? draftOf(path) : path
    const handle = await open(written, length === 0 ? 'w+' : 'r+', FILE_MODE).catch((cause) => {
      throw length > 0 && cause.code === 'ENOENT' ? lacking(path) : cause
    })
    if ((await handle.stat()).size >= length) return new RefusedFile(path, handle)
    await handle.close()
    throw lacking(path)
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

  /** Cuts the file to its length and closes it; `isDone` says that no import will resume with it. */
  async close(length: number, isDone: boolean): Promise<void> {
    try {
      await this.handle.truncate(length)
      if (this.isWorkbook) await this.writeWorkbook()
    } finally {
      await this.handle.close()
    }
    if (this.isWorkbook && isDone) await rm(draftOf(this.path))
  }

  private async writeWorkbook(): Promise<void> {
    const { handle } = this
    const rows = async function* () {
      for await (const line of handle.readLines({ start: 0, autoClose: false }))
        yield JSON.parse(line) as WorkbookCell[]
    }
    await pipeline(workbookBytes(rows()), createWriteStream(this.path, { mode: FILE_MODE }))
  }
}

function draftOf(path: string): string {
  return `${path}.part`
}

function lacking(path: string): Error {
  return new Error(
    `${path} lacks objects that were refused before: give the --refused of the import that --resume goes on with`,
  )
}

/** The texts of refused objects, to be written at an offset of a file; of rows for a workbook those of its draft. */
export function refusedText(
  handled: readonly HandledObject[],
  file: string,
  { offset, isWorkbook }: { readonly offset: number; readonly isWorkbook: boolean },
): string {
  let text = ''
  for (const one of handled) {
    const { row } = one.found
    const isFirst = offset === 0 && text === ''
    const problems = one.problems ?? one.lacking ?? []
    text += row ? refusedRow(row, problems, { file, isFirst, isWorkbook }) : refusedLine(one.found, problems, file)
  }
  return text
}

/** A text with a `'` before what a spreadsheet would take for a formula; `-` alone clears. */
function guarded(text: string): string {
  return /^(?:[=+@\t\r\n]|-.)/s.test(text) ? `'${text}` : text
}

/** A refused row with a cell that says why; before the first one the header. */
function refusedRow(
  row: SheetRow,
  problems: readonly string[],
  { file, isFirst, isWorkbook }: { readonly file: string; readonly isFirst: boolean; readonly isWorkbook: boolean },
): string {
  const { header, cells, values, dates } = row
  const reason = problems
    .map((problem) => `${file} ${problem}`)
    .join('\n')
    .slice(0, REASON_MAX)
  const kept = header.flatMap((name, index) => (name === REFUSED_COLUMN ? [] : [index]))
  if (isWorkbook) {
    const rows = [
      ...(isFirst ? [refusedHeader(header)] : []),
      [...kept.map((at) => values?.get(at) ?? (cells[at] || null)), reason],
    ]
    return rows.map((one) => `${JSON.stringify(one)}\n`).join('')
  }
  // A text of a workbook may begin like a formula; in CSV it would be one (sheet.texts-are-no-formulas).
  const isText = (at: number): boolean => values !== undefined && !values.has(at) && !dates?.has(at)
  const cellOf = (at: number): string => (isText(at) ? guarded(cells[at] ?? '') : (cells[at] ?? ''))
  const rows = [...(isFirst ? [refusedHeader(header)] : []), [...kept.map(cellOf), guarded(reason)]]
  return (isFirst ? BYTE_ORDER_MARK : '') + csvText(rows, row.separator)
}

/**
 * The line of a refused object: its text as given, with a first member `refused` that says where it stood and why.
 * Imports ignore that member. For a text that is not a JSON object it is the only member and holds the text.
 */
function refusedLine(found: ParsedObject, problems: readonly string[], file: string): string {
  const reason = found.at === undefined ? { file, line: found.line, problems } : { at: found.at, problems }
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
