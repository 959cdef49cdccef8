/**
 * Subscription products: the type SubscriptionProduct, its queries, and its edge from published products, by the SKU.
 */
import { SKU_SUBSCRIPTION_PRODUCTS_MAX } from '../../domain/input/limits.ts'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { PriceUnits, SubscriptionProduct } from '../../domain/subscriptions/subscription-product.ts'
import { subscriptionProduct, subscriptionProducts } from '../../operations/subscriptions/subscription-product.ts'
import { CatalogProductRef } from '../catalog/catalog-refs.ts'
import { currencyArgs, PriceRef, priceIn, priceList } from '../pricing/price.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { orderArgs, recordConnection } from '../schema/record-connection.ts'
import { namedClauses, namedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const SubscriptionProductRef = builder.objectRef<SubscriptionProduct>('SubscriptionProduct')

export const PriceUnit = wordEnum<PriceUnits['unit']>('PriceUnit', 'What the period of a price is counted in.', {
  day: 'A day.',
  month: 'A month.',
})

const PriceUnitsRef = builder.objectRef<NonNullable<SubscriptionProduct['priceUnits']>>('PriceUnits').implement({
  description: 'The period for which a price applies.',
  right: 'anyone',
  fields: (t) => ({
    unit: t.expose('unit', { type: PriceUnit, description: 'What the period is counted in.' }),
    amount: t.expose('amount', { type: 'Long', description: 'How many of the unit, 1 or more.' }),
  }),
})

implementNode(SubscriptionProductRef, {
  description: 'A product that is billed again and again.',
  right: 'anyone',
  load: (id, ctx) => subscriptionProduct(ctx, { id }),
  rootField: {
    name: 'subscriptionProduct',
    noun: 'product',
    example: 'c0ffee00-000b-4000-8000-000000000001',
    description: 'One subscription product; null when there is none.',
  },
  fields: (t) => ({
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name of the product.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description of the product.' }),
    sku: t.exposeString('sku', { nullable: true, description: 'The stock keeping unit.' }),
    mainImage: t.exposeString('mainImage', { nullable: true, description: 'The URL of an image.' }),
    prices: t.field({
      type: [PriceRef],
      description: 'The prices, one per currency and at most 200, in the order of the currency code.',
      resolve: ({ price }) => priceList(price),
    }),
    priceUnits: t.expose('priceUnits', {
      type: PriceUnitsRef,
      nullable: true,
      description: 'The period for which the prices apply.',
    }),
    price: t.field({
      type: PriceRef,
      nullable: true,
      description: 'The price in one currency; null when the product has none in it.',
      args: currencyArgs,
      resolve: ({ price }, args, ctx) => priceIn(price, args, ctx),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the product.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the product was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the product was last changed.' }),
  }),
})

export const SubscriptionProductConnectionRef = defineConnection(SubscriptionProductRef, 'anyone')

const SubscriptionProductFilter = builder.inputType('SubscriptionProductFilter', {
  description: 'Which subscription products to list; all that is given holds.',
  fields: (t) => ({
    ...namedFilterFields(t),
    sku: t.field({ type: RecordTextFilter, description: 'By stock keeping unit.' }),
  }),
})

type Filter = typeof SubscriptionProductFilter.$inferInput

export const subscriptionProductListArgs = {
  ...pageArgs,
  ...orderArgs,
  ...filterArgs(
    SubscriptionProductFilter,
    'Which to list, such as `{ name: { startsWith: "Coffee" } }`.',
    subscriptionProductClauses,
  ),
}

/** The clauses of a filter. Null means absent. */
export function subscriptionProductClauses(filter: Filter | null | undefined): RecordClause[] {
  return [...namedClauses(filter), ...textClauses('sku', filter?.sku)]
}

builder.queryField('subscriptionProducts', (t) =>
  t.field({
    type: SubscriptionProductConnectionRef,
    right: 'anyone',
    description: 'All subscription products, oldest first.',
    args: subscriptionProductListArgs,
    resolve: (_, { filter, ...args }, ctx) =>
      recordConnection(ctx, args, subscriptionProductClauses(filter), subscriptionProducts),
  }),
)

builder.objectField(CatalogProductRef, 'subscriptionProducts', (t) =>
  t.field({
    type: [SubscriptionProductRef],
    description: `The subscription products with the same SKU, oldest first; none without a SKU. At most ${SKU_SUBSCRIPTION_PRODUCTS_MAX} are shown: the root field \`subscriptionProducts\` lists all, by its filter \`sku\`.`,
    resolve: async ({ sku }, _, { loaders }) =>
      sku === null ? [] : [...(await loaders.subscriptionProductsBySku.load(sku))],
  }),
)
