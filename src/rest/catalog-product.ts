/** A product of a release as the hierarchy listing tells it (contract 2.5). */
import type { Context } from '../context.ts'
import { formatInstant } from '../domain/instant.ts'
import { localize } from '../domain/language.ts'
import type { ListedPrices } from '../domain/listed-price.ts'
import { priceListing } from '../domain/listing.ts'
import { BREADCRUMB_LEVELS_MAX } from '../domain/release.ts'
import type { ReleaseDocument } from '../domain/release-document.ts'
import { shownVariations, variationMatrix } from '../domain/variation-matrix.ts'
import type { ListedProduct } from '../operations/release-listing.ts'
import { displayPrice, given } from './price.ts'

/** What of a document no request changes: made once, in the contract's order of members. */
interface Fixed {
  readonly before: object
  readonly createdAt: string
  readonly updatedAt: string
  readonly after: object
  readonly matrix: object
  readonly relationships: object
  readonly breadCrumbNodes: readonly string[]
}

const made = new WeakMap<ReleaseDocument, Fixed>()

export function toCatalogProduct({ release, document, curated }: ListedProduct, ctx: Context) {
  const { product, unit } = document
  const fixed = fixedParts(document)
  const { language, name, description } = localize(product, ctx.surroundings.acceptLanguage)
  const listing = priceListing(unit, ctx.now)
  ctx.validity.endAt(listing.changesAt)
  const isChild = product.parent_id !== null
  return {
    id: product.id,
    type: 'product',
    attributes: {
      name,
      ...(description !== null && { description }),
      ...fixed.before,
      ...(isChild && { price_modifiers: unit.modifierNames }),
      external_ref: product.external_ref,
      published_at: release.publishedText,
      created_at: fixed.createdAt,
      updated_at: fixed.updatedAt,
      base_product: product.children !== null,
      ...(isChild && { base_product_id: product.parent_id }),
      ...(curated && { curated_product: true }),
      product_types: document.types,
      ...(language !== null && { language }),
      ...(listing.price && { price: listing.price }),
      ...fixed.after,
      ...given({ shopper_attributes: listing.shopper_attributes }),
    },
    relationships: fixed.relationships,
    meta: {
      bread_crumbs: Object.fromEntries(product.node_ids.map((node) => [node, release.ancestorIds(node)])),
      bread_crumb_nodes: fixed.breadCrumbNodes,
      catalog_id: release.catalogId,
      catalog_source: 'pim',
      ...priceMeta(listing, ctx),
      ...(listing.bundle_configuration && { bundle_configuration: bundleConfiguration(listing.bundle_configuration, ctx) }),
      ...(isChild && { price_modifiers: modifiers(listing.price_modifiers, ctx) }),
      variation_matrix: fixed.matrix,
    },
  }
}

function fixedParts(document: ReleaseDocument): Fixed {
  const known = made.get(document)
  if (known) return known
  const { product } = document
  const matrix = variationMatrix(product)
  const variations = shownVariations(product)?.map(({ options, ...variation }) => ({
    ...variation,
    options: options.map(({ price_modifiers: _, ...option }) => option),
  }))
  const fixed: Fixed = {
    before: {
      ...given({ sku: product.sku }),
      slug: product.slug,
      status: 'live',
      ...given({
        commodity_type: product.commodity_type,
        upc_ean: product.upc_ean,
        manufacturer_part_num: product.manufacturer_part_num,
      }),
      tags: product.tags,
    },
    createdAt: formatInstant(product.created_at),
    updatedAt: formatInstant(product.updated_at),
    after: {
      ...given({ components: product.components, custom_inputs: product.custom_inputs, extensions: product.extensions }),
      variation_matrix: matrix,
      ...given({ variations }),
    },
    matrix,
    relationships: relationships(document),
    breadCrumbNodes: product.node_ids.slice(0, BREADCRUMB_LEVELS_MAX),
  }
  made.set(document, fixed)
  return fixed
}

/** `links` stand only where their path is served, which is nowhere yet (VAR-1). */
function relationships({ product, types }: ReleaseDocument): object {
  const reference = (id: string) => ({ id, type: 'product' })
  const options = new Set(Object.values(product.components ?? {}).flatMap((component) => component.options.map(({ id }) => id)))
  return given({
    parent: product.parent_id === null ? null : { data: reference(product.parent_id) },
    children: product.children === null ? null : { data: product.children.map(({ id }) => reference(id)) },
    files: product.files === null ? null : { data: product.files.map(({ id, created_at }) => ({ type: 'file', id, created_at })) },
    main_image: product.main_image_id === null ? null : { data: { type: 'main_image', id: product.main_image_id } },
    component_products: types.includes('bundle') ? { data: [...options].map(reference) } : null,
  })
}

/** The price keys of `meta` (C10-C12, H3, H4). */
function priceMeta(prices: ListedPrices, ctx: Context) {
  const { price, sale_id, sale_expires, original_price, pricebook_id } = prices
  const shown = price && displayPrice(price, ctx)
  const original = original_price && displayPrice(original_price, ctx)
  return {
    pricebook_id,
    ...(shown && { display_price: shown }),
    ...(sale_id !== undefined && { sale_id, sale_expires, original_price }),
    ...(original && { original_display_price: original }),
  }
}

function bundleConfiguration(bundle: NonNullable<ReturnType<typeof priceListing>['bundle_configuration']>, ctx: Context) {
  const products = Object.entries(bundle.component_products).map(([id, component]) => {
    const { price, price_modifiers } = component
    return [id, { ...priceMeta(component, ctx), ...(price && { price }), price_modifiers }] as const
  })
  return { selected_options: bundle.selected_options, component_products: Object.fromEntries(products) }
}

function modifiers(listed: ReturnType<typeof priceListing>['price_modifiers'], ctx: Context) {
  const shown = Object.entries(listed).map(([name, modifier]) => [
    name,
    { ...modifier, ...given({ display_price: displayPrice(modifier.currencies, ctx) }) },
  ])
  return Object.fromEntries(shown) as Readonly<Record<string, object>>
}
