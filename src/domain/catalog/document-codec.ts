/**
 * The body of a release document as it is stored: JSON whose members stand by place, in the order told here. Names would be a third of the
 * text, and of what it costs to write and to read it. Publishing writes it (persistence/catalog/publish/documents.ts).
 */
import type { FrozenModifier, FrozenRow, FrozenSale, FrozenUnit } from '../pricing/price-record.ts'
import type { FrozenProduct } from './released-product.ts'

export type FrozenBody = readonly [product: ProductBody, price: UnitBody]

type ProductBody = readonly [
  id: FrozenProduct['id'],
  name: FrozenProduct['name'],
  description: FrozenProduct['description'],
  sku: FrozenProduct['sku'],
  slug: FrozenProduct['slug'],
  commodityType: FrozenProduct['commodity_type'],
  upcEan: FrozenProduct['upc_ean'],
  manufacturerPartNum: FrozenProduct['manufacturer_part_num'],
  tags: FrozenProduct['tags'],
  externalRef: FrozenProduct['external_ref'],
  components: FrozenProduct['components'],
  customInputs: FrozenProduct['custom_inputs'],
  extensions: FrozenProduct['extensions'],
  locales: FrozenProduct['locales'],
  variations: FrozenProduct['variations'],
  buildRules: FrozenProduct['build_rules'],
  parentId: FrozenProduct['parent_id'],
  optionIds: FrozenProduct['option_ids'],
  files: FrozenProduct['files'],
  mainImageId: FrozenProduct['main_image_id'],
  children: readonly (readonly [id: string, optionIds: readonly string[]])[] | null,
  nodeIds: FrozenProduct['node_ids'],
  createdAt: FrozenProduct['created_at'],
  updatedAt: FrozenProduct['updated_at'],
]

type UnitBody = readonly [
  id: string,
  own: RowBody | null,
  base: RowBody | null,
  modifierNames: readonly string[] | null,
  modifiers: readonly ModifierBody[] | null,
  components: FrozenUnit['components'] | null,
  options: Readonly<Record<string, UnitBody>> | null,
]

type RowBody = readonly [
  id: string,
  book: string,
  currencies: FrozenRow['currencies'],
  sales: readonly SaleBody[],
  shopperAttributes: FrozenRow['shopper_attributes'],
]

type SaleBody = readonly [
  name: string,
  from: number | null,
  to: number | null,
  bundles: readonly string[],
  currencies: FrozenSale['currencies'],
]

type ModifierBody = readonly [name: string, type: FrozenModifier['type'], currencies: FrozenModifier['currencies']]

/** The product and what prices it. */
export function readBody([product, price]: FrozenBody): { readonly product: FrozenProduct; readonly price: FrozenUnit } {
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
]: ProductBody): FrozenProduct {
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

function unitOf([id, own, base, names, modifiers, components, options]: UnitBody): FrozenUnit {
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

function rowOf([id, book, currencies, sales, shopper_attributes]: RowBody): FrozenRow {
  return { id, book, currencies, sales: sales.map(saleOf), shopper_attributes }
}

function saleOf([name, from, to, bundles, currencies]: SaleBody): FrozenSale {
  return { name, from, to, bundles, currencies }
}

function modifierOf([name, type, currencies]: ModifierBody): FrozenModifier {
  return { name, type, currencies }
}
