import type { BillingInterval, EndBehavior } from '../domain/billing.ts'
import type { PriceMap } from '../domain/currency-prices.ts'
import type { Plan } from '../domain/plan.ts'
import type { Prisma, Plan as Row } from '../generated/prisma/client.ts'
import { jsonOrNull } from './json.ts'
import type { Table } from './table.ts'

export function planFromRow(row: Omit<Row, 'version'> & Partial<Row>): Plan {
  const { version: _, ...columns } = row
  return {
    ...columns,
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

/** What a page reads of a plan. */
export const planMembers = [
  ...(['id', 'externalRef', 'name', 'description', 'billingIntervalType', 'billingFrequency', 'trialPeriod', 'planLength'] as const),
  ...(['endBehavior', 'canPause', 'canResume', 'canCancel', 'basePricePercentage', 'fixedPrice', 'createdAt', 'updatedAt'] as const),
] as const

export const planTable: Table<Omit<Row, 'version'>, Plan> = {
  model: 'plan',
  members: planMembers,
  fromRow: planFromRow,
  toRow,
}
