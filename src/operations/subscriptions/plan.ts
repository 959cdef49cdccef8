/** Plans: use cases. */
import { assertValid } from '../../domain/input/errors.ts'
import { applyPlanPatch, newPlan, type Plan, planViolations, readPlan, readPlanUpdate } from '../../domain/subscriptions/plan.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { lockOrThrow, recordCreate, recordDelete, recordUpdate } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A plan by its raw id, null when there is none. */
export const plan = recordById('plan', 'anyone', ({ planById }) => planById)

/** All plans, in pages. */
export const plans = recordReads('plans', 'anyone', planTable)

/** Creates a plan, with `data.id` if given. */
export const createPlan = recordCreate({ name: 'createPlan', table: planTable, read: readPlan, create: newPlan })

/**
 * Changes the given attributes of a plan; equal values write nothing. Subscriptions keep their copies (subscription.keeps-its-copies).
 */
export const updatePlan = recordUpdate({
  name: 'updatePlan',
  table: planTable,
  load: (tx, { planId }: { planId: string; data: unknown }) => lockOrThrow(tx, planTable, planId, 'plan'),
  read: ({ planId, data }, _, stored) => readPlanUpdate(data, planId, stored),
  apply: (stored, patch, now) => {
    const updated = applyPlanPatch(stored, patch, now)
    assertValid(planViolations(updated))
    return updated
  },
})

/** Deletes a plan; IN_USE while an offering has it. Subscriptions keep their copies (subscription.keeps-its-copies). */
export const deletePlan = recordDelete<{ planId: string }, Plan>({
  name: 'deletePlan',
  table: planTable,
  inUseAs: 'plan',
  load: (tx, { planId }) => lockOrThrow(tx, planTable, planId, 'plan'),
})
