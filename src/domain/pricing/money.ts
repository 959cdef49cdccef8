/**
 * Amounts: integers of minor units that stay exact (value.numbers-never-rounded, money.exact-or-no-price), and their text for people
 * (money.formatted-by-locale). Nothing else rounds or formats.
 */
import { LRUCache } from 'lru-cache'
import { fractionDigits } from '../input/currency.ts'
import { LANGUAGE_TAG_MAX } from '../language/locale.ts'

/** The largest amount: what JSON carries exactly in JavaScript. */
export const maxAmount = Number.MAX_SAFE_INTEGER

/** The sum, or null past `maxAmount` (money.exact-or-no-price). Arguments are at least 0. */
export function addAmounts(left: number, right: number): number | null {
  const sum = left + right
  return sum > maxAmount ? null : sum
}

/** The product, or null past `maxAmount` (money.exact-or-no-price). `units` may itself be past it: 0 times anything is 0. */
export function multiplyAmount(amount: number, units: number): number | null {
  const product = amount * units
  return product > maxAmount ? null : product
}

/** A locale costs a formatter of some kilobytes, and locales come from requests. */
const FORMATTERS_KEPT = 200
const defaultLocale = 'en-US'
const formatters = new LRUCache<string, Intl.NumberFormat>({ max: FORMATTERS_KEPT })

/**
 * `amount` minor units of `currency` (three uppercase letters) as text for `locale`, with ISO 4217's decimals, exact up to `maxAmount`. An
 * unknown currency shows its code; a locale that Intl refuses, or that is longer than any, is read as en-US (money.formatted-by-locale).
 */
export function formatAmount(amount: number, currency: string, locale: string = defaultLocale): string {
  const digits = fractionDigits(currency)
  return formatter(locale.length > LANGUAGE_TAG_MAX ? defaultLocale : locale, currency, digits).format(decimal(amount, digits))
}

/** Text, because a float of major units would lose digits of large amounts; Intl reads it exactly. */
function decimal(amount: number, digits: number): Intl.StringNumericLiteral {
  const text = String(amount).padStart(digits + 1, '0')
  const point = text.length - digits
  return `${text.slice(0, point)}.${text.slice(point)}` as Intl.StringNumericLiteral
}

function formatter(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const name = `${currency} ${locale}`
  const known = formatters.get(name)
  if (known !== undefined) return known
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
