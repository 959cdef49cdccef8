/** JSON objects. */

/** An object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether `value` is an object, neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
