/** Input of sales: the sales map of a product price as a client writes it. */
import type { PathSegment } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { parseDay } from '../input/instant.ts'
import { SALE_BUNDLES_MAX, SALES_MAX } from '../input/limits.ts'
import { named, sentence } from '../input/sentence.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { type SaleSchedule, scheduleViolations } from './sale-schedule.ts'
import { freeName, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

/**
 * A sale of the input. Bounds are epoch milliseconds, cut from finer input (value.instants-cut-to-milliseconds), null
 * when open.
 */
export interface SaleInput {
  readonly name: string
  readonly validFrom: number | null
  readonly validTo: number | null
  readonly bundleIds: readonly string[]
  readonly currencies: CurrencyPriceRecords
}

/** The bounds of a sale's schedule in epoch milliseconds as they are given: null for open, undefined for absent. */
export interface Bounds {
  readonly from: number | null | undefined
  readonly to: number | null | undefined
}

/**
 * Reads `{ name: { bundle_ids?, schedule?: { valid_from?, valid_to? } | null, currencies? } }`; null means no sales.
 * Violations between the sales come after those inside each. A sale whose schedule can't be read counts among them, but
 * gets no further violation for its schedule.
 */
export function readSales(reader: InputReader, name: PathSegment): SaleInput[] | null | undefined {
  const given = reader.map(name, readSale, { nullable: true, max: SALES_MAX, key: freeName, isName: true })
  if (given == null) return given
  const schedules = [...given].map(
    ([sale, { bounds }]): SaleSchedule => ({ name: sale, from: bounds?.from ?? null, to: bounds?.to ?? null }),
  )
  reader.addViolations(
    name,
    scheduleViolations(schedules).filter(
      ({ path: [sale] }) => typeof sale === 'object' && given.get(sale.key)?.bounds !== undefined,
    ),
  )
  return [...given].map(([sale, { bounds, ...rest }]) => ({
    name: sale,
    validFrom: bounds?.from ?? null,
    validTo: bounds?.to ?? null,
    ...rest,
  }))
}

function readSale(sales: InputReader, name: PathSegment) {
  const sale = sales.object(name)
  const members = sale && readSaleParts(sale, { create: true })
  return {
    bundleIds: members?.bundleIds ?? [],
    bounds: members?.bounds,
    currencies: patchCurrencies({}, members?.currencies ?? new Map()),
  }
}

/** Reads the members of a sale other than its name; `bounds` is undefined when it can't be read. */
export function readSaleParts(sale: InputReader, { create }: { create: boolean }) {
  return {
    bundleIds: readBundleIds(sale),
    bounds: sale.ifValid(() => readBounds(sale)),
    currencies: readCurrencies(sale, { nullable: true, entryNullable: !create }),
  }
}

/** Reads `bundle_ids`: the ids in lower case, as the database stores them, each once. */
export function readBundleIds(sale: InputReader): string[] | null | undefined {
  const ids = sale.list(
    'bundle_ids',
    (elements, index) => elements.text(index, { required: true, format: uuid }) ?? '',
    {
      nullable: true,
      max: SALE_BUNDLES_MAX,
    },
  )
  return ids && [...new Set(ids.map((id) => id.toLowerCase()))]
}

const clearable = { nullable: true }

/**
 * Reads `schedule: { valid_from?, valid_to? }`; null is null for both bounds (patch.objects-merge). In the graph
 * `valid_on: { from?, to? }` stands for both.
 */
export function readBounds(sale: InputReader): Bounds {
  const schedule = sale.object('schedule', clearable)
  if (schedule === null) return { from: null, to: null }
  const days = schedule?.isDocument ? undefined : schedule?.object('valid_on')
  if (schedule && days) return readDays(schedule, days)
  return { from: schedule?.instant('valid_from', clearable), to: schedule?.instant('valid_to', clearable) }
}

/** Reads whole days, the first and the last one included; an absent one is open (sale.whole-days). */
function readDays(schedule: InputReader, days: InputReader): Bounds {
  for (const name of ['valid_from', 'valid_to'])
    if (schedule.raw(name, clearable) != null)
      schedule.addViolation(name, 'INVALID_VALUE', sentence`must not be given beside ${named('valid_on')}`)
  const given = days.ifValid(() => ({ from: readDay(days, 'from', 'start'), to: readDay(days, 'to', 'end') }))
  const { from = null, to = null } = given ?? {}
  if (given && from === null && to === null) schedule.addViolation('valid_on', 'REQUIRED', 'must have from, to or both')
  if (from !== null && to !== null && to <= from) days.addViolation('to', 'OUT_OF_RANGE', 'must not be before from')
  return { from, to }
}

/** The first instant of a day, or of the day after it. */
function readDay(days: InputReader, name: string, bound: 'start' | 'end'): number | undefined {
  const text = days.text(name)
  if (text == null) return undefined
  return parseDay(text, bound) ?? days.addViolation(name, 'INVALID_FORMAT', 'must be a day, such as 2030-11-29')
}
