import { describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { changeSubscriptionState } from '../../../src/operations/subscriptions/subscription-change.ts'
import { START } from '../../support/server.ts'
import { DAY, END, iso, SECOND_BILLING, THIRD_BILLING, useSubscription } from '../../support/subscription-life.ts'
import { contextAs, idOf } from '../../support/subscriptions.ts'

const living = useSubscription()
const { server, database, begin, post, meta, actions, shopper } = living

describe('subscription.billing-instants, subscription.allowed-actions: the state of a subscription at every instant', () => {
  it('the state of a subscription follows its plan and actions from start to end', async () => {
    const flags = { canceled: false, paused: false, closed: false, suspended: false }
    const timestamps = { created_at: iso(START), updated_at: iso(START), end_date: iso(END) }
    expect(await meta()).toEqual({
      owner: 'store',
      timestamps,
      status: 'active',
      ...flags,
      invoice_after: iso(SECOND_BILLING),
    })

    server.now = SECOND_BILLING - 1
    await post('pause')
    const [pause] = await database.prisma.subscriptionState.findMany()
    const paused = {
      owner: 'store',
      timestamps: { ...timestamps, paused_at: iso(SECOND_BILLING - 1), updated_at: iso(SECOND_BILLING - 1) },
      status: 'active',
      ...flags,
      paused: true,
      invoice_after: iso(SECOND_BILLING),
      state: {
        id: pause?.id,
        type: 'subscription_state',
        attributes: { action: 'pause' },
        meta: { created_at: iso(SECOND_BILLING - 1) },
      },
    }
    expect(await meta()).toEqual(paused)
    server.now = SECOND_BILLING
    expect(await meta()).toEqual({ ...paused, status: 'inactive', invoice_after: iso(THIRD_BILLING) })

    server.now = SECOND_BILLING + DAY
    await post('cancel')
    const both = await meta()
    expect(both).toMatchObject({
      status: 'inactive',
      paused: true,
      canceled: true,
      state: { attributes: { action: 'cancel' } },
    })
    expect(both.timestamps).toMatchObject({
      paused_at: iso(SECOND_BILLING - 1),
      canceled_at: iso(SECOND_BILLING + DAY),
    })

    server.now = SECOND_BILLING + 2 * DAY
    await post('resume')
    const resumed = await meta()
    expect(resumed).toMatchObject({ status: 'active', ...flags, state: { attributes: { action: 'resume' } } })
    expect(resumed.timestamps).toEqual({
      ...timestamps,
      updated_at: iso(SECOND_BILLING + 2 * DAY),
      paused_at: iso(SECOND_BILLING - 1),
      canceled_at: iso(SECOND_BILLING + DAY),
      resumed_at: iso(SECOND_BILLING + 2 * DAY),
    })

    server.now = END - 1
    expect(await meta()).toMatchObject({ status: 'active', closed: false, invoice_after: iso(END) })
    server.now = END
    expect(await meta()).toMatchObject({
      status: 'inactive',
      closed: true,
      canceled: false,
      invoice_after: iso(Date.UTC(2026, 4, 15, 12)),
    })
    expect(await actions()).toEqual(['pause', 'cancel', 'resume'])
  })

  it('the state of a subscription has no end_date with a plan that renews', async () => {
    await begin({ end_behavior: 'roll' })
    server.now = END + 1000 * DAY
    const resumed = await meta()
    expect(resumed).toMatchObject({ status: 'active', closed: false })
    expect(resumed.timestamps).not.toHaveProperty('end_date')
  })
})

describe('rights on subscriptions', () => {
  it('right.shoppers-see-published-and-own: a shopper of the account may read and act on a subscription, in either letter case, on both edges', async () => {
    const token = await shopper(idOf('account', 1).toUpperCase())
    expect((await post('pause', { token })).status).toBe(204)
    const answer = await server.gql(
      `mutation { resumeSubscription(input: { id: "${living.id}" }) { subscription { paused } } }`,
      {},
      { token },
    )
    expect(answer.data.resumeSubscription).toEqual({ subscription: { paused: false } })
  })

  it('right.shoppers-see-published-and-own: a subscription is not found for another account, and refused to a shopper without one', async () => {
    const other = await shopper(idOf('account', 2))
    const reply = await post('pause', { token: other })
    expect([reply.status, reply.body.errors[0].code]).toEqual([404, 'NOT_FOUND'])
    const mutate = `mutation { pauseSubscription(input: { id: "${living.id}" }) { subscription { id } userErrors { code path } } }`
    const answer = await server.gql(mutate, {}, { token: other })
    expect(answer.data.pauseSubscription).toEqual({
      subscription: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    })

    const refused = await post('pause', { token: await shopper() })
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 'FORBIDDEN'])
    const none = await server.gql(mutate, {}, { token: await shopper() })
    expect([none.data, none.errors[0].extensions.code]).toEqual([null, 'FORBIDDEN'])
    expect(await actions()).toEqual([])
  })

  it('http.first-failure-wins: an unknown subscription is 404 with any body, a malformed body for a known one 422', async () => {
    for (const unknown of [idOf('subscription', 1), 'x']) {
      const reply = await server.rest('POST', `/v2/subscriptions/subscriptions/${unknown}/states`, {
        body: { data: 5 },
      })
      expect([reply.status, reply.body.errors[0].code]).toEqual([404, 'NOT_FOUND'])
    }
    const reply = await post('close')
    expect([reply.status, reply.body.errors[0].detail]).toEqual([
      422,
      'data.attributes.action: must be one of cancel, pause, resume',
    ])
    expect(
      (await server.rest('POST', `/subscriptions/subscriptions/${living.id}/states`, { body: {} })).body.errors[0]
        .detail,
    ).toBe('data: must be given')
  })
})

describe('simultaneous and repeated actions', () => {
  it('one of ten simultaneous pauses of a subscription succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => post('pause')))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(409)])
    expect(await actions()).toEqual(['pause'])
  })

  it('write.idempotency-key: an action with a repeated idempotency key acts once', async () => {
    const headers = { 'Idempotency-Key': 'pause-1' }
    for (const _ of [1, 2]) expect((await post('pause', { headers })).status).toBe(204)
    expect(await actions()).toEqual(['pause'])
    const other = await post('cancel', { headers })
    expect([other.status, other.body.errors[0].code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  })

  it('write.idempotency-key: an idempotency key of an action is separate for another account or role of the same subject, and reveals nothing to them', async () => {
    const pause = `mutation { pauseSubscription(input: { id: "${living.id}", idempotencyKey: "k" }) {
      subscription { account { subscriptions { nodes { subscriber { email } paymentAuthority { cardRef } } } } } userErrors { code path }
    } }`
    const headers = { 'Idempotency-Key': 'k' }
    const [own, other] = [await shopper(idOf('account', 1)), await shopper(idOf('account', 2))]
    const first = await server.gql(pause, {}, { token: own })
    expect(first.data.pauseSubscription.subscription.account.subscriptions.nodes).toMatchObject([
      { subscriber: { email: 'ada@example.com' } },
    ])
    const replayed = await server.gql(pause, {}, { token: other })
    expect(replayed.data).toEqual({
      pauseSubscription: { subscription: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] },
    })
    expect((await server.gql(pause, {}, { token: own })).data).toEqual(first.data)
    expect((await server.gql(pause, {}, { token: await shopper() })).errors[0].extensions.code).toBe('FORBIDDEN')
    const admin = (await server.issue({ subject: 'someone', role: 'admin' }, server.now)).token
    expect((await server.gql(pause, {}, { token: admin })).data.pauseSubscription.userErrors).toMatchObject([
      { code: 'ACTION_REFUSED' },
    ])
    expect((await post('pause', { token: own, headers })).status).toBe(204)
    expect((await post('pause', { token: other, headers })).status).toBe(404)
    expect(await actions()).toEqual(['pause'])
  })

  it('write.idempotency-key: a stored result of an action is returned only to a viewer who may read it now', async () => {
    const headers = { 'Idempotency-Key': 'k' }
    const token = await shopper(idOf('account', 1))
    expect((await post('pause', { token, headers })).status).toBe(204)
    await database.prisma.subscription.update({ where: { id: living.id }, data: { accountId: idOf('account', 2) } })
    expect((await post('pause', { token, headers })).status).toBe(404)
    const pause = `mutation { pauseSubscription(input: { id: "${living.id}", idempotencyKey: "k" }) { subscription { id } userErrors { code } } }`
    expect((await server.gql(pause, {}, { token })).data.pauseSubscription).toEqual({
      subscription: null,
      userErrors: [{ code: 'NOT_FOUND' }],
    })
  })

  it('record.order-of-writing-decides: of states of the same instant the one written last is the newest', async () => {
    for (const action of ['pause', 'resume', 'pause', 'cancel']) expect((await post(action)).status).toBe(204)
    expect((await meta()).state.attributes.action).toBe('cancel')
    expect((await meta()).timestamps.updated_at).toBe(iso(START + 4))
  })

  it('an action returns the changed subscription', async () => {
    const data = { type: 'subscription_state', attributes: { action: 'pause' } }
    const answered = await changeSubscriptionState(contextAs(server.services, START), {
      subscriptionId: living.id,
      data,
    })
    expect(answered).toMatchObject({
      agreement: { changes: [{ type: 'pause', askedAt: START, at: SECOND_BILLING, atPeriodEnd: true }] },
      updatedAt: START + 1,
      state: { action: 'pause' },
    })
    expect(JSON.parse(JSON.stringify(answered))).toEqual(answered)
    const { data: seen } = await server.gql('query ($id: ID!) { subscription(id: $id) { paused state { action } } }', {
      id: globalId('AccountSubscription', living.id),
    })
    expect(seen.subscription).toEqual({ paused: true, state: { action: 'PAUSE' } })
  })
})
