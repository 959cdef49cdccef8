/** JSON Schema of product prices in responses, for the OpenAPI document. */
import {
  boolean,
  currencyCode,
  instant,
  integer,
  list,
  map,
  nullable,
  object,
  type Schema,
  text,
  uuid,
  word,
} from '../../domain/input/json-schema.ts'
import { ATTRIBUTE_KEYS_MAX, EXTERNAL_REF_MAX, FREE_NAME_MAX, SKU_MAX } from '../../domain/input/limits.ts'
import { owner } from '../http/schema.ts'

const name = text({ min: 1, max: FREE_NAME_MAX })
const sku = text({ min: 1, max: SKU_MAX })
const externalRef = nullable(text({ max: EXTERNAL_REF_MAX }))
const attributes = map(nullable(text()), { max: ATTRIBUTE_KEYS_MAX })
const amount = nullable(integer(0))

const currencies = map(
  object(
    {
      amount,
      includes_tax: boolean,
      'tiers?': map(object({ minimum_quantity: integer(1), amount }), { keys: name }),
    },
    'CurrencyPrice',
  ),
  { keys: currencyCode },
)

const sale = object(
  { 'bundle_ids?': list(uuid), 'schedule?': object({ 'valid_from?': instant, 'valid_to?': instant }), currencies },
  'Sale',
)

const links = object({ self: text({ format: 'uri-reference' }) })

/** A product price in a response. */
export const priceItem: Schema = object(
  {
    id: uuid,
    type: word('product-price'),
    pricebook_external_ref: externalRef,
    attributes: object({
      sku,
      currencies,
      'sales?': map(sale, { keys: name }),
      external_ref: externalRef,
      'admin_attributes?': attributes,
      'shopper_attributes?': attributes,
      created_at: instant,
      updated_at: instant,
    }),
    meta: object({ owner, pricebook_id: uuid }),
    links,
  },
  'ProductPrice',
)

/** A response with one product price. */
export const priceResponse: Schema = object({ data: priceItem, links })
