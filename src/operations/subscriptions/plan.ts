/** Use cases of plans. */
import { assertValid } from '../../domain/input/errors.ts'
import {
  applyPlanPatch,
  type NewPlan,
  newPlan,
  type Plan,
  planViolations,
  readPlan,
  readPlanUpdate,
} from '../../domain/subscriptions/plan.ts'
import { newId } from '../../persistence/database/id.ts'
import { countWithSamples, deleteRecord, insertRecord } from '../../persistence/database/table.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { command, query } from '../operation.ts'
import { recordReads } from '../record-list.ts'
import { lockOrThrow, recordUpdate } from '../record-update.ts'
import { assertNotReferenced } from '../referencing-records.ts'

/** One plan by its raw id, null when there is none. */
export const plan = query({
  name: 'plan',
  right: 'anyone',
  run: (ctx, { id }: { id: string }) => ctx.loaders.planById.load(id),
})

export const plans = recordReads('plans', 'anyone', planTable)

/** A new plan of `data`, with `data.id` when that is given. */
export const createPlan = command<{ data: unknown }, NewPlan, undefined, Plan>({
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
 * Changes the attributes given, and nothing when they equal what is stored. Subscriptions keep their copies
 * (subscription.keeps-its-copies).
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

/** Deletes a plan that no offering has (IN_USE otherwise). Subscriptions keep their copies (subscription.keeps-its-copies). */
export const deletePlan = command<{ planId: string }, undefined, Plan, Plan>({
  name: 'deletePlan',
  right: 'admin',
  read: () => ({ value: undefined, violations: [] }),
  load: (tx, { planId }) => lockOrThrow(tx, planTable, planId, 'plan'),
  run: async (tx, _, stored) => {
    assertNotReferenced([{ noun: 'offering', ...(await countWithSamples(tx, 'offering', { plans: { some: { planId: stored.id } } })) }])
    await deleteRecord(tx, 'plan', stored.id)
    return stored
  },
})
