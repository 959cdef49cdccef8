/**
 * Paging, for both edges: offsets of the facade (list.pages-and-links) and windows of the graph's connections
 * (graph.connections-both-ways).
 */
import type { Violation } from './errors.ts'

export const PAGE_LIMIT_MAX = 100
export const PAGE_OFFSET_MAX = 10_000
export const CONNECTION_DEFAULT = 25
export const CONNECTION_MAX = 100

/** Both count records; `offset` is zero-based. */
export interface OffsetPage {
  readonly limit: number
  readonly offset: number
}

/** Offsets of the pages that a list links to; null where there is no such page. */
export interface PageOffsets {
  readonly self: number
  readonly first: number
  readonly last: number | null
  readonly prev: number | null
  readonly next: number | null
}

/** Reads the texts of `page[limit]` and `page[offset]`; absent ones take `defaultLimit` and 0. */
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

/** The `meta` of a list: `current` counts pages from 1, `total` is 0 when nothing matches. */
export function pageMeta({ limit, offset }: OffsetPage, total: number) {
  return { results: { total }, page: { limit, offset, current: Math.floor(offset / limit) + 1, total: Math.ceil(total / limit) } }
}

/** list.pages-and-links: which pages `links` names. No link leads past PAGE_OFFSET_MAX, where it would answer 400. */
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

export interface ConnectionArguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** How many records a connection shows, and from which end it counts. */
export interface ConnectionWindow {
  readonly limit: number
  readonly backward: boolean
}

/** Reads `first` and `last`: at most one of them, 0 to CONNECTION_MAX; neither means the first CONNECTION_DEFAULT. */
export function readConnection({ first, last }: ConnectionArguments): { value: ConnectionWindow; violations: Violation[] } {
  const violations: Violation[] = []
  if (first != null && last != null) violations.push({ code: 'INVALID_VALUE', path: ['last'], message: 'must not be given beside first' })
  for (const [name, count] of [
    ['first', first],
    ['last', last],
  ] as const) {
    if (count == null || (Number.isInteger(count) && count >= 0 && count <= CONNECTION_MAX)) continue
    violations.push({ code: 'OUT_OF_RANGE', path: [name], message: `must be an integer from 0 to ${CONNECTION_MAX}` })
  }
  return { value: { limit: first ?? last ?? CONNECTION_DEFAULT, backward: last != null && first == null }, violations }
}

/**
 * A connection's page from `rows`: up to `limit + 1` records past the cursor, in the order in which they were fetched (nearest to the
 * cursor first, so reversed when counting backward). The one too many tells whether more follow; a cursor tells that some precede.
 */
export function connectionSlice<Row>(
  rows: readonly Row[],
  { limit, backward }: ConnectionWindow,
  { after, before }: ConnectionArguments,
): { rows: Row[]; hasNextPage: boolean; hasPreviousPage: boolean } {
  const more = rows.length > limit
  const shown = rows.slice(0, limit)
  if (backward) return { rows: shown.reverse(), hasPreviousPage: more, hasNextPage: before != null }
  return { rows: shown, hasNextPage: more, hasPreviousPage: after != null }
}

/** Items strictly between two keys, `limit` at most, walked from the end when `reverse`. A key holds a value per column of the order. */
export interface KeysetWindow {
  readonly after: readonly (string | number)[] | null
  readonly before: readonly (string | number)[] | null
  readonly limit: number
  readonly reverse: boolean
  /** Equal for equal windows. */
  readonly id: string
}
