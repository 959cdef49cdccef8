/** Prices under plans, next invoices and allowed actions in the graph. */
import { describe, expect, test } from 'vitest'
import { OFFERING_RECORDS_MAX } from '../../../src/domain/input/limits.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { WORK_MAX } from '../../../src/request/request-work.ts'
import { countStatements } from '../../support/database.ts'
import { ACCOUNT_ONE, useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from '../../support/subscriptions.ts'

const { server, database, ask, shopper } = useSubscriptionGraph()

describe('plan.fixed-price-before-percentage: Plan.price', () => {
  const query = `query ($plan: ID!, $product: ID!, $currency: CurrencyCode) {
    plan(id: $plan) { price(subscriptionProductId: $product, currency: $currency) { amount currency fractionDigits } }
  }`

  test("Plan.price is the product's price at the percentage, in the currency asked for", async () => {
    const ctx = contextAs(server.services, server.now)
    const [plan, product] = [idOf('plan', 50), idOf('product', 50)]
    await makePlan(ctx, plan, { base_price_percentage: 12.5, fixed_price: { JPY: { amount: 7 } } })
    await makeProduct({ services: server.services, now: server.now }, product, {
      price: { USD: { amount: 1004 }, JPY: { amount: 9 } },
    })
    const price = async (currency: string) =>
      (await ask(query, { plan, product, currency }, await shopper())).plan.price
    expect(await price('USD')).toEqual({ amount: 126, currency: 'USD', fractionDigits: 2 })
    expect(await price('JPY')).toEqual({ amount: 7, currency: 'JPY', fractionDigits: 0 })
    expect(await price('EUR')).toBeNull()
    const gone = await ask(query, {
      plan,
      product: globalId('SubscriptionProduct', idOf('product', 99)),
      currency: 'USD',
    })
    expect(gone.plan.price).toBeNull()
  })

  test('Plan.price refuses what is no id of a subscription product by name', async () => {
    const { errors } = await server.gql(query, { plan: idOf('plan', 1), product: globalId('Plan', idOf('plan', 1)) })
    expect(errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      violations: [{ path: ['subscriptionProductId'] }],
    })
  })
})

test('subscription.next-amount: a page of subscriptions has next amounts, actions and ids in its one statement', async () => {
  const ctx = contextAs(server.services, server.now)
  const [plan, product, offering] = [idOf('plan', 60), idOf('product', 60), idOf('offering', 60)]
  await makePlan(ctx, plan, {
    can_resume: true,
    can_pause: true,
    can_cancel: false,
    base_price_percentage: 50,
    end_behavior: 'roll',
  })
  await makeProduct({ services: server.services, now: server.now }, product, { price: { USD: { amount: 500 } } })
  await makeOffering(ctx, offering, { plans: [plan], products: [product] })
  const account = idOf('account', 60)
  for (let count = 0; count < 3; count++)
    await makeSubscription(ctx, { account_id: account, offering_id: offering, plan_id: plan })
  const query = `query ($id: ID!) { account(id: $id) { subscriptions { nodes {
    nextAmount { amount currency } allowedActions status plan { planId } offering { offeringId } } } } }`
  const { result, count } = await countStatements(database, async () =>
    ask(query, { id: account }, await shopper(account)),
  )
  expect(result.account.subscriptions.nodes).toEqual(
    Array(3).fill({
      nextAmount: { amount: 250, currency: 'USD' },
      allowedActions: ['PAUSE'],
      status: 'ACTIVE',
      plan: { planId: globalId('Plan', plan) },
      offering: { offeringId: globalId('Offering', offering) },
    }),
  )
  // The account and its subscriptions.
  expect(count).toBe(2)
})

test('a next amount takes work for each item, so that a request which repeats large ones is refused', async () => {
  const [ctx, offering, account] = [contextAs(server.services, server.now), idOf('offering', 80), idOf('account', 80)]
  const products = Array.from({ length: OFFERING_RECORDS_MAX }, (_, index) => idOf('product', 10_000 + index))
  const [createdAt, updatedAt] = [new Date(server.now), new Date(server.now)]
  const price = { USD: { amount: 1, includes_tax: false } }
  await database.prisma.subscriptionProduct.createMany({
    data: products.map((id) => ({ id, name: 'Many', price, createdAt, updatedAt })),
  })
  await makeOffering(ctx, offering, { plans: [idOf('plan', 1)], products })
  const { id } = await makeSubscription(ctx, { account_id: account, offering_id: offering })
  const query = (times: number) =>
    `{ subscription(id: "${id}") { ${Array.from({ length: times }, (_, index) => `a${index}: nextAmount { amount }`).join(' ')} } }`
  const token = await shopper(account)
  expect((await ask(query(1), {}, token)).subscription.a0).toEqual({ amount: OFFERING_RECORDS_MAX })
  const { errors } = await server.gql(query(WORK_MAX / OFFERING_RECORDS_MAX + 1), {}, { token })
  expect(errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', limit: WORK_MAX })
})

test('subscription.allowed-actions: a subscription lists for the viewer exactly the actions that succeed', async () => {
  const { id } = await makeSubscription(contextAs(server.services, server.now))
  const token = await shopper(ACCOUNT_ONE)
  const perform = (verb: string) =>
    server.gql(
      `mutation ($id: ID!) { ${verb}Subscription(input: { id: $id }) { subscription { allowedActions } userErrors { code } } }`,
      { id },
      { token },
    )
  const seen: unknown[] = []
  for (const verb of ['resume', 'pause', 'pause', 'cancel', 'pause', 'resume']) {
    const before = (await ask('query ($id: ID!) { subscription(id: $id) { allowedActions } }', { id }, token))
      .subscription.allowedActions
    const { data } = await perform(verb)
    const { userErrors } = data[`${verb}Subscription`]
    expect(userErrors.length === 0).toBe(before.includes(verb.toUpperCase()))
    seen.push(before)
  }
  expect(seen).toEqual([
    ['CANCEL', 'PAUSE'],
    ['CANCEL', 'PAUSE'],
    ['CANCEL', 'RESUME'],
    ['CANCEL', 'RESUME'],
    ['RESUME'],
    ['RESUME'],
  ])
})
