/** Places of members in Shopify's CSV: the cells that they are made of (import.systems-name-the-place). */
import { type Path, segmentTexts } from '../../domain/input/errors.ts'
import type { Field } from './shopify-columns.ts'

const ofProduct: Readonly<Record<string, Field>> = {
  name: 'title',
  slug: 'handle',
  external_ref: 'handle',
  description: 'body',
  seo_title: 'seoTitle',
  seo_description: 'seoDescription',
  manufacturer_part_num: 'mpn',
  sku: 'sku',
  upc_ean: 'barcode',
  status: 'status',
  tags: 'tags',
  commodity_type: 'requiresShipping',
  files: 'imageSrc',
  main_image: 'imageSrc',
}
const ofExtensions: Readonly<Record<string, Field>> = {
  vendor: 'vendor',
  product_type: 'type',
  product_category: 'category',
  grams: 'grams',
  images: 'imageSrc',
}

/** The field of a member of a product or a variant; undefined where several fields, or none, say it. */
export function productField(path: Path): Field | undefined {
  const [, member = '', part, key = ''] = segmentTexts(path)
  return member === 'extensions' ? (part === 'shopify' ? ofExtensions[key] : undefined) : ofProduct[member]
}

/** The field of a member of a price. */
export function priceField(path: Path): Field {
  return segmentTexts(path)[1] === 'sku' ? 'sku' : 'price'
}

/** The field of a member of a node; its products are those of many rows. */
export function nodeField([of]: Path): Field | undefined {
  return of === 'attributes' ? 'category' : undefined
}
