/** Catalog products as a team authors them. Value objects keep the contract's shape, since releases copy them. */

import { prefixPaths, type Violation } from '../input/errors.ts'
import type { Locales } from '../language/locale.ts'
import type { BundleComponents } from '../pricing/price-record.ts'
import { type BuildRules, buildRuleViolations } from './build-rules.ts'
import type { CustomInputs } from './custom-input.ts'
import type { Extensions } from './extension.ts'
import type { Variation } from './variation.ts'

export const productStatuses = ['live', 'draft'] as const
export type ProductStatus = (typeof productStatuses)[number]

export const commodityTypes = ['physical', 'digital'] as const
export type CommodityType = (typeof commodityTypes)[number]

/** A file of another service; `created_at` is an instant in UTC with milliseconds. */
export interface ProductFile {
  readonly id: string
  readonly created_at: string
}

export interface Product {
  readonly id: string
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
  /** Lower case, each once, in the order given. */
  readonly tags: readonly string[]
  /** A bundle's; null for a product that is none. */
  readonly components: BundleComponents | null
  readonly customInputs: CustomInputs | null
  readonly extensions: Extensions | null
  readonly locales: Locales | null
  /** A parent's; null for a product without. */
  readonly variations: readonly Variation[] | null
  readonly buildRules: BuildRules | null
  /** A child's parent. */
  readonly parentId: string | null
  /** A child's options, one per variation of its parent, in the order that modifiers follow (modifier.last-mention-counts). */
  readonly optionIds: readonly string[]
  readonly files: readonly ProductFile[] | null
  readonly mainImageId: string | null
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What the product breaks by itself; paths from the attributes on. */
export function productViolations({ variations, buildRules, parentId, optionIds }: Product): Violation[] {
  const violations: Violation[] = []
  // product.one-level-of-children from below: who has variations is to have children, so it can't be one.
  if (variations !== null && parentId !== null) {
    violations.push({ code: 'INVALID_STRUCTURE', path: ['variations'], message: 'must not be given to a child product' })
  }
  if (buildRules !== null) violations.push(...prefixPaths(['build_rules'], buildRuleViolations(buildRules, variations ?? [])))
  if (parentId === null && optionIds.length > 0) {
    violations.push({ code: 'INVALID_STRUCTURE', path: ['option_ids'], message: 'must not be given without a parent' })
  }
  return violations
}
