/** The document of a product in an import (input/document.ts). */
import { recordSchema } from '../input/record-schema.ts'
import { productRecord } from './product.ts'

/** Members that a product has in a listing but not in its document (input.server-members-accepted). */
export const listedAttributes = [
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
export const productDocument = recordSchema(productRecord, {
  shown: listedAttributes,
  shownRelationships: ['children', 'component_products'],
})
