/**
 * Reasons of a published price: the sale, modifiers and tier as the release has them, with edges for admins to the
 * current records (price.reasons-are-frozen).
 */
import type { AppliedModifier } from '../../domain/pricing/modifier.ts'
import type { SaleSummary } from '../../domain/pricing/sale.ts'
import { type Money, MoneyRef } from '../pricing/money.ts'
import { PriceModifierRef, PriceModifierTypeEnum } from '../pricing/price-modifier.ts'
import { SaleRef } from '../pricing/sale.ts'
import { builder } from '../schema/builder.ts'
import { type Labelled, labelIn } from '../schema/label.ts'
import { localeArgs } from '../schema/locale.ts'

/** A reason with the ids of its price record and price book, which are null for a summed bundle. */
export type RecordedReason<T> = T & { readonly productPriceId: string | null; readonly priceBookId: string | null }

export const CatalogSaleRef = builder.objectRef<RecordedReason<SaleSummary> & Labelled>('CatalogSale').implement({
  description:
    'The sale that supplied a price, as the release has it. It gives way to a quantity tier of the list price that is lower.',
  right: 'anyone',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the sale.' }),
    label: t.string({
      description: 'What the sale is called in the requested language, else in that of the store, else its name.',
      args: localeArgs,
      resolve: (one, args, ctx) => labelIn(one, 'sale', one.name, args, ctx),
    }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'The first instant; null: it has always run.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'The first instant at which it no longer runs; null: open.',
    }),
    sale: t.field({
      type: SaleRef,
      nullable: true,
      description: 'The sale as it is now; null once it is gone.',
      resolve: async ({ productPriceId, name }, _, { loaders }) => {
        const price = productPriceId === null ? null : await loaders.productPriceById.load(productPriceId)
        return price?.sales.find((sale) => sale.name === name) ?? null
      },
    }),
  }),
})

export const AppliedPriceModifierRef = builder
  .objectRef<RecordedReason<Omit<AppliedModifier, 'amount'> & { readonly amount: Money }>>('AppliedPriceModifier')
  .implement({
    description: 'A price modifier that took part in a price, as the release has it.',
    right: 'anyone',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the modifier.' }),
      type: t.expose('type', { type: PriceModifierTypeEnum, description: 'What it does.' }),
      amount: t.expose('amount', { type: MoneyRef, description: 'The amount that it brought.' }),
      priceModifier: t.field({
        type: PriceModifierRef,
        nullable: true,
        description: 'The modifier as it is now; null once it is gone.',
        resolve: ({ priceBookId, name }, _, { loaders }) =>
          priceBookId === null ? null : loaders.priceModifierByPriceBookIdAndName.load({ priceBookId, name }),
      }),
    }),
  })

/** A quantity tier in force, with the price of one unit from its quantity on. */
export interface PriceTier extends Labelled {
  readonly name: string
  readonly minimumQuantity: number
  readonly price: Money
  readonly includesTax: boolean
}

export const PriceTierRef = builder.objectRef<PriceTier>('PriceTier').implement({
  description: 'A quantity tier that supplies the price at its own quantity, of the list price or of a sale.',
  right: 'anyone',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the tier.' }),
    label: t.string({
      description: 'What the tier is called in the requested language, else in that of the store, else its name.',
      args: localeArgs,
      resolve: (one, args, ctx) => labelIn(one, 'tier', one.name, args, ctx),
    }),
    minimumQuantity: t.expose('minimumQuantity', { type: 'Long', description: 'The quantity from which it applies.' }),
    price: t.expose('price', {
      type: MoneyRef,
      description: 'The price of one unit when `minimumQuantity` are bought.',
    }),
    includesTax: t.exposeBoolean('includesTax', { description: 'Whether the price includes tax.' }),
  }),
})
