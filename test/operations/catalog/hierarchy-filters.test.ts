/** What the products of a hierarchy can be filtered by, alike on both edges, and what the facade refuses. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeAll(async () => {
  await publishStore(server, fullStore())
})

/** Name and total of every product of the hierarchy that the facade lists, in its order. */
async function listed(query: string): Promise<unknown> {
  const { body } = await server.rest('GET', listingPath(ids.catalog, ids.hierarchy, query), { token: server.shopper })
  return {
    names: body.data.map((item: { attributes: { name: string } }) => item.attributes.name),
    total: body.meta.results.total,
  }
}

/** The same of the graph. */
async function walked(filter: string): Promise<unknown> {
  const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { hierarchy(id: "${ids.hierarchy}") {
    products(filter: ${filter}) { totalCount nodes { name } } } } } }`
  const { data, errors } = await server.gql(query, {}, { token: server.shopper })
  expect(errors).toBeUndefined()
  const { nodes, totalCount } = data.catalog.release.hierarchy.products
  return { names: nodes.map(({ name }: { name: string }) => name), total: totalCount }
}

const machine = 'Espresso machine'
const beans = 'Coffee beans'
const children = ['Shirt red S', 'Shirt red L', 'Shirt blue S']
const bundles = ['Breakfast', 'Starter set', 'Gift box']

describe('filter.clauses-all-hold, list.latest-update-first: a filter lists the same products in the same order on both edges', () => {
  const cases: [filter: string, graphFilter: string, names: string[]][] = [
    ['eq(name,Espresso machine)', '{ name: { eq: "Espresso machine" } }', [machine]],
    ['eq(name,espresso machine)', '{ name: { eq: "espresso machine" } }', []],
    ['eq(sku,BEANS)', '{ sku: { eq: "BEANS" } }', [beans]],
    // A live option that no node holds is priced, not listed (bundle.live-options-only).
    ['eq(sku,CUP)', '{ sku: { eq: "CUP" } }', []],
    ['eq(slug,manual)', '{ slug: { eq: "manual" } }', ['Manual']],
    ['eq(mpn,EM-9)', '{ manufacturerPartNum: { eq: "EM-9" } }', [machine]],
    ['eq(manufacturer_part_num,EM-9)', '{ manufacturerPartNum: { eq: "EM-9" } }', [machine]],
    ['eq(upc_ean,0012345678905)', '{ upcEan: { eq: "0012345678905" } }', [machine]],
    ['eq(product_types,parent)', '{ productTypes: { eq: PARENT } }', ['Barista shirt']],
    ['eq(product_types,child)', '{ productTypes: { eq: CHILD } }', children],
    ['eq(product_types,bundle)', '{ productTypes: { eq: BUNDLE } }', bundles],
    ['eq(product_types,standard)', '{ productTypes: { eq: STANDARD } }', [machine, beans, 'Manual']],
    ['eq(tags,COFFEE)', '{ tags: { eq: "COFFEE" } }', [machine, beans]],
    [`in(id,${ids.beans},${ids.machine})`, `{ id: { in: ["${ids.beans}", "${ids.machine}"] } }`, [machine, beans]],
    [`in(id,${ids.beans.toUpperCase()})`, `{ id: { in: ["${ids.beans.toUpperCase()}"] } }`, [beans]],
    [
      'in(name,Manual,Breakfast,"Nothing")',
      '{ name: { in: ["Manual", "Breakfast", "Nothing"] } }',
      ['Manual', 'Breakfast'],
    ],
    ['in(sku,BEANS,MACHINE)', '{ sku: { in: ["BEANS", "MACHINE"] } }', [machine, beans]],
    ['in(slug,manual,coffee-beans)', '{ slug: { in: ["manual", "coffee-beans"] } }', [beans, 'Manual']],
    ['in(mpn,EM-9,x)', '{ manufacturerPartNum: { in: ["EM-9", "x"] } }', [machine]],
    ['in(upc_ean,0012345678905,x)', '{ upcEan: { in: ["0012345678905", "x"] } }', [machine]],
    ['in(product_types,parent,bundle)', '{ productTypes: { in: [PARENT, BUNDLE] } }', ['Barista shirt', ...bundles]],
    ['in(tags,kitchen,Clothes)', '{ tags: { in: ["kitchen", "Clothes"] } }', [machine, 'Barista shirt']],
    ['eq(tags,coffee):eq(sku,BEANS)', '{ tags: { eq: "coffee" }, sku: { eq: "BEANS" } }', [beans]],
    ['eq(tags,coffee):in(tags,kitchen,x)', '{ tags: { eq: "coffee", in: ["kitchen", "x"] } }', [machine]],
    ['in(sku,BEANS,MACHINE):eq(sku,MACHINE)', '{ sku: { in: ["BEANS", "MACHINE"], eq: "MACHINE" } }', [machine]],
    ['eq(tags,coffee):eq(product_types,bundle)', '{ tags: { eq: "coffee" }, productTypes: { eq: BUNDLE } }', []],
  ]
  it.each(cases)(
    'a filter lists the same products in the same order on both edges: %s',
    async (filter, graphFilter, names) => {
      const expected = { names, total: names.length }
      expect(await listed(`filter=${encodeURIComponent(filter)}`)).toEqual(expected)
      expect(await walked(graphFilter)).toEqual(expected)
    },
  )

  // The graph's filter names each field and operator once, and its ids are checked.
  it.each([
    ['in(id,not-a-uuid)', []],
    ['eq(tags,coffee):eq(tags,kitchen)', [machine]],
    ['in(sku,BEANS,MACHINE):in(sku,MACHINE,GIFT):eq(product_types,standard)', [machine]],
    ['eq(sku,BEANS):eq(sku,MACHINE)', []],
  ])('a filter of the REST facade alone: %s', async (filter, names) => {
    expect(await listed(`filter=${encodeURIComponent(filter)}`)).toEqual({ names, total: names.length })
  })
})

describe('list.pages-and-links, filter.clauses-all-hold: a malformed page or filter is 400 and names the parameter', () => {
  const limit = 'page[limit]: must be an integer from 1 to 100'
  const offset = 'page[offset]: must be an integer from 0 to 10000'
  const fields = 'name|sku|slug|mpn|upc_ean|product_types|tags'
  const types = 'product_types, which are standard, parent, child, bundle'
  const pair = (given: string) =>
    `filter: ${given} is not a filter here; allowed are eq(${fields},...) and in(id|${fields},...)`
  const cases: [query: string, code: string, detail: string][] = [
    ['page[limit]=0', 'OUT_OF_RANGE', limit],
    ['page[limit]=-1', 'OUT_OF_RANGE', limit],
    ['page[limit]=101', 'OUT_OF_RANGE', limit],
    ['page[limit]=ten', 'OUT_OF_RANGE', limit],
    ['page[limit]=1.5', 'OUT_OF_RANGE', limit],
    ['page[limit]=', 'OUT_OF_RANGE', limit],
    ['page[limit]=2&page%5Blimit%5D=2', 'DUPLICATE', 'page[limit]: must be given once'],
    ['page[offset]=-1', 'OUT_OF_RANGE', offset],
    ['page[offset]=10001', 'OUT_OF_RANGE', offset],
    ['page[offset]=ten', 'OUT_OF_RANGE', offset],
    ['page[offset]=', 'OUT_OF_RANGE', offset],
    ['page[offset]=1&page[offset]=2', 'DUPLICATE', 'page[offset]: must be given once'],
    ['filter=eq(price,5)', 'INVALID_VALUE', pair('eq(price)')],
    [`filter=eq(id,${ids.beans})`, 'INVALID_VALUE', pair('eq(id)')],
    ['filter=gt(sku,A)', 'INVALID_VALUE', pair('gt(sku)')],
    ['filter=eq(sku,A', 'INVALID_FORMAT', 'filter: has the end at character 9 where ) was expected'],
    ['filter=eq(sku,"A)', 'INVALID_FORMAT', 'filter: has the end at character 11 where a closing " was expected'],
    [
      'filter=eq(sku,)',
      'INVALID_FORMAT',
      'filter: has ")" at character 8 where a value (an empty one must be quoted) was expected',
    ],
    ['filter=', 'INVALID_FORMAT', 'filter: has the end at character 1 where an operator was expected'],
    ['filter=eq(sku,A,B)', 'TOO_MANY', 'filter: eq(sku) takes one value, in(sku) takes several'],
    ['filter=eq(product_types,Parent)', 'INVALID_VALUE', `filter: Parent is no value of ${types}`],
    ['filter=in(product_types,parent,"")', 'INVALID_VALUE', `filter:  is no value of ${types}`],
    [
      'filter=in(product_types,child,variation):eq(sku,A)',
      'INVALID_VALUE',
      `filter: variation is no value of ${types}`,
    ],
    [
      'filter=eq(product_types,parent,child)',
      'TOO_MANY',
      'filter: eq(product_types) takes one value, in(product_types) takes several',
    ],
    [`filter=${Array(11).fill('eq(sku,A)').join(':')}`, 'TOO_MANY', 'filter: must have at most 10 clauses'],
    ['filter=eq(sku,%00)', 'INVALID_TEXT', 'filter: must not hold U+0000 or a lone surrogate'],
    ['filter=%ff', 'INVALID_FORMAT', 'filter: is not percent-encoded UTF-8'],
    ['filter=eq(sku,A)&filter=eq(sku,A)', 'DUPLICATE', 'filter: must be given once'],
  ]
  it.each(cases)('a malformed page or filter is 400 and names the parameter: %s', async (query, code, detail) => {
    const reply = await server.rest('GET', listingPath(ids.catalog, ids.hierarchy, query), { token: server.shopper })
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual({ errors: [{ title: 'Bad Request', status: '400', detail, code }] })
  })

  it('a quoted value of a filter may be empty, and the smallest and largest limits are accepted', async () => {
    expect(await listed('filter=eq(sku,"")')).toEqual({ names: [], total: 0 })
    expect(await listed('page[limit]=100&page[offset]=10000')).toEqual({ names: [], total: 10 })
    expect(await listed('page[limit]=1&page[offset]=0')).toEqual({ names: [machine], total: 10 })
  })
})
