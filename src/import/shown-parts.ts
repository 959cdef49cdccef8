/** Products as a list of a catalog shows them, sent to an import (import.shown-parts-change-nothing). */
import { isObject, type JsonObject } from '../domain/input/input-reader.ts'

/** What every product of such a list has, and no product that was exported. */
const SHOWN = 'product_types'

/**
 * The `data` of a product without what a list shows of it in part: its variations, which come without options that are not built, without
 * price modifiers and in one language, and in another language (`language`) its name and description.
 */
export function withoutShownParts(data: JsonObject): JsonObject {
  const { attributes } = data
  if (!isObject(attributes)) return data
  const parts = [...(SHOWN in attributes ? ['variations'] : []), ...(attributes.language != null ? ['name', 'description'] : [])]
  if (parts.length === 0) return data
  return { ...data, attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !parts.includes(name))) }
}
