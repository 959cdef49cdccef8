/** Where invoices are due, found by slots, beside the timelines that say it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agreement } from '../../../src/domain/subscriptions/agreement.ts'
import { placesOf, SINGLE } from '../../../src/domain/subscriptions/billing-places.ts'
import { slotRanges } from '../../../src/domain/subscriptions/billing-window.ts'
import { lifeOf } from '../../../src/domain/subscriptions/life.ts'
import { invoiceAt, timeline } from '../../../src/domain/subscriptions/life-readings.ts'
import { clockPieces, toInstant } from '../../../src/domain/subscriptions/local-time.ts'
import { anyAgreement } from '../../support/agreements.ts'
import { runs } from '../../support/effort.ts'

const DAY = 86_400_000

/** The candidates of a window, in order, as the index finds them: a range may find each instant once. */
function candidates(agreement: Agreement, from: number, to: number): number[] {
  const places = placesOf(agreement)
  const found = slotRanges([SINGLE, ...new Set(places.map(({ cadence }) => cadence))], from, to).flatMap((range) => {
    const dues = places
      .filter(({ cadence, slot }) => cadence === range.cadence && slot >= range.from && slot < range.until)
      .map((place) => ({ ...place, due: place.slot + range.shift }))
      .filter((place) => place.due >= place.from && place.due < place.until)
      .map(({ due }) => due)
    expect(dues).toHaveLength(new Set(dues).size)
    return dues
  })
  return [...new Set(found)].sort((one, other) => one - other)
}

test('subscription.due-in-a-window: what slots find in any window are the invoices of the timeline', () => {
  fc.assert(
    fc.property(
      anyAgreement,
      fc.integer({ min: -40 * DAY, max: 400 * DAY }),
      fc.oneof(fc.integer({ min: 1, max: 3 * DAY }), fc.integer({ min: 1, max: 366 * DAY })),
      (agreement, wait, length) => {
        const from = agreement.startsAt + wait
        const to = from + length
        const expected = [...timeline(agreement, from, to)].flatMap(({ type, at }) => (type === 'invoice' ? [at] : []))
        const found = candidates(agreement, from, to)
        expect(found.filter((at) => invoiceAt(lifeOf(agreement), at) !== null)).toEqual(expected)
        expect(found.every((at) => at >= from && at < to)).toBe(true)
      },
    ),
    runs(20_000),
  )
})

test.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'])(
  'subscription.local-time: the local times of a window in %s are those whose instants lie in it',
  (zone) => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2011, 0, 1), max: Date.UTC(2031, 0, 1) }),
        fc.integer({ min: 1, max: 200 * DAY }),
        fc.array(fc.integer({ min: -3 * DAY, max: 203 * DAY }), { minLength: 50, maxLength: 50 }),
        (from, length, places) => {
          const pieces = clockPieces(zone, from, from + length)
          for (const place of places) {
            const local = from + place
            const instant = toInstant(zone, local)
            const found = pieces.filter((piece) => local >= piece.from && local < piece.until)
            expect(found.map(({ shift }) => local + shift)).toEqual(
              instant >= from && instant < from + length ? [instant] : [],
            )
          }
        },
      ),
      runs(500),
    )
  },
)
