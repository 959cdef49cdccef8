/**
 * graph.connections-both-ways: every connection that the schema has, found in the schema itself, walked from both ends over a store that
 * has something in each.
 */
import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { useDatabase } from '../../support/database.ts'
import { insertHiddenStore } from '../../support/hidden-store.ts'
import { runImport } from '../../support/import.ts'
import { mutate } from '../../support/mutations.ts'
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

const LATEST = `latest_release(c.id, 'infinity')`

const tables: Readonly<Record<string, string>> = {
  Account: 'SELECT DISTINCT account_id::text AS id FROM subscription',
  Catalog: 'SELECT id::text FROM catalog',
  CatalogHierarchy: `SELECT ${LATEST} || ':' || n.id AS id FROM catalog c, catalog_node n WHERE n.parent_id IS NULL AND ${LATEST} IS NOT NULL`,
  CatalogNode: `SELECT ${LATEST} || ':' || n.id AS id FROM catalog c, catalog_node n WHERE n.parent_id IS NOT NULL AND ${LATEST} IS NOT NULL`,
  CatalogProduct: `SELECT ${LATEST} || ':' || p.id AS id FROM catalog c, product p WHERE ${LATEST} IS NOT NULL`,
  CatalogRule: 'SELECT id::text FROM catalog_rule',
  Hierarchy: 'SELECT id::text FROM catalog_node WHERE parent_id IS NULL',
  HierarchyNode: 'SELECT id::text FROM catalog_node WHERE parent_id IS NOT NULL',
  Offering: 'SELECT id::text FROM offering',
  Plan: 'SELECT id::text FROM plan',
  PriceBook: 'SELECT id::text FROM price_book',
  PriceModifier: 'SELECT id::text FROM price_modifier',
  Product: 'SELECT id::text FROM product',
  ProductPrice: 'SELECT id::text FROM product_price',
  Release: `SELECT ${LATEST}::text AS id FROM catalog c WHERE ${LATEST} IS NOT NULL`,
  Sale: 'SELECT id::text FROM sale',
  AccountSubscription: 'SELECT id::text FROM subscription',
  SubscriptionProduct: 'SELECT id::text FROM subscription_product',
  Webhook: 'SELECT id::text FROM webhook',
}

const demo = (kind: string, n = 1): string => `c0ffee00-00${kind}-4000-8000-00000000000${n}`
const extra = (kind: number, n: number): string => `0199e000-0000-7000-8000-0000000000${kind}${n}`
const ofEach = (make: (n: number) => object): object[] => [1, 2, 3].map(make)
const refs = (type: string, id: (n: number) => string) => ({ data: ofEach((n) => ({ type, id: id(n) })) })

/** At least three of all that the demo store has fewer of. All are made at one instant, so that ids break ties. */
const more = (option: string): object[] => [
  ...ofEach((n) => ({
    type: 'subscription_plan',
    id: extra(1, n),
    attributes: {
      name: `Plan ${n}`,
      billing_interval_type: 'month',
      billing_frequency: 1,
      plan_length: 12,
      end_behavior: 'roll',
      trial_period: 0,
      can_pause: true,
      can_resume: true,
      can_cancel: true,
    },
  })),
  ...ofEach((n) => ({
    type: 'subscription_offering',
    id: extra(2, n),
    attributes: { name: `Offering ${n}` },
    relationships: {
      products: refs('subscription_product', (product) => demo('0b', product)),
      plans: refs('subscription_plan', (plan) => extra(1, plan)),
    },
  })),
  ...ofEach((n) => ({
    type: 'catalog',
    id: extra(4, n),
    attributes: { name: `Catalog ${n}`, hierarchy_ids: [demo('07')], pricebook_ids: [{ id: demo('01'), priority: 1 }] },
  })),
  { type: 'catalog-release', attributes: { catalog_id: extra(4, 1) } },
  ...ofEach((n) => ({
    type: 'product',
    id: extra(3, n),
    attributes: { name: `Bundle ${n}`, status: 'live', components: { main: { name: 'Main', options: [{ id: option, quantity: 1 }] } } },
  })),
  ...ofEach((n) => ({
    type: 'node',
    attributes: { name: `Node ${n}` },
    relationships: {
      parent: { data: { type: 'hierarchy', id: demo('07') } },
      products: { data: [option, extra(3, 1), extra(3, 2), extra(3, 3)].map((id) => ({ type: 'product', id })) },
    },
  })),
  ...ofEach((n) => ({ type: 'catalog_rule', attributes: { name: `Rule ${n}`, catalog_id: extra(4, 1) } })),
  ...ofEach(() => ({ type: 'catalog-release', attributes: { catalog_id: extra(4, 1) } })),
]

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
  await insertHiddenStore(server)
  const { rows: products } = await database.pool.query<{ id: string }>(`SELECT id FROM product WHERE sku = 'ETH-YIRG'`)
  expect(await runImport(server.services, more(products[0]?.id ?? ''))).toMatchObject({ fine: true, refused: [] })
  for (const name of ['Ada', 'Bob', 'Eve']) {
    const ids = { account_id: demo('ac'), offering_id: extra(2, 1), plan_id: extra(1, 1) }
    const data = { ...ids, currency: 'USD', name, email: 'somebody@example.com' }
    const { body } = await server.rest('POST', '/v2/subscriptions/subscriptions', { body: { data } })
    for (const action of ['pause', 'resume', 'cancel']) {
      const state = { data: { type: 'subscription_state', attributes: { action } } }
      await server.rest('POST', `/v2/subscriptions/subscriptions/${body.data.id}/states`, { body: state })
    }
  }
  for (const n of [1, 2, 3]) {
    const given = { url: `https://example.com/${n}`, topics: ['PRODUCT'] }
    await mutate(server, 'createWebhook', given, 'webhookSecret { webhook { id } }')
  }
  await database.pool.query(`INSERT INTO webhook_event (webhook_id, change_id, record_id, attempts)
    SELECT webhook.id, c.id, c.record_id, 12 FROM webhook, (SELECT id, record_id FROM change ORDER BY id LIMIT 7) c`)
  // As if everything had been written three times.
  const columns = 'xid, topic, scope, record_id, operation, subject, role, before, after, created_at'
  await database.pool.query(`INSERT INTO change (${columns}) SELECT ${columns} FROM change, generate_series(1, 2) ORDER BY id`)
  for (const [type, text] of Object.entries(tables)) {
    const { rows } = await database.pool.query<{ id: string }>(text)
    idsOf[type] = rows.map(({ id }) => globalId(type, id))
  }
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM release WHERE catalog_id = $1 ORDER BY sequence', [
    extra(4, 1),
  ])
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
    for (const node of data.nodes) if (node && node.list.totalCount > most) [best, most] = [node.id, node.list.totalCount]
  }
  return best
}

it.each(connections.map(([type, field]) => ({ title: `${type}.${field.name}`, type, field })))('$title', async ({ type, field }) => {
  const from = await owner(type, field)
  expect(from, 'somebody has a list').not.toBe('')
  const whole = await list(field, from, { first: '100' })
  expect(whole.edges.length).toBeGreaterThan(2)
  expect(whole.totalCount >= whole.edges.length && (whole.pageInfo.hasNextPage || whole.totalCount === whole.edges.length)).toBe(true)
  const cursors = whole.edges.map(({ cursor }) => cursor)
  expect(new Set(cursors).size).toBe(cursors.length)
  expect([whole.pageInfo.startCursor, whole.pageInfo.endCursor]).toEqual([cursors[0], cursors.at(-1)])

  const size = Math.max(1, Math.ceil(cursors.length / 3))
  const forward: Listed['edges'][number][] = []
  while (forward.length < cursors.length) {
    const at = forward.length
    const page = await list(field, from, { first: String(size), ...(at > 0 && { after: JSON.stringify(cursors[at - 1]) }) })
    expect([page.pageInfo.hasNextPage, page.totalCount]).toEqual([at + page.edges.length < whole.totalCount, whole.totalCount])
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
})
