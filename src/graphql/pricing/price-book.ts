/**
 * Price books: the type PriceBook and its queries. For administrators only. The prices of a book: product-price.ts.
 */
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import { priceBook, priceBooks } from '../../operations/pricing/price-book.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import { defineNamedList } from '../schema/named-list.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'

export const PriceBookRef = builder.objectRef<PriceBook>('PriceBook')

implementNode(PriceBookRef, {
  description: 'A collection of product prices by SKU. A catalog takes its prices from up to five of them.',
  right: 'admin',
  load: (id, ctx) => priceBook(ctx, { id }),
  rootField: {
    name: 'priceBook',
    noun: 'book',
    example: 'c0ffee00-0001-4000-8000-000000000001',
    description: 'One price book; null when there is none.',
  },
  fields: (t) => ({
    externalRef: t.exposeString('externalRef', {
      nullable: true,
      description: 'A reference to another system, unique among books.',
    }),
    name: t.exposeString('name', { description: 'The name of the book, unique among books.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description of the book.' }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the book.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the book was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the book itself was last changed; its prices have their own.',
    }),
  }),
})

const PriceBookConnection = defineConnection(PriceBookRef, 'admin')

defineNamedList('priceBooks', PriceBookConnection, {
  right: 'admin',
  description: 'All price books, oldest first.',
  reads: priceBooks,
})
