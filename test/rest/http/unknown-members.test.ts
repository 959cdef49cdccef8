/**
 * input.unknown-members-refused, input.server-members-accepted: bodies of every path that takes one, on a whole server.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { violationCodes } from '../../../src/domain/input/errors.ts'
import { documentedRoutes } from '../../../src/rest/routes.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, subscriptionData } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const product = idOf('product', 1)
let book = ''

beforeAll(async () => {
  const ctx = contextAs(server.services, START)
  await makeProduct({ services: server.services, now: START }, product)
  await makePlan(ctx, idOf('plan', 1))
  await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)], products: [product] })
  book = (await makeBook(contextOf(server.services, START), 'Book')).id
})

interface Body {
  readonly method: string
  readonly path: () => string
  readonly status: number
  /** A valid body. */
  readonly body: () => object
  /** Paths of the objects in it whose keys clients choose. */
  readonly maps: readonly string[]
}

const price = { amount: 1000, includes_tax: false, tiers: { six: { minimum_quantity: 6, amount: 900 } } }
const schedule = { valid_from: '2030-01-01T00:00:00Z', valid_to: '2030-02-01T00:00:00Z' }
let skus = 0

const bodies: Readonly<Record<string, Body>> = {
  updateSubscriptionProduct: {
    method: 'PUT',
    path: () => `/v2/subscriptions/products/${product}`,
    status: 200,
    body: () => ({
      data: {
        id: product,
        type: 'subscription_product',
        attributes: {
          name: 'Paper',
          price: { USD: { amount: 5, includes_tax: true } },
          price_units: { unit: 'month', amount: 1 },
        },
      },
    }),
    maps: ['data.attributes.price'],
  },
  addProductPrice: {
    method: 'POST',
    path: () => `/pcm/pricebooks/${book}/prices`,
    status: 201,
    body: () => {
      const sales = { spring: { schedule, bundle_ids: [idOf('product', 9)], currencies: { USD: price } } }
      const free = { admin_attributes: { colour: 'red' }, shopper_attributes: { colour: null } }
      return {
        data: {
          type: 'product-price',
          attributes: { sku: `S${skus++}`, currencies: { USD: price, EUR: price }, sales, ...free },
        },
      }
    },
    maps: [
      ...['data.attributes.currencies', 'data.attributes.currencies.USD.tiers', 'data.attributes.currencies.EUR.tiers'],
      ...[
        'data.attributes.sales',
        'data.attributes.sales.spring.currencies',
        'data.attributes.sales.spring.currencies.USD.tiers',
      ],
      ...['data.attributes.admin_attributes', 'data.attributes.shopper_attributes'],
    ],
  },
  createSubscription: {
    method: 'POST',
    path: () => '/v2/subscriptions/subscriptions',
    status: 201,
    body: () => ({
      data: subscriptionData({ payment_authority: { type: 'platform_payments_gateway', card_id: 'card' } }),
    }),
    maps: [],
  },
  changeSubscriptionState: {
    method: 'POST',
    path: () => `/v2/subscriptions/subscriptions/${idOf('subscription', 1)}/states`,
    // There is no such subscription: what is wrong with the body is found after that, what stands beside data before.
    status: 404,
    body: () => ({ data: { type: 'subscription_state', attributes: { action: 'pause' } } }),
    maps: [],
  },
}

/** The paths of all objects within a value, the value itself included. */
function objectsIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, member]) => objectsIn(member, [...path, name]))
  return Array.isArray(value) ? inner : [path.join('.'), ...inner]
}

/** A copy of the body with a member in the object at the path. */
function withMember(body: object, path: string, name: string): object {
  // Not structuredClone: objects that stand in two places stay one object in its copies.
  const copy = JSON.parse(JSON.stringify(body)) as Record<string, unknown>
  let at = copy
  for (const step of path.split('.').filter(Boolean)) at = at[step] as Record<string, unknown>
  at[name] = { nonsense: 1 }
  return copy
}

const counted = async (): Promise<unknown> =>
  (
    await database.pool.query(
      `SELECT (SELECT count(*) FROM product_price) AS prices, (SELECT count(*) FROM subscription) AS subscriptions,
        (SELECT max(updated_at) FROM subscription_product) AS updated`,
    )
  ).rows

it('every path that takes a body has one in this test', () => {
  const ids = documentedRoutes.filter((route) => route.body).map(({ document }) => document.id)
  expect(Object.keys(bodies).sort()).toEqual(ids.sort())
})

describe.each(Object.entries(bodies))('%s', (id, { method, path, status, body, maps }) => {
  const send = (given: unknown) => server.rest(method, path(), { body: given })

  it(`${id} takes the body as it is`, async () => {
    expect((await send(body())).status).toBe(status)
  })

  it(`input.unknown-members-refused: ${id} refuses a member in each object but maps, by its path, and writes nothing`, async () => {
    const places = objectsIn(body()).filter((place) => !maps.includes(place))
    const before = await counted()
    const replies = await Promise.all(places.map((place) => send(withMember(body(), place, 'colour'))))
    const seen = replies.map((reply) => [
      reply.status,
      reply.body.errors[0].code,
      reply.body.errors[0].detail.split(':')[0],
    ])
    const refused = places.map((place) => [422, 'UNKNOWN_FIELD', place === '' ? 'colour' : `${place}.colour`])
    const expected =
      id === 'changeSubscriptionState'
        ? refused.map((one, at) => (places[at] === '' ? one : [404, 'NOT_FOUND', 'No such subscription']))
        : refused
    expect(seen).toEqual(expected)
    expect(await counted()).toEqual(before)
  })

  it(`input.server-members-accepted: ${id} takes meta, links, relationships, id, type and instants beside data`, async () => {
    const beside = { id: 1, type: 2, meta: { x: 1 }, links: 'x', relationships: [], created_at: 'x', updated_at: 3 }
    expect((await send({ ...beside, ...body() })).status).toBe(status)
  })
})

describe('input.unknown-members-refused', () => {
  const detailsOf = async (attributes: object): Promise<string[]> => {
    const data = { type: 'product-price', attributes: { sku: 'NEW', currencies: {}, ...attributes } }
    const reply = await server.rest('POST', `/pcm/pricebooks/${book}/prices`, { body: { data } })
    return [
      String(reply.status),
      ...reply.body.errors.map(({ detail }: { detail: string }) => detail.replace('data.attributes.', '')),
    ]
  }

  it.each<[string, object, string[]]>([
    [
      'validFrom in a schedule',
      { sales: { s: { schedule: { validFrom: 'x' } } } },
      ['sales.s.schedule.validFrom: is unknown, did you mean valid_from?'],
    ],
    [
      'bounds beside the schedule',
      { sales: { s: { valid_from: '2030-01-01T00:00:00Z' } } },
      ['sales.s.valid_from: is unknown, allowed are bundle_ids, schedule, currencies'],
    ],
    [
      'valid_til',
      { sales: { s: { schedule: { valid_til: 'x' } } } },
      ['sales.s.schedule.valid_til: is unknown, did you mean valid_to?'],
    ],
    ['tier', { currencies: { USD: { tier: {} } } }, ['currencies.USD.tier: is unknown, did you mean tiers?']],
    [
      'includesTax',
      { currencies: { USD: { includesTax: true } } },
      ['currencies.USD.includesTax: is unknown, did you mean includes_tax?'],
    ],
    [
      'it together with what else is wrong',
      { external_ref: 5, externalRef: 'x' },
      ['externalRef: is unknown, did you mean external_ref?', 'external_ref: must be a string'],
    ],
  ])('the error of an unknown member says where %s stands and what is allowed', async (_, attributes, details) => {
    expect(await detailsOf(attributes)).toEqual(['422', ...details])
  })

  it('the members of a new subscription are named where attributes stand around them', async () => {
    const body = { data: { ...subscriptionData(), attributes: { name: 'Ada' } } }
    const reply = await server.rest('POST', '/v2/subscriptions/subscriptions', { body })
    expect([reply.status, reply.body.errors[0].detail]).toEqual([
      422,
      'data.attributes: is unknown, allowed are external_ref, account_id, offering_id, plan_id, currency, payment_authority, name, email, id, type, meta',
    ])
  })

  it('unknown members are all listed when some stand beside data', async () => {
    const body = { colour: 1, data: { type: 'product-price', attributes: { sku: 'NEW', currencies: {}, colour: 1 } } }
    const reply = await server.rest('POST', `/pcm/pricebooks/${book}/prices`, { body })
    expect(reply.body.errors.map(({ code, detail }: Record<string, string>) => [code, detail?.split(':')[0]])).toEqual([
      ['UNKNOWN_FIELD', 'colour'],
      ['UNKNOWN_FIELD', 'data.attributes.colour'],
    ])
    expect(violationCodes).toHaveProperty('UNKNOWN_FIELD')
  })
})

describe('input.server-members-accepted: what was read can be sent back as it is', () => {
  it('a PUT of a subscription product takes what was read as it is', async () => {
    const path = `/v2/subscriptions/products/${product}`
    const read = await server.rest('GET', path)
    const sent = await server.rest('PUT', path, { body: read.body })
    expect([sent.status, sent.body]).toEqual([200, read.body])
  })

  it('a POST of a price takes what was read as it is, under another SKU', async () => {
    const path = `/pcm/pricebooks/${book}/prices`
    const [first] = (await server.rest('GET', path)).body.data
    const read = await server.rest('GET', `${path}/${first.id}`)
    const body = {
      ...read.body,
      data: { ...read.body.data, attributes: { ...read.body.data.attributes, sku: 'COPY' } },
    }
    const sent = await server.rest('POST', path, { body })
    expect([sent.status, sent.body.data.attributes.sales]).toEqual([201, read.body.data.attributes.sales])
  })
})
