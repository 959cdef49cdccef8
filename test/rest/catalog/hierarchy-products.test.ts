import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { expectGoldenFile } from '../../support/golden-file.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const releases = new Map<string, string>()

beforeAll(async () => {
  for (const [catalog, release] of await publishStore(server, fullStore())) releases.set(catalog, release.id)
})
beforeEach(() => {
  server.now = START
})

const path = (query = '') => listingPath(ids.catalog, ids.hierarchy, query)
// biome-ignore lint/suspicious/noExplicitAny: items of an response
type Item = any

async function items(query = '', headers: Record<string, string> = {}): Promise<Item[]> {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  const { body, status } = await server.rest('GET', path(query), { token, headers })
  expect(status).toBe(200)
  return body.data
}

async function one(id: string, headers?: Record<string, string>): Promise<Item> {
  const [found] = await items(`filter=in(id,${id})`, headers)
  return found
}

describe('the listing', () => {
  it('the listing returns every feature as recorded in the file, to shoppers and admins alike; price-book.admin-attributes-hidden: admin_attributes to neither', async () => {
    const { body, status } = await server.rest('GET', path(), { token: server.shopper })
    expect(status).toBe(200)
    expectGoldenFile(new URL('./hierarchy-products.json', import.meta.url), body)
    const admin = await server.rest('GET', path())
    expect(admin.body).toEqual(body)
    expect(admin.text).not.toContain('secret')
  })

  it('http.paths-and-aliases: every path of the listing has the same response except for the links', async () => {
    const release = releases.get(ids.catalog)
    const paths = [
      `/pcm/catalogs/${ids.catalog}/releases/latest/hierarchies/${ids.hierarchy}/products`,
      `/pcm/catalogs/${ids.catalog}/releases/latestPublished/hierarchies/${ids.hierarchy}/products`,
      `/pcm/catalogs/${ids.catalog}/releases/${release}/hierarchies/${ids.hierarchy}/products`,
      `/pcm/catalogs/${ids.catalog}/releases/${release}/hierarchies/${ids.hierarchy}/relationships/products`,
      `/catalogs/${ids.catalog.toUpperCase()}/releases/latest/hierarchies/${ids.hierarchy.toUpperCase()}/products`,
      `/catalogs/${ids.catalog}/releases/latest/hierarchies/${ids.hierarchy}/relationships/products`,
      `/catalog/hierarchies/${ids.hierarchy}/products`,
      `/catalog/hierarchies/${ids.hierarchy}/relationships/products`,
    ]
    const bodies = await Promise.all(paths.map(async (one) => (await server.rest('GET', one)).body))
    for (const [index, body] of bodies.entries()) {
      expect(body.data).toEqual(bodies[0].data)
      expect(body.meta).toEqual(bodies[0].meta)
      expect(body.links.self).toBe(`${paths[index]}?page%5Blimit%5D=25&page%5Boffset%5D=0`)
    }
  })

  it('http.first-failure-wins: unknown and malformed ids in paths of the listing are 404', async () => {
    const none = idOf(0xdead)
    const wrong = [
      listingPath(none, ids.hierarchy),
      listingPath('x', ids.hierarchy),
      listingPath(ids.catalog, none),
      listingPath(ids.catalog, 'x'),
      // A node is no hierarchy.
      listingPath(ids.catalog, ids.machines),
      listingPath(ids.catalog, ids.hierarchy).replace('latest', none),
      listingPath(ids.catalog, ids.hierarchy).replace('latest', 'newest'),
      `/catalog/hierarchies/${none}/products`,
    ]
    for (const path of wrong) expect([path, (await server.rest('GET', path)).status]).toEqual([path, 404])
  })
})

describe('filters of the listing', () => {
  it('a filter of ten clauses runs: the name of its statement fits the limit of PostgreSQL', async () => {
    const fields = ['name', 'sku', 'slug', 'mpn', 'upc_ean', 'name', 'sku', 'slug', 'tags', 'product_types']
    const values = [
      'Espresso machine',
      'MACHINE',
      'espresso-machine',
      'EM-9',
      '0012345678905',
      'Espresso machine',
      'MACHINE',
      'espresso-machine',
      'coffee',
      'standard',
    ]
    const clauses = fields.map(
      (field, at) => `in(${field},${values[at]},${field === 'product_types' ? 'bundle' : 'other'})`,
    )
    expect((await items(`filter=${clauses.join(':')}`)).map((item) => item.id)).toEqual([ids.machine])
  })

  it('a filter of the listing does not find products of another hierarchy of the release', async () => {
    const other = listingPath(ids.catalog, ids.otherHierarchy, 'filter=in(sku,BEANS,MACHINE,GIFT)')
    const { body } = await server.rest('GET', other)
    expect(body.data.map((item: Item) => item.id)).toEqual([ids.machine, ids.gift])
    // list.curated-come-first: curated in a node of this hierarchy, not of the other.
    expect(body.data[0].attributes.curated_product).toBeUndefined()
  })
})

describe('the filter in(id, ...)', () => {
  it('list.nodes-before-products: node ids in the filter in(id, ...) yield nodes, last updated first, before products, and the root is not among them', async () => {
    const wanted = [ids.machines, ids.beans, ids.hierarchy, ids.espresso, ids.clothes, ids.sale]
    const { body } = await server.rest('GET', path(`filter=in(id,${wanted.join(',')})`))
    expect(body.data.map((item: Item) => [item.type, item.id])).toEqual([
      ['node', ids.espresso],
      ['node', ids.clothes],
      ['node', ids.machines],
      ['product', ids.beans],
    ])
    expect(body.meta.results.total).toBe(4)
    expect(body.data[0]).toEqual({
      id: ids.espresso,
      type: 'node',
      attributes: {
        name: 'Espresso',
        slug: 'espresso',
        label: 'new',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-05T00:00:00.000Z',
      },
      relationships: { parent: { data: { type: 'node', id: ids.machines } } },
      meta: { bread_crumb: [ids.hierarchy, ids.machines] },
    })
    expect(body.data[2].relationships.parent.data).toEqual({ type: 'hierarchy', id: ids.hierarchy })
  })

  it('list.nodes-before-products: pages of the filter in(id, ...) continue from nodes to products; with another clause no node matches', async () => {
    const filter = `filter=in(id,${[ids.clothes, ids.beans, ids.espresso, ids.machine].join(',')})`
    const page = async (offset: number) =>
      (await items(`${filter}&page[limit]=2&page[offset]=${offset}`)).map((item) => item.id)
    expect([await page(0), await page(1), await page(2), await page(3), await page(4)]).toEqual([
      [ids.espresso, ids.clothes],
      [ids.clothes, ids.machine],
      [ids.machine, ids.beans],
      [ids.beans],
      [],
    ])
    expect((await items(`${filter}:eq(tags,kitchen)`)).map((item) => item.id)).toEqual([ids.machine])
  })
})

describe('language.best-accepted-tag, language.default-text-in-its-turn: languages', () => {
  it.each([
    ['de-CH', 'de-CH', 'Espressomaschine', 'Macht Espresso.'],
    ['de-ch', 'de-CH', 'Espressomaschine', 'Macht Espresso.'],
    ['fr-CA, de-CH;q=0.5', 'fr', 'Machine à expresso', 'Makes espresso.'],
    ['de', undefined, 'Espresso machine', 'Makes espresso.'],
    ['*', undefined, 'Espresso machine', 'Makes espresso.'],
    ['en-US, en;q=0.9, de-CH;q=0.8', undefined, 'Espresso machine', 'Makes espresso.'],
    ['fr;q=0', undefined, 'Espresso machine', 'Makes espresso.'],
    ['!!', undefined, 'Espresso machine', 'Makes espresso.'],
  ])('the language of the listing: %s', async (header, language, name, description) => {
    const { attributes } = await one(ids.machine, { 'accept-language': header })
    expect([attributes.language, attributes.name, attributes.description]).toEqual([language, name, description])
  })

  it('language.best-accepted-tag: variations and options of the listing have names of the language, without the others', async () => {
    const variationsIn = async (language: string) =>
      (await one(ids.shirt, { 'accept-language': language })).attributes.variations.map(({ name, options }: Item) => [
        name,
        options,
      ])
    const [colour, size] = [idOf(0x312), idOf(0x311)]
    const large = { id: ids.large, name: 'Large', sort_order: 2, description: null }
    const small = { id: ids.small, name: 'Small', sort_order: 1, description: 'Up to 48' }
    const swiss = await one(ids.shirt, { 'accept-language': 'de-CH' })
    expect(swiss.attributes.variations.map(({ id }: Item) => id)).toEqual([colour, size])
    expect((await variationsIn('de-CH'))[1]).toEqual(['Grösse', [large, { ...small, name: 'Chly' }]])
    expect((await variationsIn('de'))[1]).toEqual(['Size', [large, { ...small, name: 'Klein', description: 'Bis 48' }]])
    expect((await variationsIn('fr'))[1]).toEqual(['Size', [large, small]])
  })

  it('nodes of the listing have localized texts too, and filters compare the default text', async () => {
    const german = { 'accept-language': 'de-CH' }
    expect((await one(ids.espresso, german)).attributes.name).toBe('Espresso und mehr')
    expect(await items('filter=eq(name,Espressomaschine)', german)).toEqual([])
    expect(await items('filter=eq(name,Espresso machine)', german)).toHaveLength(1)
  })
})

describe('money.display-currency: the display currency', () => {
  it('the display currency is that of the header; without a price in it there is no display price', async () => {
    const euro = await one(ids.machine, { 'x-moltin-currency': 'EUR', 'accept-language': 'de-DE' })
    expect(euro.meta.display_price.with_tax).toEqual({ amount: 46000, currency: 'EUR', formatted: '460,00\u00a0€' })
    const pound = await one(ids.machine, { 'x-moltin-currency': 'GBP' })
    expect([pound.meta.display_price, pound.meta.original_display_price, pound.meta.sale_id]).toEqual([
      undefined,
      undefined,
      'winter',
    ])
  })

  it('price.malformed-currency-refused: a malformed currency in the header of the listing is 400', async () => {
    expect((await server.rest('GET', path(), { headers: { 'x-moltin-currency': 'euro' } })).status).toBe(400)
  })
})

describe('sale.start-counts-end-does-not: a sale starts and ends on the instant, without a write', () => {
  const pricesAt = async (now: number) => {
    server.now = now
    const { attributes, meta } = await one(ids.machine)
    return [attributes.price.USD.amount, meta.sale_id, meta.sale_expires]
  }
  it('a sale runs from valid_from on and before valid_to, and a shorter sale within the period wins', async () => {
    const winterEnd = new Date(winter.to).toISOString()
    expect([await pricesAt(winter.from - 1), await pricesAt(winter.from)]).toEqual([
      [50000, undefined, undefined],
      [40000, 'winter', winterEnd],
    ])
    expect([
      await pricesAt(flash.from - 1),
      await pricesAt(flash.from),
      await pricesAt(flash.to - 1),
      await pricesAt(flash.to),
    ]).toEqual([
      [40000, 'winter', winterEnd],
      [30000, 'flash', new Date(flash.to).toISOString()],
      [30000, 'flash', new Date(flash.to).toISOString()],
      [40000, 'winter', winterEnd],
    ])
    expect([await pricesAt(winter.to - 1), await pricesAt(winter.to)]).toEqual([
      [40000, 'winter', winterEnd],
      [50000, undefined, undefined],
    ])
  })

  it('sale.bundle-sale-stays-inside: inside a bundle its own sale runs as well', async () => {
    server.now = winter.to
    const { meta } = await one(ids.starter)
    expect(meta.bundle_configuration.component_products[ids.machine].sale_id).toBe('set')
    expect((await one(ids.machine)).meta.sale_id).toBeUndefined()
  })
})
