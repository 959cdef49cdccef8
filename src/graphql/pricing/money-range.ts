/** Money ranges: the lowest and the highest of several amounts in one currency. */
import { builder } from '../schema/builder.ts'
import { Money, MoneyRef } from './money.ts'

interface MoneyRange {
  readonly min: Money
  readonly max: Money
}

export const MoneyRangeRef = builder.objectRef<MoneyRange>('MoneyRange').implement({
  description: 'The lowest and the highest of several amounts.',
  right: 'anyone',
  fields: (t) => ({
    min: t.expose('min', { type: MoneyRef, description: 'The lowest amount.' }),
    max: t.expose('max', { type: MoneyRef, description: 'The highest amount.' }),
  }),
})

/** The range of the amounts; null when there are none. */
export function rangeOf(amounts: readonly number[], currency: string): MoneyRange | null {
  if (amounts.length === 0) return null
  const [min, max] = amounts.reduce(
    ([low, high], amount) => [Math.min(low, amount), Math.max(high, amount)],
    [Infinity, -Infinity],
  )
  return { min: new Money(min, currency), max: new Money(max, currency) }
}
