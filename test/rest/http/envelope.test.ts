/**
 * http.first-failure-wins, input.server-members-accepted: what stands around `data` in the three writes of the
 * contract, on a whole server: each refusal exactly, and nothing written.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BODY_MAX } from '../../../src/rest/http/body.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { type RestOptions, START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, subscriptionData } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const product = idOf('product', 1)
const EARLIER = START - 60_000
const CREATED = new Date(EARLIER).toISOString()

interface Write {
  readonly title: string
  readonly method: string
  readonly path: () => string
  readonly status: number
  /** Members beside `data` in a successful response. */
  readonly beside: readonly string[]
  readonly data: Record<string, unknown>
  /** The required `data.type`; null where none is required. */
  readonly type: string | null
}

let book = ''
const writes: readonly Write[] = [
  {
    title: 'PUT subscription product',
    method: 'PUT',
    path: () => `/v2/subscriptions/products/${product}`,
    status: 200,
    beside: [],
    data: { id: product, type: 'subscription_product', attributes: { name: 'Renamed' } },
    type: 'subscription_product',
  },
  {
    title: 'POST product price',
    method: 'POST',
    path: () => `/pcm/pricebooks/${book}/prices`,
    status: 201,
    beside: ['links'],
    data: { type: 'product-price', attributes: { sku: 'S', currencies: {} } },
    type: 'product-price',
  },
  {
    title: 'POST subscription',
    method: 'POST',
    path: () => '/v2/subscriptions/subscriptions',
    status: 201,
    beside: [],
    data: subscriptionData(),
    type: null,
  },
]

beforeAll(async () => {
  const ctx = contextAs(server.services, EARLIER)
  await makeProduct({ services: server.services, now: EARLIER }, product)
  await makePlan(ctx, idOf('plan', 1))
  await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)], products: [product] })
  book = (await makeBook(contextOf(server.services, EARLIER), 'Book')).id
})

const written = () =>
  database.query<Record<string, unknown>>(
    'test-written',
    `SELECT (SELECT json_agg(to_jsonb(p) ORDER BY p.id) FROM subscription_product p) AS products,
      (SELECT count(*)::int FROM product_price) AS prices, (SELECT count(*)::int FROM subscription) AS subscriptions`,
  )

describe.each(writes)('$title', ({ method, path, status, beside, data, type }) => {
  const json = { 'content-type': 'application/json' }
  const good = JSON.stringify({ data })
  const send = (options: RestOptions) => server.rest(method, path(), options)
  const refusal = (code: number, title: string, word: string, ...details: string[]) => [
    code,
    { errors: details.map((detail) => ({ title, status: String(code), detail, code: word })) },
  ]

  const notJson = refusal(400, 'Bad Request', 'BAD_REQUEST', 'The body is not JSON')
  const mustBeJson = refusal(
    415,
    'Unsupported Media Type',
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Type must be application/json, in UTF-8',
  )
  const noData = refusal(422, 'Failed Validation', 'REQUIRED', 'data: must be given')
  const nullData = refusal(422, 'Failed Validation', 'REQUIRED', 'data: must not be null')
  const noObject = refusal(422, 'Failed Validation', 'INVALID_TYPE', 'data: must be an object')
  const cases: [string, RestOptions, unknown[]][] = [
    ['half a body', { raw: good.slice(0, -1), headers: json }, notJson],
    ['a brace too many', { raw: `${good}}`, headers: json }, notJson],
    ['a word behind it', { raw: `${good} more`, headers: json }, notJson],
    ['a second body behind it', { raw: `${good}\n${good}`, headers: json }, notJson],
    ['a comma too many', { raw: good.replace(/\}$/, ',}'), headers: json }, notJson],
    ['nothing at all', { headers: json }, notJson],
    [
      'bytes that are no UTF-8',
      { raw: Uint8Array.of(0x22, 0xff, 0x22), headers: json },
      refusal(400, 'Bad Request', 'BAD_REQUEST', 'The body is not UTF-8'),
    ],
    ['text/plain', { raw: good, headers: { 'content-type': 'text/plain' } }, mustBeJson],
    ['a form', { raw: 'data=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, mustBeJson],
    ['another charset', { raw: good, headers: { 'content-type': 'application/json; charset=utf-16' } }, mustBeJson],
    [
      'a body of 1 MiB and a byte',
      { raw: good + ' '.repeat(BODY_MAX + 1 - good.length), headers: json },
      refusal(413, 'Payload Too Large', 'PAYLOAD_TOO_LARGE', 'The body must be at most 1048576 bytes'),
    ],
    ['no data', { body: {} }, noData],
    ['its members without data around them', { body: data }, noData],
    ['errors in the place of data', { body: { errors: [] } }, noData],
    ['a list as body', { body: [{ data }] }, noData],
    ['null as body', { raw: 'null', headers: json }, noData],
    ['data null', { body: { data: null } }, nullData],
    ['data a list', { body: { data: [data] } }, noObject],
    ['data a text', { body: { data: good } }, noObject],
  ]
  it.each(cases)(
    'http.first-failure-wins: a body is refused by the first failure: %s',
    async (_, options, expected) => {
      const before = await written()
      const reply = await send(options)
      expect([reply.status, reply.body]).toEqual(expected)
      expect(reply.headers.get('content-type')).toBe('application/json')
      expect(await written()).toEqual(before)
    },
  )

  const typed = type === null ? [] : [type]
  it.each(typed)(
    'http.first-failure-wins: data of a body must have the type %s, not another one, another JSON type, null or none',
    async () => {
      const before = await written()
      const responseTo = async (given: unknown) => (await send({ body: { data: { ...data, type: given } } })).body
      const errors = (code: string, message: string) =>
        refusal(422, 'Failed Validation', code, `data.type: ${message}`)[1]
      expect(await responseTo('subscription')).toEqual(errors('INVALID_VALUE', `must be ${type}`))
      expect(await responseTo(type?.toUpperCase())).toEqual(errors('INVALID_VALUE', `must be ${type}`))
      expect(await responseTo(7)).toEqual(errors('INVALID_TYPE', 'must be a string'))
      expect(await responseTo(null)).toEqual(errors('REQUIRED', 'must not be null'))
      expect(await responseTo(undefined)).toEqual(errors('REQUIRED', 'must be given'))
      expect(await written()).toEqual(before)
    },
  )

  it('http.success-statuses, input.server-members-accepted: a valid body of 1 MiB with members of the server beside data succeeds', async () => {
    const body = JSON.stringify({
      meta: { total: 1, deep: { nonsense: [1] } },
      links: 'nonsense',
      relationships: 5,
      data,
    })
    const reply = await send({ raw: body + ' '.repeat(BODY_MAX - body.length), headers: json })
    expect(reply.status).toBe(status)
    expect(Object.keys(reply.body)).toEqual(['data', ...beside])
    expect(reply.text).not.toMatch(/nonsense/)
  })
})

describe('PUT subscription product', () => {
  beforeEach(() => database.query('test-name', "UPDATE subscription_product SET name = 'Paper'"))

  it('input.server-members-accepted: an update of a subscription product accepts members that only the server sets, even with values that can not be stored', async () => {
    const attributes = { name: 'Renamed', created_at: '2000-01-01T00:00:00Z', updated_at: 5 }
    const meta = { owner: 'organization', timestamps: { created_at: 'x' }, display_price: { with_tax: { amount: 1 } } }
    const data = {
      id: product,
      type: 'subscription_product',
      attributes,
      meta,
      relationships: 7,
      created_at: 'x',
      links: {},
    }
    const reply = await server.rest('PUT', `/v2/subscriptions/products/${product}`, { body: { data } })
    const updated = reply.body.data.attributes.updated_at
    expect(Date.parse(updated)).toBeGreaterThanOrEqual(START)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        data: {
          id: product,
          type: 'subscription_product',
          attributes: { name: 'Renamed', updated_at: updated, created_at: CREATED },
          meta: { owner: 'store', timestamps: { updated_at: updated, created_at: CREATED } },
        },
      },
    ])
  })

  it('input.server-members-accepted, patch.equal-values-write-nothing: an update with only members that the server sets changes nothing', async () => {
    const before = await written()
    const attributes = { created_at: '2000-01-01T00:00:00Z', updated_at: '2000-01-01T00:00:00Z' }
    const body = { data: { id: product, type: 'subscription_product', attributes, meta: { owner: 'organization' } } }
    expect((await server.rest('PUT', `/v2/subscriptions/products/${product}`, { body })).status).toBe(200)
    expect(await written()).toEqual(before)
  })
})
