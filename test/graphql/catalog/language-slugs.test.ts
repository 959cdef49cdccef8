/** Slugs in languages: shown, found, refused, remembered and warned of. */
import { beforeEach, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const created = async (name: string, field: string, input: object): Promise<string> =>
  (await mutate(server, name, input, `${field} { id }`))[field].id
const locales = (slugs: Readonly<Record<string, string>>) =>
  Object.entries(slugs).map(([language, slug]) => ({ language, slug }))

let catalog: string
let shop: string
let tea: string
let green: string
let cup: string

beforeEach(async () => {
  server.now = START
  await reset(database)
  shop = await created('createHierarchy', 'hierarchy', { name: 'Shop', locales: locales({ de: 'laden' }) })
  tea = await created('createNode', 'node', { name: 'Tea', parentId: shop, locales: locales({ de: 'tee', fr: 'the' }) })
  green = await created('createNode', 'node', { name: 'Green', parentId: tea, locales: locales({ 'de-CH': 'Gruen' }) })
  cup = await product({ name: 'Cup', locales: locales({ de: 'tasse', 'de-CH': 'Tassli' }) })
  catalog = await created('createCatalog', 'catalog', { name: 'Shop', hierarchyIds: [shop], priceBooks: [] })
})

async function product(input: object): Promise<string> {
  const id = await created('createProduct', 'product', { status: 'LIVE', ...input })
  await mutate(server, 'attachProducts', { nodeId: green, productIds: [id] }, 'node { id }')
  return id
}

/** Publishes a second later, so that releases differ in their instants. */
async function publish(at?: string): Promise<string> {
  server.now += 1000
  const input = { catalogId: catalog, ...(at && { at }) }
  return (await mutate(server, 'publishRelease', input, 'release { id }')).release.id
}

async function latest(fields: string, language?: string) {
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
  const headers = language === undefined ? {} : { 'accept-language': language }
  const query = `{ catalog(id: "${catalog}") { latestRelease { ${fields} } } }`
  const { data, errors } = await server.gql(query, {}, { token, headers })
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease
}

const found = async (field: string, language?: string): Promise<string | null> =>
  (await latest(`found: ${field} { canonicalPath }`, language)).found?.canonicalPath.join('/') ?? null
const bySlug = (slug: string, language?: string) => found(`product(by: { slug: "${slug}" })`, language)
const byPath = (path: string, language?: string) =>
  found(`node(by: { path: ${JSON.stringify(path.split('/'))} })`, language)

const updateNode = (id: string, input: object) => mutate(server, 'updateNode', { id, ...input }, 'node { id slug }')
const updateProduct = (id: string, input: object) =>
  mutate(server, 'updateProduct', { id, ...input }, 'product { id slug }')
const refusals = async (result: Promise<{ userErrors: { code: string; path: string[]; message: string }[] }>) =>
  (await result).userErrors.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)

describe('slug.in-language: shown', () => {
  it('slug.in-language: slugs and paths are in the best accepted language that has one, else without a language', async () => {
    await publish()
    const fields = `product(by: { sku: "none" }) { slug } node(by: { path: ["shop", "tea", "green"] }) { slug canonicalPath fr: canonicalPath(locale: "fr") }
      products(first: 1) { nodes { slug canonicalPath de: slug(locale: "de") } }`
    const shown = async (language?: string) => {
      const { node, products } = await latest(fields, language)
      return [
        node.slug,
        node.canonicalPath.join('/'),
        products.nodes[0].slug,
        products.nodes[0].canonicalPath.join('/'),
      ]
    }
    expect(await shown()).toEqual(['green', 'shop/tea/green', 'cup', 'shop/tea/green/cup'])
    expect(await shown('de')).toEqual(['green', 'laden/tee/green', 'tasse', 'laden/tee/green/tasse'])
    expect(await shown('de-CH')).toEqual(['Gruen', 'laden/tee/Gruen', 'Tassli', 'laden/tee/Gruen/Tassli'])
    expect(await shown('it, fr;q=0.5, de;q=0.1')).toEqual([
      'green',
      'laden/the/green',
      'tasse',
      'laden/the/green/tasse',
    ])
    expect(await shown('en-US, en;q=0.9, de;q=0.8')).toEqual(await shown('en'))
    expect(await shown('en')).toEqual(['green', 'shop/tea/green', 'cup', 'shop/tea/green/cup'])
    const { node, products } = await latest(fields, 'de')
    expect([node.fr, products.nodes[0].de]).toEqual([['shop', 'the', 'green'], 'tasse'])
  })

  it('slug.in-language: @inContext(locale:) chooses them, and authored records list them', async () => {
    await publish()
    const query = `query @inContext(locale: "de-CH") { catalog(id: "${catalog}") { latestRelease { node(by: { path: ["shop", "tea", "green"] }) { canonicalPath } } } }`
    const { data, errors } = await server.gql(query)
    expect(errors).toBeUndefined()
    expect(data?.catalog.latestRelease.node.canonicalPath).toEqual(['laden', 'tee', 'Gruen'])
    const { data: authored } = await server.gql(
      `{ product(id: "${cup}") { slug locales { language slug name } } node(id: "${tea}") { ... on HierarchyNode { slug locales { language slug } } } }`,
    )
    expect(authored.product).toEqual({
      slug: 'cup',
      locales: [
        { language: 'de', slug: 'tasse', name: null },
        { language: 'de-CH', slug: 'Tassli', name: null },
      ],
    })
    expect(authored.node).toEqual({ slug: 'tea', locales: locales({ de: 'tee', fr: 'the' }) })
  })

  it('slug.in-language: a change of a slug in a language is one of the field slug, where readers see another', async () => {
    const before = await publish()
    await updateProduct(cup, { locales: locales({ de: 'becher', 'de-CH': 'Tassli' }) })
    await updateNode(tea, { locales: locales({ de: 'tee', fr: 'the', it: 'tea' }) })
    await updateNode(green, { locales: locales({ 'de-CH': 'gruen' }) })
    const after = await publish()
    const query = `{ release(id: "${after}") { changesSince(releaseId: "${before}", first: 10) { nodes { fields } }
      summarySince(releaseId: "${before}") { nodeChanges { fields } } } }`
    const { release } = (await server.gql(query)).data
    expect(release.changesSince.nodes).toEqual([{ fields: ['slug', 'updatedAt'] }])
    expect(release.summarySince.nodeChanges).toEqual([{ fields: ['slug', 'updatedAt'] }, { fields: ['updatedAt'] }])
  })
})

describe('slug.in-language: found', () => {
  it('node.path-of-slugs: each step of a path is a slug of any language, in whatever case', async () => {
    await publish()
    for (const path of ['shop/tea', 'laden/tee', 'shop/the', 'laden/tea', 'LADEN/Tee'])
      expect(await byPath(path)).toBe('shop/tea')
    for (const path of ['shop/the/gruen', 'laden/tee/Gruen', 'laden/tea/green'])
      expect(await byPath(path, 'de-CH')).toBe('laden/tee/Gruen')
    for (const path of ['tee', 'laden/tasse', 'shop/gruen']) expect(await byPath(path)).toBeNull()
  })

  it('slug.in-language: a product is found by each of its slugs, exactly first, and first by one without a language', async () => {
    await product({ name: 'Other', slug: 'Tasse' })
    await publish()
    expect(await bySlug('tasse')).toBe('shop/tea/green/cup')
    expect(await bySlug('Tasse')).toBe('shop/tea/green/Tasse')
    expect(await bySlug('TASSE')).toBe('shop/tea/green/Tasse')
    expect(await bySlug('TASSLI', 'de-CH')).toBe('laden/tee/Gruen/Tassli')
    expect(await bySlug('cup', 'de')).toBe('laden/tee/green/tasse')
    await product({ name: 'Third', slug: 'tasse' })
    await publish()
    expect(await bySlug('tasse')).toBe('shop/tea/green/tasse')
    expect(await bySlug('tassli')).toBe('shop/tea/green/cup')
  })

  it('slug.exact-first: filters compare the slug without a language', async () => {
    await publish()
    const count = (slug: string) => `products(first: 0, filter: { slug: { eq: "${slug}" } }) { totalCount }`
    expect((await latest(count('tasse'), 'de')).products).toEqual({ totalCount: 0 })
    expect((await latest(count('cup'), 'de')).products).toEqual({ totalCount: 1 })
  })
})

describe('node.sibling-names-differ: slugs in languages', () => {
  const taken = (place: string, slug: string, of: string) =>
    `SLUG_TAKEN ${place}: the slug "${slug}" is that of the sibling ${of}, give another`
  const raw = (id: string) => Buffer.from(id, 'base64').toString().split(':').at(-1) as string

  it('node.sibling-names-differ: one that a sibling has in whatever language is refused, naming it and who has it', async () => {
    const isTea = `"Tea" (${raw(tea)})`
    const create = (input: object) =>
      refusals(mutate(server, 'createNode', { name: 'Other', parentId: shop, ...input }, 'node { id }'))
    expect(await create({ slug: 'tee' })).toEqual([taken('slug', 'tee', isTea)])
    expect(await create({ locales: locales({ it: 'tea', en: 'free', es: 'the' }) })).toEqual([
      taken('locales.0.slug', 'tea', isTea),
      taken('locales.2.slug', 'the', isTea),
    ])
    expect(await create({ locales: locales({ it: 'THE' }) })).toEqual([
      `SLUG_TAKEN locales.0.slug: the slug "THE", which differs in case alone from "the", is that of the sibling ${isTea}, give another`,
    ])
    // One node has a slug in several languages, and cousins have it too.
    expect(await create({ slug: 'other', locales: locales({ it: 'other', es: 'OTHER', pt: 'gruen' }) })).toEqual([])
    const other = await created('createNode', 'node', { name: 'Cousin', parentId: green, slug: 'tee' })
    expect(await refusals(mutate(server, 'moveNode', { id: other, parentId: shop }, 'node { id }'))).toEqual([
      taken('slug', 'tee', isTea),
    ])
    await updateNode(other, { slug: 'cousin', locales: locales({ pt: 'tee' }) })
    expect((await refusals(mutate(server, 'moveNode', { id: other, parentId: shop }, 'node { id }')))[0]).toContain(
      'the slug "tee" is that of the sibling "Tea"',
    )
    await updateNode(tea, { locales: null })
    expect(await refusals(mutate(server, 'moveNode', { id: other, parentId: shop }, 'node { id }'))).toEqual([])
    expect(await refusals(updateNode(tea, { locales: locales({ de: 'tee' }) }))).toEqual([
      taken('locales.0.slug', 'tee', `"Cousin" (${raw(other)})`),
    ])
  })

  it('slug.made-ones-differ: a made slug differs from those in languages of siblings, of other products and hierarchies, not from its own', async () => {
    const slugOf = async (name: string, field: string, input: object) =>
      (await mutate(server, name, input, `${field} { slug }`))[field].slug
    expect(await slugOf('createNode', 'node', { name: 'Tee', parentId: shop })).toBe('tee-2')
    expect(await slugOf('createNode', 'node', { name: 'Tee', parentId: green })).toBe('tee')
    expect(await slugOf('createNode', 'node', { name: 'X', parentId: shop, locales: locales({ de: 'x' }) })).toBe('x')
    expect(await slugOf('createProduct', 'product', { name: 'Tassli' })).toBe('tassli-2')
    expect(await slugOf('createProduct', 'product', { name: 'Laden' })).toBe('laden')
    expect(await slugOf('createHierarchy', 'hierarchy', { name: 'Laden' })).toBe('laden-2')
    expect((await updateProduct(cup, { name: 'Tasse', slug: null })).product.slug).toBe('tasse')
    expect((await updateNode(tea, { name: 'The', slug: null })).node.slug).toBe('the')
  })

  it('node.sibling-names-differ: of siblings that are created at the same time one gets a slug, in whatever language', async () => {
    const create = (name: string, slug: string | undefined, inLanguages: Readonly<Record<string, string>>) => {
      const input = { name, parentId: shop, ...(slug && { slug }), locales: locales(inLanguages) }
      return refusals(mutate(server, 'createNode', input, 'node { id }'))
    }
    const results = await Promise.all([
      create('A', 'mug', { de: 'becher', fr: 'tasse' }),
      create('B', 'tasse', { de: 'Becher', fr: 'mug' }),
      create('Becher', undefined, { it: 'Mug' }),
    ])
    expect(results.filter((codes) => codes.length === 0)).toHaveLength(1)
    expect(results.flat().every((text) => text.startsWith('SLUG_TAKEN '))).toBe(true)
    const made = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        mutate(
          server,
          'createNode',
          { name: `Vase${'!'.repeat(at)}`, parentId: shop, locales: locales({ de: `v${at}`, fr: 'vase-9' }) },
          'node { slug }',
        ),
      ),
    )
    // The first has the slug in French, so that others are refused.
    expect(made.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
  })

  it('node.sibling-names-differ: siblings from before that have one slug stay, and can be changed', async () => {
    const twin = await created('createNode', 'node', { name: 'Twin', parentId: shop })
    await database.pool.query("UPDATE catalog_node SET slug = 'tee' WHERE id = $1", [raw(twin)])
    expect(await refusals(updateNode(twin, { slug: 'tee', description: 'd' }))).toEqual([])
    expect(await refusals(updateNode(tea, { locales: locales({ de: 'tee', fr: 'the', it: 'te' }) }))).toEqual([])
    await publish()
    expect(await byPath('shop/tee')).toBe('shop/tee')
    expect(await byPath('shop/TE')).toBe('shop/tea')
  })
})

it('product.slug-from-name: slugs in languages are checked like others, null and absent are none, and catalogs and variations take none', async () => {
  const create = (...slugs: (string | null)[]) => {
    const given = slugs.map((slug, index) => ({ language: ['de', 'fr', 'it'][index], slug }))
    return refusals(mutate(server, 'createProduct', { name: 'P', locales: given }, 'product { id }'))
  }
  expect(await create('a b', '', 'x'.repeat(1025))).toEqual([
    'INVALID_FORMAT locales.0.slug: must be of letters, digits, hyphen, underscore and period',
    expect.stringContaining('TOO_SHORT locales.1.slug: '),
    expect.stringContaining('TOO_LONG locales.2.slug: '),
  ])
  expect(await create('A.b_c-1', null, 'x'.repeat(1024))).toEqual([])
  const { product: none } = await mutate(
    server,
    'createProduct',
    { name: 'N', locales: [{ language: 'de', slug: null }] },
    'product { locales { language } }',
  )
  expect(none.locales).toEqual([])
  const given = { locales: [{ language: 'de', name: 'Name', slug: 's' }] }
  const inCatalog = { name: 'C', hierarchyIds: [], priceBooks: [], ...given }
  expect((await refusals(mutate(server, 'createCatalog', inCatalog, 'catalog { id }')))[0]).toContain(
    'UNKNOWN_FIELD locales.0.slug',
  )
  const variations = [{ name: 'Size', ...given, options: [{ name: 'S' }] }]
  expect((await refusals(mutate(server, 'createProduct', { name: 'P', variations }, 'product { id }')))[0]).toContain(
    'UNKNOWN_FIELD variations.0.locales.0.slug',
  )
})

describe('slug.old-ones-go-on: slugs in languages', () => {
  it('slug.old-ones-go-on: a product is found by its former slugs of each language, what is called so now comes first', async () => {
    await publish()
    await updateProduct(cup, { locales: locales({ de: 'becher' }) })
    await publish()
    for (const slug of ['becher', 'tasse', 'Tassli', 'TASSE', 'cup'])
      expect(await bySlug(slug, 'de')).toBe('laden/tee/green/becher')
    await product({ name: 'New', locales: locales({ fr: 'tasse' }) })
    await publish()
    expect(await bySlug('tasse', 'fr')).toBe('shop/the/green/tasse')
    expect(await bySlug('tassli')).toBe('shop/tea/green/cup')
  })

  it('slug.old-ones-go-on: a node is found by the paths that it had in each language, also where a node above had another slug', async () => {
    await publish()
    await updateNode(tea, { locales: locales({ de: 'tees' }) })
    await publish()
    for (const path of ['laden/tee', 'shop/the', 'LADEN/tee']) expect(await byPath(path, 'de')).toBe('laden/tees')
    for (const path of ['laden/tee/green', 'laden/tee/gruen', 'shop/the/green', 'laden/tees/Gruen'])
      expect(await byPath(path, 'de-CH')).toBe('laden/tees/Gruen')
    // No path in one language was so.
    expect(await byPath('shop/tee')).toBeNull()
    await created('createNode', 'node', { name: 'New', parentId: shop, locales: locales({ de: 'tee' }) })
    await publish()
    expect(await byPath('laden/tee', 'de')).toBe('laden/tee')
    expect(await byPath('laden/tee/green', 'de')).toBe('laden/tees/green')
  })
})

it('release.carried-by-field: slugs are carried by language, and found in the release that they are carried into', async () => {
  await publish()
  await updateProduct(cup, { locales: locales({ de: 'becher', 'de-CH': 'Tassli' }) })
  await updateNode(tea, { locales: locales({ de: 'tee', fr: 'les-thes' }) })
  const at = new Date(server.now + 60_000).toISOString()
  await publish(at)
  await updateProduct(cup, { locales: locales({ de: 'tasse', 'de-CH': 'Chacheli' }) })
  await updateNode(tea, { locales: locales({ de: 'tees', fr: 'the' }) })
  const id = await publish()
  const { data } = await server.gql(`{ release(id: "${id}") { carries { conflictCount } } }`)
  expect(data?.release.carries).toEqual([{ conflictCount: 0 }])
  expect([await bySlug('tasse', 'de'), await bySlug('chacheli')]).toEqual([
    'laden/tees/green/tasse',
    'shop/tea/green/cup',
  ])
  server.now = Date.parse(at)
  for (const slug of ['becher', 'Chacheli', 'tasse', 'tassli', 'cup'])
    expect(await bySlug(slug, 'de')).toBe('laden/tees/green/becher')
  for (const path of ['laden/tees', 'laden/les-thes', 'shop/the', 'laden/tee'])
    expect(await byPath(path, 'fr')).toBe('shop/les-thes')
})

it('slug.equal-ones-warned: a publish warns of a slug that several products have in whatever language', async () => {
  await product({ name: 'Other', slug: 'other', locales: locales({ de: 'other', fr: 'tasse' }) })
  await product({ name: 'Third', slug: 'Tasse', locales: locales({ it: 'cup' }) })
  const id = await publish()
  const { data } = await server.gql(`{ release(id: "${id}") { warnings { code slug count } } }`)
  expect(data.release.warnings).toEqual([
    { code: 'SLUGS_EQUAL', slug: 'cup', count: 2 },
    { code: 'SLUGS_EQUAL', slug: 'tasse', count: 2 },
  ])
})

it('a document of a version without slugs in languages is written anew by the next publish alone when it has some', async () => {
  await product({ name: 'Plain' })
  await publish()
  const documents = () =>
    database.query<{ slug: string; slugs: unknown }>(
      'test-documents',
      'SELECT slug, language_slugs AS slugs FROM release_document ORDER BY slug, id',
    )
  const plain = { slug: 'plain', slugs: null }
  const cup = { slug: 'cup', slugs: ['tasse', 'Tassli'] }
  expect(await documents()).toEqual([cup, plain])
  // As a server of the version before writes it.
  await database.pool.query('UPDATE release_document SET language_slugs = NULL')
  await database.pool.query(
    'UPDATE release_fingerprint SET fingerprint = gen_random_uuid() WHERE document_id IN (SELECT id FROM release_document WHERE slug = $1)',
    ['cup'],
  )
  await publish()
  expect(await bySlug('tasse', 'de')).toBe('laden/tee/green/tasse')
  expect(await documents()).toEqual([{ slug: 'cup', slugs: null }, cup, plain])
})
