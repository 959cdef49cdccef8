/** Objects of an import stream, parsed. */
import { isUtf8 } from 'node:buffer'
import { parseJson } from '../lib/json.ts'
import { JsonRefused } from '../lib/json-refused.ts'

/** An object of the stream with its first line and its text, or the problem at a line with the text that has it. */
export type ParsedObject =
  | { readonly line: number; readonly bytes: Buffer; readonly value: object }
  | { readonly line: number; readonly bytes: Buffer; readonly problem: string }

/** Bytes of an object at most. */
export const OBJECT_BYTES_MAX = 16 * 1024 * 1024

/** The problem of an object with more bytes. */
export const TOO_LARGE = `an object has more than ${OBJECT_BYTES_MAX} bytes`

/** The object of a text with balanced braces, or the problem with the text. */
export function parseObject(bytes: Buffer): object | string {
  if (bytes.length > OBJECT_BYTES_MAX) return TOO_LARGE
  if (!isUtf8(bytes)) return 'is not UTF-8'
  try {
    return parseJson(bytes.toString('utf8')) as object
  } catch (error) {
    if (error instanceof JsonRefused) return error.message
    return `is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`
  }
}
