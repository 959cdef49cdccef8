import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { globalId, ID_MAX, parseGlobalId, rawId, readId } from '../../../src/graphql/schema/ids.ts'
import { useGraph } from '../../support/graph.ts'
import { frameSchema, thingId } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)
const uuid = thingId(5)

describe('graph.global-or-raw-ids: global ids', () => {
  test('global ids are decoded to what was encoded', () => {
    fc.assert(
      fc.property(fc.constantFrom('Open', 'CatalogProduct'), fc.uuid(), (type, id) => {
        expect(parseGlobalId(globalId(type, id))).toEqual({ type, id })
      }),
    )
  })

  test('any text is decoded as a global id or refused without an exception, and only ids that this server would write are decoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parsed = parseGlobalId(text)
        if (parsed) expect(globalId(parsed.type, parsed.id)).toBe(text)
      }),
    )
  })

  test('global ids are decoded up to their maximal length', () => {
    const id = (length: number) => globalId('Open', '0'.repeat((length / 4) * 3 - 'Open:'.length))
    expect([id(ID_MAX).length, parseGlobalId(id(ID_MAX))?.type]).toEqual([ID_MAX, 'Open'])
    expect(parseGlobalId(id(ID_MAX + 4))).toBeNull()
  })

  test.each([
    '',
    'x',
    uuid,
    `${globalId('Open', uuid)}=`,
    ` ${globalId('Open', uuid)}`,
    Buffer.from('Open:').toString('base64url'),
    Buffer.from(`:${uuid}`).toString('base64url'),
    Buffer.from(`open:${uuid}`).toString('base64url'),
    Buffer.from(`Open:${uuid}\u0000`).toString('base64url'),
    Buffer.from(`Open:${uuid}\n`).toString('base64url'),
    globalId('Open', 'ABCDEF00-0000-7000-8000-000000000000'),
  ])('%j is no global id', (text) => {
    expect(parseGlobalId(text)).toBeNull()
  })

  test('arguments accept a global id of the type or the raw UUID, and return it in lower case', () => {
    expect(readId('Open', globalId('Open', uuid), ['id'])).toBe(uuid)
    expect(readId('Open', 'ABCDEF00-0000-7000-8000-000000000000', ['id'])).toBe('abcdef00-0000-7000-8000-000000000000')
    const refusal = {
      kind: 'badRequest',
      violations: [
        { code: 'INVALID_FORMAT', path: ['id'], message: 'must be the id of an Open: a global id or a UUID' },
      ],
    }
    for (const wrong of ['', 'x', globalId('Secret', uuid), globalId('Open', 'x')]) {
      expect(() => readId('Open', wrong, ['id'])).toThrow(expect.objectContaining(refusal))
    }
  })

  test('any text in the data of a mutation that is no global id of the type is passed on to the operation', () => {
    expect([
      rawId('Open', globalId('Open', uuid)),
      rawId('Open', uuid),
      rawId('Open', 'x'),
      rawId('Open', globalId('Secret', uuid)),
    ]).toEqual([uuid, uuid, 'x', globalId('Secret', uuid)])
  })
})

describe('node and nodes', () => {
  test('node returns the record of the id, null when there is none', async () => {
    const { body } = await graph.post({
      query: `{ found: node(id: "${globalId('Open', uuid)}") { __typename id ... on Open { rank } } absent: node(id: "${globalId('Open', thingId(999))}") { id } }`,
    })
    expect(body).toEqual({ data: { found: { __typename: 'Open', id: globalId('Open', uuid), rank: 5 }, absent: null } })
  })

  test('nodes returns the records in the order of the ids, with duplicates and nulls', async () => {
    const ids = [2, 999, 1, 2].map((rank) => globalId('Open', thingId(rank)))
    const { body } = await graph.post({
      query: 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on Open { rank } } }',
      variables: { ids },
    })
    expect(body).toEqual({ data: { nodes: [{ rank: 2 }, null, { rank: 1 }, { rank: 2 }] } })
  })

  test('a refused id is null with an error at its index, and nodes returns the others', async () => {
    const found = globalId('Open', uuid)
    const query = `{ nodes(ids: ["x", "${found}", "${globalId('Nothing', uuid)}", "${globalId('Secret', uuid)}", "${found}"]) { id } }`
    const malformed = (at: number) => ({
      path: ['nodes', at],
      extensions: {
        code: 'BAD_USER_INPUT',
        violations: [{ code: 'INVALID_FORMAT', path: ['ids', String(at)], message: 'must be a global id' }],
      },
    })
    // Interpreted, and from the third run on compiled.
    for (let run = 0; run < 5; run++) {
      const { status, body } = await graph.post({ query }, { token: 'shopper' })
      expect([status, body.data]).toEqual([200, { nodes: [null, { id: found }, null, null, { id: found }] }])
      expect(body.errors).toMatchObject([
        malformed(0),
        malformed(2),
        { path: ['nodes', 3], extensions: { code: 'FORBIDDEN' } },
      ])
    }
    const { body } = await graph.post({ query: '{ node(id: "x") { id } }' })
    expect(body.data).toEqual({ node: null })
    expect(body.errors[0]).toMatchObject({
      path: ['node'],
      extensions: { code: 'BAD_USER_INPUT', violations: [{ path: ['id'] }] },
    })
  })
})
