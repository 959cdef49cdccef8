import type { BillingInterval, EndBehavior } from '../domain/billing.ts'
import type { PriceMap } from '../domain/currency-prices.ts'
import type { Plan } from '../domain/plan.ts'
import type { Prisma, Plan as Row } from '../generated/prisma/client.ts'
import { jsonOrNull } from './json.ts'
import type { Table } from './table.ts'

export function planFromRow(row: Omit<Row, 'version'>): Plan {
  return {
    ...row,
    billingIntervalType: row.billingIntervalType as BillingInterval,
    endBehavior: row.endBehavior as EndBehavior,
    fixedPrice: row.fixedPrice as unknown as PriceMap | null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

function toRow(plan: Plan): Prisma.PlanUncheckedCreateInput {
  return {
    ...plan,
    fixedPrice: jsonOrNull(plan.fixedPrice),
    createdAt: new Date(plan.createdAt),
    updatedAt: new Date(plan.updatedAt),
  }
}

export const planTable: Table<Omit<Row, 'version'>, Plan> = {
  model: 'plan',
  fromRow: planFromRow,
  toRow,
}
