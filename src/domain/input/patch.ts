/**
 * Partial updates of stored records (patch.absent-keeps-null-clears): an absent field keeps its value, null clears it,
 * a value sets it.
 */
import { isDeepStrictEqual } from 'node:util'

/** The members of every record that is stored. */
export interface StoredRecord {
  readonly id: string
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * A partial update of a record, by default of all its own members: undefined keeps the stored value, null clears it.
 */
export type PatchOf<T, Members extends keyof T = Exclude<keyof T, keyof StoredRecord>> = {
  readonly [K in Members]: T[K] | undefined
}

/**
 * The record `stored` with `changes` in it and a later `updatedAt` (record.updated-at-rises), or `stored` itself when
 * every field keeps its value (patch.equal-values-write-nothing). `now` is in epoch milliseconds.
 */
export function applyPatch<T extends { readonly updatedAt: number }>(
  stored: T,
  changes: Partial<PatchOf<T, keyof T>>,
  now: number,
): T {
  const merged: T = { ...stored, ...definedFields(changes) }
  return isDeepStrictEqual(merged, stored) ? stored : { ...merged, updatedAt: nextUpdatedAt(now, stored.updatedAt) }
}

/**
 * The `updatedAt` of a stored change: later than the previous one, whatever the clock does (record.updated-at-rises).
 */
export function nextUpdatedAt(now: number, previous: number): number {
  return Math.max(now, previous + 1)
}

/**
 * The fields of a patch that are given: undefined ones are left out, so that a spread over a stored record keeps its
 * values.
 */
export function definedFields<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
