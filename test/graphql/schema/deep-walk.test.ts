import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode, makeProducts } from '../../support/hierarchies.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const PARENTS = 50

const TABLES = /\b(product_price|price_modifier|price_book|catalog_node|node_product|sale|product)\b/g

/**
 * 24 levels: products, their nodes, those nodes' parents, children and products, their prices, books and sales, and
 * back to a book.
 */
const walk = `query ($first: Int!, $book: ID!) {
  products(first: $first) { nodes { name
    nodes(first: 1) { nodes { name
      parent { name
        children(first: 2) { nodes { name
          products(first: 1) { nodes { name
            price(priceBookId: $book) { sku
              priceBook { name
                prices(first: 2) { nodes { sku
                  sales { name
                    productPrice { sku
                      priceBook { name
                        modifiers(first: 1) { nodes { name
                          priceBook { name prices(first: 1) { nodes { sku } } }
  } } } } } } } } } } } } } } } } } } }`

describe('a query over eight edges and more', () => {
  const database = useDatabase()
  const server = useServer(database)
  let book = ''

  beforeAll(async () => {
    const ctx = contextOf(server.services, START)
    book = (await makeBook(ctx, 'Walked')).id
    const names = Array.from({ length: PARENTS }, (_, at) => `walked-${at}`)
    const products = await makeProducts(ctx, ...names)
    const root = await makeHierarchy(ctx, 'Walked')
    for (const [at, id] of products.entries()) {
      // Five under one parent, so that a parent is reached from several products, and several parents from one page.
      const parent = at % 5 === 0 ? await makeNode(ctx, root, `group ${at}`) : undefined
      if (parent) groups.push(parent)
      const group = groups.at(-1)
      if (group) await makeNode(ctx, group, `node ${at}`, {}, { products: { data: [id] } })
      await makePrice(ctx, book, `walked-${at}`, { sales: { spring: { currencies: {} } } })
    }
  })
  const groups: { id: string }[] = []

  it('a query over eight edges runs as many statements for 50 parents as for 2: one per level that reads', async () => {
    const ask = (first: number) => countStatements(database, () => server.gql(walk, { first, book }))
    await ask(1)
    const few = await ask(2)
    const many = await ask(PARENTS)
    expect(few.result.errors).toBeUndefined()
    expect(many.result.data.products.nodes).toHaveLength(PARENTS)
    const deepest =
      many.result.data.products.nodes[0].nodes.nodes[0].parent.children.nodes[0].products.nodes[0].price.priceBook
    expect(deepest.prices.nodes[0].sales[0].productPrice.priceBook.name).toBe('Walked')
    const tables = many.statements.map((text) => [...new Set(text.match(TABLES))].join(', '))
    console.info(
      `Tables read by each statement of the walk, for ${PARENTS} parents as for 2:\n  ${tables.join('\n  ')}`,
    )
    expect(many.count).toBe(few.count)
    // Books and prices that are known to the request already are not read again on the way back.
    expect(tables).toEqual([
      'product',
      'node_product, catalog_node',
      'catalog_node',
      'catalog_node',
      'node_product, product',
      'product_price, sale',
      'price_book',
      'product_price, sale',
      'product_price, sale',
      'price_modifier',
    ])
  })
})
