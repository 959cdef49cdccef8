/** Unit amounts of a subscription: from when on they are agreed, and what the plan makes them of. */

interface Item {
  readonly productId: string
  readonly unitAmount: { readonly amount: number } | null
}

/** Terms as the graph has them, one after another. */
interface Terms {
  readonly from: string
  readonly plan: { readonly planId: string }
  readonly items: readonly Item[]
}

/** From when on a product has had its amount under one plan, by the terms that hold at an instant. */
export function agreedFrom(terms: readonly Terms[], productId: string, at: string): string | undefined {
  const held = terms.filter(({ from }) => Date.parse(from) <= Date.parse(at)).reverse()
  const amountIn = ({ items }: Terms) => items.find((item) => item.productId === productId)?.unitAmount?.amount
  const isSame = (one: Terms): boolean =>
    held[0] !== undefined && one.plan.planId === held[0].plan.planId && amountIn(one) === amountIn(held[0])
  const other = held.findIndex((one) => !isSame(one))
  return held.at(other === -1 ? -1 : other - 1)?.from
}

/** How a plan makes its amounts. */
export interface PricingPlan {
  readonly basePricePercentage: number | null
  readonly billingIntervalType: string
  readonly billingFrequency: number
  readonly fixedPrices: readonly { readonly amount: { readonly currency: string } }[]
}

/** For how long a product's price is. */
export interface Units {
  readonly unit: string
  readonly amount: number
}

const PRODUCT_PRICE = "the subscription product's price"
const percents = (value: number): string => `${value.toLocaleString('en', { maximumFractionDigits: 2 })}%`

/** What a unit amount is under a plan, such as "12 × the subscription product's price, less 10%". */
export function amountWords(plan: PricingPlan, currency: string, units: readonly (Units | null)[]): string {
  const { basePricePercentage: share, fixedPrices } = plan
  if (fixedPrices.some(({ amount }) => amount.currency === currency)) return "the plan's own price"
  if (share === null) return PRODUCT_PRICE
  const [times, ...others] = new Set(units.map((one) => timesIn(plan, one)))
  if (!times || others.length > 0) return `${percents(share)} of ${PRODUCT_PRICE}`
  const more = share / times - 100
  const part = more === 0 ? '' : `, ${more < 0 ? 'less' : 'plus'} ${percents(Math.abs(more))}`
  return `${times > 1 ? `${times} × ` : ''}${PRODUCT_PRICE}${part}`
}

const lengths: Readonly<Record<string, readonly [unit: string, count: number]>> = {
  DAY: ['day', 1],
  WEEK: ['day', 7],
  MONTH: ['month', 1],
  YEAR: ['month', 12],
}

/** How many times a product's units are in the plan's interval; null when that is no whole number. */
function timesIn({ billingIntervalType, billingFrequency }: PricingPlan, units: Units | null): number | null {
  const interval = lengths[billingIntervalType.toUpperCase()]
  const priced = units && lengths[units.unit.toUpperCase()]
  if (!interval || !priced || interval[0] !== priced[0]) return null
  const times = (interval[1] * billingFrequency) / (priced[1] * units.amount)
  return Number.isInteger(times) ? times : null
}
