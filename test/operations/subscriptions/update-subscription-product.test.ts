import { beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { updateSubscriptionProduct } from '../../../src/operations/subscriptions/subscription-product.ts'
import { type GraphReply, type Operation, runCases } from '../../support/cases.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeProduct } from '../../support/subscriptions.ts'
import { cases, graphInput, stored as whole } from './update-subscription-product-cases.ts'

const database = useDatabase()
const server = useServer(database)
const id = idOf('product', 1)
const CREATED = START - 60_000

const UPDATE = `mutation ($input: UpdateSubscriptionProductInput!) {
  updateSubscriptionProduct(input: $input) {
    subscriptionProduct { externalRef name description sku mainImage prices { amount { currency amount } includesTax } priceUnits { unit amount } updatedAt }
    userErrors { code path message }
  }
}`

async function prepare(): Promise<void> {
  server.now = START
  await reset(database)
  await makeProduct({ services: server.services, now: CREATED }, id, whole)
}

beforeEach(prepare)

async function stored(): Promise<unknown> {
  return database.query('test-products', "SELECT to_jsonb(p) - 'version' AS row FROM subscription_product p")
}

async function readBack(): Promise<object> {
  const [{ row }] = (await stored()) as [{ row: object }]
  return row
}

async function version(): Promise<bigint> {
  return (await database.prisma.subscriptionProduct.findUniqueOrThrow({ where: { id } })).version
}

const put = (data: unknown) => server.rest('PUT', `/v2/subscriptions/products/${id}`, { body: { data } })
const rest = (attributes: unknown) => put({ id, type: 'subscription_product', attributes })
const graph = (attributes: object, more: object = {}): Promise<GraphReply> =>
  server.gql(UPDATE, { input: { id, ...graphInput(attributes), ...more } })

describe('updateSubscriptionProduct, through both edges', () => {
  const operation: Operation<Record<string, unknown>> = {
    prepare,
    rest,
    graph,
    graphInput,
    stored,
    readBack,
    success: 200,
  }
  runCases(cases, 'updateSubscriptionProduct', () => operation)
})

/** Each nullable attribute: what a patch without it, with null, and with a value leaves in the column. */
describe('patch.absent-keeps-null-clears: absent, null and value', () => {
  it.each([
    ['external_ref', 'externalRef', 'erp-9', 'erp-9', null],
    ['description', 'description', 'Tea', 'Tea', null],
    ['sku', 'sku', 'TEA', 'TEA', null],
    ['main_image', 'mainImage', 'https://a.b/c', 'https://a.b/c', null],
    ['price_units', 'priceUnits', { unit: 'day', amount: 2 }, { unit: 'day', amount: 2 }, null],
    ['price', 'price', { GBP: { amount: 1 } }, { ...whole.price, GBP: { amount: 1, includes_tax: false } }, {}],
  ] as const)(
    'an update of a subscription product with absent, null or a value: %s',
    async (attribute, column, value, set, cleared) => {
      const patched = async (patch: object) => {
        await prepare()
        expect((await rest(patch)).status).toBe(200)
        return database.prisma.subscriptionProduct.findUniqueOrThrow({ where: { id } })
      }
      expect((await patched({ name: 'Other' }))[column]).toEqual(whole[column])
      expect((await patched({ [attribute]: null }))[column]).toEqual(cleared)
      const changed = await patched({ [attribute]: value })
      expect(changed[column]).toEqual(set)
      // Rule 1 of 4.1: nothing else has moved.
      expect({ ...changed, [column]: null, updatedAt: null, version: null }).toEqual({
        ...whole,
        id,
        [column]: null,
        createdAt: new Date(CREATED),
        updatedAt: null,
        version: null,
      })
    },
  )
})

it('updateSubscriptionProduct is one transaction: it locks the product, then writes and logs it', async () => {
  const sent: string[] = []
  const end = database.onStatement(({ text }) => void sent.push(text.trim().split(' ')[0] as string))
  expect((await rest({ name: 'Another' })).status).toBe(200)
  end()
  expect(sent).toEqual(['BEGIN', 'SELECT', 'UPDATE', 'WITH', 'COMMIT'])
})

describe('patch.equal-values-write-nothing: nothing is written', () => {
  it.each([
    ['without attributes', {}],
    [
      'with what is stored',
      { name: whole.name, price: { EUR: whole.price.EUR }, price_units: { amount: 1, unit: 'month' } },
    ],
  ])('an update of a subscription product with equal values writes nothing: %s', async (_, attributes) => {
    const before = await version()
    const { result, statements } = await countStatements(database, () => rest(attributes))
    expect(result.body.data.attributes.updated_at).toBe(new Date(CREATED).toISOString())
    expect(statements.filter((text) => /^\s*(UPDATE|INSERT|DELETE)/i.test(text))).toEqual([])
    expect(await version()).toBe(before)
  })
})

describe('subscription-product.id-matches-path: the id in data', () => {
  it.each([
    [undefined, 'REQUIRED data.id: must be given'],
    [null, 'REQUIRED data.id: must not be null'],
    ['x', 'INVALID_FORMAT data.id: must be a UUID'],
    [idOf('product', 2), 'ID_MISMATCH data.id: must equal the id in the path'],
  ])('an update of a subscription product whose data.id is %s is refused', async (given, expected) => {
    const reply = await put({ id: given, type: 'subscription_product', attributes: { name: 'Other' } })
    expect([
      reply.status,
      reply.body.errors.map(({ code, detail }: { code: string; detail: string }) => `${code} ${detail}`),
    ]).toEqual([422, [expected]])
    expect(await stored()).toMatchObject([{ row: { name: whole.name } }])
  })

  it('data.id of an update may equal the id in the path in either letter case', async () => {
    const data = { id: id.toUpperCase(), type: 'subscription_product', attributes: { name: 'Other' } }
    expect(
      (await server.rest('PUT', `/v2/subscriptions/products/${id.toUpperCase()}`, { body: { data } })).status,
    ).toBe(200)
    expect((await put({ ...data, id })).status).toBe(200)
  })

  it('updateSubscriptionProduct accepts a global id or the UUID, and nothing else', async () => {
    const answer = async (given: string) => (await graph({}, { id: given })).data.updateSubscriptionProduct
    expect((await answer(globalId('SubscriptionProduct', id))).userErrors).toEqual([])
    expect(await answer(globalId('Plan', id))).toMatchObject({
      subscriptionProduct: null,
      userErrors: [{ code: 'INVALID_FORMAT', path: ['id'] }],
    })
    expect(await answer(idOf('product', 2))).toMatchObject({
      subscriptionProduct: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    })
  })
})

describe('record.updated-at-rises: updated_at', () => {
  it('updated_at of a subscription product is the current instant, and rises strictly even if the clock stands still or goes back', async () => {
    const at = async (name: string) => Date.parse((await rest({ name })).body.data.attributes.updated_at)
    expect(await at('One')).toBe(START)
    expect(await at('Two')).toBe(START + 1)
    server.now = START - 30_000
    expect(await at('Three')).toBe(START + 2)
  })
})

describe('simultaneous updates', () => {
  it('patch.maps-merge-at-every-depth: simultaneous updates of different currencies are all stored', async () => {
    const codes = Array.from({ length: 20 }, (_, index) => `A${String.fromCharCode(65 + index)}A`)
    const replies = await Promise.all(codes.map((code, amount) => rest({ price: { [code]: { amount } } })))
    expect(replies.map(({ status }) => status)).toEqual(codes.map(() => 200))
    const { price } = await database.prisma.subscriptionProduct.findUniqueOrThrow({ where: { id } })
    expect(Object.keys(price as object).sort()).toEqual([...codes, 'EUR', 'USD'].sort())
  })
})

describe('graph.maps-become-lists, write.idempotency-key', () => {
  it('updateSubscriptionProduct refuses the same currency twice', async () => {
    const prices = [1, 2].map((amount) => ({ currency: 'USD', price: { amount } }))
    const { data } = await graph({}, { prices })
    expect(data.updateSubscriptionProduct).toMatchObject({
      subscriptionProduct: null,
      userErrors: [{ code: 'DUPLICATE', path: ['prices', '1', 'currency'] }],
    })
    expect(await stored()).toMatchObject([{ row: { price: whole.price } }])
  })

  it('updateSubscriptionProduct accepts a current ifUpdatedAt, and otherwise returns the current product with STALE', async () => {
    const guarded = async (name: string, ms: number) =>
      (await graph({ name }, { ifUpdatedAt: new Date(ms).toISOString() })).data.updateSubscriptionProduct
    expect(await guarded('One', CREATED)).toMatchObject({ subscriptionProduct: { name: 'One' }, userErrors: [] })
    expect(await guarded('Two', CREATED)).toMatchObject({
      subscriptionProduct: { name: 'One', updatedAt: new Date(START).toISOString() },
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'] }],
    })
    const ctx = contextAs(server.services, START)
    const data = { id, type: 'subscription_product', attributes: { name: 'Three' } }
    await expect(updateSubscriptionProduct(ctx, { id, data }, { ifUpdatedAt: CREATED })).rejects.toMatchObject({
      kind: 'conflict',
    })
  })
})

describe('right.shoppers-see-published-and-own', () => {
  it('a shopper reads subscription products and changes none, on both edges', async () => {
    const before = await stored()
    const data = { id, type: 'subscription_product', attributes: { name: 'Mine' } }
    const reply = await server.rest('PUT', `/v2/subscriptions/products/${id}`, {
      token: server.shopper,
      body: { data },
    })
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'FORBIDDEN'])
    const answer = await server.gql(UPDATE, { input: { id, name: 'Mine' } }, { token: server.shopper })
    expect([answer.data, answer.errors[0].extensions.code]).toEqual([null, 'FORBIDDEN'])
    expect(await stored()).toEqual(before)
    const read = await server.gql(
      'query ($id: ID!) { subscriptionProduct(id: $id) { name } }',
      { id },
      { token: server.shopper },
    )
    expect(read.data).toEqual({ subscriptionProduct: { name: whole.name } })
  })
})
