/**
 * Bundle configurations: the price of a selection of a bundle's options, the default one or a shopper's own (bundle.own-price-else-sum).
 */

import { Release } from '../../domain/catalog/release.ts'
import { key } from '../../domain/input/errors.ts'
import { displayedQuantities } from '../../domain/pricing/bundle.ts'
import type { Selection } from '../../domain/pricing/priceable-product.ts'
import { type ConfiguredBundle, catalogProduct, configureBundle } from '../../operations/catalog/catalog-product.ts'
import { release as findRelease } from '../../operations/catalog/published-catalog.ts'
import { currencyArgs } from '../pricing/price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { readId } from '../schema/ids.ts'
import { entriesOf, toMap } from '../schema/rest-document.ts'
import { CatalogComponentRef, ComponentProductRef, type PricedOption, SelectedComponentRef } from './catalog-bundle.ts'
import { CatalogPriceRef, type PriceSubject } from './catalog-price.ts'
import { CatalogProductRef, toListedProduct } from './catalog-refs.ts'
import { instantArgs, quantityArgs, resolveAllPrices, resolveCatalogPrice } from './price-arguments.ts'
import { isReleaseScopedId, parseReleaseScopedId, readRecordId } from './release-scoped-id.ts'

const BundleConfigurationRef = builder.objectRef<ConfiguredBundle>('BundleConfiguration').implement({
  description: 'A choice among the options of a bundle and what it costs.',
  right: 'anyone',
  fields: (t) => ({
    product: t.field({ type: CatalogProductRef, description: 'The bundle.', resolve: (configured) => toListedProduct(configured) }),
    selectedOptions: t.field({
      type: [SelectedComponentRef],
      description: 'What is chosen, in the order of the component key; a component with nothing chosen is there too.',
      resolve: ({ release, bundle, selection }) =>
        entriesOf(selection ?? bundle.selection).map(([component, chosen]) => ({
          component,
          options: Object.entries(chosen).map(([productId, quantity]) => ({ productId, quantity, release })),
        })),
    }),
    componentProducts: t.field({
      type: [ComponentProductRef],
      description: 'Every live option of the bundle, chosen or not, with its price inside the bundle.',
      resolve: pricedOptions,
    }),
    price: t.field({
      type: CatalogPriceRef,
      nullable: true,
      description: 'The price of one bundle in one currency and why; null when there is none in it.',
      args: { ...currencyArgs, ...quantityArgs, ...instantArgs },
      resolve: (configured, args, ctx) => resolveCatalogPrice(subjectOf(configured), args, ctx),
    }),
    prices: t.field({
      type: [CatalogPriceRef],
      description: 'The prices of one bundle in all currencies, in the order of the code.',
      args: { ...quantityArgs, ...instantArgs },
      resolve: (configured, args, ctx) => resolveAllPrices(subjectOf(configured), args, ctx),
    }),
  }),
})

function subjectOf({ document, selection }: ConfiguredBundle): PriceSubject {
  return { unit: document.priceable, selection, bundleId: null }
}

/** The live options of a bundle, chosen or not, each at its quantity (bundle.components-listed-anyway, bundle.live-options-only). */
function pricedOptions({ release, document, bundle, selection }: ConfiguredBundle): PricedOption[] {
  return [...displayedQuantities(bundle.components, selection ?? bundle.selection)].flatMap(([id, quantity]) => {
    const unit = bundle.options.get(id)
    return unit ? [{ release, unit, quantity, selection: null, bundleId: document.priceable.id }] : []
  })
}

builder.objectFields(CatalogProductRef, (t) => ({
  components: t.field({
    type: [CatalogComponentRef],
    description: 'The components of a bundle, in the order of the key.',
    resolve: ({ release, document }) => entriesOf(document.product.components).map(([key, component]) => ({ key, ...component, release })),
  }),
  bundleConfiguration: t.field({
    type: BundleConfigurationRef,
    nullable: true,
    description: 'The default choice of a bundle, or a choice of your own, as in the query `configureBundle`; null for what is no bundle.',
    args: {
      selection: t.arg({
        type: [ComponentSelectionInput],
        description: 'The choice; by default the default one.',
        ...withReader(({ selection }: { selection?: ComponentSelections | null }) => selection && readSelection(selection)),
      }),
    },
    resolve: ({ release, document }, { selection }, ctx) => {
      const { bundle } = document.priceable
      if (bundle === null || selection == null) return bundle && { release, document, bundle, selection: null }
      return configureBundle(ctx, { release, document, selection: readSelection(selection) })
    },
  }),
}))

const OptionSelectionInput = builder.inputType('OptionSelectionInput', {
  description: 'An option to choose.',
  fields: (t) => ({
    productId: t.id({ required: true, description: 'The global id or the UUID of the product, at most once in the list.' }),
    quantity: t.field({ type: 'Long', required: true, description: "How many of it: the option's quantity." }),
  }),
})

const ComponentSelectionInput = builder.inputType('ComponentSelectionInput', {
  description: 'What to choose for a component.',
  fields: (t) => ({
    component: t.string({ required: true, description: 'The key of the component, at most once in the list.' }),
    options: t.field({ type: [OptionSelectionInput], required: true, description: 'The options, from `min` to `max` of them.' }),
  }),
})

type ComponentSelections = readonly (typeof ComponentSelectionInput.$inferInput)[]

builder.queryField('configureBundle', (t) =>
  t.field({
    type: BundleConfigurationRef,
    nullable: true,
    right: 'anyone',
    description:
      "What a shopper's own choice costs; null when there is no such product. A choice that the components do not allow is refused with an error whose `violations` name every wrong part.",
    args: {
      id: t.arg.id({ required: true, description: 'The global id of the bundle, a CatalogProduct.' }),
      selection: t.arg({ type: [ComponentSelectionInput], required: true, description: 'The choice, in place of the default one.' }),
    },
    resolve: async (_, { id, selection }, ctx) => {
      const { recordId, ...wanted } = parseReleaseScopedId(readId('CatalogProduct', id, ['id'], isReleaseScopedId))
      const release = await findRelease(ctx, wanted)
      const found = release instanceof Release ? await catalogProduct(ctx, { release, by: 'id', value: recordId }) : null
      return found && configureBundle(ctx, { ...found, selection: readSelection(selection) })
    },
  }),
)

function readSelection(given: ComponentSelections): Selection {
  return toMap(
    given,
    ({ component }) => component,
    ({ component, options }) =>
      toMap(
        options,
        ({ productId }) => readRecordId('CatalogProduct', productId, ['selection', key(component)]),
        ({ quantity }) => quantity,
      ),
  ) as Selection
}
