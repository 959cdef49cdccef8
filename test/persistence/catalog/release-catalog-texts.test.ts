import { expect, it, onTestFinished } from 'vitest'
import { readMigrations } from '../../../src/persistence/database/migrations.ts'
import { useDatabase } from '../../support/database.ts'

const { pool } = useDatabase()

it('the migration copies the current texts of a catalog to its published releases, and to no others', async () => {
  const migration = readMigrations().find(({ name }) => name.endsWith('_release_catalog_texts'))
  const client = await pool.connect()
  onTestFinished(async () => {
    await client.query('SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
    client.release()
  })
  await client.query('CREATE SCHEMA scratch; SET search_path TO scratch')
  await client.query(`CREATE TABLE catalog (id int, name text, description text, locales jsonb);
    CREATE TABLE release (id int, catalog_id int, status text);
    INSERT INTO catalog VALUES (1, 'Kettles', 'About', '{"de": {"name": "Kessel"}}'), (2, 'Mugs', NULL, NULL);
    INSERT INTO release VALUES (1, 1, 'published'), (2, 1, 'published'), (3, 1, 'failed'), (4, 2, 'published')`)
  await client.query(migration?.sql ?? '')
  const { rows } = await client.query(
    'SELECT id, catalog_name AS name, catalog_description AS description, catalog_locales AS locales FROM release ORDER BY id',
  )
  const kettles = { name: 'Kettles', description: 'About', locales: { de: { name: 'Kessel' } } }
  expect(rows).toEqual([
    { id: 1, ...kettles },
    { id: 2, ...kettles },
    { id: 3, name: null, description: null, locales: null },
    { id: 4, name: 'Mugs', description: null, locales: null },
  ])
})
