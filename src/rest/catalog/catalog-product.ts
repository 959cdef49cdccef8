/** Published products as items of a hierarchy listing. */
import { BREADCRUMB_LEVELS_MAX } from '../../domain/catalog/release.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import type { ReleaseProduct, ReleaseVariationOption } from '../../domain/catalog/released-product.ts'
import { variationMatrix, visibleVariations } from '../../domain/catalog/variation-matrix.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import { shownLanguages } from '../../domain/language/accept-language.ts'
import { localize } from '../../domain/language/language.ts'
import type { PriceView } from '../../domain/pricing/price-view.ts'
import type { BundlePriceView, ProductPriceView } from '../../domain/pricing/product-price-view.ts'
import type { ListedProduct } from '../../operations/catalog/page.ts'
import { listedPrice } from '../../operations/catalog/price.ts'
import type { Context } from '../../request/context.ts'
import { displayPrice, omitNil } from '../http/display-price.ts'

/**
 * The JSON of a product, priced at the request's instant. Undefined members are absent in JSON; conditional spreads
 * would be slower.
 */
export function toCatalogProduct({ release, document, curated }: ListedProduct, ctx: Context) {
  const { product, priceable, types } = document
  const languages = shownLanguages(ctx.shopperHeaders.acceptLanguage, ctx.config.storeLanguage)
  const { language, name, description } = localize(product, languages)
  const listing = listedPrice(ctx, priceable)
  const isChild = product.parent_id !== null
  const matrix = variationMatrix(product)
  return {
    id: product.id,
    type: 'product',
    attributes: {
      name,
      description: description ?? undefined,
      sku: product.sku ?? undefined,
      slug: product.slug,
      status: 'live',
      commodity_type: product.commodity_type ?? undefined,
      upc_ean: product.upc_ean ?? undefined,
      manufacturer_part_num: product.manufacturer_part_num ?? undefined,
      tags: product.tags,
      price_modifiers: isChild ? priceable.modifierNames : undefined,
      external_ref: product.external_ref,
      published_at: release.publishedText,
      created_at: formatInstant(product.created_at),
      updated_at: formatInstant(product.updated_at),
      base_product: product.children !== null,
      base_product_id: product.parent_id ?? undefined,
      curated_product: curated || undefined,
      product_types: types,
      language: language ?? undefined,
      price: listing.price,
      components: product.components ?? undefined,
      custom_inputs: product.custom_inputs ?? undefined,
      extensions: product.extensions ?? undefined,
      variation_matrix: matrix,
      variations: variations(product, languages),
      shopper_attributes: listing.shopper_attributes ?? undefined,
    },
    relationships: relationships(document),
    meta: {
      bread_crumbs: Object.fromEntries(product.node_ids.map((node) => [node, release.ancestorIds(node)])),
      bread_crumb_nodes: product.node_ids.slice(0, BREADCRUMB_LEVELS_MAX),
      catalog_id: release.catalogId,
      catalog_source: 'pim',
      ...priceMeta(listing, ctx),
      bundle_configuration: listing.bundle_configuration && bundleConfiguration(listing.bundle_configuration, ctx),
      price_modifiers: isChild ? modifiers(listing.price_modifiers, ctx) : undefined,
      variation_matrix: matrix,
    },
  }
}

function variations(product: ReleaseProduct, acceptLanguage: string | null) {
  return visibleVariations(product)?.map(({ options, ...variation }) => ({
    ...inLanguage(variation, acceptLanguage),
    options: options.map(({ price_modifiers: _, ...option }) => inLanguage(option, acceptLanguage)),
  }))
}

function inLanguage(
  { locales, ...texts }: Omit<ReleaseVariationOption, 'price_modifiers'>,
  acceptLanguage: string | null,
) {
  if (!locales) return texts
  const { name, description } = localize({ ...texts, description: texts.description ?? null, locales }, acceptLanguage)
  return { ...texts, name, ...(description !== null && { description }) }
}

/** The product's relationships, without `links`, since this server has no paths for them. */
function relationships({ product, types }: ReleaseDocument): object {
  const reference = (id: string) => ({ id, type: 'product' })
  const options = new Set(
    Object.values(product.components ?? {}).flatMap((component) => component.options.map(({ id }) => id)),
  )
  return omitNil({
    parent: product.parent_id === null ? null : { data: reference(product.parent_id) },
    children: product.children === null ? null : { data: product.children.map(({ id }) => reference(id)) },
    files:
      product.files === null
        ? null
        : { data: product.files.map(({ id, created_at }) => ({ type: 'file', id, created_at })) },
    main_image: product.main_image_id === null ? null : { data: { type: 'main_image', id: product.main_image_id } },
    component_products: types.includes('bundle') ? { data: [...options].map(reference) } : null,
  })
}

/** The price keys of `meta`. */
function priceMeta({ price, sale_id, sale_expires, original_price, pricebook_id }: PriceView, ctx: Context) {
  return {
    pricebook_id,
    display_price: price && displayPrice(price, ctx),
    sale_id,
    sale_expires,
    original_price,
    original_display_price: original_price && displayPrice(original_price, ctx),
  }
}

function bundleConfiguration(bundle: BundlePriceView, ctx: Context) {
  const products = Object.entries(bundle.component_products).map(([id, component]) => {
    const { price, price_modifiers } = component
    return [id, { ...priceMeta(component, ctx), ...(price && { price }), price_modifiers }] as const
  })
  return { selected_options: bundle.selected_options, component_products: Object.fromEntries(products) }
}

function modifiers(views: ProductPriceView['price_modifiers'], ctx: Context) {
  const shown = Object.entries(views).map(([name, modifier]) => [
    name,
    { ...modifier, ...omitNil({ display_price: displayPrice(modifier.currencies, ctx) }) },
  ])
  return Object.fromEntries(shown) as Readonly<Record<string, object>>
}
