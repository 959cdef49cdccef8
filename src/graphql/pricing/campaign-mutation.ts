/** Campaign mutations: sales of one name on many prices of a book, put on, ended and removed. */
import { PERCENT_DECIMALS_MAX, ROUNDING_ENDING_MAX, ROUNDING_STEP_MAX } from '../../domain/input/limits.ts'
import { addSales, endSales, removeSales } from '../../operations/pricing/campaign.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { bulkFields, bulkOptions } from './bulk-mode.ts'
import { campaignMembers, campaignTarget, SaleCampaignRef } from './campaign.ts'
import { SaleScheduleInput } from './sale.ts'
import { CurrencyTieredPriceInput, tieredPricesMember } from './tiered-price.ts'

const AmountOffInput = builder.inputType('AmountOffInput', {
  description: 'What comes off the prices in one currency.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency, at most once in the list.' }),
    amount: t.field({ type: 'Long', required: true, description: "In the currency's smallest unit, 1 or more." }),
  }),
})

const SaleChangeInput = builder.inputType('SaleChangeInput', {
  description:
    'What makes the sale prices, in currencies in which a price has a list amount. What comes off the amount comes off each quantity tier too.',
  isOneOf: true,
  fields: (t) => ({
    percentOff: t.float({
      description: `Per cent, above 0 and at most 100, with at most ${PERCENT_DECIMALS_MAX} decimals, such as 12.5.`,
    }),
    amountOff: t.field({
      type: [AmountOffInput],
      description: 'An amount for each currency; others get no sale price.',
    }),
    prices: t.field({
      type: [CurrencyTieredPriceInput],
      description:
        'The same sale prices for all, at most 200; `includesTax` is that of the list price unless it is given.',
    }),
  }),
})

const RoundingInput = builder.inputType('RoundingInput', {
  description:
    'To which amounts sale prices are rounded: the nearest, the higher of two, and never above the list price.',
  isOneOf: true,
  fields: (t) => ({
    step: t.field({
      type: 'Long',
      description: `Multiples of this in the smallest unit, 1 to ${ROUNDING_STEP_MAX}, such as 5.`,
    }),
    ending: t.string({
      description: `Amounts with these last digits in the smallest unit, 1 to ${ROUNDING_ENDING_MAX} digits, such as \`99\`.`,
    }),
  }),
})

const CurrencyRoundingInput = builder.inputType('CurrencyRoundingInput', {
  description: 'How sale prices in one currency are rounded.',
  fields: (t) => ({
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency, at most once in the list.' }),
    to: t.field({ type: RoundingInput, required: true, description: 'The amounts.' }),
  }),
})

const target = { type: 'PriceBook', noun: 'book', member: 'priceBookId' } as const
const NAME = 'The name of the sales, 1 to 1024 characters.'
const result = { name: 'campaign', type: SaleCampaignRef, description: 'What became of the prices.' } as const

const addMembers: InputMembers = {
  ...campaignMembers,
  bundle_ids: idMember('Product'),
  change: { members: { amount_off: { entry: { key: 'currency', value: 'amount' } }, currencies: tieredPricesMember } },
  rounding: { entry: { key: 'currency', value: 'to' } },
}

defineMutation('addSales', {
  description:
    'Puts one sale on many prices of a book. A price that has it already is unchanged, so a call can be repeated; a price with another sale of the name is refused. PER_ROW writes a thousand prices at a time.',
  right: 'admin',
  target,
  input: (t) => ({
    ...campaignTarget(t, 'One of `skus`, `rows` and `filter` must be given.'),
    name: t.string({ required: true, description: NAME }),
    schedule: t.field({
      type: SaleScheduleInput,
      description:
        'When the sale runs; without it a price with other sales is refused. Like any sale it gives way to a quantity tier of the list price that costs less.',
    }),
    bundleIds: t.idList({
      description: 'Ids of the bundles inside which the sale counts, at most 500; none: anywhere.',
    }),
    change: t.field({ type: SaleChangeInput, required: true, description: 'What makes the sale prices.' }),
    currencies: t.field({
      type: ['CurrencyCode'],
      description: 'The currencies that get a sale price; by default all.',
    }),
    rounding: t.field({
      type: [CurrencyRoundingInput],
      description:
        'How what is left is rounded; in other currencies to the smallest unit, a half up. `prices` are as given.',
    }),
    ...bulkFields(t),
  }),
  members: addMembers,
  result,
  run: async (ctx, { id, data, input }) => ({
    results: await addSales(ctx, { priceBookId: id, ...bulkOptions(input), data }),
    input,
  }),
})

const END = 'Without `skus`, `rows` and `filter`: all prices of the book that have a sale of the name.'

defineMutation('endSales', {
  description:
    'Ends the sales of one name at an instant. One that ends earlier stays as it is; one that begins later is refused.',
  right: 'admin',
  target,
  input: (t) => ({
    ...campaignTarget(t, END),
    name: t.string({ required: true, description: NAME }),
    at: t.field({ type: 'DateTime', description: 'The first instant at which they no longer run; by default now.' }),
    ...bulkFields(t),
  }),
  members: campaignMembers,
  result,
  run: async (ctx, { id, data, input }) => ({
    results: await endSales(ctx, { priceBookId: id, ...bulkOptions(input), data }),
    input,
  }),
})

defineMutation('removeSales', {
  description: 'Takes the sales of one name away from many prices of a book.',
  right: 'admin',
  target,
  input: (t) => ({
    ...campaignTarget(t, END),
    name: t.string({ required: true, description: NAME }),
    ...bulkFields(t),
  }),
  members: campaignMembers,
  result,
  run: async (ctx, { id, data, input }) => ({
    results: await removeSales(ctx, { priceBookId: id, ...bulkOptions(input), data }),
    input,
  }),
})
