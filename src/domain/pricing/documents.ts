/** Documents of price books, their modifiers and product prices, as clients write them (input/document.ts). */
import { externalRef, freeName as name, recordDocument, reference, schedule, serverSet } from '../input/document.ts'
import * as schema from '../input/json-schema.ts'
import { ATTRIBUTE_KEYS_MAX, CURRENCIES_MAX, DESCRIPTION_MAX, SALE_BUNDLES_MAX, SALES_MAX, SKU_MAX, TIERS_MAX } from '../input/limits.ts'
import { modifierTypes } from './price-record.ts'

const { nullable } = schema
const amount = nullable(schema.integer(0))
const attributes = nullable(schema.map(nullable(schema.text()), { max: ATTRIBUTE_KEYS_MAX }))
const tier = schema.closed({ minimum_quantity: schema.integer(1), 'amount?': amount })

const currencies = schema.map(
  schema.closed(
    {
      'amount?': amount,
      'includes_tax?': nullable(schema.boolean),
      'tiers?': nullable(schema.map(tier, { keys: name, max: TIERS_MAX })),
    },
    'NewCurrencyPrice',
  ),
  { keys: schema.currencyCode, max: CURRENCIES_MAX },
)

const sale = schema.closed(
  {
    'bundle_ids?': nullable(schema.list(schema.uuid, SALE_BUNDLES_MAX)),
    'schedule?': nullable(schedule),
    'currencies?': nullable(currencies),
  },
  'NewSale',
)

const priceAttributes = {
  sku: schema.text({ min: 1, max: SKU_MAX }),
  currencies,
  'sales?': nullable(schema.map(sale, { keys: name, max: SALES_MAX })),
  'external_ref?': externalRef,
  'admin_attributes?': attributes,
  'shopper_attributes?': attributes,
}

/** The `data` of a request that adds a product price to the book that its path names. */
export const newPriceDocument = recordDocument(
  'product-price',
  priceAttributes,
  { 'id?': serverSet, 'pricebook_external_ref?': serverSet },
  'NewProductPrice',
)

/** The book of a price or modifier in an import. */
const book = { 'id?': schema.uuid, 'pricebook_id?': reference(['pricebook']), 'pricebook_external_ref?': externalRef }

/** A product price in an import, which names its book. */
export const priceDocument = recordDocument('product-price', priceAttributes, book)

/** A price modifier in an import. */
export const modifierDocument = recordDocument(
  'price-modifier',
  { 'name?': name, 'modifier_type?': schema.word(...modifierTypes), 'external_ref?': externalRef, 'currencies?': currencies },
  book,
)

/** A price book in an import. */
export const priceBookDocument = recordDocument('pricebook', {
  'name?': name,
  'description?': nullable(schema.text({ max: DESCRIPTION_MAX })),
  'external_ref?': externalRef,
})
