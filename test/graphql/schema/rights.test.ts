import { isAbstractType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { rightOf } from '../../../src/graphql/schema/rights.ts'
import { useGraph } from '../../support/graph.ts'
import { fetched, frameSchema, thingId } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)
const FORBIDDEN = 'FORBIDDEN'

/** Each query runs interpreted and, from the third run on, compiled. */
const RUNS = 5

async function ask(query: string, token: 'admin' | 'shopper', variables: object = {}) {
  const replies = []
  for (let run = 0; run < RUNS; run++) replies.push((await graph.post({ query, variables }, { token })).body)
  for (const reply of replies) expect(reply).toEqual(replies[0])
  return replies[0]
}

const codes = (reply: { errors?: { extensions: { code: string } }[] }) =>
  reply.errors?.map((error) => error.extensions.code)

describe('right.shoppers-see-published-and-own: an admin type is refused to a shopper however it is reached', () => {
  const secretId = globalId('Secret', thingId(3))
  const ways: [string, string, string][] = [
    ['a root field', '{ secret { rank } }', 'Query.secret'],
    ['a root field, only __typename', '{ secret { __typename } }', 'Query.secret'],
    ['a root field under another name', '{ other: secret { rank } }', 'Query.secret'],
    ['an edge from an open type', '{ open { secret { rank } } }', 'Open.secret'],
    ['a connection, its nodes', '{ secrets { nodes { rank } } }', 'Query.secrets'],
    ['a connection, its edges', '{ secrets { edges { node { rank } } } }', 'Query.secrets'],
    ['a connection, only its count', '{ secrets { totalCount } }', 'Query.secrets'],
    ['node', `{ node(id: "${secretId}") { ... on Secret { rank } } }`, 'Query.node of a Secret'],
    ['node, only __typename', `{ node(id: "${secretId}") { __typename } }`, 'Query.node of a Secret'],
    ['nodes', `{ nodes(ids: ["${globalId('Open', thingId(1))}", "${secretId}"]) { id } }`, 'Query.nodes of a Secret'],
    ['a union', '{ eithers(ranks: [0, 1]) { ... on Secret { rank } } }', 'Query.eithers of a Secret'],
    ['a union, only __typename', '{ eithers(ranks: [1]) { __typename } }', 'Query.eithers of a Secret'],
    ['a field for admins on an open type', '{ open { note } }', 'Open.note'],
    ['a mutation', 'mutation { poke(input: {}) { secret { rank } } }', 'Mutation.poke'],
  ]
  test.each(ways)(
    'an admin type is refused to a shopper %s, and the error names the field and the required right',
    async (_, query, what) => {
      const refused = await ask(query, 'shopper')
      expect(codes(refused)).toEqual([FORBIDDEN])
      expect(refused.errors[0].message).toBe(`${what} is for administrators`)
      expect(JSON.stringify(refused)).not.toContain('rank"')
      expect(codes(await ask(query, 'admin'))).toBeUndefined()
    },
  )

  test('node refuses an admin type before it loads, for existing and absent records', async () => {
    fetched.secrets.length = 0
    const existing = await ask(`{ node(id: "${secretId}") { id } }`, 'shopper')
    const absent = await ask(`{ node(id: "${globalId('Secret', thingId(999))}") { id } }`, 'shopper')
    expect(absent).toEqual(existing)
    expect(fetched.secrets).toEqual([])
  })

  test('a union of open types is returned to a shopper', async () => {
    expect(await ask('{ eithers(ranks: [0, 2]) { __typename } }', 'shopper')).toEqual({
      data: { eithers: [{ __typename: 'Open' }, { __typename: 'Open' }] },
    })
  })

  test('a mutation for anyone returns its payload', async () => {
    expect(
      await ask('mutation { make(input: { name: "x" }) { open { rank } userErrors { code } } }', 'shopper'),
    ).toEqual({
      data: { make: { open: { rank: 2 }, userErrors: [] } },
    })
  })
})

test('right.shoppers-see-published-and-own: every object type and every root field of the served schema declares its right', async () => {
  const { schema } = await import('../../../src/graphql/schema.ts')
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const undeclared: string[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    if (!roots.includes(type) && rightOf(type) === undefined) undeclared.push(type.name)
    if (!roots.includes(type)) continue
    for (const field of Object.values(type.getFields()))
      if (rightOf(field) === undefined) undeclared.push(`${type.name}.${field.name}`)
  }
  expect(undeclared).toEqual([])
})

test('right.shoppers-see-published-and-own: edges and connections have the right of their type, and every interface and union resolves its types', async () => {
  const { schema } = await import('../../../src/graphql/schema.ts')
  const wrong: string[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type) && !type.resolveType) wrong.push(type.name)
    const node = isObjectType(type) ? schema.getType(type.name.replace(/(Edge|Connection)$/, '')) : undefined
    if (isObjectType(type) && isObjectType(node) && node !== type && rightOf(node) !== rightOf(type))
      wrong.push(type.name)
  }
  expect(wrong).toEqual([])
})
