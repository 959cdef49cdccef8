/**
 * One product as a release froze it (release.is-a-snapshot): the JSON that publishing writes, made ready once per process and then only
 * read.
 */

import { compileUnit } from '../pricing/compile-product.ts'
import type { PricedUnit } from '../pricing/priceable-product.ts'
import { type FrozenBody, readBody } from './document-codec.ts'
import type { FrozenProduct } from './released-product.ts'

export const productTypes = ['standard', 'parent', 'child', 'bundle'] as const
export type ProductType = (typeof productTypes)[number]

export interface ReleaseDocument {
  /** The number that listings know it by. */
  readonly number: number
  readonly product: FrozenProduct
  readonly types: readonly ProductType[]
  readonly unit: PricedUnit
  /** Of the JSON that it was read from. */
  readonly characters: number
}

/** The document of a stored body, which is JSON of so many characters. */
export function readDocument(number: number, body: FrozenBody, characters: number): ReleaseDocument {
  const { product, price } = readBody(body)
  return { number, product, types: typesOf(product), unit: compileUnit(price), characters }
}

/** product.types-that-hold: each type that holds; `standard` when none does. */
export function typesOf(product: Pick<FrozenProduct, 'children' | 'parent_id' | 'components'>): ProductType[] {
  const types: ProductType[] = []
  if (product.children !== null) types.push('parent')
  if (product.parent_id !== null) types.push('child')
  if (product.components !== null && Object.keys(product.components).length > 0) types.push('bundle')
  return types.length > 0 ? types : ['standard']
}
