/**
 * Between the graph's inputs and the contract's documents, which is what operations take: camelCase becomes snake_case, lists that stand
 * for the contract's maps become maps, and the paths of violations go the same way back. Absent, null and a value stay three things.
 */

import type { Path } from '../../domain/input/errors.ts'
import { MAP_ENTRIES_MAX } from '../../domain/input/limits.ts'
import { fromEntries } from '../../domain/input/map-keys.ts'
import { compareCodePoints } from '../../lib/code-point.ts'

/** A member that is not just copied: its contract name and how its value (never null or absent) is converted. */
export interface Member {
  readonly as: string
  readonly value: (value: never) => unknown
}

/** The contract's object for an input object. Members that `members` does not name keep their value under their snake_case name. */
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
 * A list whose entries carry their map key becomes the contract's map, whose reader refuses a key that is given twice. Of a list that is
 * longer than any map may be, no more is converted than its reader needs for refusing it.
 */
export function toMap<Entry>(list: readonly Entry[], readKey: (entry: Entry) => string, readValue: (entry: Entry) => unknown): object {
  return fromEntries(list.slice(0, MAP_ENTRIES_MAX + 1).map((entry) => [readKey(entry), readValue(entry)]))
}

/** The entries of a map whose keys clients chose, in code point order (graph.maps-become-lists). */
export function entriesOf<T>(map: { readonly [key: string]: T } | object | null): [string, T][] {
  return Object.entries((map ?? {}) as Record<string, T>).sort(([left], [right]) => compareCodePoints(left, right))
}

/** Maps that became lists under another name; and the action of a state, which became a mutation's name: it is what `id` names that refuses it. */
const renamed: Readonly<Record<string, string>> = {
  price: 'prices',
  currencies: 'prices',
  action: 'id',
  price_modifiers: 'priceModifierNames',
  fixed_price: 'fixedPrices',
  curated_products: 'curatedProductIds',
  pricebook_ids: 'priceBooks',
  option_ids: 'optionKeys',
}

/** Members whose entries have an id that is unique within the record only: the graph calls it `key`. */
const keyed: ReadonlySet<unknown> = new Set(['variations', 'files'])

/** Relationships, which the graph's inputs name by ids. */
const related: Readonly<Record<string, string>> = {
  parent: 'parentId',
  main_image: 'mainImageId',
  products: 'productIds',
  plans: 'planIds',
}

/** A violation's path, relative to the contract's `data`, as the path into the mutation's `input`. Map keys stay as the client wrote them. */
export function toInputPath(path: Path): string[] {
  const members = unwrapped(path)
  return members.map((segment) => {
    if (segment === 'id' && keyed.has(members[0])) return 'key'
    if (typeof segment === 'object') return segment.key
    return typeof segment === 'number' ? String(segment) : (renamed[segment] ?? camelCase(segment))
  })
}

/** Documents for relationships: lists of ids under their contract's name, `{ name: { data } }`. Absent ones are left out. */
export function toRelationships(lists: Readonly<Record<string, readonly string[] | null | undefined>>): Record<string, unknown> {
  const given = Object.entries(lists).filter(([, ids]) => ids !== undefined)
  return Object.fromEntries(given.map(([name, ids]) => [name, ids && { data: ids }]))
}

/** `attributes.name` is `name` in the input, `relationships.files.data.0` is `files.0`; the same under `rows.0`. */
function unwrapped(path: Path): Path {
  if (path[0] === 'rows' && path.length > 2) return [...path.slice(0, 2), ...unwrapped(path.slice(2))]
  const [wrapper, name, data] = path
  if (wrapper === 'attributes') return path.slice(1)
  if (wrapper !== 'relationships' || typeof name !== 'string') return path
  return [related[name] ?? name, ...path.slice(data === 'data' ? 3 : 2)]
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function deepSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepSnakeCase)
  return typeof value === 'object' && value !== null ? toRestDocument(value) : value
}
