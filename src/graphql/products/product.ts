/**
 * Authored products: the type Product. For administrators only. Its connections and prices: product-edges.ts.
 */
import { mainImageOf } from '../../domain/products/product-file.ts'
import { product, productTypesOf } from '../../operations/products/product.ts'
import { LocaleRef, localeList, seoFields } from '../schema/locale.ts'
import { entriesOf } from '../schema/map-entries.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { BuildRulesRef, ProductComponentRef } from './product-component.ts'
import { FileRef } from './product-file.ts'
import { ProductRef, ProductStatusEnum } from './product-ref.ts'
import {
  CommodityTypeEnum,
  CustomInputRef,
  customInputList,
  ExtensionRef,
  extensionList,
  ProductTypeEnum,
  VariationRef,
} from './product-types.ts'

implementNode(ProductRef, {
  description: 'A product as it is authored. Shoppers see it as a CatalogProduct, once it is live and published.',
  right: 'admin',
  load: (id, ctx) => product(ctx, { id }),
  rootField: {
    name: 'product',
    noun: 'product',
    example: 'c0ffee00-0002-4000-8000-000000000001',
    description: 'One product; null when there is none.',
  },
  fields: (t) => ({
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description.' }),
    sku: t.exposeString('sku', {
      nullable: true,
      description: 'The stock keeping unit, unique among products. Price books price SKUs.',
    }),
    slug: t.exposeString('slug', { description: 'The name in URLs.' }),
    status: t.expose('status', { type: ProductStatusEnum, description: 'Whether the next release shows the product.' }),
    commodityType: t.expose('commodityType', {
      type: CommodityTypeEnum,
      nullable: true,
      description: 'Whether it is a thing or a file.',
    }),
    upcEan: t.exposeString('upcEan', {
      nullable: true,
      description: 'The universal product code or European article number.',
    }),
    manufacturerPartNum: t.exposeString('manufacturerPartNum', {
      nullable: true,
      description: "The manufacturer's part number.",
    }),
    tags: t.exposeStringList('tags', { description: 'The tags, at most 100, in lower case.' }),
    types: t.field({
      type: [ProductTypeEnum],
      description: 'What the product is.',
      resolve: (one, _, ctx) => productTypesOf(ctx, one),
    }),
    ...seoFields(t),
    locales: t.field({
      type: [LocaleRef],
      description: 'Texts in other languages, at most 200.',
      resolve: ({ locales }) => localeList(locales),
    }),
    customInputs: t.field({
      type: [CustomInputRef],
      description: 'Texts that a shopper enters, at most 100.',
      resolve: ({ customInputs }) => customInputList(customInputs),
    }),
    extensions: t.field({
      type: [ExtensionRef],
      description: 'Further attributes, at most 100 templates.',
      resolve: ({ extensions }) => extensionList(extensions),
    }),
    variations: t.field({
      type: [VariationRef],
      description: 'What the children of a parent differ in, at most 100.',
      resolve: ({ variations }) => [...(variations ?? [])],
    }),
    buildRules: t.expose('buildRules', {
      type: BuildRulesRef,
      nullable: true,
      description: 'Which children are built; null for all.',
    }),
    components: t.field({
      type: [ProductComponentRef],
      description: 'The components of a bundle, at most 100, in the order of the key.',
      resolve: ({ components }) => entriesOf(components).map(([key, component]) => ({ key, ...component })),
    }),
    parent: t.field({
      type: ProductRef,
      nullable: true,
      description: 'The parent of a child.',
      resolve: ({ parentId }, _, { loaders }) => (parentId === null ? null : loaders.productById.load(parentId)),
    }),
    optionKeys: t.exposeIDList('optionIds', {
      description:
        "The keys of a child's options, one for each variation of its parent, in the order in which their modifiers apply.",
    }),
    files: t.field({
      type: [FileRef],
      description: 'The files, at most 100.',
      resolve: ({ files }) => [...(files ?? [])],
    }),
    mainImage: t.field({
      type: FileRef,
      nullable: true,
      description: 'The main image.',
      resolve: ({ mainImageId, files }) => mainImageOf(mainImageId, files),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the product.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the product was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the product was last changed.' }),
  }),
})
