/** Price books: named sets of product prices and modifiers (price-book.name-is-unique). */
import type { InputReader } from '../input/input-reader.ts'
import { DESCRIPTION_MAX, EXTERNAL_REF_MAX, FREE_NAME_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { recordReaders } from '../input/record.ts'

/** A stored price book. */
export interface PriceBook extends StoredRecord {
  /** Unique among price books, like `name`. */
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
}

/** A partial update of a price book. */
export type PriceBookPatch = PatchOf<PriceBook>

/** Readers of a price book's `data`: `{ id?, type: 'pricebook', attributes: { external_ref?, name, description? } }`. */
export const { readNew: readPriceBook, readUpdate: readPriceBookUpdate } = recordReaders('pricebook', readAttributes)

/** A new price book from the input of a create, which has a name. `now` is in epoch milliseconds. */
export function newPriceBook(patch: PriceBookPatch, id: string, now: number): PriceBook {
  return {
    id,
    externalRef: patch.externalRef ?? null,
    name: patch.name ?? '',
    description: patch.description ?? null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The price book after the patch; the same object when nothing changes. */
export function applyPriceBookPatch(stored: PriceBook, patch: PriceBookPatch, now: number): PriceBook {
  return applyPatch(stored, patch, now)
}

function readAttributes(attributes: InputReader, { create }: { create: boolean }): PriceBookPatch {
  return {
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: DESCRIPTION_MAX }),
  }
}
