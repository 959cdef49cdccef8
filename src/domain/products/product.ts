/** Catalog products as a team authors them. Value objects have the shape of the wire, since releases copy them. */
import { prefixPaths, type Violation } from '../input/errors.ts'
import type { StoredRecord } from '../input/patch.ts'
import type { Locales } from '../language/locale.ts'
import type { BundleComponents } from '../pricing/price-record.ts'
import { type BuildRules, buildRuleViolations } from './build-rules.ts'
import type { CustomInputs } from './custom-input.ts'
import type { Extensions } from './extension.ts'
import type { Variation } from './variation.ts'

/** Whether a publish includes a product (live) or not (draft). */
export const productStatuses = ['live', 'draft'] as const
/** A status of a product. */
export type ProductStatus = (typeof productStatuses)[number]

/** Kinds of goods. */
export const commodityTypes = ['physical', 'digital'] as const
/** The kind of goods that a product is. */
export type CommodityType = (typeof commodityTypes)[number]

/** A file of another service; `created_at` is RFC 3339, UTC, with milliseconds. */
export interface ProductFile {
  readonly id: string
  readonly created_at: string
}

/** A stored product. */
export interface Product extends StoredRecord {
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
  /** Unique among products, compared exactly. */
  readonly sku: string | null
  readonly slug: string
  readonly status: ProductStatus
  readonly commodityType: CommodityType | null
  readonly upcEan: string | null
  readonly manufacturerPartNum: string | null
  /** In lower case, each once, in the order given. */
  readonly tags: readonly string[]
  /** The components of a bundle; null for any other product. */
  readonly components: BundleComponents | null
  readonly customInputs: CustomInputs | null
  readonly extensions: Extensions | null
  readonly locales: Locales | null
  /** The variations of a parent; null for any other product. */
  readonly variations: readonly Variation[] | null
  readonly buildRules: BuildRules | null
  /** Id of a child's parent. */
  readonly parentId: string | null
  /** Ids of a child's options, one per variation of its parent, in the order in which modifiers apply (modifier.last-mention-counts). */
  readonly optionIds: readonly string[]
  readonly files: readonly ProductFile[] | null
  readonly mainImageId: string | null
}

/** The rules that the product breaks by itself; paths from the attributes on. */
export function productViolations({ variations, buildRules, parentId, optionIds }: Product): Violation[] {
  const violations: Violation[] = []
  // product.one-level-of-children: a product with variations is a parent, so it can't be a child.
  if (variations !== null && parentId !== null) {
    violations.push({ code: 'INVALID_STRUCTURE', path: ['variations'], message: 'must not be given to a child product' })
  }
  if (buildRules !== null) violations.push(...prefixPaths(['build_rules'], buildRuleViolations(buildRules, variations ?? [])))
  if (parentId === null && optionIds.length > 0) {
    violations.push({ code: 'INVALID_STRUCTURE', path: ['option_ids'], message: 'must not be given without a parent' })
  }
  return violations
}
