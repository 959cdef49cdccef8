/**
 * Schema of the tables: which schema of a database it is (database.one-schema), and what keeps stores in several
 * schemas apart (database.stores-apart).
 *
 * SQL names no schema, since each session has the search path; Prisma names it in each statement.
 */
import pg from 'pg'
import { isSchemaName } from '../../config/database-schema.ts'

/** The database can't hold a store as it is. The message is for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/** The extensions that a store needs. */
export const EXTENSIONS = ['pg_trgm', 'unaccent']

/**
 * The schema in which a missing extension is created, as SQL: `public`, which outlives each store, or else `own`, the
 * schema of the store.
 */
export function extensionHome(own: string): string {
  return `CASE WHEN has_schema_privilege(to_regnamespace('public'), 'USAGE') THEN 'public' ELSE ${own} END`
}

/**
 * The statement that lets a session find the tables of a schema first and the extensions behind it; its row has the
 * `schema`. Without `named` it is the one in which PostgreSQL creates tables: the first existing one on the session's
 * search path.
 */
export function openSchema(named: string | undefined): string {
  return `
    SELECT own.name AS schema, set_config('search_path', concat_ws(', ', quote_ident(own.name), (
      SELECT string_agg(DISTINCT quote_ident(home), ', ') FROM unnest(ARRAY[${EXTENSIONS.map(pg.escapeLiteral).join(', ')}]) needed
      LEFT JOIN pg_extension e ON e.extname = needed LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
      CROSS JOIN LATERAL (SELECT coalesce(n.nspname::text, ${extensionHome('own.name')})) h (home)
      WHERE home <> own.name)), false)
    FROM (SELECT ${named === undefined ? 'current_schema()' : pg.escapeLiteral(named)}::text) own (name)`
}

/**
 * The schema that a session of `openSchema` uses. Throws UnusableDatabase when its search path leads to none that
 * Prisma reads.
 */
export function readSchema({ rows }: pg.QueryResult): string {
  const { schema } = rows[0] as { readonly schema: string | null }
  if (schema === null)
    throw new UnusableDatabase(
      'The search path of the database names no schema that is there: create it, or name one by ?schema= in DATABASE_URL',
    )
  if (!isSchemaName(schema))
    throw new UnusableDatabase(
      `Tables cannot be in the schema ${schema}: name another by ?schema= in DATABASE_URL, or change the search path`,
    )
  return schema
}

/** The two keys of an advisory lock, as SQL. Locks span the database, so the second key is the schema. */
export function advisoryLock(key: number): string {
  return `${key}, hashtext(current_schema())`
}

/** The channel on which writers wake the change feeds of all servers, as SQL; channels span the database too. */
export const CHANGE_CHANNEL = "'commerce_graph_change_' || hashtext(current_schema())"
