/**
 * Money: exact amounts in integer minor units (value.numbers-never-rounded, money.exact-or-no-price) and their text for
 * people (money.formatted-by-locale). No other module rounds or formats amounts.
 */
import { LRUCache } from 'lru-cache'
import { fractionDigits } from '../input/currency.ts'
import { LANGUAGE_TAG_MAX } from '../language/locale.ts'

/** The largest amount, in minor units: 2^53-1, the largest integer that JSON carries exactly in JavaScript. */
export const maxAmount = Number.MAX_SAFE_INTEGER

/** The sum, or null when it exceeds `maxAmount` (money.exact-or-no-price). Both arguments are at least 0. */
export function addAmounts(left: number, right: number): number | null {
  const sum = left + right
  return sum > maxAmount ? null : sum
}

/**
 * The amount for `quantity` units, or null when it exceeds `maxAmount` (money.exact-or-no-price). `quantity` may exceed
 * it itself: 0 times any quantity is 0.
 */
export function multiplyAmount(amount: number, quantity: number): number | null {
  const product = amount * quantity
  return product > maxAmount ? null : product
}

/** A formatter takes some kilobytes, and locales come from requests, so the cache is bounded. */
const FORMATTERS_CACHED = 200
const defaultLocale = 'en-US'
const formatters = new LRUCache<string, Intl.NumberFormat>({ max: FORMATTERS_CACHED })

/**
 * `amount` minor units of `currency` (three uppercase letters) as text for `locale`, with the decimals of ISO 4217,
 * exact up to `maxAmount`. An unknown currency shows its code. A locale that Intl rejects, or that is longer than
 * LANGUAGE_TAG_MAX, is replaced by en-US (money.formatted-by-locale).
 */
export function formatAmount(amount: number, currency: string, locale: string = defaultLocale): string {
  const digits = fractionDigits(currency)
  return formatter(locale.length > LANGUAGE_TAG_MAX ? defaultLocale : locale, currency, digits).format(
    decimal(amount, digits),
  )
}

/** The amount in major units as text: a float would lose digits of large amounts, and Intl reads text exactly. */
function decimal(amount: number, digits: number): Intl.StringNumericLiteral {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const point = text.length - digits
  return `${amount < 0 ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}` as Intl.StringNumericLiteral
}

function formatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const name = `${currency} ${locale}`
  const cached = formatters.get(name)
  if (cached !== undefined) return cached
  const made = makeFormatter(locale, currency, digits)
  formatters.set(name, made)
  return made
}

function makeFormatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  try {
    return new Intl.NumberFormat(locale, options)
  } catch {
    return new Intl.NumberFormat(defaultLocale, options)
  }
}
