import { isObject } from '../../lib/json-object.ts'

/**
 * Nested count: the number of entries in the lists `member` of all entries of a list or map. It counts before they are
 * read, so that a limit over all of them can be checked first.
 */
export function countNested(entries: unknown, member: string): number {
  if (typeof entries !== 'object' || entries === null) return 0
  const lists = Object.values(entries).map((entry: unknown) => (isObject(entry) ? entry[member] : undefined))
  return lists.reduce<number>((count, list) => count + (Array.isArray(list) ? list.length : 0), 0)
}
