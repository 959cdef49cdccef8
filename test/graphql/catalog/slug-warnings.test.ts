import { beforeEach, describe, expect, it } from 'vitest'
import { parseGlobalId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const created = async (name: string, field: string, input: object): Promise<string> =>
  (await mutate(server, name, input, `${field} { id }`))[field].id

let catalogId: string
let nodeId: string

beforeEach(async () => {
  await reset(database)
  const hierarchy = await created('createHierarchy', 'hierarchy', { name: 'Shop' })
  nodeId = await created('createNode', 'node', { name: 'All', parentId: hierarchy })
  catalogId = await created('createCatalog', 'catalog', { name: 'Shop', hierarchyIds: [hierarchy], priceBooks: [] })
})

const product = (slug: string, status = 'LIVE') => created('createProduct', 'product', { name: 'Tea', slug, status })

const sell = (productIds: readonly string[]) => mutate(server, 'attachProducts', { nodeId, productIds }, 'node { id }')

const WARNINGS = 'warningCount warnings { code count productId currency sku skus skuCount slug priceBookId }'

const publish = async (dryRun: boolean) =>
  (await mutate(server, 'publishRelease', { catalogId, dryRun }, `release { id ${WARNINGS} }`)).release

describe('slug.equal-ones-warned: a publish warns of equal slugs of products', () => {
  it('a publish and a draft warn once of each slug, with the number of its products and the one that it finds', async () => {
    const ids = [await product('tea'), await product('tea'), await product('tea'), await product('cup')]
    await sell([...ids, await product('cup'), await product('pot')])
    const none = { currency: null, sku: null, skus: [], skuCount: null, priceBookId: null }
    for (const dryRun of [true, false]) {
      const { warningCount, warnings } = await publish(dryRun)
      expect(warningCount).toBe(2)
      const bySlug = Object.fromEntries(warnings.map((one: { slug: string }) => [one.slug, one]))
      expect(bySlug).toMatchObject({
        tea: { code: 'SLUGS_EQUAL', count: 3, slug: 'tea', ...none },
        cup: { code: 'SLUGS_EQUAL', count: 2, slug: 'cup', ...none },
      })
      expect(ids.slice(0, 3)).toContain(bySlug.tea.productId)
      if (dryRun) continue
      const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
      const text = `{ catalog(id: "${catalogId}") { latestRelease { product(by: { slug: "tea" }) { product { id } } } } }`
      const { data } = await server.gql(text, {}, { token })
      expect(data.catalog.latestRelease.product.product.id).toBe(bySlug.tea.productId)
    }
  })

  it('a publish does not warn of slugs that differ in case, nor of products that the release lacks', async () => {
    await sell([await product('tea'), await product('TEA'), await product('tea', 'DRAFT')])
    await product('tea')
    expect(await publish(false)).toMatchObject({ warningCount: 0, warnings: [] })
  })
})

describe('slug.equal-ones-warned: a publish warns of equal slugs of hierarchies', () => {
  const WARNED = 'warningCount warnings { code count productId hierarchyId slug }'
  const hierarchy = (name: string, slug: string, german?: string) => {
    const locales = german === undefined ? [] : [{ language: 'de', slug: german }]
    return created('createHierarchy', 'hierarchy', { name, slug, locales })
  }
  const publishOf = async (hierarchyIds: readonly string[]) => {
    const catalog = await created('createCatalog', 'catalog', { name: 'C', hierarchyIds, priceBooks: [] })
    const { release } = await mutate(server, 'publishRelease', { catalogId: catalog }, `release { id ${WARNED} }`)
    const text = `{ release(id: "${release.id}") { node(by: { path: ["gifts"] }) { key } } }`
    const { data } = await server.gql(text)
    return { ...release, found: data.release.node?.key ?? null }
  }

  it('slug.equal-ones-warned: of a slug that hierarchies of the catalog have, in whatever language, with the one that it finds', async () => {
    const german = await hierarchy('A', 'a', 'gifts')
    const ids = [german, await hierarchy('B', 'gifts'), await hierarchy('C', 'gifts'), await hierarchy('D', 'Gifts')]
    const { warnings, warningCount, found } = await publishOf(ids)
    expect([warningCount, warnings]).toEqual([
      1,
      [{ code: 'SLUGS_EQUAL', count: 3, productId: null, hierarchyId: ids[1], slug: 'gifts' }],
    ])
    expect(parseGlobalId(ids[1] ?? '')?.id).toBe(found)
  })

  it('slug.equal-ones-warned: not of hierarchies of other catalogs, of slugs that differ in case, and of one that a hierarchy has twice', async () => {
    await hierarchy('B', 'gifts')
    const ids = [await hierarchy('A', 'gifts', 'gifts'), await hierarchy('D', 'Gifts')]
    expect(await publishOf(ids)).toMatchObject({ warningCount: 0, warnings: [] })
  })
})
