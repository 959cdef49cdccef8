/** JSON Schema of the items of a hierarchy listing, for the OpenAPI document. */
import * as schema from '../../domain/input/json-schema.ts'
import { displayPrice } from '../http/schema.ts'

const { list, map, nullable, object, text, uuid, boolean, instant, integer } = schema

const amount = object({ amount: integer(0), includes_tax: boolean })
const price = object({
  amount: integer(0),
  includes_tax: boolean,
  'tiers?': map(object({ minimum_quantity: integer(1) })),
})
const prices = map(price, { keys: schema.currencyCode })
const originalPrices = map(amount, { keys: schema.currencyCode })
const priceMeta = {
  'display_price?': displayPrice,
  'sale_id?': text(),
  'sale_expires?': nullable(instant),
  'original_price?': originalPrices,
  'original_display_price?': displayPrice,
  pricebook_id: nullable(uuid),
}

const option = object({
  id: uuid,
  type: schema.word('product'),
  quantity: integer(1),
  'sort_order?': nullable(integer()),
  'default?': nullable(boolean),
})
const component = object({
  name: text(),
  'min?': nullable(integer(0)),
  'max?': nullable(integer(0)),
  'sort_order?': nullable(integer()),
  options: list(option),
})
const customInput = object({
  name: text(),
  'validation_rules?': list(object({ type: text(), 'options?': object({ 'max_length?': integer(1, 255) }) })),
  'required?': nullable(boolean),
})
const variationOption = object({
  id: uuid,
  name: text(),
  'sort_order?': nullable(integer()),
  'description?': nullable(text()),
})
const variation = object({ id: uuid, name: text(), 'sort_order?': nullable(integer()), options: list(variationOption) })
const matrix = { type: 'object', description: 'Option ids nested by variation, product ids at the leaves.' }

const attributes = object({
  name: text(),
  'description?': text(),
  'sku?': text(),
  slug: text(),
  status: schema.word('live'),
  'commodity_type?': schema.word('physical', 'digital'),
  'upc_ean?': text(),
  'manufacturer_part_num?': text(),
  tags: list(text()),
  'price_modifiers?': list(text()),
  external_ref: nullable(text()),
  published_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
  base_product: boolean,
  'base_product_id?': uuid,
  'curated_product?': { const: true },
  product_types: list(schema.word('standard', 'parent', 'child', 'bundle')),
  'language?': text(),
  'price?': prices,
  'components?': map(component),
  'custom_inputs?': map(customInput),
  'extensions?': map({ type: 'object' }),
  variation_matrix: matrix,
  'variations?': list(variation),
  'shopper_attributes?': map(nullable(text())),
})

const reference = object({ id: uuid, type: schema.word('product') })
const relationships = object({
  'parent?': object({ data: reference }),
  'children?': object({ data: list(reference) }),
  'files?': object({ data: list(object({ type: schema.word('file'), id: uuid, created_at: instant })) }),
  'main_image?': object({ data: object({ type: schema.word('main_image'), id: uuid }) }),
  'component_products?': object({ data: list(reference) }),
})

const modifier = object({
  modifier_type: schema.word('price_increment', 'price_decrement', 'price_equals'),
  currencies: map(
    object({
      amount: integer(0),
      includes_tax: boolean,
      'tiers?': map(object({ minimum_quantity: integer(1), amount: integer(0) })),
    }),
    { keys: schema.currencyCode },
  ),
  'display_price?': displayPrice,
})
const componentProduct = object({ ...priceMeta, 'price?': prices, price_modifiers: list(text()) })

const meta = object({
  bread_crumbs: map(list(uuid), { keys: uuid }),
  bread_crumb_nodes: list(uuid),
  catalog_id: uuid,
  catalog_source: schema.word('pim'),
  ...priceMeta,
  'bundle_configuration?': object({
    selected_options: map(map(integer(1), { keys: uuid })),
    component_products: map(componentProduct, { keys: uuid }),
  }),
  'price_modifiers?': map(modifier),
  variation_matrix: matrix,
})

const product = object({ id: uuid, type: schema.word('product'), attributes, relationships, meta }, 'CatalogProduct')

const node = object(
  {
    id: uuid,
    type: schema.word('node'),
    attributes: object({
      name: text(),
      slug: text(),
      'description?': text(),
      'label?': text(),
      created_at: instant,
      updated_at: instant,
    }),
    relationships: object({ parent: object({ data: object({ type: schema.word('hierarchy', 'node'), id: uuid }) }) }),
    meta: object({ bread_crumb: list(uuid) }),
  },
  'CatalogNode',
)

/** An item of the listing: a product or a node. */
export const catalogItem: schema.Schema = { anyOf: [product, node] }
