/** Plans in the database. */
import type { PriceMap } from '../../domain/pricing/flat-price-map.ts'
import type { BillingInterval, EndBehavior } from '../../domain/subscriptions/billing.ts'
import type { Plan } from '../../domain/subscriptions/plan.ts'
import type { Prisma, Plan as Row } from '../../generated/prisma/client.ts'
import { jsonOrNull } from '../database/json.ts'
import type { Table } from '../database/table.ts'

/** The table of plans. */
export const planTable: Table<Omit<Row, 'version'>, Plan> = {
  model: 'plan',
  fromRow: (row) => ({
    ...row,
    billingIntervalType: row.billingIntervalType as BillingInterval,
    endBehavior: row.endBehavior as EndBehavior,
    fixedPrice: row.fixedPrice as unknown as PriceMap | null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }),
  toRow: (plan): Prisma.PlanUncheckedCreateInput => ({
    ...plan,
    fixedPrice: jsonOrNull(plan.fixedPrice),
    createdAt: new Date(plan.createdAt),
    updatedAt: new Date(plan.updatedAt),
  }),
}
