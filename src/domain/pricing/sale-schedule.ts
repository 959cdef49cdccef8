/** Sale schedules: which schedules the sales of one product price may have together. */
import { key, type Violation } from '../input/errors.ts'
import { named, sentence } from '../input/sentence.ts'
import { keyParams } from '../input/violation-params.ts'

/**
 * A sale's bounds in epoch milliseconds, cut from finer input (value.instants-cut-to-milliseconds), null when open.
 * Both null is no schedule (sale.schedules-differ, sale.one-bound-is-a-schedule).
 */
export interface SaleSchedule {
  readonly name: string
  readonly from: number | null
  readonly to: number | null
}

/**
 * The violations of `sales`, all sales of one SKU in one price book, in their order; paths start at a sale's name.
 * Bundle ids make no difference (sale.schedules-differ). Of two equal schedules the later sale has the violation; of
 * several sales, each without a schedule has one.
 */
export function scheduleViolations(sales: readonly SaleSchedule[]): Violation[] {
  const violations: Violation[] = []
  const first = new Map<string, string>()
  for (const { name, from, to } of sales) {
    const path = [key(name), 'schedule']
    if (from === null && to === null) {
      if (sales.length > 1) {
        const message = `sale "${name}" needs a schedule, since it is not the only sale`
        violations.push({ code: 'SALE_SCHEDULE_REQUIRED', path, message, params: keyParams(name) })
      }
      continue
    }
    const other = first.get(`${from} ${to}`)
    if (other === undefined) first.set(`${from} ${to}`, name)
    else {
      const message = `sale "${name}" has exactly the schedule of sale "${other}"`
      violations.push({ code: 'SALE_SCHEDULE_DUPLICATE', path, message, params: keyParams(name, other) })
    }
    if (from !== null && to !== null && to <= from) {
      violations.push({
        code: 'SALE_SCHEDULE_INVALID',
        path: [...path, 'valid_to'],
        ...sentence`must be after ${named('valid_from')}`,
      })
    }
  }
  return violations
}
