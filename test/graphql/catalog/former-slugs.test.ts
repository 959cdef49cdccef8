/** What former releases called products, hierarchies and nodes. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { releasesKept: 2 } })

const created = async (name: string, field: string, input: object): Promise<string> =>
  (await mutate(server, name, input, `${field} { id }`))[field].id

let catalog: string
let shop: string
let tea: string
let green: string
let cup: string

beforeEach(async () => {
  server.now = START
  await reset(database)
  shop = await created('createHierarchy', 'hierarchy', { name: 'Shop' })
  tea = await created('createNode', 'node', { name: 'Tea', parentId: shop })
  green = await created('createNode', 'node', { name: 'Green', parentId: tea })
  cup = await product('Cup')
  catalog = await created('createCatalog', 'catalog', { name: 'Shop', hierarchyIds: [shop], priceBooks: [] })
})

async function product(name: string): Promise<string> {
  const id = await created('createProduct', 'product', { name, status: 'LIVE' })
  await mutate(server, 'attachProducts', { nodeId: green, productIds: [id] }, 'node { id }')
  return id
}

/** Publishes a second later, so that releases differ in their instants. */
async function publish(at?: string): Promise<string> {
  server.now += 1000
  const input = { catalogId: catalog, ...(at && { at }) }
  return (await mutate(server, 'publishRelease', input, 'release { id }')).release.id
}

const rename = (id: string, slug: string) => mutate(server, 'updateProduct', { id, slug }, 'product { id }')
const renameNode = (id: string, slug: string) => mutate(server, 'updateNode', { id, slug }, 'node { id }')

async function ask(field: string): Promise<{ readonly name: string; readonly canonicalPath: string[] } | null> {
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
  const query = `{ catalog(id: "${catalog}") { latestRelease { found: ${field} { name canonicalPath } } } }`
  const { data, errors } = await server.gql(query, {}, { token })
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.found
}
const bySlug = (slug: string) => ask(`product(by: { slug: "${slug}" })`)
const byPath = (...path: string[]) => ask(`node(by: { path: ${JSON.stringify(path)} })`)

const theCup = (slug: string) => ({ name: 'Cup', canonicalPath: ['shop', 'tea', 'green', slug] })

describe('slug.old-ones-go-on: product(by: { slug })', () => {
  it('slug.old-ones-go-on: a product is found by each slug that it had in a release, also of releases that are gone', async () => {
    for (const slug of ['cup', 'mug', 'Beaker', 'glass']) {
      await rename(cup, slug)
      await publish()
    }
    await rename(cup, 'never-published')
    const kept = await database.query<{ n: number }>(
      'test-kept',
      "SELECT count(*)::int4 AS n FROM release WHERE status = 'published'",
    )
    expect(kept).toEqual([{ n: 2 }])
    for (const slug of ['glass', 'cup', 'mug', 'Beaker', 'beaker', 'MUG'])
      expect(await bySlug(slug)).toEqual(theCup('glass'))
    for (const slug of ['never-published', 'cup-2', 'shop/cup', 'a b']) expect(await bySlug(slug)).toBeNull()
  })

  it('slug.old-ones-go-on: what is called so now comes first, then the product that was called so last', async () => {
    await publish()
    await rename(cup, 'mug')
    const other = await created('createProduct', 'product', { name: 'Other', slug: 'cup', status: 'LIVE' })
    await mutate(server, 'attachProducts', { nodeId: green, productIds: [other] }, 'node { id }')
    await publish()
    expect((await bySlug('cup'))?.name).toBe('Other')
    await rename(other, 'else')
    await publish()
    expect((await bySlug('cup'))?.name).toBe('Other')
    await mutate(server, 'detachProducts', { nodeId: green, productIds: [other] }, 'node { id }')
    await publish()
    expect(await bySlug('cup')).toEqual(theCup('mug'))
    expect(await bySlug('else')).toBeNull()
    // Exactly comes before the latest.
    await rename(cup, 'Else')
    await publish()
    await mutate(server, 'attachProducts', { nodeId: green, productIds: [other] }, 'node { id }')
    await rename(other, 'third')
    await rename(cup, 'mug')
    await publish()
    expect((await bySlug('else'))?.name).toBe('Other')
    expect((await bySlug('Else'))?.name).toBe('Cup')
  })

  it('slug.old-ones-go-on: a slug that a scheduled release ends goes on from its instant, and not before', async () => {
    await publish()
    await rename(cup, 'mug')
    const at = new Date(server.now + 60_000).toISOString()
    await publish(at)
    expect(await bySlug('cup')).toEqual(theCup('cup'))
    expect(await bySlug('mug')).toBeNull()
    server.now = Date.parse(at)
    expect(await bySlug('cup')).toEqual(theCup('mug'))
  })

  it('slug.old-ones-go-on: the slugs of a deleted release, and of one in whose place another was restored, go on', async () => {
    const first = await publish()
    await rename(cup, 'mug')
    const second = await publish()
    await mutate(server, 'restoreRelease', { releaseId: first }, 'release { id }')
    server.now += 1000
    expect(await bySlug('mug')).toEqual(theCup('cup'))
    await mutate(server, 'restoreRelease', { releaseId: second }, 'release { id }')
    server.now += 1000
    expect(await bySlug('cup')).toEqual(theCup('mug'))
    await mutate(server, 'deleteRelease', { releaseId: second }, 'release { id }')
    server.now += 1000
    expect(await bySlug('mug')).toEqual(theCup('cup'))
  })
})

it('slug.old-ones-go-on, node.path-of-slugs: a node below more than ten others is found by its canonical path, and by the one that it had', async () => {
  let deepest = green
  for (let level = 4; level <= 12; level++)
    deepest = await created('createNode', 'node', { name: `Level ${level}`, parentId: deepest })
  await publish()
  const below = Array.from({ length: 9 }, (_, at) => `level-${at + 4}`)
  const found = { name: 'Level 12', canonicalPath: ['shop', 'tea', 'green', ...below] }
  expect(await byPath(...found.canonicalPath)).toEqual(found)
  await renameNode(tea, 'teas')
  await publish()
  const moved = { ...found, canonicalPath: ['shop', 'teas', 'green', ...below] }
  expect(await byPath(...moved.canonicalPath)).toEqual(moved)
  expect(await byPath(...found.canonicalPath)).toEqual(moved)
})

it('slug.old-ones-go-on: an upgrade remembers what the releases that are still there called products and nodes', async () => {
  await product('Same')
  await publish()
  await rename(cup, 'mug')
  await renameNode(tea, 'teas')
  await publish()
  const rows = () =>
    database.query(
      'test-former',
      'SELECT catalog_id, kind, record_id, path, until FROM former_slug ORDER BY kind, path',
    )
  const remembered = await rows()
  expect(remembered).toMatchObject([{ path: 'shop/tea' }, { path: 'shop/tea/green' }, { path: 'cup' }])
  await database.pool.query('DELETE FROM former_slug')
  const migration = readFileSync('prisma/migrations/20261128031000_former_slugs/migration.sql', 'utf8')
  await database.pool.query(migration.slice(migration.indexOf('CREATE TEMP TABLE')))
  expect(await rows()).toEqual(remembered)
})

describe('slug.old-ones-go-on: node(by: { path })', () => {
  it('slug.old-ones-go-on: a node is found by the paths that it had, also where a node above was renamed or it was moved', async () => {
    await publish()
    await renameNode(tea, 'teas')
    await publish()
    expect(await byPath('shop', 'tea', 'green')).toEqual({ name: 'Green', canonicalPath: ['shop', 'teas', 'green'] })
    expect(await byPath('SHOP', 'Tea')).toEqual({ name: 'Tea', canonicalPath: ['shop', 'teas'] })
    await mutate(server, 'moveNode', { id: green, parentId: shop }, 'node { id }')
    await mutate(server, 'updateHierarchy', { id: shop, slug: 'store' }, 'hierarchy { id }')
    await publish()
    for (const path of [
      ['shop', 'tea', 'green'],
      ['shop', 'teas', 'green'],
      ['store', 'green'],
    ])
      expect(await byPath(...path)).toEqual({ name: 'Green', canonicalPath: ['store', 'green'] })
    expect(await byPath('shop')).toEqual({ name: 'Shop', canonicalPath: ['store'] })
    // No release had this path, though each of its steps was there.
    expect(await byPath('shop', 'green')).toBeNull()
    expect(await byPath('shop/tea')).toBeNull()
    expect(await bySlug('cup')).toEqual({ name: 'Cup', canonicalPath: ['store', 'green', 'cup'] })
  })

  it('slug.old-ones-go-on: a new node with an old path comes before the node that had it', async () => {
    await publish()
    await renameNode(green, 'matcha')
    await publish()
    expect((await byPath('shop', 'tea', 'green'))?.canonicalPath).toEqual(['shop', 'tea', 'matcha'])
    await created('createNode', 'node', { name: 'New', slug: 'green', parentId: tea })
    await publish()
    expect(await byPath('shop', 'tea', 'green')).toEqual({ name: 'New', canonicalPath: ['shop', 'tea', 'green'] })
  })
})

describe('slug.old-ones-go-on: paths are compared only where a slug or a place has changed', () => {
  const isOfPaths = (text: string) => text.includes('WITH RECURSIVE named') && text.includes('INSERT INTO former_slug')
  /** Whether a publish compares paths. */
  const compares = async (): Promise<boolean> =>
    (await countStatements(database, () => publish())).statements.some(isOfPaths)

  it('slug.old-ones-go-on: a publish of other texts, products and new nodes compares no paths, and old ones are found after it', async () => {
    await publish()
    await renameNode(tea, 'teas')
    expect(await compares()).toBe(true)
    await mutate(server, 'updateNode', { id: tea, description: 'All of it', name: 'Every tea' }, 'node { id }')
    await product('Pot')
    await created('createNode', 'node', { name: 'Black', parentId: tea })
    expect(await compares()).toBe(false)
    expect(await compares()).toBe(false)
    const found = { name: 'Green', canonicalPath: ['shop', 'teas', 'green'] }
    expect(await byPath('shop', 'tea', 'green')).toEqual(found)
    expect(await byPath('shop', 'teas', 'green')).toEqual(found)
  })

  it('slug.old-ones-go-on: a slug, a slug in a language, a parent, and a node that goes are compared, and each old path is found', async () => {
    await publish()
    await mutate(server, 'updateNode', { id: tea, locales: [{ language: 'de', slug: 'tees' }] }, 'node { id }')
    expect(await compares()).toBe(true)
    await mutate(server, 'updateNode', { id: tea, locales: [{ language: 'de', slug: 'sorten' }] }, 'node { id }')
    expect(await compares()).toBe(true)
    expect(await byPath('shop', 'tees', 'green')).toMatchObject({ name: 'Green' })
    await mutate(server, 'moveNode', { id: green, parentId: shop }, 'node { id }')
    expect(await compares()).toBe(true)
    expect(await byPath('shop', 'tea', 'green')).toEqual({ name: 'Green', canonicalPath: ['shop', 'green'] })
    await mutate(server, 'deleteNode', { id: tea }, 'node { id }')
    expect(await compares()).toBe(true)
    expect(await compares()).toBe(false)
    expect(await byPath('shop', 'tea', 'green')).toEqual({ name: 'Green', canonicalPath: ['shop', 'green'] })
  })
})
