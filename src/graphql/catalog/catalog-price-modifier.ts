/** Published price modifiers of a child product (modifier.listed-without-sales). */
import type { ModifierPriceView, ModifierView } from '../../domain/pricing/modifier-view.ts'
import { Money, MoneyRef } from '../pricing/money.ts'
import { currencyArgs, displayCurrency } from '../pricing/price.ts'
import { PriceModifierTypeEnum } from '../pricing/price-modifier.ts'
import { tierList } from '../pricing/tiered-price.ts'
import { builder } from '../schema/builder.ts'
import { entriesOf } from '../schema/map-entries.ts'

const ModifierTierRef = builder
  .objectRef<{ readonly name: string; readonly minimum_quantity: number; readonly amount: Money }>(
    'CatalogPriceModifierTier',
  )
  .implement({
    description: 'What a price modifier brings when at least so many are bought.',
    right: 'anyone',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the tier.' }),
      minimumQuantity: t.expose('minimum_quantity', {
        type: 'Long',
        description: 'The quantity from which it applies.',
      }),
      amount: t.expose('amount', { type: MoneyRef, description: 'The amount of one unit.' }),
    }),
  })

const ModifierPriceRef = builder
  .objectRef<ModifierPriceView & { readonly currency: string }>('CatalogPriceModifierAmount')
  .implement({
    description: 'What a price modifier brings in one currency.',
    right: 'anyone',
    fields: (t) => ({
      amount: t.field({
        type: MoneyRef,
        description: 'The amount of one unit.',
        resolve: ({ amount, currency }) => new Money(amount, currency),
      }),
      includesTax: t.exposeBoolean('includes_tax', { description: 'Whether the amount includes tax.' }),
      tiers: t.field({
        type: [ModifierTierRef],
        description: 'The quantity tiers, at most 100, by rising quantity.',
        resolve: ({ tiers, currency }) =>
          tierList(tiers).map((tier) => ({ ...tier, amount: new Money(tier.amount, currency) })),
      }),
    }),
  })

export const CatalogPriceModifierRef = builder
  .objectRef<ModifierView & { readonly name: string }>('CatalogPriceModifier')
  .implement({
    description: "A price modifier that changes a child's price from its base's, as the release has it.",
    right: 'anyone',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the modifier.' }),
      type: t.expose('modifier_type', { type: PriceModifierTypeEnum, description: 'What it does.' }),
      prices: t.field({
        type: [ModifierPriceRef],
        description: 'What it brings, in at most 200 currencies, in the order of the code.',
        resolve: ({ currencies }) => entriesOf(currencies).map(([currency, price]) => ({ currency, ...price })),
      }),
      price: t.field({
        type: ModifierPriceRef,
        nullable: true,
        description: 'What it brings in one currency; null when it changes nothing there.',
        args: currencyArgs,
        resolve: ({ currencies }, args, ctx) => {
          const currency = displayCurrency(args, ctx)
          const price = Object.hasOwn(currencies, currency) ? currencies[currency] : undefined
          return price ? { currency, ...price } : null
        },
      }),
    }),
  })
