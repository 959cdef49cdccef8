/** Children by their options: lists, walks, and cursors of earlier versions. */
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import {
  catalog,
  familyProducts,
  NOW,
  product,
  randomFamily,
  root,
  sized,
  storeOf,
} from '../../support/option-family.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { randomFrom } from '../../support/random-store.ts'
import { manualClock, useServer } from '../../support/server.ts'
import type { StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })

beforeEach(async () => {
  await reset(database)
  server.services.releases.invalidate()
  server.now = NOW
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

async function send(selection: string): Promise<AnyResponse> {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  const headers = { 'x-moltin-currency': 'EUR' }
  return server.gql(`{ catalog(id: "${catalog}") { latestRelease { ${selection} } } }`, {}, { token, headers })
}

async function childrenOf(parent: string, given = ''): Promise<AnyResponse> {
  const fields = 'nodes { key } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount'
  const { data, errors } = await send(
    `product(by: { id: "${parent}" }) { children(${given || 'first: 100'}) { ${fields} } }`,
  )
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.product.children
}

const keysOf = ({ nodes }: AnyResponse): string[] => nodes.map(({ key }: AnyResponse) => key)

async function walk(parent: string, size: number, backward: boolean, given = ''): Promise<string[]> {
  const found: string[] = []
  for (let bound = ''; ; ) {
    const page = await childrenOf(parent, `${backward ? 'last' : 'first'}: ${size}${bound}${given}`)
    found.splice(backward ? 0 : found.length, 0, ...keysOf(page))
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    if (!(backward ? hasPreviousPage : hasNextPage)) return found
    bound = backward ? `, before: "${startCursor}"` : `, after: "${endCursor}"`
  }
}

describe('variation.children-by-options: CatalogProduct.children', () => {
  it('children of random parents are in the order of a plain sort, by default and as OPTIONS, on all pages together, descending in reverse', async () => {
    for (let seed = 1; seed <= times(20); seed++) {
      await reset(database)
      server.services.releases.invalidate()
      const random = randomFrom(seed)
      const families = [0x10000, 0x20000].map((first) => ({
        parent: idOf(first + 0xfff),
        ...randomFamily(random, first),
      }))
      const products = families.flatMap((family) => familyProducts(family.parent, family))
      for (const one of products) if (one.parent_id && random.chance(15)) one.status = 'draft'
      await publishStore(server, storeOf(products))
      for (const { parent, sorted } of families) {
        const live = sorted.filter((key) => products.find(({ id }) => id === key)?.status === 'live')
        const order = (more: string) => `, orderBy: { field: ${more} }`
        const where = `seed ${seed}`
        for (const given of ['', order('DEFAULT'), order('OPTIONS'), order('PRICE'), order('PRICE, direction: DESC')]) {
          expect(keysOf(await childrenOf(parent, `first: 100${given}`)), where + given).toEqual(live)
          const pages = [await walk(parent, 1 + random.below(3), false, given), await walk(parent, 2, true, given)]
          expect(pages, where + given).toEqual([live, live])
        }
        for (const given of [order('DEFAULT, direction: DESC'), order('OPTIONS, direction: DESC')])
          expect(await walk(parent, 2, false, given), where + given).toEqual(live.toReversed())
      }
    }
  })

  it('children found by a search come by relevance, and as OPTIONS by their options', async () => {
    const [parent, small = product(''), large = product('')] = sized(0x100, { Small: 1, Large: 2 })
    small.name = 'Cup'
    large.name = 'Cup for two'
    await publishStore(server, storeOf([parent as StoreProduct, small, large]))
    const filter = 'filter: { search: "cup" }'
    expect(keysOf(await childrenOf(idOf(0x100), filter))).toEqual([small.id, large.id])
    const given = `${filter}, orderBy: { field: OPTIONS }`
    expect(keysOf(await childrenOf(idOf(0x100), given))).toEqual([large.id, small.id])
  })

  it('OPTIONS is refused by every other list of products, by the name of the field', async () => {
    await publishStore(server, storeOf(sized(0x100, { S: 1 })))
    const order = 'orderBy: { field: OPTIONS }'
    for (const list of [
      `products(${order}) { totalCount }`,
      `products(${order}, groupVariants: true) { totalCount }`,
      `hierarchy(id: "${root}") { products(${order}) { totalCount } }`,
      `product(by: { id: "${idOf(0x100)}" }) { bundles(${order}) { totalCount } }`,
    ]) {
      const { errors } = await send(list)
      expect(errors?.[0].extensions.violations, list).toMatchObject([
        { path: expect.arrayContaining(['orderBy', 'field']) },
      ])
      expect(errors?.[0].message, list).toContain('must not be OPTIONS')
    }
  })

  it('REST names the children of a product oldest first, as before', async () => {
    await publishStore(server, storeOf(sized(0x100, { S: 1, L: 3, M: 2 })))
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const { body } = await server.rest('GET', listingPath(catalog, root, `filter=eq(product_types,parent)`), { token })
    const ids = body.data[0].relationships.children.data.map(({ id }: AnyResponse) => id)
    expect(ids).toEqual([0x101, 0x102, 0x103].map(idOf))
  })
})

/** The cursor at a position of the children of a parent, as versions that listed them oldest first wrote it. */
async function formerCursor(parent: string, position: number, order = 'DEFAULT', currency = ''): Promise<string> {
  const query = `["children of ${parent}",false,[],[],[],null,null,{"field":"${order}","direction":"ASC","currency":"${currency}"},false]`
  const hash = createHash('sha256').update(query).digest('base64url').slice(0, 8)
  const { rows } = await database.pool.query('SELECT id FROM release ORDER BY published_at DESC LIMIT 1')
  const instant = order === 'PRICE' ? server.now : 0
  return Buffer.from(JSON.stringify([rows[0].id, hash, position, instant])).toString('base64url')
}

describe('variation.children-by-options: cursors of versions that listed children oldest first', () => {
  const parent = idOf(0x100)
  const [first, second, third, fourth] = [0x101, 0x102, 0x103, 0x104].map(idOf)
  beforeEach(async () => {
    await publishStore(server, storeOf(sized(0x100, { S: 1, L: 3, M: 2, XL: 4 })))
  })

  it('a walk goes on in the order in which it began, in both directions and over its own cursors, 23 hours later too', async () => {
    expect(keysOf(await childrenOf(parent))).toEqual([fourth, second, third, first])
    const after = await formerCursor(parent, 0)
    server.now += 23 * 3_600_000
    const page = await childrenOf(parent, `first: 2, after: "${after}"`)
    expect(keysOf(page)).toEqual([second, third])
    expect(keysOf(await childrenOf(parent, `first: 2, after: "${page.pageInfo.endCursor}"`))).toEqual([fourth])
    expect(keysOf(await childrenOf(parent, `last: 2, before: "${await formerCursor(parent, 3)}"`))).toEqual([
      second,
      third,
    ])
  })

  it('a walk by price keeps equal prices in the order in which it began', async () => {
    const orderBy = 'orderBy: { field: PRICE, currency: "EUR" }'
    const after = await formerCursor(parent, 1, 'PRICE', 'EUR')
    expect(keysOf(await childrenOf(parent, `${orderBy}, after: "${after}"`))).toEqual([third, fourth])
    expect(keysOf(await childrenOf(parent, orderBy))).toEqual([fourth, second, third, first])
  })

  it('a walk goes on in its release when another one is published', async () => {
    const after = await formerCursor(parent, 1)
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [third])
    await publish(server, catalog)
    expect(keysOf(await childrenOf(parent, `first: 5, after: "${after}"`))).toEqual([third, fourth])
    expect(keysOf(await childrenOf(parent))).toEqual([fourth, second, first])
  })

  it('such a cursor is refused by another filter, by OPTIONS, and beside a cursor of the new order', async () => {
    const after = await formerCursor(parent, 0)
    const { pageInfo } = await childrenOf(parent)
    for (const given of [
      `after: "${after}", filter: { name: { contains: "1" } }`,
      `after: "${after}", orderBy: { field: OPTIONS }`,
      `after: "${after}", before: "${pageInfo.endCursor}"`,
    ]) {
      const { errors } = await send(`product(by: { id: "${parent}" }) { children(${given}) { nodes { key } } }`)
      expect(errors?.[0].extensions, given).toMatchObject({ code: 'BAD_USER_INPUT' })
      expect(errors?.[0].message, given).toContain('must be a cursor of this list')
    }
  })
})
