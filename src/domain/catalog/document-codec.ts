/**
 * Document codec: the stored JSON of a release document, in which members are array elements in the order of the tuples
 * below.
 *
 * Member names would be a third of the text, and of the cost of writing and reading it. Publishing writes the body
 * (persistence/catalog/publish/documents.ts). Stored documents are never rewritten, so a new element is optional and
 * last in its tuple. It also raises BODY_SHAPE (selection.ts there), or has a part of its own in the fingerprint.
 */
import type { ReleaseModifier, ReleasePriceRecord, ReleasePricing, ReleaseSale } from '../pricing/price-record.ts'
import type { ReleaseProduct } from './released-product.ts'

/** The stored body: the product and its pricing data. */
export type DocumentBody = readonly [product: ProductBody, price: PricingBody]

type ProductBody = readonly [
  id: ReleaseProduct['id'],
  name: ReleaseProduct['name'],
  description: ReleaseProduct['description'],
  sku: ReleaseProduct['sku'],
  slug: ReleaseProduct['slug'],
  commodityType: ReleaseProduct['commodity_type'],
  upcEan: ReleaseProduct['upc_ean'],
  manufacturerPartNum: ReleaseProduct['manufacturer_part_num'],
  tags: ReleaseProduct['tags'],
  externalRef: ReleaseProduct['external_ref'],
  components: ReleaseProduct['components'],
  customInputs: ReleaseProduct['custom_inputs'],
  extensions: ReleaseProduct['extensions'],
  locales: ReleaseProduct['locales'],
  variations: ReleaseProduct['variations'],
  buildRules: ReleaseProduct['build_rules'],
  parentId: ReleaseProduct['parent_id'],
  optionIds: ReleaseProduct['option_ids'],
  files: ReleaseProduct['files'],
  mainImageId: ReleaseProduct['main_image_id'],
  children: readonly (readonly [id: string, optionIds: readonly string[]])[] | null,
  nodeIds: ReleaseProduct['node_ids'],
  createdAt: ReleaseProduct['created_at'],
  updatedAt: ReleaseProduct['updated_at'],
  /** Documents of before lack these. */
  seoTitle?: ReleaseProduct['seo_title'],
  seoDescription?: ReleaseProduct['seo_description'],
]

/** The stored pricing data of a product, or of an option of a bundle. */
export type PricingBody = readonly [
  id: string,
  own: RecordBody | null,
  base: RecordBody | null,
  modifierNames: readonly string[] | null,
  modifiers: readonly ModifierBody[] | null,
  components: ReleasePricing['components'] | null,
  options: Readonly<Record<string, PricingBody>> | null,
]

type RecordBody = readonly [
  id: string,
  book: string,
  currencies: ReleasePriceRecord['currencies'],
  sales: readonly SaleBody[],
  shopperAttributes: ReleasePriceRecord['shopper_attributes'],
]

type SaleBody = readonly [
  name: string,
  from: number | null,
  to: number | null,
  bundles: readonly string[],
  currencies: ReleaseSale['currencies'],
]

type ModifierBody = readonly [name: string, type: ReleaseModifier['type'], currencies: ReleaseModifier['currencies']]

/** Decodes a stored body into the product and its pricing data. */
export function decodeDocument([product, price]: DocumentBody): {
  readonly product: ReleaseProduct
  readonly price: ReleasePricing
} {
  return { product: productOf(product), price: decodePricing(price) }
}

function productOf([
  id,
  name,
  description,
  sku,
  slug,
  commodity_type,
  upc_ean,
  manufacturer_part_num,
  tags,
  external_ref,
  components,
  custom_inputs,
  extensions,
  locales,
  variations,
  build_rules,
  parent_id,
  option_ids,
  files,
  main_image_id,
  children,
  node_ids,
  created_at,
  updated_at,
  seo_title = null,
  seo_description = null,
]: ProductBody): ReleaseProduct {
  return {
    id,
    name,
    description,
    sku,
    slug,
    commodity_type,
    upc_ean,
    manufacturer_part_num,
    tags,
    external_ref,
    components,
    custom_inputs,
    extensions,
    locales,
    variations,
    build_rules,
    parent_id,
    option_ids,
    files,
    main_image_id,
    children: children === null ? null : children.map(([id, option_ids]) => ({ id, option_ids })),
    node_ids,
    created_at,
    updated_at,
    seo_title,
    seo_description,
  }
}

/** Decodes stored pricing data. */
export function decodePricing([id, own, base, names, modifiers, components, options]: PricingBody): ReleasePricing {
  const pricing = {
    id,
    own: own && recordOf(own),
    base: base && recordOf(base),
    modifier_names: names ?? [],
    modifiers: (modifiers ?? []).map(modifierOf),
  }
  if (components == null) return pricing
  return {
    ...pricing,
    components,
    options: Object.fromEntries(Object.entries(options ?? {}).map(([id, option]) => [id, decodePricing(option)])),
  }
}

function recordOf([id, book, currencies, sales, shopper_attributes]: RecordBody): ReleasePriceRecord {
  return { id, book, currencies, sales: sales.map(saleOf), shopper_attributes }
}

function saleOf([name, from, to, bundles, currencies]: SaleBody): ReleaseSale {
  return { name, from, to, bundles, currencies }
}

function modifierOf([name, type, currencies]: ModifierBody): ReleaseModifier {
  return { name, type, currencies }
}
