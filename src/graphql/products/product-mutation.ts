/**
 * Product mutations: create, update, delete, and build the children of a parent (product.children-from-build-rules).
 */
import { productRecord } from '../../domain/products/product.ts'
import {
  type BuiltChildren,
  buildChildProducts,
  createProduct,
  deleteProduct,
  updateProduct,
} from '../../operations/products/product.ts'
import { defineRecordMutations } from '../pricing/record-mutations.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { productForm } from './product-input.ts'
import { ProductRef } from './product-ref.ts'

defineRecordMutations('Product', {
  record: productRecord,
  ref: ProductRef,
  noun: 'product',
  members: productForm,
  create: {
    description: 'Creates a product. Nothing of it is published before the next release of a catalog.',
    run: createProduct,
  },
  update: {
    description:
      'Changes the members that are given; others keep their value, and null clears. Lists are replaced whole.',
    run: updateProduct,
  },
  remove: {
    description:
      'Deletes a product that has no children and is no option of a bundle (IN_USE). Prices of its SKU, and releases, stay as they are.',
    run: deleteProduct,
  },
})

const BuiltRef = builder.objectRef<BuiltChildren>('BuiltChildren').implement({
  description: 'What building the children of a parent made.',
  right: 'admin',
  fields: (t) => ({
    product: t.expose('product', { type: ProductRef, description: 'The parent.' }),
    children: t.expose('children', {
      type: [ProductRef],
      description: 'The new children, at most 1000, as variations and options are sorted.',
    }),
  }),
})

const ChildInput = builder.inputType('BuiltChildInput', {
  description: 'What a new child is called; what is absent is made of the parent and the options.',
  fields: (t) => ({
    optionKeys: t.idList({
      required: true,
      description: 'The keys of its options, one of each variation of the parent.',
    }),
    sku: t.string({ description: 'The stock keeping unit, 1 to 1024 characters, unique among products.' }),
    slug: t.string({ description: 'The name in URLs: letters, digits, hyphen, underscore, period.' }),
  }),
})

defineMutation('buildChildProducts', {
  description:
    'Builds the children that the build rules of a parent choose and that it has not got yet. Those that it has stay as they are. When a product has the SKU of one already (SKU_TAKEN), none is built: give another one in `children`.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Product', noun: 'product' },
  input: (t) => ({
    children: t.field({
      type: [ChildInput],
      description: 'SKUs and slugs of new children, by their options; at most 1000.',
    }),
  }),
  members: { children: { members: { option_ids: { name: 'optionKeys' } } } },
  result: { name: 'built', type: BuiltRef, description: 'What was built.' },
  run: (ctx, { id, data }, options) => buildChildProducts(ctx, { id, data }, options),
})
