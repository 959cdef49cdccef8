import { beforeEach, describe, expect, test } from 'vitest'
import type { PriceBook } from '../../../src/domain/pricing/price-book.ts'
import type { PriceModifier } from '../../../src/domain/pricing/price-modifier.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import {
  createPriceModifier,
  deletePriceModifier,
  priceModifier,
  updatePriceModifier,
} from '../../../src/operations/pricing/price-modifier.ts'
import { astral } from '../../support/cases.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { describeFailure, idOf } from '../../support/products.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const admin = (now = START) => contextOf(server.services, now)

let book: PriceBook
beforeEach(async () => {
  await reset(database)
  book = await makeBook(admin(), 'Book')
})

const basic = { name: 'large', modifier_type: 'price_increment', currencies: { USD: { amount: 100 } } }
const dataOf = (attributes: object) => ({ type: 'price-modifier', attributes })
const make = (attributes: object = {}, priceBookId = book.id) =>
  createPriceModifier(admin(), { priceBookId, data: dataOf({ ...basic, ...attributes }) })
const change = (id: string, attributes: object, now = START + 1000) =>
  updatePriceModifier(admin(now), { id, data: dataOf(attributes) })
const stored = (id: string) => priceModifier(admin(), { id })
const count = async () => (await database.query('test-modifiers', 'SELECT FROM price_modifier')).length

const tiers = (...minimums: unknown[]) => ({
  USD: {
    amount: 1,
    tiers: Object.fromEntries(minimums.map((minimum_quantity, n) => [`t${n}`, { minimum_quantity, amount: n }])),
  },
})

describe('createPriceModifier', () => {
  test.each<[string, object]>([
    ['a name of 1 character', { name: 'x' }],
    ['a name of 1024 code points', { name: astral(1024) }],
    ['external_ref of 2048 code points', { external_ref: astral(2048) }],
    ['no currencies', { currencies: {} }],
    [
      'an amount of 0 and one of null (modifier.skipped-without-amount)',
      { currencies: { EUR: { amount: 0 }, USD: { amount: null } } },
    ],
    [
      'the largest amount (value.numbers-never-rounded)',
      { currencies: { USD: { amount: Number.MAX_SAFE_INTEGER, includes_tax: true } } },
    ],
    ['tiers (tier.same-rules-everywhere, modifier.highest-reached-tier)', { currencies: tiers(5, 1) }],
    [
      'tiers called as a database client or JavaScript may call its own',
      {
        currencies: {
          USD: {
            amount: 1,
            tiers: { $type: { minimum_quantity: 2, amount: 1 }, constructor: { minimum_quantity: 3, amount: null } },
          },
        },
      },
    ],
    ['price_decrement', { modifier_type: 'price_decrement' }],
    ['price_equals', { modifier_type: 'price_equals' }],
    ['instants of the server (input.server-members-accepted)', { updated_at: 5, created_at: 'x' }],
  ])('createPriceModifier stores %s; an equal update changes nothing', async (_, attributes) => {
    const made = await make(attributes)
    expect(await stored(made.id)).toEqual(made)
    expect(await change(made.id, { ...basic, ...attributes })).toEqual(made)
  })

  test.each<[string, object, string[]]>([
    ['name absent', { name: undefined }, ['name REQUIRED']],
    ['name empty', { name: '' }, ['name TOO_SHORT']],
    ['name of 1025 code points', { name: astral(1025) }, ['name TOO_LONG']],
    ['name with U+0000', { name: '\u0000' }, ['name INVALID_TEXT']],
    ['type absent', { modifier_type: undefined }, ['modifier_type REQUIRED']],
    ['another type', { modifier_type: 'increment' }, ['modifier_type INVALID_VALUE']],
    ['currencies absent', { currencies: undefined }, ['currencies REQUIRED']],
    ['a currency null', { currencies: { USD: null } }, ['currencies.USD REQUIRED']],
    ['a currency code of another form', { currencies: { usd: {} } }, ['currencies.usd INVALID_FORMAT']],
    ['an amount below 0', { currencies: { USD: { amount: -1 } } }, ['currencies.USD.amount OUT_OF_RANGE']],
    ['an amount of 2^53', { currencies: { USD: { amount: 2 ** 53 } } }, ['currencies.USD.amount OUT_OF_RANGE']],
    [
      'a tier without minimum_quantity (tier.minimum-from-one, tier.same-rules-everywhere)',
      { currencies: tiers(undefined) },
      ['currencies.USD.tiers.t0.minimum_quantity TIER_MINIMUM_QUANTITY'],
    ],
    [
      'a tier from 0 (tier.minimum-from-one, tier.same-rules-everywhere)',
      { currencies: tiers(0) },
      ['currencies.USD.tiers.t0.minimum_quantity TIER_MINIMUM_QUANTITY'],
    ],
    [
      'two tiers from 2 (tier.minimums-differ, tier.same-rules-everywhere)',
      { currencies: tiers(2, 2) },
      ['currencies.USD.tiers.t1.minimum_quantity TIER_CONFLICT'],
    ],
    [
      'a tier called __proto__',
      { currencies: { USD: { amount: 1, tiers: { ['__proto__']: { minimum_quantity: 2, amount: 1 } } } } },
      ['currencies.USD.tiers.__proto__ INVALID_VALUE'],
    ],
    ['external_ref of 2049 code points', { external_ref: astral(2049) }, ['external_ref TOO_LONG']],
    [
      'several at once, in order',
      { name: 1, modifier_type: 1, currencies: 1 },
      ['name INVALID_TYPE', 'modifier_type INVALID_TYPE', 'currencies INVALID_TYPE'],
    ],
  ])('createPriceModifier refuses %s', async (_, attributes, broken) => {
    expect(await describeFailure(make(attributes))).toBe(
      `validation: ${broken.map((one) => `attributes.${one}`).join(', ')}`,
    )
    expect(await count()).toBe(0)
  })

  test('createPriceModifier reports an unknown book before violations of the modifier (http.violations-in-field-order)', async () => {
    expect(await describeFailure(make({ name: '' }, idOf(1)))).toBe('notFound: priceBookId NOT_FOUND')
    expect(await describeFailure(make({}, 'x'))).toBe('notFound: priceBookId NOT_FOUND')
  })

  test('names of price modifiers are unique in a book, case-sensitively', async () => {
    await make()
    expect(await describeFailure(make())).toBe('conflict: attributes.name NAME_TAKEN')
    const other = await makeBook(admin(), 'Other')
    await Promise.all([make({ name: 'Large' }), make({ name: 'LARGE' }), make({}, other.id)])
    const small = await make({ name: 'small' })
    expect(await describeFailure(change(small.id, { name: 'large' }))).toBe('conflict: attributes.name NAME_TAKEN')
  })

  test('of 20 simultaneous price modifiers with the same name exactly one is created', async () => {
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => make()))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await count()).toBe(1)
  })

  test('record.given-id-is-kept: createPriceModifier keeps the id in data', async () => {
    const create = (name: string) =>
      createPriceModifier(admin(), { priceBookId: book.id, data: { id: idOf(1), ...dataOf({ ...basic, name }) } })
    expect((await create('a')).id).toBe(idOf(1))
    expect(await describeFailure(create('b'))).toBe('conflict: id ID_TAKEN')
  })
})

describe('updatePriceModifier and deletePriceModifier', () => {
  test('updatePriceModifier merges currencies code by code (graph.maps-become-lists), and keeps other absent members', async () => {
    const made = await make({ external_ref: 'r', currencies: { USD: { amount: 1 }, EUR: { amount: 2 } } })
    const changed = await change(made.id, { currencies: { USD: null, GBP: { amount: 3 } } })
    expect(changed).toEqual({
      ...made,
      currencies: { EUR: { amount: 2, includes_tax: false }, GBP: { amount: 3, includes_tax: false } },
      updatedAt: START + 1000,
    })
    expect(await stored(made.id)).toEqual(changed)
    expect((await change(made.id, { currencies: null, external_ref: null }, START + 2000)).currencies).toEqual({})
  })

  test('updatePriceModifier can not clear name and type', async () => {
    const { id } = await make()
    expect(await describeFailure(change(id, { name: null, modifier_type: null }))).toBe(
      'validation: attributes.name REQUIRED, attributes.modifier_type REQUIRED',
    )
  })

  test('deletePriceModifier returns the modifier; an unknown one is not found', async () => {
    const made = await make()
    expect(await deletePriceModifier(admin(), { id: made.id })).toEqual(made)
    expect(await describeFailure(deletePriceModifier(admin(), { id: made.id }))).toBe('notFound: id NOT_FOUND')
    expect(await describeFailure(change(made.id, {}))).toBe('notFound: id NOT_FOUND')
  })

  test('right.shoppers-see-published-and-own: updatePriceModifier and deletePriceModifier are for admins only', async () => {
    const { id } = await make()
    const shopper = contextOf(server.services, START, 'shopper')
    expect(await describeFailure(deletePriceModifier(shopper, { id }))).toBe('forbidden: ')
    expect(await describeFailure(priceModifier(shopper, { id }))).toBe('forbidden: ')
  })
})

describe('price modifiers in the graph', () => {
  const FIELDS =
    'name type externalRef owner prices { currency amount { amount } includesTax tiers { name minimumQuantity amount { amount } } } priceBook { name } updatedAt'
  const call = (name: string, input: object) =>
    server.gql(
      `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { priceModifier { id ${FIELDS} } userErrors { code path } } }`,
      { input },
    )

  test('price modifiers in the graph are created, updated, refused with STALE, and deleted', async () => {
    const prices = [{ currency: 'USD', price: { amount: 5, tiers: [{ name: 'ten', minimumQuantity: 10, amount: 4 }] } }]
    const created = (
      await call('createPriceModifier', {
        priceBookId: globalId('PriceBook', book.id),
        name: 'large',
        type: 'PRICE_EQUALS',
        prices,
      })
    ).data.createPriceModifier
    const { id, ...shown } = created.priceModifier
    expect(shown).toEqual({
      name: 'large',
      type: 'PRICE_EQUALS',
      externalRef: null,
      owner: 'STORE',
      prices: [
        {
          currency: 'USD',
          amount: { amount: 5 },
          includesTax: false,
          tiers: [{ name: 'ten', minimumQuantity: 10, amount: { amount: 4 } }],
        },
      ],
      priceBook: { name: 'Book' },
      updatedAt: new Date(START).toISOString(),
    })
    const updated = (
      await call('updatePriceModifier', {
        id,
        prices: [
          { currency: 'USD', price: null },
          { currency: 'EUR', price: { amount: 1 } },
        ],
      })
    ).data.updatePriceModifier
    expect(updated.priceModifier.prices.map(({ currency }: { currency: string }) => currency)).toEqual(['EUR'])
    const stale = (await call('deletePriceModifier', { id, ifUpdatedAt: new Date(START).toISOString() })).data
      .deletePriceModifier
    expect(stale).toMatchObject({ priceModifier: { name: 'large' }, userErrors: [{ code: 'STALE' }] })
    expect((await call('deletePriceModifier', { id })).data.deletePriceModifier).toMatchObject({
      priceModifier: { name: 'large' },
      userErrors: [],
    })
    expect(await count()).toBe(0)
  })

  test.each<[string, object, [string, string][]]>([
    [
      'a tier (tier.minimum-from-one)',
      { prices: [{ currency: 'USD', price: { tiers: [{ name: 't' }] } }] },
      [['TIER_MINIMUM_QUANTITY', 'prices.0.price.tiers.0.minimumQuantity']],
    ],
    [
      'a currency twice',
      {
        prices: [
          { currency: 'USD', price: {} },
          { currency: 'USD', price: {} },
        ],
      },
      [['DUPLICATE', 'prices.1.currency']],
    ],
    ['a name', { name: '' }, [['TOO_SHORT', 'name']]],
    ['a book', { priceBookId: idOf(1) }, [['NOT_FOUND', 'priceBookId']]],
    ['a name that is taken', { name: 'taken' }, [['NAME_TAKEN', 'name']]],
  ])('mutations of price modifiers report %s at the path that the client wrote', async (_, given, errors) => {
    await make({ name: 'taken' })
    const { data } = await call('createPriceModifier', {
      priceBookId: book.id,
      name: 'large',
      type: 'PRICE_INCREMENT',
      prices: [],
      ...given,
    })
    expect(data.createPriceModifier.priceModifier).toBeNull()
    expect(
      data.createPriceModifier.userErrors.map(({ code, path }: { code: string; path: string[] }) => [
        code,
        path.join('.'),
      ]),
    ).toEqual(errors)
  })

  test('reading books with their modifiers takes as many statements for 2 as for 20', async () => {
    for (let n = 0; n < 20; n++) await make({}, (await makeBook(admin(START + 1 + n), `Book ${n}`)).id)
    const run = async (first: number) => {
      const query = `{ priceBooks(first: ${first}) { nodes { modifiers(first: 3) { totalCount nodes { name priceBook { name } } } } } }`
      const { result, count: statements } = await countStatements(database, () => server.gql(query))
      const totals = result.data.priceBooks.nodes.map(
        ({ modifiers }: { modifiers: { totalCount: number; nodes: PriceModifier[] } }) => [
          modifiers.totalCount,
          modifiers.nodes.length,
        ],
      )
      expect(totals).toEqual([[0, 0], ...Array.from({ length: first - 1 }, () => [1, 1])])
      return statements
    }
    // Books; modifiers, their totals; books by id.
    expect([await run(2), await run(20)]).toEqual([4, 4])
  })
})
