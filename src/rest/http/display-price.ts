/** Display prices of REST documents (money.formatted-by-locale, money.display-currency). */
import { acceptedLanguages } from '../../domain/language/accept-language.ts'
import { formatAmount } from '../../domain/pricing/money.ts'
import type { Context } from '../../request/context.ts'

interface FormattedPrice {
  readonly amount: number
  readonly currency: string
  readonly formatted: string
}

/**
 * The display price in the request's currency; undefined when `prices` has none in it. Nothing computes tax, so both
 * members are equal (money.no-tax-engine).
 */
export function displayPrice(
  prices: Readonly<Record<string, { readonly amount: number }>>,
  ctx: Pick<Context, 'shopperHeaders' | 'config'>,
): { with_tax: FormattedPrice; without_tax: FormattedPrice } | undefined {
  const currency = ctx.shopperHeaders.currency ?? ctx.config.defaultCurrency
  const amount = Object.hasOwn(prices, currency) ? prices[currency]?.amount : undefined
  if (amount == null) return undefined
  const formatted = formatAmount(amount, currency, acceptedLanguages(ctx.shopperHeaders.acceptLanguage).accepted[0])
  const price = { amount, currency, formatted }
  return { with_tax: price, without_tax: price }
}

/** The object without its null and absent members, for members that are optional in the REST API. */
export function omitNil<T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const found: { [Name in keyof T]?: NonNullable<T[Name]> } = {}
  for (const name in members) {
    const value = members[name]
    if (value != null) found[name] = value
  }
  return found
}
