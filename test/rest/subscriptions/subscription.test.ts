/** Subscriptions over REST: complete responses, member by member. */
import { beforeEach, describe, expect, it } from 'vitest'
import { subscriptionSchema } from '../../../src/rest/subscriptions/subscription-document.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, subscriptionData } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const EARLIER = START - 86_400_000
const collection = '/v2/subscriptions/subscriptions'

beforeEach(async () => {
  await reset(database)
  const ctx = contextAs(server.services, EARLIER)
  const earlier = { services: server.services, now: EARLIER }
  await makeProduct(earlier, idOf('product', 1), { externalRef: 'paper' })
  await makeProduct(earlier, idOf('product', 2))
  await makeProduct(earlier, idOf('product', 3), { externalRef: 'app' })
  await makePlan(ctx, idOf('plan', 1), { trial_period: 14 })
  await makePlan(ctx, idOf('plan', 2), { end_behavior: 'roll', fixed_price: { USD: { amount: 900 } } })
  const products = [3, 2, 1].map((number) => idOf('product', number))
  await makeOffering(ctx, idOf('offering', 1), {
    name: 'Magazine',
    description: 'Paper and app',
    external_ref: 'mag',
    plans: [idOf('plan', 2), idOf('plan', 1)],
    products,
  })
})

const create = async (changes: object = {}) =>
  (await server.rest('POST', collection, { body: { data: subscriptionData(changes) } })).body

const time = new Date(START).toISOString()
const earlier = new Date(EARLIER).toISOString()
const links = (type: string, kind: 'product' | 'plan', ...numbers: number[]) => ({
  data: numbers.map((number) => ({ type, id: idOf(kind, number) })),
})

it('a subscription has all members, with the offering embedded and absent members left out', async () => {
  const payment_authority = { type: 'platform_payments_gateway', customer_id: 'cus_1', card_id: 'card_1' }
  const reply = await create({ external_ref: 'crm-7', payment_authority })
  const products = links('subscription_product', 'product', 3, 2, 1)
  expect(reply).toEqual({
    data: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'subscription',
      attributes: {
        external_ref: 'crm-7',
        account_id: idOf('account', 1),
        offering: {
          id: idOf('offering', 1),
          type: 'subscription_offering',
          attributes: {
            external_ref: 'mag',
            name: 'Magazine',
            description: 'Paper and app',
            updated_at: earlier,
            created_at: earlier,
            relationships: { products, plans: links('subscription_plan', 'plan', 2, 1) },
          },
          meta: {
            external_product_refs: ['app', 'paper'],
            owner: 'store',
            timestamps: { updated_at: earlier, created_at: earlier },
          },
        },
        plan_id: idOf('plan', 1),
        currency: 'USD',
        payment_authority,
      },
      relationships: {
        offering: { data: { type: 'subscription_offering', id: idOf('offering', 1) } },
        plan: { data: { type: 'subscription_plan', id: idOf('plan', 1) } },
        products,
      },
      meta: {
        owner: 'store',
        // subscription.billing-instants: 14 days of trial, then twelve months.
        timestamps: { updated_at: time, created_at: time, end_date: '2027-01-29T12:00:00.000Z' },
        status: 'active',
        canceled: false,
        paused: false,
        closed: false,
        suspended: false,
        invoice_after: '2026-01-29T12:00:00.000Z',
      },
    },
  })
  expect((await server.rest('GET', `${collection}/${reply.data.id}`)).body).toEqual(reply)
  expect((await server.rest('GET', `/subscriptions/subscriptions/${reply.data.id.toUpperCase()}`)).body).toEqual(reply)
})

it('subscription.gateway-by-default: the smallest subscription has its members in the documented order', async () => {
  await database.prisma.offering.update({
    where: { id: idOf('offering', 1) },
    data: { description: null, externalRef: null },
  })
  const { data } = await create({ plan_id: idOf('plan', 2) })
  expect(data.attributes.payment_authority).toEqual({ type: 'platform_payments_gateway' })
  expect(Object.keys(data)).toEqual(['id', 'type', 'attributes', 'relationships', 'meta'])
  expect(Object.keys(data.attributes)).toEqual(['account_id', 'offering', 'plan_id', 'currency', 'payment_authority'])
  expect(Object.keys(data.attributes.offering.attributes)).toEqual([
    'name',
    'updated_at',
    'created_at',
    'relationships',
  ])
  expect(data.meta.timestamps).toEqual({ updated_at: time, created_at: time })
})

it('subscription.keeps-its-copies: later edits and deletions of offering, plan and products do not change the subscription', async () => {
  const before = await create()
  await database.prisma.offering.update({ where: { id: idOf('offering', 1) }, data: { name: 'Other' } })
  await database.prisma.plan.update({ where: { id: idOf('plan', 1) }, data: { trialPeriod: 0, endBehavior: 'roll' } })
  await database.prisma.subscriptionProduct.updateMany({ data: { externalRef: 'new' } })
  const path = `${collection}/${before.data.id}`
  expect((await server.rest('GET', path)).body).toEqual(before)
  await database.prisma.offering.deleteMany()
  await database.prisma.plan.deleteMany()
  expect((await server.rest('GET', path)).body).toEqual(before)
})

describe('right.shoppers-see-published-and-own: who sees a subscription', () => {
  const get = async (id: string, accountId?: string) => {
    const account = accountId === undefined ? {} : { accountId }
    const { token } = await server.issue({ subject: 'someone', role: 'shopper', ...account }, START)
    const reply = await server.rest('GET', `${collection}/${id}`, { token })
    return [reply.status, reply.body.errors?.[0]?.code]
  }

  it('a shopper sees a subscription of its account; for others it is not found, like an absent one', async () => {
    const { id } = (await create()).data
    expect(await get(id, idOf('account', 1))).toEqual([200, undefined])
    expect(await get(id, idOf('account', 2))).toEqual([404, 'NOT_FOUND'])
    expect(await get(id)).toEqual([404, 'NOT_FOUND'])
    expect(await get(idOf('subscription', 1), idOf('account', 1))).toEqual([404, 'NOT_FOUND'])
    expect((await server.rest('GET', `${collection}/x`)).status).toBe(404)
    expect((await server.rest('GET', `${collection}/${id}`, { token: null })).status).toBe(401)
  })
})

it('http.paths-are-no-secret: unsupported methods of subscription paths are 405', async () => {
  const allowed = async (method: string, path: string) => {
    const reply = await server.rest(method, path)
    return [reply.status, reply.headers.get('allow')]
  }
  expect(await allowed('PUT', collection)).toEqual([405, 'POST, OPTIONS'])
  expect(await allowed('DELETE', `${collection}/${idOf('subscription', 1)}`)).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(await allowed('GET', `${collection}/${idOf('subscription', 1)}/states`)).toEqual([405, 'POST, OPTIONS'])
})

it('right.shoppers-see-published-and-own: the error for a shopper without an account says what is missing, on both edges', async () => {
  const { token } = await server.issue({ subject: 'someone', role: 'shopper' }, START)
  const id = idOf('subscription', 1)
  const body = { data: { type: 'subscription_state', attributes: { action: 'pause' } } }
  const rest = await server.rest('POST', `${collection}/${id}/states`, { token, body })
  expect([rest.status, rest.body.errors[0].detail]).toEqual([403, 'The token lacks the claim account_id'])
  const graph = await server.gql(
    `mutation { pauseSubscription(input: { id: "${id}" }) { userErrors { code } } }`,
    {},
    { token },
  )
  expect(graph.errors.map(({ message }: { message: string }) => message)).toEqual([
    'Mutation.pauseSubscription is for administrators and shoppers with an account; this token has no account_id',
  ])
})

it('the documented schema of a subscription has exactly the members of the response', async () => {
  const members = (schema: unknown) => Object.keys((schema as { properties: object }).properties)
  const { data } = await create({ external_ref: 'x' })
  const { attributes, meta } = (subscriptionSchema as { properties: Record<string, object> }).properties as {
    attributes: object
    meta: object
  }
  expect(members(subscriptionSchema)).toEqual(Object.keys(data))
  expect(members(attributes)).toEqual(Object.keys(data.attributes))
  expect(members(meta)).toEqual([...Object.keys(data.meta), 'state'])
})
