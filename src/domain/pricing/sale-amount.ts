/**
 * Sale amounts: what a percentage or an amount off leaves of a list amount, rounded (campaign.rounds-half-up). Only
 * whole numbers are used, so that nothing is lost before the rounding (value.numbers-never-rounded).
 */

/** Parts of a per cent: percentages have four decimals at most. */
export const PERCENT_PARTS = 10_000
const WHOLE = BigInt(100 * PERCENT_PARTS)

/**
 * What comes off an amount: a number of parts of a per cent, 1 to 1,000,000, or an amount in minor units, 1 or more.
 */
export type Reduction = { readonly percentParts: number } | { readonly amountOff: number }

/**
 * The amounts that a rounding allows, in minor units: `ending` plus any multiple of `step`. `ending` is at least 0 and
 * less than `step`.
 */
export interface Rounding {
  readonly step: number
  readonly ending: number
}

/** Rounds to the minor unit. */
export const toMinorUnit: Rounding = { step: 1, ending: 0 }

/**
 * The sale amount for a list amount (minor units, at least 0): the remainder, rounded half up to an amount that
 * `rounding` allows, or down where that exceeds the list amount (campaign.never-above-list-price). Null when it is 0 or
 * less (campaign.never-free-by-accident), except where exactly nothing remains: 100 per cent off, or a percentage off
 * 0.
 */
export function reducedAmount(amount: number, reduction: Reduction, rounding: Rounding = toMinorUnit): number | null {
  if ('amountOff' in reduction) {
    const left = amount - reduction.amountOff
    return left <= 0 ? null : roundedAmount(BigInt(left), 1n, rounding, amount)
  }
  const left = BigInt(amount) * (WHOLE - BigInt(reduction.percentParts))
  return left === 0n ? 0 : roundedAmount(left, WHOLE, rounding, amount)
}

function roundedAmount(numerator: bigint, denominator: bigint, rounding: Rounding, max: number): number | null {
  const [step, ending] = [BigInt(rounding.step), BigInt(rounding.ending)]
  const nearest =
    ending + step * floored(2n * (numerator - ending * denominator) + step * denominator, 2n * step * denominator)
  const amount = nearest <= max ? nearest : ending + step * floored(BigInt(max) - ending, step)
  return amount > 0n ? Number(amount) : null
}

/** The quotient rounded down; BigInt's own division rounds towards zero. The divisor is above 0. */
function floored(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}
