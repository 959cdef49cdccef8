/** Facets and the price range of lists of published products. */
import { type CountedFacet, type FacetKey, facetName, PRICE_STEPS_MAX } from '../../domain/catalog/facet.ts'
import { type CountedValue, FACET_VALUES_MAX } from '../../domain/catalog/facet-count.ts'
import { facetLabel, type NamedFacet, valueLabel } from '../../domain/catalog/facet-label.ts'
import { badRequest, type Path } from '../../domain/input/errors.ts'
import { listingFacets, listingPriceRange } from '../../operations/catalog/listing-facets.ts'
import type { Context } from '../../request/context.ts'
import { Money } from '../pricing/money.ts'
import { MoneyRangeRef } from '../pricing/money-range.ts'
import { currencyArgs, displayCurrency } from '../pricing/price.ts'
import { assertCount, withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import type { Page } from '../schema/connection.ts'
import { localeArgs, requestLanguages } from '../schema/locale.ts'
import type { Filter } from './catalog-filter.ts'
import { CatalogProductConnection, type PublishedProduct } from './catalog-refs.ts'
import { inputOf } from './facet-input.ts'
import { ProductSelection } from './product-connection.ts'

/** The maximum number of facets of one field. */
const FACET_KEYS_MAX = 20

/** A facet of a list, with the filter of the list. */
interface ListedFacet extends CountedFacet, NamedFacet {
  readonly filter: Filter | null
}

interface FacetValue extends CountedValue {
  readonly facet: ListedFacet
}

const FacetValueRef = builder.objectRef<FacetValue>('FacetValue').implement({
  description: 'A value of a facet.',
  right: 'anyone',
  fields: (t) => ({
    value: t.string({
      description:
        'What the filter takes; of price steps the range as `1000..1999`, where a side without an end is empty.',
      // The graph names types by the words of its enum.
      resolve: ({ value, facet }) => (facet.of.kind === 'productTypes' ? value.toUpperCase() : value),
    }),
    label: t.string({
      description:
        'The value for people: the name of an option in the requested language, a range of prices as `€10.00 – €19.99`.',
      args: localeArgs,
      resolve: ({ value, facet }, args, ctx) => valueLabel(facet, value, requestLanguages(args, ctx)),
    }),
    count: t.exposeInt('count', {
      description: 'How many entries the list would have with this value as the only one of its facet in the filter.',
    }),
    selected: t.exposeBoolean('selected', { description: 'Whether the filter names it.' }),
    input: t.field({
      type: 'JSON',
      description:
        'The filter of the list with this value as the only one of its facet, ready to be sent as `filter`: then the list has `count` entries.',
      resolve: ({ value, facet }) => inputOf(facet.filter, facet, value),
    }),
  }),
})

const FacetRef = builder.objectRef<ListedFacet>('Facet').implement({
  description: 'A key by which a list can be narrowed, with its values.',
  right: 'anyone',
  fields: (t) => ({
    key: t.string({
      description: '`tags`, `productTypes`, `variation:Size`, `extension:template:field`, `price` or `onSale`.',
      resolve: (facet) => facetName(facet.of),
    }),
    label: t.string({
      nullable: true,
      description: 'The name of the variation, in the requested language, or of the field; null for the other keys.',
      args: localeArgs,
      resolve: (facet, args, ctx) => facetLabel(facet, requestLanguages(args, ctx)),
    }),
    values: t.field({
      type: [FacetValueRef],
      description: `At most ${FACET_VALUES_MAX}, most entries first, then by value; price steps from low to high; options of a variation by the sort order that most parents give them, highest first, then by label.`,
      resolve: (facet) => facet.values.map((value) => ({ ...value, facet })),
    }),
  }),
})

const ExtensionFacetInput = builder.inputType('ExtensionFacetInput', {
  description: 'A field of an extension whose short texts, numbers or booleans are counted.',
  fields: (t) => ({
    template: t.string({ required: true, description: 'The name of the template.' }),
    field: t.string({ required: true, description: 'The name of the field.' }),
  }),
})

const PriceFacetInput = builder.inputType('PriceFacetInput', {
  description:
    'Ranges of prices: one below the first step, one from each step to right below the next, one from the last on.',
  fields: (t) => ({
    steps: t.field({
      type: ['Long'],
      required: true,
      description: `Amounts in the currency's smallest unit, rising, 1 to ${PRICE_STEPS_MAX} of them, such as \`[1000, 5000]\`.`,
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: "Such as `EUR`; by default the request's, else the server's.",
    }),
  }),
})

const FacetKeyInput = builder.inputType('FacetKeyInput', {
  description: 'A key to count by; exactly one member.',
  isOneOf: true,
  fields: (t) => ({
    tags: t.boolean({ description: 'True: by tag.' }),
    productTypes: t.boolean({ description: 'True: by type.' }),
    variation: t.string({
      description: 'The name of a variation, such as `Size`: by the names of its options, which children have.',
    }),
    extension: t.field({ type: ExtensionFacetInput, description: 'A field of an extension.' }),
    priceSteps: t.field({ type: PriceFacetInput, description: 'Ranges of prices at this moment.' }),
    onSale: t.boolean({ description: 'True: by whether a sale supplies the price at this moment.' }),
  }),
})

interface FacetArguments {
  readonly keys?: readonly (typeof FacetKeyInput.$inferInput)[] | null | undefined
}

builder.objectFields(CatalogProductConnection, (t) => ({
  facets: t.field({
    type: [FacetRef],
    description:
      'Counts over the whole list, each without the filter of its own key. With `groupVariants` a group counts once.',
    args: {
      keys: t.arg({
        type: [FacetKeyInput],
        description: `At most ${FACET_KEYS_MAX}, such as \`[{ tags: true }, { variation: "Size" }]\`; by default tags, types, variations and the fields of extensions that occur.`,
        ...withReader(readKeys),
      }),
    },
    resolve: async (page, args, ctx) => {
      const keys = readKeys(args, ctx)
      const selection = selectionOf(page)
      const request = await selection.request()
      const facets = await listingFacets(ctx, { ...request, listing: selection.listing(), keys })
      return facets.map((facet) => ({ ...facet, filter: selection.filter }))
    },
  }),
  priceRange: t.field({
    type: MoneyRangeRef,
    nullable: true,
    description:
      'The range of the prices at this moment in the whole list, without its filter by price; null when nothing has a price.',
    args: currencyArgs,
    resolve: async (page, args, ctx) => {
      const currency = displayCurrency(args, ctx)
      const selection = selectionOf(page)
      const request = await selection.request()
      const range = await listingPriceRange(ctx, { ...request, listing: selection.listing(), currency })
      return range && { min: new Money(range.min, currency), max: new Money(range.max, currency) }
    },
  }),
}))

function selectionOf({ source }: Page<PublishedProduct>): ProductSelection {
  if (source instanceof ProductSelection) return source
  throw new Error('a connection of products without a selection')
}

/** Reads the keys. Throws DomainError (badRequest). */
function readKeys({ keys }: FacetArguments, ctx: Context): FacetKey[] | null {
  if (keys == null) return null
  assertCount(keys, FACET_KEYS_MAX, ['keys'])
  return keys.map((key, index) => readKey(key, ['keys', index], ctx))
}

function readKey(key: typeof FacetKeyInput.$inferInput, path: Path, ctx: Context): FacetKey {
  const { variation, extension, priceSteps } = key
  if (variation != null) return { kind: 'variation', name: variation }
  if (extension != null) return { kind: 'extension', template: extension.template, field: extension.field }
  if (key.tags) return { kind: 'tags' }
  if (key.productTypes) return { kind: 'productTypes' }
  if (key.onSale) return { kind: 'onSale', currency: displayCurrency({}, ctx) }
  if (priceSteps == null) throw badRequest('INVALID_VALUE', path, 'must name a key, not deny it')
  const { steps } = priceSteps
  if (
    steps.length === 0 ||
    steps.length > PRICE_STEPS_MAX ||
    steps.some((step, at) => at > 0 && step <= (steps[at - 1] as number))
  )
    throw badRequest(
      'INVALID_VALUE',
      [...path, 'priceSteps', 'steps'],
      `must be 1 to ${PRICE_STEPS_MAX} rising amounts`,
    )
  return { kind: 'price', steps, currency: displayCurrency(priceSteps, ctx, [...path, 'priceSteps', 'currency']) }
}
