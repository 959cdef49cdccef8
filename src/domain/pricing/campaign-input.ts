/** Input of campaigns: which prices a call is for, and what it does to their sales. */
import { key, type PathSegment } from '../input/errors.ts'
import { currencyCode } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import {
  CURRENCIES_MAX,
  FREE_NAME_MAX,
  PERCENT_DECIMALS_MAX,
  PERCENT_OFF_MAX,
  ROUNDING_ENDING_MAX,
  ROUNDING_STEP_MAX,
} from '../input/limits.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import { named, sentence } from '../input/sentence.ts'
import { limitParams } from '../input/violation-params.ts'
import { type CampaignTarget, readCampaignTarget } from './campaign-target.ts'
import { PERCENT_PARTS, type Rounding } from './sale-amount.ts'
import { readSaleName } from './sale-change.ts'
import { readBounds, readBundleIds } from './sale-input.ts'
import { scheduleViolations } from './sale-schedule.ts'
import { type CurrenciesPatch, readCurrencies } from './tiered-price-input.ts'

/** What makes the sale prices: one of the three. Maps are by currency, amounts in minor units. */
export interface SaleChange {
  /** See `Reduction`. */
  readonly percentParts?: number | undefined
  readonly amountOff?: ReadonlyMap<string, number> | undefined
  readonly prices?: CurrenciesPatch | undefined
}

/** A sale to put on many prices. */
export interface SaleCampaign {
  readonly target: CampaignTarget
  readonly name: string
  /** The bounds of its schedule in epoch milliseconds; null when open. */
  readonly bounds: { readonly from: number | null; readonly to: number | null }
  readonly bundleIds: readonly string[]
  readonly change: SaleChange
  /** The currencies that get a sale price; null: all for which the change has an amount. */
  readonly currencies: ReadonlySet<string> | null
  /** By currency; amounts in other currencies are rounded to the minor unit. */
  readonly roundings: ReadonlyMap<string, Rounding>
}

/** The sales of one name that a call removes or ends; with a null target, all of them in the book. */
export interface NamedSales {
  readonly target: CampaignTarget | null
  readonly name: string
  /** The new end of the sales in epoch milliseconds; null: the instant of the request. */
  readonly at: number | null
}

/**
 * Reads `{ skus | rows | filter, name, schedule?, bundle_ids?, change, currencies?, rounding? }`, where `change` is one
 * of `{ percent_off | amount_off | currencies }`; `amount_off` and `rounding` are maps by currency, of amounts and of
 * `{ step } | { ending }`.
 */
export function readSaleCampaign(data: unknown): ReadResult<SaleCampaign> {
  return readInput(
    data,
    (reader) => {
      const target = readCampaignTarget(reader, { required: true })
      const name = readSaleName(reader, true)
      const given = reader.ifValid(() => readBounds(reader))
      const bounds = { from: given?.from ?? null, to: given?.to ?? null }
      // A schedule alone can break only the rule on its own order.
      for (const { path, ...violation } of scheduleViolations([{ name: '', ...bounds }]))
        reader.addViolations('schedule', [{ ...violation, path: path.slice(2) }])
      const bundleIds = readBundleIds(reader) ?? []
      const change = readChange(reader)
      const currencies = reader.list('currencies', readCurrency, { nullable: true, max: CURRENCIES_MAX })
      const roundings = reader.map('rounding', readRounding, { nullable: true, max: CURRENCIES_MAX, key: currencyCode })
      if (!target || name === undefined || !change) return undefined
      const only = currencies ? new Set(currencies) : null
      return { target, name, bounds, bundleIds, change, currencies: only, roundings: roundings ?? new Map() }
    },
    newRecord,
  )
}

/** Reads `{ name, skus? | rows? | filter?, at? }`. */
export function readNamedSales(data: unknown): ReadResult<NamedSales> {
  return readInput(data, (reader) => {
    const target = readCampaignTarget(reader, { required: false }) ?? null
    const name = reader.text('name', { required: true, min: 1, max: FREE_NAME_MAX }) ?? undefined
    return name === undefined ? undefined : { target, name, at: reader.instant('at', { nullable: true }) ?? null }
  })
}

function readChange(reader: InputReader): SaleChange | undefined {
  const change = reader.object('change', { required: true })
  if (!change) return undefined
  const given = ['percent_off', 'amount_off', 'currencies'].filter(
    (name) => change.raw(name, { nullable: true }) != null,
  )
  if (given.length !== 1)
    return reader.addViolation(
      'change',
      'INVALID_VALUE',
      sentence`must have exactly one of ${named('percent_off')}, ${named('amount_off')} and prices`,
    )
  return {
    percentParts: readPercent(change),
    amountOff:
      change.map('amount_off', (entries, code) => entries.integer(code, { required: true, min: 1 }) ?? 0, {
        nullable: true,
        max: CURRENCIES_MAX,
        key: currencyCode,
      }) ?? undefined,
    prices: readPrices(change),
  }
}

/** Reads the prices of a sale, each with an amount: without one it would change no price. */
function readPrices(change: InputReader): CurrenciesPatch | undefined {
  const prices = change.ifValid(() => readCurrencies(change, { nullable: true })) ?? undefined
  for (const [code, price] of prices ?? [])
    if (price?.amount == null)
      change.addViolations('currencies', [{ code: 'REQUIRED', path: [key(code), 'amount'], message: 'must be given' }])
  return prices
}

/**
 * Reads a percentage as an integer of parts of a per cent. No two decimals with so few digits have the same nearest
 * number, so rounding loses nothing.
 */
function readPercent(change: InputReader): number | undefined {
  const percent = change.raw('percent_off', { nullable: true })
  if (percent == null) return undefined
  if (typeof percent !== 'number') return change.addViolation('percent_off', 'INVALID_TYPE', 'must be a number')
  const parts = Math.round(percent * PERCENT_PARTS)
  if (percent > 0 && percent <= PERCENT_OFF_MAX && parts / PERCENT_PARTS === percent) return parts
  const message = `must be above 0 and at most ${PERCENT_OFF_MAX}, with at most ${PERCENT_DECIMALS_MAX} decimals`
  return change.addViolation('percent_off', 'OUT_OF_RANGE', message, limitParams(null, PERCENT_OFF_MAX))
}

function readCurrency(currencies: InputReader, index: number): string {
  return currencies.text(index, { required: true, format: currencyCode }) ?? ''
}

function readRounding(roundings: InputReader, code: PathSegment): Rounding {
  const to = roundings.object(code, { required: true })
  const step = to?.integer('step', { nullable: true, min: 1, max: ROUNDING_STEP_MAX })
  const digits = to?.text('ending', { nullable: true, min: 1, max: ROUNDING_ENDING_MAX, format: onlyDigits })
  if (to && (to.raw('step', { nullable: true }) == null) === (to.raw('ending', { nullable: true }) == null))
    roundings.addViolation(code, 'INVALID_VALUE', 'must have either step or ending')
  return digits == null ? { step: step ?? 1, ending: 0 } : { step: 10 ** digits.length, ending: Number(digits) }
}

function onlyDigits(text: string): string | undefined {
  return /^\d+$/.test(text) ? undefined : 'must be of digits'
}
