/** Subscription products in the database. */
import type { PriceMap } from '../../domain/pricing/flat-price-map.ts'
import type { PriceUnits, SubscriptionProduct } from '../../domain/subscriptions/subscription-product.ts'
import type { Prisma, SubscriptionProduct as Row } from '../../generated/prisma/client.ts'
import { json, jsonOrNull } from '../database/json.ts'
import type { Table } from '../database/table.ts'

/** The table of subscription products. */
export const subscriptionProductTable: Table<Omit<Row, 'version'>, SubscriptionProduct> = {
  model: 'subscriptionProduct',
  fromRow: (row) => ({
    ...row,
    price: row.price as unknown as PriceMap,
    priceUnits: row.priceUnits as unknown as PriceUnits | null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }),
  toRow: (product): Prisma.SubscriptionProductUncheckedCreateInput => ({
    ...product,
    price: json(product.price),
    priceUnits: jsonOrNull(product.priceUnits),
    createdAt: new Date(product.createdAt),
    updatedAt: new Date(product.updatedAt),
  }),
}
