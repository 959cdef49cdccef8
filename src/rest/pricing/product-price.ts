/** Product price routes: add, list and get the prices of a price book. For administrators only. */
import { envelopeOf, serverSet } from '../../domain/input/document.ts'
import { notFound } from '../../domain/input/errors.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import { recordSchema } from '../../domain/input/record-schema.ts'
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import { type ProductPrice, productPriceRecord, type Sale } from '../../domain/pricing/product-price.ts'
import { priceBook } from '../../operations/pricing/price-book.ts'
import {
  addProductPrice,
  listProductPrices,
  priceFilters,
  productPrice,
} from '../../operations/pricing/product-price.ts'
import { omitNil } from '../http/display-price.ts'
import { listDocument } from '../http/links.ts'
import type { Route } from '../http/route.ts'
import { listOf } from '../http/schema.ts'
import { addProductPriceExample, getProductPriceExample, listProductPricesExample } from './product-price-examples.ts'
import { priceItem, priceResponse } from './product-price-schema.ts'

const listPath = '/pcm/pricebooks/{pricebook_id}/prices'
const tag = 'Price books'

/** The `data` of a request that adds a product price to the book that its path names. */
const newPrice = recordSchema(productPriceRecord, {
  isNew: true,
  own: { 'id?': serverSet, 'pricebook_external_ref?': serverSet },
  title: 'NewProductPrice',
})

/** The routes of product prices. */
export const productPriceRoutes: readonly Route[] = [
  {
    method: 'POST',
    paths: [listPath],
    right: 'admin',
    body: true,
    document: {
      id: 'addProductPrice',
      tag,
      summary: 'Add a product price to a price book',
      description: 'A SKU that the book already has a price for is a conflict, and the stored price stays as it is.',
      request: envelopeOf(newPrice),
      status: 201,
      response: priceResponse,
      failures: [409],
      example: addProductPriceExample,
    },
    async handle({ ctx, id, data, idempotencyKey }) {
      const priceBookId = id('pricebook_id')
      const price = await addProductPrice(ctx, { priceBookId, data }, { idempotencyKey })
      return { status: 201, body: document(price, await priceBook(ctx, { id: priceBookId })) }
    },
  },
  {
    method: 'GET',
    paths: [listPath],
    right: 'admin',
    query: { page: true, filter: priceFilters },
    document: {
      id: 'listProductPrices',
      tag,
      summary: 'List the prices of a price book',
      status: 200,
      response: listOf(priceItem),
      example: listProductPricesExample,
    },
    async handle(request) {
      const { ctx, id, page, filter } = request
      const { book, prices, total } = await listProductPrices(ctx, {
        priceBookId: id('pricebook_id'),
        clauses: filter,
        ...page,
      })
      const data = prices.map((price) => item(price, book))
      return { status: 200, body: listDocument(request, total, data) }
    },
  },
  {
    method: 'GET',
    paths: [`${listPath}/{price_id}`],
    right: 'admin',
    document: {
      id: 'getProductPrice',
      tag,
      summary: 'Get a product price',
      status: 200,
      response: priceResponse,
      example: getProductPriceExample,
    },
    async handle({ ctx, id }) {
      const priceBookId = id('pricebook_id')
      const [book, price] = await Promise.all([
        priceBook(ctx, { id: priceBookId }),
        productPrice(ctx, { id: id('price_id'), priceBookId }),
      ])
      if (!book || !price) throw notFound(['price_id'], book ? 'No such product price' : 'No such price book')
      return { status: 200, body: document(price, book) }
    },
  },
]

/** The document of one price. Its link is inside the price and repeated beside it. */
function document(price: ProductPrice, book: PriceBook | null) {
  const data = item(price, book)
  return { data, links: data.links }
}

/** The JSON of a price. Absent members are left out, except the external references, which are null. */
function item(price: ProductPrice, book: PriceBook | null) {
  const { adminAttributes, shopperAttributes, sales } = price
  return {
    id: price.id,
    type: 'product-price',
    pricebook_external_ref: book?.externalRef ?? null,
    attributes: {
      sku: price.sku,
      currencies: price.currencies,
      ...omitNil({
        sales: sales.length > 0 ? Object.fromEntries(sales.map((sale) => [sale.name, saleOf(sale)])) : null,
      }),
      external_ref: price.externalRef,
      ...omitNil({ admin_attributes: adminAttributes, shopper_attributes: shopperAttributes }),
      created_at: formatInstant(price.createdAt),
      updated_at: formatInstant(price.updatedAt),
    },
    meta: { owner: 'store', pricebook_id: price.priceBookId },
    links: { self: `/pcm/pricebooks/${price.priceBookId}/prices/${price.id}` },
  }
}

/** The JSON of a sale, without absent bounds. Without any bound it has no schedule (sale.schedules-differ). */
function saleOf({ bundleIds, validFrom, validTo, currencies }: Sale) {
  const bound = (ms: number | null): string | null => (ms === null ? null : formatInstant(ms))
  const schedule = omitNil({ valid_from: bound(validFrom), valid_to: bound(validTo) })
  return {
    ...omitNil({
      bundle_ids: bundleIds.length > 0 ? bundleIds : null,
      schedule: Object.keys(schedule).length > 0 ? schedule : null,
    }),
    currencies,
  }
}
