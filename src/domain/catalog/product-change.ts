/** Product change: the differences of one product between two releases (release.change-names-its-fields). */
import { isDeepStrictEqual } from 'node:util'
import { localize, localizeSeo, type SeoTexts, type Texts } from '../language/language.ts'
import { localizeSlug, type Slugs } from '../language/language-slug.ts'
import { selectedQuantities } from '../pricing/bundle.ts'
import { toModifierViews } from '../pricing/modifier-view.ts'
import { pricedCurrencies, resolvePrice } from '../pricing/price.ts'
import type { PriceableProduct } from '../pricing/priceable-product.ts'
import { mainImageOf } from '../products/product-file.ts'
import type { ReleaseDocument } from './release-document.ts'
import { seoTextsOf } from './released-product.ts'
import { variationMatrix, visibleVariations } from './variation-matrix.ts'

/** How a product or node differs between two releases. */
export const releaseChangeKinds = ['ADDED', 'REMOVED', 'CHANGED'] as const
/** `ADDED`: only in the newer release. `REMOVED`: only in the older one. `CHANGED`: in both. */
export type ReleaseChangeKind = (typeof releaseChangeKinds)[number]

/** For each field of the graph's CatalogProduct, the part of a document that it shows. */
const fieldValues: Readonly<Record<string, (document: ReleaseDocument) => unknown>> = {
  sku: ({ product }) => product.sku,
  commodityType: ({ product }) => product.commodity_type,
  upcEan: ({ product }) => product.upc_ean,
  manufacturerPartNum: ({ product }) => product.manufacturer_part_num,
  externalRef: ({ product }) => product.external_ref,
  tags: ({ product }) => [...product.tags].sort(),
  productTypes: ({ types }) => types,
  customInputs: ({ product }) => product.custom_inputs,
  extensions: ({ product }) => product.extensions,
  variations: ({ product }) => visibleVariations(product),
  variationMatrix: ({ product }) => variationMatrix(product),
  // The prices of the options are shown with them, and make the price of a bundle without a record.
  components: ({ product, priceable }) => [product.components, optionsOf(priceable)],
  parentKey: ({ product }) => product.parent_id,
  childKeys: ({ product }) => product.children?.map(({ id }) => id),
  selectedOptions: ({ product }) => product.option_ids,
  nodes: ({ product }) => product.node_ids,
  files: ({ product }) => product.files,
  mainImage: ({ product }) => mainImageOf(product.main_image_id, product.files),
  prices: ({ priceable }) => pricesOf(priceable),
  priceBookKey: ({ priceable }) => priceable.record?.book,
  priceModifierNames: ({ priceable }) => priceable.modifierNames,
  priceModifiers: ({ priceable }) => toModifierViews(priceable.modifiers),
  shopperAttributes: ({ priceable }) => priceable.record?.shopperAttributes,
  createdAt: ({ product }) => product.created_at,
  updatedAt: ({ product }) => product.updated_at,
}

/**
 * The names of the fields of CatalogProduct that differ, with texts in any language; empty when readers see no
 * difference.
 */
export function changedProductFields(before: ReleaseDocument, after: ReleaseDocument): string[] {
  const fields = Object.keys(fieldValues).filter((field) => {
    const read = fieldValues[field] as (document: ReleaseDocument) => unknown
    return !isDeepStrictEqual(read(before) ?? null, read(after) ?? null)
  })
  const seo = changedSeoTexts(seoTextsOf(before.product), seoTextsOf(after.product))
  return [
    ...changedTexts(before.product, after.product),
    ...seo,
    ...changedSlug(before.product, after.product),
    ...fields,
  ]
}

/** Which of `name`, `description` and `language` differ in some language. */
export function changedTexts(before: Texts, after: Texts): ('name' | 'description' | 'language')[] {
  const languages = languagesOf(before, after)
  const texts = languages.map((language) => [localize(before, language), localize(after, language)] as const)
  return (['name', 'description', 'language'] as const).filter((field) =>
    texts.some(([one, other]) => one[field] !== other[field]),
  )
}

/** Which of the texts for search engines differ in some language. */
export function changedSeoTexts(before: SeoTexts, after: SeoTexts): ('seoTitle' | 'seoDescription')[] {
  const languages = languagesOf(before, after)
  const texts = languages.map((language) => [localizeSeo(before, language), localizeSeo(after, language)] as const)
  return (['seoTitle', 'seoDescription'] as const).filter((field) =>
    texts.some(([one, other]) => one[field] !== other[field]),
  )
}

/** `slug` where it differs in some language. */
export function changedSlug(before: Slugs, after: Slugs): 'slug'[] {
  const isChanged = languagesOf(before, after).some(
    (language) => localizeSlug(before, language) !== localizeSlug(after, language),
  )
  return isChanged ? ['slug'] : []
}

/** The default texts (null) and all languages that one of them has. */
function languagesOf(...records: readonly Pick<Texts, 'locales'>[]): (string | null)[] {
  return [null, ...new Set(records.flatMap(({ locales }) => Object.keys(locales ?? {})))]
}

/** Everything that decides the product's prices at any instant and quantity, without cached values. */
function pricesOf(product: PriceableProduct): unknown {
  const { record, modifiers, bundle } = product
  if (record === null) return bundle && [selectedQuantities(bundle.selection), optionsOf(product)]
  return { id: record.id, list: record.list, sales: record.sales, modifiers }
}

function optionsOf({ bundle }: PriceableProduct): unknown {
  return (
    bundle &&
    Object.fromEntries(Array.from(bundle.options, ([id, option]) => [id, [pricesOf(option), optionsOf(option)]]))
  )
}

/**
 * A change of the price of one unit in a currency, in minor units; null in a release without a price. The amounts
 * differ.
 */
export interface ReleasePriceChange {
  readonly currency: string
  readonly before: number | null
  readonly after: number | null
}

/** The prices that differ at `now`, epoch milliseconds, in the order of the currency. */
export function priceChanges(before: PriceableProduct, after: PriceableProduct, now: number): ReleasePriceChange[] {
  const amountOf = (product: PriceableProduct, currency: string) =>
    resolvePrice(product, { now, currency, quantity: 1 }).price?.amount ?? null
  const currencies = [...new Set([...pricedCurrencies(before), ...pricedCurrencies(after)])].sort()
  return currencies
    .map((currency) => ({ currency, before: amountOf(before, currency), after: amountOf(after, currency) }))
    .filter((change) => change.before !== change.after)
}
