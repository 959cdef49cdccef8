/**
 * Release document: one product in a release (release.is-a-snapshot), decoded and compiled once per process and then
 * only read.
 */
import { compileProduct } from '../pricing/compile-product.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import { type DocumentBody, decodeDocument } from './document-codec.ts'
import type { ReleaseProduct } from './released-product.ts'

/** The types that a published product can have (product.types-that-hold). */
export const productTypes = ['standard', 'parent', 'child', 'bundle'] as const
/** A type of a published product. */
export type ProductType = (typeof productTypes)[number]

/** A decoded document. */
export interface ReleaseDocument {
  /** The number by which a `ProductOrder` refers to the document. */
  readonly number: number
  readonly product: ReleaseProduct
  readonly types: readonly ProductType[]
  /** The compiled pricing data. */
  readonly priceable: PriceableProduct
  /** Length of its stored JSON in characters, from which the release cache estimates its memory. */
  readonly characters: number
}

/** Decodes and compiles a stored body, whose JSON has this number of `characters`. */
export function readDocument(number: number, body: DocumentBody, characters: number): ReleaseDocument {
  const { product, price } = decodeDocument(body)
  return { number, product, types: typesOf(product), priceable: compileProduct(price), characters }
}

/** The types of a product, `standard` when no other applies (product.types-that-hold). */
export function typesOf(product: Pick<ReleaseProduct, 'children' | 'parent_id' | 'components'>): ProductType[] {
  const types: ProductType[] = []
  if (product.children !== null) types.push('parent')
  if (product.parent_id !== null) types.push('child')
  if (product.components !== null && Object.keys(product.components).length > 0) types.push('bundle')
  return types.length > 0 ? types : ['standard']
}
