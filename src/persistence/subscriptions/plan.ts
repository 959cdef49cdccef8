/** Plans in the database. */
import { planRecord } from '../../domain/subscriptions/plan.ts'
import { recordTable } from '../database/record-table.ts'

/** The table of plans. */
export const planTable = recordTable('plan', planRecord)
