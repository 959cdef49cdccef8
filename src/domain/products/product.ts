/** Catalog products as a team authors them. Value objects have the shape of the wire, since releases copy them. */
import { prefixPaths, type Violation } from '../input/errors.ts'
import { FREE_NAME_MAX, PRODUCT_CODE_MAX, PRODUCT_DESCRIPTION_MAX, SKU_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { optionalLink } from '../input/record-links.ts'
import { externalRef, optionalText, optionalWord, text, wordOr } from '../input/record-members.ts'
import { slug } from '../input/slug.ts'
import { pageLocales, seoTexts } from '../language/locale-member.ts'
import { buildRules, buildRuleViolations, optionIds } from './build-rules.ts'
import { components } from './component-input.ts'
import { customInputs } from './custom-input.ts'
import { extensions } from './extension.ts'
import { files } from './product-file.ts'
import { mainImageId, tags } from './product-members.ts'
import { variations } from './variation.ts'

/** Whether a publish includes a product (live) or not (draft). */
export const productStatuses = ['live', 'draft'] as const

/** Kinds of goods. */
export const commodityTypes = ['physical', 'digital'] as const
/** The kind of goods that a product is. */
export type CommodityType = (typeof commodityTypes)[number]

/** The members of a listing in its order, then those that only this server has. */
export const productRecord = defineRecord('product', {
  name: text({ min: 1, max: FREE_NAME_MAX, isName: true }),
  description: optionalText({ max: PRODUCT_DESCRIPTION_MAX }),
  /** Compared exactly. */
  sku: optionalText({ min: 1, max: SKU_MAX, isName: true, unique: 'among products' }),
  slug: { ...slug, min: 1 },
  status: wordOr('draft', productStatuses),
  commodityType: optionalWord(commodityTypes),
  upcEan: optionalText({ max: PRODUCT_CODE_MAX }),
  /** `mpn` is an alias (product.mpn-is-an-alias). */
  manufacturerPartNum: optionalText({ max: PRODUCT_CODE_MAX, alias: 'mpn' }),
  tags,
  externalRef: externalRef(),
  components,
  customInputs,
  extensions,
  variations,
  buildRules,
  /**
   * Ids of a child's options, one per variation of its parent, in the order in which modifiers apply
   * (modifier.last-mention-counts).
   */
  optionIds,
  ...seoTexts,
  locales: pageLocales,
  parentId: optionalLink(['product'], { restName: 'parent', at: 'relationships' }),
  files,
  mainImageId,
})

/** A stored product. */
export type Product = RecordOf<typeof productRecord.members>

/** The rules that the product breaks by itself; paths from the attributes on. */
export function productViolations({ variations, buildRules, parentId, optionIds }: Product): Violation[] {
  const violations: Violation[] = []
  // product.one-level-of-children: a product with variations is a parent, so it can't be a child.
  if (variations !== null && parentId !== null) {
    violations.push({
      code: 'INVALID_STRUCTURE',
      path: ['variations'],
      message: 'must not be given to a child product',
    })
  }
  if (buildRules !== null)
    violations.push(...prefixPaths(['build_rules'], buildRuleViolations(buildRules, variations ?? [])))
  if (parentId === null && optionIds.length > 0) {
    violations.push({ code: 'INVALID_STRUCTURE', path: ['option_ids'], message: 'must not be given without a parent' })
  }
  return violations
}
