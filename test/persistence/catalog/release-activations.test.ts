import { expect, it, onTestFinished } from 'vitest'
import { readMigrations } from '../../../src/persistence/database/migrations.ts'
import { useDatabase } from '../../support/database.ts'

const { pool } = useDatabase()
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A connection to a schema of its own, which is dropped when the test ends, and the statements of a migration. */
async function scratch(name: string) {
  const migration = readMigrations().find((one) => one.name.endsWith(name))
  const client = await pool.connect()
  onTestFinished(async () => {
    await client.query('SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
    client.release()
  })
  await client.query('CREATE SCHEMA scratch; SET search_path TO scratch')
  return { client, migrate: () => client.query(migration?.sql ?? '') }
}

it('the migration of activations keeps each latest release, and before it the published ones in the order of their publishes', async () => {
  const { client, migrate } = await scratch('_release_activations')
  await client.query(`CREATE TABLE catalog (id uuid PRIMARY KEY, latest_release_id uuid);
    CREATE TABLE release (id uuid PRIMARY KEY, catalog_id uuid, sequence int, status text, started_at timestamptz, published_at timestamptz);
    CREATE FUNCTION note_publications() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER release_published_note AFTER UPDATE ON release FOR EACH STATEMENT EXECUTE FUNCTION note_publications()`)
  // Of the first catalog the third publish is the latest, whose clock was behind; the fourth failed. The second has no
  // release left.
  await client.query(`INSERT INTO catalog VALUES ($1, $4), ($2, NULL), ($3, $5)`, [id(1), id(2), id(3), id(13), id(31)])
  await client.query(
    `INSERT INTO release VALUES
      ($1, $7, 1, 'published', '2026-01-01', '2026-01-01'), ($2, $7, 2, 'published', '2026-01-03', '2026-01-03'),
      ($3, $7, 3, 'published', '2026-01-02', '2026-01-02'), ($4, $7, 4, 'failed', '2026-01-04', NULL),
      ($5, $8, 1, 'retired', '2026-01-01', '2026-01-01'), ($6, $9, 1, 'published', '2026-01-05', '2026-01-05')`,
    [id(11), id(12), id(13), id(14), id(21), id(31), id(1), id(2), id(3)],
  )
  await migrate()
  const { rows } = await client.query(
    `SELECT release_id, effective_at::date::text AS day, scheduled FROM release_activation ORDER BY id`,
  )
  expect(rows).toEqual([
    { release_id: id(11), day: '2026-01-01', scheduled: false },
    { release_id: id(12), day: '2026-01-03', scheduled: false },
    { release_id: id(13), day: '2026-01-03', scheduled: false },
    { release_id: id(31), day: '2026-01-05', scheduled: false },
  ])
  const latest = await client.query(`SELECT latest_release(id, '2000-01-01') AS id FROM catalog ORDER BY catalog.id`)
  expect(latest.rows).toEqual([{ id: id(13) }, { id: null }, { id: id(31) }])
})

it('the migration of activations finds in the change log which releases were restored', async () => {
  const { client, migrate } = await scratch('_restored_releases')
  await client.query(`CREATE TABLE release_activation (id int, release_id uuid);
    CREATE TABLE change (topic text, operation text, record_id uuid)`)
  await client.query(`INSERT INTO release_activation VALUES (1, $1), (2, $2), (3, $3)`, [id(11), id(12), id(13)])
  await client.query(
    `INSERT INTO change VALUES ('release', 'publishRelease', $1), ('release', 'publishRelease', $2), ('release', 'restoreRelease', $2),
      ('catalog', 'restoreRelease', $3)`,
    [id(11), id(12), id(13)],
  )
  await migrate()
  const { rows } = await client.query('SELECT id, restored FROM release_activation ORDER BY id')
  expect(rows.map(({ restored }) => restored)).toEqual([false, true, false])
})

it('release.published-when-public: the migration of activations gives releases that were scheduled their instants, and leaves others', async () => {
  const { client, migrate } = await scratch('_published_when_public')
  await client.query(`CREATE TABLE release (id uuid PRIMARY KEY, status text, published_at timestamptz);
    CREATE TABLE release_activation (id int, release_id uuid, effective_at timestamptz, scheduled boolean, restored boolean)`)
  await client.query(`INSERT INTO release SELECT id, 'published', '2026-01-01' FROM unnest($1::uuid[]) AS r (id)`, [
    [11, 12, 13, 14].map(id),
  ])
  await client.query(
    `INSERT INTO release_activation VALUES (1, $1, '2026-01-01 00:00:01', false, false), (2, $2, '2026-01-05', true, false),
      (3, $2, '2026-01-07', true, true), (4, $3, '2026-01-09', true, true)`,
    [id(11), id(12), id(13)],
  )
  await migrate()
  const { rows } = await client.query('SELECT published_at::date::text AS day FROM release ORDER BY id')
  expect(rows.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-05', '2026-01-01', '2026-01-01'])
})
