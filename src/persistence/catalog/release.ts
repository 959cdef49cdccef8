/** Release summaries: what is recorded of a publish and its result, apart from the products.
 *
 *  SQL, since a publish reads them on its own connection, and each with its activations in one statement. */
import type { Activation } from '../../domain/catalog/release-activation.ts'
import type { ReleaseSummary, ReleaseWarning } from '../../domain/catalog/release-summary.ts'
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
/** The table for changes of schedules, which are logged without a scope, since subscribers of the catalog must not learn of them. */
export const scheduledReleaseTable: LoggedTable<ReleaseSummary> = { model: 'release' }

const members = [
  'id',
  'catalogId',
  'sequence',
  'status',
  'hierarchyIds',
  'productCount',
  'nodeCount',
  'startedAt',
  'publishedAt',
  'notes',
] as const satisfies (keyof Row)[]

/** The columns of a summary. */
type SummaryRow = Pick<Row, (typeof members)[number]> & { readonly activations: readonly Activation[] | null }

/** The error or warnings of a publish, as stored in `release.notes`. */
interface ReleaseNotes {
  readonly error?: string
  readonly warnings?: readonly ReleaseWarning[]
  readonly warning_count?: number
}

/** The summary of a row. */
export function fromRow(row: SummaryRow): ReleaseSummary {
  const notes = (row.notes ?? {}) as ReleaseNotes
  return {
    id: row.id,
    catalogId: row.catalogId,
    sequence: Math.max(row.sequence, 0),
    status: row.status as ReleaseSummary['status'],
    hierarchyIds: row.hierarchyIds,
    productCount: row.productCount,
    nodeCount: row.nodeCount,
    startedAt: row.startedAt.getTime(),
    publishedAt: row.status === 'draft' ? null : (row.publishedAt?.getTime() ?? null),
    error: notes.error ?? null,
    warnings: notes.warnings ?? [],
    warningCount: notes.warning_count ?? 0,
    activations: row.activations ?? [],
  }
}

const columns = `${selectItem(...members)}, (
  SELECT json_agg(json_build_object('at', ${epochMs('a.effective_at')}, 'scheduled', a.scheduled)
    ORDER BY a.effective_at, a.id) FROM release_activation a WHERE a.release_id = i.id) AS activations`

const byIds = `SELECT ${columns} FROM release i WHERE i.id = ANY ($1::uuid[]) AND i.status <> 'retired'`

/** The summary of a release, on a given connection; null when there is none or it is retired. One statement. */
export async function readSummary(on: Queryable, id: string): Promise<ReleaseSummary | null> {
  const [row] = await namedQuery<SummaryRow>(on, 'release_summaries', byIds, [[id]])
  return row ? fromRow(row) : null
}

/** The id of the catalog that published a release, even one that is deleted by now; null when none did. One statement. */
export async function catalogOfPublished(on: Queryable, id: string): Promise<string | null> {
  const sql = 'SELECT catalog_id AS "catalogId" FROM published_release WHERE id = $1'
  const [row] = await namedQuery<{ catalogId: string }>(on, 'release_published', sql, [id])
  return row?.catalogId ?? null
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

/** The releases of catalogs that are scheduled after `now`, epoch milliseconds, in the order of their instants. One statement. */
export async function readScheduled(database: Database, catalogIds: readonly string[], now: number): Promise<ReleaseSummary[]> {
  return (await database.query<SummaryRow>('scheduled_releases', scheduledOfCatalogs, [catalogIds, formatInstant(now)])).map(fromRow)
}

/** The instant from which a release is public, or will be; of one without activations from ever. */
const visibleFrom = `SELECT coalesce(min(CASE WHEN a.scheduled THEN a.effective_at ELSE '-infinity' END), '-infinity') AS visible_from
  FROM release_activation a WHERE a.release_id = r.id`

/** A catalog's releases that are public at an instant, newest first. `now` is epoch milliseconds. */
export function publicReleases(now: number): KeysetList<SummaryRow> {
  const sql = (instant: string) => `EXISTS (SELECT FROM release_activation a
    WHERE a.release_id = i.id AND (NOT a.scheduled OR a.effective_at <= ${instant}::timestamptz))`
  return { ...releasesWhere(`status = 'published'`), where: { sql, value: formatInstant(now) } }
}

/** A catalog's releases that are not retired, newest first, without its draft: for admins. */
export const recordedReleases = releasesWhere(`status NOT IN ('retired', 'draft')`)

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
 * When the newest release of any catalog became public until `now`; null when none did. Epoch milliseconds. One
 * statement.
 */
export async function newestPublication(database: Database, now: number): Promise<number | null> {
  const text = "SELECT max(published_at) AS newest FROM release WHERE status = 'published' AND published_at <= $1::timestamptz"
  const [row] = await database.query<{ newest: Date | null }>('release_newest', text, [formatInstant(now)])
  return row?.newest?.getTime() ?? null
}
