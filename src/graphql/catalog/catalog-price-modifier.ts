/** Published price modifiers of a child product (modifier.listed-without-sales). */
import type { ModifierPriceView, ModifierView } from '../../domain/pricing/modifier-view.ts'
import { DisplayPriceRef, displayArgs, displayPrice } from '../pricing/price.ts'
import { PriceModifierTypeEnum } from '../pricing/price-modifier.ts'
import { tierList } from '../pricing/tiered-price.ts'
import { builder } from '../schema/builder.ts'
import { entriesOf } from '../schema/rest-document.ts'

const ModifierTierRef = builder
  .objectRef<{ readonly name: string; readonly minimum_quantity: number; readonly amount: number }>('CatalogPriceModifierTier')
  .implement({
    description: 'What a price modifier brings when at least so many are bought.',
    right: 'anyone',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the tier.' }),
      minimumQuantity: t.expose('minimum_quantity', { type: 'Long', description: 'The quantity from which it applies.' }),
      amount: t.expose('amount', { type: 'Long', description: 'The amount per unit.' }),
    }),
  })

const ModifierPriceRef = builder.objectRef<ModifierPriceView & { readonly currency: string }>('CatalogPriceModifierAmount').implement({
  description: 'What a price modifier brings in one currency.',
  right: 'anyone',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The three-letter ISO code.' }),
    amount: t.expose('amount', { type: 'Long', description: "In the currency's smallest unit." }),
    includesTax: t.exposeBoolean('includes_tax', { description: 'Whether the amount includes tax.' }),
    tiers: t.field({
      type: [ModifierTierRef],
      description: 'The quantity tiers, by rising quantity.',
      resolve: ({ tiers }) => tierList(tiers),
    }),
  }),
})

export const CatalogPriceModifierRef = builder.objectRef<ModifierView & { readonly name: string }>('CatalogPriceModifier').implement({
  description: "A price modifier that changes a child's price from its base's, as the release has it.",
  right: 'anyone',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the modifier.' }),
    type: t.field({ type: PriceModifierTypeEnum, description: 'What it does.', resolve: ({ modifier_type }) => modifier_type }),
    prices: t.field({
      type: [ModifierPriceRef],
      description: 'What it brings, in the order of the currency code.',
      resolve: ({ currencies }) => entriesOf(currencies).map(([currency, price]) => ({ currency, ...price })),
    }),
    displayPrice: t.field({
      type: DisplayPriceRef,
      nullable: true,
      description: 'Its amount in one currency, for people.',
      args: displayArgs,
      resolve: ({ currencies }, args, ctx) => displayPrice(currencies, args, ctx),
    }),
  }),
})
