import { beforeEach, describe, expect, test } from 'vitest'
import type { SubscriptionProduct } from '../../../src/domain/subscriptions/subscription-product.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { findRecords, insertRecord } from '../../../src/persistence/database/table.ts'
import { inTransaction } from '../../../src/persistence/database/transaction.ts'
import { subscriptionProductTable } from '../../../src/persistence/subscriptions/subscription-product.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const id = '0197f4f6-0000-7000-8000-00000000000a'
const node = globalId('SubscriptionProduct', id)
const stored: SubscriptionProduct = {
  id,
  externalRef: 'ext-1',
  name: 'Coffee every month',
  description: 'Beans',
  sku: 'COFFEE',
  mainImage: 'https://images.example/coffee.png',
  price: { EUR: { amount: 900, includes_tax: true }, USD: { amount: 0, includes_tax: false } },
  priceUnits: { unit: 'month', amount: 1 },
  createdAt: START - 5_000,
  updatedAt: START - 5_000,
}
const FIELDS = `id externalRef name description sku mainImage prices { amount { currency amount } includesTax } priceUnits { unit amount } owner createdAt updatedAt`
const expectedProduct = {
  id: node,
  externalRef: 'ext-1',
  name: 'Coffee every month',
  description: 'Beans',
  sku: 'COFFEE',
  mainImage: 'https://images.example/coffee.png',
  prices: [
    { amount: { currency: 'EUR', amount: 900 }, includesTax: true },
    { amount: { currency: 'USD', amount: 0 }, includesTax: false },
  ],
  priceUnits: { unit: 'MONTH', amount: 1 },
  owner: 'STORE',
  createdAt: '2026-01-15T11:59:55.000Z',
  updatedAt: '2026-01-15T11:59:55.000Z',
}

async function read(): Promise<SubscriptionProduct> {
  const [found] = await findRecords(database.prisma, subscriptionProductTable, [id])
  if (!found) throw new Error('the product is gone')
  return found
}

async function update(input: object, options: { token?: string } = {}) {
  const query = `mutation($input: UpdateSubscriptionProductInput!) {
    updateSubscriptionProduct(input: $input) { subscriptionProduct { ${FIELDS} } userErrors { code path message } }
  }`
  const reply = await server.gql(query, { input: { id: node, ...input } }, options)
  return reply.data ? reply.data.updateSubscriptionProduct : reply
}

beforeEach(async () => {
  await database.prisma.subscriptionProduct.deleteMany()
  const author = { subject: 'test', role: 'admin', operation: 'test' } as const
  await inTransaction(database, author, (tx) => insertRecord(tx, subscriptionProductTable, stored))
})

describe('reading', () => {
  test.each([
    ['the global id', node],
    ['the UUID', id],
    ['the UUID in capitals', id.toUpperCase()],
  ])('graph.global-or-raw-ids: a subscription product is read by %s, as admin and as shopper', async (_, given) => {
    for (const token of [server.admin, server.shopper]) {
      const reply = await server.gql(
        `query($id: ID!) { subscriptionProduct(id: $id) { ${FIELDS} } }`,
        { id: given },
        { token },
      )
      expect(reply.data).toEqual({ subscriptionProduct: expectedProduct })
    }
  })

  test('a subscription product is read by node', async () => {
    const reply = await server.gql(
      `query($id: ID!) { node(id: $id) { __typename ... on SubscriptionProduct { name } } }`,
      { id: node },
    )
    expect(reply.data.node).toEqual({ __typename: 'SubscriptionProduct', name: 'Coffee every month' })
  })

  test('graph.absent-is-null: an absent subscription product is null, a malformed id BAD_USER_INPUT', async () => {
    expect(
      (await server.gql(`{ subscriptionProduct(id: "0197f4f6-0000-7000-8000-00000000000b") { id } }`)).data,
    ).toEqual({
      subscriptionProduct: null,
    })
    const refused = await server.gql(`{ subscriptionProduct(id: "x") { id } }`)
    expect(refused.errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  test('several subscription products by aliases and nodes run one statement', async () => {
    const query = `{ a: subscriptionProduct(id: "${id}") { id } b: subscriptionProduct(id: "${node}") { name } nodes(ids: ["${node}", "${node}"]) { id } }`
    const { count } = await countStatements(database, () => server.gql(query))
    expect(count).toBe(1)
  })
})

describe('money.formatted-by-locale, money.display-currency: display price', () => {
  const display = async (args: string, locale: string, headers: Record<string, string> = {}) => {
    const query = `{ subscriptionProduct(id: "${id}") { price${args} { amount { amount currency formatted${locale} } } } }`
    return (await server.gql(query, {}, { headers })).data.subscriptionProduct.price
  }

  test.each([
    ['the server’s currency and en-US', '', '', {}, 0, 'USD', '$0.00'],
    ['the header’s currency', '', '', { 'x-moltin-currency': 'EUR' }, 900, 'EUR', '€9.00'],
    ['the argument before the header', '(currency: "EUR")', '', { 'x-moltin-currency': 'USD' }, 900, 'EUR', '€9.00'],
    [
      'the header’s language',
      '(currency: "EUR")',
      '',
      { 'accept-language': 'fr;q=0.5, de-DE' },
      900,
      'EUR',
      '9,00\u00a0€',
    ],
    [
      'the argument’s language before the header’s',
      '(currency: "EUR")',
      '(locale: "en-GB")',
      { 'accept-language': 'de-DE' },
      900,
      'EUR',
      '€9.00',
    ],
    ['a language that is none', '(currency: "EUR")', '(locale: "!!")', {}, 900, 'EUR', '€9.00'],
  ])(
    'the display price of a subscription product: %s',
    async (_, args, locale, headers, amount, currency, formatted) => {
      expect(await display(args, locale, headers as Record<string, string>)).toEqual({
        amount: { amount, currency, formatted },
      })
    },
  )

  test('the display price is null for a currency that the product lacks, and BAD_USER_INPUT for a malformed one', async () => {
    expect(await display('(currency: "GBP")', '')).toBeNull()
    expect(await display('(currency: "XXX")', '')).toBeNull()
    const refused = await server.gql(
      `{ subscriptionProduct(id: "${id}") { price(currency: "eur") { amount { amount } } } }`,
    )
    expect(refused.errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })
})

describe('updating', () => {
  test('patch.absent-keeps-null-clears: an update of a subscription product keeps what is absent, clears by null, and sets values', async () => {
    const { subscriptionProduct, userErrors } = await update({
      name: 'Tea every month',
      externalRef: null,
      priceUnits: { unit: 'DAY', amount: 14 },
    })
    expect(userErrors).toEqual([])
    expect(subscriptionProduct).toEqual({
      ...expectedProduct,
      name: 'Tea every month',
      externalRef: null,
      priceUnits: { unit: 'DAY', amount: 14 },
      updatedAt: '2026-01-15T12:00:00.000Z',
    })
    expect(await read()).toEqual({
      ...stored,
      name: 'Tea every month',
      externalRef: null,
      priceUnits: { unit: 'day', amount: 14 },
      updatedAt: START,
    })
  })

  test('patch.maps-merge-at-every-depth, graph.maps-become-lists: an update of a subscription product merges prices by currency; price: null removes one, prices: null removes all', async () => {
    await update({
      prices: [
        { currency: 'GBP', price: { amount: 700 } },
        { currency: 'EUR', price: null },
      ],
    })
    expect((await read()).price).toEqual({
      GBP: { amount: 700, includes_tax: false },
      USD: { amount: 0, includes_tax: false },
    })
    await update({ prices: [] })
    expect(Object.keys((await read()).price)).toEqual(['GBP', 'USD'])
    await update({ prices: null })
    expect((await read()).price).toEqual({})
  })

  test('patch.equal-values-write-nothing: an update of a subscription product with equal values writes nothing', async () => {
    const { subscriptionProduct } = await update({
      name: stored.name,
      prices: [{ currency: 'EUR', price: { amount: 900, includesTax: true } }],
    })
    expect(subscriptionProduct).toEqual(expectedProduct)
    expect(await read()).toEqual(stored)
  })

  test('an update of a subscription product reports all broken rules at once and writes nothing', async () => {
    const input = {
      name: null,
      externalRef: 'x'.repeat(2049),
      mainImage: 'nowhere',
      prices: [
        { currency: 'eur', price: { amount: 1 } },
        { currency: 'USD', price: { amount: -1 } },
        { currency: 'GBP' },
      ],
    }
    expect(await update(input)).toEqual({
      subscriptionProduct: null,
      userErrors: [
        { code: 'TOO_LONG', path: ['externalRef'], message: 'must be at most 2048 characters' },
        { code: 'REQUIRED', path: ['name'], message: 'must not be null' },
        { code: 'INVALID_FORMAT', path: ['mainImage'], message: 'must be an absolute http or https URI' },
        { code: 'INVALID_FORMAT', path: ['prices', '0', 'currency'], message: 'must be three uppercase letters' },
        {
          code: 'OUT_OF_RANGE',
          path: ['prices', '1', 'price', 'amount'],
          message: 'must be an integer from 0 to 9007199254740991',
        },
        { code: 'REQUIRED', path: ['prices', '2', 'price'], message: 'must be given' },
      ],
    })
    expect(await read()).toEqual(stored)
  })

  test('graph.maps-become-lists: an update of a subscription product refuses the same currency twice', async () => {
    const prices = [
      { currency: 'EUR', price: { amount: 1 } },
      { currency: 'EUR', price: null },
    ]
    expect(await update({ prices })).toEqual({
      subscriptionProduct: null,
      userErrors: [{ code: 'DUPLICATE', path: ['prices', '1', 'currency'], message: 'is given twice' }],
    })
    expect(await read()).toEqual(stored)
  })

  test.each([
    ['absent', '0197f4f6-0000-7000-8000-00000000000b', 'NOT_FOUND'],
    ['malformed', 'x', 'INVALID_FORMAT'],
    ['of another type', globalId('Plan', id), 'INVALID_FORMAT'],
  ])('an update of a subscription product refuses an id that is %s', async (_, given, code) => {
    expect(await update({ id: given })).toMatchObject({
      subscriptionProduct: null,
      userErrors: [{ code, path: ['id'] }],
    })
  })

  test('write.if-updated-at: an update of a subscription product succeeds with the current updatedAt; with another one it is STALE, has the current product and writes nothing', async () => {
    const stale = await update({ name: 'Tea', ifUpdatedAt: '2026-01-15T11:59:54.999Z' })
    expect(stale).toEqual({
      subscriptionProduct: expectedProduct,
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'], message: 'the record has changed since' }],
    })
    expect(await read()).toEqual(stored)
    expect((await update({ name: 'Tea', ifUpdatedAt: expectedProduct.updatedAt })).subscriptionProduct.name).toBe('Tea')
  })

  test('right.shoppers-see-published-and-own: an update of a subscription product is FORBIDDEN to a shopper for any input', async () => {
    for (const input of [{ name: 'Tea' }, { id: 'x' }, { prices: [{ currency: 'EUR' }, { currency: 'EUR' }] }]) {
      const reply = await update(input, { token: server.shopper })
      expect(reply.errors[0].extensions.code).toBe('FORBIDDEN')
    }
    expect(await read()).toEqual(stored)
  })
})
