/**
 * Edges of authored products (children, bundles, prices in each book), and the query of all products. For
 * administrators only.
 */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { products } from '../../operations/products/product.ts'
import { ProductPriceRef } from '../pricing/product-price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { readId, requiredId } from '../schema/ids.ts'
import { childRecordConnection, orderArgs, recordConnection } from '../schema/record-connection.ts'
import { namedClauses, namedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { ProductRef, ProductStatusEnum } from './product-ref.ts'

export const ProductConnection = defineConnection(ProductRef, 'admin')

const ProductFilter = builder.inputType('ProductFilter', {
  description: 'Which products to list; all that is given holds.',
  fields: (t) => ({
    ...namedFilterFields(t),
    sku: t.field({ type: RecordTextFilter, description: 'By SKU.' }),
    status: t.field({ type: ProductStatusEnum, description: 'By status.' }),
    tag: t.string({ description: 'Those that have the tag, whatever its case.' }),
  }),
})

type Filter = typeof ProductFilter.$inferInput

export const productListArgs = {
  ...pageArgs,
  ...orderArgs,
  ...filterArgs(ProductFilter, 'Which products to list, such as `{ sku: { startsWith: "MUG" } }`.', productClauses),
}

/** The clauses of a filter. Null means absent; tags are stored in lower case. */
export function productClauses(filter: Filter | null | undefined): RecordClause[] {
  const { sku, status, tag } = filter ?? {}
  return [
    ...namedClauses(filter),
    ...textClauses('sku', sku),
    ...textClauses('status', { eq: status }),
    ...textClauses('tags', { eq: tag?.toLowerCase() }, 'tag'),
  ]
}

builder.objectFields(ProductRef, (t) => ({
  children: t.field({
    type: ProductConnection,
    description: 'The children of a parent, oldest first.',
    args: productListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, productClauses(filter), loaders.productListByParentId),
  }),
  bundles: t.field({
    type: ProductConnection,
    description: 'The bundles that have the product as an option, oldest first.',
    args: productListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, productClauses(filter), loaders.bundleListByOptionId),
  }),
  prices: t.field({
    type: [ProductPriceRef],
    description: 'The price of the SKU in each price book that has one, at most one per book, oldest first.',
    resolve: async ({ sku }, _, { loaders }) => {
      const found = sku === null ? [] : await loaders.productPricesBySku.load(sku)
      for (const { book } of found) loaders.priceBookById.prime(book.id, book)
      return found.map(({ price }) => price)
    },
  }),
  price: t.field({
    type: ProductPriceRef,
    nullable: true,
    description: 'The price of the SKU in one price book; null when that has none.',
    args: {
      priceBookId: t.arg.id({
        ...requiredId('book', 'c0ffee00-0001-4000-8000-000000000001'),
        ...withReader(readPriceBookId),
      }),
    },
    resolve: ({ sku }, args, { loaders }) => {
      const priceBookId = readPriceBookId(args)
      return sku === null ? null : loaders.productPriceByPriceBookIdAndSku.load({ priceBookId, sku })
    },
  }),
}))

function readPriceBookId({ priceBookId }: { readonly priceBookId: string }): string {
  return readId('PriceBook', priceBookId, ['priceBookId'])
}

builder.objectField(ProductPriceRef, 'product', (t) =>
  t.field({
    type: ProductRef,
    nullable: true,
    description: 'The product that has the SKU now, as it is authored; null when none has.',
    resolve: ({ sku }, _, { loaders }) => loaders.productBySku.load(sku),
  }),
)

builder.queryFields((t) => ({
  products: t.field({
    type: ProductConnection,
    right: 'admin',
    description: 'All products, oldest first.',
    args: productListArgs,
    resolve: (_, { filter, ...args }, ctx) => recordConnection(ctx, args, productClauses(filter), products),
  }),
}))
