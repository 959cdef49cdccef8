/**
 * One product as a release froze it (release.is-a-snapshot): the JSON that publishing writes, made ready once per process and then only
 * read.
 */

import { compileProduct } from '../pricing/compile-product.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import { type DocumentBody, decodeDocument } from './document-codec.ts'
import type { ReleaseProduct } from './released-product.ts'

export const productTypes = ['standard', 'parent', 'child', 'bundle'] as const
export type ProductType = (typeof productTypes)[number]

export interface ReleaseDocument {
  /** The number that listings know it by. */
  readonly number: number
  readonly product: ReleaseProduct
  readonly types: readonly ProductType[]
  readonly priceable: PriceableProduct
  /** Of the JSON that it was read from. */
  readonly characters: number
}

/** The document of a stored body, which is JSON of so many characters. */
export function readDocument(number: number, body: DocumentBody, characters: number): ReleaseDocument {
  const { product, price } = decodeDocument(body)
  return { number, product, types: typesOf(product), priceable: compileProduct(price), characters }
}

/** product.types-that-hold: each type that holds; `standard` when none does. */
export function typesOf(product: Pick<ReleaseProduct, 'children' | 'parent_id' | 'components'>): ProductType[] {
  const types: ProductType[] = []
  if (product.children !== null) types.push('parent')
  if (product.parent_id !== null) types.push('child')
  if (product.components !== null && Object.keys(product.components).length > 0) types.push('bundle')
  return types.length > 0 ? types : ['standard']
}
