/** Plans: use cases. Subscriptions keep their copies of a plan (subscription.keeps-its-copies). */
import { planRecord } from '../../domain/subscriptions/plan.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { recordCommands } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A plan by its raw id, null when there is none. */
export const plan = recordById('anyone', ({ planById }) => planById)

/** All plans, in pages. */
export const plans = recordReads('anyone', planTable)

/** Creates, changes and deletes a plan; IN_USE while an offering has it. */
export const {
  create: createPlan,
  update: updatePlan,
  remove: deletePlan,
} = recordCommands('Plan', { record: planRecord, table: planTable, noun: 'plan', inUseAs: 'plan' })
