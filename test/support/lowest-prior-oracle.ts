/**
 * Oracle of the lowest price before a reduction: a second, naive implementation straight from the rules, on what was
 * charged at each instant, by the whole numbers from 0 on. It shares nothing with src.
 */

/** What one unit cost at an instant; null while the product had no price. */
export type Charge = { readonly amount: number; readonly sale: string | null } | null

/** By instant, from the first publish at 0 on. */
export type Charges = readonly Charge[]

interface Reduction {
  readonly begin: number
  readonly amounts: number[]
}

/** All reductions up to an instant, in their order (price.reduction-begins-in-catalog). */
function reductionsUpTo(charges: Charges, at: number): Reduction[] {
  const found: Reduction[] = []
  for (let now = 0; now <= at; now++) {
    const [charge, before] = [charges[now] ?? null, charges[now - 1] ?? null]
    if (charge === null || charge.sale === null) continue
    const supplies = before === null || before.sale === null
    const takesOver = before !== null && before.sale !== charge.sale
    const falls = before !== null && charge.amount < before.amount
    if (supplies || takesOver || falls) found.push({ begin: now, amounts: [] })
    found.at(-1)?.amounts.push(charge.amount)
  }
  return found
}

/** When the reduction began that runs at an instant; null when none does. */
export function beginOf(charges: Charges, at: number, progressive: boolean): number | null {
  if ((charges[at]?.sale ?? null) === null) return null
  const reductions = reductionsUpTo(charges, at)
  let counted = reductions.pop() as Reduction
  // price.progressive-reduction
  for (let former = reductions.pop(); progressive && former; former = reductions.pop()) {
    const hasGap = former.begin + former.amounts.length < counted.begin
    const isLower = counted.amounts.every((one) => former?.amounts.every((other) => one < other))
    if (hasGap || !isLower) break
    counted = former
  }
  return counted.begin
}

/** The lowest price in `days` before that, null for none (price.lowest-prior-in-force). */
export function lowestBefore(charges: Charges, at: number, days: number, progressive: boolean): number | null {
  const begin = beginOf(charges, at, progressive)
  if (begin === null) return null
  let lowest: number | null = null
  for (let now = Math.max(0, begin - days); now < begin; now++) {
    const amount = charges[now]?.amount ?? null
    if (amount !== null && (lowest === null || amount < lowest)) lowest = amount
  }
  return lowest
}
