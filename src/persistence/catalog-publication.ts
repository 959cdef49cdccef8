/** What is public of catalogs, and which of them the rules choose from (CAT-6). */
import type { CatalogPublication } from '../domain/catalog-publication.ts'
import type { Locales } from '../domain/release.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { createdPage } from './created-page.ts'
import type { Database } from './database.ts'
import type { KeysetWindow } from './keyset.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly locales: unknown
  readonly latestReleaseId: string | null
  readonly firstPublishedAt: Date | null
  readonly createdAt: Date
}

const columns = {
  id: true,
  name: true,
  description: true,
  locales: true,
  latestReleaseId: true,
  firstPublishedAt: true,
  createdAt: true,
} as const

function fromRow(row: Row): CatalogPublication {
  return {
    ...row,
    locales: row.locales as Locales | null,
    firstPublishedAt: row.firstPublishedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
  }
}

/** One statement. */
export async function publicationsByIds({ prisma }: Database, ids: string[]): Promise<CatalogPublication[]> {
  return (await prisma.catalog.findMany({ where: { id: { in: ids } }, select: columns })).map(fromRow)
}

/** Catalogs oldest first, for shoppers those that have a release. One statement. */
export async function publicationPage({ prisma }: Database, window: KeysetWindow, publishedOnly: boolean): Promise<CatalogPublication[]> {
  return (await prisma.catalog.findMany({ ...createdPage(window, only(publishedOnly)), select: columns })).map(fromRow)
}

export function countPublications({ prisma }: Database, publishedOnly: boolean): Promise<number> {
  return prisma.catalog.count({ where: only(publishedOnly) })
}

function only(published: boolean): Prisma.CatalogWhereInput {
  return published ? { latestReleaseId: { not: null } } : {}
}
