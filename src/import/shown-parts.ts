/** Products that an import gets as a catalog lists them (import.shown-parts-change-nothing). */
import { isObject, type JsonObject } from '../lib/json-object.ts'

/** The attribute that every product of such a list has, and no exported product. */
const SHOWN = 'product_types'

/**
 * The `data` of a product without the parts that a list shows incompletely. Its variations lack price modifiers and
 * options that are not built, and are in one language. With `language`, its name and description are in another
 * language.
 */
export function withoutShownParts(data: JsonObject): JsonObject {
  const { attributes } = data
  if (!isObject(attributes)) return data
  const parts = [
    ...(SHOWN in attributes ? ['variations'] : []),
    ...(attributes.language != null ? ['name', 'description'] : []),
  ]
  if (parts.length === 0) return data
  return {
    ...data,
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !parts.includes(name))),
  }
}
