/** Changes of a subscription's terms in the graph. */
import { beforeAll, describe, expect, test } from 'vitest'
import { START } from '../../support/server.ts'
import {
  ACCOUNT,
  at,
  DAY,
  FEB_15,
  iso,
  MAR_15,
  now,
  period,
  subscriptionActions,
} from '../../support/subscription-actions.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering, makePlan } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server, database, ask } = graph
const { begin, call, done, refused, preview, life } = subscriptionActions(graph)

const half = START + 15.5 * DAY
const [one, two] = [idOf('product', 1), idOf('product', 2)]
const yearly = idOf('plan', 2)
const offering = idOf('offering', 90)

/** Both products, in some quantities. */
const pieces = (first: number, second = 1) => ({
  items: [
    { productId: one, quantity: first },
    { productId: two, quantity: second },
  ],
})

beforeAll(async () => {
  const ctx = contextAs(server.services, START)
  await makePlan(ctx, idOf('plan', 90), { name: 'Half', base_price_percentage: 50 })
  await makePlan(ctx, idOf('plan', 91), { name: 'Weekly', billing_interval_type: 'week' })
  await makePlan(ctx, idOf('plan', 92), { name: 'Foreign' })
  await makeOffering(ctx, offering, {
    plans: [idOf('plan', 1), idOf('plan', 2), idOf('plan', 90), idOf('plan', 91)],
    products: [one, two],
  })
})

/** A subscription to one product, so that the other one is new. */
const ofOne = async (): Promise<string> => {
  const id = await begin({ offering_id: offering })
  await done('changeSubscription', { id, items: [{ productId: one }], proration: 'NONE' })
  return id
}

async function price(amount: number | null): Promise<void> {
  const given = amount === null ? {} : { USD: { amount, includes_tax: false } }
  for (const id of [one, two])
    await database.prisma.subscriptionProduct.update({ where: { id }, data: { price: given } })
}

describe('subscription.terms-from-an-instant: changeSubscription', () => {
  test('subscription.pinned-prices: a new quantity keeps the amount of its item, and settles it by time', async () => {
    const id = await begin({ offering_id: offering })
    server.now = half
    await price(7000)
    const changed = await done('changeSubscription', { id, ...pieces(3) })
    await price(1000)
    expect(changed.items).toMatchObject([
      { quantity: 3, unitAmount: { amount: 1000 } },
      { quantity: 1, unitAmount: { amount: 1000 } },
    ])
    expect(changed.changes).toMatchObject([
      { type: 'CHANGE', status: 'EFFECTIVE', at: iso(half), proration: 'BY_TIME' },
    ])
    expect((await life(id)).slice(1, 5)).toEqual([
      '01-15 INVOICE 2000',
      '01-31 CHANGES',
      '01-31 INVOICE 1000',
      '02-15 INVOICE 4000',
    ])
  })

  test('a new item and one that comes back take the price of now; an item that is not named leaves', async () => {
    const id = await begin({ offering_id: offering })
    expect((await done('changeSubscription', { id, items: [{ productId: one }] })).items).toHaveLength(1)
    await price(1200)
    const back = await done('changeSubscription', { id, ...pieces(1, 2) })
    await price(1000)
    expect(back.items).toMatchObject([
      { quantity: 1, unitAmount: { amount: 1000 } },
      { quantity: 2, unitAmount: { amount: 1200 } },
    ])
  })

  test('a plan alone keeps the held items under its prices of now, and counts its length from the change', async () => {
    const id = await ofOne()
    server.now = half
    const changed = await done('changeSubscription', { id, planId: idOf('plan', 90) })
    expect(changed).toMatchObject({
      plan: { name: 'Half' },
      items: [{ quantity: 1, unitAmount: { amount: 500 } }],
      nextAmount: { amount: 500 },
      endDate: iso(Date.UTC(2027, 0, 15, 12)),
    })
    server.now = FEB_15
    expect((await done('changeSubscription', { id, planId: idOf('plan', 90) })).endDate).toBe(
      iso(Date.UTC(2027, 1, 15, 12)),
    )
  })

  test('a plan of another interval begins a period at the change; at the end of the period it needs no part', async () => {
    const id = await ofOne()
    await done('changeSubscription', { id, planId: idOf('plan', 91), ...period })
    const weekly = (await life(id)).filter((entry) => /^0[23]/.test(entry))
    expect(weekly.slice(0, 4)).toEqual([
      '02-15 CHANGES',
      '02-15 INVOICE 1000',
      '02-22 INVOICE 1000',
      '03-01 INVOICE 1000',
    ])
  })

  test.each([
    ['neither plan nor items', {}, 'REQUIRED planId'],
    ['a plan that is not offered', { planId: idOf('plan', 92) }, 'PLAN_NOT_OFFERED planId'],
    ['a plan that there is not', { planId: idOf('plan', 99) }, 'NOT_FOUND planId'],
    [
      'a product that is not offered',
      { items: [{ productId: idOf('product', 99) }] },
      'PRODUCT_NOT_OFFERED items.0.productId',
    ],
    ['no items', { items: [] }, 'REQUIRED items'],
    ['an item twice', { items: [{ productId: one }, { productId: one }] }, 'DUPLICATE items.1'],
    ['a quantity of 0', pieces(0), 'OUT_OF_RANGE items.0.quantity'],
    ['a quantity above 1000000', pieces(1_000_001), 'OUT_OF_RANGE items.0.quantity'],
    ['an instant before now', { ...pieces(2), ...at(START - 1) }, 'OUT_OF_RANGE at.instant'],
    ['a preview for later', { ...pieces(2), ...period, prorateAt: iso(START) }, 'INVALID_VALUE prorateAt'],
  ])('%s is refused', async (_, input, said) => {
    const id = await begin({ offering_id: offering })
    expect(await refused('changeSubscription', { id, ...input })).toEqual([said])
    expect(await database.prisma.change.count({ where: { recordId: id } })).toBe(1)
  })

  test('what is not offered any more may stay, and in another quantity; once it has left, it does not come back', async () => {
    const id = await begin({ offering_id: offering })
    await database.prisma.offeringProduct.deleteMany({ where: { offeringId: offering, productId: two } })
    await done('changeSubscription', { id, ...pieces(1, 4) })
    await done('changeSubscription', { id, items: [{ productId: one }] })
    expect(await refused('changeSubscription', { id, ...pieces(1) })).toEqual(['PRODUCT_NOT_OFFERED items.1.productId'])
    await graph.ask(
      `mutation { updateOffering(input: { id: "${offering}", productIds: ["${one}", "${two}"] }) { userErrors { code } } }`,
    )
  })

  test('a new item without a price is refused by name, unless an administrator allows it; a held one may stay', async () => {
    const id = await ofOne()
    await price(null)
    expect(await refused('changeSubscription', { id, ...pieces(1) })).toEqual(['NO_PRICE_IN_CURRENCY items.1'])
    expect(await refused('changeSubscription', { id, planId: idOf('plan', 90) })).toEqual([
      'NO_PRICE_IN_CURRENCY planId',
    ])
    expect(await refused('changeSubscription', { id, ...pieces(1), allowUnpriced: true }, ACCOUNT)).toBe('FORBIDDEN')
    expect(await done('changeSubscription', { id, ...pieces(1), allowUnpriced: true })).toMatchObject({
      nextAmount: null,
    })
    await done('changeSubscription', { id, ...pieces(1, 2) })
    await price(1000)
  })

  test('subscription.exact-sums: sums beyond 2^53-1 are refused', async () => {
    const id = await begin({ offering_id: offering })
    await done('changeSubscription', { id, items: [{ productId: one }] })
    await price(9_007_199_254)
    const items = (quantity: number) => ({ items: [{ productId: two, quantity }] })
    expect(await refused('changeSubscription', { id, ...items(1_000_000), at: { moment: 'PERIOD_END' } })).toEqual([])
    await price(9_007_199_255)
    expect(await refused('changeSubscription', { id, ...pieces(1, 1_000_000), replace: true })).toEqual([
      'OUT_OF_RANGE items',
    ])
    await price(1000)
  })

  test('a change is refused once a cancel was asked for, and closed', async () => {
    const id = await begin({ offering_id: offering })
    await done('cancelSubscription', { id })
    expect(await refused('changeSubscription', { id, ...pieces(2) })).toEqual(['ACTION_REFUSED id'])
    await done('resumeSubscription', { id })
    server.now = Date.UTC(2027, 0, 15, 12)
    expect(await refused('changeSubscription', { id, ...pieces(2) })).toEqual(['ACTION_REFUSED id'])
    server.now--
    await done('changeSubscription', { id, ...pieces(2) })
  })

  test('a term is renewed by a change at its end', async () => {
    const id = await begin({ offering_id: offering })
    const end = Date.UTC(2027, 0, 15, 12)
    const changed = await done('changeSubscription', { id, planId: idOf('plan', 1), ...at(end) })
    expect(changed).toMatchObject({ endDate: iso(Date.UTC(2028, 0, 15, 12)), scheduledChanges: [{ type: 'CHANGE' }] })
  })
})

describe('subscription.one-ahead: a change that is ahead', () => {
  test('another change is refused by the key of the one ahead, also of now, unless it replaces it', async () => {
    const id = await begin({ offering_id: offering })
    const [ahead] = (await done('changeSubscription', { id, ...pieces(2), ...period })).scheduledChanges
    for (const time of [now, at(MAR_15)]) {
      const { userErrors } = await call('changeSubscription', { id, ...pieces(3), ...time })
      expect(userErrors).toMatchObject([{ code: 'SCHEDULED_CHANGE', path: ['id'] }])
      expect(userErrors[0].message).toBe(
        `the change ${ahead.key} is ahead, at ${ahead.at}: undo it first, or give replace: true`,
      )
    }
    const replaced = await done('changeSubscription', { id, ...pieces(3), ...at(MAR_15), replace: true })
    expect(replaced.changes).toMatchObject([{ status: 'UNDONE' }, { status: 'SCHEDULED', at: iso(MAR_15) }])
    expect((await life(id)).filter((entry) => entry.includes('INVOICE'))).toEqual([
      '01-15 INVOICE 2000',
      '02-15 INVOICE 2000',
      '03-15 INVOICE 4000',
      '04-15 INVOICE 4000',
    ])
  })

  test("subscription.undone-until-its-instant: an undone change leaves the terms as they were, and a shopper can't replace an administrator's", async () => {
    const id = await begin({ offering_id: offering })
    const before = await life(id)
    const [{ key: changeKey }] = (await done('changeSubscription', { id, ...pieces(2), ...period })).scheduledChanges
    expect(await refused('changeSubscription', { id, ...pieces(3), replace: true }, ACCOUNT)).toBe('FORBIDDEN')
    await done('undoScheduledChange', { id, changeKey })
    expect(await life(id)).toEqual(before)
    await done('changeSubscription', { id, ...pieces(2), ...period }, ACCOUNT)
    await done('changeSubscription', { id, ...pieces(3), replace: true }, ACCOUNT)
  })
})

describe('subscription.shoppers-change-by-time: changes by shoppers', () => {
  test('a shopper adds by time; less takes effect at the end of the period, where nobody gets money back', async () => {
    const id = await begin({ offering_id: offering })
    server.now = half
    expect(await refused('changeSubscription', { id, ...pieces(2), proration: 'NONE' }, ACCOUNT)).toBe('FORBIDDEN')
    await done('changeSubscription', { id, ...pieces(2), proration: 'BY_TIME' }, ACCOUNT)
    server.now += DAY
    const less = await done('changeSubscription', { id, ...pieces(1), ...now }, ACCOUNT)
    expect(less.scheduledChanges).toMatchObject([{ type: 'CHANGE', at: iso(FEB_15) }])
    expect((await life(id)).slice(1, 6)).toEqual([
      '01-15 INVOICE 2000',
      '01-31 CHANGES',
      '01-31 INVOICE 500',
      '02-15 CHANGES',
      '02-15 INVOICE 2000',
    ])
    expect(await refused('changeSubscription', { id, ...pieces(4) }, idOf('account', 2))).toEqual(['NOT_FOUND id'])
  })

  test('an administrator gives the money back at once', async () => {
    const id = await begin({ offering_id: offering })
    server.now = half
    await done('changeSubscription', { id, items: [{ productId: one }] })
    expect((await life(id))[3]).toBe('01-31 INVOICE -500')
  })
})

test('subscription.dry-run, subscription.kept-preview: a previewed change is what the write does, at the previewed amounts', async () => {
  const id = await begin({ offering_id: offering })
  server.now = half
  const { preview: seen } = await preview('changeSubscription', { id, planId: idOf('plan', 91), ...pieces(2) }, ACCOUNT)
  expect(seen.before).toMatchObject({ invoiceAfter: iso(FEB_15), nextAmount: { amount: 2000 } })
  expect(seen.after).toMatchObject({
    invoiceAfter: iso(half + 7 * DAY),
    upcomingInvoices: [
      { dueAt: iso(half), amount: { amount: 2000 } },
      { dueAt: iso(half + 7 * DAY), amount: { amount: 3000 } },
    ],
  })
  expect(await database.prisma.change.count({ where: { recordId: id } })).toBe(1)
  const dearer = { id, ...pieces(2) }
  const { preview: more } = await preview('changeSubscription', dearer)
  expect(more.after.upcomingInvoices[0]).toMatchObject({ dueAt: iso(half), amount: { amount: 500 } })
  server.now = half + 3_600_000
  const [asPreviewed] = (await preview('changeSubscription', { ...dearer, prorateAt: more.at })).preview.after
    .upcomingInvoices
  expect([asPreviewed.dueAt, asPreviewed.amount.amount]).toEqual([iso(server.now), 500])
  await done('changeSubscription', { ...dearer, prorateAt: more.at })
  expect((await life(id))[3]).toBe('01-31 INVOICE 500')
})

test('subscription.listed-by-status: lists by plan have the plan in force at the instant', async () => {
  const id = await begin({ offering_id: offering, account_id: idOf('account', 60) })
  await done('changeSubscription', { id, planId: yearly, ...period })
  const under = async (planId: string) => {
    const token = (await server.issue({ subject: 'admin', role: 'admin' }, server.now)).token
    const filter = `accountId: "${idOf('account', 60)}", planId: "${planId}"`
    const lists = `{ subscriptions(filter: { ${filter} }) { totalCount } account(id: "${idOf('account', 60)}") { subscriptions(filter: { planId: "${planId}" }) { totalCount nodes { id } } } }`
    const data = await ask(lists, {}, token)
    expect(data.account.subscriptions.nodes).toHaveLength(data.subscriptions.totalCount)
    return data.subscriptions.totalCount
  }
  for (const [instant, counts] of [
    [FEB_15 - 1, [1, 0]],
    [FEB_15, [0, 1]],
  ] as const) {
    server.now = instant
    expect([await under(idOf('plan', 1)), await under(yearly)]).toEqual(counts)
  }
})
