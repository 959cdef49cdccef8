/** Ids of published things: stable under the latest release, pinned under a release of its own id. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { publish, publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let first = ''
let second = ''

beforeAll(async () => {
  first = (await publishStore(server, fullStore())).get(ids.catalog)?.id ?? ''
  await database.prisma.product.update({ where: { id: ids.machine }, data: { name: 'Espresso machine II' } })
  second = (await publish(server, ids.catalog)).id
})
beforeEach(() => {
  server.now = START
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

async function read(query: string, variables: object = {}): Promise<Any> {
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
  const { data, errors } = await server.gql(query, { catalog: ids.catalog, ...variables }, { token })
  expect(errors).toBeUndefined()
  return data
}
const inCatalog = async (fields: string): Promise<Any> =>
  (await read(`query ($catalog: ID!) { catalog(id: $catalog) { ${fields} } }`)).catalog
const latestId = (type: string, id: string) => globalId(type, `latest:${ids.catalog}:${id}`)
const pinnedId = (type: string, id: string, release = first) => globalId(type, `${release}:${id}`)
const node = async (id: string, fields = ''): Promise<Any> =>
  (await read(`query ($id: ID!) { node(id: $id) { id ${fields} } }`, { id })).node

/** Everything that leads from a release to other published things. */
const everything = `id hierarchies { id children { nodes { id children { nodes { id } } } } products(first: 2) { nodes { id } } }
  machine: product(by: { sku: "MACHINE" }) { id name release { id } nodes { nodes { id } }
    breadCrumbs { node { id parent { id } hierarchy { id } } ancestors { id } } bundles { nodes { id } } }
  shirt: product(by: { sku: "SHIRT" }) { id children { nodes { id parent { id } } } variationMatrix { product { id } } }
  breakfast: product(by: { slug: "breakfast" }) { id components { options { product { id } } }
    bundleConfiguration { product { id } componentProducts { product { id } } selectedOptions { options { product { id } } } } }`

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'id' ? [Buffer.from(String(one), 'base64url').toString()] : idsIn(one),
  )
}

describe('graph.latest-or-pinned-ids: what is reached', () => {
  test.each([
    ['latestRelease', 'latestRelease'],
    ['release(id: "latest")', 'release(id: "latest")'],
    ['the id of latestRelease', () => `release(id: "${globalId('Release', `latest:${ids.catalog}`)}")`],
  ])('what is reached through %s is named by the catalog, and so are all things beyond it', async (_, field) => {
    const found = idsIn(await inCatalog(`one: ${typeof field === 'string' ? field : field()} { ${everything} }`))
    expect(found.length).toBeGreaterThan(30)
    for (const id of found) expect(id.split(':').slice(1, 3)).toEqual(['latest', ids.catalog])
  })

  test.each([
    ['a release by its id', () => `release(id: "${second}")`, () => second],
    ['an older release', () => `release(id: "${first}")`, () => first],
    ['pinned of the latest release', () => 'latestRelease { pinned', () => second],
    ['releases', () => 'releases(first: 1) { nodes', () => second],
  ])('what is reached through %s is named by that release', async (_, field, release) => {
    const open = field()
    const found = idsIn(await inCatalog(`${open} { ${everything} } ${'}'.repeat(open.split('{').length - 1)}`))
    expect(found.length).toBeGreaterThan(30)
    for (const id of found) expect(id.split(':')[1]).toBe(release())
  })
})

describe('graph.latest-or-pinned-ids: node', () => {
  test('node finds a product, a node, a hierarchy and the release itself in the latest release, by an id that a publish does not change', async () => {
    const name = '... on CatalogProduct { name } ... on CatalogTreeNode { name } ... on Release { sequence }'
    expect(await node(latestId('CatalogProduct', ids.machine), name)).toEqual({
      id: latestId('CatalogProduct', ids.machine),
      name: 'Espresso machine II',
    })
    expect(await node(pinnedId('CatalogProduct', ids.machine), name)).toEqual({
      id: pinnedId('CatalogProduct', ids.machine),
      name: 'Espresso machine',
    })
    expect(await node(latestId('CatalogNode', ids.espresso), name)).toEqual({
      id: latestId('CatalogNode', ids.espresso),
      name: 'Espresso',
    })
    expect(await node(latestId('CatalogHierarchy', ids.hierarchy), name)).toMatchObject({ name: 'Shop' })
    expect(await node(globalId('Release', `latest:${ids.catalog}`), name)).toMatchObject({ sequence: 2 })
    expect(await node(globalId('Release', first), name)).toEqual({ id: globalId('Release', first), sequence: 1 })
  })

  test('node is null for an id of what the latest release lacks, and of a catalog without a release', async () => {
    expect(await node(latestId('CatalogProduct', ids.draftChild))).toBeNull()
    expect(await node(globalId('Release', `latest:${ids.book}`))).toBeNull()
    expect(await node(globalId('CatalogProduct', `latest:${ids.book}:${ids.machine}`))).toBeNull()
  })

  test.each([
    'latest',
    'latest:',
    `latest:${ids.catalog}:x`,
    `latest:x:${ids.machine}`,
    `latest:latest:${ids.machine}`,
  ])('node refuses the malformed raw id %s', async (raw) => {
    const { errors } = await server.gql('query ($id: ID!) { node(id: $id) { id } }', {
      id: globalId('CatalogProduct', raw),
    })
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ path: ['id'] }] })
  })

  test('node and the reference of a gateway find the same', async () => {
    const references = [
      { __typename: 'CatalogProduct', catalog: { id: ids.catalog }, key: ids.machine },
      { __typename: 'CatalogProduct', id: latestId('CatalogProduct', ids.machine) },
      { __typename: 'CatalogProduct', id: pinnedId('CatalogProduct', ids.machine) },
    ]
    const query =
      'query ($references: [_Any!]!) { _entities(representations: $references) { ... on CatalogProduct { id name } } }'
    const latest = { id: latestId('CatalogProduct', ids.machine), name: 'Espresso machine II' }
    expect((await read(query, { references }))._entities).toEqual([
      latest,
      latest,
      { id: pinnedId('CatalogProduct', ids.machine), name: 'Espresso machine' },
    ])
  })
})

describe('graph.latest-or-pinned-ids: arguments', () => {
  test('the id of the latest release of another catalog names no release of this one', async () => {
    expect(await inCatalog(`release(id: "${globalId('Release', `latest:${ids.book}`)}") { id }`)).toEqual({
      release: null,
    })
  })

  test('a bundle is configured in the release that its id names', async () => {
    const query = `query ($id: ID!) { configureBundle(id: $id, selection: []) { product { id } } }`
    for (const id of [latestId('CatalogProduct', ids.gift), pinnedId('CatalogProduct', ids.gift)]) {
      expect((await read(query, { id })).configureBundle.product).toEqual({ id })
    }
  })
})

test('latestRelease is null where no release is published', async () => {
  await database.prisma.catalog.create({
    data: { id: ids.unknown, name: 'Nothing yet', createdAt: new Date(START), updatedAt: new Date(START) } as never,
  })
  const { data } = await server.gql(`{ catalog(id: "${ids.unknown}") { latestRelease { id } } }`)
  expect(data).toEqual({ catalog: { latestRelease: null } })
})
