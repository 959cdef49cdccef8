/** Images of Shopify's CSV: addresses, which are files by ids made of them. */
import { PRODUCT_FILES_MAX } from '../../domain/input/limits.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import type { LeftOut } from './left-out.ts'
import { shopifyId } from './shopify-id.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** An image. */
export interface ShopifyImage {
  readonly address: string
  /** What it shows; empty where it is not said. */
  readonly alt: string
}

/** The images of a product by their positions, each once, as many as a product may have here. */
export function imagesOf(rows: readonly ShopifyRow[], leftOut: LeftOut): ShopifyImage[] {
  const found = rows.flatMap((row, index) => {
    const address = row.text('imageSrc')
    const position = Number(row.text('imagePosition')) || index + 1
    return address === '' ? [] : [{ address, alt: row.text('imageAlt'), position }]
  })
  found.sort((left, right) => left.position - right.position)
  const seen = new Set<string>()
  const images = found.filter(({ address }) => !seen.has(address) && seen.add(address))
  for (const _ of images.slice(PRODUCT_FILES_MAX)) leftOut.add(`images of a product beyond ${PRODUCT_FILES_MAX}`)
  return images.slice(0, PRODUCT_FILES_MAX)
}

/** The image of a variant among those of its product, which say what it shows. */
export function variantImage(row: ShopifyRow, images: readonly ShopifyImage[]): ShopifyImage[] {
  const address = row.text('variantImage')
  return address === '' ? [] : [images.find((one) => one.address === address) ?? { address, alt: '' }]
}

/** The relationships of a product with these images, of which the first is the main one. */
export function filesOf(images: readonly ShopifyImage[]): JsonObject {
  const data = images.map(({ address, alt }) => ({ type: 'file', id: shopifyId('image', address), alt: alt || null }))
  const [main] = data
  return { files: { data }, main_image: { data: main ? { type: 'main_image', id: main.id } : null } }
}
