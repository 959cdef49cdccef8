/**
 * REST documents from GraphQL inputs: operations take the documents of the REST API, so camelCase becomes snake_case, and lists that stand
 * for maps become maps. The paths of violations are translated back. Absent and null stay different.
 */

import type { Path } from '../../domain/input/errors.ts'
import { MAP_ENTRIES_MAX } from '../../domain/input/limits.ts'
import { fromEntries } from '../../domain/input/map-keys.ts'
import { compareCodePoints } from '../../lib/code-point.ts'

/** A member that needs a conversion: its name in the REST document, and the conversion of its value, which is neither null nor absent. */
export interface Member {
  readonly as: string
  readonly value: (value: never) => unknown
}

/** The REST object of an input object. A member that is not in `members` is copied, with names in snake_case at all depths. */
export function toRestDocument(input: object, members: Readonly<Record<string, Member>> = {}): Record<string, unknown> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    given.map(([name, value]: [string, unknown]) => {
      const member = members[name]
      if (!member) return [snakeCase(name), deepSnakeCase(value)]
      return [member.as, value === null ? null : member.value(value as never)]
    }),
  )
}

/**
 * A list whose entries have their map key becomes a map; a key given twice is left for the map's reader to refuse. Of a list longer than
 * any map may be, MAP_ENTRIES_MAX + 1 entries are converted, which the reader refuses as well.
 */
export function toMap<Entry>(list: readonly Entry[], readKey: (entry: Entry) => string, readValue: (entry: Entry) => unknown): object {
  return fromEntries(list.slice(0, MAP_ENTRIES_MAX + 1).map((entry) => [readKey(entry), readValue(entry)]))
}

/** The entries of a map whose keys clients chose, in code point order of the keys (graph.maps-become-lists). */
export function entriesOf<T>(map: { readonly [key: string]: T } | object | null): [string, T][] {
  return Object.entries((map ?? {}) as Record<string, T>).sort(([left], [right]) => compareCodePoints(left, right))
}

/** Members with another name in GraphQL. `action` is a mutation's name there, so a violation of it is reported at `id`. */
const renamed: Readonly<Record<string, string>> = {
  price: 'prices',
  currencies: 'prices',
  modifier_type: 'type',
  action: 'id',
  price_modifiers: 'priceModifierNames',
  fixed_price: 'fixedPrices',
  curated_products: 'curatedProductIds',
  pricebook_ids: 'priceBooks',
  option_ids: 'optionKeys',
}

/** Members whose entries have an `id` that is unique only within the record; GraphQL calls it `key`. */
const keyed: ReadonlySet<unknown> = new Set(['variations', 'files'])

/** Relationships of REST documents, and the members of GraphQL inputs that have their ids. */
const related: Readonly<Record<string, string>> = {
  parent: 'parentId',
  main_image: 'mainImageId',
  products: 'productIds',
  plans: 'planIds',
}

/** Translates a violation's path from the REST document's `data` to the mutation's `input`. Map keys stay as the client wrote them. */
export function toInputPath(path: Path): string[] {
  const members = unwrapped(path)
  return members.map((segment) => {
    if (segment === 'id' && keyed.has(members[0])) return 'key'
    if (typeof segment === 'object') return segment.key
    return typeof segment === 'number' ? String(segment) : (renamed[segment] ?? camelCase(segment))
  })
}

/** The relationships of a REST document, `{ name: { data } }`, from lists of ids. Absent lists are left out. */
export function toRelationships(lists: Readonly<Record<string, readonly string[] | null | undefined>>): Record<string, unknown> {
  const given = Object.entries(lists).filter(([, ids]) => ids !== undefined)
  return Object.fromEntries(given.map(([name, ids]) => [name, ids && { data: ids }]))
}

/** Removes the wrappers of a path: `attributes.name` becomes `name`, `relationships.files.data.0` becomes `files.0`; also after `rows.0`. */
function unwrapped(path: Path): Path {
  if (path[0] === 'rows' && path.length > 2) return [...path.slice(0, 2), ...unwrapped(path.slice(2))]
  const [wrapper, name, data] = path
  if (wrapper === 'attributes') return path.slice(1)
  if (wrapper !== 'relationships' || typeof name !== 'string') return path
  return [related[name] ?? name, ...path.slice(data === 'data' ? 3 : 2)]
}

/** camelCase to snake_case. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** snake_case to camelCase. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function deepSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepSnakeCase)
  return typeof value === 'object' && value !== null ? toRestDocument(value) : value
}
