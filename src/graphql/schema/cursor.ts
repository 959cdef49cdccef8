/**
 * Opaque cursors: base64url of the JSON array of an item's key values. A cursor that this server would not have written
 * is refused.
 */
import { isUuid } from '../../domain/input/formats.ts'
import { isInstant } from '../../domain/input/instant.ts'
import { isStorable } from '../../domain/input/text.ts'

/** The type of a key value; an `instant` is in epoch milliseconds. */
export type KeyKind = 'integer' | 'instant' | 'text' | 'uuid'
/** The values that an item is ordered by. */
export type CursorKey = readonly (string | number)[]

/** The longest accepted cursor, in characters. The longest that this server writes holds a name, and is shorter. */
export const CURSOR_MAX = 32 * 1024

const fits: Readonly<Record<KeyKind, (value: unknown) => boolean>> = {
  integer: (value) => Number.isSafeInteger(value),
  instant: (value) => Number.isSafeInteger(value) && isInstant(value as number),
  text: (value) => typeof value === 'string' && isStorable(value),
  uuid: (value) => typeof value === 'string' && isUuid(value),
}

export function writeCursor(key: CursorKey): string {
  return Buffer.from(JSON.stringify(key), 'utf8').toString('base64url')
}

/** Decodes a cursor; undefined when it does not fit the order. Without `order` any list's cursor fits. */
export function readCursor(cursor: string, order?: readonly KeyKind[]): CursorKey | undefined {
  if (cursor.length > CURSOR_MAX) return undefined
  const key = parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!Array.isArray(key)) return undefined
  const fitting =
    order === undefined || (key.length === order.length && order.every((kind, index) => fits[kind](key[index])))
  return fitting && writeCursor(key) === cursor ? key : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
