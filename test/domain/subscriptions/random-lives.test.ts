/** Random lives of subscriptions beside the oracle, and what holds for all of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agreement } from '../../../src/domain/subscriptions/agreement.ts'
import { lifeOf } from '../../../src/domain/subscriptions/life.ts'
import {
  lifeStatusAt,
  nextAmount,
  type TimelineEntry,
  timeline,
} from '../../../src/domain/subscriptions/life-readings.ts'
import { termsOf } from '../../../src/domain/subscriptions/terms.ts'
import { anyAgreement } from '../../support/agreements.ts'
import { runs } from '../../support/effort.ts'
import { type OracleEntry, type OracleLine, oracleFlag, oracleLife } from '../../support/subscription-oracle.ts'

const DAY = 86_400_000

function horizonOf({ startsAt, changes }: Agreement): number {
  return Math.max(startsAt, ...changes.map(({ at }) => at)) + 400 * DAY
}

/** An entry in the form of the oracle, with the lines in an order of their own. */
function told(entry: TimelineEntry): OracleEntry {
  switch (entry.type) {
    case 'period':
      return [entry.at, 'period', entry.end]
    case 'invoice':
      return [
        entry.at,
        'invoice',
        sorted(
          entry.lines.map(({ item: { productId, quantity, unitAmount }, reason, amount }) => ({
            productId,
            quantity,
            unitAmount,
            reason,
            amount,
          })),
        ),
      ]
    default:
      return entry.change ? [entry.at, entry.type, entry.change.id] : [entry.at, entry.type]
  }
}

function sorted(lines: readonly OracleLine[]): string[] {
  return lines.map((line) => JSON.stringify(line)).sort()
}

function entriesOf(agreement: Agreement, from: number, to: number): OracleEntry[] {
  return [...timeline(agreement, from, to)].map(told)
}

test('subscription.agreement-decides, subscription.one-invoice-an-instant, subscription.proration-by-time, subscription.settles-what-differs, subscription.billing-day, subscription.local-time, subscription.order-at-an-instant, subscription.terms-in-sequence: timeline, invoices, statuses and terms of random lives equal those of the oracle', () => {
  fc.assert(
    fc.property(
      anyAgreement,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
      (agreement, places) => {
        const until = horizonOf(agreement)
        const oracle = oracleLife(agreement, until)
        const begin = Math.min(agreement.startsAt, ...agreement.changes.map(({ at }) => at))
        const expected = oracle.entries.map((entry) =>
          entry[1] === 'invoice' ? [entry[0], entry[1], sorted(entry[2] as OracleLine[])] : entry,
        )
        expect(entriesOf(agreement, begin, until + 1)).toEqual(expected)
        const { startsAt } = agreement
        const held = oracle.terms.filter((_, index) => (oracle.terms[index + 1]?.[0] ?? until) > startsAt)
        expect(termsOf(agreement)).toEqual(
          held.map(([from, plan, items], index) => ({
            ...{ from: Math.max(from, startsAt), to: held[index + 1]?.[0] ?? null },
            ...{ plan, items },
          })),
        )
        const instants = [
          ...places.map((place) => Math.floor(begin + place * (until - 370 * DAY - begin))),
          ...oracle.phases.slice(1).flatMap(([at]) => [at - 1, at]),
        ].filter((now) => now < until - 370 * DAY)
        for (const now of instants) {
          const phase = oracle.phases.findLast(([at]) => at <= now)?.[1]
          const until = oracle.phases.find(([at]) => at > now)?.[0] ?? null
          const { pausedAt: _, canceledAt: __, resumedAt: ___, ...status } = lifeStatusAt(agreement, now)
          const invoiceAfter = oracle.starts.find((start) => start > now)
          if (invoiceAfter === undefined) continue
          const horizonEnd = status.phaseUntil !== null && status.phaseUntil > horizonOf(agreement)
          expect(status).toEqual({
            phase,
            phaseUntil: horizonEnd ? status.phaseUntil : until,
            status: phase === 'trial' || phase === 'active' ? 'active' : 'inactive',
            canceled: oracleFlag(agreement.changes, oracle, 'cancel', now),
            paused: oracleFlag(agreement.changes, oracle, 'pause', now),
            closed: phase === 'closed',
            invoiceAfter,
            endDate: oracle.end,
          })
          const charged = oracle.entries.some(([at, type]) => at === invoiceAfter && type === 'period')
          const due = oracle.entries.find(([at, type]) => at === invoiceAfter && type === 'invoice')
          const amounts = charged ? ((due?.[2] ?? []) as OracleLine[]).map(({ amount }) => amount) : []
          const hasAll = amounts.length > 0 && !amounts.includes(null)
          expect(nextAmount(agreement, now)).toBe(
            hasAll ? amounts.reduce<number>((sum, amount) => sum + Number(amount), 0) : null,
          )
        }
      },
    ),
    runs(20_000),
  )
})

test('subscription.timeline-entries: a timeline is the sum of its parts', () => {
  fc.assert(
    fc.property(anyAgreement, fc.integer({ min: 0, max: 400 * DAY }), (agreement, wait) => {
      const until = horizonOf(agreement)
      const begin = Math.min(agreement.startsAt, ...agreement.changes.map(({ at }) => at))
      const middle = Math.min(begin + wait, until)
      const cuts = [begin, middle, middle + 1, until]
      const parts = cuts.slice(1).flatMap((to, index) => entriesOf(agreement, cuts[index] as number, to))
      expect(parts).toEqual(entriesOf(agreement, begin, until))
    }),
    runs(2_000),
  )
})

test('subscription.agreement-decides: no change alters what lies before it', () => {
  fc.assert(
    fc.property(
      anyAgreement.filter(({ changes }) => changes.some(({ type }) => type !== 'trial')),
      (agreement) => {
        // A moved end of the trial is refused once it has come, which these agreements do not know.
        const changes = agreement.changes.filter(({ type }) => type !== 'trial')
        const last = changes.at(-1)
        if (!last) return
        const [whole, without] = [changes, changes.slice(0, -1)].map((list) => ({ ...agreement, changes: list }))
        const from = Math.min(agreement.startsAt, ...changes.map(({ at }) => at))
        // A resume also takes back what waits, from its instant on.
        expect(entriesOf(whole as Agreement, from, last.at)).toEqual(entriesOf(without as Agreement, from, last.at))
      },
    ),
    runs(2_000),
  )
})

test('subscription.agreement-decides: a life is computed once for an agreement', () => {
  const [agreement] = fc.sample(anyAgreement, 1)
  expect(agreement && lifeOf(agreement)).toBe(agreement && lifeOf(agreement))
})
