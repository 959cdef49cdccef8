/** Texts for search engines: authored, published in languages, compared, carried and refused where they say nothing. */
import { beforeEach, expect, test } from 'vitest'
import { type DocumentBody, decodeDocument } from '../../../src/domain/catalog/document-codec.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { runImport } from '../../support/import.ts'
import { mutate } from '../../support/mutations.ts'
import { publish, publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
beforeEach(() => reset(database))

const fields = 'seoTitle seoDescription'
const seoTitle = 'Espresso machine of steel | Shop'
const seoDescription = 'Buy the machine.'
const locales = [{ language: 'de-CH', name: 'Espressomaschine', seoTitle: 'Maschine aus Stahl' }]

const ask = async (query: string, language?: string) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const { data, errors } = await server.gql(query, {}, { headers })
  expect(errors).toBeUndefined()
  return data
}

const latest = async (fieldsOf: string, language?: string) =>
  (await ask(`{ catalog(id: "${ids.catalog}") { latestRelease { ${fieldsOf} } } }`, language)).catalog.latestRelease

const product = `product(by: { id: "${ids.machine}" }) { ${fields} language }`

test('language.seo-texts: a product shows each text of its release in the best accepted language that has it, and none without one', async () => {
  await publishStore(server, fullStore())
  server.now = START
  expect(await latest(product, 'de-CH')).toEqual({
    product: { seoTitle: null, seoDescription: null, language: 'de-CH' },
  })
  await mutate(server, 'updateProduct', { id: ids.machine, seoTitle, seoDescription, locales }, 'product { id }')
  expect((await latest(product)).product.seoTitle).toBeNull()
  await publish(server, ids.catalog)
  expect(await latest(product)).toEqual({ product: { seoTitle, seoDescription, language: null } })
  expect(await latest(product, 'fr, de-CH;q=0.5')).toEqual({
    product: { seoTitle: 'Maschine aus Stahl', seoDescription, language: 'de-CH' },
  })
  await mutate(server, 'updateProduct', { id: ids.machine, seoTitle: null, locales: null }, 'product { id }')
  await publish(server, ids.catalog)
  expect(await latest(product, 'de-CH')).toEqual({ product: { seoTitle: null, seoDescription, language: null } })
})

test('language.seo-texts: a text for search engines alone shows no product in its language', async () => {
  await publishStore(server, fullStore())
  const only = [{ language: 'it', seoTitle: 'Macchina' }]
  await mutate(server, 'updateProduct', { id: ids.machine, locales: only }, 'product { id }')
  await publish(server, ids.catalog)
  server.now = START
  expect(await latest(product, 'it')).toEqual({
    product: { seoTitle: 'Macchina', seoDescription: null, language: null },
  })
})

test('release.change-names-its-fields: changes of texts for search engines are named, of products and of nodes, in any language; nothing else changes', async () => {
  const before = (await publishStore(server, fullStore())).get(ids.catalog)
  server.now = START
  await mutate(server, 'updateProduct', { id: ids.machine, seoDescription }, 'product { id }')
  const node = fullStore().nodes.find(({ parent_id }) => parent_id !== null)
  const translated = Object.entries(node?.locales ?? {}).map(([language, texts]) => ({ language, ...texts }))
  const locales = [...translated, { language: 'it', seoTitle: 'T' }]
  await mutate(server, 'updateNode', { id: node?.id, locales, seoDescription }, 'node { id }')
  const after = await publish(server, ids.catalog)
  const summary = `changesSince(releaseId: "${before?.id}", first: 10) { nodes { fields after { key } } }
    summarySince(releaseId: "${before?.id}") { nodeChanges { fields } }`
  const { release } = await ask(`{ release(id: "${after.id}") { ${summary} } }`)
  expect(release.changesSince.nodes).toEqual([{ fields: ['seoDescription', 'updatedAt'], after: { key: ids.machine } }])
  expect(release.summarySince.nodeChanges).toEqual([{ fields: ['seoTitle', 'seoDescription', 'updatedAt'] }])
})

test('a release of a version without texts for search engines has none, and one after it differs in nothing', async () => {
  const before = (await publishStore(server, fullStore())).get(ids.catalog)
  const rows = await database.query<{ body: DocumentBody }>('test-body', 'SELECT body FROM release_document LIMIT 1')
  const [whole, price] = (rows[0] as { body: DocumentBody }).body
  const old = [whole.slice(0, 24), price] as unknown as DocumentBody
  expect(decodeDocument(old)).toEqual(decodeDocument([whole, price]))
  expect(decodeDocument(old).product).toMatchObject({ seo_title: null, seo_description: null })
  await database.pool.query(
    `UPDATE release_document SET body = json_build_array(
       (SELECT json_agg(e ORDER BY n) FROM json_array_elements(body -> 0) WITH ORDINALITY t (e, n) WHERE n <= 24), body -> 1)`,
  )
  server.now = START
  const after = await publish(server, ids.catalog)
  const changes = `changesSince(releaseId: "${before?.id}", first: 10) { totalCount }`
  const { release } = await ask(`{ release(id: "${after.id}") { ${changes} ${product} } }`)
  expect(release).toEqual({
    changesSince: { totalCount: 0 },
    product: { seoTitle: null, seoDescription: null, language: null },
  })
})

test('language.texts-by-tag: catalogs and variations take no text for search engines in a language, in the graph and in imports', async () => {
  const seo = [{ language: 'de', name: 'Name', seoTitle: 'T' }]
  const { userErrors } = await mutate(
    server,
    'createCatalog',
    { name: 'C', locales: seo, hierarchyIds: [], priceBooks: [] },
    'catalog { id }',
  )
  expect(userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`)).toEqual([
    'UNKNOWN_FIELD locales.0.seoTitle',
  ])
  const variations = [{ name: 'Size', locales: seo, options: [{ name: 'S' }] }]
  const refused = await mutate(server, 'createProduct', { name: 'P', variations }, 'product { id }')
  expect(refused.userErrors.map(({ code }: { code: string }) => code)).toEqual(['UNKNOWN_FIELD'])
  const attributes = { name: 'C', locales: { de: { name: 'Name', seo_title: 'T' } } }
  const result = await runImport(server.services, [{ type: 'catalog', attributes }])
  expect(result.refused[0]).toBe(
    '1: data.attributes.locales.de.seo_title: is unknown, allowed are name, description (UNKNOWN_FIELD)',
  )
})

test('hierarchies and nodes have texts for search engines, authored and in a release, up to 1024 characters each', async () => {
  await publishStore(server, fullStore())
  server.now = START
  const { hierarchy } = await mutate(
    server,
    'createHierarchy',
    { name: 'H', seoTitle, seoDescription: 'x'.repeat(1024), locales: [{ language: 'de', seoTitle: 'Titel' }] },
    `hierarchy { ${fields} locales { language name seoTitle seoDescription } }`,
  )
  expect(hierarchy).toEqual({
    seoTitle,
    seoDescription: 'x'.repeat(1024),
    locales: [{ language: 'de', name: null, seoTitle: 'Titel', seoDescription: null }],
  })
  const long = await mutate(server, 'createHierarchy', { name: 'L', seoTitle: 'x'.repeat(1025) }, 'hierarchy { id }')
  expect(long.userErrors.map(({ code, path }: { code: string; path: string[] }) => [code, path])).toEqual([
    ['TOO_LONG', ['seoTitle']],
  ])
})
