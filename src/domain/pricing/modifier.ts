/** What a child's price modifiers do to its base's price (modifier.own-price-ignores-them). */

import { type CurrencyPrice, type CurrencyPrices, compileCurrencies } from './list-price.ts'
import { maxAmount } from './money.ts'
import type { ModifierType, ReleaseModifier } from './price-record.ts'
import { reachedTier } from './tier.ts'

/** A modifier made ready for reading; `prices` holds only currencies that have a plain amount. */
export interface CompiledModifier {
  readonly name: string
  readonly type: ModifierType
  readonly prices: CurrencyPrices
}

/** A modifier that took part in a price, with the amount that it brought, in minor units. */
export interface AppliedModifier {
  readonly name: string
  readonly type: ModifierType
  readonly amount: number
}

/** What all modifiers of a child together do in one currency at one quantity. */
export interface ModifierEffect {
  /** The amount that takes the place of the base's, with its own tax flag; null when there is none. */
  readonly equals: { readonly amount: number; readonly includesTax: boolean } | null
  readonly increase: number
  readonly decrease: number
  /** In order of application: the one price_equals that counts, increments, decrements; each group in the order of names. */
  readonly applied: readonly AppliedModifier[]
}

/** A name that occurs twice counts once, at its last place (modifier.last-mention-counts). */
export function orderNames(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.lastIndexOf(name) === index)
}

/** The modifiers of `names`, in that order; a name that the base's book lacks is skipped (modifier.from-supplying-book). */
export function compileModifiers(names: readonly string[], found: readonly ReleaseModifier[]): readonly CompiledModifier[] {
  const compiled: CompiledModifier[] = []
  for (const name of names) {
    const modifier = found.find((candidate) => candidate.name === name)
    if (modifier !== undefined) compiled.push({ name, type: modifier.type, prices: compileCurrencies(modifier.currencies) })
  }
  return compiled
}

/** The effect in `currency` at `quantity`; with quantity 0 by plain amounts, which is the list price's (price.list-price-before-tiers). */
export function modifierEffect(modifiers: readonly CompiledModifier[], currency: string, quantity: number): ModifierEffect {
  let equals: (AppliedModifier & { readonly includesTax: boolean }) | null = null
  const increments: AppliedModifier[] = []
  const decrements: AppliedModifier[] = []
  for (const { name, type, prices } of modifiers) {
    const price = prices[currency]
    if (price === undefined) continue
    const applied = { name, type, amount: amountAt(price, quantity) }
    if (type === 'price_equals') equals = { ...applied, includesTax: price.includesTax }
    else if (type === 'price_increment') increments.push(applied)
    else decrements.push(applied)
  }
  const first = equals === null ? [] : [{ name: equals.name, type: equals.type, amount: equals.amount }]
  return { equals, increase: total(increments), decrease: total(decrements), applied: [...first, ...increments, ...decrements] }
}

/**
 * The effect over the base's amount: increments, then decrements, once not below 0 (modifier.never-below-zero). Null when the increments
 * pass 2^53-1 (money.exact-or-no-price), even where decrements would bring the result back.
 */
export function modifiedAmount(base: number, effect: ModifierEffect): number | null {
  const raised = (effect.equals?.amount ?? base) + effect.increase
  return raised > maxAmount ? null : Math.max(0, raised - effect.decrease)
}

/** modifier.highest-reached-tier: the highest reached tier's, else the plain amount. */
function amountAt(price: CurrencyPrice, quantity: number): number {
  return reachedTier(price.tiers, quantity)?.amount ?? price.amount
}

function total(modifiers: readonly AppliedModifier[]): number {
  return modifiers.reduce((sum, modifier) => sum + modifier.amount, 0)
}
