/**
 * Partial updates of stored records (patch.absent-keeps-null-clears): an absent field keeps its value, null clears it, a value sets it.
 */
import { isDeepStrictEqual } from 'node:util'
import { nextUpdatedAt } from './next-updated-at.ts'

/** Fields of a record that an update sets; an undefined field keeps what is stored. */
type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined }

/**
 * The record `stored` with `changes` in it and a later `updatedAt` (record.updated-at-rises), or `stored` itself when every field keeps its
 * value (patch.equal-values-write-nothing). `now` is in epoch milliseconds.
 */
export function applyPatch<T extends { readonly updatedAt: number }>(stored: T, changes: Changes<T>, now: number): T {
  const merged: T = { ...stored, ...definedFields(changes) }
  return isDeepStrictEqual(merged, stored) ? stored : { ...merged, updatedAt: nextUpdatedAt(now, stored.updatedAt) }
}

/** The fields of a patch that are given: undefined ones are left out, so that a spread over a stored record keeps its values. */
export function definedFields<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
