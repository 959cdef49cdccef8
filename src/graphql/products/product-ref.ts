/** The type Product, declared here since several modules extend it (product.ts, product-edges.ts) or refer to it. */
import { type Product, productStatuses } from '../../domain/products/product.ts'
import { builder } from '../schema/builder.ts'

export const ProductRef = builder.objectRef<Product>('Product')

export const ProductStatusEnum = builder.enumType('ProductStatus', {
  description: 'Whether the next release shows a product.',
  values: Object.fromEntries(productStatuses.map((word) => [word.toUpperCase(), { value: word, description: `The product is ${word}.` }])),
})
