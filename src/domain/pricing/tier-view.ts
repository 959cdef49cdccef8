/** The tiers that a listing shows beside a price, at one instant (tier.listing-shows-those-in-force). */
import type { CurrencyPrice } from './list-price.ts'
import { type CompiledSale, isUnscheduled } from './sale.ts'
import type { Tier } from './tier.ts'

/** By tier name; a listing shows only the minimum. */
export type TierViews = Readonly<Record<string, { readonly minimum_quantity: number }>>

/**
 * The tiers that hold for `currency`: those of the permanent sale that supplies its price; else the list's, and below the lowest of them
 * those of a scheduled sale that supplies it, where a name in both keeps the list's. Null for none. `sale`: the sale that supplied the
 * price at quantity 1.
 */
export function toTierViews({ tiers }: CurrencyPrice, sale: CompiledSale | null, currency: string): TierViews | null {
  const ofSale = sale?.prices[currency]?.tiers ?? null
  if (sale !== null && isUnscheduled(sale)) return tell(ofSale)
  const [lowest] = tiers ?? []
  if (lowest === undefined || ofSale === null) return tell(tiers ?? ofSale)
  // The list's come last: in a name that both have they stay.
  return tell([...ofSale.filter((tier) => tier.minimum < lowest.minimum), ...(tiers ?? [])])
}

function tell(tiers: readonly Tier[] | null): TierViews | null {
  return tiers === null ? null : Object.fromEntries(tiers.map((tier) => [tier.name, { minimum_quantity: tier.minimum }]))
}
