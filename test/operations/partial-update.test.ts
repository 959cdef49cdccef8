/**
 * patch.maps-merge-at-every-depth end to end: partial updates of maps of prices, by every way on which they come,
 * against a plain merge of the patches.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it, test } from 'vitest'
import type { PriceBook } from '../../src/domain/pricing/price-book.ts'
import { createPriceModifier } from '../../src/operations/pricing/price-modifier.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { keyedPath } from '../support/input-path.ts'
import { mutate } from '../support/mutations.ts'
import { type Entry, flatPatch, incomplete, type MapPatch, mergedMap, tieredPatch } from '../support/partial-updates.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { graphPriceInput } from '../support/price-input.ts'
import { START, useServer } from '../support/server.ts'
import { contextAs, idOf, makePlan, makeProduct } from '../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const ID = idOf('product', 1)
const MODIFIER = '0199c0de-0000-7000-8000-f00000000001'

let book: PriceBook
let priceId: string
let saleId: string

beforeEach(async () => {
  server.now = START
  await reset(database)
  const admin = contextOf(server.services, START)
  await makeProduct({ services: server.services, now: START }, ID, { price: {} })
  await makePlan(contextAs(server.services, START), ID)
  book = await makeBook(admin, 'Book')
  const price = await makePrice(admin, book.id, 'S', { sales: { sale: {} } })
  priceId = price.id
  saleId = price.sales[0]?.id ?? ''
  const modifier = {
    id: MODIFIER,
    type: 'price-modifier',
    attributes: { name: 'm', modifier_type: 'price_equals', currencies: {} },
  }
  await createPriceModifier(admin, { priceBookId: book.id, data: modifier })
})

/** Sends an update of the map and returns the paths of the violations. */
type Way = (patch: MapPatch) => Promise<string[]>

const keyedLists = new Set(['prices', 'fixedPrices', 'tiers'])

/** A mutation with the map under its name in the graph; `member` is its name in REST. */
const graph =
  (mutation: string, input: () => object, member = 'prices'): Way =>
  async (currencies) => {
    const { prices } = graphPriceInput({ attributes: { currencies } }) as { prices: unknown }
    const given = { ...input(), [member]: prices }
    const reply = await mutate(server, mutation, given, '')
    return reply.userErrors.map(({ path }: { path: string[] }) => keyedPath(path, given, keyedLists))
  }

const upsert =
  (mode: string): Way =>
  async (currencies) => {
    const rows = [{ sku: 'S', ...(graphPriceInput({ attributes: { currencies } }) as object) }]
    const given = { priceBookId: book.id, mode, rows }
    const reply = await mutate(server, 'upsertProductPrices', given, 'results { outcome }')
    return reply.userErrors.map(({ path }: { path: string[] }) => keyedPath(path, given, keyedLists))
  }

const imported =
  (head: () => object, member: string): Way =>
  async (patch) => {
    const { refused } = await runImport(server.services, [{ ...head(), attributes: { [member]: patch } }])
    return refused.map((line) => line.split(': ')[1]?.replace('data.attributes.', '') ?? '')
  }

const rest: Way = async (price) => {
  const data = { id: ID, type: 'subscription_product', attributes: { price } }
  const { body } = await server.rest('PUT', `/v2/subscriptions/products/${ID}`, { body: { data } })
  return (body.errors ?? []).map(({ detail }: { detail: string }) =>
    detail.split(': ')[0]?.replace('data.attributes.', ''),
  )
}

interface Noun {
  /** The column of the map, and the one that changes with each write. */
  readonly table: string
  readonly column: string
  readonly ways: Readonly<Record<string, Way>>
}

const flat: Readonly<Record<string, Noun>> = {
  'the price of a subscription product': {
    table: 'subscription_product',
    column: 'price',
    ways: {
      REST: rest,
      GraphQL: graph('updateSubscriptionProduct', () => ({ id: ID })),
      'an import': imported(() => ({ type: 'subscription_product', id: ID }), 'price'),
    },
  },
  'the fixed price of a plan': {
    table: 'plan',
    column: 'fixed_price',
    ways: {
      GraphQL: graph('updatePlan', () => ({ id: ID }), 'fixedPrices'),
      'an import': imported(() => ({ type: 'subscription_plan', id: ID }), 'fixed_price'),
    },
  },
}

const tiered: Readonly<Record<string, Noun>> = {
  'the currencies of a product price': {
    table: 'product_price',
    column: 'currencies',
    ways: {
      GraphQL: graph('updateProductPrice', () => ({ id: priceId })),
      'a bulk upsert': upsert('ALL_OR_NOTHING'),
      'a bulk upsert row by row': upsert('PER_ROW'),
      'an import': imported(() => ({ type: 'product-price', pricebook_id: book.id, id: priceId }), 'currencies'),
    },
  },
  'the currencies of a sale': {
    table: 'sale',
    column: 'currencies',
    ways: { GraphQL: graph('updateSale', () => ({ id: saleId })) },
  },
  'the currencies of a price modifier': {
    table: 'price_modifier',
    column: 'currencies',
    ways: {
      GraphQL: graph('updatePriceModifier', () => ({ id: MODIFIER })),
      'an import': imported(() => ({ type: 'price-modifier', pricebook_id: book.id, id: MODIFIER }), 'currencies'),
    },
  },
}

async function read({ table, column }: Noun): Promise<{ map: Readonly<Record<string, Entry>>; version: string }> {
  const [row] = await database.query<{ map: object | null; version: string }>(
    `test-partial-${table}`,
    `SELECT ${column} AS map, updated_at::text AS version FROM ${table}`,
  )
  return { map: (row?.map ?? {}) as Readonly<Record<string, Entry>>, version: row?.version ?? '' }
}

const nouns = Object.entries({ ...flat, ...tiered }).flatMap(([title, noun]) =>
  Object.entries(noun.ways).map(([way, send]) => ({ title, way, noun, send })),
)

describe('a partial update of one member of one currency keeps all others', () => {
  it.each(nouns)('a partial update of one currency keeps all others: $title, by $way', async ({ noun, send }) => {
    const whole = { EUR: { amount: 20_000, includes_tax: true }, USD: { amount: 1, includes_tax: false } }
    expect(await send(whole)).toEqual([])
    expect(await send({ EUR: { amount: 18_000 } })).toEqual([])
    expect((await read(noun)).map).toEqual({ ...whole, EUR: { amount: 18_000, includes_tax: true } })
    expect(await send({ EUR: { includes_tax: null }, USD: null })).toEqual([])
    expect((await read(noun)).map).toEqual({ EUR: { amount: 18_000, includes_tax: false } })
    const { version } = await read(noun)
    expect(await send({ EUR: { amount: 18_000 } })).toEqual([])
    expect((await read(noun)).version).toBe(version)
  })

  it.each(nouns.filter(({ title }) => title in tiered))(
    'a partial update of the tiers of one currency keeps all others: $title, by $way',
    async ({ noun, send }) => {
      const tiers = { a: { minimum_quantity: 2, amount: 3 }, b: { minimum_quantity: 5, amount: 2 } }
      await send({ EUR: { amount: 4, includes_tax: true, tiers } })
      await send({ EUR: { amount: 5 } })
      expect((await read(noun)).map).toEqual({ EUR: { amount: 5, includes_tax: true, tiers } })
      await send({ EUR: { tiers: { b: tiers.b } } })
      expect((await read(noun)).map).toEqual({ EUR: { amount: 5, includes_tax: true, tiers: { b: tiers.b } } })
      await send({ EUR: { tiers: null } })
      expect((await read(noun)).map).toEqual({ EUR: { amount: 5, includes_tax: true } })
    },
  )
})

describe('random partial updates, by each edge and the import in turn, equal a naive merge', () => {
  test.each(Object.entries({ ...flat, ...tiered }))(
    'random partial updates, by each edge and the import in turn, equal a naive merge: %s',
    async (title, noun) => {
      const isFlat = title in flat
      const ways = Object.values(noun.ways)
      const steps = fc.array(fc.tuple(isFlat ? flatPatch : tieredPatch, fc.nat(ways.length - 1)), { maxLength: 6 })
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          await ways[0]?.(null)
          let expected: Record<string, Entry> = {}
          for (const [patch, way] of given) {
            const missing = isFlat ? incomplete(expected, patch) : []
            const refused = (await ways[way]?.(patch)) ?? []
            expect(refused.map((path) => path.split('.').slice(-2).join('.'))).toEqual(
              missing.map((code) => `${code}.amount`),
            )
            if (missing.length === 0) expected = mergedMap(expected, patch)
            expect((await read(noun)).map).toEqual(expected)
          }
        }),
        { numRuns: 10 },
      )
    },
  )
})
