import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/domain/input/instant.ts'
import { lowestPrior, type PastPrice } from '../../../src/domain/pricing/lowest-prior.ts'

const day = (number: number): number => number * DAY_MS
const past = (until: number, amounts: (number | null)[], starts: number[] = [Number.NEGATIVE_INFINITY]): PastPrice => ({
  until,
  starts,
  amounts,
})

const KEEP = day(40)

interface Given {
  readonly past?: readonly PastPrice[]
  readonly firstPublishedAt?: number
  readonly begunAt?: number | null
  readonly now?: number
  readonly present?: number | null
  readonly period?: { readonly from: number; readonly to: number }
}

/** The lowest amount of the 30 days before day 60, on day 61. */
function lowest({ past: list = [], firstPublishedAt = 0, begunAt = null, now = day(61), present = 1000, period }: Given) {
  const periods: object[] = []
  const found = lowestPrior(
    { past: list, firstPublishedAt, keptFrom: now - KEEP, begunAt },
    period ?? { from: day(30), to: day(60) },
    (one) => {
      periods.push(one)
      return [present]
    },
    KEEP,
  )
  return { ...found, periods }
}

describe('price.lowest-prior-in-force: the lowest prior price', () => {
  test('without a past it is that of the present prices in the whole period', () => {
    expect(lowest({})).toEqual({ amount: 1000, knownUntil: null, periods: [{ from: day(30), to: day(60) }] })
  })

  test('counts a past price that ended one millisecond after the period began, and not one that ended then', () => {
    expect(lowest({ past: [past(day(30) + 1, [800])] }).amount).toBe(800)
    expect(lowest({ past: [past(day(30), [800])] }).amount).toBe(1000)
  })

  test('counts present prices from the last change on, and none that begin when the period ends', () => {
    expect(lowest({ past: [past(day(60) - 1, [1200])] })).toMatchObject({ amount: 1000, periods: [{ from: day(60) - 1, to: day(60) }] })
    expect(lowest({ past: [past(day(60), [1200])] })).toMatchObject({ amount: 1200, periods: [] })
  })

  test('counts the spans of a past price that were in force while it was, to the millisecond', () => {
    const sale = (from: number, to: number) => [past(day(50), [1500, 700, 1500], [Number.NEGATIVE_INFINITY, from, to])]
    expect(lowest({ past: sale(day(20), day(30)) }).amount).toBe(1000)
    expect(lowest({ past: sale(day(20), day(30) + 1) }).amount).toBe(700)
    expect(lowest({ past: sale(day(50), day(55)) }).amount).toBe(1000)
    expect(lowest({ past: sale(day(50) - 1, day(55)) }).amount).toBe(700)
  })

  test('counts nothing while the product was absent, and is null when it was absent all the time', () => {
    expect(lowest({ past: [past(day(35), [900]), past(day(45), [], [])], present: 1100 }).amount).toBe(900)
    expect(lowest({ past: [past(day(60), [], [])] }).amount).toBe(null)
    expect(lowest({ present: null }).amount).toBe(null)
  })

  test('counts nothing before the catalog was published first', () => {
    expect(lowest({ firstPublishedAt: day(40), past: [past(day(40), [1])], present: 900 }).amount).toBe(900)
    expect(lowest({ firstPublishedAt: day(60) }).amount).toBe(null)
  })

  test('is null when the history began after the period did, for prices were in force before it', () => {
    expect(lowest({ begunAt: day(30) }).amount).toBe(1000)
    expect(lowest({ begunAt: day(30) + 1 }).amount).toBe(null)
  })

  test('price.history-outlives-releases: is null once a price of the period is as old as the history, to the millisecond', () => {
    const list = [past(day(35), [800])]
    expect(lowest({ past: list, now: day(75) - 1 })).toMatchObject({ amount: 800, knownUntil: day(75) })
    expect(lowest({ past: list, now: day(75) })).toMatchObject({ amount: null, knownUntil: null })
    // A price that ended before the period shows that the next one was in force throughout.
    expect(lowest({ past: [past(day(30), [800])], now: day(500) })).toMatchObject({ amount: 1000, knownUntil: null })
  })
})
