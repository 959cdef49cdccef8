/** Prices under a plan: what a subscriber pays for a product, and the items of terms that keep it. */
import { maxAmount } from '../pricing/money.ts'
import type { Item } from './agreement.ts'
import type { Plan } from './plan.ts'
import type { SubscriptionProduct } from './subscription-product.ts'

type PriceTerms = Pick<Plan, 'fixedPrice' | 'basePricePercentage'>
type Priced = Pick<SubscriptionProduct, 'price'>

/**
 * The amount of a product under a plan: the plan's fixed price in the currency, else the plan's percentage of the
 * product's own price, else that price (plan.fixed-price-before-percentage). Null when the currency has none, and above
 * `maxAmount` (money.exact-or-no-price).
 */
export function planAmount(plan: PriceTerms, product: Priced, currency: string): number | null {
  return planPrice(plan, product, currency)?.amount ?? null
}

/** An item of a product at its price of now (subscription.pinned-prices); a product that is gone has neither. */
export function pinnedItem(
  plan: PriceTerms,
  productId: string,
  product: (Priced & Pick<SubscriptionProduct, 'name' | 'sku'>) | null,
  currency: string,
  quantity = 1,
): Item {
  const price = product && planPrice(plan, product, currency)
  return {
    productId,
    name: product?.name ?? null,
    sku: product?.sku ?? null,
    unitAmount: price?.amount ?? null,
    includesTax: price?.includesTax ?? null,
    quantity,
  }
}

function planPrice({ fixedPrice, basePricePercentage }: PriceTerms, { price }: Priced, currency: string) {
  const fixed = fixedPrice !== null && Object.hasOwn(fixedPrice, currency) ? fixedPrice[currency] : undefined
  const own = Object.hasOwn(price, currency) ? price[currency] : undefined
  const found = fixed ?? own
  if (!found) return null
  const amount = fixed || basePricePercentage === null ? found.amount : percentOf(found.amount, basePricePercentage)
  return amount === null ? null : { amount, includesTax: found.includes_tax }
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
