/** Prices under a plan: what a subscriber pays for a product, and for all products of the next invoice. */
import { addAmounts, maxAmount } from '../pricing/money.ts'
import type { Plan } from './plan.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionProduct } from './subscription-product.ts'
import { type Lifecycle, statusAt } from './subscription-state.ts'

type PriceTerms = Pick<Plan, 'fixedPrice' | 'basePricePercentage'>

/**
 * The amount of a product under a plan: the plan's fixed price in the currency, else the plan's percentage of the product's own price, else
 * that price (plan.fixed-price-before-percentage). Null without any in the currency, and past `maxAmount` (money.exact-or-no-price).
 */
export function planAmount(
  { fixedPrice, basePricePercentage }: PriceTerms,
  { price }: Pick<SubscriptionProduct, 'price'>,
  currency: string,
): number | null {
  const fixed = fixedPrice !== null && Object.hasOwn(fixedPrice, currency) ? fixedPrice[currency] : undefined
  if (fixed) return fixed.amount
  const own = Object.hasOwn(price, currency) ? price[currency] : undefined
  if (!own) return null
  return basePricePercentage === null ? own.amount : percentOf(own.amount, basePricePercentage)
}

/** Per cent of an amount, computed in decimals without error, a half rounded up. */
function percentOf(amount: number, percentage: number): number | null {
  const [mantissa = '', exponent = '0'] = String(percentage).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = fraction.length - Number(exponent)
  const numerator = BigInt(whole + fraction) * BigInt(amount) * 10n ** BigInt(Math.max(0, -shift))
  const denominator = 100n * 10n ** BigInt(Math.max(0, shift))
  const rounded = (2n * numerator + denominator) / (2n * denominator)
  return rounded > BigInt(maxAmount) ? null : Number(rounded)
}

/**
 * The amount of the next invoice: the sum over the products of the offering's copy, as they are priced now, under the copied plan
 * (subscription.next-invoice-sums-products). Null when no invoice follows, or a product is gone or has no price in the currency.
 */
export function nextAmount(
  subscription: Lifecycle & Pick<Subscription, 'plan' | 'currency'>,
  products: readonly (Pick<SubscriptionProduct, 'price'> | null)[],
  now: number,
): number | null {
  const { plan, currency } = subscription
  const { closed, paused, canceled, invoiceAfter, endDate } = statusAt(subscription, now)
  if (closed || paused || canceled || (endDate !== null && invoiceAfter >= endDate)) return null
  return products.reduce<number | null>((sum, product) => {
    const amount = product && planAmount(plan, product, currency)
    return sum === null || amount === null ? null : addAmounts(sum, amount)
  }, 0)
}
