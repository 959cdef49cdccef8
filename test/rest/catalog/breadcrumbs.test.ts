/** node.nearest-ten-ancestors: ten levels of ancestors, ten nodes, each at the limit and past it. */
import { beforeAll, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

/** Node 1 hangs under the hierarchy, node 2 under node 1, down to node 11. */
const node = (level: number): string => (level === 0 ? ids.hierarchy : idOf(0x900 + level))
const levels = Array.from({ length: 11 }, (_, index) => index + 1)

beforeAll(async () => {
  const store = fullStore()
  store.nodes = [
    ...store.nodes.filter(({ id }) => id === ids.hierarchy || id === ids.otherHierarchy),
    ...levels.map((level) => ({
      id: node(level),
      parent_id: node(level - 1),
      hierarchy_id: ids.hierarchy,
      name: `Node ${level}`,
      slug: `node-${level}`,
      created_at: START,
      updated_at: START,
    })),
  ]
  store.attachments = [
    { node_id: node(10), product_id: ids.beans },
    { node_id: node(11), product_id: ids.manual },
    ...levels.slice(0, 10).map((level) => ({ node_id: node(level), product_id: ids.cup })),
    ...levels.map((level) => ({ node_id: node(level), product_id: ids.machine })),
  ]
  await publishStore(server, store)
})

const nodes = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => node(from + index))

it('node.nearest-ten-ancestors: REST returns up to ten ancestors, of eleven the nearest ten, the highest first', async () => {
  const { body } = await server.rest(
    'GET',
    listingPath(ids.catalog, ids.hierarchy, `filter=in(id,${ids.beans},${ids.manual})`),
  )
  const crumbs = Object.fromEntries(
    body.data.map((item: { id: string; meta: { bread_crumbs: object } }) => [item.id, item.meta.bread_crumbs]),
  )
  expect(crumbs).toEqual({ [ids.beans]: { [node(10)]: nodes(0, 9) }, [ids.manual]: { [node(11)]: nodes(1, 10) } })
})

it('node.latest-attachment-first: bread_crumb_nodes has up to ten nodes, the latest attachments first; bread_crumbs has all', async () => {
  const { body } = await server.rest(
    'GET',
    listingPath(ids.catalog, ids.hierarchy, `filter=in(id,${ids.cup},${ids.machine})`),
  )
  const returned = Object.fromEntries(
    body.data.map(({ id, meta }: { id: string; meta: { bread_crumbs: object; bread_crumb_nodes: string[] } }) => [
      id,
      [meta.bread_crumb_nodes, Object.keys(meta.bread_crumbs).length],
    ]),
  )
  expect(returned).toEqual({ [ids.cup]: [nodes(1, 10).reverse(), 10], [ids.machine]: [nodes(2, 11).reverse(), 11] })
})

it('node.nearest-ten-ancestors: GraphQL returns the same ancestors as REST', async () => {
  const { data } = await server.gql(
    `query ($id: ID!) { catalog(id: $id) { release(id: "latest") {
      manual: product(by: { id: "${ids.manual}" }) { breadCrumbs { node { key } ancestors { name } } }
      machine: product(by: { id: "${ids.machine}" }) { breadCrumbs { node { key } } }
    } } }`,
    { id: globalId('Catalog', ids.catalog) },
  )
  const { manual, machine } = data.catalog.release
  expect(manual.breadCrumbs).toEqual([
    { node: { key: node(11) }, ancestors: levels.slice(0, 10).map((level) => ({ name: `Node ${level}` })) },
  ])
  const last = machine.breadCrumbs.map(({ node: { key } }: { node: { key: string } }) => key)
  expect(last).toHaveLength(11)
  expect(last.slice(0, 10)).toEqual(nodes(2, 11).reverse())
})
