import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { addSale, updateSale } from '../../../src/operations/pricing/sale.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const books: Record<string, string> = {}
const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString()

/** In the order of creation: book, SKU, name, start, end. */
const given = [
  ['one', 'a', 'Summer', 10, 20],
  ['one', 'a', 'Winter', 20, 30],
  ['two', 'a', 'Summer', null, 20],
  ['one', 'b', 'Summer', 10, null],
  ['one', 'c', 'Always', null, null],
  ['two', 'b', 'Summit_', 15, 16],
] as const

beforeAll(async () => {
  await reset(database)
  const ctx = contextOf(server.services, START)
  const prices = new Map<string, string>()
  for (const name of ['one', 'two']) books[name] = (await makeBook(ctx, name)).id
  for (const [at, [book, sku, name, from, to]] of given.entries()) {
    const place = `${book} ${sku}`
    if (!prices.has(place))
      prices.set(place, (await makePrice(ctx, books[book] ?? '', sku, { currencies: { USD: { amount: 5 } } })).id)
    const schedule = { ...(from !== null && { valid_from: day(from) }), ...(to !== null && { valid_to: day(to) }) }
    const attributes = { name, schedule, currencies: { USD: { amount: 4 } } }
    await addSale(contextOf(server.services, START + at), {
      productPriceId: prices.get(place) ?? '',
      data: { type: 'sale', attributes },
    })
  }
})

const list = async (args: string, fields = 'nodes { name productPrice { sku priceBook { name } } }') => {
  const reply = await server.gql(`{ sales${args && `(${args})`} { ${fields} } }`)
  return reply.errors ?? reply.data.sales
}
type Shown = { name: string; productPrice: { sku: string; priceBook: { name: string } } }
const shown = (nodes: Shown[]) =>
  nodes.map(({ name, productPrice: { sku, priceBook } }) => `${priceBook.name} ${sku} ${name}`)
const of = (...numbers: number[]) => numbers.map((n) => given[n]?.slice(0, 3).join(' '))

describe('sales', () => {
  it.each([
    ['all', '', [0, 1, 2, 3, 4, 5]],
    ['of a book', '{ priceBookId: "$two" }', [2, 5]],
    ['of a name', '{ name: { eq: "Summer" } }', [0, 2, 3]],
    ['of a book and a name', '{ priceBookId: "$one", name: { eq: "Summer" } }', [0, 3]],
    ['of several names', '{ name: { in: ["Winter", "Always", "x"] } }', [1, 4]],
    ['of no name', '{ name: { in: [] } }', []],
    ['of a name and another', '{ name: { eq: "Summer", in: ["Winter"] } }', []],
    ['by the beginning of the name', '{ name: { startsWith: "Sum" } }', [0, 2, 3, 5]],
    ['by part of the name', '{ name: { contains: "t_" } }', [5]],
    ['that run before their start', `{ runningAt: "${day(9)}" }`, [2, 4]],
    ['that run at their start', `{ runningAt: "${day(10)}" }`, [0, 2, 3, 4]],
    ['that run just before their end', `{ runningAt: "2026-01-19T23:59:59.999Z" }`, [0, 2, 3, 4]],
    ['that run at their end', `{ runningAt: "${day(20)}" }`, [1, 3, 4]],
    ['that start in a period', `{ startsIn: { from: "${day(10)}", before: "${day(20)}" } }`, [0, 3, 5]],
    ['that end in a period', `{ endsIn: { from: "${day(16)}", before: "${day(20)}" } }`, [5]],
    ['that end late in a book', `{ endsIn: { from: "${day(17)}" }, priceBookId: "$one" }`, [0, 1]],
    ['that were created in a period', '{ createdAt: { from: "2026-01-15T12:00:00.004Z" } }', [4, 5]],
  ])('Query.sales lists those %s, oldest first', async (_, filter, expected) => {
    const text = filter.replace(/\$(one|two)/, (__, name) => globalId('PriceBook', books[name] ?? ''))
    const { nodes, totalCount } = await list(
      text && `filter: ${text}`,
      'totalCount nodes { name productPrice { sku priceBook { name } } }',
    )
    expect(shown(nodes)).toEqual(of(...expected))
    expect(totalCount).toBe(expected.length)
  })

  it.each([
    ['CREATED_AT', [0, 1, 2, 3, 4, 5]],
    ['UPDATED_AT', [0, 2, 3, 4, 5, 1]],
  ])(
    'graph.connections-both-ways: Query.sales is walked both ways in the order %s, up and down',
    async (field, expected) => {
      const winter = (await list('filter: { name: { eq: "Winter" } }', 'nodes { id }')).nodes[0].id
      const { data } = await server.gql(`query ($id: ID!) { sale(id: $id) { productPrice { sales { id } } } }`, {
        id: winter,
      })
      expect(data.sale.productPrice.sales).toHaveLength(2)
      const raw = Buffer.from(winter, 'base64url').toString().replace('Sale:', '')
      await updateSale(contextOf(server.services, START + 60), {
        id: raw,
        data: { type: 'sale', attributes: { schedule: { valid_from: day(20), valid_to: day(31) } } },
      })
      const walk = async (direction: string, page: 'first' | 'last') => {
        const found: string[][] = []
        for (let cursor = ''; ; ) {
          const args = `orderBy: { field: ${field}, direction: ${direction} }, ${page}: 2 ${cursor}`
          const { nodes, pageInfo } = await list(
            args,
            'nodes { name productPrice { sku priceBook { name } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
          )
          found.push(shown(nodes))
          if (!(page === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage))
            return page === 'first' ? found.flat() : found.reverse().flat()
          cursor = page === 'first' ? `after: "${pageInfo.endCursor}"` : `before: "${pageInfo.startCursor}"`
        }
      }
      for (const page of ['first', 'last'] as const) {
        expect(await walk('ASC', page)).toEqual(of(...expected))
        expect(await walk('DESC', page)).toEqual(of(...expected).reverse())
      }
    },
  )

  it('Query.sales takes one statement for a page and one for the total', async () => {
    const counted = await countStatements(database, () =>
      list(`filter: { name: { eq: "Summer" }, runningAt: "${day(10)}" }`, 'totalCount nodes { name }'),
    )
    expect(counted.count).toBe(2)
  })

  it('Query.sales refuses the id of no book, and shoppers', async () => {
    expect(await list('filter: { priceBookId: "x" }')).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect((await list('filter: { priceBookId: "0190a000-0000-7000-8000-00000000000a" }')).nodes).toEqual([])
    const { errors } = await server.gql('{ sales { totalCount } }', {}, { token: server.shopper })
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  })
})
