/** Carrying products: one product of three releases, merged field by field (release.carried-by-field). */
import { isDeepStrictEqual } from 'node:util'
import type { Texts } from '../language/language.ts'
import type { LocaleTexts } from '../language/locale.ts'
import type { ReleasePricing } from '../pricing/price-record.ts'
import { mergeComponents, mergePricing } from './carry-price.ts'
import type { ReleaseProduct } from './released-product.ts'
import { type FieldConflict, lastUpdate, part, type Sides, ThreeWayMerge } from './three-way-merge.ts'

/** An option of a child's parent, as the child is found by it. */
export interface ChosenOption {
  readonly id: string
  readonly variation: string
  readonly name: string
}

/** All that a release holds of one product. */
export interface ProductContent {
  readonly product: ReleaseProduct
  readonly price: ReleasePricing
  /** The variation options of a child, by id. */
  readonly chosenOptions: readonly ChosenOption[]
}

/** A product that the latest and the scheduled release have, and maybe the former latest. */
export interface ProductSides {
  readonly former: ProductContent | undefined
  readonly latest: ProductContent
  readonly scheduled: ProductContent
}

/** Fields that are merged whole, by their name in the graph. */
const wholeFields = {
  sku: 'sku',
  slug: 'slug',
  commodityType: 'commodity_type',
  upcEan: 'upc_ean',
  manufacturerPartNum: 'manufacturer_part_num',
  externalRef: 'external_ref',
  tags: 'tags',
  buildRules: 'build_rules',
  parentKey: 'parent_id',
  selectedOptions: 'option_ids',
  mainImage: 'main_image_id',
  seoTitle: 'seo_title',
  seoDescription: 'seo_description',
} as const satisfies Record<string, keyof ReleaseProduct>

/** Levels of extensions that are merged: the template and its field. */
const EXTENSION_LEVELS = 2

/** Merges a product. A former value that is missing differs from all. `hasNode`: whether the merged tree has a node. */
export function mergeProduct(
  merge: ThreeWayMerge,
  sides: ProductSides,
  hasNode: (id: string) => boolean,
): ProductContent {
  const contents: Sides<ProductContent | undefined> = sides
  const products = part(contents, (content) => content?.product)
  const of = <Field extends keyof ReleaseProduct>(field: Field) =>
    part(products, (product) => product?.[field]) as Sides<ReleaseProduct[Field]>
  const whole = Object.entries(wholeFields).map(([name, field]) => [field, merge.value(name, of(field))] as const)
  const components = mergeComponents(merge, of('components'))
  const scheduled = sides.scheduled.product
  const product: ReleaseProduct = {
    ...scheduled,
    ...Object.fromEntries(whole),
    ...mergeTexts(merge, products as Sides<ReleaseProduct>),
    components,
    custom_inputs: merge.json('customInputs', of('custom_inputs')),
    extensions: merge.json('extensions', of('extensions'), EXTENSION_LEVELS),
    variations: merge.json('variations', of('variations')),
    files: merge.json('files', of('files')),
    children: merge.json('childKeys', of('children')),
    node_ids: mergeMembers(of('node_ids')).filter(hasNode),
    updated_at: lastUpdate(of('updated_at')),
  }
  merge.showsEarly ||= movesAlike(of('node_ids'))
  const price = mergePricing(
    merge,
    part(contents, (content) => content?.price),
    components,
  )
  const chosenOptions = merge.json(
    'selectedOptions',
    part(contents, (content) => content?.chosenOptions ?? []),
  )
  return { product, price, chosenOptions: chosenOptions.filter(({ id }) => product.option_ids.includes(id)) }
}

/** Merges name and description, and all texts in other languages. */
export function mergeTexts(merge: ThreeWayMerge, sides: Sides<Texts>): Texts {
  const texts = sides as Sides<Texts | undefined>
  const text = (name: 'name' | 'description') =>
    merge.value(
      name,
      part(texts, (one) => one?.[name]),
    )
  const defaults = { name: text('name') as string, description: text('description') as string | null }
  const locales = merge.byKey(
    part(texts, (one) => one?.locales ?? {}),
    (locale, language) => mergeLocale(merge, locale, language),
  )
  return { ...defaults, locales: Object.keys(locales).length > 0 ? locales : null }
}

/** The texts of a language, by their name in the graph. */
const localeFields = {
  name: 'name',
  description: 'description',
  slug: 'slug',
  seoTitle: 'seo_title',
  seoDescription: 'seo_description',
} as const satisfies Record<string, keyof LocaleTexts>

function mergeLocale(
  merge: ThreeWayMerge,
  sides: Sides<LocaleTexts | undefined>,
  language: string,
): LocaleTexts | undefined {
  const merged = Object.entries(localeFields).flatMap(([field, name]) => {
    const text = merge.value(
      field,
      part(sides, (locale) => locale?.[name]),
      language,
    )
    return text === undefined ? [] : [[name, text] as const]
  })
  return merged.length > 0 ? Object.fromEntries(merged) : undefined
}

/** A set: what the publish added is added, in front, and what it took away is gone. */
export function mergeMembers<T>({ former, latest, scheduled }: Sides<readonly T[] | undefined>): T[] {
  const [before, after, own] = [former ?? [], latest ?? [], scheduled ?? []]
  const gone = new Set(before.filter((member) => !after.includes(member)))
  const added = after.filter((member) => !before.includes(member) && !own.includes(member))
  // Only the publish changed the set or its order.
  if (before.join() === own.join()) return [...after]
  return [...added, ...own.filter((member) => !gone.has(member))]
}

/** Whether the publish adds a member that the schedule adds, or takes away one that it takes away. */
function movesAlike({ former, latest, scheduled }: Sides<readonly string[] | undefined>): boolean {
  const [before, after, own] = [former ?? [], latest ?? [], scheduled ?? []]
  const isGone = (member: string) => !after.includes(member) && !own.includes(member)
  return before.some(isGone) || after.some((member) => !before.includes(member) && own.includes(member))
}

/** What becomes of a product in a scheduled release. */
export interface CarriedContent {
  /** Null when the release has it no more, or still not. */
  readonly content: ProductContent | null
  readonly conflicts: readonly FieldConflict[]
  /** Whether the publish already shows something that the schedule changed (release.early-shows-warned). */
  readonly showsEarly: boolean
}

/** Carries a product into a scheduled release (release.removal-is-carried). A missing one is undefined. */
export function carryProduct(
  { former, latest, scheduled }: Sides<ProductContent | undefined>,
  hasNode: (id: string) => boolean,
): CarriedContent {
  const merge = new ThreeWayMerge()
  const ended = (field: string | null): CarriedContent => ({
    content: null,
    conflicts: field === null ? [] : [...merge.conflicts, { field, key: null }],
    showsEarly: merge.showsEarly || (!latest && !scheduled),
  })
  if (!latest) return ended(scheduled && !isDeepStrictEqual(former, scheduled) ? 'product' : null)
  if (!scheduled && former) return ended('product')
  const content = scheduled ? mergeProduct(merge, { former, latest, scheduled }, hasNode) : onNodes(latest, hasNode)
  if (scheduled) merge.conflicts.push(...goneNodes(scheduled, former, hasNode))
  if (content.product.node_ids.length === 0) return ended('nodes')
  return { content, conflicts: merge.conflicts, showsEarly: merge.showsEarly }
}

/** Carries nothing but the removal of nodes into a product that the publish did not change. */
export function leaveNodes(scheduled: ProductContent, hasNode: (id: string) => boolean): CarriedContent {
  const content = onNodes(scheduled, hasNode)
  const conflicts = goneNodes(scheduled, undefined, hasNode)
  return { content: content.product.node_ids.length > 0 ? content : null, conflicts, showsEarly: false }
}

/** The product without the nodes that the merged tree lacks. */
export function onNodes(content: ProductContent, hasNode: (id: string) => boolean): ProductContent {
  if (content.product.node_ids.every(hasNode)) return content
  return { ...content, product: { ...content.product, node_ids: content.product.node_ids.filter(hasNode) } }
}

/** The nodes to which the schedule alone attaches the product, and which are gone. */
function goneNodes(
  { product }: ProductContent,
  former: ProductContent | undefined,
  hasNode: (id: string) => boolean,
): FieldConflict[] {
  return product.node_ids
    .filter((id) => !hasNode(id) && !former?.product.node_ids.includes(id))
    .map((key) => ({ field: 'nodes', key }))
}
