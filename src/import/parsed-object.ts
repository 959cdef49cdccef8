/** Objects of an import stream, parsed. */
import { isUtf8 } from 'node:buffer'
import type { Violation } from '../domain/input/errors.ts'
import { parseJson } from '../lib/json.ts'
import { JsonRefused } from '../lib/json-refused.ts'
import type { Row } from './sheet/row.ts'

/**
 * An object of the stream with its first line and its text, or a problem with its line and its text. One of a sheet has
 * its row; its line is the row's number, and its problem names the cells, one a line. `at` says where it stands in the
 * data of another system, such as `products.csv row 7`; with `file`, the sheet there, problems name cells too.
 */
export type ParsedObject =
  | {
      readonly line: number
      readonly at?: string
      readonly file?: string
      readonly bytes: Buffer
      readonly value: object
      readonly row?: GivenRow
      /** A sentence for a violation of an object of another system. Its path begins at the object's data. */
      readonly describe?: (violation: Violation) => string
      /** Its index in a list `{"data": [...]}`. */
      readonly entry?: number
    }
  | {
      readonly line: number
      readonly at?: string
      readonly file?: string
      readonly bytes: Buffer
      readonly problem: string
      readonly row?: SheetRow
      /** The id that its product would have. */
      readonly productId?: string
    }

/** A row of a sheet as it was given, under the header of its file. */
export interface SheetRow extends Row {
  readonly header: readonly string[]
}

/** A row that gives a record; its object is that of a new one. */
export interface GivenRow extends SheetRow {
  /** What is wrong with cells; paths begin at the object's data. */
  readonly violations: readonly Violation[]
  /** Names of unknown columns that are left out. */
  readonly ignored: readonly string[]
  /** The object's data for a stored record, which keeps what the row has no cells for. */
  dataFor(stored: object | undefined): object
  /** A sentence for a violation, with its cell. Its path begins at the object's data. */
  describe(violation: Violation): string
}

/** The maximum number of bytes of an object. */
export const OBJECT_BYTES_MAX = 16 * 1024 * 1024

/** The problem of an object with more bytes. */
export const TOO_LARGE = `an object has more than ${OBJECT_BYTES_MAX} bytes`

/** An entry of an array: what has no `data` is what stands there. */
export function parsedEntry(bytes: Buffer, value: object): { readonly bytes: Buffer; readonly value: object } {
  if ('data' in value) return { bytes, value }
  return { bytes: Buffer.concat([Buffer.from('{"data":'), bytes, Buffer.from('}')]), value: { data: value } }
}

/** What a list may hold beside its entries. */
const besideEntries: ReadonlySet<string> = new Set(['data', 'meta', 'links'])

/** The entries of a list `{"data": [...]}`, as REST responds with it; an object that is none is alone. */
export function entriesOf(parsed: ParsedObject): ParsedObject[] {
  if (!('value' in parsed) || parsed.row) return [parsed]
  const { line, value } = parsed
  const { data } = value as { readonly data?: unknown }
  if (!Array.isArray(data)) return [parsed]
  const unknown = Object.keys(value).find((name) => !besideEntries.has(name))
  if (unknown !== undefined)
    return [{ line, bytes: parsed.bytes, problem: `${unknown}: must not stand beside a list (UNKNOWN_FIELD)` }]
  return data.map((one, entry) => ({
    line,
    bytes: Buffer.from(JSON.stringify({ data: one })),
    value: { data: one },
    entry,
  }))
}

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
