/**
 * Subscription loaders: plans, offerings, subscriptions and their states. Each batch is one statement, lists one per
 * distinct window.
 *
 * SQL, since an account is no table, and Prisma can't limit the rows of each SKU; keyset.ts has the reason for pages of
 * children.
 */
import { SKU_SUBSCRIPTION_PRODUCTS_MAX } from '../../domain/input/limits.ts'
import type { SubscriptionProduct } from '../../domain/subscriptions/subscription-product.ts'
import type {
  Plan as PlanRow,
  SubscriptionProduct as ProductRow,
  SubscriptionState as StateRow,
} from '../../generated/prisma/client.ts'
import { groupBy } from '../../lib/group-by.ts'
import { columnsOf } from '../database/columns.ts'
import { type KeysetList, keysetList, recordsUnder } from '../loading/keyset.ts'
import { byId, loaderOf, recordsById } from '../loading/loader.ts'
import { offeringRows } from './offering.ts'
import { planTable } from './plan.ts'
import { stateFromRow, subscriptionTable } from './subscription.ts'
import { subscriptionProductTable } from './subscription-product.ts'

const accountsByIds =
  'SELECT a.id FROM unnest($1::uuid[]) AS a (id) WHERE EXISTS (SELECT FROM subscription s WHERE s.account_id = a.id)'

/** Accounts are not stored: an account exists when it has a subscription (subscription.account-from-outside). */
const accountById = byId<{ readonly id: string }>('accounts', (on, ids) =>
  on.query('accounts_by_id', accountsByIds, [ids]),
)

/** The order of an offering's products or plans. */
const positioned = [
  { column: 'l.position', type: 'int8' },
  { column: 'i.id', type: 'uuid' },
] as const

const plansOfOffering: KeysetList<PlanRow & { position: number }> = {
  from: 'offering_plan l JOIN plan i ON i.id = l.plan_id',
  parent: 'l.offering_id',
  columns: `${columnsOf('plan')}, l.position`,
  order: positioned,
}

const productsOfOffering: KeysetList<ProductRow & { position: number }> = {
  from: 'offering_product l JOIN subscription_product i ON i.id = l.product_id',
  parent: 'l.offering_id',
  columns: `${columnsOf('subscriptionProduct')}, l.position`,
  order: positioned,
}

/** Newest first, by the order of writing (record.order-of-writing-decides). */
const statesOfSubscription: KeysetList<Omit<StateRow, 'version'> & { version: number }> = {
  from: 'subscription_state i',
  parent: 'i.subscription_id',
  columns: `${columnsOf('subscriptionState')}, i.version`,
  order: [{ column: 'i.version', type: 'int8' }],
  descending: true,
}

/** The oldest of each SKU. */
const productsBySkus = `
  SELECT item.* FROM unnest($1::text[]) AS k (sku) CROSS JOIN LATERAL (
    SELECT ${columnsOf('subscriptionProduct')} FROM subscription_product i WHERE i.sku = k.sku
    ORDER BY i.created_at, i.id LIMIT ${SKU_SUBSCRIPTION_PRODUCTS_MAX}
  ) item ORDER BY item."createdAt", item.id`

/** The factories of a request's loaders. */
export const subscriptionLoaders = {
  planById: recordsById('plans', planTable),
  offeringById: recordsById('offerings', offeringRows),
  subscriptionById: recordsById('subscriptions', subscriptionTable),
  subscriptionProductById: recordsById('subscription products', subscriptionProductTable),
  subscriptionProductsBySku: loaderOf<string, readonly SubscriptionProduct[]>({
    name: 'subscription products by SKU',
    none: [],
    read: async (on, skus) => {
      const rows = await on.query<ProductRow>('subscription_products_by_skus', productsBySkus, [skus])
      return groupBy(rows.map(subscriptionProductTable.fromRow), ({ sku }) => sku ?? '')
    },
  }),
  stateById: byId('states', async ({ prisma }, ids) =>
    (await prisma.subscriptionState.findMany({ where: { id: { in: ids } } })).map((row) => ({
      ...stateFromRow(row),
      subscriptionId: row.subscriptionId,
    })),
  ),
  accountById,
  planListByOfferingId: keysetList(plansOfOffering, ({ position, ...row }) => ({
    ...planTable.fromRow(row),
    position,
  })),
  productListByOfferingId: keysetList(productsOfOffering, ({ position, ...row }) => ({
    ...subscriptionProductTable.fromRow(row),
    position,
  })),
  offeringListByPlanId: recordsUnder(offeringRows, 'l.plan_id', {
    from: 'offering_plan l JOIN offering i ON i.id = l.offering_id',
  }),
  offeringListByProductId: recordsUnder(offeringRows, 'l.product_id', {
    from: 'offering_product l JOIN offering i ON i.id = l.offering_id',
  }),
  subscriptionListByAccountId: recordsUnder(subscriptionTable, 'i.account_id'),
  subscriptionListByOfferingId: recordsUnder(subscriptionTable, 'i.offering_id'),
  subscriptionListByPlanId: recordsUnder(subscriptionTable, 'i.plan_id'),
  stateListBySubscriptionId: keysetList(statesOfSubscription, ({ version, subscriptionId, ...row }) => ({
    ...stateFromRow(row),
    subscriptionId,
    version,
  })),
}
