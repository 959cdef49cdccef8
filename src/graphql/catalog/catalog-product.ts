/**
 * Published products: the type CatalogProduct. More of its fields: catalog-product-price.ts, -relations.ts and
 * bundle-configuration.ts.
 */
import { seoTextsOf } from '../../domain/catalog/released-product.ts'
import { visibleVariations } from '../../domain/catalog/variation-matrix.ts'
import { mainImageOf } from '../../domain/products/product-file.ts'
import { releaseView } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { FileRef } from '../products/product-file.ts'
import {
  CommodityTypeEnum,
  CustomInputRef,
  customInputList,
  ExtensionRef,
  extensionList,
  ProductTypeEnum,
  VariationRef,
} from '../products/product-types.ts'
import { withReader } from '../schema/argument-reader.ts'
import { labelIn } from '../schema/label.ts'
import { localeArgs, localizedFields, localizedSeoFields, localizedSlugFields } from '../schema/locale.ts'
import { implementNode } from '../schema/node.ts'
import { productIn } from './catalog-product-relations.ts'
import { CatalogProductRef, type PublishedProduct } from './catalog-refs.ts'
import { isReleaseScopedId, parseReleaseScopedId, readTreeNodeId } from './release-scoped-id.ts'

implementNode(CatalogProductRef, {
  description: 'A product as a release has it: it never changes, only its price may, by its schedules.',
  right: 'anyone',
  isId: isReleaseScopedId,
  load: productById,
  fields: (t) => ({
    key: t.exposeID('key', { description: 'The UUID of the product, the same in every release.' }),
    ...localizedFields(t, ({ document }) => document.product),
    ...localizedSeoFields(t, ({ document }) => seoTextsOf(document.product)),
    sku: t.exposeString('sku', { nullable: true, description: 'The stock keeping unit.' }),
    ...localizedSlugFields(t, {
      all: ({ document }) => document.product,
      path: (one, acceptLanguage) => one.canonicalPath(acceptLanguage),
      slug: 'The name in URLs in the requested language, else without a language; several products may have it.',
      canonicalPath:
        'The slugs in the requested language from the hierarchy down to the first node of `breadCrumbs`, then its own, which is alone without a node: the path of now, also when it was found by an old slug or one in another language.',
    }),
    commodityType: t.expose('commodityType', {
      type: CommodityTypeEnum,
      nullable: true,
      description: 'Whether it is a thing or a file.',
    }),
    upcEan: t.exposeString('upcEan', { nullable: true, description: 'The UPC or EAN.' }),
    manufacturerPartNum: t.exposeString('manufacturerPartNum', {
      nullable: true,
      description: "The manufacturer's part number.",
    }),
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A reference to another system.' }),
    tags: t.exposeStringList('tags', { description: 'The tags, at most 100, in lower case.' }),
    tagLabels: t.stringList({
      description:
        'What the tags are called in the requested language, else in that of the store, else themselves; at most 100, in the order of `tags`.',
      args: localeArgs,
      resolve: ({ tags, release }, args, ctx) => tags.map((tag) => labelIn(release, 'tag', tag, args, ctx)),
    }),
    productTypes: t.expose('productTypes', { type: [ProductTypeEnum], description: 'What the product is.' }),
    isBaseProduct: t.exposeBoolean('isBaseProduct', { description: 'Whether it is a parent that has built children.' }),
    curated: t.boolean({
      description:
        'Whether it is curated in the node or in any node of the hierarchy `in`; without `in`, in any node of the release.',
      args: {
        in: t.arg.id({
          description:
            'The global id or the UUID of a node or hierarchy, such as `c0ffee00-0007-4000-8000-000000000001`.',
          ...withReader(readScope),
        }),
      },
      resolve: ({ release, document }, args) => release.isCurated(readScope(args) ?? release.id, document.number),
    }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      description: 'When the release first became public, or the instant to come for which it is scheduled.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the product was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the product was last changed before the release.',
    }),
    customInputs: t.field({
      type: [CustomInputRef],
      description: 'Texts that a shopper enters, at most 100, in the order of the key.',
      resolve: ({ document }) => customInputList(document.product.custom_inputs),
    }),
    extensions: t.field({
      type: [ExtensionRef],
      description: 'Further attributes, of at most 100 templates, in the order of the template.',
      resolve: ({ document, release }) => extensionList(document.product.extensions, release.labels),
    }),
    variations: t.field({
      type: [VariationRef],
      description:
        'What its children differ in, at most 100 variations, highest sort order first: with build rules those chosen by them, else all.',
      resolve: ({ document }) => visibleVariations(document.product) ?? [],
    }),
    files: t.expose('files', { type: [FileRef], description: 'Its files, at most 100.' }),
    mainImage: t.field({
      type: FileRef,
      nullable: true,
      description: 'The main image.',
      resolve: ({ document }) => mainImageOf(document.product.main_image_id, document.product.files),
    }),
  }),
})

/** A product by its raw release-scoped id; null when there is no such release, or it does not have the product. */
export async function productById(id: string, ctx: Context): Promise<PublishedProduct | null> {
  const { recordId, ...wanted } = parseReleaseScopedId(id)
  const view = await releaseView(ctx, wanted)
  return view && productIn(view, recordId, ctx)
}

/** The UUID of the node or hierarchy in the argument `in`; null when absent. */
function readScope({ in: id }: { readonly in?: string | null | undefined }): string | null {
  return id == null ? null : readTreeNodeId(id, ['in'])
}
