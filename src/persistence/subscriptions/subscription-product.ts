/** Subscription products in the database. */
import { subscriptionProductRecord } from '../../domain/subscriptions/subscription-product.ts'
import { recordTable } from '../database/record-table.ts'

/** The table of subscription products. */
export const subscriptionProductTable = recordTable('subscriptionProduct', subscriptionProductRecord)
