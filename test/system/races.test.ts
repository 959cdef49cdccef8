/**
 * Race conditions: fifty simultaneous clients over real connections, of which one succeeds and the others get an error.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { useDatabase } from '../support/database.ts'
import { seen } from '../support/hidden-store.ts'
import { runImport } from '../support/import.ts'
import { useServer } from '../support/server.ts'

const CLIENTS = 50
const database = useDatabase()
const server = useServer(database)
const all = <T>(work: (client: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
const count = async (table: string): Promise<number> =>
  (await database.pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count

beforeAll(async () => {
  const { fine, refused } = await runImport(
    server.services,
    readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'),
  )
  expect([fine, refused]).toEqual([true, []])
})

const subscription = {
  account_id: seen.ownAccount,
  offering_id: seen.offering,
  plan_id: seen.plan,
  currency: 'USD',
  name: 'Jane',
  email: 'jane@example.com',
}
const subscribe = (key: string, given: object = {}) =>
  server.rest('POST', '/v2/subscriptions/subscriptions', {
    body: { data: { ...subscription, ...given } },
    headers: { 'idempotency-key': key },
  })

test('write.idempotency-key: simultaneous calls with one key have one effect and all get the first result, also later', async () => {
  const before = await count('subscription')
  const replies = await all(() => subscribe('one'))
  expect([...new Set(replies.map(({ status }) => status))]).toEqual([201])
  expect(new Set([...replies, await subscribe('one')].map(({ text }) => text)).size).toBe(1)
  expect(await count('subscription')).toBe(before + 1)
})

test('write.idempotency-key: of simultaneous calls with one key and two inputs one succeeds and the other is refused', async () => {
  const before = await count('subscription')
  const replies = await all((client) => subscribe('two', { name: client % 2 ? 'Jane' : 'John' }))
  const names = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
  expect(names.size).toBe(1)
  const refused = replies.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(CLIENTS / 2)
  expect([...new Set(refused.map(({ status, body }) => `${status} ${body.errors[0].code}`))]).toEqual([
    '409 IDEMPOTENCY_MISMATCH',
  ])
  expect(await count('subscription')).toBe(before + 1)
})

test("subscription.allowed-actions: of simultaneous changes of a subscription's state one gets 204, the others 409, and one action is stored", async () => {
  const { id } = (await subscribe('to be canceled')).body.data
  for (const action of ['pause', 'cancel']) {
    const before = await count('subscription_state')
    const replies = await all(() =>
      server.rest('POST', `/v2/subscriptions/subscriptions/${id}/states`, {
        body: { data: { type: 'subscription_state', attributes: { action } } },
      }),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: CLIENTS - 1 }, () => 409)])
    expect(await count('subscription_state')).toBe(before + 1)
  }
})

async function createNode(parentId: string, name: string): Promise<{ id: string; updatedAt: string }> {
  const made = await server.gql(
    'mutation($input: CreateNodeInput!) { createNode(input: $input) { node { id updatedAt } userErrors { message } } }',
    { input: { parentId, name } },
  )
  expect(made.data.createNode.userErrors).toEqual([])
  return made.data.createNode.node
}
const move = async (input: object): Promise<{ code: string }[]> => {
  const moved = await server.gql(
    'mutation($input: MoveNodeInput!) { moveNode(input: $input) { node { id } userErrors { code } } }',
    {
      input,
    },
  )
  expect(moved.errors).toBeUndefined()
  return moved.data.moveNode.userErrors
}

test('write.if-updated-at: of simultaneous moves of a node with one ifUpdatedAt one succeeds, the others are STALE', async () => {
  const parents = await all((client) => createNode(seen.hierarchy, `Parent ${client}`))
  const { id, updatedAt: ifUpdatedAt } = await createNode(seen.hierarchy, 'Wanderer')
  const outcomes = await all((client) => move({ id, parentId: parents[client]?.id, ifUpdatedAt }))
  expect(outcomes.filter((errors) => errors.length === 0)).toHaveLength(1)
  expect(outcomes.filter(([error]) => error?.code === 'STALE')).toHaveLength(CLIENTS - 1)
})

test('node.never-below-itself: simultaneous moves of nodes under each other never make a cycle', async () => {
  const nodes = await Promise.all(Array.from({ length: 6 }, (_, n) => createNode(seen.hierarchy, `Ring ${n}`)))
  const outcomes = await all((client) =>
    move({ id: nodes[client % 6]?.id, parentId: nodes[(client * 5 + 1 + Math.floor(client / 6)) % 6]?.id }),
  )
  expect(outcomes.some((errors) => errors.length === 0)).toBe(true)
  expect([...new Set(outcomes.flat().map(({ code }) => code))].filter((code) => code !== 'CYCLE')).toEqual([])
  const { rows } = await database.pool.query(`
    WITH RECURSIVE up AS (
      SELECT id, parent_id, 1 AS steps FROM catalog_node
      UNION ALL SELECT up.id, n.parent_id, steps + 1 FROM up JOIN catalog_node n ON n.id = up.parent_id WHERE steps < 100
    ) SELECT max(steps)::int AS deepest, count(*) FILTER (WHERE steps = 100)::int AS endless FROM up`)
  expect([rows[0].endless, rows[0].deepest < 20]).toEqual([0, true])
})

test('sale.schedules-differ: of simultaneous sales with one schedule one is added, the others are refused', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT p.id FROM product_price p WHERE NOT EXISTS (SELECT FROM sale s WHERE s.product_price_id = p.id) LIMIT 1',
  )
  const outcomes = await all(async (client) => {
    const input = {
      productPriceId: rows[0]?.id,
      name: `Sale ${client}`,
      schedule: { validFrom: '2030-01-01T00:00:00Z', validTo: '2030-02-01T00:00:00Z' },
      prices: [],
    }
    const added = await server.gql(
      'mutation($input: AddSaleInput!) { addSale(input: $input) { sale { id } userErrors { code } } }',
      {
        input,
      },
    )
    expect(added.errors).toBeUndefined()
    return added.data.addSale
  })
  expect(outcomes.filter(({ sale }) => sale)).toHaveLength(1)
  expect([
    ...new Set(outcomes.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))),
  ]).toEqual(['SALE_SCHEDULE_DUPLICATE'])
})
