/** Refused file: the objects that an import refused, one per line, to be corrected and imported again (import.refused-file). */
import { type FileHandle, open } from 'node:fs/promises'
import type { HandledObject } from './outcome.ts'

/** Only the owner may read it, like the file of an export. */
const FILE_MODE = 0o600
/** Characters that are kept of a text that is no JSON object. */
const TEXT_MAX = 10_000

/**
 * The file of one import, whose state has the length up to which it is valid (import-progress.ts): bytes behind that are of a transaction
 * that failed, and are overwritten.
 */
export class RefusedFile {
  private constructor(private readonly handle: FileHandle) {}

  /** Opens the file, whose first `length` bytes are kept; throws when it is shorter. */
  static async open(path: string, length: number): Promise<RefusedFile> {
    const handle = await open(path, length === 0 ? 'w' : 'r+', FILE_MODE)
    if ((await handle.stat()).size >= length) return new RefusedFile(handle)
    await handle.close()
    throw new Error(`${path} lacks objects that were refused before: give the --refused of the import that --resume goes on with`)
  }

  /** Writes lines at an offset; returns the offset behind them. */
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

/**
 * The line of a refused object: its text as it was given, with a first member `refused` that says where it stood and why, which an import
 * ignores. What is no JSON object has its text in that member and nothing beside it.
 */
export function refusedLine({ found, problems }: HandledObject, file: string): string {
  const reason = { file, line: found.line, problems }
  const text = found.bytes.toString('utf8')
  if (!('value' in found)) return `${JSON.stringify({ refused: { ...reason, text: text.slice(0, TEXT_MAX) } })}\n`
  const members = withoutReason(onOneLine(text), found.value)
  return `{"refused":${JSON.stringify(reason)}${members.startsWith('}') ? '' : ','}${members}\n`
}

/** A JSON text in one line: no string has a line break, so all that follows one is indentation. */
function onOneLine(text: string): string {
  return text.replace(/\r?\n\s*/g, ' ')
}

/** The text behind the opening brace, without the reason of an earlier import. */
function withoutReason(text: string, value: { readonly refused?: unknown }): string {
  if (!Object.hasOwn(value, 'refused')) return text.slice(1).trimStart()
  const reason = `{"refused":${JSON.stringify(value.refused)}`
  if (text.startsWith(reason)) return text.slice(reason.length).replace(/^,/, '')
  const { refused: _, ...rest } = value
  return JSON.stringify(rest).slice(1)
}
