/** The plain price map of subscription products and plans (contract 2.2): currency code to an amount that must be there. */

import type { PathSegment } from './errors.ts'
import { currencyCode } from './formats.ts'
import type { MemberRule, Reader } from './read.ts'

export interface PriceEntry {
  /** Minor units. */
  readonly amount: number
  readonly includes_tax: boolean
}

/** By currency code; keys in code order, so that equal maps serialize alike. */
export type PriceMap = Readonly<Record<string, PriceEntry>>

/** A partial update of a price map: null removes a currency. */
export type PriceMapPatch = ReadonlyMap<string, PriceEntry | null>

/** Reads `{ CUR: { amount, includes_tax? } | null }` (contract 4.1; VAL-1, VAL-2). Without `entryNullable` an entry must not be null. */
export function readPriceMap(
  reader: Reader,
  name: PathSegment,
  rule: MemberRule & { readonly entryNullable?: boolean },
): PriceMapPatch | null | undefined {
  return reader.map(
    name,
    (entries, code) => {
      const entry = entries.object(code, { nullable: rule.entryNullable ?? false })
      if (entry == null) return null
      const amount = entry.integer('amount', { required: true, min: 0 }) ?? 0
      return { amount, includes_tax: entry.boolean('includes_tax', { nullable: true }) ?? false }
    },
    { ...rule, key: currencyCode },
  )
}

/** SUBP-2: a given currency is set, a null one removed, others keep theirs. Works on any map by currency code. */
export function mergePriceMap<Entry>(
  stored: Readonly<Record<string, Entry>>,
  patch: ReadonlyMap<string, Entry | null> | null | undefined,
): Readonly<Record<string, Entry>> {
  if (patch === undefined) return stored
  if (patch === null) return {}
  const merged = new Map<string, Entry | null>([...Object.entries(stored), ...patch])
  const kept = [...merged].filter((entry): entry is [string, Entry] => entry[1] !== null)
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
}
