/** Tier view: the tiers that a listing shows beside a price, at one instant (tier.listing-shows-those-in-force). */
import type { CurrencyPrice } from './list-price.ts'
import { type CompiledSale, isUnscheduled } from './sale.ts'
import type { Tier } from './tier.ts'

/** The minimum quantities of tiers by tier name; a listing shows no amounts of tiers. */
export type TierViews = Readonly<Record<string, { readonly minimum_quantity: number }>>

/**
 * The tiers in force for `currency`, null for none. `sale` is the sale that supplied the price at quantity 1. A permanent sale's own tiers
 * apply; otherwise the list's, and below the lowest of them those of a scheduled sale.
 */
export function toTierViews({ tiers }: CurrencyPrice, sale: CompiledSale | null, currency: string): TierViews | null {
  const saleTiers = sale?.prices[currency]?.tiers ?? null
  if (sale !== null && isUnscheduled(sale)) return minimums(saleTiers)
  const [lowest] = tiers ?? []
  if (lowest === undefined || saleTiers === null) return minimums(tiers ?? saleTiers)
  // List tiers come last, so that they replace a sale's tiers of the same name.
  return minimums([...saleTiers.filter((tier) => tier.minimum < lowest.minimum), ...(tiers ?? [])])
}

function minimums(tiers: readonly Tier[] | null): TierViews | null {
  return tiers === null ? null : Object.fromEntries(tiers.map((tier) => [tier.name, { minimum_quantity: tier.minimum }]))
}
