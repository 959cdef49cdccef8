/**
 * catalog.confidential-by-proof: whatever the schema and the table of routes offer, asked for with the ids of a
 * confidential catalog, by members first, so that all caches are full, and then by others. Others get what they get for
 * ids that were never given, to the byte and the header.
 */
import { getNamedType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { globalId, parseGlobalId } from '../../src/graphql/schema/ids.ts'
import { rightOf } from '../../src/graphql/schema/rights.ts'
import { schema } from '../../src/graphql/schema.ts'
import { updateCatalog } from '../../src/operations/catalog/catalog.ts'
import { createCatalogRule } from '../../src/operations/catalog/catalog-rule.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { documentedRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { translated } from '../support/never-given.ts'
import { contextOf } from '../support/price-books.ts'
import { idOf } from '../support/products.ts'
import { publish } from '../support/published.ts'
import { call, isForAdmins, literal, selection } from '../support/schema-walk.ts'
import { useServer } from '../support/server.ts'
import { insertStore } from '../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const secret = idOf(0xcc)
const account = idOf(0xacc)
const HOUR = 3_600_000

/** The ids of the confidential catalog and its releases, each with one that was never given. */
const never = new Map([[secret, '0a11ed00-0000-4000-8000-000000000001']])
const releases = { older: '', latest: '', scheduled: '', draft: '' }
let tokens: Readonly<Record<'member' | 'owner' | 'anonymous' | 'other' | 'tagged', string>>

interface Request {
  readonly method: string
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
  readonly body?: object
}

beforeAll(async () => {
  const store = fullStore()
  const [catalog] = store.catalogs
  if (catalog) store.catalogs.push({ ...catalog, id: secret, name: 'Members' })
  await insertStore(database, store)
  await publish(server, ids.catalog)
  releases.older = (await publish(server, secret)).id
  server.now += 1_000
  releases.latest = (await publish(server, secret)).id
  const ctx = contextOf(server.services, server.now)
  releases.scheduled = (await publishRelease(ctx, { catalogId: secret, at: server.now + HOUR })).id
  await updateCatalog(ctx, {
    id: secret,
    data: { type: 'catalog', id: secret, attributes: { confidential: true, description: 'Later' } },
  })
  releases.draft = (await publishRelease(ctx, { catalogId: secret, dryRun: true })).id
  const attributes = {
    name: 'Members',
    catalog_id: secret,
    tags: ['member'],
    channels: ['inner'],
    account_ids: [account],
  }
  await createCatalogRule(ctx, { data: { type: 'catalog_rule', attributes } })
  for (const [index, id] of Object.values(releases).entries())
    never.set(id, `0a11ed00-0000-4000-8000-${String(index + 2).padStart(12, '0')}`)
  const token = async (given: object) =>
    (await server.issue({ subject: 'shopper', role: 'shopper', ...given }, server.now)).token
  tokens = {
    member: await token({ tags: ['member'] }),
    owner: await token({ accountId: account }),
    anonymous: await token({}),
    other: await token({ accountId: idOf(0xacd) }),
    tagged: await token({ channel: 'outer', tags: ['guest'] }),
  }
})

/** The ids that name something of the confidential catalog. */
function idsOf(): string[] {
  const scopes = [...Object.values(releases), `latest:${secret}`]
  const records = [ids.machine, ids.hierarchy]
  return [
    secret,
    ...Object.values(releases),
    globalId('Catalog', secret),
    ...scopes.map((scope) => globalId('Release', scope)),
    ...['CatalogProduct', 'CatalogNode', 'CatalogHierarchy'].flatMap((type) =>
      scopes.flatMap((scope) => records.map((id) => globalId(type, `${scope}:${id}`))),
    ),
  ]
}

const graph = (query: string, variables: object = {}): Request => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
})
const byGet = (query: string): Request => ({ method: 'GET', path: '/graphql', search: { query } })

function rootRequests(): Request[] {
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {})
  return roots
    .filter((field) => !isForAdmins(field) && !field.name.startsWith('_'))
    .flatMap((field) => {
      const takesId = field.args.some(({ name }) => name === 'id')
      if (!takesId) return []
      const text = `query($id: ID!) { ${call(field, '$id')} { ${selection(schema, getNamedType(field.type), '$id', 1)} } }`
      const type = getNamedType(field.type).name
      return idsOf()
        .filter((id) => [type, undefined].includes(parseGlobalId(id)?.type))
        .map((id) => graph(text, { id }))
    })
}

function nodeRequests(): Request[] {
  const types = schema.getPossibleTypes(schema.getType('Node') as never).filter((type) => rightOf(type) !== 'admin')
  return types.flatMap((type) => {
    const select = `__typename ... on ${type.name} { ${selection(schema, type, '$some', 0)} }`
    const some = idsOf().filter((id) => parseGlobalId(id)?.type === type.name)
    if (some.length === 0) return []
    const all = some.map((id) => ({ __typename: type.name, id }))
    return [
      graph(`query($ids: [ID!]!) { nodes(ids: $ids) { ${select} } }`, { ids: some }),
      graph(`query($all: [_Any!]!) { _entities(representations: $all) { ${select} } }`, { all }),
      ...some.map((id) => byGet(`{ node(id: "${id}") { id __typename } }`)),
    ]
  })
}

/** Ways that name the confidential catalog from a field of the open one, or by parts of an id. */
function innerRequests(cursor: string): Request[] {
  const open = (fields: string) => `{ catalog(id: "${ids.catalog}") { ${fields} } }`
  const byKey = [{ __typename: 'CatalogProduct', catalog: { id: globalId('Catalog', secret) }, key: ids.machine }]
  const priced = 'nodes { id name price { amount { amount } changesAt } } pageInfo { endCursor }'
  return [
    ...Object.values(releases).flatMap((id) => [
      byGet(open(`release(id: "${id}") { id productCount products { ${priced} } }`)),
      byGet(`{ catalog(id: "${secret}") { release(id: "${id}") { id products { totalCount ${priced} } } } }`),
      byGet(`{ release(id: "${id}") { products(filter: { search: "espresso" }) { totalCount ${priced} } } }`),
    ]),
    byGet(open(`latestRelease { products(after: "${cursor}", first: 2) { ${priced} } }`)),
    byGet(`{ catalog(id: "${secret}") { latestRelease { products(first: 1) { ${priced} facets { key } } } } }`),
    byGet(`{ catalog(id: "${secret}") { name scheduledReleases { id } releases { totalCount nodes { id } } } }`),
    graph(`query($all: [_Any!]!) { _entities(representations: $all) { __typename } }`, { all: byKey }),
  ]
}

function restRequests(): Request[] {
  const paths = documentedRoutes
    .filter(({ method, right }) => method === 'GET' && right !== 'open')
    .flatMap((route) => [...route.paths])
  const fill = (path: string, catalog: string, release: string) =>
    path
      .replace('{catalog_id}', catalog)
      .replace('{release_id}', release)
      .replace('{hierarchy_id}', ids.hierarchy)
      .replace(/\{\w+\}/g, secret)
  const named = paths.filter((path) => path.includes('{catalog_id}'))
  expect(named.length).toBeGreaterThan(3)
  return [
    ...named.flatMap((path) =>
      [...Object.values(releases), 'latest', 'latestPublished'].flatMap((release) => [
        fill(path, secret, release),
        ...(release.startsWith('latest') ? [] : [fill(path, ids.catalog, release)]),
      ]),
    ),
    ...paths
      .filter((path) => /\{(?!catalog_id|release_id|hierarchy_id)/.test(path))
      .map((path) => fill(path, secret, '')),
  ].flatMap((path) => [
    { method: 'GET', path },
    { method: 'GET', path, search: { filter: `eq(id,${ids.machine})` } },
  ])
}

function mutationRequests(): Request[] {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
  return mutations
    .filter((field) => rightOf(field) !== 'admin')
    .map((field) => {
      const [input] = field.args
      return graph(
        `mutation { ${field.name}(input: ${input && literal(input.type, secret)}) { userErrors { message } } }`,
      )
    })
}

/** A response with all that tells it from another; the id of the request is always another one. */
async function ask(request: Request, token: string, headers: Readonly<Record<string, string>> = {}) {
  const { method, path, search, body } = request
  const reply = await server.rest(method, search ? `${path}?${new URLSearchParams(search)}` : path, {
    token,
    headers,
    ...(body && { body }),
  })
  const shown = ['cache-control', 'vary', 'content-type', 'graphql-cost'].map((name) => reply.headers.get(name))
  // A compiled operation orders the members of a response otherwise.
  const text = JSON.stringify(reply.body && Object.entries(reply.body).sort())
  return { status: reply.status, shown, text, etag: reply.headers.get('etag') }
}

const neverOf = (request: Request): Request => JSON.parse(translated(JSON.stringify(request), never))

describe('catalog.confidential-by-proof: the sweep of every way in', () => {
  test('others get for the ids of a confidential catalog what they get for ids that were never given', async () => {
    const first = `{ catalog(id: "${secret}") { latestRelease { products(first: 1) { pageInfo { endCursor } } } } }`
    const { data } = await server.gql(first, {}, { token: tokens.member })
    const cursor: string = data.catalog.latestRelease.products.pageInfo.endCursor
    const requests = [
      ...rootRequests(),
      ...nodeRequests(),
      ...innerRequests(cursor),
      ...restRequests(),
      ...mutationRequests(),
    ]
    const headers = { 'ep-context-tag': 'member', 'ep-channel': 'inner' }
    let found = 0
    let conditional = 0
    for (const request of requests) {
      // From the second time on responses are stored, from the third on they come from the cache.
      const given = [
        await ask(request, tokens.member),
        await ask(request, tokens.member),
        await ask(request, tokens.member),
      ]
      const [, , member] = given
      const label = `${request.path} ${JSON.stringify(request.search ?? request.body ?? '')}`.slice(0, 400)
      // Mutations and roles differ for who has an account; what is read does not.
      if (!label.includes('mutation')) expect(await ask(request, tokens.owner), label).toEqual(member)
      const other = neverOf(request)
      expect(other).not.toEqual(request)
      const unknown = await ask(other, tokens.anonymous)
      if (member && translated(member.text, never) !== unknown.text) {
        found++
        expect(member.shown[0], label).not.toContain('public')
      }
      for (const [token, more] of [
        [tokens.anonymous, {}],
        [tokens.anonymous, headers],
        [tokens.other, headers],
        [tokens.tagged, {}],
      ] as const) {
        const stranger = await ask(request, token, more)
        const expected = await ask(other, token, more)
        expect({ ...stranger, etag: null, text: translated(stranger.text, never) }, label).toEqual({
          ...expected,
          etag: null,
        })
        expect(stranger.etag === null, label).toBe(expected.etag === null)
        if (member?.etag && translated(member.text, never) !== unknown.text) {
          conditional++
          expect((await ask(request, token, { ...more, 'if-none-match': member.etag })).status, label).toBe(
            expected.status,
          )
        }
      }
      expect(await ask(request, tokens.member), label).toEqual(member)
    }
    // The sweep means nothing when members find nothing.
    expect(found).toBeGreaterThan(50)
    expect(conditional).toBeGreaterThan(20)
  }, 600_000)
})
