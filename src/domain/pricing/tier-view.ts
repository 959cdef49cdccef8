/** Tier view: the tiers that a listing shows beside a price, at one instant (tier.listing-shows-those-that-supply). */
import type { CurrencyPrice } from './list-price.ts'
import { lowerListTier } from './sale-yield.ts'

/** The minimum quantities of tiers by tier name; a listing shows no amounts of tiers. */
export type TierViews = Readonly<Record<string, { readonly minimum_quantity: number }>>

/**
 * The tiers of the list price and of the winning sale that supply the price at their own minimum, by rising minimum;
 * null for none. `sale` is the winning sale's price in the currency. Of two equal names the sale's is shown.
 */
export function toTierViews(list: CurrencyPrice, sale: CurrencyPrice | undefined): TierViews | null {
  const shown = new Map<string, number>()
  for (const { name, minimum } of list.tiers ?? []) {
    if (sale === undefined || lowerListTier(list, sale, minimum) !== null) shown.set(name, minimum)
  }
  for (const { name, minimum } of sale?.tiers ?? []) {
    if (sale !== undefined && lowerListTier(list, sale, minimum) === null) shown.set(name, minimum)
  }
  if (shown.size === 0) return null
  const rising = [...shown].sort(([, one], [, other]) => one - other)
  return Object.fromEntries(rising.map(([name, minimum]) => [name, { minimum_quantity: minimum }]))
}
