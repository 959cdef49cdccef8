/**
 * Quantity tiers: amounts that apply from a minimum quantity on, in one currency of a list price, a sale or a modifier.
 */
import { key, type Violation } from '../input/errors.ts'
import { named, sentence } from '../input/sentence.ts'
import { keyParams, limitParams } from '../input/violation-params.ts'
import type { TierRecord } from './price-record.ts'

/** A compiled tier: `amount` (minor units) is the price of one unit from a quantity of `minimum` on. */
export interface Tier {
  readonly name: string
  readonly minimum: number
  readonly amount: number
}

/**
 * The tiers by rising minimum quantity, without those that have no amount (tier.null-amount-is-absent). Null when none
 * is left, as for most prices.
 */
export function compileTiers(tiers: Readonly<Record<string, TierRecord>> | undefined): readonly Tier[] | null {
  if (tiers == null) return null
  const compiled: Tier[] = []
  for (const [name, { minimum_quantity, amount }] of Object.entries(tiers)) {
    if (amount != null) compiled.push({ name, minimum: minimum_quantity, amount })
  }
  return compiled.length === 0 ? null : compiled.sort((left, right) => left.minimum - right.minimum)
}

/**
 * The tier with the highest minimum that `quantity` reaches (tier.highest-reached-applies), or null. Quantity 0 reaches
 * no tier.
 */
export function reachedTier(tiers: readonly Tier[] | null, quantity: number): Tier | null {
  if (tiers === null) return null
  for (let index = tiers.length - 1; index >= 0; index--) {
    const tier = tiers[index]
    if (tier !== undefined && tier.minimum <= quantity) return tier
  }
  return null
}

/** Whether `quantity` is valid: an integer from 1 to 2^53-1 (price.quantity-from-one). */
export function isQuantity(quantity: number): boolean {
  return Number.isSafeInteger(quantity) && quantity >= 1
}

/** The part of a price input that the tier rules check. `minimum_quantity` is a safe integer when it is a number. */
export interface TierInputs {
  readonly tiers?:
    | Readonly<Record<string, { readonly minimum_quantity?: number | null | undefined }>>
    | null
    | undefined
}

/**
 * Violations of tier.minimum-from-one and tier.minimums-differ in a map of currency prices: of a list price, a sale or
 * a modifier (tier.same-rules-everywhere). Paths start at a currency code. Of two tiers in conflict the later one has
 * the violation.
 */
export function tierViolations(currencies: Readonly<Record<string, TierInputs | null>>): Violation[] {
  const violations: Violation[] = []
  for (const [currency, price] of Object.entries(currencies)) {
    const first = new Map<number, string>()
    for (const [name, tier] of Object.entries(price?.tiers ?? {})) {
      const path = [key(currency), 'tiers', key(name), 'minimum_quantity']
      const minimum = tier.minimum_quantity
      if (minimum == null || minimum < 1) {
        violations.push({
          code: 'TIER_MINIMUM_QUANTITY',
          path,
          ...sentence`tier "${name}" needs a ${named('minimum_quantity')} of 1 or more`,
          params: [...keyParams(name), ...limitParams(1, null)],
        })
        continue
      }
      const other = first.get(minimum)
      if (other === undefined) first.set(minimum, name)
      else {
        const said = sentence`tier "${name}" has the same ${named('minimum_quantity')} as tier "${other}"`
        violations.push({ code: 'TIER_CONFLICT', path, ...said, params: keyParams(name, other) })
      }
    }
  }
  return violations
}
