/** Catalog publications: the public members of catalogs, as they are now or as they were published last. */
import type { CatalogPublication } from '../../domain/catalog/catalog-publication.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { Locales } from '../../domain/language/locale.ts'
import type { Catalog as CatalogRow } from '../../generated/prisma/client.ts'
import { columnOf } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type AddParameter, parametersOf } from '../database/query.ts'
import { sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'
import type { RecordQuery, RecordSource } from '../database/table.ts'
import { type KeysetOrder, keysetClauses } from '../loading/keyset.ts'

/** The public members of a catalog. */
const members = [
  'id',
  'name',
  'description',
  'locales',
  'firstPublishedAt',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof CatalogRow)[]
type Row = Pick<CatalogRow, (typeof members)[number]>

function fromRow(row: Row): CatalogPublication {
  return {
    ...row,
    locales: row.locales as Locales | null,
    firstPublishedAt: row.firstPublishedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

/** All catalogs with their current texts. */
export const catalogSource: RecordSource<Row, CatalogPublication> = { model: 'catalog', members, fromRow }

/** The members of a release that replace those of its catalog. */
const published = { name: 'catalogName', description: 'catalogDescription', locales: 'catalogLocales' }

/**
 * Catalogs that have a latest release at $1, with its texts; of the confidential ones those in $2. SQL, since Prisma's
 * model has no relation to that release.
 */
const fromPublished = `
  FROM (SELECT ${members.map((name) => `${publishedColumn(name)} AS "${name}"`).join(', ')}
    FROM catalog c JOIN release r ON r.id = latest_release(c.id, $1::timestamptz)
    WHERE NOT c.confidential OR c.id = ANY ($2::uuid[])) i`

/** When catalogs are published, epoch milliseconds, and the confidential ones that exist for the viewer. */
interface Published {
  readonly now: number
  readonly confidential: readonly string[]
}

function publishedColumn(name: keyof Row): string {
  return name in published ? `r.${columnOf(published[name as keyof typeof published])}` : `c.${columnOf(name)}`
}

/** A window of the catalogs that are published and exist for the viewer; clauses filter the name. One statement. */
export async function publishedCatalogPage(
  database: Database,
  { now, confidential }: Published,
  { clauses, order, ...window }: RecordQuery & KeysetWindow,
) {
  const { values, add } = parametersOf(formatInstant(now), confidential)
  const filtered = conditionsOf(clauses, add)
  const column =
    order.field === 'name' ? { column: 'i.name', type: 'text' } : { column: 'i."createdAt"', type: 'timestamptz' }
  const keyset = { order: [column, { column: 'i.id', type: 'uuid' }], descending: order.descending } as KeysetOrder
  const { conditions, sorted } = keysetClauses(keyset, window, add)
  const text = `SELECT i.* ${fromPublished} WHERE ${[...filtered, ...conditions].join(' AND ')} ${sorted} LIMIT ${add(window.limit)}`
  return (await queryText<Row>(database, text, values)).map(fromRow)
}

/** The number of catalogs that are published, exist for the viewer and meet all clauses. One statement. */
export async function publishedCatalogTotal(
  database: Database,
  { now, confidential }: Published,
  { clauses }: Pick<RecordQuery, 'clauses'>,
): Promise<number> {
  const { values, add } = parametersOf(formatInstant(now), confidential)
  const text = `SELECT count(*) AS total ${fromPublished} WHERE ${conditionsOf(clauses, add).join(' AND ')}`
  const [row] = await queryText<{ total: number }>(database, text, values)
  return row?.total ?? 0
}

function conditionsOf(clauses: readonly RecordClause[], add: AddParameter): string[] {
  return ['true', ...clauses.map((clause) => sqlCondition('i.name', clause, add))]
}
