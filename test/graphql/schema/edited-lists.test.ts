/**
 * graph.connections-both-ways: a cursor is a place in an order, which stays when what stands before, at and after it
 * comes and goes.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode } from '../../support/hierarchies.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const letters = 'abcdexyz'

beforeAll(async () => {
  await reset(database)
  for (const [index, name] of [...letters].entries()) {
    // The ids fall while the letters rise: they don't help the order.
    await makePlan(contextAs(server.services, START), idOf('plan', 9 - index), { name: name.repeat(3) })
    await makeProduct({ services: server.services, now: START }, idOf('product', 9 - index), { name: name.repeat(3) })
  }
})

type Bounds = { first?: number; after?: string; last?: number; before?: string }
interface Listed {
  names: string
  cursors: { startCursor: string; endCursor: string }
  total: number
}

/** A page of `list`, a connection of the record, as the first letters of what `label` says. */
async function pageOf(type: string, id: string, list: string, label: string, bounds: Bounds = {}): Promise<Listed> {
  const query = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { ${type}(id: $id) {
    list: ${list}(first: $first, after: $after, last: $last, before: $before) { totalCount nodes { ${label} } pageInfo { startCursor endCursor } } } }`
  const { data, errors } = await server.gql(query, { id, ...bounds })
  expect(errors).toBeUndefined()
  const { nodes, pageInfo, totalCount } = data[type].list
  return {
    names: nodes.map((node: Record<string, string>) => node[label]?.[0]).join(''),
    cursors: pageInfo,
    total: totalCount,
  }
}

let offerings = 0

describe.each(['plan', 'product'] as const)('the %ss of an offering', (noun) => {
  const ids = (list: string) => [...list].map((letter) => idOf(noun, 9 - letters.indexOf(letter)))
  const make = async (list: string): Promise<string> => {
    const id = idOf('offering', ++offerings)
    await makeOffering(contextAs(server.services, START), id, { [`${noun}s`]: ids(list) })
    return id
  }
  const replace = async (id: string, list: string) => {
    const { userErrors } = await mutate(server, 'updateOffering', { id, [`${noun}Ids`]: ids(list) }, 'offering { id }')
    expect(userErrors).toEqual([])
  }
  const read = (id: string, bounds?: Bounds) => pageOf('offering', id, `${noun}s`, 'name', bounds)

  it.each([
    ['bcde', 'cde', ''],
    ['cde', 'cde', ''],
    ['xabcde', 'cde', 'xa'],
    ['abxcde', 'xcde', 'a'],
    ['ab', '', 'a'],
    ['axbcyde', 'cyde', 'ax'],
    ['acbde', 'de', 'ac'],
  ])(`after the ${noun}s of an offering are set to %s, the page after b is %s`, async (list, after, before) => {
    const id = await make('abcde')
    const first = await read(id, { first: 2 })
    expect(first.names).toBe('ab')
    await replace(id, list)
    expect(await read(id)).toMatchObject({ names: list, total: list.length })
    expect((await read(id, { first: 10, after: first.cursors.endCursor })).names).toBe(after)
    expect((await read(id, { last: 10, before: first.cursors.endCursor })).names).toBe(before)
  })

  it(`pages of the ${noun}s of an offering continue where they ended, for any edits in between`, async () => {
    const id = await make('abcde')
    let { names: found, cursors } = await read(id, { first: 1 })
    for (const list of ['xabcde', 'xbcde', 'xbcdye', 'xbdye', 'zxdye']) {
      await replace(id, list)
      const next = await read(id, { first: 1, after: cursors.endCursor })
      found += next.names
      cursors = next.cursors
    }
    expect(found).toBe('abcdye')
  })

  it(`no remaining ${noun} of an offering is left out when positions are renumbered`, async () => {
    const id = await make('abcde')
    const { cursors } = await read(id, { first: 2 })
    let last = ''
    // Each newcomer stands right after b, before the last one.
    for (let round = 0; round < 15; round++) {
      const newcomer = 'xyz'[round % 3] as string
      const list = `ab${newcomer}${last}cde`
      await replace(id, list)
      expect((await read(id)).names).toBe(list)
      expect((await read(id, { first: 10, after: cursors.endCursor })).names).toBe(list.slice(2))
      last = newcomer
    }
  })
})

describe('connections in the order of creation', () => {
  /** Instants of their own, since other servers may make ids for the same one. */
  const at = (place: number) => contextOf(server.services, START + 10 * place)

  it('a walk of Hierarchy.children loses nothing while children are added and removed', async () => {
    const root = await makeHierarchy(at(0), 'Root')
    const nodes: Record<string, { id: string }> = {}
    for (const [index, name] of [...'abcde'].entries()) nodes[name] = await makeNode(at(index), root, name)
    const read = (bounds: Bounds) => pageOf('hierarchy', root.id, 'children', 'name', bounds)
    const first = await read({ first: 2 })
    for (const name of ['b', 'd']) await mutate(server, 'deleteNode', { id: nodes[name]?.id }, 'node { id }')
    await makeNode(at(0.5), root, 'x')
    await makeNode(at(9), root, 'y')
    expect([first.names, (await read({ after: first.cursors.endCursor })).names]).toEqual(['ab', 'cey'])
    expect((await read({ last: 2, before: first.cursors.endCursor })).names).toBe('ax')
  })

  it('a walk of PriceBook.prices loses nothing while prices are added and removed', async () => {
    const book = await makeBook(at(0), 'Book')
    const prices: Record<string, { id: string }> = {}
    for (const [index, sku] of [...'abcde'].entries()) prices[sku] = await makePrice(at(index), book.id, sku)
    const read = (bounds: Bounds) => pageOf('priceBook', book.id, 'prices', 'sku', bounds)
    const first = await read({ first: 2 })
    for (const sku of ['b', 'd'])
      await mutate(server, 'deleteProductPrice', { id: prices[sku]?.id }, 'productPrice { id }')
    await makePrice(at(0.5), book.id, 'x')
    await makePrice(at(9), book.id, 'y')
    expect([first.names, (await read({ after: first.cursors.endCursor })).names]).toEqual(['ab', 'cey'])
    expect((await read({ last: 2, before: first.cursors.endCursor })).names).toBe('ax')
  })
})
