/** Metrics of subscriptions, beside what the oracle of their lives says of each. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Agreement } from '../../../src/domain/subscriptions/agreement.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { deriveAgreementRows } from '../../../src/persistence/subscriptions/agreement-rows.ts'
import { agreementWith, anyAgreement, itemWith, planWith } from '../../support/agreements.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { insertAgreements } from '../../support/insert-agreements.ts'
import { useServer } from '../../support/server.ts'
import { oracleFlag, oracleLife } from '../../support/subscription-oracle.ts'
import { idOf } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const DAY = 86_400_000
const BEGIN = Date.UTC(2026, 0, 10)
const iso = (at: number) => new Date(at).toISOString()

const FIELDS = `pendingCount trialCount activeCount pausedCount canceledCount closedCount canceledThisMonthCount recurringAmount { amount }`
const QUERY = `query ($currency: CurrencyCode!, $at: DateTime) { subscriptionMetrics(currency: $currency, at: $at) {
  at planCount total { planId ${FIELDS} } plans { planId ${FIELDS} } } }`

async function metrics(at: number, currency = 'USD') {
  const { data, errors } = await server.gql(QUERY, { currency, at: iso(at) })
  expect(errors).toBeUndefined()
  return data.subscriptionMetrics
}

async function store(agreements: readonly Agreement[]): Promise<void> {
  await insertAgreements(database, agreements)
  await deriveAgreementRows(database)
}

beforeEach(() => reset(database))

describe('subscription.metrics-at-an-instant', () => {
  test('random agreements are counted in the phases of the oracle, and as canceled in the month in which that took effect', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAgreement, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: -20 * DAY, max: 300 * DAY }),
        async (agreements, wait) => {
          await reset(database)
          await store(agreements)
          const at = (agreements[0] as Agreement).startsAt + wait
          const month = new Date(at)
          const monthStart = Date.UTC(month.getUTCFullYear(), month.getUTCMonth())
          const expected: Record<string, number> = {}
          let canceled = 0
          for (const agreement of agreements) {
            const life = oracleLife(agreement, Math.max(at, agreement.startsAt) + 800 * DAY)
            const place = life.phases.findLastIndex(([from]) => from <= at)
            const phase = life.phases[place]?.[1] ?? ''
            expected[phase] = (expected[phase] ?? 0) + 1
            const turn = life.phases.slice(0, place + 1).findLast(([, name]) => name === 'canceled')
            const isEnded = phase === 'canceled' || phase === 'closed'
            if (turn && isEnded && turn[0] >= monthStart && oracleFlag(agreement.changes, life, 'cancel', at))
              canceled++
          }
          const { total } = await metrics(at)
          const found = Object.fromEntries(
            ['pending', 'trial', 'active', 'paused', 'canceled', 'closed']
              .map((phase) => [phase, total[`${phase}Count`]] as const)
              .filter(([, count]) => count > 0),
          )
          expect(found).toEqual(expected)
          expect(total.canceledThisMonthCount).toBe(canceled)
        },
      ),
      runs(150),
    )
  })

  test('counts are those of one currency, at the very millisecond', async () => {
    await insertAgreements(database, [agreementWith({ startsAt: BEGIN })], 'EUR')
    await deriveAgreementRows(database)
    expect((await metrics(BEGIN - 1, 'EUR')).total).toMatchObject({ pendingCount: 1, activeCount: 0 })
    expect((await metrics(BEGIN, 'EUR')).total).toMatchObject({ pendingCount: 0, activeCount: 1 })
    expect(await metrics(BEGIN)).toMatchObject({ planCount: 0, plans: [], total: { activeCount: 0 } })
  })

  test('metrics cost two statements, whatever the number of subscriptions', async () => {
    await store(Array.from({ length: 20 }, () => agreementWith({ startsAt: BEGIN })))
    expect((await countStatements(database, () => metrics(BEGIN))).count).toBe(2)
  })

  test('a shopper is refused', async () => {
    const { errors } = await server.gql(QUERY, { currency: 'USD' }, { token: server.shopper })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('subscription.recurring-amount', () => {
  const weekly = planWith({ id: idOf('plan', 2), billingIntervalType: 'week' })
  const yearly = planWith({ id: idOf('plan', 3), billingIntervalType: 'year' })

  test('months, weeks and years are sums a month, rounded once for each plan; items without a price count as 0', async () => {
    await store([
      agreementWith({ startsAt: BEGIN }),
      agreementWith({ startsAt: BEGIN, items: [itemWith('a', 100, 3), itemWith('b', null)] }),
      // A week of 1000 is 1000 * 30.4375 / 7 = 4348.21 a month; three are 13044.64.
      ...[1, 2, 3].map(() => agreementWith({ startsAt: BEGIN, plan: weekly, items: [itemWith('a', 1000)] })),
      // 1001 / 12 is 83.42; two are 166.83.
      ...[1, 2].map(() => agreementWith({ startsAt: BEGIN, plan: yearly, items: [itemWith('a', 1001)] })),
    ])
    const { plans, total } = await metrics(BEGIN)
    expect(
      plans.map((plan: { planId: string; recurringAmount: object }) => [plan.planId, plan.recurringAmount]),
    ).toEqual([
      [globalId('Plan', weekly.id), { amount: 13045 }],
      [globalId('Plan', planWith().id), { amount: 3300 }],
      [globalId('Plan', yearly.id), { amount: 167 }],
    ])
    expect(total).toMatchObject({ planId: null, activeCount: 7, recurringAmount: { amount: 13045 + 3300 + 167 } })
  })

  test('a half is rounded up, and a sum past 2^53-1 has no amount', async () => {
    await store([
      agreementWith({ startsAt: BEGIN, plan: planWith({ billingFrequency: 2 }), items: [itemWith('a', 1)] }),
    ])
    expect((await metrics(BEGIN)).total.recurringAmount).toEqual({ amount: 1 })
    await reset(database)
    await store([1, 2].map(() => agreementWith({ startsAt: BEGIN, items: [itemWith('a', Number.MAX_SAFE_INTEGER)] })))
    expect((await metrics(BEGIN)).total).toMatchObject({ activeCount: 2, recurringAmount: null })
  })
})
