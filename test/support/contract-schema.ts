/**
 * Contract schema: the response of the hierarchy products list as JSON Schema, written independently of the code. Every
 * such response that a test receives is validated by it (server.ts).
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Schema = Record<string, unknown>

/** An object of exactly these members; names that end in `?` may be absent. */
function object(members: Record<string, Schema>, further: Schema = {}): Schema {
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
  )
  const required = Object.keys(members).filter((name) => !name.endsWith('?'))
  return { type: 'object', properties, required, additionalProperties: false, ...further }
}

const map = (value: Schema, names: Schema = {}): Schema => ({
  type: 'object',
  propertyNames: names,
  additionalProperties: value,
})
const list = (items: Schema, further: Schema = {}): Schema => ({ type: 'array', items, ...further })
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

const text = { type: 'string' }
const uuid = { type: 'string', format: 'uuid' }
/** value.instants-cut-to-milliseconds: UTC with milliseconds. */
const instant = { type: 'string', format: 'date-time', pattern: '\\.\\d{3}Z$' }
const boolean = { type: 'boolean' }
const integer = (minimum?: number) => ({ type: 'integer', ...(minimum !== undefined && { minimum }) })
const currency = { type: 'string', pattern: '^[A-Z]{3}$' }

const amount = object({ amount: integer(0), includes_tax: boolean })
const price = object({
  amount: integer(0),
  includes_tax: boolean,
  'tiers?': { ...map(object({ minimum_quantity: integer(1) })), minProperties: 1 },
})
/** price.missing-currency-left-out: a currency without a price has no key, and no currency at all is no map. */
const prices = { ...map(price, currency), minProperties: 1 }
const originalPrices = { ...map(amount, currency), minProperties: 1 }
const formatted = object({ amount: integer(0), currency, formatted: { type: 'string', minLength: 1 } })
const displayPrice = object({ with_tax: formatted, without_tax: formatted })

const priceMeta = {
  pricebook_id: nullable(uuid),
  'display_price?': displayPrice,
  'sale_id?': text,
  'sale_expires?': nullable(instant),
  'original_price?': originalPrices,
  'original_display_price?': displayPrice,
}
/** sale.reported-when-it-supplies: a sale's keys come together. */
const together = {
  dependentRequired: {
    sale_id: ['sale_expires', 'original_price'],
    sale_expires: ['sale_id'],
    original_price: ['sale_id'],
    original_display_price: ['sale_id', 'display_price'],
  },
}

const matrix = {
  $id: 'variation-matrix',
  type: 'object',
  propertyNames: uuid,
  additionalProperties: { anyOf: [uuid, { $ref: 'variation-matrix' }] },
}
const anyMatrix = { $ref: 'variation-matrix' }

const sortOrder = nullable(integer())
const option = object({
  id: uuid,
  'type?': { const: 'product' },
  'quantity?': integer(1),
  'sort_order?': sortOrder,
  'default?': nullable(boolean),
})
const component = object({
  name: text,
  'min?': nullable(integer(0)),
  'max?': nullable(integer(0)),
  'sort_order?': sortOrder,
  options: list(option),
})
const customInput = object({
  name: text,
  'validation_rules?': list(
    object({ type: text, 'options?': object({ 'max_length?': { type: 'integer', minimum: 1, maximum: 255 } }) }),
  ),
  'required?': nullable(boolean),
})
const variation = object({
  id: uuid,
  name: text,
  'sort_order?': sortOrder,
  options: list(object({ id: uuid, name: text, 'sort_order?': sortOrder, 'description?': nullable(text) })),
})

const attributes = object({
  name: text,
  'description?': text,
  'sku?': text,
  slug: { type: 'string', pattern: '^[A-Za-z0-9._-]+$' },
  status: { const: 'live' },
  'commodity_type?': { enum: ['physical', 'digital'] },
  'upc_ean?': text,
  'manufacturer_part_num?': text,
  tags: list({ type: 'string', pattern: '^[^,A-Z]+$' }, { uniqueItems: true }),
  'price_modifiers?': list(text, { uniqueItems: true }),
  external_ref: nullable({ type: 'string', maxLength: 2048 }),
  published_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
  base_product: boolean,
  'base_product_id?': uuid,
  'curated_product?': { const: true },
  product_types: list({ enum: ['standard', 'parent', 'child', 'bundle'] }, { minItems: 1, uniqueItems: true }),
  'language?': text,
  'price?': prices,
  'components?': map(component),
  'custom_inputs?': map(customInput),
  'extensions?': map({ type: 'object' }),
  variation_matrix: anyMatrix,
  'variations?': list(variation, { minItems: 1 }),
  'shopper_attributes?': map(nullable(text)),
})

const product = object({ id: uuid, type: { const: 'product' } })
const relationships = object({
  'parent?': object({ data: product }),
  'children?': object({ data: list(product) }),
  'files?': object({ data: list(object({ type: { const: 'file' }, id: uuid, created_at: instant })) }),
  'main_image?': object({ data: object({ type: { const: 'main_image' }, id: uuid }) }),
  'component_products?': object({ data: list(product) }),
})

const modifier = object({
  modifier_type: { enum: ['price_increment', 'price_decrement', 'price_equals'] },
  currencies: map(
    object({
      amount: integer(0),
      includes_tax: boolean,
      'tiers?': map(object({ minimum_quantity: integer(1), amount: integer(0) })),
    }),
    currency,
  ),
  'display_price?': displayPrice,
})
const componentProduct = object({ ...priceMeta, 'price?': prices, price_modifiers: list(text) }, together)

const meta = object(
  {
    bread_crumbs: { ...map(list(uuid, { minItems: 1, maxItems: 10 }), uuid), minProperties: 1 },
    bread_crumb_nodes: list(uuid, { minItems: 1, maxItems: 10, uniqueItems: true }),
    catalog_id: uuid,
    catalog_source: { const: 'pim' },
    ...priceMeta,
    'bundle_configuration?': object({
      selected_options: map(map(integer(1), uuid)),
      component_products: map(componentProduct, uuid),
    }),
    'price_modifiers?': map(modifier),
    variation_matrix: anyMatrix,
  },
  together,
)

function when(condition: Schema, holds: Schema, otherwise: Schema): Schema {
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  return { if: condition, then: holds, else: otherwise }
}

const required = (...names: string[]): Schema => ({ required: names })
const absent = (...names: string[]): Schema => ({ properties: Object.fromEntries(names.map((name) => [name, false])) })
const properties = (parts: Record<string, Schema>): Schema => ({ properties: parts })

/** The members that products of a type have and others lack (product.types-that-hold). */
function whenType(type: string, holds: Schema, otherwise: Schema): Schema {
  return when(
    properties({ attributes: properties({ product_types: { contains: { const: type } } }) }),
    holds,
    otherwise,
  )
}

const baseProduct = (is: boolean): Schema => properties({ base_product: { const: is } })

const productItem = object(
  { id: uuid, type: { const: 'product' }, attributes, relationships, meta },
  {
    allOf: [
      whenType(
        'child',
        properties({
          attributes: required('price_modifiers', 'base_product_id'),
          relationships: required('parent'),
          meta: required('price_modifiers'),
        }),
        properties({
          attributes: absent('price_modifiers', 'base_product_id'),
          relationships: absent('parent'),
          meta: absent('price_modifiers'),
        }),
      ),
      whenType(
        'parent',
        properties({ attributes: baseProduct(true), relationships: required('children') }),
        properties({ attributes: baseProduct(false), relationships: absent('children') }),
      ),
      whenType(
        'bundle',
        properties({
          attributes: required('components'),
          relationships: required('component_products'),
          meta: required('bundle_configuration'),
        }),
        properties({
          attributes: absent('components'),
          relationships: absent('component_products'),
          meta: absent('bundle_configuration'),
        }),
      ),
      // What the others bring along it lacks by the rules above.
      whenType('standard', properties({ attributes: properties({ product_types: { maxItems: 1 } }) }), {}),
    ],
  },
)

const nodeItem = object({
  id: uuid,
  type: { const: 'node' },
  attributes: object({
    name: text,
    slug: text,
    'description?': text,
    'label?': text,
    created_at: instant,
    updated_at: instant,
  }),
  relationships: object({ parent: object({ data: object({ type: { enum: ['hierarchy', 'node'] }, id: uuid }) }) }),
  meta: object({ bread_crumb: list(uuid, { minItems: 1, maxItems: 10 }) }),
})

const link = nullable({ type: 'string', pattern: '^/' })
const answer = object({
  meta: object({
    results: object({ total: integer(0) }),
    page: object({ limit: integer(1), offset: integer(0), current: integer(1), total: integer(0) }),
  }),
  data: list(when({ properties: { type: { const: 'node' } } }, nodeItem, productItem)),
  links: object({ self: { type: 'string' }, first: { type: 'string' }, last: link, prev: link, next: link }),
})

/** Compiled when it is first needed, which takes longer than many a test file. */
let validator: ValidateFunction | undefined

function compiled(): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
  })
  addFormats.default(ajv)
  ajv.addSchema(matrix)
  return ajv.compile(answer)
}

/** Throws with all errors of a response. */
export function assertHierarchyListing(body: unknown): void {
  validator ??= compiled()
  if (validator(body)) return
  const wrong = (validator.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  throw new Error(`the listing is not what the contract says:\n${wrong.join('\n')}`)
}
