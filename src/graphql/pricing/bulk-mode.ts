/** Bulk mode: whether one refused row of a call that writes many prevents the others. */
import type { BulkMode } from '../../operations/pricing/product-price-upsert.ts'
import type { InputBuilder } from '../schema/define-mutation.ts'
import { wordEnum } from '../schema/word-enum.ts'

const BulkModeEnum = wordEnum('BulkMode', 'What a row that breaks a rule does to the others.', {
  all_or_nothing: 'Nothing is written; the userErrors name the rows.',
  per_row: 'The others are written; each result says what became of its row.',
})

/**
 * The fields `mode` and `dryRun` of a mutation that writes many rows: nullable, as all input fields with a default
 * (record-connection.ts).
 */
export function bulkFields(t: InputBuilder) {
  return {
    mode: t.field({
      type: BulkModeEnum,
      defaultValue: 'all_or_nothing',
      description: 'What a row that breaks a rule does to the others.',
    }),
    dryRun: t.boolean({
      defaultValue: false,
      description: 'Whether to return what the call would do and write nothing.',
    }),
  }
}

interface BulkInput {
  readonly mode?: BulkMode | null | undefined
  readonly dryRun?: boolean | null | undefined
}

/** The values with defaults for absent ones. */
export function bulkOptions({ mode, dryRun }: BulkInput): { readonly mode: BulkMode; readonly dryRun: boolean } {
  return { mode: mode ?? 'all_or_nothing', dryRun: dryRun ?? false }
}
