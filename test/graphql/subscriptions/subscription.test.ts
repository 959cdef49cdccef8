/** Plans, offerings, subscriptions and accounts in the graph, one by one, and only for those who may. */
import type { GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../src/domain/input/errors.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import type { Context } from '../../../src/request/context.ts'
import { START } from '../../support/server.ts'
import { ACCOUNT_ONE, useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { database, server, ask, shopper } = graph

describe('a subscription', () => {
  it('a subscription is billed next in the year 9999 at the latest, at every instant that @inContext takes, with the longest interval that there is', async () => {
    const ctx = contextAs(server.services, 0)
    await makePlan(ctx, idOf('plan', 77), {
      billing_interval_type: 'day',
      billing_frequency: 366_000,
      plan_length: 1,
      end_behavior: 'roll',
    })
    await makeOffering(ctx, idOf('offering', 77), { plans: [idOf('plan', 77)] })
    const { id } = await makeSubscription(ctx, {
      account_id: idOf('account', 77),
      offering_id: idOf('offering', 77),
      plan_id: idOf('plan', 77),
    })
    const billedAt = (at: number) =>
      server.gql(`query ($at: DateTime) @inContext(at: $at) { subscription(id: "${id}") { invoiceAfter } }`, {
        at: new Date(at).toISOString(),
      })
    const interval = 366_000 * 86_400_000
    const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999) - interval
    expect((await billedAt(last)).data.subscription.invoiceAfter).toBe(new Date(8 * interval).toISOString())
    expect((await billedAt(last + 1)).errors).toMatchObject([
      {
        message: '@inContext(at:): must be at least 366000 days before the year 10000',
        extensions: { code: 'BAD_USER_INPUT', violations: [{ code: 'OUT_OF_RANGE' }] },
      },
    ])
  })

  it('a subscription has all members under GraphQL names', async () => {
    const { subscription } = await ask(
      `query ($id: ID!) { subscription(id: $id) {
        id externalRef currency status canceled paused closed suspended invoiceAfter endDate canceledAt pausedAt resumedAt owner createdAt updatedAt
        account { id } subscriber { name email } paymentAuthority { type customerRef cardRef } state { action } states { totalCount }
        offering { name externalRef description externalProductRefs productIds planIds createdAt owner current { id name } }
        plan { name billingIntervalType billingFrequency trialPeriod planLength endBehavior canPause fixedPrices { amount { amount } } current { id } }
      } }`,
      { id: graph.subscriptionId },
    )
    expect(subscription).toEqual({
      id: globalId('AccountSubscription', graph.subscriptionId),
      externalRef: 'first',
      currency: 'USD',
      status: 'ACTIVE',
      canceled: false,
      paused: false,
      closed: false,
      suspended: false,
      invoiceAfter: '2026-02-15T12:00:00.000Z',
      endDate: '2027-01-15T12:00:00.000Z',
      canceledAt: null,
      pausedAt: null,
      resumedAt: null,
      owner: 'STORE',
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
      account: { id: globalId('Account', ACCOUNT_ONE) },
      subscriber: { name: 'Ada', email: 'ada@example.com' },
      paymentAuthority: { type: 'PLATFORM_PAYMENTS_GATEWAY', customerRef: 'cus_1', cardRef: 'card_1' },
      state: null,
      states: { totalCount: 0 },
      offering: {
        name: 'Offering 1',
        externalRef: null,
        description: null,
        externalProductRefs: [],
        productIds: [2, 1].map((number) => globalId('SubscriptionProduct', idOf('product', number))),
        planIds: [3, 1, 2].map((number) => globalId('Plan', idOf('plan', number))),
        createdAt: '2026-01-15T12:00:00.001Z',
        owner: 'STORE',
        current: { id: globalId('Offering', idOf('offering', 1)), name: 'Offering 1' },
      },
      plan: {
        name: 'Plan 1',
        billingIntervalType: 'MONTH',
        billingFrequency: 1,
        trialPeriod: 0,
        planLength: 12,
        endBehavior: 'CLOSE',
        canPause: true,
        fixedPrices: [],
        current: { id: globalId('Plan', idOf('plan', 1)) },
      },
    })
  })

  it('a subscription has its states newest first, page by page, and each is a node', async () => {
    const { id } = await makeSubscription(contextAs(server.services, START), { account_id: idOf('account', 3) })
    const field = (action: string) =>
      `mutation { ${action}Subscription(input: { id: "${id}" }) { userErrors { code } } }`
    for (const action of ['pause', 'resume', 'cancel', 'resume', 'pause']) await ask(field(action))
    const page = async (args: string) =>
      (
        await ask(
          `{ subscription(id: "${id}") { states(${args}) { nodes { id action } totalCount pageInfo { endCursor startCursor hasNextPage } } } }`,
        )
      ).subscription.states
    const first = await page('first: 2')
    expect(first).toMatchObject({
      nodes: [{ action: 'PAUSE' }, { action: 'RESUME' }],
      totalCount: 5,
      pageInfo: { hasNextPage: true },
    })
    const rest = await page(`after: "${first.pageInfo.endCursor}"`)
    expect(rest.nodes.map(({ action }: { action: string }) => action)).toEqual(['CANCEL', 'RESUME', 'PAUSE'])
    const last = await page(`last: 2, before: "${rest.pageInfo.endCursor}"`)
    expect(last.nodes.map(({ action }: { action: string }) => action)).toEqual(['CANCEL', 'RESUME'])
    const node = 'query ($id: ID!) { node(id: $id) { id ... on SubscriptionState { action } } }'
    expect((await ask(node, { id: first.nodes[0].id })).node).toEqual(first.nodes[0])
    expect((await ask(node, { id: first.nodes[0].id }, await shopper(idOf('account', 3)))).node).toEqual(first.nodes[0])
    expect((await ask(node, { id: first.nodes[0].id }, await shopper(ACCOUNT_ONE))).node).toBeNull()
  })
})

describe('right.shoppers-see-published-and-own', () => {
  const QUERY = `query ($id: ID!, $global: ID!, $account: ID!) {
    subscription(id: $id) { externalRef paymentAuthority { customerRef } }
    node(id: $global) { ... on AccountSubscription { externalRef } }
    account(id: $account) { subscriptions { nodes { externalRef paymentAuthority { cardRef } } } }
  }`
  const variables = () => ({
    id: graph.subscriptionId,
    global: globalId('AccountSubscription', graph.subscriptionId),
    account: ACCOUNT_ONE,
  })

  it('a shopper sees its own account, its subscriptions and their payment', async () => {
    const data = await ask(QUERY, variables(), await shopper(ACCOUNT_ONE.toUpperCase()))
    expect(data.subscription).toEqual({ externalRef: 'first', paymentAuthority: { customerRef: 'cus_1' } })
    expect(data.node).toEqual({ externalRef: 'first' })
    expect(data.account.subscriptions.nodes).toHaveLength(3)
    expect(data.account.subscriptions.nodes[0]).toEqual({
      externalRef: 'first',
      paymentAuthority: { cardRef: 'card_1' },
    })
  })

  it('accounts of others are null to a shopper, and any account is to a shopper without one', async () => {
    const nothing = { subscription: null, node: null, account: null }
    expect(await ask(QUERY, variables(), await shopper(idOf('account', 2)))).toEqual(nothing)
    expect(await ask(QUERY, variables(), await shopper())).toEqual(nothing)
  })

  it('an account shows nothing to the shopper of another one, on any path', async () => {
    const ctx = contextAs(server.services, START, idOf('account', 2))
    for (const [type, field, parent] of [
      ['AccountSubscription', 'account', { accountId: ACCOUNT_ONE }],
      ['Account', 'subscriptions', { id: ACCOUNT_ONE }],
    ] as const) {
      const { resolve } = (schema.getType(type) as GraphQLObjectType).getFields()[field] as GraphQLField<
        unknown,
        Context
      >
      expect(() => resolve?.(parent, {}, ctx, {} as GraphQLResolveInfo)).toThrow(new DomainError('forbidden'))
    }
  })

  it('plans and offerings are for everybody', async () => {
    const query = `{ plan(id: "${idOf('plan', 1)}") { name } offering(id: "${idOf('offering', 1)}") { name } }`
    expect(await ask(query, {}, await shopper())).toEqual({
      plan: { name: 'Plan 1' },
      offering: { name: 'Offering 1' },
    })
  })
})

describe('single records', () => {
  it('graph.global-or-raw-ids: single records are fetched by UUID or global id, and are null when absent', async () => {
    const query = 'query ($id: ID!) { plan(id: $id) { id } }'
    expect((await ask(query, { id: globalId('Plan', idOf('plan', 1)) })).plan.id).toBe(
      globalId('Plan', idOf('plan', 1)),
    )
    expect((await ask(query, { id: idOf('plan', 9) })).plan).toBeNull()
    for (const field of ['plan', 'offering', 'subscription', 'account']) {
      const reply = await server.gql(`{ ${field}(id: "x") { id } }`)
      expect([reply.data, reply.errors[0].extensions.code]).toEqual([{ [field]: null }, 'BAD_USER_INPUT'])
    }
  })

  it('subscription.account-from-outside: an account exists when it has a subscription', async () => {
    const query =
      'query ($id: ID!) { account(id: $id) { id subscriptions { totalCount } } node(id: $node) { id } }'.replace(
        '($id: ID!)',
        '($id: ID!, $node: ID!)',
      )
    const variables = (id: string) => ({ id, node: globalId('Account', id) })
    const global = globalId('Account', ACCOUNT_ONE)
    expect(await ask(query, variables(ACCOUNT_ONE))).toEqual({
      account: { id: global, subscriptions: { totalCount: 3 } },
      node: { id: global },
    })
    expect(await ask(query, variables(idOf('account', 9)))).toEqual({ account: null, node: null })
  })

  it("subscription.keeps-its-copies: a subscription's copies outlive its offering and plan", async () => {
    const ctx = contextAs(server.services, START)
    await makePlan(ctx, idOf('plan', 50), { name: 'Gone plan' })
    await makeOffering(ctx, idOf('offering', 50), { name: 'Gone', plans: [idOf('plan', 50)] })
    const { id } = await makeSubscription(ctx, {
      account_id: idOf('account', 5),
      offering_id: idOf('offering', 50),
      plan_id: idOf('plan', 50),
    })
    await database.prisma.offering.delete({ where: { id: idOf('offering', 50) } })
    await database.prisma.plan.delete({ where: { id: idOf('plan', 50) } })
    const { subscription } = await ask(
      `{ subscription(id: "${id}") { offering { name current { id } } plan { name current { id } } } }`,
    )
    expect(subscription).toEqual({
      offering: { name: 'Gone', current: null },
      plan: { name: 'Gone plan', current: null },
    })
  })
})
