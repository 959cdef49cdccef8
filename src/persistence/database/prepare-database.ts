/** What a database needs before the first migration: UTF-8, the schema that DATABASE_URL names, and the extensions. */
import pg from 'pg'
import { schemaParameter } from '../../config/database-schema.ts'
import { EXTENSIONS, extensionHome, openSchema, UnusableDatabase } from './schema.ts'

/**
 * The advisory lock of this preparation, for stores in all schemas of the database. The number is arbitrary but must
 * not change.
 */
const LOCK = 7_262_005

/**
 * Creates the schema of `url` and the extensions where they are missing, once for servers that start together. Throws
 * UnusableDatabase, before any change, when the database is not in UTF-8 (database.unicode-only).
 */
export async function prepareDatabase(client: pg.ClientBase, url: string | undefined): Promise<void> {
  await assertUtf8(client)
  await client.query('SELECT pg_advisory_lock($1)', [LOCK])
  const schema = url === undefined ? null : schemaParameter(url)
  if (schema !== null) await createSchema(client, schema)
  await createExtensions(client)
  await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
}

async function assertUtf8(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "SELECT current_database() AS name, current_setting('server_encoding') AS encoding",
  )
  const [{ name, encoding } = { name: '', encoding: '' }] = rows
  if (encoding === 'UTF8') return
  const create = `CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`
  throw new UnusableDatabase(
    `The database ${name} is in the encoding ${encoding}, which lacks characters: make one in UTF-8 (${create}), and let DATABASE_URL name it.`,
  )
}

/** As Prisma's own commands do. The right to create is needed only where the schema is missing. */
async function createSchema(client: pg.ClientBase, schema: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  if (rowCount !== 0) return
  await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`).catch((cause: unknown) => {
    throw new Error(
      `The schema ${schema} of DATABASE_URL is not there and cannot be made: create it, or let its user create schemas in the database`,
      { cause },
    )
  })
  // The schema is there now, so the extensions may be created in it.
  await client.query(openSchema(schema))
}

async function createExtensions(client: pg.ClientBase): Promise<void> {
  const missing = EXTENSIONS.map(
    (name) => `IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = '${name}') THEN
    EXECUTE format('CREATE EXTENSION ${name} SCHEMA %I', ${extensionHome('current_schema()')}); END IF;`,
  )
  await client.query(`DO $$ BEGIN ${missing.join(' ')} END $$`).catch((cause: unknown) => {
    const create = EXTENSIONS.map((name) => `CREATE EXTENSION ${name}`).join('; ')
    throw new Error(
      `The database needs the extensions ${EXTENSIONS.join(' and ')}: install PostgreSQL's contrib modules on its server, and let its owner run ${create}`,
      { cause },
    )
  })
}
