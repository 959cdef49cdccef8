/** Product prices: the type ProductPrice, its queries, and its connection in a price book. For administrators only. */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import { priceWarnings } from '../../domain/pricing/price-warning.ts'
import type { ProductPrice } from '../../domain/pricing/product-price.ts'
import { priceBookNotFound, productPrice } from '../../operations/pricing/product-price.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { childRecordConnection, datedOrders, orderInput } from '../schema/record-connection.ts'
import { datedClauses, datedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { PriceBookRef } from './price-book.ts'
import { PRICE_WARNINGS_MAX, PriceWarningRef } from './price-warning.ts'
import { SaleRef } from './sale.ts'
import { AttributeRef, attributeList, TieredPriceRef, tieredPrices } from './tiered-price.ts'

export const ProductPriceRef = builder.objectRef<ProductPrice>('ProductPrice')

implementNode(ProductPriceRef, {
  description: 'The price of one SKU in one price book, with its sales.',
  right: 'admin',
  load: (id, ctx) => productPrice(ctx, { id }),
  rootField: {
    name: 'productPrice',
    noun: 'price',
    example: 'c0ffee00-0006-4000-8000-000000000001',
    description: 'One product price; null when there is none.',
  },
  fields: (t) => ({
    sku: t.exposeString('sku', { description: 'The SKU, unique within the book. No product needs to have it.' }),
    externalRef: t.exposeString('externalRef', {
      nullable: true,
      description: 'A reference to another system, unique within the book.',
    }),
    prices: t.field({
      type: [TieredPriceRef],
      description: 'The list prices, at most 200, in the order of the currency code.',
      resolve: ({ currencies }) => tieredPrices(currencies),
    }),
    sales: t.expose('sales', { type: [SaleRef], description: 'The sales, at most 200, in the order of the name.' }),
    warnings: t.field({
      type: [PriceWarningRef],
      description: `What is maybe not meant in the prices and in sales that have not ended, by currency; at most ${PRICE_WARNINGS_MAX}: the first ones.`,
      resolve: (price, _, { now }) => priceWarnings(price, now).slice(0, PRICE_WARNINGS_MAX),
    }),
    adminAttributes: t.field({
      type: [AttributeRef],
      description: 'Free attributes for administrators only, at most 100, in the order of the key.',
      resolve: ({ adminAttributes }) => attributeList(adminAttributes),
    }),
    shopperAttributes: t.field({
      type: [AttributeRef],
      description: 'Free attributes that catalogs show to shoppers, at most 100, in the order of the key.',
      resolve: ({ shopperAttributes }) => attributeList(shopperAttributes),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the price.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the price was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the price or one of its sales was last changed.',
    }),
    priceBook: t.field({
      type: PriceBookRef,
      description: 'The book that holds the price.',
      resolve: async ({ priceBookId }, _, { loaders }) => {
        const book = await loaders.priceBookById.load(priceBookId)
        // The book was deleted with its prices after this price was read.
        if (!book) throw priceBookNotFound()
        return book
      },
    }),
  }),
})

builder.objectField(SaleRef, 'productPrice', (t) =>
  t.field({
    type: ProductPriceRef,
    nullable: true,
    description: 'The product price that has the sale; null when it is gone.',
    resolve: ({ productPriceId }, _, { loaders }) => loaders.productPriceById.load(productPriceId),
  }),
)

const ProductPriceConnection = defineConnection(ProductPriceRef, 'admin')

const ProductPriceFilter = builder.inputType('ProductPriceFilter', {
  description: 'Which prices to list; all that is given holds.',
  fields: (t) => ({
    sku: t.field({ type: RecordTextFilter, description: 'By SKU.' }),
    externalRef: t.field({ type: RecordTextFilter, description: 'By external reference.' }),
    ...datedFilterFields(t),
  }),
})

type Filter = typeof ProductPriceFilter.$inferInput

const ProductPriceOrderField = builder.enumType('ProductPriceOrderField', {
  description: 'What a list of prices is ordered by; equal ones by their id.',
  values: {
    ...datedOrders,
    SKU: { value: 'sku', description: 'By SKU, in the order of code points: capitals come before small letters.' },
  },
} as const)

const ProductPriceOrderInput = orderInput(
  'ProductPriceOrderInput',
  'The order of a list of prices.',
  ProductPriceOrderField,
)

builder.objectFields(PriceBookRef, (t) => ({
  prices: t.field({
    type: ProductPriceConnection,
    description:
      'The prices of the book, oldest first. That order has an index; another one looks at each price of the book.',
    args: {
      ...pageArgs,
      orderBy: t.arg({ type: ProductPriceOrderInput, description: 'The order of the list, such as `{ field: SKU }`.' }),
      ...filterArgs(
        ProductPriceFilter,
        'Which prices to list, such as `{ sku: { in: ["MUG-1", "MUG-2"] } }`.',
        clausesOf,
      ),
    },
    resolve: ({ id }: PriceBook, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, clausesOf(filter), loaders.productPriceListByPriceBookId),
  }),
  price: t.field({
    type: ProductPriceRef,
    nullable: true,
    description: 'The price of one SKU; null when the book has none.',
    args: { sku: t.arg.string({ required: true, description: 'The SKU, such as `MUG-1`, compared exactly.' }) },
    resolve: ({ id: priceBookId }, { sku }, ctx) =>
      ctx.loaders.productPriceByPriceBookIdAndSku.load({ priceBookId, sku }),
  }),
}))

/** The clauses of a filter, as in REST (filter.clauses-all-hold). Null means absent. */
function clausesOf(filter: Filter | null | undefined): RecordClause[] {
  const { sku, externalRef } = filter ?? {}
  return [
    ...textClauses('sku', sku),
    ...textClauses('external_ref', externalRef, 'externalRef'),
    ...datedClauses(filter),
  ]
}
