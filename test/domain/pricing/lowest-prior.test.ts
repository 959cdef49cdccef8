import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/domain/input/instant.ts'
import {
  chargedPrices,
  type PastPrice,
  type PresentPrices,
  spansWithin,
} from '../../../src/domain/pricing/charged-prices.ts'
import { lowestPrior, onMarketSince, removableUntil } from '../../../src/domain/pricing/lowest-prior.ts'

const day = (number: number): number => number * DAY_MS
const always = Number.NEGATIVE_INFINITY

/** An amount of the list price, or of a sale by its name. */
type Amount = number | null | { readonly [sale: string]: number }

/** Prices over time: the first from the beginning of time, each further one from its instant on. */
function spans(first: Amount, ...later: (readonly [from: number, amount: Amount])[]) {
  const list = [[always, first] as const, ...later]
  const entryOf = (amount: Amount) => (amount !== null && typeof amount === 'object' ? Object.entries(amount)[0] : null)
  return {
    starts: list.map(([from]) => from),
    amounts: list.map(([, amount]) => entryOf(amount)?.[1] ?? (amount as number | null)),
    sales: list.map(([, amount]) => entryOf(amount)?.[0] ?? null),
  }
}
const absent = { starts: [], amounts: [], sales: [] }
type Spans = Omit<PastPrice, 'since' | 'until'>

/** What releases charged, each until the instant of the next. */
const pastOf = (...list: (readonly [until: number, spans: Spans])[]): PastPrice[] =>
  list.map(([until, one], at) => ({ since: list[at - 1]?.[0] ?? 0, until, ...one }))

interface Given {
  readonly past?: readonly PastPrice[]
  readonly present?: Spans
  readonly firstPublishedAt?: number
  readonly begunAt?: number | null
  readonly at?: number
  readonly days?: number
  readonly progressive?: boolean
}

/** A sale of 800 that begins on day 50 by its schedule. */
const scheduled = spans(1000, [day(50), { half: 800 }])

function given({ past = [], present = scheduled, firstPublishedAt = 0, begunAt = null, at = day(70) }: Given) {
  const history = { past, firstPublishedAt, begunAt }
  const latest: PresentPrices = { since: Math.max(at, day(70)), pricesIn: (period) => spansWithin(present, period) }
  return { history, latest, at, charged: chargedPrices(history, latest, at + 1) }
}

/** The lowest amount of the 30 days before the reduction that runs on day 70. */
const lowest = (one: Given) =>
  lowestPrior(given(one).charged, { length: day(one.days ?? 30), progressive: one.progressive ?? false })
const amounts = (one: Given) => [lowest(one).amount, lowest({ ...one, progressive: true }).amount]
const known = (amount: number | null) => ({ amount, knownFrom: null })
const unknown = (knownFrom: number) => ({ amount: null, knownFrom })

describe('price.reduction-begins-in-catalog, price.progressive-reduction: the beginning of a reduction', () => {
  const seven = spans(1000, [day(50), { half: 700 }])

  test.each<[string, Given, (number | null)[]]>([
    ['a sale of 800 from day 50 on', {}, [1000, 1000]],
    ['no sale', { present: spans(1000) }, [null, null]],
    ['a sale that has ended', { present: spans(1000, [day(50), { half: 800 }], [day(70), 1000]) }, [null, null]],
    ['a fall within the sale', { past: pastOf([day(60), scheduled]), present: seven }, [800, 1000]],
    [
      'a rise within the sale, which is no beginning',
      { past: pastOf([day(60), scheduled], [day(65), seven]) },
      [800, 800],
    ],
    [
      'a rise before the fall',
      { past: pastOf([day(55), spans({ half: 700 })], [day(60), spans({ half: 900 })]) },
      [700, 700],
    ],
    [
      'another sale that takes over at the same amount',
      { present: spans(1000, [day(50), { summer: 800 }], [day(60), { 'last days': 800 }]) },
      [800, 800],
    ],
    [
      'another sale that takes over at a lower amount',
      { present: spans(1000, [day(50), { summer: 800 }], [day(60), { 'last days': 799 }]) },
      [800, 1000],
    ],
    [
      'another sale that takes over at a higher amount',
      { present: spans(1000, [day(50), { summer: 700 }], [day(60), { 'last days': 800 }]) },
      [700, 700],
    ],
    [
      'a gap of a millisecond between two sales',
      { present: spans(1000, [day(50), { summer: 800 }], [day(60) - 1, 1000], [day(60), { 'last days': 700 }]) },
      [800, 800],
    ],
    [
      'three sales, each lower, of which the last began on day 69',
      {
        present: spans(1000, [day(50), { a: 900 }], [day(60), { b: 800 }], [day(69), { c: 700 }]),
      },
      [800, 1000],
    ],
    [
      'a backdated sale, published on day 52',
      { past: pastOf([day(52), spans(1000)]), present: spans(1000, [day(1), { half: 800 }]) },
      [1000, 1000],
    ],
    [
      'a permanent sale, published on day 52',
      { past: pastOf([day(52), spans(1000)]), present: spans({ half: 800 }) },
      [1000, 1000],
    ],
    ['a permanent sale from the first publish on', { present: spans({ half: 800 }) }, [null, null]],
    [
      'a list price that rises on the day before the sale',
      { past: pastOf([day(49), spans(900)]), present: spans(1200, [day(50), { half: 800 }]) },
      [900, 900],
    ],
    [
      'a product that was absent for an hour during the sale',
      { past: pastOf([day(60), scheduled], [day(60) + 3_600_000, absent]) },
      [800, 800],
    ],
  ])('the lowest price before a reduction, and counted progressively, with %s', (_, one, expected) => {
    expect(amounts(one)).toEqual(expected)
  })

  test('a reduction runs from its first millisecond to its last', () => {
    const present = spans(1000, [day(50), { half: 800 }], [day(60), 1000])
    expect([day(50) - 1, day(50), day(60) - 1, day(60)].map((at) => lowest({ present, at }).amount)).toEqual([
      null,
      1000,
      1000,
      null,
    ])
  })

  test('the lowest price before a reduction stands for the whole of it, however long it lasts', () => {
    for (const at of [day(62), day(95), day(4_000)])
      expect(lowest({ past: pastOf([day(45), spans(900)]), at })).toEqual(known(900))
  })
})

describe('price.lowest-prior-in-force: the days before a reduction', () => {
  test('the lowest prior price counts a past price that ended one millisecond after the days began, and not one that ended then', () => {
    expect(lowest({ past: pastOf([day(20) + 1, spans(600)]) })).toEqual(known(600))
    expect(lowest({ past: pastOf([day(20), spans(600)]) })).toEqual(known(1000))
  })

  test('the lowest prior price counts what ended in the last millisecond before the reduction, and takes any number of days', () => {
    const past = pastOf([day(45), spans(700)], [day(50) - 1, spans(900)])
    const of = (days: number) => lowest({ past, present: spans({ half: 400 }, [day(50), { whole: 300 }]), days }).amount
    expect([of(5), of(6)]).toEqual([400, 400])
    expect(lowest({ past, days: 5 })).toEqual(known(900))
    expect(lowest({ past, days: 6 })).toEqual(known(700))
  })

  test('the lowest prior price counts the prices of a past release while that was in force, to the millisecond', () => {
    const sale = (from: number, to: number) => ({
      past: pastOf([day(40), spans(1500, [from, { once: 700 }], [to, 1500])]),
    })
    expect(lowest(sale(day(10), day(20))).amount).toBe(1000)
    expect(lowest(sale(day(10), day(20) + 1)).amount).toBe(700)
    expect(lowest(sale(day(40), day(45))).amount).toBe(1000)
    expect(lowest(sale(day(40) - 1, day(45))).amount).toBe(700)
  })

  test('a product that was on the market for fewer days has the lowest of these, and says since when it was', () => {
    const past = pastOf([day(45), absent])
    expect(lowest({ past })).toEqual(known(1000))
    expect(onMarketSince(given({ past }).charged)).toBe(day(45))
    expect(lowest({ firstPublishedAt: day(48) })).toEqual(known(1000))
    expect(onMarketSince(given({ firstPublishedAt: day(48) }).charged)).toBe(day(48))
    expect(lowest({ past: pastOf([day(50), absent]) })).toEqual(known(null))
  })

  test('price.on-market-since-first-price: a product is on the market since its first price, also when it was absent later, and null stands for a history that begins after it', () => {
    const back = pastOf([day(5), absent], [day(30), spans(1000)], [day(40), absent])
    expect(onMarketSince(given({ past: back }).charged)).toBe(day(5))
    expect(onMarketSince(given({ past: back.slice(1) }).charged)).toBe(null)
    expect(onMarketSince(given({ begunAt: day(1) }).charged)).toBe(null)
    expect(onMarketSince(given({ present: spans(null, [day(80), 1000]) }).charged)).toBe(null)
  })
})

describe('price.unknown-history-is-no-guess: a history that lacks something', () => {
  test('the lowest prior price is null once the days begin before what is known, to the millisecond, and says from when on it is known', () => {
    const rows = (since: number | null) => [{ ...spans(900), since, until: day(45) }]
    expect(lowest({ past: rows(day(20)) })).toEqual(known(900))
    expect(lowest({ past: rows(day(20) + 1) })).toEqual(unknown(day(20) + 1))
    expect(lowest({ past: rows(null) })).toEqual(unknown(day(45)))
    expect(lowest({ past: rows(null), days: 5 })).toEqual(known(1000))
    expect(lowest({ begunAt: day(20) })).toEqual(known(1000))
    expect(lowest({ begunAt: day(20) + 1 })).toEqual(unknown(day(20) + 1))
  })

  test('the lowest prior price is null when a price between two others is not known', () => {
    const [first, second] = pastOf([day(30), spans(500)], [day(45), spans(900)]) as [PastPrice, PastPrice]
    expect(lowest({ past: [first, second] })).toEqual(known(500))
    expect(lowest({ past: [first, { ...second, since: day(31) }] })).toEqual(unknown(day(31)))
  })

  test('a past price that does not tell its sale tells that a reduction began where the amount fell, and otherwise not', () => {
    const unnamed = (amount: number) => [{ ...spans(amount), since: 0, until: day(60), sales: null }]
    expect(lowest({ past: unnamed(801), present: spans({ half: 800 }) })).toEqual(known(801))
    expect(lowest({ past: unnamed(800), present: spans({ half: 800 }) })).toEqual(unknown(day(60)))
    expect(lowest({ past: unnamed(801), present: spans({ half: 800 }), progressive: true })).toEqual(unknown(day(60)))
    expect(lowest({ past: unnamed(700), at: day(59) })).toEqual(unknown(day(60)))
  })

  test('the lowest prior price is null at a past instant before which everything was removed, where a guess would say 800', () => {
    // 500 was in force until day 30, when a release came with the sale of day 50; both were removed.
    const past = [{ ...spans(1100), since: day(150), until: day(151) }]
    expect(lowest({ past, present: spans(800, [day(50), { half: 400 }]), at: day(55) })).toEqual(unknown(day(150)))
  })
})

describe('price.history-outlives-releases: what may be removed', () => {
  const until = (one: Given) => {
    const { history, latest, at } = given(one)
    return removableUntil(history, latest, at, day(40))
  }

  test('without a reduction prices may be removed that ended 40 days ago', () => {
    expect(until({ present: spans(1000) })).toBe(day(30))
    expect(until({ present: absent })).toBe(day(30))
  })

  test('while a reduction runs all stays that ended in the 40 days before it', () => {
    expect([until({}), until({ at: day(2_000) })]).toEqual([day(10), day(10)])
  })

  test('reductions that follow one another, each lower, count from the first', () => {
    const present = spans(1000, [day(50), { a: 900 }], [day(150), { b: 800 }])
    expect(until({ present, at: day(300) })).toBe(day(10))
    expect(until({ present: spans(1000, [day(50), { a: 800 }], [day(150), { b: 800 }]), at: day(300) })).toBe(day(110))
  })

  test('what tells that a reduction is not lower than the one before stays too', () => {
    const past = pastOf([day(60), spans(1000, [day(50), { a: 700 }])], [day(150), spans({ a: 900 })])
    expect(until({ past, present: spans({ b: 800 }), at: day(300) })).toBe(day(60) - 1)
  })

  test('nothing may be removed while the sale of the present price is not named', () => {
    expect(until({ present: { ...scheduled, sales: null } })).toBe(null)
  })
})
