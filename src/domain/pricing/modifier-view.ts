/** Modifier view: price modifiers as clients of a listing see them (modifier.listed-without-sales). */
import type { CurrencyPrice } from './list-price.ts'
import type { CompiledModifier } from './modifier.ts'
import type { ModifierType } from './price-record.ts'

/** A modifier's amount in one currency (minor units), with its tiers by name. */
export interface ModifierPriceView {
  readonly amount: number
  readonly includes_tax: boolean
  readonly tiers?: Readonly<Record<string, { readonly minimum_quantity: number; readonly amount: number }>>
}

/** A price modifier. It never has sale keys; the edges make its display price from `currencies`. */
export interface ModifierView {
  readonly modifier_type: ModifierType
  /** By currency code: the currencies with an amount (modifier.skipped-without-amount). */
  readonly currencies: Readonly<Record<string, ModifierPriceView>>
}

/** The views of `modifiers` by name, which the client chose. */
export function toModifierViews(modifiers: readonly CompiledModifier[]): Readonly<Record<string, ModifierView>> {
  return Object.fromEntries(
    modifiers.map(({ name, type, prices }) => {
      const currencies = Object.entries(prices).map(
        ([currency, price]) => [currency, toModifierPriceView(price)] as const,
      )
      return [name, { modifier_type: type, currencies: Object.fromEntries(currencies) }]
    }),
  )
}

function toModifierPriceView({ amount, includesTax, tiers }: CurrencyPrice): ModifierPriceView {
  const plain = { amount, includes_tax: includesTax }
  if (tiers === null) return plain
  return {
    ...plain,
    tiers: Object.fromEntries(
      tiers.map((tier) => [tier.name, { minimum_quantity: tier.minimum, amount: tier.amount }]),
    ),
  }
}
