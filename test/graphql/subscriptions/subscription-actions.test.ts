/** Pauses, cancels and resumes of subscriptions at instants, and what undoes them, in the graph. */
import { describe, expect, test } from 'vitest'
import { SUBSCRIPTION_CHANGES_MAX } from '../../../src/domain/input/limits.ts'
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
const { server, database } = graph
const { begin, call, done, refused, preview, life } = subscriptionActions(graph)

const half = START + 15.5 * DAY

describe('subscription.asked-for-an-instant: pauses and cancels', () => {
  test('subscription.proration-by-default: a pause at an instant turns its flag then, and ends at its resumeAt', async () => {
    const id = await begin()
    const asked = await done('pauseSubscription', { id, ...at(half), resumeAt: iso(FEB_15 + DAY) })
    expect(asked).toMatchObject({ paused: false, phase: 'ACTIVE' })
    expect(asked.changes).toMatchObject([
      { type: 'PAUSE', status: 'SCHEDULED', at: iso(half), proration: 'NONE', requestedByShopper: false },
      {
        type: 'RESUME',
        status: 'SCHEDULED',
        at: iso(FEB_15 + DAY),
        proration: 'BY_TIME',
        pauseKey: asked.changes[0].key,
      },
    ])
    expect((await life(id)).slice(0, 8)).toEqual([
      '01-15 BEGINS',
      '01-15 INVOICE 2000',
      '01-31 PAUSES',
      '01-31 BECOMES_INACTIVE',
      '02-16 RESUMES',
      // 27 of the 28 days of a period that nobody paid for.
      '02-16 INVOICE 1928',
      '03-15 INVOICE 2000',
      '04-15 INVOICE 2000',
    ])
    server.now = half
    expect((await call('resumeSubscription', { id })).subscription).toMatchObject({ paused: false, phase: 'ACTIVE' })
    expect((await life(id)).filter((entry) => entry.startsWith('02'))).toEqual(['02-15 INVOICE 2000'])
    expect((await call('resumeSubscription', { id })).userErrors).toMatchObject([{ code: 'ACTION_REFUSED' }])
  })

  test('subscription.order-at-an-instant: a cancel of now after a resume in the same millisecond holds, and so does a pause', async () => {
    const id = await begin()
    server.now = half
    await done('cancelSubscription', { id, ...now })
    expect(await done('resumeSubscription', { id })).toMatchObject({ canceled: false, phase: 'ACTIVE' })
    expect(await done('cancelSubscription', { id, ...now })).toMatchObject({ canceled: true, phase: 'CANCELED' })
    await done('resumeSubscription', { id })
    expect(await done('pauseSubscription', { id, ...now })).toMatchObject({ paused: true, phase: 'PAUSED' })
  })

  test('a cancel of now by time credits the rest of the period, with its reason, for administrators alone', async () => {
    const id = await begin()
    server.now = half
    expect(await refused('cancelSubscription', { id, ...now, proration: 'BY_TIME' }, ACCOUNT)).toBe('FORBIDDEN')
    const canceled = await done('cancelSubscription', { id, ...now, proration: 'BY_TIME', reason: 'moved away' })
    expect(canceled).toMatchObject({ canceled: true, phase: 'CANCELED', status: 'INACTIVE', canceledAt: iso(half) })
    expect(canceled.changes).toMatchObject([{ status: 'EFFECTIVE', reason: 'moved away', proration: 'BY_TIME' }])
    expect(await life(id)).toEqual([
      '01-15 BEGINS',
      '01-15 INVOICE 2000',
      '01-31 CANCELS',
      '01-31 BECOMES_INACTIVE',
      '01-31 INVOICE -1000',
    ])
  })

  test('right.shoppers-see-published-and-own: shoppers act by the proration of the default alone, also when they name it', async () => {
    const id = await begin()
    expect(await refused('pauseSubscription', { id, ...now, proration: 'BY_TIME' }, ACCOUNT)).toBe('FORBIDDEN')
    const paused = await done('pauseSubscription', { id, ...now, proration: 'NONE' }, ACCOUNT)
    expect(paused.changes).toMatchObject([{ requestedByShopper: true }])
    expect(await refused('resumeSubscription', { id, proration: 'NONE' }, ACCOUNT)).toBe('FORBIDDEN')
    expect(await refused('resumeSubscription', { id }, idOf('account', 2))).toEqual(['NOT_FOUND id'])
    await done('resumeSubscription', { id, proration: 'BY_TIME' }, ACCOUNT)
  })

  test.each([
    ['an instant before now', 'pauseSubscription', at(START - 1), 'OUT_OF_RANGE at.instant'],
    ['more than 100 years ahead', 'cancelSubscription', at(Date.UTC(2126, 0, 15, 12) + 1), 'OUT_OF_RANGE at.instant'],
    ['a resume at the pause', 'pauseSubscription', { ...at(half), resumeAt: iso(half) }, 'OUT_OF_RANGE resumeAt'],
    ['a long reason', 'cancelSubscription', { reason: 'x'.repeat(2049) }, 'TOO_LONG reason'],
    ['a resume of nothing', 'resumeSubscription', at(half), 'ACTION_REFUSED id'],
    ['a preview for later', 'pauseSubscription', { prorateAt: iso(START) }, 'INVALID_VALUE prorateAt'],
  ])('%s is refused', async (_, name, input, said) => {
    const id = await begin()
    expect(await refused(name, { id, ...input })).toEqual([said])
    expect(await database.prisma.change.count({ where: { recordId: id } })).toBe(1)
  })

  test('a cancel in exactly 100 years, and a pause of exactly now, are accepted', async () => {
    const id = await begin()
    await done('cancelSubscription', { id, ...at(Date.UTC(2126, 0, 15, 12)) })
    expect(await done('pauseSubscription', { id, ...at(START) })).toMatchObject({ paused: true, phase: 'PAUSED' })
  })

  test('subscription.allowed-actions: after a cancel for the end of the period nothing but a resume follows; after one by an instant more may, and says that it is overtaken', async () => {
    const id = await begin()
    await done('cancelSubscription', { id })
    for (const name of ['pauseSubscription', 'cancelSubscription'])
      expect(await refused(name, { id, ...now })).toEqual(['ACTION_REFUSED id'])
    await done('resumeSubscription', { id })
    await done('cancelSubscription', { id, ...at(half) })
    const later = await done('pauseSubscription', { id, ...at(half + DAY) })
    expect(later.changes.map(({ status }: { status: string }) => status)).toEqual([
      'TAKEN_BACK',
      'EFFECTIVE',
      'SCHEDULED',
      'OVERTAKEN',
    ])
  })

  test('a resume may be asked for an instant at which a pause that is ahead holds', async () => {
    const id = await begin()
    await done('pauseSubscription', { id, ...at(half) })
    await done('resumeSubscription', { id, ...at(half + DAY) })
    expect((await life(id)).slice(2, 5)).toEqual(['01-31 PAUSES', '01-31 BECOMES_INACTIVE', '02-01 RESUMES'])
  })
})

describe('subscription.one-ahead, subscription.undone-until-its-instant: what is ahead', () => {
  test('one pause, one cancel and one resume may be ahead; another is refused by the id of the one that is', async () => {
    const id = await begin()
    const { scheduledChanges } = await done('pauseSubscription', { id, ...at(half), resumeAt: iso(FEB_15) })
    const [pause, resume] = scheduledChanges
    expect((await call('pauseSubscription', { id })).userErrors).toEqual([
      {
        code: 'SCHEDULED_CHANGE',
        path: ['id'],
        message: `the pause ${pause.key} is ahead, at ${iso(half)}: undo it first`,
      },
    ])
    expect((await call('resumeSubscription', { id, ...at(FEB_15 - 1) })).userErrors[0].message).toContain(resume.key)
    expect(await refused('pauseSubscription', { id, ...now, resumeAt: iso(MAR_15) })).toEqual(['SCHEDULED_CHANGE id'])
    await done('cancelSubscription', { id, ...at(MAR_15) })
    expect(await refused('cancelSubscription', { id, ...at(MAR_15 + 1) })).toEqual(['SCHEDULED_CHANGE id'])
    expect(await done('cancelSubscription', { id, ...now })).toMatchObject({ phase: 'CANCELED' })
  })

  test('a pause takes its resumeAt with it; the undone is as if it was never asked for, but for history', async () => {
    const id = await begin()
    const before = await life(id)
    const paused = await done('pauseSubscription', { id, ...period, resumeAt: iso(MAR_15) })
    expect(paused).toMatchObject({ paused: true, pausedAt: iso(START) })
    const undone = await done('undoScheduledChange', { id, changeKey: paused.scheduledChanges[0].key })
    expect(undone).toMatchObject({ paused: false, pausedAt: null, scheduledChanges: [] })
    expect(undone.changes).toMatchObject([{ status: 'UNDONE' }, { status: 'UNDONE' }])
    expect(await life(id)).toEqual(before)
    expect(await refused('undoScheduledChange', { id, changeKey: paused.scheduledChanges[0].key })).toEqual([
      'ACTION_REFUSED changeKey',
    ])
    const { subscription } = await graph.ask(`{ subscription(id: "${id}") { states { nodes { action } } } }`)
    expect(subscription.states.nodes).toEqual([{ action: 'PAUSE' }])
  })

  test('the resumeAt of a pause in effect can be undone by itself, and leaves it paused', async () => {
    const id = await begin()
    const paused = await done('pauseSubscription', { id, ...now, resumeAt: iso(FEB_15) })
    const undone = await done('undoScheduledChange', { id, changeKey: paused.changes[1].key })
    expect(undone).toMatchObject({ paused: true, phase: 'PAUSED', phaseUntil: iso(Date.UTC(2027, 0, 15, 12)) })
  })

  test('a change is undone until the millisecond before it', async () => {
    const id = await begin()
    const [{ key: changeKey }] = (await done('pauseSubscription', { id, ...at(half) })).scheduledChanges
    server.now = half
    expect(await refused('undoScheduledChange', { id, changeKey })).toEqual(['ACTION_REFUSED changeKey'])
    server.now = half - 1
    await done('undoScheduledChange', { id, changeKey })
  })

  test.each([
    [idOf('plan', 1), 'NOT_FOUND changeKey'],
    ['x', 'INVALID_FORMAT changeKey'],
  ])('the change %s is refused', async (changeKey, said) => {
    expect(await refused('undoScheduledChange', { id: await begin(), changeKey })).toEqual([said])
  })

  test('shoppers undo what a shopper asked for, and nothing of an administrator', async () => {
    const id = await begin()
    const [own] = (await done('pauseSubscription', { id, ...at(half) }, ACCOUNT)).scheduledChanges
    const both = (await done('cancelSubscription', { id, ...at(MAR_15) })).scheduledChanges
    const others = both.find(({ type }: { type: string }) => type === 'CANCEL')
    expect(await refused('undoScheduledChange', { id, changeKey: others.key }, ACCOUNT)).toBe('FORBIDDEN')
    expect(await refused('undoScheduledChange', { id, changeKey: own.key }, idOf('account', 2))).toEqual([
      'NOT_FOUND id',
    ])
    await done('undoScheduledChange', { id, changeKey: own.key }, ACCOUNT)
  })

  test('a resume of now takes back a resume ahead that has nothing to end any more', async () => {
    const id = await begin()
    await done('pauseSubscription', { id, resumeAt: iso(MAR_15) })
    const resumed = await done('resumeSubscription', { id })
    expect(resumed.changes.map(({ status }: { status: string }) => status)).toEqual([
      'TAKEN_BACK',
      'UNDONE',
      'EFFECTIVE',
    ])
    expect(resumed.scheduledChanges).toEqual([])
  })
})

test('subscription.only-one-resumes: where it was asked to be the only one, a resume is refused while another runs', async () => {
  server.now = START
  const ids = { accountId: idOf('account', 70), offeringId: idOf('offering', 1), planId: idOf('plan', 1) }
  const input = { ...ids, currency: 'USD', name: 'Ada', email: 'ada@example.com' }
  const { id } = await done('createSubscription', { ...input, onlyOne: true })
  await done('cancelSubscription', { id, ...now })
  const other = await done('createSubscription', { ...input, onlyOne: true })
  expect(await refused('resumeSubscription', { id })).toEqual(['ALREADY_SUBSCRIBED id'])
  await done('cancelSubscription', { id: other.id, ...now })
  await done('resumeSubscription', { id })
  expect(await refused('resumeSubscription', { id: other.id })).toEqual(['ALREADY_SUBSCRIBED id'])
})

test('subscription.stored-changes: 1000 changes are kept, and a cancel has room after them', async () => {
  const id = await begin()
  const { agreement } = await database.prisma.subscription.findUniqueOrThrow({ where: { id } })
  const undone = (index: number) => ({
    ...{ id: idOf('plan', index), type: 'pause', askedAt: START, at: START + 1, undoneAt: START },
    ...{ atPeriodEnd: false, proration: 'none', reason: null },
  })
  const changes = Array.from({ length: SUBSCRIPTION_CHANGES_MAX - 1 }, (_, index) => undone(index))
  await database.prisma.subscription.update({
    where: { id },
    data: { agreement: { ...(agreement as object), changes } },
  })
  await done('pauseSubscription', { id, ...at(half) })
  expect(await refused('resumeSubscription', { id, ...at(half + 1) })).toEqual(['TOO_MANY id'])
  expect(await done('cancelSubscription', { id, ...now })).toMatchObject({ phase: 'CANCELED' })
})

describe('subscription.dry-run: previews', () => {
  test('a dry run shows what the write then does, and writes nothing, whatever the key', async () => {
    const id = await begin()
    server.now = half
    const input = { id, ...now, proration: 'BY_TIME', idempotencyKey: 'dry' }
    const { subscription, preview: seen, userErrors } = await preview('cancelSubscription', input)
    expect([subscription, userErrors]).toEqual([null, []])
    expect(seen).toMatchObject({
      at: iso(half),
      before: { phase: 'ACTIVE', nextAmount: { amount: 2000 }, upcomingInvoices: [{ dueAt: iso(FEB_15) }, {}] },
      after: {
        phase: 'CANCELED',
        nextAmount: null,
        // The subscription of an invoice is the stored one.
        upcomingInvoices: [
          { subscription: { phase: 'ACTIVE' }, dueAt: iso(half), amount: { amount: -1000 }, lines: [{}, {}] },
        ],
      },
    })
    expect(await database.prisma.change.count({ where: { recordId: id } })).toBe(1)
    expect(await refused('pauseSubscription', { id, idempotencyKey: 'dry' })).toEqual([])
    await done('resumeSubscription', { id })
    // subscription.kept-preview: ten minutes later for the amounts of the preview, due then.
    server.now = half + 600_000
    await done('cancelSubscription', { id, ...now, proration: 'BY_TIME', prorateAt: seen.at })
    expect((await life(id)).at(-1)).toBe('01-31 INVOICE -1000')
  })

  test('subscription.kept-preview: a preview is kept for an hour, and not beyond its period', async () => {
    const id = await begin()
    const kept = (prorateAt: number) =>
      refused('cancelSubscription', { id, ...now, prorateAt: iso(prorateAt), dryRun: true })
    server.now = half
    expect(await kept(half - 3_600_000)).toEqual([])
    expect(await kept(half - 3_600_001)).toEqual(['OUT_OF_RANGE prorateAt'])
    expect(await kept(half + 1)).toEqual(['OUT_OF_RANGE prorateAt'])
    server.now = FEB_15
    expect(await kept(FEB_15)).toEqual([])
    expect(await kept(FEB_15 - 1)).toEqual(['OUT_OF_RANGE prorateAt'])
    // What was charged since was not in the preview: its credit would be for more than that.
    server.now = FEB_15 + 60_000
    await done('changeSubscription', { id, items: [{ productId: idOf('product', 1), quantity: 9 }] })
    server.now = FEB_15 + 120_000
    expect(await kept(FEB_15 + 59_999)).toEqual(['OUT_OF_RANGE prorateAt'])
    expect(await kept(FEB_15 + 60_000)).toEqual([])
  })

  test('a dry run is refused like the write', async () => {
    const id = await begin()
    expect(await refused('resumeSubscription', { id, dryRun: true })).toEqual(['ACTION_REFUSED id'])
    expect(await refused('pauseSubscription', { id, dryRun: true, proration: 'BY_TIME' }, ACCOUNT)).toBe('FORBIDDEN')
    expect(await refused('pauseSubscription', { id, dryRun: true, ifUpdatedAt: iso(START - 1) })).toEqual([
      'STALE ifUpdatedAt',
    ])
  })

  test('a dry run of a create has no subscription before, and makes none', async () => {
    server.now = START
    const count = await database.prisma.subscription.count()
    const ids = { accountId: idOf('account', 71), offeringId: idOf('offering', 1), planId: idOf('plan', 1) }
    const input = { ...ids, currency: 'USD', name: 'Ada', email: 'ada@example.com' }
    const { preview: seen } = await preview('createSubscription', { ...input, startsAt: iso(START + DAY) })
    expect(seen).toMatchObject({
      before: null,
      after: { phase: 'PENDING', upcomingInvoices: [{ dueAt: iso(START + DAY), amount: { amount: 2000 } }, {}] },
    })
    expect(await refused('createSubscription', { ...input, currency: 'CHF', dryRun: true })).toHaveLength(2)
    expect(await database.prisma.subscription.count()).toBe(count)
  })
})

test('in a trial a pause of now is allowed and its clock goes on; the end of the period is then the first start of one', async () => {
  const ctx = contextAs(server.services, START)
  const [plan, offering] = [idOf('plan', 80), idOf('offering', 80)]
  await makePlan(ctx, plan, { trial_period: 10 })
  await makeOffering(ctx, offering, { plans: [plan], products: [idOf('product', 1)] })
  const id = await begin({ plan_id: plan, offering_id: offering })
  expect(await done('cancelSubscription', { id })).toMatchObject({ canceled: true, phase: 'TRIAL' })
  expect((await done('resumeSubscription', { id })).changes[0].at).toBe(iso(START + 10 * DAY))
  await done('pauseSubscription', { id, ...now })
  server.now = START + 5 * DAY
  expect(await done('resumeSubscription', { id })).toMatchObject({ phase: 'TRIAL', phaseUntil: iso(START + 10 * DAY) })
})
