/** The type Product, declared here since several modules extend it (product.ts, product-edges.ts) or refer to it. */
import type { Product, productStatuses } from '../../domain/products/product.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const ProductRef = builder.objectRef<Product>('Product')

export const ProductStatusEnum = wordEnum<(typeof productStatuses)[number]>(
  'ProductStatus',
  'Whether the next release shows a product.',
  {
    draft: 'The product is draft.',
    live: 'The product is live.',
  },
)
