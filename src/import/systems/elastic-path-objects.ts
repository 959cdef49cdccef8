/**
 * Resources of Elastic Path's API as objects of the import (import.from-elastic-path); README.md beside it has the same
 * as a table.
 */
import { formatPath, type Path } from '../../domain/input/errors.ts'
import { isObject, type JsonObject } from '../../lib/json-object.ts'
import { problemTexts } from '../import-object.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { converted, unreadable } from './converted.ts'
import type { ElasticPathIndex } from './elastic-path-index.ts'
import type { Resource } from './elastic-path-lists.ts'
import { isFilled, linked, optionsOf, salesOf, schedulesOf, withTiers } from './elastic-path-values.ts'
import type { LeftOut } from './left-out.ts'

/** What is known of all resources, and where what is left out is counted. */
export interface Converting {
  readonly index: ElasticPathIndex
  readonly leftOut: LeftOut
}

interface Mapping {
  /** Attributes that are taken as they are; one that a resource lacks is cleared (import.systems-say-all). */
  readonly taken: string
  /** Attributes, relationships and members of `meta` that are read elsewhere, or that this server sets itself. */
  readonly known?: string
}

/** What every resource has, and this server sets itself. */
const serverSet = 'created_at updated_at published_at owner timestamps'

const mappings = {
  pricebook: { taken: 'external_ref name description' },
  'price-modifier': { taken: 'external_ref name modifier_type currencies', known: 'pricebook_id' },
  'product-price': {
    taken: 'external_ref sku currencies sales admin_attributes shopper_attributes',
    known: 'pricebook_id',
  },
  product: {
    taken:
      'external_ref name description sku status commodity_type upc_ean tags components custom_inputs extensions locales',
    known:
      'slug mpn build_rules base_product children component_products files main_image variations child_variations product_types variation_matrix',
  },
  hierarchy: { taken: 'external_ref name description locales', known: 'slug children' },
  node: {
    taken: 'external_ref name description locales label curated_products',
    known: 'slug children parent products sort_order parent_name hierarchy_id',
  },
  catalog: {
    taken: 'external_ref name description hierarchy_ids locales',
    known: 'pricebook_id pricebook_ids releases rules',
  },
  catalog_rule: { taken: 'external_ref name catalog_id account_ids channels tags', known: 'customer_ids schedules' },
} as const satisfies Readonly<Record<string, Mapping>>

/** The types that correspond to one of the import. */
export type MappedType = keyof typeof mappings

/** Whether objects are made of resources of a type. */
export function isMapped(type: string): type is MappedType {
  return Object.hasOwn(mappings, type)
}

/** Attributes that are never cleared: a record needs them, or a team may have given them here. */
const neverCleared: ReadonlySet<string> = new Set(
  'name sku currencies modifier_type status hierarchy_ids catalog_id external_ref label'.split(' '),
)

/** The object of a resource; undefined where it is left out whole. */
export function objectOf(resource: Resource, type: MappedType, converting: Converting): ParsedObject | undefined {
  const given = isObject(resource.members.attributes) ? resource.members.attributes : {}
  if (type === 'catalog_rule' && isFilled(given.customer_ids)) {
    // Without its customers it would match everybody.
    converting.leftOut.add('catalog_rule with customer_ids')
    return undefined
  }
  const more = partsOf[type](resource, given, converting)
  if (typeof more === 'string') return unreadable(resource, more, JSON.stringify({ data: resource.members }))
  countLeftOut(resource, type, converting.leftOut)
  const { attributes, ...beside } = more
  const data = {
    type,
    id: resource.id,
    ...beside,
    attributes: { ...takenOf(given, mappings[type].taken), ...attributes },
  }
  const start: Path = resource.entry === undefined ? ['data'] : ['data', resource.entry]
  return converted(resource, data, ({ path, ...violation }) => {
    const [sentence = ''] = problemTexts([{ ...violation, path: [...start, ...pathThere(path, type, resource)] }])
    return sentence
  })
}

/** What members are made of that have another place there. */
const placesThere: readonly (readonly [type: MappedType, here: string, there: string])[] = [
  ['price-modifier', 'pricebook_id', 'meta.pricebook_id'],
  ['product-price', 'pricebook_id', 'meta.pricebook_id'],
  ['product', 'attributes.manufacturer_part_num', 'attributes.mpn'],
  ['product', 'attributes.variations', 'meta.variations'],
  ['product', 'attributes.option_ids', 'meta.child_variations'],
  ['product', 'relationships.parent', 'relationships.base_product'],
  ['node', 'attributes.sort_order', 'meta.sort_order'],
  ['catalog', 'attributes.pricebook_ids.0.id', 'attributes.pricebook_id'],
]

/** The path of a member there, where the resource has that member (import.systems-name-the-place). */
function pathThere(path: Path, type: MappedType, { members }: Resource): Path {
  for (const [of, here, there] of placesThere) {
    const steps = here.split('.')
    if (of !== type || formatPath(path.slice(0, steps.length)) !== here) continue
    const [part = '', name = ''] = there.split('.')
    const given = members[part]
    if (isObject(given) && name in given) return [part, name, ...path.slice(steps.length)]
  }
  return path
}

type Parts = JsonObject & { readonly attributes?: JsonObject }
type PartsOf = (resource: Resource, given: JsonObject, converting: Converting) => Parts | string

const inBook: PartsOf = (resource, given) => {
  const { members, list } = resource
  const [, ofPath] = /^pricebooks\/([^/]+)\//.exec(list.path) ?? []
  const id = (isObject(members.meta) ? members.meta.pricebook_id : undefined) ?? ofPath
  const externalRef = members.pricebook_external_ref
  if (id == null && externalRef == null)
    return 'names no price book: neither meta.pricebook_id nor the path of its list does'
  return {
    ...(id == null ? { pricebook_external_ref: externalRef } : { pricebook_id: id }),
    attributes: {
      ...('currencies' in given && { currencies: withTiers(given.currencies) }),
      ...('sku' in given && { sales: salesOf(given.sales) }),
    },
  }
}

const partsOf: Readonly<Record<MappedType, PartsOf>> = {
  pricebook: () => ({}),
  'price-modifier': inBook,
  'product-price': inBook,
  product: productParts,
  hierarchy: (_, { slug }) => ({ attributes: slugOf(slug) }),
  node: nodeParts,
  catalog: (_, { pricebook_id: only, pricebook_ids: several }) => ({
    attributes: { pricebook_ids: several ?? (only == null ? [] : [{ id: only, priority: 1 }]) },
  }),
  catalog_rule: (_, { schedules }) => ({ attributes: { schedules: schedulesOf(schedules) } }),
}

function productParts({ id, members }: Resource, given: JsonObject, { index, leftOut }: Converting): Parts {
  const { relationships = {}, meta = {} } = members as { relationships?: JsonObject; meta?: JsonObject }
  const child = index.childOf(id, members)
  const variations = child === undefined ? index.variationsOf(meta.variations) : null
  const { build_rules: rules = null } = given
  const options = new Set(variations?.flatMap((variation) => variation.options.map((option) => option.id)))
  const hasRules = optionsOf(rules).every((option) => options.has(option))
  if (!hasRules) leftOut.add('product attributes.build_rules with other options than meta.variations has')
  return {
    attributes: {
      ...slugOf(given.slug),
      manufacturer_part_num: given.mpn ?? given.manufacturer_part_num ?? null,
      ...(child === undefined ? { option_ids: [], variations } : { option_ids: child.optionIds }),
      build_rules: hasRules && child === undefined ? rules : null,
    },
    relationships: {
      ...(relationships.main_image !== undefined && { main_image: linked(relationships.main_image, 'main_image') }),
      ...(relationships.files !== undefined && { files: linked(relationships.files, 'file') }),
      parent: { data: child === undefined ? null : { type: 'product', id: child.parent } },
    },
  }
}

function nodeParts(resource: Resource, given: JsonObject, { index }: Converting): Parts | string {
  const parent = index.parentOf(resource)
  if (parent === undefined)
    return 'names no parent: neither relationships.parent, nor its links, nor the path of its list does'
  const products = index.productsOf(resource.id)
  const { meta } = resource.members
  return {
    attributes: { ...slugOf(given.slug), sort_order: (isObject(meta) ? meta.sort_order : undefined) ?? null },
    relationships: {
      parent: { data: { id: parent } },
      ...(products && { products: { data: products.map((id) => ({ type: 'product', id })) } }),
    },
  }
}

/** Without a slug the import makes one of the name, and keeps it later. */
function slugOf(slug: unknown): JsonObject {
  return isFilled(slug) ? { slug } : {}
}

function takenOf(given: JsonObject, names: string): JsonObject {
  return Object.fromEntries(
    names
      .split(' ')
      .filter((name) => name in given || !neverCleared.has(name))
      .map((name) => [name, given[name] ?? null]),
  )
}

/** Counts the members that say something and are neither taken nor known. */
function countLeftOut({ members }: Resource, type: MappedType, leftOut: LeftOut): void {
  const { taken, known = '' }: Mapping = mappings[type]
  const names = new Set(`${taken} ${known} ${serverSet}`.split(' '))
  for (const part of ['attributes', 'relationships', 'meta'] as const) {
    const given = members[part]
    if (!isObject(given)) continue
    for (const [name, value] of Object.entries(given))
      if (!names.has(name) && isFilled(part === 'relationships' && isObject(value) ? value.data : value))
        leftOut.add(`${type} ${part}.${name}`)
  }
}
