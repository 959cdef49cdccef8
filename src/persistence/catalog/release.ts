/** Release summaries: what is recorded of a publish and its result, apart from the products. */
import type { ReleaseSummary, ReleaseWarning } from '../../domain/catalog/release-summary.ts'
import type { Release as Row } from '../../generated/prisma/client.ts'
import { selectItem } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type Queryable, query } from '../database/query.ts'
import type { KeysetList } from '../loading/keyset.ts'

/** The columns of a summary. */
type SummaryRow = Pick<
  Row,
  'id' | 'catalogId' | 'sequence' | 'status' | 'hierarchyIds' | 'productCount' | 'nodeCount' | 'startedAt' | 'publishedAt' | 'notes'
>

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

/** The summary of a release, on a given connection; null when there is none or it is retired. */
export async function readSummary(on: Queryable, id: string): Promise<ReleaseSummary | null> {
  const [row] = await query<SummaryRow>(on, 'release_summaries', byIds, [[id]])
  return row ? fromRow(row) : null
}

/** The id of the catalog that published a release, even one that is deleted by now; null when none did. */
export async function catalogOfPublished(on: Queryable, id: string): Promise<string | null> {
  const sql = 'SELECT catalog_id AS "catalogId" FROM published_release WHERE id = $1'
  const [row] = await query<{ catalogId: string }>(on, 'release_published', sql, [id])
  return row?.catalogId ?? null
}

/** The summaries of the releases that are not retired. One statement. */
export async function readSummaries(database: Database, ids: readonly string[]): Promise<ReleaseSummary[]> {
  return (await database.query<SummaryRow>('release_summaries', byIds, [ids])).map(fromRow)
}

/** A catalog's published releases, newest first. */
export const publishedReleases = releasesWhere(`status = 'published'`)
/** A catalog's releases that are not retired, newest first: for admins. */
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
