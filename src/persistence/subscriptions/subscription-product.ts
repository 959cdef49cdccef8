/** Subscription products in the database. */
import type { PriceMap } from '../../domain/pricing/flat-price-map.ts'
import type { PriceUnits, SubscriptionProduct } from '../../domain/subscriptions/subscription-product.ts'
import type { Prisma, SubscriptionProduct as Row } from '../../generated/prisma/client.ts'
import { json, jsonOrNull } from '../database/json.ts'
import type { Table } from '../database/table.ts'

/** The subscription product of a row. */
export function fromRow(row: Omit<Row, 'version'>): SubscriptionProduct {
  return {
    ...row,
    price: row.price as unknown as PriceMap,
    priceUnits: row.priceUnits as unknown as PriceUnits | null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

function toRow(product: SubscriptionProduct): Prisma.SubscriptionProductUncheckedCreateInput {
  return {
    ...product,
    price: json(product.price),
    priceUnits: jsonOrNull(product.priceUnits),
    createdAt: new Date(product.createdAt),
    updatedAt: new Date(product.updatedAt),
  }
}

/** The table of subscription products. */
export const subscriptionProductTable: Table<Omit<Row, 'version'>, SubscriptionProduct> = {
  model: 'subscriptionProduct',
  fromRow,
  toRow,
}
