/**
 * Paging at both edges: offset pages of REST (list.pages-and-links) and windows of GraphQL connections
 * (graph.connections-both-ways).
 */
import type { Violation } from './errors.ts'

/** The maximum of `page[limit]`. */
export const PAGE_LIMIT_MAX = 100
/** The maximum of `page[offset]`. */
export const PAGE_OFFSET_MAX = 10_000
/** Records on a connection's page without `first` and `last`. */
export const CONNECTION_DEFAULT = 25
/** The maximum of `first` and `last`. */
export const CONNECTION_MAX = 100

/** A page of a REST list. Both members count records; `offset` is zero-based. */
export interface OffsetPage {
  readonly limit: number
  readonly offset: number
}

/** Offsets of the pages that a list links to; null where there is none. */
export interface PageOffsets {
  readonly self: number
  readonly first: number
  readonly last: number | null
  readonly prev: number | null
  readonly next: number | null
}

/**
 * Reads the texts of `page[limit]` (1 to PAGE_LIMIT_MAX) and `page[offset]` (0 to PAGE_OFFSET_MAX). Absent ones are
 * `defaultLimit` and 0.
 */
export function readOffsetPage(
  given: { readonly limit: string | undefined; readonly offset: string | undefined },
  defaultLimit: number,
): { value: OffsetPage; violations: Violation[] } {
  const violations: Violation[] = []
  const integer = (name: string, text: string | undefined, min: number, max: number, absent: number): number => {
    if (text === undefined) return absent
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    violations.push({ code: 'OUT_OF_RANGE', path: [name], message: `must be an integer from ${min} to ${max}` })
    return absent
  }
  const limit = integer('page[limit]', given.limit, 1, PAGE_LIMIT_MAX, defaultLimit)
  const offset = integer('page[offset]', given.offset, 0, PAGE_OFFSET_MAX, 0)
  return { value: { limit, offset: offset || 0 }, violations }
}

/** The `meta` of a list: `page.current` counts pages from 1, `page.total` is 0 when nothing matches. */
export function pageMeta({ limit, offset }: OffsetPage, total: number) {
  return {
    results: { total },
    page: { limit, offset, current: Math.floor(offset / limit) + 1, total: Math.ceil(total / limit) },
  }
}

/**
 * The pages that `links` names (list.pages-and-links). No link exceeds PAGE_OFFSET_MAX, where its response would be
 * 400.
 */
export function pageOffsets({ limit, offset }: OffsetPage, total: number): PageOffsets {
  if (total <= limit) return { self: offset, first: 0, last: null, prev: null, next: null }
  const reachable = (to: number): number | null => (to <= PAGE_OFFSET_MAX ? to : null)
  return {
    self: offset,
    first: 0,
    last: reachable(Math.floor((total - 1) / limit) * limit),
    prev: offset === 0 ? null : Math.max(0, offset - limit),
    next: offset + limit < total ? reachable(offset + limit) : null,
  }
}

/** The paging arguments of a connection. */
export interface ConnectionArguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
  /** Records to skip at the start; only lists of published products take it. */
  readonly offset?: number | null | undefined
}

/** The number of records on a connection's page, and the end that it counts from. */
export interface ConnectionWindow {
  readonly limit: number
  readonly backward: boolean
}

/**
 * Reads `first` and `last`: at most one of them, from 0 to CONNECTION_MAX. Neither means the first CONNECTION_DEFAULT.
 * An `offset`, 0 to PAGE_OFFSET_MAX, counts from the start, so it excludes `last` and cursors.
 */
export function readConnection({ first, last, offset, after, before }: ConnectionArguments): {
  value: ConnectionWindow
  violations: Violation[]
} {
  const violations: Violation[] = []
  if (first != null && last != null)
    violations.push({ code: 'INVALID_VALUE', path: ['last'], message: 'must not be given beside first' })
  for (const [name, count] of [
    ['first', first],
    ['last', last],
  ] as const) {
    if (count == null || (Number.isInteger(count) && count >= 0 && count <= CONNECTION_MAX)) continue
    violations.push({ code: 'OUT_OF_RANGE', path: [name], message: `must be an integer from 0 to ${CONNECTION_MAX}` })
  }
  if (offset != null && (after != null || before != null || last != null))
    violations.push({
      code: 'INVALID_VALUE',
      path: ['offset'],
      message: 'must not be given beside after, before or last',
    })
  else if (offset != null && !(Number.isInteger(offset) && offset >= 0 && offset <= PAGE_OFFSET_MAX))
    violations.push({
      code: 'OUT_OF_RANGE',
      path: ['offset'],
      message: `must be an integer from 0 to ${PAGE_OFFSET_MAX}`,
    })
  return { value: { limit: first ?? last ?? CONNECTION_DEFAULT, backward: last != null && first == null }, violations }
}

/**
 * A connection's page of `rows`: up to `limit + 1` records past the cursor, nearest first, so in reverse order when
 * counting backward. The extra record shows that more follow; a cursor or an offset shows that some precede.
 */
export function connectionSlice<Row>(
  rows: readonly Row[],
  { limit, backward }: ConnectionWindow,
  { after, before, offset }: ConnectionArguments,
): { rows: Row[]; hasNextPage: boolean; hasPreviousPage: boolean } {
  const more = rows.length > limit
  const page = rows.slice(0, limit)
  if (backward) return { rows: page.reverse(), hasPreviousPage: more, hasNextPage: before != null }
  return { rows: page, hasNextPage: more, hasPreviousPage: after != null || (offset ?? 0) > 0 }
}

/**
 * A keyset window: records strictly between two keys, at most `limit`, from the end when `reverse`. A key has a value
 * for each column of the order.
 */
export interface KeysetWindow {
  readonly after: readonly (string | number)[] | null
  readonly before: readonly (string | number)[] | null
  readonly limit: number
  readonly reverse: boolean
  /** Records to skip at the start, with `after: null`; 0 in lists without offsets. */
  readonly offset: number
  /** Equal for equal windows. */
  readonly id: string
}
