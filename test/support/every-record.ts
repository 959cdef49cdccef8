/** Every record: a store that has several records of every kind, and something in every list of the graph. */
import { expect } from 'vitest'
import { globalId } from '../../src/graphql/schema/ids.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { insertHiddenStore } from './hidden-store.ts'
import { runImport } from './import.ts'
import { books, send } from './import-jobs.ts'
import { mutate } from './mutations.ts'
import { recordTables } from './node-tables.ts'
import type { TestServer } from './server.ts'

const LATEST = `latest_release(c.id, 'infinity')`

/** The ids of each type that is a Node. */
const tables: Readonly<Record<string, string>> = {
  ...recordTables,
  CatalogHierarchy: `SELECT ${LATEST} || ':' || n.id AS id FROM catalog c, catalog_node n WHERE n.parent_id IS NULL AND ${LATEST} IS NOT NULL`,
  CatalogNode: `SELECT ${LATEST} || ':' || n.id AS id FROM catalog c, catalog_node n WHERE n.parent_id IS NOT NULL AND ${LATEST} IS NOT NULL`,
  CatalogProduct: `SELECT ${LATEST} || ':' || p.id AS id FROM catalog c, product p WHERE ${LATEST} IS NOT NULL`,
  Release: `SELECT ${LATEST}::text AS id FROM catalog c WHERE ${LATEST} IS NOT NULL`,
  Webhook: 'SELECT id::text FROM webhook',
}

const demo = (kind: string, n = 1): string => `c0ffee00-00${kind}-4000-8000-00000000000${n}`
const extra = (kind: number, n: number): string => `0199e000-0000-7000-8000-0000000000${kind}${n}`
const ofEach = (make: (n: number) => object): object[] => [1, 2, 3].map(make)
const refs = (type: string, id: (n: number) => string) => ({ data: ofEach((n) => ({ type, id: id(n) })) })

/** At least three of all that the demo store has fewer of. All are made at one instant, so that ids break ties. */
const more = (option: string): object[] => [
  ...ofEach((n) => ({
    type: 'subscription_plan',
    id: extra(1, n),
    attributes: {
      name: `Plan ${n}`,
      billing_interval_type: 'month',
      billing_frequency: 1,
      plan_length: 12,
      end_behavior: 'roll',
      trial_period: 0,
      can_pause: true,
      can_resume: true,
      can_cancel: true,
    },
  })),
  ...ofEach((n) => ({
    type: 'subscription_offering',
    id: extra(2, n),
    attributes: { name: `Offering ${n}` },
    relationships: {
      products: refs('subscription_product', (product) => demo('0b', product)),
      plans: refs('subscription_plan', (plan) => extra(1, plan)),
    },
  })),
  ...ofEach((n) => ({
    type: 'catalog',
    id: extra(4, n),
    attributes: { name: `Catalog ${n}`, hierarchy_ids: [demo('07')], pricebook_ids: [{ id: demo('01'), priority: 1 }] },
  })),
  { type: 'catalog-release', attributes: { catalog_id: extra(4, 1) } },
  ...ofEach((n) => ({
    type: 'product',
    id: extra(3, n),
    attributes: {
      name: `Bundle ${n}`,
      status: 'live',
      components: { main: { name: 'Main', options: [{ id: option, quantity: 1 }] } },
    },
  })),
  ...ofEach((n) => ({
    type: 'node',
    attributes: { name: `Node ${n}` },
    relationships: {
      parent: { data: { type: 'hierarchy', id: demo('07') } },
      products: { data: [option, extra(3, 1), extra(3, 2), extra(3, 3)].map((id) => ({ type: 'product', id })) },
    },
  })),
  ...ofEach((n) => ({
    type: 'label',
    id: extra(5, n),
    attributes: { kind: 'sale', key: `Sale ${n}`, locales: { de: { name: `Verkauf ${n}` } } },
  })),
  ...ofEach((n) => ({ type: 'catalog_rule', attributes: { name: `Rule ${n}`, catalog_id: extra(4, 1) } })),
  ...ofEach(() => ({ type: 'catalog-release', attributes: { catalog_id: extra(4, 1) } })),
]

/** The catalog with several releases. */
export const publishedCatalog = extra(4, 1)

/** Fills the database of the server. */
export async function insertEveryRecord(server: TestServer, database: Database): Promise<void> {
  await insertHiddenStore(server)
  const { rows: products } = await database.pool.query<{ id: string }>(`SELECT id FROM product WHERE sku = 'ETH-YIRG'`)
  expect(await runImport(server.services, more(products[0]?.id ?? ''))).toMatchObject({ fine: true, refused: [] })
  for (const name of ['Ada', 'Bob', 'Eve']) {
    const ids = { account_id: demo('ac'), offering_id: extra(2, 1), plan_id: extra(1, 1) }
    const data = { ...ids, currency: 'USD', name, email: 'somebody@example.com' }
    const { body } = await server.rest('POST', '/v2/subscriptions/subscriptions', { body: { data } })
    const terms = { id: body.data.id, planId: extra(1, 1), at: { moment: 'PERIOD_END' }, allowUnpriced: true }
    await mutate(server, 'changeSubscription', terms, 'subscription { id }')
    for (const action of ['pause', 'resume', 'cancel']) {
      const state = { data: { type: 'subscription_state', attributes: { action } } }
      await server.rest('POST', `/v2/subscriptions/subscriptions/${body.data.id}/states`, { body: state })
    }
  }
  for (const n of [1, 2, 3]) {
    const given = { url: `https://example.com/${n}`, topics: ['PRODUCT'] }
    await mutate(server, 'createWebhook', given, 'webhookSecret { webhook { id } }')
  }
  for (const name of ['One', 'Two', 'Three']) await send(server, books(name))
  await database.pool.query(`INSERT INTO webhook_event (webhook_id, change_id, record_id, attempts)
    SELECT webhook.id, c.id, c.record_id, 12 FROM webhook, (SELECT id, record_id FROM change ORDER BY id LIMIT 7) c`)
  // As if everything had been written three times.
  const columns = 'xid, topic, scope, record_id, operation, subject, role, before, after, created_at'
  await database.pool.query(
    `INSERT INTO change (${columns}) SELECT ${columns} FROM change, generate_series(1, 2) ORDER BY id`,
  )
}

/** The global ids of all objects, by their type. */
export async function idsByType(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [type, text] of Object.entries(tables)) {
    const { rows } = await database.pool.query<{ id: string }>(text)
    found[type] = rows.map(({ id }) => globalId(type, id))
  }
  return found
}
