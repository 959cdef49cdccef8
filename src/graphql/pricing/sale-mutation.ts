/** Sale mutations: add, update and remove a single sale of a product price. */
import { addSale, removeSale, updateSale } from '../../operations/pricing/sale.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { SaleRef, saleInput, saleMembers } from './sale.ts'

defineMutation('addSale', {
  description:
    'Adds a sale to a product price, which may have 200. When it is not the only one, each of them needs a schedule of its own.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'ProductPrice', noun: 'product price', member: 'productPriceId' },
  input: (t) => ({
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters, unique within the product price.' }),
    ...saleInput(t),
  }),
  members: saleMembers,
  result: { name: 'sale', type: SaleRef, description: 'The new sale.' },
  run: (ctx, { id, data }, options) => addSale(ctx, { productPriceId: id, data }, options),
})

defineMutation('updateSale', {
  description:
    'Changes the members that are given; others keep their value, and null clears. The schedule and the prices change in what is named of them.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Sale', noun: 'sale' },
  input: (t) => ({
    name: t.string({
      description: 'The name, 1 to 1024 characters, unique within the product price; it can not be cleared.',
    }),
    ...saleInput(t),
  }),
  members: saleMembers,
  result: { name: 'sale', type: SaleRef, description: 'The sale after the change.' },
  run: (ctx, { id, data }, options) => updateSale(ctx, { id, data }, options),
})

defineMutation('removeSale', {
  description: 'Takes a sale away from its product price.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Sale', noun: 'sale' },
  result: { name: 'sale', type: SaleRef, description: 'The sale as it was.' },
  run: (ctx, { id }, options) => removeSale(ctx, { id }, options),
})
