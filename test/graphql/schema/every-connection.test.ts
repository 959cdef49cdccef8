/**
 * graph.connections-both-ways: every connection that the schema has, found in the schema itself, walked from both ends
 * over a store that has something in each.
 */
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { useDatabase } from '../../support/database.ts'
import { idsByType, insertEveryRecord, publishedCatalog } from '../../support/every-record.ts'
import { call } from '../../support/schema-walk.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

interface Listed {
  readonly totalCount: number
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string
    readonly endCursor: string
  }
}

type Field = GraphQLField<unknown, unknown>
const connections: [string, Field][] = Object.values(schema.getTypeMap())
  .filter((type): type is GraphQLObjectType => isObjectType(type))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ args }) => args.some(({ name }) => name === 'before'))
      .map((field): [string, Field] => [type.name, field]),
  )

const idsOf: Record<string, string[]> = {}
/** The arguments of fields that need one besides those of the page. */
const needed: Record<string, Record<string, string>> = {}
beforeAll(async () => {
  await insertEveryRecord(server, database)
  Object.assign(idsOf, await idsByType(database))
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM release WHERE catalog_id = $1 ORDER BY sequence',
    [publishedCatalog],
  )
  needed.changesSince = { releaseId: JSON.stringify(rows[0]?.id) }
  idsOf.changesSince = [globalId('Release', rows.at(-1)?.id ?? '')]
})

/** The list of the field on one owner, or of the root field. */
async function list(field: Field, owner: string | null, given: Readonly<Record<string, string>>): Promise<Listed> {
  const node = isNode(field) ? '{ id }' : '{ __typename }'
  const selection = `list: ${call(field, '', { ...needed[field.name], ...given })} { totalCount edges { cursor node ${node} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
  const [type] = connections.find(([, one]) => one === field) ?? []
  const reply = await server.gql(
    owner === null ? `{ ${selection} }` : `{ node(id: ${JSON.stringify(owner)}) { ... on ${type} { ${selection} } } }`,
  )
  expect(reply.errors).toBeUndefined()
  return owner === null ? reply.data.list : reply.data.node.list
}

const isNode = (field: Field): boolean => {
  const connection = getNamedType(field.type)
  const edges = isObjectType(connection) ? connection.getFields().nodes : undefined
  const item = edges && getNamedType(edges.type)
  return isObjectType(item) && 'id' in item.getFields()
}

/** The owner whose list is the longest; null for root fields. */
async function owner(type: string, field: Field): Promise<string | null> {
  if (type === 'Query') return null
  let [best, most] = ['', -1]
  const ids = idsOf[field.name] ?? idsOf[type] ?? []
  for (let at = 0; at < ids.length; at += 100) {
    const text = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { id list: ${call(field, '', needed[field.name])} { totalCount } } } }`
    const { data, errors } = await server.gql(text, { ids: ids.slice(at, at + 100) })
    expect(errors).toBeUndefined()
    for (const node of data.nodes)
      if (node && node.list.totalCount > most) [best, most] = [node.id, node.list.totalCount]
  }
  return best
}

it.each(connections.map(([type, field]) => ({ title: `${type}.${field.name}`, type, field })))(
  'a connection is walked both ways: $title',
  async ({ type, field }) => {
    const from = await owner(type, field)
    expect(from, 'somebody has a list').not.toBe('')
    const whole = await list(field, from, { first: '100' })
    expect(whole.edges.length).toBeGreaterThan(2)
    expect(
      whole.totalCount >= whole.edges.length && (whole.pageInfo.hasNextPage || whole.totalCount === whole.edges.length),
    ).toBe(true)
    const cursors = whole.edges.map(({ cursor }) => cursor)
    expect(new Set(cursors).size).toBe(cursors.length)
    expect([whole.pageInfo.startCursor, whole.pageInfo.endCursor]).toEqual([cursors[0], cursors.at(-1)])

    const size = Math.max(1, Math.ceil(cursors.length / 3))
    const forward: Listed['edges'][number][] = []
    while (forward.length < cursors.length) {
      const at = forward.length
      const page = await list(field, from, {
        first: String(size),
        ...(at > 0 && { after: JSON.stringify(cursors[at - 1]) }),
      })
      expect([page.pageInfo.hasNextPage, page.totalCount]).toEqual([
        at + page.edges.length < whole.totalCount,
        whole.totalCount,
      ])
      expect(page.edges.length).toBeGreaterThan(0)
      forward.push(...page.edges)
    }
    expect(forward.slice(0, cursors.length)).toEqual(whole.edges)

    const backward: Listed['edges'][number][] = []
    let left = cursors.length - 1
    while (left > 0) {
      const page = await list(field, from, { last: String(size), before: JSON.stringify(cursors[left]) })
      expect([page.edges.length, page.pageInfo.hasPreviousPage]).toEqual([Math.min(size, left), left > size])
      backward.unshift(...page.edges)
      left -= page.edges.length
    }
    expect(backward).toEqual(whole.edges.slice(0, -1))
    const end = await list(field, from, { last: '1' })
    if (!whole.pageInfo.hasNextPage) expect(end.edges).toEqual(whole.edges.slice(-1))
  },
)
