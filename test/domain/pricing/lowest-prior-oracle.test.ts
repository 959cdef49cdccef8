import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chargedPrices,
  type PastPrice,
  type PresentPrices,
  spansWithin,
} from '../../../src/domain/pricing/charged-prices.ts'
import { lowestPrior, onMarketSince, removableUntil } from '../../../src/domain/pricing/lowest-prior.ts'
import { runs } from '../../support/effort.ts'
import { beginOf, type Charge, type Charges, lowestBefore } from '../../support/lowest-prior-oracle.ts'

const END = 60
/** How long past prices are kept. */
const KEPT = 6

type Spans = Omit<PastPrice, 'since' | 'until'>

const charge: fc.Arbitrary<Charge> = fc.oneof(
  { arbitrary: fc.record({ amount: fc.integer({ min: 4, max: 6 }), sale: fc.constant(null) }), weight: 2 },
  {
    arbitrary: fc.record({ amount: fc.integer({ min: 1, max: 5 }), sale: fc.constantFrom('a', 'a', 'a', 'b') }),
    weight: 6,
  },
  { arbitrary: fc.constant(null), weight: 1 },
)

/** The prices over time in one release; a product that it lacks has no spans. */
const spans: fc.Arbitrary<Spans> = fc.oneof(
  { arbitrary: fc.constant({ starts: [], amounts: [], sales: [] }), weight: 1 },
  {
    arbitrary: fc
      .array(fc.tuple(charge, fc.integer({ min: 1, max: 25 })), { minLength: 1, maxLength: 7 })
      .map((list) => {
        let at = 0
        const starts = list.map(([, length], index) => {
          if (index === 0) return Number.NEGATIVE_INFINITY
          at += length
          return at
        })
        return {
          starts,
          amounts: list.map(([one]) => one?.amount ?? null),
          sales: list.map(([one]) => one?.sale ?? null),
        }
      }),
    weight: 8,
  },
)

/** Releases with the instants at which each becomes the latest; the first does at 0. */
const releases = fc
  .array(fc.tuple(spans, fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 8 })
  .map((list) => {
    let at = 0
    return list.map(([one, after], index) => {
      at += index === 0 ? 0 : after
      return { at, spans: one }
    })
  })
type Releases = typeof releases extends fc.Arbitrary<infer Value> ? Value : never

function chargeBy({ starts, amounts, sales }: Spans, now: number): Charge {
  const at = starts.findLastIndex((start) => start <= now)
  const amount = amounts[at] ?? null
  return amount === null ? null : { amount, sale: sales?.[at] ?? null }
}

const chargesOf = (list: Releases): Charges =>
  Array.from({ length: END }, (_, now) => {
    const latest = list.findLast(({ at }) => at <= now)
    return latest ? chargeBy(latest.spans, now) : null
  })

/** The past prices that the publishes up to `now` remember. */
function pastOf(list: Releases, now: number): PastPrice[] {
  const past: PastPrice[] = []
  for (const [index, { at, spans: next }] of list.entries()) {
    const former = list[index - 1]?.spans
    if (former === undefined || at > now || JSON.stringify(former) === JSON.stringify(next)) continue
    past.push({ since: past.at(-1)?.until ?? 0, until: at, ...former })
  }
  return past
}

function presentOf(list: Releases, now: number): PresentPrices {
  const latest = list.findLast(({ at }) => at <= now)
  return { since: now, pricesIn: (period) => spansWithin(latest?.spans as Spans, period) }
}

const asHistory = (past: readonly PastPrice[], begunAt: number | null = null) => ({
  past,
  firstPublishedAt: 0,
  begunAt,
})

describe('price.lowest-prior-in-force: the oracle of the lowest prior price', () => {
  test('price.reduction-begins-in-catalog, price.progressive-reduction: the lowest price before a reduction is that of the oracle, for any publishes, days and instant', () => {
    const given = fc.tuple(
      releases,
      fc.integer({ min: 0, max: END - 1 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
    )
    fc.assert(
      fc.property(given, ([list, now, length, progressive]) => {
        const charges = chargesOf(list)
        for (const at of [now, Math.floor(now / 2)]) {
          const charged = chargedPrices(asHistory(pastOf(list, now)), presentOf(list, now), at + 1)
          expect(lowestPrior(charged, { length, progressive })).toEqual({
            amount: lowestBefore(charges, at, length, progressive),
            knownFrom: null,
          })
          const first = charges.slice(0, at + 1).findIndex((one) => one !== null)
          expect(onMarketSince(charged)).toBe(first < 0 ? null : first)
        }
      }),
      runs(10_000),
    )
  })

  test('price.history-outlives-releases, price.unknown-history-is-no-guess: with pruning at random publishes the present answer is that of a history that was never pruned, and a past one is that or null', () => {
    fc.assert(
      fc.property(releases, fc.infiniteStream(fc.boolean()), (list, prunes) => {
        const charges = chargesOf(list)
        let removed: PastPrice[] = []
        for (let now = 0; now < END; now++) {
          const past = pastOf(list, now).filter((one) => !removed.some(({ until }) => until === one.until))
          if (prunes.next().value) {
            const until = removableUntil(asHistory(past), presentOf(list, now), now, KEPT) as number
            const last = past.findLast((one) => one.until <= until)
            if (charges[now]?.sale == null) expect(until).toBe(now - KEPT)
            removed = [...removed, ...past.filter((one) => last !== undefined && one.until < last.until)]
          }
          const kept = past.filter((one) => !removed.includes(one))
          for (const progressive of [false, true]) {
            for (const [at, length] of [
              [now, KEPT],
              [now, 2],
              [Math.floor(now * 0.7), 3],
            ] as const) {
              const truth = lowestBefore(charges, at, length, progressive)
              const charged = chargedPrices(asHistory(kept), presentOf(list, now), at + 1)
              const { amount, knownFrom } = lowestPrior(charged, { length, progressive })
              if (at === now || knownFrom === null) expect([amount, knownFrom]).toEqual([truth, null])
              else expect(amount).toBe(null)
            }
          }
        }
      }),
      runs(1_500),
    )
  })

  test('price.unknown-history-is-no-guess: the lowest price before a reduction is that of the oracle or null where old rows lack their sales or their start, and that of the oracle where what they lack was over before its days', () => {
    const given = fc.tuple(
      releases,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      fc.nat(5),
      fc.constantFrom(...lacks),
    )
    fc.assert(
      fc.property(given, ([list, length, progressive, count, lack]) => {
        const at = END - 1
        const charges = chargesOf(list)
        const past = pastOf(list, at)
        // The newest past price is never removed.
        const old = past.slice(0, 'gone' in lack ? Math.min(count, Math.max(0, past.length - 1)) : count)
        const lacking = past
          .map((one) => (old.includes(one) ? { ...one, ...lack } : one))
          .slice('gone' in lack ? old.length : 0)
        const over = old.at(-1)?.until ?? 0
        const history = 'begun' in lack ? asHistory(past, over) : asHistory(lacking)
        const found = lowestPrior(chargedPrices(history, presentOf(list, at), at + 1), { length, progressive })
        const truth = { amount: lowestBefore(charges, at, length, progressive), knownFrom: null }
        const begin = beginOf(charges, at, false)
        if (found.knownFrom === null || begin === null || (!progressive && begin - length >= over && begin > over))
          expect(found).toEqual(truth)
        else expect(found.amount).toBe(null)
      }),
      runs(4_000),
    )
  })
})

/** What rows may lack: rows that were removed, and a history that began later than the first publish, too. */
const lacks: readonly object[] = [
  { sales: null },
  { since: null },
  { sales: null, since: null },
  { gone: true },
  { begun: true },
]
