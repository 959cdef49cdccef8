/**
 * Release product: a product in a release (release.is-a-snapshot), with the member names of a listing. Its pricing data
 * is beside it (pricing/priceable-product.ts).
 */
import type { SeoTexts } from '../language/language.ts'
import type { Locales } from '../language/locale.ts'
import type { BundleComponents } from '../pricing/price-record.ts'
import type { BuildRules } from '../products/build-rules.ts'
import type { CustomInputs } from '../products/custom-input.ts'
import type { Extensions } from '../products/extension.ts'
import type { CommodityType } from '../products/product.ts'
import type { ProductFile } from '../products/product-file.ts'

/** An option of a variation. */
export interface ReleaseVariationOption {
  readonly id: string
  readonly name: string
  readonly sort_order?: number | null
  readonly description?: string | null
  readonly price_modifiers?: readonly string[] | null
  readonly locales?: Locales
}

/** A variation of a parent product. */
export interface ReleaseVariation {
  readonly id: string
  readonly name: string
  readonly sort_order?: number | null
  readonly options: readonly ReleaseVariationOption[]
  readonly locales?: Locales
}

/** A published product. Instants are epoch milliseconds. */
export interface ReleaseProduct {
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
  readonly components: BundleComponents | null
  readonly custom_inputs: CustomInputs | null
  readonly extensions: Extensions | null
  readonly locales: Locales | null
  readonly variations: readonly ReleaseVariation[] | null
  readonly build_rules: BuildRules | null
  readonly parent_id: string | null
  /** Option ids of a child. */
  readonly option_ids: readonly string[]
  readonly files: readonly ProductFile[] | null
  readonly main_image_id: string | null
  /** Children of a parent. */
  readonly children: readonly { readonly id: string; readonly option_ids: readonly string[] }[] | null
  /** Ids of the nodes that it is attached to, latest attachment first (node.latest-attachment-first). */
  readonly node_ids: readonly string[]
  readonly created_at: number
  readonly updated_at: number
  readonly seo_title: string | null
  readonly seo_description: string | null
}

/** Its texts for search engines. */
export function seoTextsOf({ seo_title, seo_description, locales }: ReleaseProduct): SeoTexts {
  return { seoTitle: seo_title, seoDescription: seo_description, locales }
}
