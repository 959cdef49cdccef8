/** Labels: use cases. Names of sales, tiers, tags and attributes in languages (label.one-per-name). */

import type { Label } from '../../domain/catalog/label.ts'
import { labelRecord } from '../../domain/catalog/label.ts'
import { countViolations, type LabelRow, planLabels, readLabelRows } from '../../domain/catalog/label-upsert.ts'
import { assertValid } from '../../domain/input/errors.ts'
import { makeRecord } from '../../domain/input/record-change.ts'
import { readNew } from '../../domain/input/record-reader.ts'
import { labelCount, labelTable, lockLabels, lockNewLabels, writeLabels } from '../../persistence/catalog/label.ts'
import { newId } from '../../persistence/database/id.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { command } from '../operation.ts'
import { recordCommands, recordCreate } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A label by its raw id, null when there is none. */
export const label = recordById('admin', ({ labelById }) => labelById)

/** All labels, in pages. */
export const labels = recordReads('admin', labelTable)

/** Creates a label of an import. */
export const createLabel = recordCreate({
  name: 'createLabel',
  table: labelTable,
  read: (data: unknown) => readNew(labelRecord, data),
  create: async (given, id, now, _, tx) => {
    await lockNewLabels(tx)
    await assertRoom(tx, 1)
    return makeRecord(labelRecord, given, id, now)
  },
})

/** Changes a label by an import. */
export const { update: updateLabel } = recordCommands('Label', {
  record: labelRecord,
  table: labelTable,
  noun: 'label',
})

/**
 * Sets what names are called in languages, each in the form of a new label; a row without languages deletes its label.
 * Returns the labels of the other rows, in their order. All rows are written or none. Six statements at most, and one
 * for the change log.
 */
export const upsertLabels = command<{ readonly rows: readonly unknown[] }, readonly LabelRow[], void, readonly Label[]>(
  {
    name: 'upsertLabels',
    right: 'admin',
    read: ({ rows }) => readLabelRows(rows),
    run: async (tx, rows, _, ctx) => {
      await lockNewLabels(tx)
      const plan = planLabels(rows, await lockLabels(tx, rows), ctx.now, () => newId(ctx.now))
      if (plan.inserts.length > 0) await assertRoom(tx, plan.inserts.length - plan.deletes.length)
      await writeLabels(tx, plan)
      return plan.labels
    },
  },
)

/** Throws TOO_MANY when a store has no room for so many more labels (label.ten-thousand). */
async function assertRoom(tx: Transaction, more: number): Promise<void> {
  assertValid(countViolations((await labelCount(tx)) + more))
}
