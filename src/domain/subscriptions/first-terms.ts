/** The terms that a new subscription asks for beside its plan: items, start, time zone, and billing day. */
import type { Path, Violation } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import {
  AHEAD_YEARS_MAX,
  BILLING_DAY_MAX,
  ITEM_QUANTITY_MAX,
  OFFERING_RECORDS_MAX,
  TIME_ZONE_MAX,
} from '../input/limits.ts'
import { readPartly } from '../input/read-input.ts'
import type { PartialResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import { limitParams } from '../input/violation-params.ts'
import type { Agreement, Item } from './agreement.ts'
import { fullAmount, sumOf } from './cover.ts'
import { lifeOf } from './life.ts'
import { invoiceAt } from './life-readings.ts'
import { isTimeZone } from './local-time.ts'
import type { ComposedOffering } from './offering.ts'

/** A product to subscribe to. */
export interface AskedItem {
  readonly productId: string
  readonly quantity: number
}

/** What is asked for; null by default. */
export interface AskedTerms {
  /** Null: all products of the offering, one each. */
  readonly items: readonly AskedItem[] | null
  /** Epoch milliseconds; null: now. */
  readonly startsAt: number | null
  readonly timeZone: string | null
  readonly billingDay: number | null
  /** Whether items may have no price in the currency. */
  readonly allowUnpriced: boolean
  /** Whether the account may have no other subscription to the offering that has not ended. */
  readonly onlyOne: boolean
}

/** What is asked for by default, and by REST. */
export const plainTerms: AskedTerms = {
  items: null,
  startsAt: null,
  timeZone: null,
  billingDay: null,
  allowUnpriced: false,
  onlyOne: false,
}

/** Reads the terms of a new subscription. A member with a violation is null. */
export function readTerms(data: unknown, now: number): PartialResult<AskedTerms> {
  return readPartly(
    data,
    (reader) => {
      const timeZone = reader.text('time_zone', { max: TIME_ZONE_MAX }) ?? null
      if (timeZone !== null && !isTimeZone(timeZone))
        reader.addViolation(
          'time_zone',
          'INVALID_VALUE',
          'must be a time zone of the IANA database, such as Europe/Zurich',
        )
      return {
        items: readItems(reader) ?? null,
        startsAt: readAhead(reader, 'starts_at', now) ?? null,
        timeZone,
        billingDay: reader.integer('billing_day', { min: 1, max: BILLING_DAY_MAX }) ?? null,
        allowUnpriced: reader.boolean('allow_unpriced') ?? false,
        onlyOne: reader.boolean('only_one') ?? false,
      }
    },
    newRecord,
  )
}

/** Reads a list of items, each of another product. */
export function readItems(reader: InputReader): AskedItem[] | null | undefined {
  const seen = new Set<string>()
  const read = reader.list(
    'items',
    (list, index) => {
      const entry = list.object(index, { required: true })
      const productId = entry?.text('product_id', { required: true, format: uuid })?.toLowerCase()
      const quantity = entry?.integer('quantity', { min: 1, max: ITEM_QUANTITY_MAX }) ?? 1
      if (productId !== undefined && seen.has(productId))
        list.addViolation(index, 'DUPLICATE', 'names the product of another entry')
      if (productId !== undefined) seen.add(productId)
      return { productId: productId ?? '', quantity }
    },
    { max: OFFERING_RECORDS_MAX },
  )
  if (read?.length === 0) return reader.addViolation('items', 'REQUIRED', 'must have an entry, or be left out')
  return read
}

/** Reads an instant from now to a hundred years ahead. */
export function readAhead(reader: InputReader, name: string, now: number): number | null | undefined {
  const at = reader.instant(name)
  if (at == null) return at
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + AHEAD_YEARS_MAX)
  if (at >= now && at <= latest.getTime()) return at
  return reader.addViolation(name, 'OUT_OF_RANGE', `must be from now to ${AHEAD_YEARS_MAX} years ahead`)
}

/** The items that are asked for: by default all of the offering. */
export function askedItems(
  { items }: AskedTerms,
  offering: Pick<ComposedOffering, 'productIds'>,
): readonly AskedItem[] {
  return items ?? offering.productIds.map((productId) => ({ productId, quantity: 1 }))
}

/** Violations of items that the offering does not have. */
export function notOffered(
  items: readonly AskedItem[],
  { productIds }: Pick<ComposedOffering, 'productIds'>,
): Violation[] {
  const offered = new Set(productIds)
  return items.flatMap(({ productId }, index) =>
    offered.has(productId)
      ? []
      : [
          {
            code: 'PRODUCT_NOT_OFFERED' as const,
            path: ['items', index, 'product_id'],
            message: 'the product does not belong to the offering',
          },
        ],
  )
}

/** Violations of items without a price in the currency. */
export function unpriced(items: readonly Item[], currency: string, isListed: boolean): Violation[] {
  return items.flatMap(({ unitAmount, name, productId }, index) => {
    if (unitAmount !== null) return []
    const path: Path = isListed ? ['items', index] : ['currency']
    const message = `the product ${name ?? productId} has no price in ${currency}`
    return [{ code: 'NO_PRICE_IN_CURRENCY' as const, path, message }]
  })
}

/** One violation when an amount or a sum of an agreement's invoices is beyond 2^53-1 (subscription.exact-sums). */
export function inexactSums(agreement: Agreement, path: Path): Violation[] {
  const life = lifeOf(agreement)
  const isExact = life.stretches.every(({ items, from }) => {
    if (items.some((item) => item.unitAmount !== null && fullAmount(item) === null)) return false
    const lines = items.map((item) => ({ item, reason: 'period' as const, amount: fullAmount(item) }))
    const due = invoiceAt(life, from)?.lines ?? []
    return [lines, due].every((all) => all.some(({ amount }) => amount === null) || sumOf(all) !== null)
  })
  if (isExact) return []
  const message = 'an amount of an invoice would be beyond 9007199254740991'
  return [{ code: 'OUT_OF_RANGE', path, message, params: limitParams(null, Number.MAX_SAFE_INTEGER) }]
}
