import { describe, expect, test } from 'vitest'
import { formatPath, key } from '../../../src/domain/input/errors.ts'
import { readInput } from '../../../src/domain/input/input-reader.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { toInputPath, toMap, toRestDocument } from '../../../src/graphql/schema/rest-document.ts'
import { useGraph } from '../../support/graph.ts'
import { frameSchema, receivedArguments, thingId } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)

async function poke(input: object) {
  const query = 'mutation($input: PokeInput!) { poke(input: $input) { secret { id rank } userErrors { code path message } } }'
  return (await graph.post({ query, variables: { input } })).body
}

describe('graph.expected-failures-in-payload: payloads', () => {
  test('after a success have the entity and no userErrors', async () => {
    expect(await poke({})).toEqual({ data: { poke: { secret: { id: globalId('Secret', thingId(1)), rank: 1 }, userErrors: [] } } })
  })

  test('for broken rules have null and one userError per rule, in order, with paths of the input', async () => {
    expect(await poke({ kind: 'validation' })).toEqual({
      data: {
        poke: {
          secret: null,
          userErrors: [
            { code: 'TOO_SHORT', path: ['mainImage'], message: 'must be 3 to 1024 characters' },
            { code: 'REQUIRED', path: ['prices', 'USD', 'amount'], message: 'must be given' },
          ],
        },
      },
    })
  })

  test.each([
    ['notFound', 'NOT_FOUND', ['id']],
    ['conflict', 'PRICE_EXISTS', ['sku']],
    ['badRequest', 'INVALID_FORMAT', ['id']],
  ])('%s is a userError too', async (kind, code, path) => {
    expect((await poke({ kind })).data.poke).toMatchObject({ secret: null, userErrors: [{ code, path }] })
  })

  test('write.if-updated-at: of a stale update have the current entity beside the userError', async () => {
    expect((await poke({ kind: 'stale' })).data.poke).toEqual({
      secret: { id: globalId('Secret', thingId(7)), rank: 7 },
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'], message: 'the record has changed since' }],
    })
  })

  test.each([
    ['forbidden', 'FORBIDDEN'],
    ['unauthenticated', 'UNAUTHENTICATED'],
    ['unavailable', 'SERVICE_UNAVAILABLE'],
    ['boom', 'INTERNAL_SERVER_ERROR'],
  ])('%s is a top-level error', async (kind, code) => {
    const body = await poke({ kind })
    expect(body.data).toBeNull()
    expect(body.errors[0].extensions.code).toBe(code)
  })

  test('patch.absent-keeps-null-clears: absent, null and a value reach the operation as three different inputs', async () => {
    await poke({})
    expect(receivedArguments.input).toEqual({})
    await poke({ name: null })
    expect(receivedArguments.input).toEqual({ name: null })
    await poke({ name: '' })
    expect(receivedArguments.input).toEqual({ name: '' })
  })

  test('write.idempotency-key: guards reach the operation as options, not as input', async () => {
    await poke({ ifUpdatedAt: '2026-01-01T00:00:00Z' })
    expect(receivedArguments).toEqual({ input: {}, options: { ifUpdatedAt: Date.UTC(2026, 0, 1), idempotencyKey: undefined } })
    await graph.post({ query: 'mutation { make(input: { name: "x", idempotencyKey: "k" }) { userErrors { code } } }' })
    expect(receivedArguments).toEqual({ input: { name: 'x' }, options: { ifUpdatedAt: undefined, idempotencyKey: 'k' } })
  })

  test('mutations of one request run one after the other', async () => {
    const { body } = await graph.post({
      query: 'mutation { a: poke(input: { kind: "validation" }) { userErrors { code } } b: poke(input: {}) { secret { rank } } }',
    })
    expect(body.data).toMatchObject({ a: { userErrors: [{ code: 'TOO_SHORT' }, { code: 'REQUIRED' }] }, b: { secret: { rank: 1 } } })
  })
})

describe('between GraphQL inputs and REST documents', () => {
  test('members become snake_case at every depth, absent ones stay absent, null stays null', () => {
    const input = { externalRef: null, name: undefined, mainImage: 'x', priceUnits: { unitName: 'day', inner: [{ aB: 1 }] } }
    expect(toRestDocument(input)).toEqual({ external_ref: null, main_image: 'x', price_units: { unit_name: 'day', inner: [{ a_b: 1 }] } })
  })

  test('a member with its own conversion is renamed; null is not converted', () => {
    const members = { prices: { as: 'price', value: (list: readonly string[]) => list.join() } }
    expect(toRestDocument({ prices: ['a', 'b'] }, members)).toEqual({ price: 'a,b' })
    expect(toRestDocument({ prices: null }, members)).toEqual({ price: null })
    expect(toRestDocument({}, members)).toEqual({})
  })

  test('graph.maps-become-lists: a list becomes a map, and its reader reports each duplicate key in order among the other violations', () => {
    const read = (keys: string) => {
      const prices = toMap(
        [...keys].map((name, index) => ({ name, index })),
        ({ name }) => name,
        ({ index }) => index,
      )
      return readInput({ prices }, (reader) => reader.map('prices', (entries, name) => entries.integer(name, { max: 4 })))
    }
    expect(read('abc')).toEqual({
      value: new Map([
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ]),
      violations: [],
    })
    const reported = read('abcabac').violations.map(({ code, path }) => `${code} ${formatPath(path)}`)
    expect(reported).toEqual([
      'DUPLICATE prices.a',
      'OUT_OF_RANGE prices.a',
      'DUPLICATE prices.b',
      'DUPLICATE prices.c',
      'OUT_OF_RANGE prices.c',
    ])
  })

  test('a key with the name of a member of Object.prototype is a key like any other', () => {
    const map = toMap(
      ['__proto__', 'constructor'],
      (name) => name,
      () => 1,
    )
    expect(Object.entries(map)).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
    ])
  })

  test.each([
    [['attributes', 'external_ref'], ['externalRef']],
    [
      ['attributes', 'price', key('price'), 'includes_tax'],
      ['prices', 'price', 'includesTax'],
    ],
    [
      ['attributes', 'sales', key('winter_sale'), 'currencies', key('USD'), 'tiers', key('min_10'), 'minimum_quantity'],
      ['sales', 'winter_sale', 'prices', 'USD', 'tiers', 'min_10', 'minimumQuantity'],
    ],
    [
      ['attributes', 'tags', 3],
      ['tags', '3'],
    ],
    [['ifUpdatedAt'], ['ifUpdatedAt']],
    [['offering_id'], ['offeringId']],
    [[], []],
  ])('the path %j', (path, expected) => {
    expect(toInputPath(path)).toEqual(expected)
  })
})
