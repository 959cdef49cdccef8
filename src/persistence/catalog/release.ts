import type { ReleaseSummary, ReleaseWarning } from '../../domain/catalog/release-summary.ts'
import type { Release as Row } from '../../generated/prisma/client.ts'
import { selectItem } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type Queryable, query } from '../database/query.ts'
import type { KeysetList } from '../loading/keyset.ts'

/** Columns of `release` that a summary is made of. */
type SummaryRow = Pick<
  Row,
  'id' | 'catalogId' | 'sequence' | 'status' | 'hierarchyIds' | 'productCount' | 'nodeCount' | 'startedAt' | 'publishedAt' | 'notes'
>

/** What a publish said of itself, as kept in `release.notes`. */
interface ReleaseNotes {
  readonly error?: string
  readonly warnings?: readonly ReleaseWarning[]
  readonly warning_count?: number
}

export function fromRow(row: SummaryRow): ReleaseSummary {
  const notes = (row.notes ?? {}) as ReleaseNotes
  return {
    id: row.id,
    catalogId: row.catalogId,
    sequence: row.sequence,
    status: row.status as ReleaseSummary['status'],
    hierarchyIds: row.hierarchyIds,
    productCount: row.productCount,
    nodeCount: row.nodeCount,
    startedAt: row.startedAt.getTime(),
    publishedAt: row.publishedAt?.getTime() ?? null,
    error: notes.error ?? null,
    warnings: notes.warnings ?? [],
    warningCount: notes.warning_count ?? 0,
  }
}

const columns = selectItem(
  ...(['id', 'catalogId', 'sequence', 'status', 'hierarchyIds', 'productCount', 'nodeCount', 'startedAt', 'publishedAt', 'notes'] as const),
)

const byIds = `SELECT ${columns} FROM release i WHERE i.id = ANY ($1::uuid[]) AND i.status <> 'retired'`

/** One release that is not retired, on the connection given; null when there is none. */
export async function readSummary(on: Queryable, id: string): Promise<ReleaseSummary | null> {
  const [row] = await query<SummaryRow>(on, 'release_summaries', byIds, [[id]])
  return row ? fromRow(row) : null
}

/** The catalog that published the release, which may be gone by now; null when none did. */
export async function catalogOfPublished(on: Queryable, id: string): Promise<string | null> {
  const sql = 'SELECT catalog_id AS "catalogId" FROM published_release WHERE id = $1'
  const [row] = await query<{ catalogId: string }>(on, 'release_published', sql, [id])
  return row?.catalogId ?? null
}

/** Those of the releases that are not retired; one statement. */
export async function readSummaries(database: Database, ids: readonly string[]): Promise<ReleaseSummary[]> {
  return (await database.query<SummaryRow>('release_summaries', byIds, [ids])).map(fromRow)
}

/** A catalog's releases, newest first: those that anyone may read, and all that are not retired. */
export const publishedReleases = releasesWhere(`status = 'published'`)
export const recordedReleases = releasesWhere(`status <> 'retired'`)

function releasesWhere(condition: string): KeysetList<SummaryRow> {
  return {
    from: `(SELECT * FROM release WHERE ${condition}) i`,
    parent: 'i.catalog_id',
    columns,
    order: [
      { column: 'i.sequence', type: 'int8' },
      { column: 'i.id', type: 'uuid' },
    ],
    descending: true,
  }
}
