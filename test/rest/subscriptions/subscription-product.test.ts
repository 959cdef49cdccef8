/**
 * Subscription products over HTTP: what the frame and the serializer do. The rules of the operation have tests of their
 * own.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const ID = '0198f3c1-0000-7000-8000-000000000001'
const path = `/v2/subscriptions/products/${ID}`
const created = new Date(START - 1000)

beforeEach(async () => {
  await reset(database)
  const price = { USD: { amount: 1050, includes_tax: true }, HUF: { amount: 0, includes_tax: false } }
  await database.prisma.subscriptionProduct.create({
    data: {
      id: ID,
      name: 'Coffee box',
      price,
      priceUnits: { unit: 'month', amount: 1 },
      createdAt: created,
      updatedAt: created,
    },
  })
})

const put = (attributes: unknown, options = {}) =>
  server.rest('PUT', path, { body: { data: { id: ID, type: 'subscription_product', attributes } }, ...options })
const details = (body: { errors: { detail: string; code: string }[] }) =>
  body.errors.map(({ detail, code }) => `${code} ${detail}`)
const stored = () => database.prisma.subscriptionProduct.findUniqueOrThrow({ where: { id: ID } })

test('a subscription product has the documented members, and absent ones are left out', async () => {
  const reply = await server.rest('GET', path, { token: server.shopper })
  const time = created.toISOString()
  const display = { amount: 1050, currency: 'USD', formatted: '$10.50' }
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(reply.body).toEqual({
    data: {
      id: ID,
      type: 'subscription_product',
      attributes: {
        name: 'Coffee box',
        price: { USD: { amount: 1050, includes_tax: true }, HUF: { amount: 0, includes_tax: false } },
        price_units: { unit: 'month', amount: 1 },
        updated_at: time,
        created_at: time,
      },
      meta: {
        display_price: { with_tax: display, without_tax: display },
        owner: 'store',
        timestamps: { updated_at: time, created_at: time },
      },
    },
  })
})

test('money.formatted-by-locale, money.display-currency: the display price of a subscription product follows X-MOLTIN-CURRENCY and accept-language, and is absent without a price', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await server.rest('GET', path, { headers })).body.data.meta.display_price
  expect((await ask({ 'x-moltin-currency': 'HUF', 'accept-language': 'hu-HU' })).with_tax.formatted).toBe(
    '0,00\u00a0Ft',
  )
  expect((await ask({ 'accept-language': 'de' })).with_tax.formatted).toBe('10,50\u00a0$')
  expect((await ask({ 'accept-language': 'not a language!!' })).with_tax.formatted).toBe('$10.50')
  expect(await ask({ 'x-moltin-currency': 'EUR' })).toBeUndefined()
  expect((await server.rest('GET', path, { headers: { 'x-moltin-currency': 'eur' } })).status).toBe(400)
})

test('http.success-statuses, patch.absent-keeps-null-clears: PUT of a subscription product stores the updated values and returns them with 200', async () => {
  server.now = START + 5
  const reply = await put({
    name: 'Tea box',
    sku: 'TEA-1',
    price: { USD: null, EUR: { amount: 900 } },
    price_units: null,
  })
  server.now = START
  expect(reply.status).toBe(200)
  expect(reply.body.data.attributes).toEqual({
    name: 'Tea box',
    sku: 'TEA-1',
    price: { EUR: { amount: 900, includes_tax: false }, HUF: { amount: 0, includes_tax: false } },
    updated_at: new Date(START + 5).toISOString(),
    created_at: created.toISOString(),
  })
  expect(await stored()).toMatchObject({ name: 'Tea box', sku: 'TEA-1', priceUnits: null })
})

test('patch.maps-merge-at-every-depth: a subscription product whose prices were removed has no member price', async () => {
  const reply = await put({ price: null })
  expect(reply.body.data.attributes).not.toHaveProperty('price')
  expect(reply.body.data.meta).not.toHaveProperty('display_price')
})

describe('http.first-failure-wins: a failed update writes nothing', () => {
  test('an update of a subscription product fails by 401 before 403 before 400 before 404 before 422', async () => {
    const other = path.replace(/1$/, '2')
    expect((await server.rest('PUT', other, { token: null, raw: '{' })).status).toBe(401)
    expect((await server.rest('PUT', other, { token: server.shopper, raw: '{' })).status).toBe(403)
    expect(
      (await server.rest('PUT', other, { raw: '{', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(400)
    expect((await server.rest('PUT', other, { body: {} })).status).toBe(404)
    expect((await server.rest('PUT', path, { body: {} })).status).toBe(422)
    expect((await server.rest('GET', other, { token: server.shopper })).body.errors[0]).toMatchObject({
      status: '404',
      code: 'NOT_FOUND',
    })
    expect((await server.rest('GET', '/v2/subscriptions/products/x')).status).toBe(400)
  })

  test.each([
    [{}, ['REQUIRED data: must be given']],
    [[], ['REQUIRED data: must be given']],
    [{ data: null }, ['REQUIRED data: must not be null']],
    [{ data: [] }, ['INVALID_TYPE data: must be an object']],
    [
      { data: {} },
      [
        'REQUIRED data.id: must be given',
        'REQUIRED data.type: must be given',
        'REQUIRED data.attributes: must be given',
      ],
    ],
  ])('an update of a subscription product is 422: %o', async (body, expected) => {
    expect(details((await server.rest('PUT', path, { body })).body)).toEqual(expected)
  })

  test('subscription-product.id-matches-path: data.id of an update must equal the id of the path', async () => {
    const body = { data: { id: ID.replace(/1$/, '2'), type: 'subscription_product', attributes: {} } }
    expect(details((await server.rest('PUT', path, { body })).body)).toEqual([
      'ID_MISMATCH data.id: must equal the id in the path',
    ])
  })

  test('an update of a subscription product reports every broken rule, in the order of the members', async () => {
    const reply = await put({
      price: { usd: { amount: 1 }, EUR: {} },
      price_units: { unit: 'week', amount: 0 },
      name: 'ab',
      sku: 7,
    })
    expect(details(reply.body)).toEqual([
      'TOO_SHORT data.attributes.name: must be 3 to 1024 characters',
      'INVALID_TYPE data.attributes.sku: must be a string',
      'INVALID_FORMAT data.attributes.price.usd: must be three uppercase letters',
      'REQUIRED data.attributes.price.EUR.amount: must be given',
      'INVALID_VALUE data.attributes.price_units.unit: must be one of day, month',
      expect.stringMatching(/^OUT_OF_RANGE data.attributes.price_units.amount: /),
    ])
    expect(await stored()).toMatchObject({ name: 'Coffee box', updatedAt: created })
  })

  test.each(['9007199254740993', '4503599627370497.5', '1e400', '-1', '0.5', '1e-400'])(
    'value.numbers-never-rounded: the amount %s is refused, not rounded',
    async (amount) => {
      const raw = `{"data":{"id":"${ID}","type":"subscription_product","attributes":{"price":{"USD":{"amount":${amount}}}}}}`
      const reply = await server.rest('PUT', path, { raw, headers: { 'content-type': 'application/json' } })
      expect(details(reply.body)).toEqual([
        'OUT_OF_RANGE data.attributes.price.USD.amount: must be an integer from 0 to 9007199254740991',
      ])
      expect((await stored()).price).toMatchObject({ USD: { amount: 1050 } })
    },
  )

  test('value.text-can-be-stored: an update of a subscription product refuses U+0000 and lone surrogates', async () => {
    for (const text of ['a\\u0000b', 'a\\ud800b']) {
      const raw = `{"data":{"id":"${ID}","type":"subscription_product","attributes":{"sku":"${text}"}}}`
      const reply = await server.rest('PUT', path, { raw, headers: { 'content-type': 'application/json' } })
      expect(reply.body.errors[0]).toMatchObject({ status: '422', code: 'INVALID_TEXT' })
    }
  })
})
