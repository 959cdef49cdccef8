/** Price books (price-book.name-is-unique; the contract shows no fields of the record itself). */

import type { Violation } from '../input/errors.ts'
import { type InputReader, readInput } from '../input/input-reader.ts'
import { DESCRIPTION_MAX, EXTERNAL_REF_MAX, FREE_NAME_MAX } from '../input/limits.ts'
import { applyPatch } from '../input/patch.ts'
import { readRecordHead } from '../input/record.ts'

export interface PriceBook {
  readonly id: string
  /** Unique among books, like `name`. */
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Absent keeps, null clears, a value sets. */
export interface PriceBookPatch {
  readonly externalRef: string | null | undefined
  readonly name: string | undefined
  readonly description: string | null | undefined
}

/** Reads `data` of a book: `{ id?, type: 'pricebook', attributes: { external_ref?, name, description? } }`. A new one must have a name. */
export function readPriceBook(
  data: unknown,
  rule: { create: boolean; expectedId?: string },
): { value: { id: string | undefined; patch: PriceBookPatch } | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    const { id, attributes } = readRecordHead(reader, 'pricebook', rule.expectedId)
    return attributes && { id, patch: readAttributes(attributes, rule) }
  })
}

export function newPriceBook(id: string, patch: PriceBookPatch, now: number): PriceBook {
  return {
    id,
    externalRef: patch.externalRef ?? null,
    name: patch.name ?? '',
    description: patch.description ?? null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The book after the patch; the same object when nothing changes, otherwise with an `updatedAt` that rose (record.updated-at-rises). */
export function applyPriceBookPatch(stored: PriceBook, patch: PriceBookPatch, now: number): PriceBook {
  return applyPatch(stored, patch, now)
}

function readAttributes(attributes: InputReader, { create }: { create: boolean }): PriceBookPatch {
  return {
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: DESCRIPTION_MAX }),
  }
}
