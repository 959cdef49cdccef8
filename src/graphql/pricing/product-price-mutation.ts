/** Product price mutations: add, update and delete a single one. */
import { productPriceRecord } from '../../domain/pricing/product-price.ts'
import { addProductPrice, deleteProductPrice, updateProductPrice } from '../../operations/pricing/product-price.ts'
import { ProductPriceRef } from './product-price.ts'
import { type CustomForm, kept } from './record-input.ts'
import { defineRecordMutations } from './record-mutations.ts'
import { SaleInput, saleMembers } from './sale.ts'
import { AttributeInput } from './tiered-price.ts'

/** A list of AttributeInput, which readers take for a map of texts by key. */
const attributes = (description: string): CustomForm => ({
  description: `${description}, {limits} keys.`,
  field: (t, options) => t.field({ ...options, type: [AttributeInput] }),
  form: { entry: { key: 'key', value: 'value' } },
})

/** The input fields of a product price, and how they are read. */
export const priceInputs = defineRecordMutations('ProductPrice', {
  record: productPriceRecord,
  ref: ProductPriceRef,
  noun: 'price',
  members: {
    sku: kept('The SKU, {limits}'),
    currencies: {
      name: 'prices',
      description: [
        'The list prices, {limits}; may be empty.',
        'List prices to set, change or remove; what is not named keeps its value, and there are {limits} in all. Null removes all.',
      ],
    },
    sales: {
      description: 'All its sales, {limits}. Of several, each needs a schedule of its own.',
      field: (t, options) => t.field({ ...options, type: [SaleInput] }),
      form: { entry: { key: 'name' }, members: saleMembers },
    },
    externalRef: 'A reference to another system, {limits}.',
    adminAttributes: attributes('Attributes for administrators only'),
    shopperAttributes: attributes('Attributes that catalogs show to shoppers'),
  },
  verb: 'add',
  owner: { type: 'PriceBook', noun: 'book', member: 'priceBookId' },
  create: {
    description:
      'Adds the price of a SKU to a price book. When the book has a price for the SKU already, that one stays as it is (PRICE_EXISTS).',
    run: addProductPrice,
  },
  update: {
    description:
      'Changes the members that are given; others keep their value, and null clears where null is allowed. Sales and attributes are replaced whole.',
    run: updateProductPrice,
  },
  remove: {
    description: 'Deletes a product price with its sales. Releases stay as they are.',
    run: deleteProductPrice,
  },
})
