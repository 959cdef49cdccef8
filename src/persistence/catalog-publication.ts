/** What is public of catalogs, and which of them the rules choose from (CAT-6). */
import type { CatalogPublication } from '../domain/catalog-publication.ts'
import type { Locales } from '../domain/release.ts'
import type { Database } from './database.ts'
import type { RecordList } from './record-list.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly locales: unknown
  readonly latestReleaseId: string | null
  readonly firstPublishedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = {
  id: true,
  name: true,
  description: true,
  locales: true,
  latestReleaseId: true,
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

const catalogList: RecordList<Row, CatalogPublication> = {
  table: 'catalog',
  members: ['id', 'name', 'description', 'locales', 'latestReleaseId', 'firstPublishedAt', 'createdAt', 'updatedAt'],
  filters: { name: 'text', externalRef: 'text' },
  itemOf: fromRow,
}

/** All catalogs, or those that have a release. */
export function publicationList(publishedOnly: boolean): RecordList<Row, CatalogPublication> {
  return publishedOnly ? { ...catalogList, table: '(SELECT * FROM catalog WHERE latest_release_id IS NOT NULL)' } : catalogList
}
