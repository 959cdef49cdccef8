/**
 * Variants of published parents: the price range of a parent (price.range-over-live-children), the options of a child,
 * and the child of chosen options.
 */
import {
  type SelectedVariationOption,
  selectedOptions,
  unknownOption,
  variantId,
} from '../../domain/catalog/variant.ts'
import { badRequest, type DomainError } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { VARIATIONS_MAX } from '../../domain/input/limits.ts'
import { childrenOf } from '../../operations/catalog/catalog-product.ts'
import type { Context } from '../../request/context.ts'
import { MoneyRangeRef, rangeOf } from '../pricing/money-range.ts'
import { type CurrencyArguments, currencyArgs, displayCurrency } from '../pricing/price.ts'
import { ProductStatusEnum } from '../products/product-ref.ts'
import { VariationOptionRef, VariationRef } from '../products/product-types.ts'
import { assertCount, withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { productIn } from './catalog-product-relations.ts'
import { CatalogProductRef, PublishedProduct } from './catalog-refs.ts'
import { resolveCatalogPrice } from './resolve-catalog-price.ts'

const SelectedVariationOptionRef = builder.objectRef<SelectedVariationOption>('SelectedVariationOption').implement({
  description: 'An option that a child of a parent stands for.',
  right: 'anyone',
  fields: (t) => ({
    variation: t.expose('variation', { type: VariationRef, description: 'What is chosen, such as the colour.' }),
    option: t.expose('option', { type: VariationOptionRef, description: 'The choice, such as red.' }),
  }),
})

builder.objectFields(CatalogProductRef, (t) => ({
  status: t.field({
    type: ProductStatusEnum,
    description: 'Always live: a release holds nothing else.',
    resolve: () => 'live' as const,
  }),
  priceRange: t.field({
    type: MoneyRangeRef,
    nullable: true,
    description:
      'The lowest and the highest price of one unit: of a parent among its live children and its own, of any other product its own; null when there is none in the currency.',
    args: currencyArgs,
    resolve: priceRange,
  }),
  selectedOptions: t.field({
    type: [SelectedVariationOptionRef],
    description:
      "The options that a child stands for, one of each variation, in the order of its parent's variations; empty for other products, and when the release lacks the parent.",
    resolve: async (child, _, ctx) => {
      const parent = child.parentKey === null ? null : await productIn(child, child.parentKey, ctx)
      return parent ? selectedOptions(parent.document.product, child.document.product) : []
    },
  }),
  variant: t.field({
    type: CatalogProductRef,
    nullable: true,
    description:
      'The child of a parent that stands for exactly these options; null when it is not built, or not in the release.',
    args: {
      optionKeys: t.arg.idList({
        required: true,
        description:
          'The keys of one option of each variation, in any order, such as the `key` of a `VariationOption` that the shopper chose of each.',
        ...withReader(readOptionKeys),
      }),
    },
    resolve: async (parent, args, ctx) => {
      const { product } = parent.document
      const keys = readOptionKeys(args)
      const unknown = unknownOption(product, keys)
      if (unknown >= 0) throw refusal(unknown, 'is no option of the product')
      const id = variantId(product, keys)
      return id === null ? null : productIn(parent, id, ctx)
    },
  }),
}))

async function priceRange(product: PublishedProduct, args: CurrencyArguments, ctx: Context) {
  const currency = displayCurrency(args, ctx)
  const children = (await childrenOf(ctx, product)).map((child) => new PublishedProduct(product, child))
  const prices = [product, ...children].map((one) => resolveCatalogPrice(one, { currency }, ctx))
  return rangeOf(
    prices.flatMap((price) => price?.price.amount ?? []),
    currency,
  )
}

/** The keys in lower case. Throws DomainError (badRequest). */
function readOptionKeys({ optionKeys }: { readonly optionKeys: readonly string[] }): string[] {
  assertCount(optionKeys, VARIATIONS_MAX, ['optionKeys'])
  const malformed = optionKeys.findIndex((text) => !isUuid(text))
  if (malformed >= 0) throw refusal(malformed, 'must be the key of an option, a UUID')
  return optionKeys.map((text) => text.toLowerCase())
}

function refusal(index: number, message: string): DomainError {
  return badRequest('INVALID_VALUE', ['optionKeys', index], message)
}
