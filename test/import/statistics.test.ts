import { expect, it } from 'vitest'
import { refreshChanged, refreshStatistics } from '../../src/persistence/planner-statistics.ts'
import { useDatabase } from '../support/database.ts'
import { fullStore } from '../support/full-store.ts'
import { runImport } from '../support/import.ts'
import { publish } from '../support/published.ts'
import type { TestServer } from '../support/server.ts'
import { servicesOf } from '../support/services.ts'
import { insertCatalog, insertStore } from '../support/store.ts'

const database = useDatabase()

it('after an import the planner statistics have the approximate number of rows', async () => {
  const book = { type: 'pricebook', attributes: { name: 'Book', external_ref: 'b' } }
  const prices = Array.from({ length: 5_000 }, (_, index) => ({
    type: 'product-price',
    pricebook_external_ref: 'b',
    attributes: { sku: `S-${index}`, currencies: { USD: { amount: index } } },
  }))
  expect((await runImport(servicesOf(database), [book, ...prices])).fine).toBe(true)
  const target = async () => (await database.pool.query('SHOW default_statistics_target')).rows
  const before = await target()
  await refreshStatistics(database)
  expect(await target()).toEqual(before)
  // Never looked at is -1.
  const rows = async (table: string) =>
    (await database.pool.query('SELECT reltuples FROM pg_class WHERE relname = $1', [table])).rows
  expect(await rows('product_price')).toEqual([{ reltuples: 5_000 }])
  expect(await rows('catalog_price_book')).toEqual([{ reltuples: 0 }])
})

it.runIf(database.kind === 'embedded')('an import vacuums a table that was emptied [embedded only]', async () => {
  const { pool } = database
  const pages = async () => (await pool.query("SELECT relpages FROM pg_class WHERE relname = 'label'")).rows
  await pool.query(`
    INSERT INTO label (id, kind, key, created_at, updated_at)
    SELECT gen_random_uuid(), 'tag', 'A' || n, now(), now() FROM generate_series(1, 1000) n`)
  // The database's own vacuum may come at any moment, once in a minute.
  await pool.query('ALTER TABLE label SET (autovacuum_enabled = false)')
  await pool.query('DELETE FROM label')
  await pool.query('ANALYZE label')
  expect((await pages())[0].relpages).toBeGreaterThan(0)
  await refreshStatistics(database)
  expect(await pages()).toEqual([{ relpages: 0 }])
  await pool.query('ALTER TABLE label RESET (autovacuum_enabled)')
})

it('a locked table does not make an import fail or wait', async () => {
  const holder = database.kind === 'server' ? await database.pool.connect() : null
  try {
    await holder?.query('BEGIN; LOCK TABLE sale IN SHARE UPDATE EXCLUSIVE MODE')
    await refreshStatistics(database)
  } finally {
    await holder?.query('ROLLBACK')
    holder?.release()
  }
})

it('before a publish the statistics of a table are refreshed once more rows have changed than 50 and a tenth of it', async () => {
  const client = await database.pool.connect()
  const add = (count: number) =>
    client.query(
      `INSERT INTO product (id, name, slug, status, created_at, updated_at)
       SELECT gen_random_uuid(), 'A', gen_random_uuid(), 'live', now(), now() FROM generate_series(1, $1)`,
      [count],
    )
  const known = async () =>
    (await client.query("SELECT reltuples FROM pg_class WHERE relname = 'product'")).rows[0].reltuples
  const target = async () => (await client.query('SHOW default_statistics_target')).rows
  try {
    // A server's own refresh may come at any moment, once in a minute.
    await client.query('ALTER TABLE product SET (autovacuum_enabled = false)')
    await add(500)
    await refreshChanged(client)
    const before = await target()
    await add(111)
    await refreshChanged(client)
    expect(await known()).toBe(500)
    await add(1)
    await refreshChanged(client)
    expect(await known()).toBe(612)
    expect(await target()).toEqual(before)
  } finally {
    await client.query('ALTER TABLE product RESET (autovacuum_enabled)')
    client.release()
  }
})

it('statistics that can not be refreshed stop no publish', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT 1 / 0').catch(() => {})
    await expect(client.query('SELECT')).rejects.toThrow('aborted')
    await refreshChanged(client)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})

it('after a publish the planner statistics have the texts that a search compares', async () => {
  const { pool } = database
  const server = { services: servicesOf(database), now: Date.UTC(2030, 0, 1) } as TestServer
  await insertStore(database, { ...fullStore(), catalogs: [] })
  // An earlier refresh has seen these tables empty.
  await pool.query('ANALYZE search_text, document_search_text')
  const [catalog] = fullStore().catalogs
  if (catalog) await insertCatalog(database, catalog)
  await publish(server, catalog?.id ?? '')
  for (const table of ['search_text', 'document_search_text']) {
    const known = await pool.query('SELECT reltuples FROM pg_class WHERE relname = $1', [table])
    const found = await pool.query(`SELECT count(*)::int AS reltuples FROM ${table}`)
    expect(found.rows[0].reltuples).toBeGreaterThan(0)
    expect(known.rows).toEqual(found.rows)
  }
})
