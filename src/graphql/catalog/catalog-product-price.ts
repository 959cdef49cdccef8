/** Price fields of CatalogProduct, for the product outside of a bundle (price.alone-outside-bundles). */
import { OPTION_MODIFIERS_MAX } from '../../domain/input/limits.ts'
import { toModifierViews } from '../../domain/pricing/modifier-view.ts'
import { currencyArgs } from '../pricing/price.ts'
import { AttributeRef, attributeList } from '../pricing/tiered-price.ts'
import { builder } from '../schema/builder.ts'
import { entriesOf } from '../schema/map-entries.ts'
import { CatalogPriceRef } from './catalog-price.ts'
import { CatalogPriceModifierRef } from './catalog-price-modifier.ts'
import { CatalogProductRef } from './catalog-refs.ts'
import { instantArgs, quantityArgs } from './price-arguments.ts'
import { resolveAllPrices, resolveCatalogPrice } from './resolve-catalog-price.ts'

builder.objectFields(CatalogProductRef, (t) => ({
  price: t.field({
    type: CatalogPriceRef,
    nullable: true,
    description: 'The price in one currency and why; null when there is none in it.',
    args: { ...currencyArgs, ...quantityArgs, ...instantArgs },
    resolve: (product, args, ctx) => resolveCatalogPrice(product, args, ctx),
  }),
  prices: t.field({
    type: [CatalogPriceRef],
    description: 'The prices in all currencies, at most 200, in the order of the code.',
    args: { ...quantityArgs, ...instantArgs },
    resolve: (product, args, ctx) => resolveAllPrices(product, args, ctx),
  }),
  priceBookKey: t.exposeID('priceBookKey', {
    nullable: true,
    description:
      'The UUID of the price book that supplies the prices, also where it has no usable currency; null without one.',
  }),
  priceModifierNames: t.stringList({
    description: `The price modifiers of a child's options, at most ${OPTION_MODIFIERS_MAX} of each, in the order in which they apply.`,
    resolve: ({ document }) => [...document.priceable.modifierNames],
  }),
  priceModifiers: t.field({
    type: [CatalogPriceModifierRef],
    description: "Those of them that change its base's price, in the order of the name.",
    resolve: ({ document }) =>
      entriesOf(toModifierViews(document.priceable.modifiers)).map(([name, one]) => ({ name, ...one })),
  }),
  shopperAttributes: t.field({
    type: [AttributeRef],
    description: 'Free attributes of the product price, at most 100, in the order of the key.',
    resolve: ({ document }) => attributeList(document.priceable.record?.shopperAttributes ?? null),
  }),
}))
