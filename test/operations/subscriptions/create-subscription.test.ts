import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { changeSubscriptionState } from '../../../src/operations/subscriptions/subscription-change.ts'
import { type GraphReply, type Operation, runCases } from '../../support/cases.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'
import {
  contextAs,
  idOf,
  makeOffering,
  makePlan,
  makeProduct,
  makeSubscription,
  subscriptionData,
} from '../../support/subscriptions.ts'
import { cases, graphInput, OTHER_PLAN } from './create-subscription-cases.ts'

const database = useDatabase()
const server = useServer(database)

const CREATE = `mutation ($input: CreateSubscriptionInput!) {
  createSubscription(input: $input) { subscription { id currency } userErrors { code path message } }
}`

beforeAll(async () => {
  const ctx = contextAs(server.services, START)
  await makeProduct(server, idOf('product', 1), {
    externalRef: 'paper',
    price: { USD: { amount: 500, includes_tax: true } },
  })
  await makePlan(ctx, idOf('plan', 1))
  await makePlan(ctx, OTHER_PLAN, { name: 'Yearly' })
  await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)], products: [idOf('product', 1)] })
  await makeOffering(ctx, idOf('offering', 2), { plans: [OTHER_PLAN] })
})

async function prepare(): Promise<void> {
  await database.query('test-no-subscriptions', 'DELETE FROM subscription')
}

beforeEach(prepare)

/** Everything that a subscription's row holds, but its own id and version. */
async function stored(): Promise<unknown> {
  return database.query('test-subscriptions', "SELECT to_jsonb(s) - 'id' - 'version' AS row FROM subscription s")
}

async function readBack(): Promise<object> {
  const [{ row }] = (await stored()) as [{ row: Record<string, unknown> }]
  return { ...row, name: row.subscriber_name, email: row.subscriber_email }
}

const rest = (data: unknown, headers: Record<string, string> = {}) =>
  server.rest('POST', '/v2/subscriptions/subscriptions', { body: { data }, headers })

function graph(data: unknown): Promise<GraphReply> {
  return server.gql(CREATE, { input: graphInput(data) })
}

const operation: Operation<Record<string, unknown>> = {
  prepare,
  rest,
  graph,
  graphInput,
  stored,
  readBack,
  success: 201,
}

describe('createSubscription, through both edges', () => {
  runCases(cases, 'createSubscription', () => operation)
})

describe('createSubscription, what is stored', () => {
  it('subscription.keeps-its-copies: createSubscription copies offering and plan, takes the gateway of the platform (subscription.gateway-by-default), and starts now', async () => {
    await rest(subscriptionData({ external_ref: 'crm-1', plan_id: idOf('plan', 1).toUpperCase() }))
    const plan = expect.objectContaining({
      id: idOf('plan', 1),
      name: 'Monthly',
      planLength: 12,
      fixedPrice: null,
      createdAt: START,
    })
    expect(await stored()).toEqual([
      {
        row: {
          external_ref: 'crm-1',
          account_id: idOf('account', 1),
          offering_id: idOf('offering', 1),
          plan_id: idOf('plan', 1),
          currency: 'USD',
          payment_authority: { type: 'platform_payments_gateway' },
          subscriber_name: 'Ada',
          subscriber_email: 'ada@example.com',
          offering: {
            id: idOf('offering', 1),
            externalRef: null,
            name: 'Magazine',
            description: null,
            productIds: [idOf('product', 1)],
            planIds: [idOf('plan', 1)],
            externalProductRefs: ['paper'],
            createdAt: START,
            updatedAt: START,
          },
          agreement: {
            startsAt: START,
            timeZone: null,
            billingDay: null,
            invoicesFrom: null,
            plan,
            items: [
              {
                productId: idOf('product', 1),
                name: 'Paper',
                sku: null,
                unitAmount: 500,
                includesTax: true,
                quantity: 1,
              },
            ],
            changes: [],
          },
          suspended: false,
          erased_at: null,
          state: null,
          created_at: '2026-01-15T12:00:00+00:00',
          updated_at: '2026-01-15T12:00:00+00:00',
        },
      },
    ])
  })

  it('subscription.plan-of-the-offering: several subscriptions may have the same external_ref', async () => {
    for (const _ of [1, 2]) expect((await rest(subscriptionData({ external_ref: 'same' }))).status).toBe(201)
    expect(await stored()).toHaveLength(2)
  })

  it('createSubscription sends nine statements, the last one the change log’s, whatever the size of the offering', async () => {
    const { count } = await countStatements(database, () => makeSubscription(contextAs(server.services, START)))
    expect(count).toBe(9)
  })
})

describe('createSubscription, REST alone', () => {
  it.each([
    ['no data', {}, ['data: must be given']],
    ['data a list', { data: [] }, ['data: must be an object']],
    ['a numeric id', { data: subscriptionData({ offering_id: 5 }) }, ['data.offering_id: must be a string']],
  ])('createSubscription by REST refuses %s', async (_, body, details) => {
    const reply = await server.rest('POST', '/v2/subscriptions/subscriptions', { body })
    expect([reply.status, reply.body.errors.map(({ detail }: { detail: string }) => detail)]).toEqual([422, details])
    expect(await stored()).toEqual([])
  })

  it('input.server-members-accepted: createSubscription by REST accepts id, type and meta, which have no effect', async () => {
    const meta = {
      owner: 'organization',
      status: 'inactive',
      canceled: true,
      timestamps: { created_at: '2000-01-01T00:00:00Z' },
      state: 5,
    }
    const reply = await rest(subscriptionData({ meta, id: idOf('subscription', 1), type: 'x' }))
    expect(reply.status).toBe(201)
    expect(reply.body.data.id).not.toBe(idOf('subscription', 1))
    expect(reply.body.data.meta).toMatchObject({ owner: 'store', status: 'active', canceled: false })
    expect((await rest(subscriptionData({ meta: null }))).status).toBe(201)
  })

  it.each([
    '/subscriptions/subscriptions',
    '/v2/subscriptions/subscriptions?filter=eq(name,Ada)',
    '/v2/subscriptions/subscriptions?filter=((&filter=%22',
    '/subscriptions/subscriptions?filter=%FF%00&filter',
  ])(
    'http.paths-and-aliases, subscription.create-filter-ignored: createSubscription by REST ignores the filter of %s',
    async (path) => {
      expect((await server.rest('POST', path, { body: { data: subscriptionData() } })).status).toBe(201)
    },
  )

  it('subscription.any-currency: createSubscription by REST takes a currency that neither plan nor product prices', async () => {
    const reply = await rest(subscriptionData({ currency: 'XAF' }))
    expect(reply.status).toBe(201)
    const { data } = await server.gql(`{ subscription(id: "${reply.body.data.id}") { nextAmount { amount }
      items { name unitAmount { amount } includesTax } } }`)
    expect(data.subscription).toEqual({
      nextAmount: null,
      items: [{ name: 'Paper', unitAmount: null, includesTax: null }],
    })
  })

  it('http.first-failure-wins: createSubscription by REST checks other query parameters', async () => {
    const path = '/v2/subscriptions/subscriptions?page=1&page=2'
    expect((await server.rest('POST', path, { body: { data: subscriptionData() } })).status).toBe(400)
  })
})

describe('createSubscription, the graph alone', () => {
  it('graph.global-or-raw-ids: createSubscription in the graph accepts global ids of the right type', async () => {
    const ids = (offering: string) => ({
      accountId: globalId('Account', idOf('account', 1)),
      offeringId: globalId(offering, idOf('offering', 1)),
      planId: globalId('Plan', idOf('plan', 1)),
    })
    const input = graphInput(subscriptionData()) as object
    const good = await server.gql(CREATE, { input: { ...input, ...ids('Offering') } })
    expect(good.data.createSubscription.userErrors).toEqual([])
    const bad = await server.gql(CREATE, { input: { ...input, ...ids('Plan') } })
    expect(bad.data.createSubscription).toEqual({
      subscription: null,
      userErrors: [{ code: 'INVALID_FORMAT', path: ['offeringId'], message: 'must be a UUID' }],
    })
  })
})

describe('createSubscription, rights and idempotency keys', () => {
  /** Both edges as a shopper, of the account when one is given. */
  async function shopper(accountId?: string) {
    const { token } = await server.issue({ subject: 'ada', role: 'shopper', ...(accountId && { accountId }) }, START)
    return {
      rest: (data: unknown, headers = {}) =>
        server.rest('POST', '/v2/subscriptions/subscriptions', { token, body: { data }, headers }),
      graph: (data: unknown, idempotencyKey: string | null = null) =>
        server.gql(CREATE, { input: { ...(graphInput(data) as object), idempotencyKey } }, { token }),
    }
  }

  it('right.shoppers-see-published-and-own: a shopper subscribes the account of the token, on both edges', async () => {
    const { rest, graph } = await shopper(idOf('account', 1).toUpperCase())
    const reply = await rest(subscriptionData())
    expect([reply.status, reply.body.data.attributes.account_id]).toEqual([201, idOf('account', 1)])
    const answer = await graph(subscriptionData({ account_id: globalId('Account', idOf('account', 1)) }))
    expect(answer.data.createSubscription).toEqual({
      subscription: { id: expect.any(String), currency: 'USD' },
      userErrors: [],
    })
    expect(await stored()).toHaveLength(2)
  })

  it('right.shoppers-see-published-and-own: createSubscription for another account is forbidden, and for any account to a shopper without one', async () => {
    const others = [
      subscriptionData({ account_id: idOf('account', 2) }),
      subscriptionData({ account_id: idOf('account', 2), name: 'x' }),
    ]
    for (const [edges, inputs] of [
      [await shopper(idOf('account', 1)), others],
      [await shopper(), [...others, subscriptionData()]],
    ] as const) {
      for (const data of inputs) {
        const reply = await edges.rest(data)
        expect([reply.status, reply.body.errors]).toMatchObject([403, [{ code: 'FORBIDDEN' }]])
        const answer = await edges.graph(data)
        expect([answer.data, answer.errors[0].extensions.code]).toEqual([null, 'FORBIDDEN'])
      }
    }
    expect(await stored()).toEqual([])
  })

  it('right.shoppers-see-published-and-own: createSubscription checks the input of a shopper by the same rules', async () => {
    const { rest } = await shopper(idOf('account', 1))
    for (const [change, detail] of [
      [{ account_id: undefined }, 'data.account_id: must be given'],
      [{ account_id: 'x' }, 'data.account_id: must be a UUID'],
      [{ plan_id: OTHER_PLAN }, 'data.plan_id: the plan does not belong to the offering'],
    ] as const) {
      const reply = await rest(subscriptionData(change))
      expect([reply.status, reply.body.errors.map((error: { detail: string }) => error.detail)]).toEqual([
        422,
        [detail],
      ])
    }
    expect((await rest('x')).status).toBe(422)
  })

  it('write.idempotency-key: an idempotency key of createSubscription is separate for another account of the same subject, and does not reveal the subscription', async () => {
    const headers = { 'Idempotency-Key': 'same' }
    const [one, two] = [await shopper(idOf('account', 1)), await shopper(idOf('account', 2))]
    const first = await one.rest(subscriptionData(), headers)
    expect((await one.rest(subscriptionData(), headers)).text).toBe(first.text)
    expect((await two.rest(subscriptionData(), headers)).status).toBe(403)
    const made = (await one.graph(subscriptionData(), 'same')).data.createSubscription
    expect(made.subscription.id).toBe(globalId('AccountSubscription', first.body.data.id))
    expect((await two.graph(subscriptionData(), 'same')).errors[0].extensions.code).toBe('FORBIDDEN')
    expect((await two.rest(subscriptionData({ account_id: idOf('account', 2) }), headers)).status).toBe(201)
    expect(await stored()).toHaveLength(2)
  })

  it('write.idempotency-key: a repeated key of createSubscription returns the first result, also to simultaneous calls', async () => {
    const key = { 'Idempotency-Key': 'once' }
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => rest(subscriptionData(), key)))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(await stored()).toHaveLength(1)
    const other = await rest(subscriptionData({ name: 'Charles' }), key)
    expect([other.status, other.body.errors[0].code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  })

  it('write.idempotency-key: a refused input does not use up its idempotency key', async () => {
    const key = { 'Idempotency-Key': 'second' }
    expect((await rest(subscriptionData({ name: 'x' }), key)).status).toBe(422)
    expect((await rest(subscriptionData(), key)).status).toBe(201)
  })

  it('createSubscription logs no payment data', async () => {
    const payment_authority = {
      type: 'platform_payments_gateway',
      customer_id: 'cus_secret_1',
      card_id: 'card_secret_1',
    }
    const reply = await rest(subscriptionData({ payment_authority }))
    await graph(subscriptionData({ payment_authority, name: 'x' }))
    const data = { type: 'subscription_state', attributes: { action: 'pause' } }
    await changeSubscriptionState(contextAs(server.services, START), { subscriptionId: reply.body.data.id, data })
    expect(server.logs.length).toBeGreaterThan(0)
    expect(JSON.stringify(server.logs)).not.toMatch(/secret_1|ada@example/)
  })
})
