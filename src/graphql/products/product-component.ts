/** Components of bundles and build rules of parents, as they are authored. */
import type { BundleComponent, BundleOption } from '../../domain/pricing/price-record.ts'
import type { Product } from '../../domain/products/product.ts'
import { builder } from '../schema/builder.ts'
import { globalId } from '../schema/ids.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { ProductRef } from './product-ref.ts'

const ProductOptionRef = builder.objectRef<BundleOption>('ProductComponentOption').implement({
  description: "A product that may be chosen for a bundle's component.",
  right: 'admin',
  fields: (t) => ({
    productId: t.id({
      description: 'The global id of the product, whether it exists or not.',
      resolve: ({ id }) => globalId('Product', id),
    }),
    product: t.field({
      type: ProductRef,
      nullable: true,
      description: 'The product; null when there is none.',
      resolve: ({ id }, _, { loaders }) => loaders.productById.load(id),
    }),
    quantity: t.field({
      type: 'Long',
      description: 'How many a shopper must buy.',
      resolve: ({ quantity }) => quantity ?? 1,
    }),
    sortOrder: t.int({ nullable: true, description: 'Highest first.', resolve: (option) => option.sort_order ?? null }),
    default: t.boolean({
      nullable: true,
      description: 'Whether it is chosen by default.',
      resolve: (option) => option.default ?? null,
    }),
  }),
})

export const ProductComponentRef = builder
  .objectRef<BundleComponent & { readonly key: string }>('ProductComponent')
  .implement({
    description: 'A part of a bundle, for which a shopper chooses among options.',
    right: 'admin',
    fields: (t) => ({
      key: t.exposeString('key', { description: 'The key of the component, unique within its bundle.' }),
      name: t.exposeString('name', { description: 'The name in the storefront.' }),
      min: t.int({
        nullable: true,
        description: 'How many options must be chosen at least.',
        resolve: ({ min }) => min ?? null,
      }),
      max: t.int({
        nullable: true,
        description: 'How many options may be chosen at most.',
        resolve: ({ max }) => max ?? null,
      }),
      sortOrder: t.int({
        nullable: true,
        description: 'For clients to sort by.',
        resolve: (component) => component.sort_order ?? null,
      }),
      options: t.expose('options', {
        type: [ProductOptionRef],
        description: 'The options, at most 500 in all components.',
      }),
    }),
  })

export const BuildDefaultEnum = wordEnum(
  'BuildDefault',
  'What happens to a combination of options that no build rule means.',
  {
    include: 'It is built.',
    exclude: 'It is not built.',
  },
)

export const BuildRulesRef = builder.objectRef<NonNullable<Product['buildRules']>>('BuildRules').implement({
  description:
    'Which combinations of options are built as children. A rule names options of different variations, and means all combinations that have all of them.',
  right: 'admin',
  fields: (t) => ({
    default: t.expose('default', {
      type: BuildDefaultEnum,
      description: 'What happens to a combination that no rule means.',
    }),
    include: t.field({
      type: t.listRef(t.listRef('ID')),
      description: 'Rules that include, at most 1000, each the ids of options.',
      resolve: (rules) => rules.include.map((rule) => [...rule]),
    }),
    exclude: t.field({
      type: t.listRef(t.listRef('ID')),
      description: 'Rules that exclude, at most 1000, which win.',
      resolve: (rules) => rules.exclude.map((rule) => [...rule]),
    }),
  }),
})
