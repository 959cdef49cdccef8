/**
 * Catalogs and releases as anyone may read them (right.shoppers-see-published-and-own): a shopper sees what is published, an admin also
 * what is not.
 */

import type { CatalogPublication } from '../../domain/catalog/catalog-publication.ts'
import type { PublicCatalog, Release } from '../../domain/catalog/release.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import { catalogSource, publishedCatalogPage, publishedCatalogTotal } from '../../persistence/catalog/catalog-publication.ts'
import { type RecordQuery, recordPage, recordTotal } from '../../persistence/database/table.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

/** A catalog by its raw id; null when there is none, or for a shopper none that has a release. Nothing of it is loaded yet. */
export const catalog = query({
  name: 'catalog',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { id }: { id: string }): Promise<{ id: string } | null> => {
    if (!isUuid(id)) return null
    if (await ctx.loaders.releases.resolve(id, 'latest')) return { id }
    return ctx.viewer.role === 'admin' ? ctx.loaders.catalogPublicationById.load(id) : null
  },
})

/**
 * What the viewer may read of a catalog that it may see: an admin what it is now, a shopper what its latest release says, so that edits show
 * when they are published. Null when it, or for a shopper its last release, is gone by now.
 */
export const publicCatalog = query({
  name: 'publicCatalog',
  right: 'anyone',
  reads: 'releases',
  run: async ({ viewer, loaders }, { id, published }: VisibleCatalog): Promise<PublicCatalog | null> => {
    if (viewer.role === 'admin') return loaders.catalogPublicationById.load(id)
    return published ?? (await loaders.releases.resolve(id, 'latest'))?.catalog ?? null
  },
})

/** A catalog that the viewer may see. */
export interface VisibleCatalog {
  readonly id: string
  /** What a list of published catalogs brought of it, so that nothing is read for each of them. */
  readonly published?: PublicCatalog
}

/** The catalogs that the viewer may see, in pages: for a shopper those that have a release, as published. One statement each. */
export const catalogs = {
  page: query({
    name: 'catalogs',
    right: 'anyone',
    run: async (ctx, asked: RecordQuery & KeysetWindow): Promise<(CatalogPublication & VisibleCatalog)[]> => {
      if (!seesAll(ctx, asked)) return (await publishedCatalogPage(ctx.database, asked)).map((one) => ({ ...one, published: one }))
      const found = await recordPage(ctx.database.prisma, catalogSource, asked)
      for (const one of found) ctx.loaders.catalogPublicationById.prime(one.id, one)
      return found
    },
  }),
  total: query({
    name: 'catalogsTotal',
    right: 'anyone',
    run: (ctx, asked: Pick<RecordQuery, 'clauses'>) =>
      seesAll(ctx, asked) ? recordTotal(ctx.database.prisma, catalogSource, asked) : publishedCatalogTotal(ctx.database, asked),
  }),
}

/** What a shopper is not told of a catalog they can't ask for it by either (right.shoppers-see-published-and-own). */
function seesAll({ viewer }: Context, { clauses, order }: Pick<RecordQuery, 'clauses'> & Partial<RecordQuery>): boolean {
  if (viewer.role === 'admin') return true
  if (order?.field === 'updatedAt' || clauses.some(({ field }) => field !== 'name'))
    throw new DomainError('forbidden', 'Catalogs filtered by more than their name, or ordered by updatedAt, are for administrators')
  return false
}

/** What is known of a release: what it holds when it is published, else only what its publish said of itself. */
export type ReleaseOrSummary = Release | ReleaseSummary

/**
 * A release by its raw id or `latest`; of the catalog, or with null of whatever catalog. Null when it is not published, save that admins
 * also see releases that failed or are being published.
 */
export const release = query({
  name: 'release',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { catalogId, releaseId }: { catalogId: string | null; releaseId: string }): Promise<ReleaseOrSummary | null> => {
    const published = await ctx.loaders.releases.resolve(catalogId, releaseId)
    if (published || ctx.viewer.role !== 'admin' || !isUuid(releaseId)) return published
    const summary = await ctx.loaders.releaseSummaryById.load(releaseId)
    return summary && (catalogId === null || summary.catalogId === catalogId) ? summary : null
  },
})

/** A window of a catalog's releases that the viewer may see, newest first, and their number. Batched by window. */
export function releaseListLoaders({ loaders, viewer }: Context) {
  return viewer.role === 'admin'
    ? { pages: loaders.recordedReleasePageByCatalogId, totals: loaders.recordedReleaseTotalByCatalogId }
    : { pages: loaders.publishedReleasePageByCatalogId, totals: loaders.publishedReleaseTotalByCatalogId }
}
