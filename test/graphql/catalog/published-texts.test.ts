/** Texts of catalogs: a shopper reads the published ones on every path, an administrator the current ones. */
import { beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { updateCatalog } from '../../../src/operations/catalog/catalog.ts'
import { deleteRelease } from '../../../src/operations/catalog/release.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'
import { insertCatalog } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
const CATALOG = idOf(0xca7)
const OTHER = idOf(0xca8)
const german = (name: string) => ({ de: { name, description: `Über ${name}` } })

const edit = (attributes: object, id = CATALOG) =>
  updateCatalog(contextOf(server.services, START), { id, data: { type: 'catalog', attributes } })

beforeEach(async () => {
  await reset(database)
  server.services.releases.invalidate()
  for (const [id, name] of [
    [CATALOG, 'Kettles'],
    [OTHER, 'Mugs'],
  ] as const) {
    await insertCatalog(database, { id, name, hierarchy_ids: [], books: [] })
    await edit({ description: `About ${name}`, locales: german(`${name} auf Deutsch`) }, id)
    await publish(server, id)
  }
  await edit({ name: 'Unannounced', description: 'Secret', locales: german('Geheim') })
})

type Role = 'admin' | 'shopper'

async function ask(query: string, role: Role = 'shopper') {
  const reply = await server.gql(query, {}, { token: server[role] })
  expect(reply.errors).toBeUndefined()
  return reply.data
}

const published = { name: 'Kettles', description: 'About Kettles', german: 'Kettles auf Deutsch' }
const authored = { name: 'Unannounced', description: 'Secret', german: 'Geheim' }
const texts = 'name description german: name(locale: "de")'
const ways: readonly (readonly [string, string, readonly (string | number)[]])[] = [
  ['by its id', `{ catalog(id: "${CATALOG}") { ${texts} } }`, ['catalog']],
  ['as the storefront', `{ storefront { ${texts} } }`, ['storefront']],
  ['in the list', `{ catalogs { nodes { ${texts} } } }`, ['catalogs', 'nodes', 0]],
  ['as a node', `{ node(id: "${globalId('Catalog', CATALOG)}") { ... on Catalog { ${texts} } } }`, ['node']],
  [
    'as an entity',
    `{ _entities(representations: [{ __typename: "Catalog", id: "${globalId('Catalog', CATALOG)}" }]) { ... on Catalog { ${texts} } } }`,
    ['_entities', 0],
  ],
  [
    'through its release',
    `{ catalog(id: "${CATALOG}") { release(id: "latest") { catalog { ${texts} } } } }`,
    ['catalog', 'release', 'catalog'],
  ],
]

describe.each(ways)('the texts of a catalog %s', (_, query, path) => {
  it("a catalog's texts are for a shopper the published ones until the next publish, and for an administrator the authored ones", async () => {
    const textFor = async (role: Role) => path.reduce((inside, step) => inside[step], await ask(query, role))
    // Repeated, so that the response is cached.
    for (let again = 0; again < 3; again++)
      expect([await textFor('shopper'), await textFor('admin')]).toEqual([published, authored])
    const { id } = await publish(server, CATALOG)
    for (let again = 0; again < 3; again++)
      expect([await textFor('shopper'), await textFor('admin')]).toEqual([authored, authored])
    await deleteRelease(contextOf(server.services, START), { releaseId: id })
    expect([await textFor('shopper'), await textFor('admin')]).toEqual([published, authored])
  })
})

describe('the list of catalogs', () => {
  const named = async (args: string, role: Role = 'shopper') => {
    const { totalCount, nodes } = (await ask(`{ catalogs(${args}) { totalCount nodes { name } } }`, role)).catalogs
    expect(totalCount).toBe(nodes.length)
    return nodes.map(({ name }: { name: string }) => name)
  }

  it('the list of catalogs is filtered by published texts for a shopper, by authored texts for an administrator', async () => {
    const [before, after] = ['filter: { name: { eq: "Kettles" } }', 'filter: { name: { in: ["Unannounced"] } }']
    expect([await named(before), await named(after)]).toEqual([['Kettles'], []])
    expect([await named(before, 'admin'), await named(after, 'admin')]).toEqual([[], ['Unannounced']])
  })

  it('the list of catalogs is ordered by published texts for a shopper, cursors included', async () => {
    const order = 'orderBy: { field: NAME, direction: ASC }'
    expect([await named(order), await named(order, 'admin')]).toEqual([
      ['Kettles', 'Mugs'],
      ['Mugs', 'Unannounced'],
    ])
    const { edges } = (await ask(`{ catalogs(${order}, first: 1) { edges { cursor } } }`)).catalogs
    expect(Buffer.from(edges[0].cursor, 'base64url').toString()).not.toContain('Unannounced')
    const rest = await ask(`{ catalogs(${order}, after: "${edges[0].cursor}") { nodes { name } } }`)
    expect(rest.catalogs.nodes).toEqual([{ name: 'Mugs' }])
  })

  it('the list of catalogs runs as many statements for two catalogs as for one, with all their texts', async () => {
    for (const role of ['shopper', 'admin'] as const) {
      const counts = []
      for (const first of [1, 2]) {
        const { count, result } = await countStatements(database, () =>
          ask(`{ catalogs(first: ${first}) { nodes { ${texts} firstPublishedAt } } }`, role),
        )
        expect(result.catalogs.nodes).toHaveLength(first)
        counts.push(count)
      }
      expect(counts[1]).toBe(counts[0])
    }
  })
})

it('a release has the texts that the catalog had when it was published', async () => {
  const { id } = await publish(server, CATALOG)
  await edit({ name: 'Later', description: null, locales: null })
  const { rows } = await database.pool.query(
    'SELECT catalog_name AS name, catalog_description AS description, catalog_locales AS locales FROM release WHERE id = $1',
    [id],
  )
  expect(rows).toEqual([{ name: 'Unannounced', description: 'Secret', locales: german('Geheim') }])
})
