/**
 * Release summaries: what is recorded of a publish and its result, apart from the products.
 *
 * SQL, since a publish reads them on its own connection, and one statement reads each with its activations.
 */
import type { Carry } from '../../domain/catalog/carry.ts'
import type { Activation } from '../../domain/catalog/release-activation.ts'
import { type ReleaseSummary, type ReleaseWarning, WARNINGS_MAX } from '../../domain/catalog/release-summary.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import type { Release as Row } from '../../generated/prisma/client.ts'
import type { LoggedTable } from '../database/change-log.ts'
import { epochMs, selectItem } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { namedQuery, type Queryable } from '../database/query.ts'
import type { Transaction } from '../database/transaction.ts'
import type { KeysetList } from '../loading/keyset.ts'

/** The table of releases as the change log has them: published and deleted ones. */
export const releaseTable: LoggedTable<ReleaseSummary> = { model: 'release', scopeOf: ({ catalogId }) => catalogId }
/**
 * The table for changes of schedules and names, which are logged without a scope, since subscribers of the catalog must
 * not learn of them.
 */
export const scheduledReleaseTable: LoggedTable<ReleaseSummary> = { model: 'release' }

const members = [
  'id',
  'catalogId',
  'sequence',
  'status',
  'name',
  'renamedAt',
  'hierarchyIds',
  'productCount',
  'nodeCount',
  'startedAt',
  'publishedAt',
  'notes',
] as const satisfies (keyof Row)[]

/** The columns of a summary. */
type SummaryRow = Pick<Row, (typeof members)[number]> & {
  readonly activations: readonly Activation[] | null
  readonly carriedInto: string | null
}

/** The error or warnings of a publish, as stored in `release.notes`. */
interface ReleaseNotes {
  readonly error?: string
  readonly warnings?: readonly ReleaseWarning[]
  readonly warning_count?: number
  readonly carries?: readonly Carry[]
  readonly shown_early?: readonly ReleaseWarning[]
}

/** The summary of a row. */
export function fromRow(row: SummaryRow): ReleaseSummary {
  const notes = (row.notes ?? {}) as ReleaseNotes
  const early = notes.shown_early ?? []
  return {
    id: row.id,
    catalogId: row.catalogId,
    sequence: Math.max(row.sequence, 0),
    status: row.status as ReleaseSummary['status'],
    name: row.name,
    renamedAt: row.renamedAt?.getTime() ?? null,
    hierarchyIds: row.hierarchyIds,
    productCount: row.productCount,
    nodeCount: row.nodeCount,
    startedAt: row.startedAt.getTime(),
    publishedAt: row.status === 'draft' ? null : (row.publishedAt?.getTime() ?? null),
    error: notes.error ?? null,
    warnings: [...early, ...(notes.warnings ?? [])].slice(0, WARNINGS_MAX),
    warningCount: early.length + (notes.warning_count ?? 0),
    activations: row.activations ?? [],
    carries: notes.carries ?? [],
    carriedInto: row.carriedInto,
  }
}

const columns = `${selectItem(...members)}, (
  SELECT json_agg(json_build_object('at', ${epochMs('a.effective_at')}, 'scheduled', a.scheduled)
    ORDER BY a.effective_at, a.id) FROM release_activation a WHERE a.release_id = i.id) AS activations,
  (SELECT p.carried_into FROM published_release p WHERE p.id = i.id) AS "carriedInto"`

const byIds = `SELECT ${columns} FROM release i WHERE i.id = ANY ($1::uuid[]) AND i.status <> 'retired'`

/** The summary of a release, on a given connection; null when there is none or it is retired. One statement. */
export async function readSummary(on: Queryable, id: string): Promise<ReleaseSummary | null> {
  const [row] = await namedQuery<SummaryRow>(on, 'release_summaries', byIds, [[id]])
  return row ? fromRow(row) : null
}

/**
 * The id of the catalog that published a release, even one that is deleted by now; null when none did. One statement.
 */
export async function catalogOfPublished(on: Queryable, id: string): Promise<string | null> {
  const sql = 'SELECT catalog_id AS "catalogId" FROM published_release WHERE id = $1'
  const [row] = await namedQuery<{ catalogId: string }>(on, 'release_published', sql, [id])
  return row?.catalogId ?? null
}

/** The id of the release that has the schedule of another one now; null for none. One statement. */
export async function carriedInto(on: Queryable, id: string): Promise<string | null> {
  const sql = 'SELECT carried_into AS "into" FROM published_release WHERE id = $1'
  const [row] = await namedQuery<{ into: string | null }>(on, 'release_carried_into', sql, [id])
  return row?.into ?? null
}

/** The ids of the releases that have the schedules of others now, by the ids of these. One statement. */
export async function readCarriedInto(
  database: Database,
  ids: readonly string[],
): Promise<{ id: string; into: string }[]> {
  const sql =
    'SELECT id, carried_into AS "into" FROM published_release WHERE id = ANY ($1::uuid[]) AND carried_into IS NOT NULL'
  return database.query('releases_carried_into', sql, [ids])
}

/**
 * Stores what a publish carried into scheduled releases, and what it shows of them early, in the place of what it did
 * before. A restore has no `shownEarly`, and leaves that of the publish. One statement.
 */
export async function saveCarries(
  on: Queryable,
  id: string,
  carries: readonly Carry[],
  shownEarly?: readonly ReleaseWarning[],
): Promise<void> {
  const names = ['carries', ...(shownEarly ? ['shown_early'] : [])]
  const stored = {
    ...(carries.length > 0 && { carries }),
    ...(shownEarly && shownEarly.length > 0 && { shown_early: shownEarly }),
  }
  const text = `UPDATE release SET notes = notes - $3::text[] || $2::jsonb WHERE id = $1 AND (notes ?| $3::text[] OR $2::jsonb <> '{}')`
  await on.query(text, [id, JSON.stringify(stored), names])
}

/** Names a release, at its publish with `renamedAt` null, else epoch milliseconds. One statement. */
export async function saveName(
  on: Queryable,
  id: string,
  { name, renamedAt }: Pick<ReleaseSummary, 'name' | 'renamedAt'>,
): Promise<void> {
  const at = renamedAt === null ? null : new Date(renamedAt)
  await on.query('UPDATE release SET name = $2, renamed_at = $3 WHERE id = $1', [id, name, at])
}

/** As `catalogOfPublished`, inside a transaction. One statement. */
export async function catalogOfPublishedIn(tx: Transaction, id: string): Promise<string | null> {
  return (await tx.publishedRelease.findUnique({ where: { id } }))?.catalogId ?? null
}

/** The summaries of the releases that are not retired. One statement. */
export async function readSummaries(database: Database, ids: readonly string[]): Promise<ReleaseSummary[]> {
  return (await database.query<SummaryRow>('release_summaries', byIds, [ids])).map(fromRow)
}

const scheduledOfCatalogs = `SELECT ${columns} FROM release_activation s JOIN release i ON i.id = s.release_id
  WHERE s.catalog_id = ANY ($1::uuid[]) AND s.scheduled AND s.effective_at > $2::timestamptz ORDER BY s.effective_at, s.id`

/**
 * The releases of catalogs that are scheduled after `now`, epoch milliseconds, in the order of their instants. One
 * statement.
 */
export async function readScheduled(
  database: Database,
  catalogIds: readonly string[],
  now: number,
): Promise<ReleaseSummary[]> {
  return (
    await database.query<SummaryRow>('scheduled_releases', scheduledOfCatalogs, [catalogIds, formatInstant(now)])
  ).map(fromRow)
}

/** The instant from which a release is public, or will be; -infinity without activations or with an immediate one. */
const visibleFrom = `SELECT coalesce(min(CASE WHEN a.scheduled THEN a.effective_at ELSE '-infinity' END), '-infinity') AS visible_from
  FROM release_activation a WHERE a.release_id = r.id`

/** A catalog's releases that are public at an instant, newest first. `now` is epoch milliseconds. */
export function publicReleases(now: number): KeysetList<SummaryRow> {
  const sql = (instant: string) => `EXISTS (SELECT FROM release_activation a
    WHERE a.release_id = i.id AND (NOT a.scheduled OR a.effective_at <= ${instant}::timestamptz))`
  return { ...releasesWhere(`status = 'published'`), where: { sql, value: formatInstant(now) } }
}

/**
 * A catalog's releases that are not retired, newest first: for admins. Without its draft, and without releases that
 * were scheduled and carried into others.
 */
export const recordedReleases = releasesWhere(`status NOT IN ('retired', 'draft') AND NOT (
  status = 'published' AND NOT EXISTS (SELECT FROM release_activation a WHERE a.release_id = r.id))`)

function releasesWhere(condition: string): KeysetList<SummaryRow> {
  return {
    from: `(SELECT * FROM release r CROSS JOIN LATERAL (${visibleFrom}) v WHERE ${condition}) i`,
    parent: 'i.catalog_id',
    columns,
    order: [
      { column: 'i.sequence', type: 'int8' },
      { column: 'i.id', type: 'uuid' },
    ],
    descending: true,
  }
}

/**
 * The last instant up to `now` at which a release of any catalog became public; null for none. Epoch milliseconds. One
 * statement.
 */
export async function newestPublication(database: Database, now: number): Promise<number | null> {
  const text =
    "SELECT max(published_at) AS newest FROM release WHERE status = 'published' AND published_at <= $1::timestamptz"
  const [row] = await database.query<{ newest: Date | null }>('release_newest', text, [formatInstant(now)])
  return row?.newest?.getTime() ?? null
}
