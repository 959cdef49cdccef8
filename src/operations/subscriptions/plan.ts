/** Plans: use cases. */
import { assertValid } from '../../domain/input/errors.ts'
import type { NewRecord } from '../../domain/input/record.ts'
import {
  applyPlanPatch,
  newPlan,
  type Plan,
  type PlanPatch,
  planViolations,
  readPlan,
  readPlanUpdate,
} from '../../domain/subscriptions/plan.ts'
import { newId } from '../../persistence/database/id.ts'
import { insertRecord } from '../../persistence/database/table.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { command } from '../operation.ts'
import { recordDelete } from '../record-delete.ts'
import { recordById, recordReads } from '../record-reads.ts'
import { lockOrThrow, recordUpdate } from '../record-update.ts'

/** A plan by its raw id, null when there is none. */
export const plan = recordById('plan', 'anyone', ({ planById }) => planById)

/** All plans, in pages. */
export const plans = recordReads('plans', 'anyone', planTable)

/** Creates a plan, with `data.id` if given. */
export const createPlan = command<{ data: unknown }, NewRecord<PlanPatch>, undefined, Plan>({
  name: 'createPlan',
  right: 'admin',
  read: ({ data }) => readPlan(data),
  run: async (tx, { id, patch }, _, ctx) => {
    const created = newPlan(patch, id ?? newId(ctx.now), ctx.now)
    await insertRecord(tx, planTable, created)
    return created
  },
})

/**
 * Changes the given attributes of a plan; equal values write nothing. Subscriptions keep their copies (subscription.keeps-its-copies).
 */
export const updatePlan = recordUpdate({
  name: 'updatePlan',
  table: planTable,
  noun: 'plan',
  idOf: ({ planId }: { planId: string; data: unknown }) => planId,
  read: ({ planId, data }) => readPlanUpdate(data, planId),
  readWithStored: ({ planId, data }, stored) => readPlanUpdate(data, planId, stored),
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
