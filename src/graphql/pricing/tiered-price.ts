/**
 * Prices with quantity tiers, and free attributes, of price books: maps of records become lists
 * (graph.maps-become-lists).
 */
import type { CurrencyPriceRecord, CurrencyPriceRecords, TierRecord } from '../../domain/pricing/price-record.ts'
import type { Attributes } from '../../domain/pricing/product-price.ts'
import { builder } from '../schema/builder.ts'
import type { InputMember } from '../schema/graph-input.ts'
import { entriesOf } from '../schema/map-entries.ts'
import { type Money, MoneyRef, toMoney } from './money.ts'

const TierRef = builder
  .objectRef<{ readonly name: string; readonly minimum_quantity: number; readonly amount: Money | null }>('Tier')
  .implement({
    description:
      'The price of one unit when at least so many are bought. While a sale runs, a tier of the list price applies where it is lower than the sale.',
    right: 'admin',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name of the tier, unique within its price.' }),
      minimumQuantity: t.expose('minimum_quantity', {
        type: 'Long',
        description: 'The quantity from which the tier applies, 1 or more.',
      }),
      amount: t.expose('amount', {
        type: MoneyRef,
        nullable: true,
        description: 'The amount of one unit; without one the tier never applies.',
      }),
    }),
  })

/** A price in one currency, which may have no amount. */
interface TieredPrice {
  readonly currency: string
  readonly amount: Money | null
  readonly includesTax: boolean
  readonly tiers: CurrencyPriceRecord['tiers']
}

export const TieredPriceRef = builder.objectRef<TieredPrice>('TieredPrice').implement({
  description: 'A price in one currency, with its quantity tiers.',
  right: 'admin',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    amount: t.expose('amount', {
      type: MoneyRef,
      nullable: true,
      description: 'The amount of one unit; null means that there is no price in the currency.',
    }),
    includesTax: t.exposeBoolean('includesTax', { description: 'Whether the amount includes tax.' }),
    tiers: t.field({
      type: [TierRef],
      description: 'The tiers, at most 100, by rising quantity.',
      resolve: ({ currency, tiers }) =>
        tierList(tiers).map((tier) => ({ ...tier, amount: toMoney(tier.amount, currency) })),
    }),
  }),
})

/** A map of tiered prices as a list, in the order of the currency code. */
export function tieredPrices(currencies: CurrencyPriceRecords): TieredPrice[] {
  return entriesOf(currencies).map(([currency, { amount, includes_tax, tiers }]) => ({
    currency,
    amount: toMoney(amount, currency),
    includesTax: includes_tax,
    tiers,
  }))
}

/** A map of tiers as a list, by rising quantity. */
export function tierList<Tier extends Pick<TierRecord, 'minimum_quantity'>>(
  tiers: Readonly<Record<string, Tier>> | undefined,
) {
  const list = Object.entries(tiers ?? {}).map(([name, tier]) => ({ name, ...tier }))
  return list.sort((left, right) => left.minimum_quantity - right.minimum_quantity)
}

const TierInput = builder.inputType('TierInput', {
  description: 'A quantity tier to set. While a sale runs, a list tier that costs less applies in its place.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters, at most once in the list.' }),
    minimumQuantity: t.field({
      type: 'Long',
      description: 'The quantity from which the tier applies: 1 or more, at most once in the list. It must be given.',
    }),
    amount: t.field({
      type: 'Long',
      description: 'The amount per unit, 0 or more; without one the tier never applies.',
    }),
  }),
})

const TieredPriceInput = builder.inputType('TieredPriceInput', {
  description: 'What to set of a price. In an update, absent members keep their value.',
  fields: (t) => ({
    amount: t.field({
      type: 'Long',
      description: "In the currency's smallest unit, 0 or more; null: there is no price in the currency.",
    }),
    includesTax: t.boolean({
      description: 'Whether the amount includes tax; false for a new currency without it, and for null.',
    }),
    tiers: t.field({
      type: [TierInput],
      description: 'All quantity tiers, at most 100; null or none at all takes them away.',
    }),
  }),
})

export const CurrencyTieredPriceInput = builder.inputType('CurrencyTieredPriceInput', {
  description: 'The price in one currency: set or changed, or in an update removed by `price: null`.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency, at most once in the list.' }),
    price: t.field({ type: TieredPriceInput, description: 'What to set. It must be given; null is for updates only.' }),
  }),
})

export const AttributeInput = builder.inputType('AttributeInput', {
  description: 'A free key with its text.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key, at most once in the list.' }),
    value: t.string({ description: 'The text; null is stored as null.' }),
  }),
})

export const AttributeRef = builder
  .objectRef<{ readonly key: string; readonly value: string | null }>('Attribute')
  .implement({
    description: 'A free key with its text.',
    right: 'anyone',
    fields: (t) => ({
      key: t.exposeString('key', { description: 'The key.' }),
      value: t.exposeString('value', { nullable: true, description: 'The text.' }),
    }),
  })

/** Free attributes as a list, in the order of the key; empty for null. */
export function attributeList(attributes: Attributes | null) {
  return entriesOf(attributes).map(([key, value]) => ({ key, value }))
}

/** A list of CurrencyTieredPriceInput, which readers take for a map of prices by currency. */
export const tieredPricesMember: InputMember = {
  name: 'prices',
  entry: { key: 'currency', value: 'price' },
  members: { tiers: { entry: { key: 'name' } } },
}
