/** How a listing tells price modifiers (modifier.listed-without-sales). */

import type { CurrencyPrice } from './list-price.ts'
import type { CompiledModifier } from './modifier.ts'
import type { ModifierType } from './price-record.ts'

export interface ModifierPriceView {
  readonly amount: number
  readonly includes_tax: boolean
  readonly tiers?: Readonly<Record<string, { readonly minimum_quantity: number; readonly amount: number }>>
}

/** A modifier never has sale keys; its display price is made from `currencies` at the edge. */
export interface ModifierView {
  readonly modifier_type: ModifierType
  /** By currency code, those that have an amount (modifier.skipped-without-amount). */
  readonly currencies: Readonly<Record<string, ModifierPriceView>>
}

/** By name; names are the client's. */
export function toModifierViews(modifiers: readonly CompiledModifier[]): Readonly<Record<string, ModifierView>> {
  return Object.fromEntries(
    modifiers.map(({ name, type, prices }) => {
      const currencies = Object.entries(prices).map(([currency, price]) => [currency, listPrice(price)] as const)
      return [name, { modifier_type: type, currencies: Object.fromEntries(currencies) }]
    }),
  )
}

function listPrice({ amount, includesTax, tiers }: CurrencyPrice): ModifierPriceView {
  const listed = { amount, includes_tax: includesTax }
  if (tiers === null) return listed
  return { ...listed, tiers: Object.fromEntries(tiers.map((tier) => [tier.name, { minimum_quantity: tier.minimum, amount: tier.amount }])) }
}
