/**
 * Published bundles: components, options, selected options, and prices of options inside a bundle
 * (bundle.component-at-option-quantity).
 */
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import { OPTION_MODIFIERS_MAX } from '../../domain/input/limits.ts'
import { optionQuantity } from '../../domain/pricing/bundle.ts'
import type { BundleComponent, BundleOption } from '../../domain/pricing/price-record.ts'
import type { PriceSubject } from '../../operations/catalog/price.ts'
import { currencyArgs } from '../pricing/price.ts'
import { builder } from '../schema/builder.ts'
import type { FieldBuilder } from '../schema/graph-types.ts'
import { CatalogPriceRef } from './catalog-price.ts'
import { productIn } from './catalog-product-relations.ts'
import { CatalogProductRef } from './catalog-refs.ts'
import { instantArgs } from './price-arguments.ts'
import { resolveAllPrices, resolveCatalogPrice } from './resolve-catalog-price.ts'

/** A part of a document with the release that it belongs to. */
type OfRelease<T> = T & ReleaseView

/** The fields of the product whose UUID a part of a bundle holds; `although` completes the description. */
function namedProduct<T extends OfRelease<object>>(t: FieldBuilder<T>, idOf: (one: T) => string, although = '') {
  return {
    productKey: t.id({
      description: 'The UUID of the product, also where the release does not hold it.',
      resolve: idOf,
    }),
    product: t.field({
      type: CatalogProductRef,
      nullable: true,
      description: `The product; null when the release does not hold it${although}.`,
      resolve: (one, _, ctx) => productIn(one, idOf(one), ctx),
    }),
  }
}

const OptionRef = builder.objectRef<OfRelease<BundleOption>>('CatalogOption').implement({
  description: "A product that may be chosen for a bundle's component.",
  right: 'anyone',
  fields: (t) => ({
    ...namedProduct(t, ({ id }) => id),
    quantity: t.field({ type: 'Long', description: 'How many a shopper must buy.', resolve: optionQuantity }),
    sortOrder: t.field({
      type: 'Long',
      nullable: true,
      description: 'Highest first.',
      resolve: (option) => option.sort_order ?? null,
    }),
    default: t.boolean({
      description: 'Whether it is chosen by default.',
      resolve: (option) => option.default === true,
    }),
  }),
})

export const CatalogComponentRef = builder
  .objectRef<OfRelease<BundleComponent & { readonly key: string }>>('CatalogComponent')
  .implement({
    description: 'A part of a bundle, for which a shopper chooses among options.',
    right: 'anyone',
    fields: (t) => ({
      key: t.exposeString('key', { description: 'The key of the component, unique within its bundle.' }),
      name: t.exposeString('name', { description: 'The name in the storefront.' }),
      min: t.field({
        type: 'Long',
        nullable: true,
        description: 'How many options must be chosen.',
        resolve: ({ min }) => min ?? null,
      }),
      max: t.field({
        type: 'Long',
        nullable: true,
        description: 'How many options may be chosen.',
        resolve: ({ max }) => max ?? null,
      }),
      sortOrder: t.field({
        type: 'Long',
        nullable: true,
        description: 'For clients to sort by.',
        resolve: (one) => one.sort_order ?? null,
      }),
      options: t.field({
        type: [OptionRef],
        description: 'The options, at most 500 in all components, as authored.',
        resolve: ({ release, isLatest, options }) => options.map((option) => ({ ...option, release, isLatest })),
      }),
    }),
  })

interface ChosenOption {
  readonly productId: string
  readonly quantity: number
}

const SelectedOptionRef = builder.objectRef<OfRelease<ChosenOption>>('SelectedOption').implement({
  description: 'An option that is chosen.',
  right: 'anyone',
  fields: (t) => ({
    ...namedProduct(t, ({ productId }) => productId),
    quantity: t.expose('quantity', { type: 'Long', description: 'How many of it.' }),
  }),
})

export const SelectedComponentRef = builder
  .objectRef<{ readonly component: string; readonly options: OfRelease<ChosenOption>[] }>('SelectedComponent')
  .implement({
    description: 'What is chosen for a component.',
    right: 'anyone',
    fields: (t) => ({
      component: t.exposeString('component', { description: 'The key of the component.' }),
      options: t.expose('options', { type: [SelectedOptionRef], description: 'The options chosen; maybe none.' }),
    }),
  })

/** A live option of a bundle, at the option's quantity. */
export interface PricedOption extends PriceSubject {
  readonly quantity: number
}

export const ComponentProductRef = builder.objectRef<PricedOption>('ComponentProduct').implement({
  description: "An option of a bundle with its price inside the bundle, at the option's quantity.",
  right: 'anyone',
  fields: (t) => ({
    ...namedProduct(t, ({ priceable }) => priceable.id, ', although its price is known'),
    quantity: t.expose('quantity', { type: 'Long', description: 'How many of it one bundle has.' }),
    price: t.field({
      type: CatalogPriceRef,
      nullable: true,
      description: 'The price of one in one currency and why; null when there is none in it.',
      args: { ...currencyArgs, ...instantArgs },
      resolve: (one, args, ctx) => resolveCatalogPrice(one, { ...args, quantity: one.quantity }, ctx),
    }),
    prices: t.field({
      type: [CatalogPriceRef],
      description: 'The prices of one in all currencies, at most 200, in the order of the code.',
      args: instantArgs,
      resolve: (one, args, ctx) => resolveAllPrices(one, { ...args, quantity: one.quantity }, ctx),
    }),
    priceBookKey: t.id({
      nullable: true,
      description: 'The UUID of the price book.',
      resolve: ({ priceable }) => priceable.record?.book ?? null,
    }),
    priceModifierNames: t.stringList({
      description: `The names of its price modifiers, at most ${OPTION_MODIFIERS_MAX} of each option of a child, in the order in which they apply.`,
      resolve: ({ priceable }) => [...priceable.modifierNames],
    }),
  }),
})
