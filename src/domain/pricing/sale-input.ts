/** Input of sales: the sales map of a product price as a client writes it. */
import type { PathSegment } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { SALE_BUNDLES_MAX, SALES_MAX } from '../input/limits.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { type SaleSchedule, scheduleViolations } from './sale-schedule.ts'
import { freeName, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

/** A sale of the input. Bounds are epoch milliseconds, cut from finer input (value.instants-cut-to-milliseconds), null when open. */
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
 * Reads `{ name: { bundle_ids?, schedule?: { valid_from?, valid_to? } | null, currencies? } }`; null means no sales. Violations between
 * the sales come after those inside each. A sale whose schedule can't be read counts among them, but gets no further violation for its
 * schedule.
 */
export function readSales(reader: InputReader, name: PathSegment): SaleInput[] | null | undefined {
  const given = reader.map(name, readSale, { nullable: true, max: SALES_MAX, key: freeName, isName: true })
  if (given == null) return given
  const schedules = [...given].map(
    ([sale, { bounds }]): SaleSchedule => ({ name: sale, from: bounds?.from ?? null, to: bounds?.to ?? null }),
  )
  reader.addViolations(
    name,
    scheduleViolations(schedules).filter(({ path: [sale] }) => typeof sale === 'object' && given.get(sale.key)?.bounds !== undefined),
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
  return { bundleIds: members?.bundleIds ?? [], bounds: members?.bounds, currencies: patchCurrencies({}, members?.currencies ?? new Map()) }
}

/** Reads the members of a sale beside its name; `bounds` is undefined when it can't be read. */
export function readSaleParts(sale: InputReader, { create }: { create: boolean }) {
  return {
    bundleIds: readBundleIds(sale),
    bounds: sale.ifValid(() => readBounds(sale)),
    currencies: readCurrencies(sale, { nullable: true, entryNullable: !create }),
  }
}

/** Reads `bundle_ids`: the ids in lower case, as the database stores them, each once. */
export function readBundleIds(sale: InputReader): string[] | null | undefined {
  const ids = sale.list('bundle_ids', (elements, index) => elements.text(index, { required: true, format: uuid }) ?? '', {
    nullable: true,
    max: SALE_BUNDLES_MAX,
  })
  return ids && [...new Set(ids.map((id) => id.toLowerCase()))]
}

const clearable = { nullable: true }

/** Reads `schedule: { valid_from?, valid_to? }`; null is null for both bounds (patch.objects-merge). */
export function readBounds(sale: InputReader): Bounds {
  const schedule = sale.object('schedule', clearable)
  if (schedule === null) return { from: null, to: null }
  return { from: schedule?.instant('valid_from', clearable), to: schedule?.instant('valid_to', clearable) }
}
