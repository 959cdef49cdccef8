/** Flat price map of subscription products and plans: currency code to an amount, without tiers. */
import { type MapKey, type PathSegment, prefixPaths, type Violation } from '../input/errors.ts'
import { currencyCode } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { CURRENCIES_MAX } from '../input/limits.ts'
import { atMostKeys } from '../input/sentence.ts'
import { limitParams } from '../input/violation-params.ts'

/** The price in one currency. */
export interface PriceEntry {
  /** Minor units. */
  readonly amount: number
  readonly includes_tax: boolean
}

/** Prices by currency code. Keys are in code order, so that equal maps serialize alike. */
export type PriceMap = Readonly<Record<string, PriceEntry>>

/** One currency of an update: an undefined field keeps what is stored. A new currency includes no tax unless given. */
export interface PriceEntryInput {
  readonly amount: number | undefined
  readonly includes_tax: boolean | undefined
}

/** A partial update of a price map, by currency code: null removes a currency. */
export type PriceMapPatch = ReadonlyMap<string, PriceEntryInput | null>

/**
 * Reads `{ CUR: { amount?, includes_tax? } | null }`. A currency that `stored` lacks must have an amount of at least 0
 * (minor units).
 */
export function readPriceMap(
  reader: InputReader,
  name: PathSegment,
  stored: PriceMap,
): PriceMapPatch | null | undefined {
  const readEntry = (entries: InputReader, code: MapKey): PriceEntryInput | null => {
    const required = !Object.hasOwn(stored, code.key)
    const entry = entries.object(code, { required, nullable: true })
    if (entry === undefined) return { amount: undefined, includes_tax: undefined }
    if (entry === null) return null
    return { amount: entry.integer('amount', { required, min: 0 }) ?? undefined, includes_tax: readIncludesTax(entry) }
  }
  return reader.map(name, readEntry, { nullable: true, max: CURRENCIES_MAX, key: currencyCode })
}

/** Reads the optional flag `includes_tax`; null sets it to false. */
export function readIncludesTax(entry: InputReader): boolean | undefined {
  const value = entry.boolean('includes_tax', { nullable: true })
  return value === null ? false : value
}

/** The price map after the patch. The amount of a new entry was required on reading. */
export function mergePriceMap(stored: PriceMap, patch: PriceMapPatch | null | undefined): PriceMap {
  return mergeCurrencies(stored, patch, (before, given) => ({
    amount: given.amount ?? before?.amount ?? 0,
    includes_tax: given.includes_tax ?? before?.includes_tax ?? false,
  }))
}

/**
 * Merges a patch into a map by currency code (patch.maps-merge-at-every-depth): an absent currency keeps its entry,
 * null removes it, and `mergeEntry` makes a given one from the stored entry and the input. A patch of null removes
 * every currency.
 */
export function mergeCurrencies<Entry, Given>(
  stored: Readonly<Record<string, Entry>>,
  patch: ReadonlyMap<string, Given | null> | null | undefined,
  mergeEntry: (before: Entry | undefined, given: Given) => Entry,
): Readonly<Record<string, Entry>> {
  if (patch === undefined) return stored
  if (patch === null) return {}
  const merged = new Map(Object.entries(stored))
  for (const [code, given] of patch) {
    if (given === null) merged.delete(code)
    else merged.set(code, mergeEntry(merged.get(code), given))
  }
  return Object.fromEntries([...merged].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** TOO_MANY, at the attribute `name`, when the merged map has more than CURRENCIES_MAX currencies. */
export function currencyCountViolations(name: string, prices: object | null): Violation[] {
  return prefixPaths(['attributes', name], tooManyCurrencies(prices))
}

/** TOO_MANY when the merged map has more than CURRENCIES_MAX currencies: a patch may add to what is stored. */
export function tooManyCurrencies(prices: object | null): Violation[] {
  if (Object.keys(prices ?? {}).length <= CURRENCIES_MAX) return []
  const params = limitParams(null, CURRENCIES_MAX)
  return [{ code: 'TOO_MANY', path: [], ...atMostKeys(CURRENCIES_MAX), params }]
}
