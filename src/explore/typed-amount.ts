/** Amounts of money as people type them: decimals of the currency, such as `12.50`. */
import { saying } from './parts.tsx'

/** An amount in minor units as it is typed: 1250 with two digits is `12.50`. By its digits, so that none is rounded. */
export function decimal(amount: number, digits: number): string {
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** A typed amount in minor units. The text matches `typedAmount`. */
export function minorUnits(text: string, digits: number): number {
  const [whole = '', part = ''] = text.split('.')
  return Number(whole + part.padEnd(digits, '0'))
}

/** For an input that takes an amount: refuses more decimals than the currency has, and says which form it takes. */
export const typedAmount = (currency: string, digits: number) => ({
  inputMode: 'decimal' as const,
  pattern: digits > 0 ? `[0-9]{1,16}(\\.[0-9]{1,${digits}})?` : '[0-9]{1,16}',
  ...saying(`An amount in ${currency} is a number such as ${(2.5).toFixed(digits)}.`),
})
