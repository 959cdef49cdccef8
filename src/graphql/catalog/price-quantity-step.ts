/** Prices by quantity: CatalogPrice.steps (price.steps-by-quantity). */
import type { SaleSummary } from '../../domain/pricing/sale.ts'
import { shownSteps } from '../../operations/catalog/price.ts'
import type { Context } from '../../request/context.ts'
import { type Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { builder } from '../schema/builder.ts'
import { type Labelled, labelIn } from '../schema/label.ts'
import { localeArgs } from '../schema/locale.ts'
import { type CatalogPrice, CatalogPriceRef } from './catalog-price.ts'
import { CatalogSaleRef, type RecordedReason } from './catalog-price-reason.ts'

interface PriceQuantityStep extends Labelled {
  readonly quantity: number
  readonly amount: Money | null
  readonly includesTax: boolean | null
  readonly sale: (RecordedReason<SaleSummary> & Labelled) | null
  readonly tier: string | null
}

const PriceQuantityStepRef = builder.objectRef<PriceQuantityStep>('PriceQuantityStep').implement({
  description: 'The price of one unit from a quantity on, up to the next step.',
  right: 'anyone',
  fields: (t) => ({
    quantity: t.expose('quantity', { type: 'Long', description: 'The quantity from which it holds.' }),
    amount: t.expose('amount', {
      type: MoneyRef,
      nullable: true,
      description: 'The amount of one unit; null where there is no price, since it would be beyond 9007199254740991.',
    }),
    includesTax: t.exposeBoolean('includesTax', {
      nullable: true,
      description: 'Whether the amount includes tax; null without a price.',
    }),
    sale: t.expose('sale', {
      type: CatalogSaleRef,
      nullable: true,
      description: 'The sale that supplied the amount.',
    }),
    tier: t.exposeString('tier', { nullable: true, description: 'The name of the tier that supplied the amount.' }),
    tierLabel: t.string({
      nullable: true,
      description: 'What that tier is called in the requested language, else in that of the store, else its name.',
      args: localeArgs,
      resolve: (one, args, ctx) => (one.tier === null ? null : labelIn(one, 'tier', one.tier, args, ctx)),
    }),
  }),
})

builder.objectField(CatalogPriceRef, 'steps', (t) =>
  t.field({
    type: [PriceQuantityStepRef],
    description:
      'The prices by quantity at the instant: each quantity from which amount, tax, sale or tier is another, the first from 1. The last step that a quantity reaches is its price.',
    resolve: stepsOf,
  }),
)

function stepsOf({ subject, at, price, labels }: CatalogPrice, _: object, ctx: Context): PriceQuantityStep[] {
  const { currency, productPrice: productPriceId, book: priceBookId } = price
  return shownSteps(ctx, subject, { now: at, currency }).map(({ quantity, price: found }) => ({
    quantity,
    amount: toMoney(found?.amount ?? null, currency),
    includesTax: found?.includesTax ?? null,
    sale: found?.sale ? { ...found.sale, productPriceId, priceBookId, labels } : null,
    tier: found?.tier ?? null,
    labels,
  }))
}
