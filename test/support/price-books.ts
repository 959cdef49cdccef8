/** Price books for tests, created by the operations. */
import type { PriceBook } from '../../src/domain/pricing/price-book.ts'
import type { ProductPrice } from '../../src/domain/pricing/product-price.ts'
import { createPriceBook } from '../../src/operations/pricing/price-book.ts'
import { addProductPrice } from '../../src/operations/pricing/product-price.ts'
import { type Context, createContext, type Services } from '../../src/request/context.ts'

/** The context of a request of an admin or a shopper. */
export function contextOf(services: Services, now: number, role: 'admin' | 'shopper' = 'admin'): Context {
  return createContext(services, {
    viewer: { subject: role, role, accountId: null, channel: null, tags: [], expiresAt: now + 3_600_000 },
    now,
    requestId: 'test',
  })
}

export function makeBook(ctx: Context, name: string, attributes: object = {}): Promise<PriceBook> {
  return createPriceBook(ctx, { data: { type: 'pricebook', attributes: { name, ...attributes } } })
}

export function makePrice(
  ctx: Context,
  priceBookId: string,
  sku: string,
  attributes: object = {},
): Promise<ProductPrice> {
  return addProductPrice(ctx, {
    priceBookId,
    data: { type: 'product-price', attributes: { sku, currencies: {}, ...attributes } },
  })
}

/** All stored prices with their sales, without ids and instants of writing. */
export async function storedPrices({ database }: Services): Promise<unknown[]> {
  return database.query(
    'test-stored-prices',
    `SELECT b.name AS book, p.sku, p.external_ref, p.currencies::text, p.admin_attributes::text, p.shopper_attributes::text,
       (SELECT json_agg(json_build_array(s.name, s.valid_from, s.valid_to, s.bundle_ids, s.currencies) ORDER BY s.name COLLATE "C")
        FROM sale s WHERE s.product_price_id = p.id) AS sales
     FROM product_price p JOIN price_book b ON b.id = p.price_book_id ORDER BY b.name COLLATE "C", p.sku COLLATE "C"`,
  )
}
