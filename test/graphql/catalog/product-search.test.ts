/** Search and order by name in lists of published products, on the demo store. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import { useDatabase } from '../../support/database.ts'
import { listingPath, publish } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const other = useServer(database)
const german = useServer(database, { config: { storeLanguage: 'de' } })
const storefront = 'c0ffee00-0009-4000-8000-000000000001'

beforeAll(async () => {
  server.now = Date.now()
  other.now = server.now
  german.now = server.now
  await loadDemo(server.services)
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

async function querySearch(
  args: Record<string, unknown>,
  fields = 'totalCount nodes { sku }',
  language = 'en',
): Promise<AnyResponse> {
  const query = `query ($filter: CatalogProductFilter, $orderBy: CatalogProductOrderInput, $first: Int) {
    catalog(id: "${storefront}") { latestRelease { products(filter: $filter, orderBy: $orderBy, first: $first) { ${fields} } } } }`
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  return server.gql(query, args, { token, headers: { 'accept-language': language } })
}

async function skus(args: Record<string, unknown>, language?: string): Promise<string[]> {
  const { data, errors } = await querySearch(args, undefined, language)
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.products.nodes.map(({ sku }: { sku: string }) => sku)
}

const search = (text: string, more: object = {}) => ({ filter: { search: text, ...more } })

describe('products(filter: { search })', () => {
  it('search.best-place-decides: a search without orderBy lists the best match first', async () => {
    expect(await skus({ ...search('grinder'), first: 1 })).toEqual(['ACC-BRUSH'])
    expect(await skus(search('ESP-HOUSE-250'))).toEqual(expect.arrayContaining(['ESP-HOUSE-250-B', 'ESP-HOUSE-250-G']))
    expect((await skus(search('esp-house')))[0]).toBe('ESP-HOUSE')
  })

  it('search.in-accepted-languages: a search reads the texts in the languages of the request, in which names are shown', async () => {
    expect(await skus(search('Keramikfilter'), 'de')).toEqual(['BRW-DRIP'])
    expect(await skus(search('Keramikfilter'), 'en')).toEqual([])
  })

  it('a search narrows with other filters, is ordered by what `orderBy` names, and counts facets', async () => {
    const kettles = search('kettle', { tags: { eq: 'pour-over' } })
    expect(await skus(kettles)).toEqual(['KET-GOOSE'])
    expect(await skus({ ...search('kettle'), orderBy: { field: 'NAME' } })).toEqual(['KET-GOOSE', 'KET-STOVE'])
    expect(await skus({ ...search('kettle'), orderBy: { field: 'NAME', direction: 'DESC' } })).toEqual([
      'KET-STOVE',
      'KET-GOOSE',
    ])
    const { data } = await querySearch(
      search('kettle'),
      'totalCount facets(keys: [{ tags: true }]) { values { value count } }',
    )
    const { totalCount, facets } = data?.catalog.latestRelease.products ?? {}
    expect(totalCount).toBe(2)
    expect(facets[0].values).toEqual(
      expect.arrayContaining([
        { value: 'kettle', count: 2 },
        { value: 'pour-over', count: 1 },
      ]),
    )
  })

  it('search.text-is-limited: a search refuses a text that is too long, and names the argument', async () => {
    expect((await querySearch(search('a'.repeat(200)))).errors).toBeUndefined()
    const { errors } = await querySearch(search('x'.repeat(10_000)))
    expect(errors[0].extensions.violations).toEqual([
      { code: 'TOO_LONG', path: ['filter', 'search'], message: 'must have at most 200 characters' },
    ])
  })

  it('each search counts as work, so that one request has at most 100 of them', async () => {
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const count = (searches: number, prefix: string) => {
      const fields = Array.from(
        { length: searches },
        (_, at) => `s${at}: products(first: 0, filter: { search: "${prefix}${at}" }) { totalCount }`,
      )
      return server.gql(`{ catalog(id: "${storefront}") { latestRelease { ${fields.join(' ')} } } }`, {}, { token })
    }
    expect((await count(20, 'few')).errors).toBeUndefined()
    expect((await count(101, 'many')).errors[0].extensions.code).toBe('QUERY_TOO_COSTLY')
  })

  it('orderBy RELEVANCE is refused without a search', async () => {
    const { errors } = await querySearch({ orderBy: { field: 'RELEVANCE' } })
    expect(errors[0].extensions.violations[0]).toMatchObject({ code: 'INVALID_VALUE', path: ['orderBy', 'field'] })
  })

  it.each(['mug:*', "a' || 'b", "'; DROP TABLE product; --", '<-> <2>', 'a\u0000', 'a\ud800'])(
    'search.needs-a-word: a search takes the text %j',
    async (text) => {
      const { errors } = await querySearch(search(text))
      expect(errors).toBeUndefined()
    },
  )

  it.each(["& | ! ( ) : * ' \\", '!!!', ' ', '%_', '\u0000', '\u200b'])(
    'search.needs-a-word: a search for %j finds nothing, in any order',
    async (text) => {
      for (const more of [{}, { orderBy: { field: 'NAME' } }, { orderBy: { field: 'RELEVANCE' } }]) {
        const { data, errors } = await querySearch({ ...search(text), ...more })
        expect(errors).toBeUndefined()
        expect(data.catalog.latestRelease.products).toMatchObject({ totalCount: 0, nodes: [] })
      }
    },
  )

  it('search.needs-a-word: a search for an empty text is no search', async () => {
    expect((await querySearch(search(''))).data).toEqual((await querySearch({})).data)
  })
})

describe('search.names-in-order: products(orderBy: { field: NAME })', () => {
  it('products are ordered by the name in the language of the request', async () => {
    const order = { orderBy: { field: 'NAME' }, first: 2 }
    expect(await skus(order)).toEqual(['BRW-AIR', 'BRA-CERRADO'])
    expect(await skus(order, 'de')).toEqual(['BRW-AIR', 'ETH-YIRG'])
  })

  it('REST orders products by sort=name and sort=-name', async () => {
    const { rows } = await database.pool.query(
      'SELECT hierarchy_id AS id FROM catalog_hierarchy WHERE catalog_id = $1 LIMIT 1',
      [storefront],
    )
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const sorted = async (sort: string) => {
      const path = listingPath(storefront, rows[0].id, `sort=${sort}&page[limit]=100`)
      const { body, status } = await server.rest('GET', path, { token, headers: { 'accept-language': 'en' } })
      expect([status, body.errors]).toEqual([200, undefined])
      return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
    }
    const rising = await sorted('name')
    expect(rising.length).toBeGreaterThan(2)
    expect(rising).toEqual(
      rising.toSorted((left: string, right: string) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1)),
    )
    expect(await sorted('-name')).toEqual(rising.toReversed())
  })
})

describe('search.one-analyser: a cursor of another analyser', () => {
  it.each([
    ['a search', ', filter: { search: "kettle" }', true],
    ['a list by name', ', orderBy: { field: NAME }', true],
    ['another list', '', false],
  ])('a cursor of %s ends with another analyser: %s, %s', async (_, args, isByText) => {
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const page = (on: typeof server, after: string | null) =>
      on.gql(
        `query ($after: String) { catalog(id: "${storefront}") { latestRelease { products(first: 1, after: $after${args}) { pageInfo { endCursor } } } } }`,
        { after },
        { token },
      )
    const { endCursor } = (await page(server, null)).data.catalog.latestRelease.products.pageInfo
    expect((await page(server, endCursor)).errors).toBeUndefined()
    const { errors } = await page(german, endCursor)
    const expired = [expect.objectContaining({ code: 'CURSOR_EXPIRED', path: ['after'] })]
    expect(errors?.[0].extensions.violations).toEqual(isByText ? expired : undefined)
  })
})

describe('search.misspelt-when-nothing-matches, list.walk-keeps-release-and-instant: a walk of a misspelt search', () => {
  it('a walk of a misspelt search goes on in its release on any server, after a publish in which no product has the word', async () => {
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const page = async (on: typeof server, after: string | null) => {
      const query = `query ($after: String) { catalog(id: "${storefront}") { latestRelease {
        products(filter: { search: "shrit" }, first: 3, after: $after) { totalCount nodes { sku } pageInfo { endCursor } } } } }`
      const { data, errors } = await on.gql(query, { after }, { token })
      expect(errors).toBeUndefined()
      const { totalCount, nodes, pageInfo } = data.catalog.latestRelease.products
      return { totalCount, skus: nodes.map(({ sku }: { sku: string }) => sku), endCursor: pageInfo.endCursor }
    }
    const first = await page(server, null)
    expect([first.totalCount, first.skus.length]).toEqual([7, 3])
    await database.pool.query(
      `UPDATE product SET name = replace(name, 'Shirt', 'Top'), updated_at = now() WHERE name LIKE '%Shirt%'`,
    )
    await publish(server, storefront)
    for (const on of [server, other]) on.services.releases.invalidate()
    expect(await page(server, null)).toMatchObject({ totalCount: 0 })
    const [here, there] = [await page(server, first.endCursor), await page(other, first.endCursor)]
    expect([there.totalCount, there.skus.length]).toEqual([7, 3])
    expect(there).toEqual(here)
    expect(there.skus.filter((sku: string) => first.skus.includes(sku))).toEqual([])
  })
})
