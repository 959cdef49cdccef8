import { describe, expect, test } from 'vitest'
import { formatPath } from '../../../src/domain/input/errors.ts'
import { parseInstant } from '../../../src/domain/input/instant.ts'
import { type SaleSchedule, scheduleViolations } from '../../../src/domain/pricing/sale-schedule.ts'

const violationsOf = (...sales: [string, number | null, number | null][]) =>
  scheduleViolations(sales.map(([name, from, to]): SaleSchedule => ({ name, from, to }))).map(
    ({ code, path }) => `${code} ${formatPath(path)}`,
  )

describe('the schedules of the sales of one product price', () => {
  test('sale.schedules-differ, sale.rules-hold-per-price: of two sales with equal schedules the later one has a violation', () => {
    expect(violationsOf(['a', 1, 5], ['b', 1, 6], ['c', 1, 5])).toEqual(['SALE_SCHEDULE_DUPLICATE c.schedule'])
    expect(violationsOf(['a', 1, null], ['b', 1, null])).toEqual(['SALE_SCHEDULE_DUPLICATE b.schedule'])
    expect(violationsOf(['a', null, 5], ['b', 5, null], ['c', 1, 5])).toEqual([])
  })

  test('sale.schedules-differ, value.instants-cut-to-milliseconds: schedules of sales are compared as instants, cut to milliseconds', () => {
    const one = parseInstant('2026-03-01T10:00:00.0001Z')
    const other = parseInstant('2026-03-01T11:00:00.0009+01:00')
    expect(violationsOf(['a', one, null], ['b', other, null])).toEqual(['SALE_SCHEDULE_DUPLICATE b.schedule'])
  })

  test('sale.several-need-schedules: a single sale needs no schedule, but of several sales each one needs one', () => {
    expect(violationsOf(['a', null, null])).toEqual([])
    expect(violationsOf(['a', null, null], ['b', 1, 2])).toEqual(['SALE_SCHEDULE_REQUIRED a.schedule'])
    expect(violationsOf(['a', null, null], ['b', null, null])).toEqual([
      'SALE_SCHEDULE_REQUIRED a.schedule',
      'SALE_SCHEDULE_REQUIRED b.schedule',
    ])
    expect(violationsOf()).toEqual([])
  })

  test('sale.one-bound-is-a-schedule: a sale with one open bound may stand beside other sales', () => {
    expect(violationsOf(['a', 1, null], ['b', null, 2], ['c', 1, 2])).toEqual([])
  })

  test('sale.ends-after-it-starts: valid_to of a sale must be at least a millisecond after valid_from', () => {
    expect(violationsOf(['a', 5, 5], ['b', 5, 4], ['c', 5, 6])).toEqual([
      'SALE_SCHEDULE_INVALID a.schedule.valid_to',
      'SALE_SCHEDULE_INVALID b.schedule.valid_to',
    ])
  })

  test('violations of schedules are all listed, sale by sale in their order', () => {
    expect(violationsOf(['a', 2, 1], ['b', null, null], ['c', 2, 1])).toEqual([
      'SALE_SCHEDULE_INVALID a.schedule.valid_to',
      'SALE_SCHEDULE_REQUIRED b.schedule',
      'SALE_SCHEDULE_DUPLICATE c.schedule',
      'SALE_SCHEDULE_INVALID c.schedule.valid_to',
    ])
  })
})
