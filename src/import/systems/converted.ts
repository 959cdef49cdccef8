/** Objects that are made of another system's data: they keep where they stand there (import.systems-name-the-place). */
import type { Violation } from '../../domain/input/errors.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import type { ParsedObject } from '../parsed-object.ts'

/** Where something stands in another system's data. */
export interface StandsAt {
  /** Such as `products.csv row 7`, or `store/products.json:1`. */
  readonly at: string
  /** Its line or row. */
  readonly line: number
  /** Its file, where that is a sheet: problems then begin with the row or the cell, such as `B7: `. */
  readonly file?: string | undefined
  /** Its index in a list `{"data": [...]}`. */
  readonly entry?: number | undefined
}

/** An object of the import that is made of what stands there; `describe` says what is wrong in words of that system. */
export function converted(
  { at, line, file, entry }: StandsAt,
  data: JsonObject,
  describe?: (violation: Violation) => string,
): ParsedObject {
  const value = { data }
  const bytes = Buffer.from(JSON.stringify(value))
  const place = { at, line, ...(file !== undefined && { file }), ...(entry !== undefined && { entry }) }
  return { ...place, bytes, value, ...(describe && { describe }) }
}

/** What stands there and can't be read; `productId` is the id that its product would have. */
export function unreadable(
  { at, line, file }: StandsAt,
  problem: string,
  text: string | Buffer = '',
  productId?: string,
): ParsedObject {
  const place = { at, line, ...(file !== undefined && { file }) }
  return { ...place, bytes: Buffer.from(text), problem, ...(productId !== undefined && { productId }) }
}
