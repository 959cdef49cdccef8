/** The list of what is due in a time, beside the timelines of all subscriptions. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Agreement } from '../../../src/domain/subscriptions/agreement.ts'
import { invoiceId } from '../../../src/domain/subscriptions/invoice-id.ts'
import { timeline } from '../../../src/domain/subscriptions/life-readings.ts'
import { deriveAgreementRows } from '../../../src/persistence/subscriptions/agreement-rows.ts'
import { agreementWith, anyAgreement, itemWith, planWith } from '../../support/agreements.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { insertAgreements } from '../../support/insert-agreements.ts'
import { useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const DAY = 86_400_000
const BEGIN = Date.UTC(2026, 0, 31, 9, 30)
const iso = (at: number) => new Date(at).toISOString()

const insert = (agreements: readonly Agreement[]) => insertAgreements(database, agreements)

const QUERY = `query ($from: DateTime!, $to: DateTime!, $first: Int, $after: String, $filter: AccountSubscriptionFilter) {
  invoicesDue(from: $from, to: $to, first: $first, after: $after, filter: $filter) {
    invoices { id dueAt } endCursor hasNextPage } }`

async function page(variables: object) {
  const { data, errors } = await server.gql(QUERY, variables as Record<string, unknown>)
  return errors ? errors[0] : data.invoicesDue
}

/** All pages of a window. */
async function walk(from: number, to: number, first: number): Promise<{ id: string; dueAt: string }[]> {
  const found: { id: string; dueAt: string }[] = []
  for (let after: string | null = null; ; ) {
    const { invoices, endCursor, hasNextPage } = await page({ from: iso(from), to: iso(to), first, after })
    expect(invoices.length).toBe(hasNextPage ? first : invoices.length)
    found.push(...invoices)
    if (!hasNextPage) return found
    after = endCursor
  }
}

function expected(agreements: readonly Agreement[], from: number, to: number) {
  const due = agreements.flatMap((agreement, index) =>
    [...timeline(agreement, from, to)].flatMap(({ type, at }) =>
      type === 'invoice' ? [{ at, id: idOf('subscription', index + 1) }] : [],
    ),
  )
  due.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  return due.map(({ at, id }) => ({ id: invoiceId(id, at), dueAt: iso(at) }))
}

beforeEach(() => reset(database))

describe('subscription.due-in-a-window: invoicesDue', () => {
  test('pages of any size of any window list the invoices of the timelines of all subscriptions, by instant and id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAgreement, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: -20 * DAY, max: 300 * DAY }),
        fc.constantFrom(1, DAY, 9 * DAY, 90 * DAY, 366 * DAY),
        fc.constantFrom(1, 3, 500),
        async (agreements, wait, length, first) => {
          await reset(database)
          await insert(agreements)
          await deriveAgreementRows(database)
          const from = (agreements[0] as Agreement).startsAt + wait
          expect(await walk(from, from + length, first)).toEqual(expected(agreements, from, from + length))
        },
      ),
      runs(150),
    )
  })

  test('many subscriptions that are due at one instant are paged by their ids', async () => {
    const agreements = Array.from({ length: 25 }, () => agreementWith({ startsAt: BEGIN }))
    await insert(agreements)
    await deriveAgreementRows(database)
    // The 28th in February, since these begin on the 31st.
    const due = Date.UTC(2026, 1, 28, 9, 30)
    expect(await walk(due, due + 1, 7)).toEqual(expected(agreements, due, due + 1))
    expect(await walk(due, due + 1, 7)).toHaveLength(25)
    expect(await walk(due - 1, due, 7)).toEqual([])
    expect(await walk(due + 1, due + 2, 7)).toEqual([])
  })

  test('a subscription whose change starts a period and settles what was charged is due once, and the list goes on', async () => {
    const at = BEGIN + 3 * DAY
    const change = {
      type: 'change',
      askedAt: at,
      undoneAt: null,
      items: [itemWith('a', 3000)],
      prorateAt: null,
    } as const
    const weekly = planWith({ billingIntervalType: 'week' })
    const agreement = agreementWith({
      startsAt: BEGIN,
      changes: [
        { ...change, id: '0', at, plan: weekly, proration: 'by_time' },
        { ...change, id: '1', at: at + 1, plan: null, items: [itemWith('a', 6000)], proration: 'by_time' },
      ],
    })
    await insert([agreement])
    await deriveAgreementRows(database)
    const dues = (await walk(at, at + 2, 1)).map(({ dueAt }) => dueAt)
    expect(dues).toEqual([iso(at), iso(at + 1)])
  })

  test('a page costs as many statements for 300 subscriptions as for three', async () => {
    const counts: number[] = []
    for (const size of [3, 300]) {
      await reset(database)
      await insert(Array.from({ length: size }, () => agreementWith({ startsAt: BEGIN })))
      await deriveAgreementRows(database)
      const window = { from: iso(BEGIN), to: iso(BEGIN + DAY), first: 2 }
      counts.push((await countStatements(database, () => page(window))).count)
    }
    expect(counts).toEqual([3, 3])
  })

  test('a filter lists those of an account, a plan or an offering alone', async () => {
    const other = planWith({ id: idOf('plan', 2), billingIntervalType: 'week' })
    await insert(
      [0, 1, 2, 3].map((index) => agreementWith({ startsAt: BEGIN + index, ...(index === 3 && { plan: other }) })),
    )
    await deriveAgreementRows(database)
    const window = { from: iso(BEGIN), to: iso(BEGIN + DAY) }
    const dues = async (filter: object) =>
      (await page({ ...window, filter })).invoices.map(({ dueAt }: { dueAt: string }) => dueAt)
    expect(await dues({ accountId: idOf('account', 1) })).toEqual([iso(BEGIN), iso(BEGIN + 3)])
    expect(await dues({ planId: idOf('plan', 2) })).toEqual([iso(BEGIN + 3)])
    expect(await dues({ offeringId: idOf('offering', 9) })).toEqual([])
  })

  test('a subscription that is created is due at once and a month later; once it is canceled it is due no more', async () => {
    await makeProduct({ services: server.services, now: server.now }, idOf('product', 1), {
      price: { USD: { amount: 1000, includes_tax: false } },
    })
    const context = contextAs(server.services, server.now)
    await makePlan(context, idOf('plan', 1))
    await makeOffering(context, idOf('offering', 1), { plans: [idOf('plan', 1)], products: [idOf('product', 1)] })
    const { id } = await makeSubscription(context)
    const window = { from: iso(server.now), to: iso(server.now + 40 * DAY) }
    const count = async () => (await page(window)).invoices.length
    expect(await count()).toBe(2)
    const cancel = `mutation { cancelSubscription(input: { id: "${id}" }) { userErrors { message } } }`
    expect((await server.gql(cancel, {})).data.cancelSubscription.userErrors).toEqual([])
    expect(await count()).toBe(1)
  })

  test.each([
    [{ to: iso(BEGIN - 1) }, 'to'],
    [{ to: iso(BEGIN + 366 * DAY + 1) }, 'to'],
    [{ first: 0 }, 'first'],
    [{ first: 501 }, 'first'],
    [{ after: 'x' }, 'after'],
  ])('what no window can have is refused: %j', async (wrong, member) => {
    const { extensions } = await page({ from: iso(BEGIN), to: iso(BEGIN + DAY), ...wrong })
    expect(extensions.violations).toMatchObject([{ path: [member] }])
  })

  test('a shopper is refused, and a year and a day is a window', async () => {
    const { errors } = await server.gql(QUERY, { from: iso(BEGIN), to: iso(BEGIN) }, { token: server.shopper })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
    expect(await walk(BEGIN, BEGIN + 366 * DAY, 500)).toEqual([])
  })

  test('places are derived once, 1,000 subscriptions at a time', async () => {
    await insert(Array.from({ length: 1_001 }, () => agreementWith({ startsAt: BEGIN })))
    const steps: number[] = []
    await deriveAgreementRows(database, (done) => steps.push(done))
    expect(steps).toEqual([1_000])
    expect(await database.prisma.subscriptionBilling.count()).toBe(2_002)
    const { count } = await countStatements(database, () => deriveAgreementRows(database))
    expect(count).toBe(1)
  })
})
