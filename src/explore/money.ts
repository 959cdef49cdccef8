/** Amounts in minor units as the graph writes them. */
import { useSession } from './session.tsx'

/** Writes an amount of a currency in the reader's language, such as `$13.05`. */
export function useMoney(): (amount: number, currency: string) => string {
  const { decimals } = useSession().settings
  return (amount, currency) => {
    // A browser counts other decimals for some currencies.
    const digits = decimals[currency] ?? 2
    const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    return (amount / 10 ** digits).toLocaleString(undefined, { style: 'currency', currency, ...fixed })
  }
}
