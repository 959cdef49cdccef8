/** Objects that are made of another system's data: they keep where they stand there (import.systems-name-the-place). */
import type { JsonObject } from '../../lib/json-object.ts'
import type { ParsedObject } from '../parsed-object.ts'

/** Where something stands in another system's data. */
export interface StandsAt {
  /** Such as `products.csv row 7`, or `store/products.json:1`. */
  readonly at: string
  /** Its line or row. */
  readonly line: number
  /** Its index in a list `{"data": [...]}`. */
  readonly entry?: number | undefined
}

/** An object of the import that is made of what stands there. */
export function converted({ at, line, entry }: StandsAt, data: JsonObject): ParsedObject {
  const value = { data }
  const bytes = Buffer.from(JSON.stringify(value))
  return { at, line, bytes, value, ...(entry !== undefined && { entry }) }
}

/** What stands there and can't be read. */
export function unreadable({ at, line }: StandsAt, problem: string, text: string | Buffer = ''): ParsedObject {
  return { at, line, bytes: Buffer.from(text), problem }
}
