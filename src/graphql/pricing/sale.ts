/** Sales of a product price: the type Sale, and its inputs. */
import type { Sale } from '../../domain/pricing/product-price.ts'
import { sale } from '../../operations/pricing/sale.ts'
import { builder } from '../schema/builder.ts'
import type { InputBuilder } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { globalId } from '../schema/ids.ts'
import { implementNode } from '../schema/node.ts'
import { CurrencyTieredPriceInput, TieredPriceRef, tieredPrices, tieredPricesMember } from './tiered-price.ts'

const SaleScheduleRef = builder.objectRef<Pick<Sale, 'validFrom' | 'validTo'>>('SaleSchedule').implement({
  description: 'When a sale runs; at least one of the bounds is there.',
  right: 'admin',
  fields: (t) => ({
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
  }),
})

export const SaleRef = builder.objectRef<Sale>('Sale')

implementNode(SaleRef, {
  description:
    'Other prices for one SKU of a price book, for a time or permanently. Of those that run the one with the shortest period counts. It gives way to a quantity tier of the list price that is reached and lower.',
  right: 'admin',
  load: (id, ctx) => sale(ctx, { id }),
  rootField: { name: 'sale', noun: 'sale', description: 'One sale; null when there is none.' },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the sale, unique within the product price.' }),
    schedule: t.field({
      type: SaleScheduleRef,
      nullable: true,
      description: 'When it runs; null for a permanent sale.',
      resolve: (one) => (one.validFrom === null && one.validTo === null ? null : one),
    }),
    bundleIds: t.idList({
      description:
        'The global ids of the bundles inside which the sale counts, at most 500; empty for a sale that counts anywhere.',
      resolve: ({ bundleIds }) => bundleIds.map((id) => globalId('Product', id)),
    }),
    prices: t.field({
      type: [TieredPriceRef],
      description:
        'The sale prices, at most 200, in the order of the currency code. A currency that is not among them keeps its list price.',
      resolve: ({ currencies }) => tieredPrices(currencies),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the sale was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the sale was last changed.' }),
  }),
})

const DayRangeInput = builder.inputType('DayRangeInput', {
  description: 'Whole days in the time zone of the store, the first and the last one included.',
  fields: (t) => ({
    from: t.field({ type: 'Date', description: 'The first day, such as `2030-11-29`; open when absent.' }),
    to: t.field({
      type: 'Date',
      description: 'The last day, such as `2030-12-02`: it ends as the 3rd begins. Open when absent.',
    }),
  }),
})

export const SaleScheduleInput = builder.inputType('SaleScheduleInput', {
  description:
    'When a sale runs. Without any bound it is permanent, and then it must be the only sale. In `updateSale` an absent bound keeps its value.',
  fields: (t) => ({
    validOn: t.field({
      type: DayRangeInput,
      description: 'Whole days in place of both `validFrom` and `validTo`, also in `updateSale`.',
    }),
    validFrom: t.field({ type: 'DateTime', description: 'The first instant; null: open.' }),
    validTo: t.field({
      type: 'DateTime',
      description: 'The first instant at which it no longer runs, after `validFrom`; null: open.',
    }),
  }),
})

/** The input fields of a sale besides its name. */
export function saleInput(t: InputBuilder) {
  return {
    schedule: t.field({
      type: SaleScheduleInput,
      description: 'When it runs; null: always. No two sales of a product price have the same schedule.',
    }),
    bundleIds: t.idList({
      description: 'Ids of the bundles inside which the sale counts, at most 500; none: anywhere.',
    }),
    prices: t.field({ type: [CurrencyTieredPriceInput], description: 'The sale prices, at most 200.' }),
  }
}

export const SaleInput = builder.inputType('SaleInput', {
  description: 'A sale to set.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters, at most once in the list.' }),
    ...saleInput(t),
  }),
})

/** How the members of a sale's input are read. */
export const saleMembers: InputMembers = {
  bundle_ids: idMember('Product'),
  currencies: tieredPricesMember,
}
