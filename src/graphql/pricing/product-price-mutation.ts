/** Product price mutations: add, update and delete a single one. */
import { addProductPrice, deleteProductPrice, updateProductPrice } from '../../operations/pricing/product-price.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { ProductPriceRef } from './product-price.ts'
import { mergedPrices, priceInput, priceMembers } from './product-price-input.ts'
import { CurrencyTieredPriceInput } from './tiered-price.ts'

defineMutation('addProductPrice', {
  description:
    'Adds the price of a SKU to a price book. When the book has a price for the SKU already, that one stays as it is (PRICE_EXISTS).',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'PriceBook', noun: 'book', member: 'priceBookId' },
  input: (t) => ({
    sku: t.string({ required: true, description: 'The SKU, 1 to 1024 characters.' }),
    prices: t.field({ type: [CurrencyTieredPriceInput], required: true, description: 'The list prices, at most 200; may be empty.' }),
    ...priceInput(t),
  }),
  members: priceMembers,
  result: { name: 'productPrice', type: ProductPriceRef, description: 'The new price.' },
  run: (ctx, { id, data }, options) => addProductPrice(ctx, { priceBookId: id, data }, options),
})

defineMutation('updateProductPrice', {
  description:
    'Changes the members that are given; others keep their value, and null clears where null is allowed. Sales and attributes are replaced whole.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'ProductPrice', noun: 'price' },
  input: (t) => ({
    sku: t.string({ description: 'The SKU, 1 to 1024 characters; it can not be cleared.' }),
    prices: mergedPrices(t),
    ...priceInput(t),
  }),
  members: priceMembers,
  result: { name: 'productPrice', type: ProductPriceRef, description: 'The price after the change.' },
  run: (ctx, { id, data }, options) => updateProductPrice(ctx, { id, data }, options),
})

defineMutation('deleteProductPrice', {
  description: 'Deletes a product price with its sales. Releases stay as they are.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'ProductPrice', noun: 'price' },
  result: { name: 'productPrice', type: ProductPriceRef, description: 'The price as it was.' },
  run: (ctx, { id }, options) => deleteProductPrice(ctx, { id }, options),
})
