/**
 * Explanation of modifiers: one step for each that the options of a child name, in the order in which they would apply.
 */
import { modifiedAmount, modifierEffect } from './modifier.ts'
import type { ModifierType } from './price-record.ts'
import type { PriceStep } from './price-step.ts'
import type { WeighedRecord } from './weighed-record.ts'

const order: readonly (ModifierType | undefined)[] = ['price_equals', 'price_increment', 'price_decrement', undefined]

const effects: Readonly<Record<ModifierType, string>> = {
  price_equals: 'replaces the price',
  price_increment: 'is added to the price',
  price_decrement: 'is taken off the price',
}

/** The steps of the modifiers. Each that applied has the amount after it; the last one's is the price. */
export function modifierSteps({ product, query, plain }: WeighedRecord): PriceStep[] {
  const { currency, quantity } = query
  const { modifiers, modifierNames, inherited } = product
  const typeOf = (name: string) => modifiers.find((one) => one.name === name)?.type
  const names = modifierNames.toSorted((one, other) => order.indexOf(typeOf(one)) - order.indexOf(typeOf(other)))
  const { applied } = modifierEffect(modifiers, currency, quantity)
  const replacing = applied[0]?.type === 'price_equals' ? applied[0].name : null

  function stepOf(name: string): PriceStep {
    const step = { kind: 'MODIFIER', name, amount: null } as const
    if (!inherited)
      return {
        ...step,
        outcome: 'YIELDED',
        reason: `Modifier "${name}" changes an inherited price alone, and the product has its own.`,
      }
    const modifier = modifiers.find((one) => one.name === name)
    if (modifier === undefined)
      return { ...step, outcome: 'NO_AMOUNT', reason: `The price book has no modifier "${name}".` }
    const own = modifierEffect([modifier], currency, quantity)
    const at = applied.findIndex((one) => one.name === name)
    if (own.applied.length === 0)
      return {
        ...step,
        outcome: 'NO_AMOUNT',
        reason: `Modifier "${name}" has no amount in ${currency}, so it is skipped.`,
      }
    if (at < 0)
      return {
        ...step,
        outcome: 'OUTRANKED',
        reason: `Modifier "${replacing}" replaces the price too, and the last one of those counts.`,
        amount: modifiedAmount(plain.amount, own),
      }
    const upToHere = applied
      .slice(0, at + 1)
      .flatMap((one) => modifiers.find((candidate) => candidate.name === one.name) ?? [])
    return {
      ...step,
      outcome: 'APPLIED',
      reason: `The amount of modifier "${name}" in ${currency} at a quantity of ${quantity} ${effects[modifier.type]}.`,
      amount: modifiedAmount(plain.amount, modifierEffect(upToHere, currency, quantity)),
    }
  }

  return names.map(stepOf)
}
