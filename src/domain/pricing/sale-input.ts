/** The sales map of a product price as a client writes it. */

import type { PathSegment } from '../input/errors.ts'
import { dateTime, uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { parseInstant } from '../input/instant.ts'
import { SALE_BUNDLES_MAX, SALES_MAX } from '../input/limits.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { type SaleSchedule, scheduleViolations } from './sale-schedule.ts'
import { freeName, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

/** A sale as given; bounds in epoch milliseconds, cut to them (value.instants-cut-to-milliseconds), null when open. */
export interface SaleInput {
  readonly name: string
  readonly validFrom: number | null
  readonly validTo: number | null
  readonly bundleIds: readonly string[]
  readonly currencies: CurrencyPriceRecords
}

/** A sale's schedule as given; null where a bound is open. */
export interface Bounds {
  readonly from: number | null
  readonly to: number | null
}

/**
 * Reads `{ name: { bundle_ids?, schedule?: { valid_from?, valid_to? } | null, currencies? } }`; null is none. Rules between the sales
 * follow what is wrong inside each; a sale whose own schedule can't be read counts as one, but is told no more of it.
 */
export function readSales(reader: InputReader, name: PathSegment): SaleInput[] | null | undefined {
  const given = reader.map(name, readSale, { nullable: true, max: SALES_MAX, key: freeName })
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
  const parts = sale && readSaleParts(sale, { create: true })
  return { bundleIds: parts?.bundleIds ?? [], bounds: parts?.bounds, currencies: patchCurrencies({}, parts?.currencies ?? new Map()) }
}

/** What a sale is made of. `bounds` are undefined when they can't be read; in an update (`create` false) also when none are given. */
export function readSaleParts(sale: InputReader, { create }: { create: boolean }) {
  const given = create || sale.raw('schedule', { nullable: true }) !== undefined
  return {
    bundleIds: readBundleIds(sale),
    bounds: given ? sale.ifValid(() => readBounds(sale)) : undefined,
    currencies: readCurrencies(sale, 'currencies', { nullable: true, entryNullable: !create }),
  }
}

/** Kept in lower case as the database does, each id once. */
function readBundleIds(sale: InputReader): string[] | null | undefined {
  const ids = sale.list('bundle_ids', (elements, index) => elements.text(index, { required: true, format: uuid }) ?? '', {
    nullable: true,
    max: SALE_BUNDLES_MAX,
  })
  return ids && [...new Set(ids.map((id) => id.toLowerCase()))]
}

function readBounds(sale: InputReader): Bounds {
  const schedule = sale.object('schedule', { nullable: true })
  return { from: readInstant(schedule, 'valid_from'), to: readInstant(schedule, 'valid_to') }
}

function readInstant(schedule: InputReader | null | undefined, name: string): number | null {
  const text = schedule?.text(name, { nullable: true, format: dateTime })
  return text == null ? null : parseInstant(text)
}
