/** Partial updates: random updates of price maps, and a naive merge of plain JSON that gives the expected result. */
import fc from 'fast-check'

export interface Tiers {
  readonly [name: string]: { readonly minimum_quantity: number; readonly amount: number | null }
}

export interface Entry {
  readonly amount?: number | null
  readonly includes_tax?: boolean | null
  readonly tiers?: Tiers | null
}

/** Undefined: absent. */
export type MapPatch = Readonly<Record<string, Entry | null>> | null | undefined

const amount = fc.constantFrom(0, 100, 200)
const includesTax = fc.constantFrom(true, false, null)
const tierSet = fc.constantFrom<Tiers | null>(
  null,
  {},
  { pair: { minimum_quantity: 2, amount: 90 } },
  { case: { minimum_quantity: 12, amount: null }, pair: { minimum_quantity: 2, amount: 80 } },
)

function mapPatch(entry: fc.Arbitrary<Entry>): fc.Arbitrary<MapPatch> {
  const map = fc.dictionary(fc.constantFrom('EUR', 'GBP', 'USD'), fc.option(entry, { freq: 4 }), {
    noNullPrototype: true,
  })
  return fc.oneof({ arbitrary: map, weight: 10 }, { arbitrary: fc.constantFrom(null, undefined), weight: 1 })
}

/** Updates of the maps of subscription products and plans. */
export const flatPatch = mapPatch(fc.record({ amount, includes_tax: includesTax }, { requiredKeys: [] }))

/** Updates of the maps of product prices, sales and modifiers. */
export const tieredPatch = mapPatch(
  fc.record(
    { amount: fc.option(amount, { freq: 3 }), includes_tax: includesTax, tiers: tierSet },
    { requiredKeys: [] },
  ),
)

/** The new currencies without an amount, for which a flat update is refused. */
export function incomplete(stored: object, patch: MapPatch): string[] {
  return Object.entries(patch ?? {}).flatMap(([code, entry]) =>
    entry && entry.amount === undefined && !(code in stored) ? [code] : [],
  )
}

/** The map after an accepted update: absent keeps, null clears, a value sets. */
export function mergedMap(stored: Readonly<Record<string, Entry>>, patch: MapPatch): Record<string, Entry> {
  if (patch === null) return {}
  const merged: Record<string, Entry> = { ...stored }
  for (const [code, given] of Object.entries(patch ?? {})) {
    const { amount: before = null, includes_tax: taxed = false, tiers: tiersBefore = {} } = merged[code] ?? {}
    delete merged[code]
    if (given === null) continue
    const tiers = given.tiers === undefined ? tiersBefore : given.tiers
    merged[code] = {
      amount: given.amount === undefined ? before : given.amount,
      includes_tax: given.includes_tax === undefined ? taxed : given.includes_tax === true,
      ...(tiers && Object.keys(tiers).length > 0 && { tiers }),
    }
  }
  return merged
}
