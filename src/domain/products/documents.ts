/** The document of a product in an import (input/document.ts). */
import { externalRef, locales, freeName as name, recordDocument, reference, relationships, serverSet } from '../input/document.ts'
import * as schema from '../input/json-schema.ts'
import {
  BUILD_RULES_MAX,
  BUNDLE_COMPONENTS_MAX,
  CUSTOM_INPUT_MAX_LENGTH,
  CUSTOM_INPUTS_MAX,
  EXTENSIONS_MAX,
  INT4_MAX,
  PRODUCT_CODE_MAX,
  PRODUCT_DESCRIPTION_MAX,
  PRODUCT_FILES_MAX,
  PRODUCT_TAGS_MAX,
  SKU_MAX,
  TAG_MAX,
  VALIDATION_RULES_MAX,
  VARIATIONS_MAX,
} from '../input/limits.ts'
import { commodityTypes, productStatuses } from './product.ts'

const { closed, list, map, nullable, text, uuid } = schema
const description = nullable(text({ max: PRODUCT_DESCRIPTION_MAX }))
const code = nullable(text({ max: PRODUCT_CODE_MAX }))
const sortOrder = nullable(schema.integer(-INT4_MAX - 1, INT4_MAX))
const optionIds = list(uuid, VARIATIONS_MAX)

const component = closed({
  name,
  'min?': nullable(schema.integer(0)),
  'max?': nullable(schema.integer(0, INT4_MAX)),
  'sort_order?': sortOrder,
  options: list(
    closed({
      id: uuid,
      'type?': nullable(schema.word('product')),
      'quantity?': nullable(schema.integer(1)),
      'sort_order?': sortOrder,
      'default?': nullable(schema.boolean),
    }),
  ),
})

const customInput = closed({
  name,
  'validation_rules?': nullable(
    list(
      closed({
        'type?': nullable(schema.word('string')),
        'options?': nullable(closed({ 'max_length?': nullable(schema.integer(1, CUSTOM_INPUT_MAX_LENGTH)) })),
      }),
      VALIDATION_RULES_MAX,
    ),
  ),
  'required?': nullable(schema.boolean),
})

const choice = { 'id?': uuid, name, 'sort_order?': sortOrder, 'locales?': locales }
const variation = closed({
  ...choice,
  options: list(closed({ ...choice, 'description?': description, 'price_modifiers?': nullable(list(name)) })),
})

const buildRules = closed({
  'default?': nullable(schema.word('include', 'exclude')),
  'include?': nullable(list(optionIds, BUILD_RULES_MAX)),
  'exclude?': nullable(list(optionIds, BUILD_RULES_MAX)),
})

/** A file of another service, by its id alone or in an object. */
function file(...types: string[]): schema.Schema {
  return { anyOf: [uuid, closed({ 'type?': schema.word(...types), id: uuid, 'created_at?': nullable(schema.instant) })] }
}

/** What a product of a listing has that its document lacks. */
const listed = [
  'price_modifiers',
  'published_at',
  'base_product',
  'base_product_id',
  'curated_product',
  'product_types',
  'language',
  'price',
  'variation_matrix',
  'shopper_attributes',
]

/** A product in an import. */
export const productDocument = recordDocument(
  'product',
  {
    'name?': name,
    'description?': description,
    'sku?': nullable(text({ min: 1, max: SKU_MAX })),
    'slug?': nullable(name),
    'status?': schema.word(...productStatuses),
    'commodity_type?': nullable(schema.word(...commodityTypes)),
    'upc_ean?': code,
    'manufacturer_part_num?': code,
    'mpn?': code,
    'tags?': nullable(list(text({ min: 1, max: TAG_MAX }), PRODUCT_TAGS_MAX)),
    'external_ref?': externalRef,
    'components?': nullable(map(component, { keys: name, max: BUNDLE_COMPONENTS_MAX })),
    'custom_inputs?': nullable(map(customInput, { keys: name, max: CUSTOM_INPUTS_MAX })),
    'extensions?': nullable(map({ type: 'object' }, { keys: name, max: EXTENSIONS_MAX })),
    'variations?': nullable(list(variation, VARIATIONS_MAX)),
    'build_rules?': nullable(buildRules),
    'option_ids?': nullable(optionIds),
    'locales?': locales,
    ...Object.fromEntries(listed.map((member) => [`${member}?`, serverSet])),
  },
  {
    'id?': uuid,
    'relationships?': relationships(
      {
        parent: nullable(reference(['product'])),
        files: nullable(list(file('file'), PRODUCT_FILES_MAX)),
        main_image: nullable(file('main_image', 'file')),
      },
      ['children', 'component_products'],
    ),
  },
)
