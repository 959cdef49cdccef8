/**
 * The body of a release document as it is stored: JSON whose members stand by place, in the order told here. Names would be a third of the
 * text, and of what it costs to write and to read it. Publishing writes it (persistence/catalog/publish/documents.ts).
 */
import type { ReleaseModifier, ReleasePriceRecord, ReleasePricing, ReleaseSale } from '../pricing/price-record.ts'
import type { ReleaseProduct } from './released-product.ts'

export type DocumentBody = readonly [product: ProductBody, price: UnitBody]

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
]

type UnitBody = readonly [
  id: string,
  own: RowBody | null,
  base: RowBody | null,
  modifierNames: readonly string[] | null,
  modifiers: readonly ModifierBody[] | null,
  components: ReleasePricing['components'] | null,
  options: Readonly<Record<string, UnitBody>> | null,
]

type RowBody = readonly [
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

/** The product and what prices it. */
export function decodeDocument([product, price]: DocumentBody): { readonly product: ReleaseProduct; readonly price: ReleasePricing } {
  return { product: productOf(product), price: unitOf(price) }
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
  }
}

function unitOf([id, own, base, names, modifiers, components, options]: UnitBody): ReleasePricing {
  const unit = {
    id,
    own: own && rowOf(own),
    base: base && rowOf(base),
    modifier_names: names ?? [],
    modifiers: (modifiers ?? []).map(modifierOf),
  }
  if (components == null) return unit
  return { ...unit, components, options: Object.fromEntries(Object.entries(options ?? {}).map(([id, option]) => [id, unitOf(option)])) }
}

function rowOf([id, book, currencies, sales, shopper_attributes]: RowBody): ReleasePriceRecord {
  return { id, book, currencies, sales: sales.map(saleOf), shopper_attributes }
}

function saleOf([name, from, to, bundles, currencies]: SaleBody): ReleaseSale {
  return { name, from, to, bundles, currencies }
}

function modifierOf([name, type, currencies]: ModifierBody): ReleaseModifier {
  return { name, type, currencies }
}
