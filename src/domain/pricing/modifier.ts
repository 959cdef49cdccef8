/**
 * Price modifiers: how a child's options change the price that it inherits from its parent
 * (modifier.own-price-ignores-them).
 */
import { amountAt, type CurrencyPrices, compileCurrencies } from './list-price.ts'
import { maxAmount } from './money.ts'
import type { ModifierType, ReleaseModifier } from './price-record.ts'

/** A compiled modifier; `prices` has only the currencies with a plain amount. */
export interface CompiledModifier {
  readonly name: string
  readonly type: ModifierType
  readonly prices: CurrencyPrices
}

/** A modifier that contributed to a price, and its amount in minor units. */
export interface AppliedModifier {
  readonly name: string
  readonly type: ModifierType
  readonly amount: number
}

/** The combined effect of a child's modifiers in one currency at one quantity. Amounts are minor units. */
export interface ModifierEffect {
  /** The amount that replaces the parent's, with its own tax flag; null without a price_equals. */
  readonly equals: { readonly amount: number; readonly includesTax: boolean } | null
  readonly increase: number
  readonly decrease: number
  /**
   * In order of application: the one price_equals that counts, then increments, then decrements, each group in the
   * order of the names.
   */
  readonly applied: readonly AppliedModifier[]
}

/** The names without repetitions: a name that occurs twice counts at its last place (modifier.last-mention-counts). */
export function orderNames(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.lastIndexOf(name) === index)
}

/**
 * The modifiers of `names`, in that order. A name that the parent's price book lacks is skipped
 * (modifier.from-supplying-book).
 */
export function compileModifiers(
  names: readonly string[],
  found: readonly ReleaseModifier[],
): readonly CompiledModifier[] {
  const compiled: CompiledModifier[] = []
  for (const name of names) {
    const modifier = found.find((candidate) => candidate.name === name)
    if (modifier !== undefined)
      compiled.push({ name, type: modifier.type, prices: compileCurrencies(modifier.currencies) })
  }
  return compiled
}

/**
 * The combined effect in `currency` at `quantity`. Quantity 0 reaches no tier, so the plain amounts apply, as for a
 * list price (price.list-price-before-tiers).
 */
export function modifierEffect(
  modifiers: readonly CompiledModifier[],
  currency: string,
  quantity: number,
): ModifierEffect {
  let equals: (AppliedModifier & { readonly includesTax: boolean }) | null = null
  const increments: AppliedModifier[] = []
  const decrements: AppliedModifier[] = []
  for (const { name, type, prices } of modifiers) {
    const price = prices[currency]
    if (price === undefined) continue
    // modifier.highest-reached-tier
    const applied = { name, type, amount: amountAt(price, quantity) }
    if (type === 'price_equals') equals = { ...applied, includesTax: price.includesTax }
    else if (type === 'price_increment') increments.push(applied)
    else decrements.push(applied)
  }
  const first = equals === null ? [] : [{ name: equals.name, type: equals.type, amount: equals.amount }]
  return {
    equals,
    increase: total(increments),
    decrease: total(decrements),
    applied: [...first, ...increments, ...decrements],
  }
}

/**
 * The parent's amount `base` after the modifiers: increments, then decrements, limited to 0 once at the end
 * (modifier.never-below-zero). Null when the increments exceed 2^53-1 (money.exact-or-no-price), even if decrements
 * would bring the result back.
 */
export function modifiedAmount(base: number, effect: ModifierEffect): number | null {
  const raised = (effect.equals?.amount ?? base) + effect.increase
  return raised > maxAmount ? null : Math.max(0, raised - effect.decrease)
}

function total(modifiers: readonly AppliedModifier[]): number {
  return modifiers.reduce((sum, modifier) => sum + modifier.amount, 0)
}
