import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useGraph } from '../../support/graph.ts'
import { frameSchema, receivedArguments, thingId } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)

async function poke(input: object) {
  const query =
    'mutation($input: PokeInput!) { poke(input: $input) { secret { id rank } userErrors { code path message } } }'
  return (await graph.post({ query, variables: { input } })).body
}

describe('graph.expected-failures-in-payload: payloads', () => {
  test('the payload of a mutation that succeeds has the entity and no userErrors', async () => {
    expect(await poke({})).toEqual({
      data: { poke: { secret: { id: globalId('Secret', thingId(1)), rank: 1 }, userErrors: [] } },
    })
  })

  test('the payload of a mutation that breaks rules has null and one userError per rule, in order, with paths of the input', async () => {
    expect(await poke({ kind: 'validation' })).toEqual({
      data: {
        poke: {
          secret: null,
          userErrors: [
            { code: 'TOO_SHORT', path: ['mainImage'], message: 'must be 3 to 1024 characters' },
            { code: 'REQUIRED', path: ['price'], message: 'must be given' },
          ],
        },
      },
    })
  })

  test.each([
    ['notFound', 'NOT_FOUND', ['id']],
    ['conflict', 'PRICE_EXISTS', ['sku']],
    ['badRequest', 'INVALID_FORMAT', ['id']],
  ])('%s in a mutation is a userError too', async (kind, code, path) => {
    expect((await poke({ kind })).data.poke).toMatchObject({ secret: null, userErrors: [{ code, path }] })
  })

  test('write.if-updated-at: the payload of a stale update has the current entity beside the userError', async () => {
    expect((await poke({ kind: 'stale' })).data.poke).toEqual({
      secret: { id: globalId('Secret', thingId(7)), rank: 7 },
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'], message: 'the record has changed since' }],
    })
  })

  test.each([
    ['forbidden', 'FORBIDDEN'],
    ['unauthenticated', 'UNAUTHENTICATED'],
    ['boom', 'INTERNAL_SERVER_ERROR'],
  ])('%s in a mutation is a top-level error', async (kind, code) => {
    const body = await poke({ kind })
    expect(body.data).toBeNull()
    expect(body.errors[0].extensions.code).toBe(code)
  })

  test('a mutation for which something is unavailable fails the whole request with 503, since nothing was done', async () => {
    const query = 'mutation { poke(input: { kind: "unavailable" }) { userErrors { code } } }'
    const { status, body } = await graph.post({ query })
    expect([status, Object.keys(body), body.errors[0].extensions.code]).toEqual([
      503,
      ['errors'],
      'SERVICE_UNAVAILABLE',
    ])
  })

  test('patch.absent-keeps-null-clears: absent, null and a value reach the operation of a mutation as three different inputs', async () => {
    await poke({})
    expect(receivedArguments.input).toEqual({})
    await poke({ name: null })
    expect(receivedArguments.input).toEqual({ name: null })
    await poke({ name: '' })
    expect(receivedArguments.input).toEqual({ name: '' })
  })

  test('write.idempotency-key: guards of a mutation reach the operation as options, not as input, and the name of the mutation beside them', async () => {
    await poke({ ifUpdatedAt: '2026-01-01T00:00:00Z' })
    expect(receivedArguments).toEqual({
      input: {},
      options: { ifUpdatedAt: Date.UTC(2026, 0, 1), idempotencyKey: undefined, operation: 'poke' },
    })
    await graph.post({ query: 'mutation { make(input: { name: "x", idempotencyKey: "k" }) { userErrors { code } } }' })
    expect(receivedArguments).toEqual({
      input: { name: 'x' },
      options: { ifUpdatedAt: undefined, idempotencyKey: 'k', operation: 'make' },
    })
  })

  test('mutations of one request run one after the other', async () => {
    const { body } = await graph.post({
      query:
        'mutation { a: poke(input: { kind: "validation" }) { userErrors { code } } b: poke(input: {}) { secret { rank } } }',
    })
    expect(body.data).toMatchObject({
      a: { userErrors: [{ code: 'TOO_SHORT' }, { code: 'REQUIRED' }] },
      b: { secret: { rank: 1 } },
    })
  })
})
