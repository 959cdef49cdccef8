/**
 * How many nodes a product may be attached to, and how many children a parent may have: at n and n + 1, by every way
 * in, and at once.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { CHILDREN_MAX, NODES_OF_PRODUCT_MAX } from '../../../src/domain/input/limits.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy } from '../../support/hierarchies.ts'
import { runImport } from '../../support/import.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf, makeProduct } from '../../support/products.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const CLIENTS = 50

beforeEach(async () => {
  server.now = START
  await reset(database)
})

const codes = async (reply: Promise<{ userErrors: { code: string; path: string[] }[] }>): Promise<string[]> =>
  (await reply).userErrors.map(({ code, path }) => `${code} ${path.join('.')}`)
const imported = async (data: object): Promise<readonly string[]> => (await runImport(server.services, [data])).refused
const count = async (table: string): Promise<number> =>
  (await database.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count

describe('nodes of a product', () => {
  let root: string
  let product: string
  let free: string
  /** More nodes than the product may be attached to. */
  let nodes: readonly string[]

  beforeEach(async () => {
    const admin = contextOf(server.services, START)
    root = (await makeHierarchy(admin, 'Root')).id
    product = (await makeProduct(admin, { name: 'Everywhere' })).id
    free = (await makeProduct(admin, { name: 'Free' })).id
    const { rows } = await database.pool.query(
      `INSERT INTO catalog_node (id, parent_id, hierarchy_id, name, slug, curated_product_ids, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $1, 'n' || i, 'n' || i, '{}', now(), now() FROM generate_series(1, $2) i RETURNING id`,
      [root, NODES_OF_PRODUCT_MAX + CLIENTS],
    )
    nodes = rows.map(({ id }) => id)
  })

  /** Attaches the product to the first nodes. */
  const attachTo = (many: number) =>
    database.pool.query(
      'INSERT INTO node_product (node_id, product_id, created_at) SELECT unnest($1::uuid[]), $2, now()',
      [nodes.slice(0, many), product],
    )
  const attach = (node: number, productIds: readonly string[] = [product]) =>
    codes(mutate(server, 'attachProducts', { nodeId: nodes[node], productIds }, ''))

  test('nodes of a product are 500 at most, by mutations and imports; a product with more is named, and nothing is attached', async () => {
    await attachTo(NODES_OF_PRODUCT_MAX - 1)
    expect(await attach(NODES_OF_PRODUCT_MAX - 1)).toEqual([])
    expect(await attach(0)).toEqual([])
    expect(await attach(NODES_OF_PRODUCT_MAX, [free, product])).toEqual(['TOO_MANY productIds.1'])
    const productIds = [free, product, free]
    expect(
      await codes(mutate(server, 'createNode', { name: 'New', parentId: globalId('Hierarchy', root), productIds }, '')),
    ).toEqual(['TOO_MANY productIds.1'])
    expect(await codes(mutate(server, 'updateNode', { id: nodes[NODES_OF_PRODUCT_MAX], productIds }, ''))).toEqual([
      'TOO_MANY productIds.1',
    ])
    const refusal = 'data.relationships.products.data.1: is attached to 500 nodes already (TOO_MANY)'
    const relationships = { products: { data: [free, product] } }
    expect(await imported({ type: 'node', id: nodes[NODES_OF_PRODUCT_MAX], attributes: {}, relationships })).toEqual([
      `1: ${refusal}`,
    ])
    const parent = { data: root }
    expect(
      await imported({ type: 'node', attributes: { name: 'New' }, relationships: { parent, ...relationships } }),
    ).toEqual([`1: ${refusal}`])
    expect(await count('node_product')).toBe(NODES_OF_PRODUCT_MAX)
    expect(await codes(mutate(server, 'detachProducts', { nodeId: nodes[0], productIds: [product] }, ''))).toEqual([])
    expect(await attach(NODES_OF_PRODUCT_MAX)).toEqual([])
  })

  test('a node keeps a product that has the maximum of nodes when others are attached to it', async () => {
    await attachTo(NODES_OF_PRODUCT_MAX)
    expect(await codes(mutate(server, 'updateNode', { id: nodes[0], productIds: [free, product] }, ''))).toEqual([])
    expect(await count('node_product')).toBe(NODES_OF_PRODUCT_MAX + 1)
  })

  test('nodes of a product are 500 at most when fifty clients attach the product simultaneously', async () => {
    await attachTo(NODES_OF_PRODUCT_MAX - 10)
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => attach(NODES_OF_PRODUCT_MAX - 10 + client)),
    )
    expect(answers.map(String).sort()).toEqual([
      ...Array(10).fill(''),
      ...Array(CLIENTS - 10).fill('TOO_MANY productIds.0'),
    ])
    expect(await count('node_product')).toBe(NODES_OF_PRODUCT_MAX)
  })
})

describe('children of a parent', () => {
  /** Two variations of 32 options: 1,024 combinations, of which the rules choose 1,000. */
  const sides = [1, 100]
  const options = (from: number) =>
    Array.from({ length: 32 }, (_, index) => ({ id: idOf(from + index), name: `O${index}` }))
  const combinations = options(1).flatMap((one) => options(100).map((other) => [one.id, other.id]))
  let parent: string

  beforeEach(async () => {
    const admin = contextOf(server.services, START)
    const variations = sides.map((from) => ({ name: `V${from}`, options: options(from) }))
    const build_rules = { exclude: combinations.slice(0, 24) }
    parent = (await makeProduct(admin, { name: 'Parent', variations, build_rules })).id
  })

  /** Children of the last combinations. */
  const give = (children: number) =>
    database.pool.query(
      `INSERT INTO product (id, parent_id, name, slug, tags, component_product_ids, option_ids, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'c', 'c', '{}', '{}', string_to_array(one, ',')::uuid[], now(), now() FROM unnest($2::text[]) one`,
      [parent, combinations.slice(-children).map(String)],
    )
  const create = (combination: number) =>
    codes(
      mutate(server, 'createProduct', { name: 'Child', parentId: parent, optionKeys: combinations[combination] }, ''),
    )

  test('children of a parent are 1,000 at most, by mutations and imports', async () => {
    await give(CHILDREN_MAX - 1)
    const stranger = (await makeProduct(contextOf(server.services, START), { name: 'Stranger' })).id
    const joined = { id: stranger, parentId: parent, optionKeys: combinations[1] }
    expect(await create(0)).toEqual([])
    expect(await create(1)).toEqual(['TOO_MANY parentId'])
    expect(await codes(mutate(server, 'updateProduct', joined, ''))).toEqual(['TOO_MANY parentId'])
    const relationships = { parent: { data: parent } }
    const attributes = { name: 'Child', option_ids: combinations[1] }
    expect(await imported({ type: 'product', attributes, relationships })).toEqual([
      '1: data.relationships.parent.data: must be a product that has fewer than 1000 children (TOO_MANY)',
    ])
    expect(await count('product')).toBe(CHILDREN_MAX + 2)
  })

  test('children of a parent are 1,000 at most when they are built, with existing children that the rules no longer choose', async () => {
    expect(await create(0)).toEqual([])
    expect(await codes(mutate(server, 'buildChildProducts', { id: parent }, ''))).toEqual(['TOO_MANY id'])
    expect(await count('product')).toBe(2)
  })

  test('children of a parent are 1,000 at most when clients add them simultaneously', async () => {
    await give(CHILDREN_MAX - 2)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, client) => create(client)))
    expect(answers.map(String).sort()).toEqual(['', '', ...Array(8).fill('TOO_MANY parentId')])
    expect(await count('product')).toBe(CHILDREN_MAX + 1)
  })
})
