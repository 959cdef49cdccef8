/**
 * How a catalog product changes: absent, null and a value are three things (patch.absent-keeps-null-clears for products), and the whole is
 * made of both.
 */
import { formatInstant } from '../input/instant.ts'
import { applyPatch, definedFields } from '../input/patch.ts'
import type { Reference } from '../input/record.ts'
import { slugOf } from '../input/slug.ts'
import type { Locales } from '../language/locale.ts'
import type { BundleComponents } from '../pricing/price-record.ts'
import type { BuildRules } from './build-rules.ts'
import type { CustomInputs } from './custom-input.ts'
import type { Extensions } from './extension.ts'
import type { CommodityType, Product, ProductFile, ProductStatus } from './product.ts'
import { identifyVariations, type VariationInput } from './variation.ts'

/** A file as given; `createdAt` in epoch milliseconds. */
export interface FileInput {
  readonly id: string
  readonly createdAt: number | undefined
}

/** Absent keeps, null clears (the slug: derives it anew), a value sets. Maps, lists and relationships that are given replace the whole. */
export interface ProductPatch {
  readonly name: string | undefined
  readonly description: string | null | undefined
  readonly sku: string | null | undefined
  readonly slug: string | null | undefined
  readonly status: ProductStatus | undefined
  readonly commodityType: CommodityType | null | undefined
  readonly upcEan: string | null | undefined
  readonly manufacturerPartNum: string | null | undefined
  readonly tags: readonly string[] | null | undefined
  readonly externalRef: string | null | undefined
  readonly components: BundleComponents | null | undefined
  readonly customInputs: CustomInputs | null | undefined
  readonly extensions: Extensions | null | undefined
  readonly variations: readonly VariationInput[] | null | undefined
  readonly buildRules: BuildRules | null | undefined
  readonly optionIds: readonly string[] | null | undefined
  readonly locales: Locales | null | undefined
  readonly parent: Reference | null | undefined
  readonly files: readonly FileInput[] | null | undefined
  readonly mainImageId: string | null | undefined
}

/** A product of a patch that holds a name. `parentId` is what the patch's reference to the parent was found to be. */
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

/** The product after the patch; the same object when nothing changes, otherwise with an `updatedAt` that rose (record.updated-at-rises). */
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
 * Absent keeps; slug null is derived from the name that the product then has (product.slug-from-name); a product that leaves its parent
 * leaves its options.
 */
function merge(stored: Product, patch: ProductPatch, parentId: string | null | undefined, now: number, newId: () => string): Product {
  const { parent: _, name, slug, status, tags, variations, optionIds, files, ...plain } = patch
  const merged = { ...stored, ...definedFields(plain), name: name ?? stored.name, status: status ?? stored.status }
  return {
    ...merged,
    slug: slug === null ? slugOf(merged.name) : (slug ?? stored.slug),
    tags: tags === undefined ? stored.tags : (tags ?? []),
    variations:
      variations === undefined ? stored.variations : someOrNull(identifyVariations(variations ?? [], stored.variations ?? [], newId)),
    parentId: parentId === undefined ? stored.parentId : parentId,
    optionIds: optionIds === undefined ? (parentId === null ? [] : stored.optionIds) : (optionIds ?? []),
    files: files === undefined ? stored.files : someOrNull(mergeFiles(files ?? [], stored.files ?? [], now)),
  }
}

/** A file whose `created_at` is not given keeps the one it has, a new one is of now. */
function mergeFiles(files: readonly FileInput[], stored: readonly ProductFile[], now: number): ProductFile[] {
  return files.map(({ id, createdAt }) => {
    const before = stored.find((file) => file.id === id)?.created_at
    return { id, created_at: createdAt !== undefined ? formatInstant(createdAt) : (before ?? formatInstant(now)) }
  })
}

function someOrNull<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null
}
