/** graph.federation-keys: this server as a subgraph of Apollo Federation 2, beside another one. */
import { composeServices } from '@theguild/federation-composition'
import { buildSchema, getIntrospectionQuery, graphql, isObjectType, Kind, parse, visit } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENTITIES_MAX } from '../../src/graphql/federation.ts'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { rightOf } from '../../src/graphql/schema/rights.ts'
import { schema } from '../../src/graphql/schema.ts'
import { COST_MAX } from '../../src/graphql/server/cost-tree.ts'
import { SCHEMA_WEIGHT } from '../../src/graphql/server/cost-weights.ts'
import { blogSdl, MONEY_REST } from '../support/blog-subgraph.ts'
import { countStatements } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { publishStore } from '../support/published.ts'
import { START, startTestServer } from '../support/server.ts'
import { useSubscriptionGraph } from '../support/subscription-graph.ts'
import { idOf } from '../support/subscriptions.ts'

const { database, server, ask, shopper } = useSubscriptionGraph()

beforeAll(async () => {
  await publishStore(server, fullStore())
})

const ENTITIES = `query ($references: [_Any!]!) {
  _entities(representations: $references) {
    __typename
    ... on Plan { name }
    ... on Offering { name plans(first: 1) { nodes { name } } }
    ... on CatalogProduct { id name }
    ... on AccountSubscription { externalRef }
  }
}`

const entities = (references: unknown[], token?: string) =>
  server.gql(ENTITIES, { references }, token === undefined ? undefined : { token })

const plan = (number: number) => ({ __typename: 'Plan', id: globalId('Plan', idOf('plan', number)) })

/** A second subgraph: reviews that refer to this server's entities by their keys. */
const reviewsSdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Query { reviews: [Review!]! }
  type Review @key(fields: "id") { id: ID! stars: Int! plan: Plan! product: CatalogProduct! }
  type Plan @key(fields: "id") { id: ID! reviews: [Review!]! }
  type Catalog @key(fields: "id") { id: ID! }
  type CatalogProduct @key(fields: "catalog { id } key") { catalog: Catalog! key: ID! reviews: [Review!]! }
  type PageInfo @shareable { hasNextPage: Boolean! }
`

describe('graph.federation-keys: composition', () => {
  test.each([
    ['by its field', (text: string) => `{ ${text.replaceAll('X', '_service { sdl }')} }`],
    ['by its text', (text: string) => `{ _service { ${text.replaceAll('X', 'sdl')} } }`],
    ['by introspection', (text: string) => `{ __schema { ${text.replaceAll('X', 'types { name }')} } }`],
  ])('the schema as a subgraph is served up to the limit %s, and not beyond', async (_, document) => {
    const most = Math.floor(COST_MAX / SCHEMA_WEIGHT) - 1
    const ask = (times: number) => server.gql(document(Array.from({ length: times }, (_, n) => `a${n}: X`).join(' ')))
    expect((await ask(most)).errors).toBeUndefined()
    expect((await ask(most + 1)).errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', limit: COST_MAX })
  })

  test('full introspection is within the limits', async () => {
    expect((await server.gql(getIntrospectionQuery())).errors).toBeUndefined()
  })

  test('the schema composes with another subgraph, with id as key, and for CatalogProduct also its catalog and key', async () => {
    const { sdl } = (await ask('{ _service { sdl } }'))._service
    const composed = composeServices([
      { name: 'commerce', url: 'http://commerce.example/graphql', typeDefs: parse(sdl) },
      { name: 'reviews', url: 'http://reviews.example/graphql', typeDefs: parse(reviewsSdl) },
    ])
    expect(composed.errors).toBeUndefined()
    const supergraph = composed.supergraphSdl ?? ''
    const head = (type: string) => new RegExp(`^type ${type} [^]*?\\{$`, 'm').exec(supergraph)?.[0] ?? ''
    const nodes = Object.values(schema.getTypeMap()).filter(isObjectType)
    for (const { name } of nodes.filter((type) => type.getInterfaces().some((one) => one.name === 'Node'))) {
      expect(head(name)).toContain('@join__type(graph: COMMERCE, key: "id")')
    }
    expect(head('CatalogProduct')).toContain('@join__type(graph: COMMERCE, key: "catalog { id } key")')
    expect(head('Plan')).toContain('@join__type(graph: REVIEWS, key: "id")')
    // What a gateway brings itself, and the root that it can't serve.
    expect(sdl).not.toMatch(/_entities|_service|_Any|_Entity|type Subscription /)
  })

  test('graph.federation-without-clashes: the schema composes with a subgraph that has its own node, connections, money and subscriptions', async () => {
    const { sdl } = (await ask('{ _service { sdl } }'))._service
    const blog = blogSdl(`type Money @shareable { amount: Long! ${MONEY_REST} }`)
    const composed = composeServices([
      { name: 'commerce', url: 'http://commerce.example/graphql', typeDefs: parse(sdl) },
      { name: 'blog', url: 'http://blog.example/graphql', typeDefs: parse(blog) },
    ])
    expect(composed.errors).toBeUndefined()
    const supergraph = buildSchema(composed.publicSdl ?? '')
    expect(Object.keys(supergraph.getSubscriptionType()?.getFields() ?? {})).toEqual(['postWritten'])
    expect(Object.keys(supergraph.getQueryType()?.getFields() ?? {})).toEqual(
      expect.arrayContaining(['node', 'posts', 'fee', 'storefront']),
    )
    const join = (field: string) =>
      new RegExp(`^  ${field}\\(.*@join__field\\((.*)\\)$`, 'm').exec(composed.supergraphSdl ?? '')?.[1]
    expect([join('node'), join('nodes')]).toEqual(['graph: BLOG', 'graph: BLOG'])
  })

  test("graph.federation-without-clashes: every directive of the schema is defined in it, or one of Federation, as Apollo's composer wants it", async () => {
    const { sdl } = (await ask('{ _service { sdl } }'))._service
    const document = parse(sdl)
    const used = new Set<string>()
    visit(document, { Directive: ({ name }) => void used.add(name.value) })
    const defined = document.definitions.flatMap((one) =>
      one.kind === Kind.DIRECTIVE_DEFINITION ? [one.name.value] : [],
    )
    // Directives that GraphQL or Federation bring into every subgraph.
    const known = ['deprecated', 'specifiedBy', 'link', 'key', 'shareable']
    expect(used).toContain('oneOf')
    expect([...used].filter((name) => !defined.includes(name) && !known.includes(name))).toEqual([])
  })

  test('entities referenced by another subgraph are resolved', async () => {
    const reviews = [
      {
        id: '1',
        stars: 5,
        plan: plan(2),
        product: { __typename: 'CatalogProduct', catalog: { id: ids.catalog }, key: ids.beans },
      },
    ]
    const other = buildSchema(reviewsSdl.replace(/extend schema.*/, '').replaceAll(/@\w+(\([^)]*\))?/g, ''))
    const query = '{ reviews { stars plan { __typename id } product { __typename catalog { id } key } } }'
    const { data } = await graphql({ schema: other, source: query, rootValue: { reviews } })
    const [review] = JSON.parse(JSON.stringify(data)).reviews
    const { data: response, errors } = await entities([review.plan, review.product], server.shopper)
    expect(errors).toBeUndefined()
    expect(response._entities).toEqual([
      { __typename: 'Plan', name: 'Plan 2' },
      {
        __typename: 'CatalogProduct',
        id: globalId('CatalogProduct', `latest:${ids.catalog}:${ids.beans}`),
        name: 'Coffee beans',
      },
    ])
  })
})

describe('graph.federation-keys: references', () => {
  test('references of a gateway are resolved in order, with duplicates, nulls for absent records, and raw UUIDs (graph.global-or-raw-ids), in one statement per type', async () => {
    const references = [plan(3), plan(9), plan(1), plan(3), { __typename: 'Plan', id: idOf('plan', 2).toUpperCase() }]
    const { result, count } = await countStatements(database, () => entities(references))
    expect(result.data._entities.map((one: { name: string } | null) => one?.name)).toEqual([
      'Plan 3',
      undefined,
      'Plan 1',
      'Plan 3',
      'Plan 2',
    ])
    expect(count).toBe(1)
  })

  test.each([
    ['no object', 'x', []],
    ['an unknown type', { __typename: 'Nothing', id: 'x' }, []],
    ['a type without a key', { __typename: 'PageInfo', id: 'x' }, []],
    ['a name of every object', { __typename: 'constructor', id: 'x' }, []],
    ['no id', { __typename: 'Plan' }, ['id']],
    ['half a key', { __typename: 'CatalogProduct', catalog: { id: ids.catalog } }, ['id']],
    ['an id of another type', { __typename: 'Plan', id: globalId('Offering', idOf('plan', 1)) }, ['id']],
    [
      'a catalog id that is none',
      { __typename: 'CatalogProduct', catalog: { id: 'x' }, key: ids.beans },
      ['catalog', 'id'],
    ],
  ])('a reference that is %s is refused by its place, and costs the others nothing', async (_, reference, path) => {
    const { data, errors } = await entities([plan(1), reference])
    expect(data._entities).toEqual([{ __typename: 'Plan', name: 'Plan 1' }, null])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ path: ['_entities', 1], extensions: { code: 'BAD_USER_INPUT' } })
    expect(errors[0].extensions.violations[0].path).toEqual(['representations', '1', ...path])
  })

  test(`a gateway may ask for at most ${ENTITIES_MAX} references`, async () => {
    const many = (count: number) => Array.from({ length: count }, () => plan(1))
    expect((await entities(many(ENTITIES_MAX))).data._entities).toHaveLength(ENTITIES_MAX)
    const refused = await entities(many(ENTITIES_MAX + 1))
    expect(refused.errors[0].extensions.violations[0]).toMatchObject({ code: 'TOO_MANY', path: ['representations'] })
  })

  test('the reference of a product that the latest release does not have, or of an unknown catalog, is null', async () => {
    const references = [
      { __typename: 'CatalogProduct', catalog: { id: ids.catalog }, key: ids.draftChild },
      { __typename: 'CatalogProduct', catalog: { id: ids.book }, key: ids.beans },
    ]
    expect((await entities(references)).data._entities).toEqual([null, null])
  })
})

describe('right.shoppers-see-published-and-own: _entities gives a shopper nothing that node refuses', () => {
  const admins = Object.values(schema.getTypeMap()).filter(
    (type) =>
      isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node') && rightOf(type) === 'admin',
  )

  test('_entities refuses a shopper every admin type before anything loads', async () => {
    expect(admins.map(({ name }) => name)).toEqual(expect.arrayContaining(['PriceBook', 'Product', 'ProductPrice']))
    for (const { name } of admins) {
      const reference = { __typename: name, id: idOf('product', 1) }
      const { result, count } = await countStatements(database, () => entities([reference], server.shopper))
      expect([
        name,
        result.data._entities,
        result.errors.map((error: { extensions: { code: string } }) => error.extensions.code),
      ]).toEqual([name, [null], ['FORBIDDEN']])
      expect(count).toBe(0)
    }
  })

  test('_entities gives a shopper null for subscriptions of other accounts, and its own', async () => {
    const { nodes } = (await ask(`{ account(id: "${idOf('account', 1)}") { subscriptions { nodes { id } } } }`)).account
      .subscriptions
    const reference = { __typename: 'AccountSubscription', id: nodes[0].id }
    const [own, other] = await Promise.all([shopper(idOf('account', 1)), shopper(idOf('account', 2))])
    expect((await entities([reference], own)).data._entities).toEqual([
      { __typename: 'AccountSubscription', externalRef: 'first' },
    ])
    expect((await entities([reference], other)).data._entities).toEqual([null])
  })

  test('in production the SDL of the subgraph is for administrators, like introspection', async () => {
    const production = await startTestServer(database, { config: { production: true } })
    try {
      const admin = (await production.issue({ subject: 'a', role: 'admin' }, START)).token
      const refused = await production.gql('{ _service { sdl } }', {}, { token: production.shopper })
      expect(refused.errors[0].extensions.code).toBe('FORBIDDEN')
      expect((await production.gql('{ _service { sdl } }', {}, { token: admin })).data._service.sdl).toContain('@key')
    } finally {
      await production.stop()
    }
    expect((await server.gql('{ _service { sdl } }', {}, { token: server.shopper })).data._service.sdl).toContain(
      '@key',
    )
  })
})
