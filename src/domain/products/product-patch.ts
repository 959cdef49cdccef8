/** Product patch: how a partial update changes a catalog product (patch.absent-keeps-null-clears). */
import { formatInstant } from '../input/instant.ts'
import { applyPatch, definedFields, type PatchOf, type StoredRecord } from '../input/patch.ts'
import type { Reference } from '../input/record.ts'
import { slugOf } from '../input/slug.ts'
import { type BuildRulesPatch, patchBuildRules } from './build-rules.ts'
import type { Product, ProductFile } from './product.ts'
import { identifyVariations, type VariationInput } from './variation.ts'

/** A file of the input; `createdAt` is in epoch milliseconds. */
export interface FileInput {
  readonly id: string
  readonly createdAt: number | undefined
}

/** The members of a product that its patch has in another form. */
type OtherInput = 'slug' | 'tags' | 'variations' | 'buildRules' | 'optionIds' | 'parentId' | 'files'

/** A partial update of a product. Given maps, lists and relationships replace the stored ones; build rules merge. */
export interface ProductPatch extends PatchOf<Product, Exclude<keyof Product, keyof StoredRecord | OtherInput>> {
  /** Null derives the slug from the name again. */
  readonly slug: string | null | undefined
  readonly tags: readonly string[] | null | undefined
  readonly variations: readonly VariationInput[] | null | undefined
  readonly buildRules: BuildRulesPatch | null | undefined
  readonly optionIds: readonly string[] | null | undefined
  readonly parent: Reference | null | undefined
  readonly files: readonly FileInput[] | null | undefined
}

/**
 * A new product from the input of a create, which has a name. `parentId` is the id that the patch's reference to the parent resolves
 * to; `now` is in epoch milliseconds.
 */
export function newProduct(
  patch: ProductPatch,
  parentId: string | null | undefined,
  id: string,
  now: number,
  newId: () => string,
): Product {
  const blank: Product = {
    id,
    externalRef: null,
    name: '',
    description: null,
    sku: null,
    slug: '',
    status: 'draft',
    commodityType: null,
    upcEan: null,
    manufacturerPartNum: null,
    tags: [],
    components: null,
    customInputs: null,
    extensions: null,
    locales: null,
    variations: null,
    buildRules: null,
    parentId: null,
    optionIds: [],
    files: null,
    mainImageId: null,
    createdAt: now,
    updatedAt: now,
  }
  return merge(blank, { ...patch, slug: patch.slug ?? null }, parentId, now, newId)
}

/** The product after the patch; the same object when nothing changes. `parentId` is as for `newProduct`. */
export function applyProductPatch(
  stored: Product,
  patch: ProductPatch,
  parentId: string | null | undefined,
  now: number,
  newId: () => string,
): Product {
  return applyPatch(stored, merge(stored, patch, parentId, now, newId), now)
}

/**
 * The product with the patch in it. A null slug is derived from the resulting name (product.slug-from-name); a product that loses its
 * parent loses its options too.
 */
function merge(stored: Product, patch: ProductPatch, parentId: string | null | undefined, now: number, newId: () => string): Product {
  const { parent: _, name, slug, status, tags, variations, buildRules, optionIds, files, ...plain } = patch
  const merged = { ...stored, ...definedFields(plain), name: name ?? stored.name, status: status ?? stored.status }
  return {
    ...merged,
    slug: slug === null ? slugOf(merged.name) : (slug ?? stored.slug),
    tags: tags === undefined ? stored.tags : (tags ?? []),
    variations:
      variations === undefined ? stored.variations : someOrNull(identifyVariations(variations ?? [], stored.variations ?? [], newId)),
    buildRules: patchBuildRules(stored.buildRules, buildRules),
    parentId: parentId === undefined ? stored.parentId : parentId,
    optionIds: optionIds === undefined ? (parentId === null ? [] : stored.optionIds) : (optionIds ?? []),
    files: files === undefined ? stored.files : someOrNull(mergeFiles(files ?? [], stored.files ?? [], now)),
  }
}

/** A file without a given `created_at` keeps the stored one; a new file has `now`. */
function mergeFiles(files: readonly FileInput[], stored: readonly ProductFile[], now: number): ProductFile[] {
  return files.map(({ id, createdAt }) => {
    const before = stored.find((file) => file.id === id)?.created_at
    return { id, created_at: createdAt !== undefined ? formatInstant(createdAt) : (before ?? formatInstant(now)) }
  })
}

function someOrNull<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null
}
