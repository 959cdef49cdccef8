/** Product patch: a new product from its input, and a stored one after a change (patch.absent-keeps-null-clears). */
import { makeRecord, patchRecord } from '../input/record-change.ts'
import type { GivenPatch, GivenRecord } from '../input/record-definition.ts'
import { type Product, productRecord } from './product.ts'
import { mergeFiles } from './product-file.ts'
import { identifyVariations } from './variation.ts'

/**
 * The input of a change of a product. Given maps, lists and relationships replace the stored ones; build rules merge.
 */
export type ProductPatch = GivenPatch<typeof productRecord.members>

/** A change with the slug that was made where the input clears it. */
export type SluggedPatch = ProductPatch & { readonly slug?: string | undefined }

/** The input of a new product, with its slug. */
export type NewProduct = GivenRecord<typeof productRecord.members> & { readonly slug: string }

/**
 * A new product. `parentId` is the id that the reference to the parent resolves to; `now` is in epoch milliseconds.
 */
export function newProduct(
  given: NewProduct,
  parentId: string | null | undefined,
  id: string,
  now: number,
  newId: () => string,
): Product {
  return makeRecord(productRecord, { ...given, ...linksOf(given, parentId, null, now, newId) }, id, now)
}

/** The product after the patch; the same object when nothing changes. `parentId` is as for `newProduct`. */
export function applyProductPatch(
  stored: Product,
  patch: SluggedPatch,
  parentId: string | null | undefined,
  now: number,
  newId: () => string,
): Product {
  return patchRecord(productRecord, stored, { ...patch, ...linksOf(patch, parentId, stored, now, newId) }, now)
}

/** The members that depend on more than the input. A product that loses its parent loses its options too. */
function linksOf(
  { variations, optionIds, files }: ProductPatch,
  parentId: string | null | undefined,
  stored: Product | null,
  now: number,
  newId: () => string,
) {
  return {
    variations: variations && identifyVariations(variations, stored?.variations ?? [], newId),
    parentId,
    optionIds: optionIds === undefined && parentId === null ? [] : optionIds,
    files: files && mergeFiles(files, stored?.files ?? [], now),
  }
}
