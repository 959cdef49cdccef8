/**
 * Bundle configurations: the price of a selection of a bundle's options, the default one or a shopper's own
 * (bundle.own-price-else-sum).
 */
import { badRequest, prefixPaths } from '../../domain/input/errors.ts'
import { BUNDLE_COMPONENTS_MAX, BUNDLE_OPTIONS_MAX } from '../../domain/input/limits.ts'
import { displayedQuantities } from '../../domain/pricing/bundle.ts'
import type { ComponentChoice } from '../../domain/pricing/selection.ts'
import { type BundleSelection, configureBundle } from '../../operations/catalog/catalog-product.ts'
import type { PriceSubject } from '../../operations/catalog/price.ts'
import type { Context } from '../../request/context.ts'
import { currencyArgs } from '../pricing/price.ts'
import { assertCount, withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { toUserErrors, UserErrorRef } from '../schema/errors.ts'
import { rawId } from '../schema/ids.ts'
import { entriesOf } from '../schema/map-entries.ts'
import { CatalogComponentRef, ComponentProductRef, type PricedOption, SelectedComponentRef } from './catalog-bundle.ts'
import { CatalogPriceRef } from './catalog-price.ts'
import { productById } from './catalog-product.ts'
import { CatalogProductRef, type PublishedProduct } from './catalog-refs.ts'
import { instantArgs, quantityArgs } from './price-arguments.ts'
import { isReleaseScopedId, readRecordId } from './release-scoped-id.ts'
import { resolveAllPrices, resolveCatalogPrice } from './resolve-catalog-price.ts'

/** A bundle of a release with a selection. */
interface ConfiguredBundle extends BundleSelection {
  readonly product: PublishedProduct
}

export const BundleConfigurationRef = builder.objectRef<ConfiguredBundle>('BundleConfiguration').implement({
  description: 'A choice among the options of a bundle and what it costs.',
  right: 'anyone',
  fields: (t) => ({
    product: t.expose('product', { type: CatalogProductRef, description: 'The bundle.' }),
    valid: t.boolean({
      description: 'Whether the components allow the choice.',
      resolve: ({ issues }) => issues.length === 0,
    }),
    issues: t.field({
      type: [UserErrorRef],
      description: 'What is wrong with the choice or missing in it; `path` leads into the argument `selection`.',
      resolve: ({ issues }) => toUserErrors(prefixPaths(['selection'], issues)),
    }),
    selectedOptions: t.field({
      type: [SelectedComponentRef],
      description:
        'What is chosen of the options that there are, at most 100 components, in the order of the component key; a component with nothing chosen is there too.',
      resolve: ({ product: { release, isLatest }, bundle, selection }) =>
        entriesOf(selection ?? bundle.selection).map(([component, chosen]) => ({
          component,
          options: Object.entries(chosen).map(([productId, quantity]) => ({ productId, quantity, release, isLatest })),
        })),
    }),
    componentProducts: t.field({
      type: [ComponentProductRef],
      description: 'Every live option of the bundle, at most 500, chosen or not, with its price inside the bundle.',
      resolve: pricedOptions,
    }),
    price: t.field({
      type: CatalogPriceRef,
      nullable: true,
      description:
        'The price of one bundle in one currency and why; null when there is none in it, or the choice is not valid.',
      args: { ...currencyArgs, ...quantityArgs, ...instantArgs },
      resolve: (configured, args, ctx) =>
        configured.issues.length > 0 ? null : resolveCatalogPrice(subjectOf(configured), args, ctx),
    }),
    prices: t.field({
      type: [CatalogPriceRef],
      description:
        'The prices of one bundle in all currencies, at most 200, in the order of the code; none when the choice is not valid.',
      args: { ...quantityArgs, ...instantArgs },
      resolve: (configured, args, ctx) =>
        configured.issues.length > 0 ? [] : resolveAllPrices(subjectOf(configured), args, ctx),
    }),
  }),
})

/** What is priced of a configuration without issues. */
export function subjectOf({ product, selection }: ConfiguredBundle): PriceSubject {
  const { release, isLatest, document, priceable } = product
  return { release, isLatest, document, priceable, selection, bundleId: null }
}

/**
 * The live options of a bundle, chosen or not, each at its quantity (bundle.components-listed-anyway,
 * bundle.live-options-only).
 */
function pricedOptions({ product, bundle, selection }: ConfiguredBundle): PricedOption[] {
  const { release, isLatest, document } = product
  return [...displayedQuantities(bundle.components, selection ?? bundle.selection)].flatMap(([id, quantity]) => {
    const priceable = bundle.options.get(id)
    const inBundle = { bundleId: document.priceable.id, bundleSelection: selection }
    return priceable ? [{ release, isLatest, document, priceable, quantity, selection: null, ...inBundle }] : []
  })
}

builder.objectFields(CatalogProductRef, (t) => ({
  components: t.field({
    type: [CatalogComponentRef],
    description: 'The components of a bundle, at most 100, in the order of the key.',
    resolve: ({ release, isLatest, document }) =>
      entriesOf(document.product.components).map(([key, component]) => ({ key, ...component, release, isLatest })),
  }),
  bundleConfiguration: t.field({
    type: BundleConfigurationRef,
    nullable: true,
    description:
      'The default choice of a bundle, or a choice of your own, as in the query `configureBundle`; null for what is no bundle.',
    args: {
      selection: t.arg({
        type: [ComponentSelectionInput],
        description:
          'The choice, such as `[{ component: "cup", options: [{ productId: "c0ffee00-0002-4000-8000-000000000001" }] }]`; by default the default one.',
        ...withReader(
          ({ selection }: { selection?: ComponentSelections | null }) => selection && readChoices(selection),
        ),
      }),
    },
    resolve: (product, { selection }, ctx) => {
      const { bundle } = product.priceable
      if (bundle === null || selection == null) return bundle && { product, bundle, selection: null, issues: [] }
      return configured(product, selection, ctx)
    },
  }),
}))

const OptionSelectionInput = builder.inputType('OptionSelectionInput', {
  description: 'An option to choose.',
  fields: (t) => ({
    productId: t.id({
      required: true,
      description: 'The global id or the UUID of the product, at most once in the list.',
    }),
    quantity: t.field({ type: 'Long', description: "How many of it; the option's quantity, also by default." }),
  }),
})

const ComponentSelectionInput = builder.inputType('ComponentSelectionInput', {
  description: 'What to choose for a component.',
  fields: (t) => ({
    component: t.string({ required: true, description: 'The key of the component, at most once in the list.' }),
    options: t.field({
      type: [OptionSelectionInput],
      required: true,
      description: 'The options, from `min` to `max` of them.',
    }),
  }),
})

type ComponentSelections = readonly (typeof ComponentSelectionInput.$inferInput)[]

builder.queryField('configureBundle', (t) =>
  t.field({
    type: BundleConfigurationRef,
    nullable: true,
    right: 'anyone',
    description:
      "What a shopper's own choice costs; null when there is no such product. Of a choice that the components do not allow `issues` name every wrong part.",
    args: {
      id: t.arg.id({ required: true, description: 'The global id of the bundle, a CatalogProduct.' }),
      selection: t.arg({
        type: [ComponentSelectionInput],
        required: true,
        description:
          'The choice, such as `[{ component: "cup", options: [{ productId: "c0ffee00-0002-4000-8000-000000000001" }] }]`, in place of the default one.',
      }),
    },
    resolve: async (_, { id, selection }, ctx) => {
      const scopedId = rawId('CatalogProduct', id)
      if (!isReleaseScopedId(scopedId))
        throw badRequest('INVALID_FORMAT', ['id'], 'must be the global id of a CatalogProduct')
      const product = await productById(scopedId, ctx)
      return product && configured(product, selection, ctx)
    },
  }),
)

async function configured(product: PublishedProduct, selection: ComponentSelections, ctx: Context) {
  const { document } = product
  return { product, ...(await configureBundle(ctx, { document, choices: readChoices(selection) })) }
}

/**
 * Reads the argument `selection`. Throws DomainError (badRequest) for malformed ids, and for more choices than a bundle
 * can have.
 */
function readChoices(given: ComponentSelections): ComponentChoice[] {
  assertCount(given, BUNDLE_COMPONENTS_MAX, ['selection'])
  return given.map(({ component, options }, index) => {
    const path = ['selection', index, 'options']
    assertCount(options, BUNDLE_OPTIONS_MAX, path)
    const readOption = ({ productId, quantity }: (typeof options)[number], place: number) => {
      return {
        productId: readRecordId('CatalogProduct', productId, [...path, place, 'productId']),
        quantity: quantity ?? null,
      }
    }
    return { component, options: options.map(readOption) }
  })
}
