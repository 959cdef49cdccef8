import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  amountOf,
  at,
  bundle,
  child,
  plus,
  price,
  priceRecord,
  product,
  resolve,
  sale,
  usd,
} from '../../support/price-builders.ts'

const readme = readFileSync(new URL('../../../src/domain/pricing/README.md', import.meta.url), 'utf8')

/** The table of instants in README.md, as a list of cells per row. */
const instants = readme
  .split('\n')
  .filter((line) => line.startsWith('| 20'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

const winter = sale('winter', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', { USD: price(1600), EUR: price(1500) })
const weekend = sale('weekend', '2026-01-10T00:00:00Z', '2026-01-12T00:00:00Z', usd(1500))
const retail = priceRecord(
  { USD: price(2000, { six: [6, 1700], dozen: [12, 1550] }), EUR: price(1900) },
  [winter, weekend],
  'Retail',
)
const mug = product(retail, 'mug')
const redMug = child(retail, [plus('red', 100)])
const spoon = product(priceRecord(usd(500)), 'spoon')
const set = bundle([mug, spoon], {
  main: {
    name: 'Set',
    min: 2,
    max: null,
    options: [
      { id: 'mug', quantity: 2 },
      { id: 'spoon', quantity: 1 },
    ],
  },
})

describe('the example in README.md of domain/pricing', () => {
  test('the example of domain/pricing/README.md has an instant on both sides of each of its four bounds', () =>
    expect(instants).toHaveLength(8))

  test.each(instants)(
    'at %s the example of domain/pricing/README.md has the prices of its table',
    (now = '', one, by, six, dozen, euro, red, sum, next = '') => {
      const resolution = resolve(mug, { now })
      const amounts = [
        resolution.price?.amount,
        amountOf(mug, { now, quantity: 6 }),
        amountOf(mug, { now, quantity: 12 }),
        amountOf(mug, { now, currency: 'EUR' }),
        amountOf(redMug, { now }),
        amountOf(set, { now }),
      ]
      expect(amounts).toEqual([one, six, dozen, euro, red, sum].map(Number))
      expect(resolution.price?.sale?.name ?? 'none').toBe(by)
      expect(resolution.changesAt).toBe(next === 'never' ? null : at(next))
    },
  )

  test.each(instants.map(([now = '']) => now))(
    'at %s the example of domain/pricing/README.md has the stated prices of six sets, of a red mug in EUR and of a set in EUR',
    (now) => {
      const isWeekend = now >= '2026-01-10' && now < '2026-01-12'
      expect(amountOf(set, { now, quantity: 6 })).toBe(isWeekend ? 3500 : 3600)
      expect(amountOf(redMug, { now, currency: 'EUR' })).toBe(amountOf(mug, { now, currency: 'EUR' }))
      expect(amountOf(set, { now, currency: 'EUR' })).toBe(null)
    },
  )
})
