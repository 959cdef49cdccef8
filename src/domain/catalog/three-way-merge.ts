/**
 * Three-way merge: what a publish changes in the latest release, carried into a scheduled release field by field
 * (release.corrections-carried).
 */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../lib/json-object.ts'

/** One value in three releases: the latest one before the publish, the one after it, and the scheduled one. */
export interface Sides<T> {
  readonly former: T
  readonly latest: T
  readonly scheduled: T
}

/** A field that both the publish and the schedule changed, so that it stays as scheduled. */
export interface FieldConflict {
  readonly field: string
  /** Which part of the field: a language, a currency, a name or an id; null for the whole. */
  readonly key: string | null
}

/** The same part of all three values. */
export function part<T, P>({ former, latest, scheduled }: Sides<T>, read: (value: T) => P): Sides<P> {
  return { former: read(former), latest: read(latest), scheduled: read(scheduled) }
}

/** Whether the publish changed the value. */
export function isChanged({ former, latest }: Sides<unknown>): boolean {
  return !isDeepStrictEqual(former, latest)
}

/** The instant of the last update: where both changed it the later one. */
export function lastUpdate({ former, latest, scheduled }: Sides<number | undefined>): number {
  if (former === latest) return scheduled as number
  return former === scheduled ? (latest as number) : Math.max(latest as number, scheduled as number)
}

/** Merges the fields of one record, and collects what can't be carried. */
export class ThreeWayMerge {
  readonly conflicts: FieldConflict[] = []
  /** Whether the publish already shows something that the schedule changed. */
  showsEarly = false

  /** A field as a whole. */
  value<T>(field: string, sides: Sides<T>, key: string | null = null): T {
    const settled = this.settle(sides)
    if (settled) return settled.value
    this.conflicts.push({ field, key })
    return sides.scheduled
  }

  /** A field with parts by key, each merged by `one`; a part that is undefined is not there. */
  byKey<T>(
    sides: Sides<Readonly<Record<string, T>>>,
    one: (sides: Sides<T | undefined>, key: string) => T | undefined,
  ): Record<string, T> {
    const keys = new Set([...Object.keys(sides.scheduled), ...Object.keys(sides.latest)])
    const merged: [string, T][] = []
    for (const key of keys) {
      const value = one(
        part(sides, (parts) => (Object.hasOwn(parts, key) ? parts[key] : undefined)),
        key,
      )
      if (value !== undefined) merged.push([key, value])
    }
    return Object.fromEntries(merged)
  }

  /** A list whose entries have keys, each merged by `one`. New entries come last, or with `newFirst` first. */
  list<T>(
    sides: Sides<readonly T[]>,
    keyOf: (entry: T) => string,
    one: (sides: Sides<T | undefined>, key: string) => T | undefined,
    newFirst = false,
  ): readonly T[] {
    const settled = this.settle(sides)
    if (settled) return settled.value
    const byKey = part(sides, (entries) => Object.fromEntries(entries.map((entry) => [keyOf(entry), entry])))
    const merged = this.byKey(byKey, one)
    const keys = part(sides, (entries) => entries.map(keyOf))
    // The order of the schedule, unless only the publish changed the order.
    const [first, second] = isDeepStrictEqual(keys.former, keys.scheduled)
      ? [keys.latest, keys.scheduled]
      : [keys.scheduled, keys.latest]
    const others = second.filter((key) => !first.includes(key))
    const order = newFirst ? [...others, ...first] : [...first, ...others]
    return order.flatMap((key) => (Object.hasOwn(merged, key) ? [merged[key] as T] : []))
  }

  /**
   * JSON whose objects are merged member by member, and whose lists of records by their ids, down to `depth` levels.
   * Nothing is the same as empty.
   */
  json<T>(field: string, sides: Sides<T>, depth = Number.POSITIVE_INFINITY): T {
    const merged = this.jsonPart(field, sides, [], depth)
    const isEmpty = isObject(merged) ? Object.keys(merged).length === 0 : Array.isArray(merged) && merged.length === 0
    return (isEmpty && (sides.scheduled === null || sides.latest === null) ? null : merged) as T
  }

  private jsonPart(field: string, sides: Sides<unknown>, path: readonly string[], depth: number): unknown {
    const settled = this.settle(sides)
    if (settled) return settled.value
    const inner = (of: Sides<unknown>, key: string) => this.jsonPart(field, of, [...path, key], depth)
    const isTop = path.length === 0
    if (path.length < depth) {
      const objects = containers(sides, isObject, {}, isTop)
      if (objects) return this.byKey(objects, inner)
      const lists = containers(sides, isListOfRecords, [], isTop)
      if (lists) return this.list(lists, ({ id }) => id, inner as never)
    }
    this.conflicts.push({ field, key: isTop ? null : path.join('.') })
    return sides.scheduled
  }

  /** The merged value, unless both changed it. */
  private settle<T>({ former, latest, scheduled }: Sides<T>): { readonly value: T } | null {
    if (isDeepStrictEqual(former, latest)) return { value: scheduled }
    if (isDeepStrictEqual(latest, scheduled)) {
      this.showsEarly = true
      return { value: scheduled }
    }
    return isDeepStrictEqual(former, scheduled) ? { value: latest } : null
  }
}

interface WithId extends JsonObject {
  readonly id: string
}

function isListOfRecords(value: unknown): value is readonly WithId[] {
  if (!Array.isArray(value)) return false
  const ids = value.map((entry) => (isObject(entry) ? entry.id : undefined))
  return ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length
}

/**
 * All three values as containers, null unless they are. A former value that is missing is an empty one, and for a
 * whole field so is any other: a part that one side removed and the other changed is a conflict of the whole part.
 */
function containers<C>(
  sides: Sides<unknown>,
  is: (value: unknown) => value is C,
  empty: C,
  isTop: boolean,
): Sides<C> | null {
  const given = part(sides, (value) => (value == null && isTop ? empty : value))
  const former = given.former ?? empty
  return is(former) && is(given.latest) && is(given.scheduled)
    ? { former, latest: given.latest, scheduled: given.scheduled }
    : null
}
