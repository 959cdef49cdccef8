/** What administrators alone do to a subscription, in the graph. */
import { beforeAll, describe, expect, test } from 'vitest'
import { START } from '../../support/server.ts'
import { ACCOUNT, DAY, iso, now, subscriptionActions } from '../../support/subscription-actions.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering, makePlan } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server } = graph
const { begin, done, refused, life } = subscriptionActions(graph)
const [plan, offering] = [idOf('plan', 80), idOf('offering', 80)]

beforeAll(async () => {
  const ctx = contextAs(server.services, START)
  await makePlan(ctx, plan, { trial_period: 10, plan_length: 2 })
  await makeOffering(ctx, offering, { plans: [plan], products: [idOf('product', 1)] })
})

const trying = () => begin({ plan_id: plan, offering_id: offering })

describe('subscription.trial-end-moves: moveTrialEnd', () => {
  test('periods are counted from the end that was moved last', async () => {
    const id = await trying()
    await done('moveTrialEnd', { id, trialEndsAt: iso(START + 40 * DAY) })
    const moved = await done('moveTrialEnd', { id, trialEndsAt: iso(START + 20 * DAY) })
    expect(moved).toMatchObject({ phase: 'TRIAL', trialEndsAt: iso(START + 20 * DAY), scheduledChanges: [] })
    expect(moved.changes).toMatchObject([
      { type: 'TRIAL', status: 'UNDONE' },
      { type: 'TRIAL', status: 'EFFECTIVE', proration: null },
    ])
    expect(await life(id)).toEqual([
      '01-15 BEGINS',
      '01-15 TRIAL_BEGINS',
      '02-04 TRIAL_ENDS',
      '02-04 INVOICE 1000',
      '03-04 INVOICE 1000',
      '04-04 CLOSES',
      '04-04 BECOMES_INACTIVE',
    ])
  })

  test('moved to now it ends now and the first invoice is due, and it does not move again', async () => {
    const id = await trying()
    server.now = START + 5 * DAY
    expect(await done('moveTrialEnd', { id, trialEndsAt: iso(server.now) })).toMatchObject({ phase: 'ACTIVE' })
    expect((await life(id)).slice(2, 4)).toEqual(['01-20 TRIAL_ENDS', '01-20 INVOICE 1000'])
    expect(await refused('moveTrialEnd', { id, trialEndsAt: iso(server.now + DAY) })).toEqual([
      'ACTION_REFUSED trialEndsAt',
    ])
  })

  test('a trial moves until the millisecond before its end, to no instant before now, and not for a shopper', async () => {
    const id = await trying()
    server.now = START + 10 * DAY - 1
    expect(await refused('moveTrialEnd', { id, trialEndsAt: iso(server.now - 1) })).toEqual([
      'OUT_OF_RANGE trialEndsAt',
    ])
    expect(await refused('moveTrialEnd', { id, trialEndsAt: iso(server.now) }, ACCOUNT)).toBe('FORBIDDEN')
    await done('cancelSubscription', { id })
    expect(await refused('moveTrialEnd', { id, trialEndsAt: iso(server.now) })).toEqual(['ACTION_REFUSED trialEndsAt'])
    await done('resumeSubscription', { id })
    await done('moveTrialEnd', { id, trialEndsAt: iso(server.now + DAY) })
    server.now += DAY
    expect(await refused('moveTrialEnd', { id, trialEndsAt: iso(server.now + DAY) })).toEqual([
      'ACTION_REFUSED trialEndsAt',
    ])
  })

  test('a trial does not end before the start of the subscription', async () => {
    server.now = START
    const ids = { accountId: idOf('account', 1), offeringId: offering, planId: plan }
    const input = { ...ids, currency: 'USD', name: 'Ada', email: 'ada@example.com', startsAt: iso(START + 2 * DAY) }
    const { id } = await done('createSubscription', input)
    expect(await refused('moveTrialEnd', { id, trialEndsAt: iso(START + 2 * DAY - 1) })).toEqual([
      'ACTION_REFUSED trialEndsAt',
    ])
    expect(await done('moveTrialEnd', { id, trialEndsAt: iso(START + 2 * DAY) })).toMatchObject({ trialEndsAt: null })
  })
})

test('subscription.suspended-is-a-mark: the mark changes neither status nor invoices, and is for administrators', async () => {
  const id = await trying()
  const before = await life(id)
  expect(await refused('suspendSubscription', { id }, ACCOUNT)).toBe('FORBIDDEN')
  const marked = await done('suspendSubscription', { id })
  expect(marked).toMatchObject({ suspended: true, status: 'ACTIVE', phase: 'TRIAL' })
  expect(await done('suspendSubscription', { id })).toEqual(marked)
  const path = `/v2/subscriptions/subscriptions/${id}`
  expect((await server.rest('GET', path)).body.data.meta).toMatchObject({ suspended: true, status: 'active' })
  expect(await life(id)).toEqual(before)
  expect(await refused('unsuspendSubscription', { id }, ACCOUNT)).toBe('FORBIDDEN')
  expect(await done('unsuspendSubscription', { id })).toMatchObject({ suspended: false })
})

test('simultaneous changes, pauses and cancels end in one order, with no terms lost', async () => {
  const id = await begin()
  const items = (quantity: number) => ({ items: [{ productId: idOf('product', 1), quantity }] })
  const kinds: readonly ((index: number) => [string, object])[] = [
    (index) => ['changeSubscription', { id, ...items(index + 1) }],
    () => ['pauseSubscription', { id, ...now }],
    () => ['resumeSubscription', { id }],
    (index) =>
      index < 20 ? ['changeSubscription', { id, ...items(index + 1) }] : ['cancelSubscription', { id, ...now }],
  ]
  const calls = Array.from({ length: 6 }, (_, round) => kinds.map((of, kind) => of(round * 4 + kind))).flat()
  const said = await Promise.all(calls.map(([name, input]) => refused(name, input)))
  const stored = (await graph.database.prisma.subscription.findUniqueOrThrow({ where: { id } })).agreement as never as {
    changes: { type: string; askedAt: number; items?: { quantity: number }[] }[]
  }
  expect(said.flat().filter((code: string) => code !== 'ACTION_REFUSED id')).toEqual([])
  const fine = calls.filter((_, index) => said[index].length === 0)
  expect(stored.changes.map(({ type }) => type).sort()).toEqual(
    fine.map(([name]) => name.replace('Subscription', '')).sort(),
  )
  const asked = fine.flatMap(([, input]) => ('items' in input ? (input.items as { quantity: number }[]) : []))
  const kept = stored.changes.flatMap((change) => change.items ?? [])
  expect(kept.map(({ quantity }) => quantity).sort((a, b) => a - b)).toEqual(
    asked.map(({ quantity }) => quantity).sort((a, b) => a - b),
  )
  // Each was asked for after the one before, and the log leads from each to the next.
  const instants = stored.changes.map(({ askedAt }) => askedAt)
  expect(instants).toEqual([...instants].sort((a, b) => a - b))
  const log = await graph.database.prisma.change.findMany({ where: { recordId: id }, orderBy: { id: 'asc' } })
  expect(log.map(({ after }) => (after as never as { agreement: typeof stored }).agreement.changes.length)).toEqual(
    Array.from({ length: fine.length + 1 }, (_, index) => index),
  )
  for (const [index, { before }] of log.slice(1).entries()) expect(before).toEqual(log[index]?.after)
})
