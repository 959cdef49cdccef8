/** Bulk mode: whether one refused row of a call that writes many prevents the others. */
import { builder } from '../schema/builder.ts'
import type { InputBuilder } from '../schema/define-mutation.ts'

const BulkMode = builder.enumType('BulkMode', {
  description: 'What a row that breaks a rule does to the others.',
  values: {
    ALL_OR_NOTHING: { value: 'all_or_nothing', description: 'Nothing is written; the userErrors name the rows.' },
    PER_ROW: { value: 'per_row', description: 'The others are written; each result says what became of its row.' },
  },
} as const)

/** The fields `mode` and `dryRun` of a mutation that writes many rows. */
export function bulkFields(t: InputBuilder) {
  return {
    mode: t.field({
      type: BulkMode,
      required: true,
      defaultValue: 'all_or_nothing',
      description: 'What a row that breaks a rule does to the others.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether to return what the call would do and write nothing.',
    }),
  }
}
