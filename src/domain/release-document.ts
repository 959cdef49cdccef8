/**
 * One product as a release froze it (release.is-a-snapshot): the JSON that publishing writes, made ready once per process and then only
 * read.
 */
import type { BuildRules } from './build-rules.ts'
import type { CustomInputs } from './custom-input.ts'
import type { Extensions } from './extension.ts'
import { type FrozenBody, readBody } from './frozen-body.ts'
import type { FrozenComponents } from './frozen-price.ts'
import type { PricedUnit } from './priced-unit.ts'
import type { CommodityType } from './product.ts'
import type { Locales } from './release.ts'
import { compileUnit } from './unit.ts'

export const productTypes = ['standard', 'parent', 'child', 'bundle'] as const
export type ProductType = (typeof productTypes)[number]

export interface FrozenVariationOption {
  readonly id: string
  readonly name: string
  readonly sort_order?: number | null
  readonly description?: string | null
  readonly price_modifiers?: readonly string[] | null
}

export interface FrozenVariation {
  readonly id: string
  readonly name: string
  readonly sort_order?: number | null
  readonly options: readonly FrozenVariationOption[]
}

/** A product with the listing's names. Instants are epoch milliseconds. */
export interface FrozenProduct {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly sku: string | null
  readonly slug: string
  readonly commodity_type: CommodityType | null
  readonly upc_ean: string | null
  readonly manufacturer_part_num: string | null
  readonly tags: readonly string[]
  readonly external_ref: string | null
  readonly components: FrozenComponents | null
  readonly custom_inputs: CustomInputs | null
  readonly extensions: Extensions | null
  readonly locales: Locales | null
  readonly variations: readonly FrozenVariation[] | null
  readonly build_rules: BuildRules | null
  readonly parent_id: string | null
  /** A child's options. */
  readonly option_ids: readonly string[]
  readonly files: readonly { readonly id: string; readonly created_at: string }[] | null
  readonly main_image_id: string | null
  /** A parent's built children. */
  readonly children: readonly { readonly id: string; readonly option_ids: readonly string[] }[] | null
  /** The nodes it is attached to, latest attachment first (node.latest-attachment-first). */
  readonly node_ids: readonly string[]
  readonly created_at: number
  readonly updated_at: number
}

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
