/** What anyone may read of catalogs: as they are now, and as they were when they were published last. */
import type { CatalogPublication } from '../domain/catalog-publication.ts'
import type { Locales } from '../domain/release.ts'
import type { Database } from './database.ts'
import type { RecordList } from './record-list.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly locales: unknown
  readonly firstPublishedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = {
  id: true,
  name: true,
  description: true,
  locales: true,
  firstPublishedAt: true,
  createdAt: true,
  updatedAt: true,
} as const

function fromRow(row: Row): CatalogPublication {
  return {
    ...row,
    locales: row.locales as Locales | null,
    firstPublishedAt: row.firstPublishedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

/** One statement. */
export async function publicationsByIds({ prisma }: Database, ids: string[]): Promise<CatalogPublication[]> {
  return (await prisma.catalog.findMany({ where: { id: { in: ids } }, select: columns })).map(fromRow)
}

/** All catalogs, as they are now. */
export const catalogList: RecordList<Row, CatalogPublication> = {
  table: 'catalog',
  members: ['id', 'name', 'description', 'locales', 'firstPublishedAt', 'createdAt', 'updatedAt'],
  filters: { name: 'text', externalRef: 'text' },
  itemOf: fromRow,
}

/** Those that have a release, as the latest one says. */
export const publishedCatalogList: RecordList<Row, CatalogPublication> = {
  ...catalogList,
  table: `(
    SELECT c.id, r.catalog_name AS name, r.catalog_description AS description, r.catalog_locales AS locales, c.first_published_at,
      c.created_at, c.updated_at
    FROM catalog c JOIN release r ON r.id = c.latest_release_id)`,
  filters: { name: 'text' },
}
