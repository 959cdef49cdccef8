/** Published catalogs: catalogs and releases as every viewer may read them (right.shoppers-see-published-and-own).
 *
 *  A shopper sees what is published, an admin also what is not. */
import type { CatalogPublication } from '../../domain/catalog/catalog-publication.ts'
import { type CatalogHistory, type PublicCatalog, Release } from '../../domain/catalog/release.ts'
import type { Activation } from '../../domain/catalog/release-activation.ts'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import { catalogSource, publishedCatalogPage, publishedCatalogTotal } from '../../persistence/catalog/catalog-publication.ts'
import { type RecordQuery, recordPage, recordTotal } from '../../persistence/database/table.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

const latestOf = (catalogId: string) => ({ catalogId, releaseId: 'latest' })

/** A catalog by its raw id; null when there is none, or for a shopper when it has no release. Its members are loaded later. */
export const catalog = query({
  name: 'catalog',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { id }: { id: string }): Promise<{ id: string } | null> => {
    if (!isUuid(id)) return null
    if (await ctx.loaders.releaseByCatalogIdAndReleaseId.load(latestOf(id))) return { id }
    return ctx.viewer.role === 'admin' ? ctx.loaders.catalogPublicationById.load(id) : null
  },
})

/**
 * The texts of a visible catalog: the current ones for an admin, those of its latest release for a shopper, who sees edits once they are
 * published. Null when the catalog, or for a shopper its last release, was deleted meanwhile.
 */
export const publicCatalog = query({
  name: 'publicCatalog',
  right: 'anyone',
  reads: 'releases',
  run: async ({ viewer, loaders, releases }, { id, published }: VisibleCatalog): Promise<PublicCatalog | null> => {
    if (viewer.role === 'admin') return loaders.catalogPublicationById.load(id)
    if (published) return published
    const latest = await loaders.releaseByCatalogIdAndReleaseId.load(latestOf(id))
    return latest && { ...latest.catalog, firstPublishedAt: releases.known.historyOf(id).firstPublishedAt }
  },
})

/** A catalog that the viewer may see. */
export interface VisibleCatalog {
  readonly id: string
  /** Its texts, when a list of published catalogs has read them, so that they are not read for each catalog. */
  readonly published?: PublicCatalog
}

/** The catalogs that the viewer may see, in pages: for a shopper the published ones, with the published texts. One statement each. */
export const catalogs = {
  page: query({
    name: 'catalogs',
    right: 'anyone',
    run: async (ctx, request: RecordQuery & KeysetWindow): Promise<(CatalogPublication & VisibleCatalog)[]> => {
      if (!seesAll(ctx, request)) {
        const rows = await publishedCatalogPage(ctx.database, ctx.releaseReader.now, request)
        return rows.map((row) => ({ ...row, published: row }))
      }
      const found = await recordPage(ctx.database.prisma, catalogSource, request)
      for (const one of found) ctx.loaders.catalogPublicationById.prime(one.id, one)
      return found
    },
  }),
  total: query({
    name: 'catalogsTotal',
    right: 'anyone',
    run: (ctx, request: Pick<RecordQuery, 'clauses'>) =>
      seesAll(ctx, request)
        ? recordTotal(ctx.database.prisma, catalogSource, request)
        : publishedCatalogTotal(ctx.database, ctx.releaseReader.now, request),
  }),
}

/** Whether the viewer sees all catalogs. Throws forbidden when a shopper filters or orders by what shoppers can't read. */
function seesAll({ viewer }: Context, { clauses, order }: Pick<RecordQuery, 'clauses'> & Partial<RecordQuery>): boolean {
  if (viewer.role === 'admin') return true
  if (order?.field === 'updatedAt' || clauses.some(({ field }) => field !== 'name'))
    throw new DomainError('forbidden', 'Catalogs filtered by more than their name, or ordered by updatedAt, are for administrators')
  return false
}

/** A published release, or only the summary of one that is not published. */
export type ReleaseOrSummary = Release | ReleaseSummary

/**
 * A release by its raw id or `latest`, of a catalog or with null of any catalog. Null when it is not published, except for admins, who also
 * see releases that failed or are being published.
 */
export const release = query({
  name: 'release',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { catalogId, releaseId }: WantedRelease): Promise<ReleaseOrSummary | null> => {
    const published = await ctx.loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId })
    if (published && releaseId === 'latest') return published.asLatest
    if (published || ctx.viewer.role !== 'admin' || !isUuid(releaseId)) return published
    const summary = await ctx.loaders.releaseSummaryById.load(releaseId)
    return summary && (catalogId === null || summary.catalogId === catalogId) ? summary : null
  },
})

/** The activations of a release, the last one first. Those of a release that was read are known with it. */
export function activationsOf({ releases }: Context, one: ReleaseOrSummary): readonly Activation[] {
  return one instanceof Release ? releases.known.activationsOf(one.id) : one.activations
}

/** Since when the catalog of a release that was read is published. */
export function historyOf({ releases }: Context, { catalogId }: Release): CatalogHistory {
  return releases.known.historyOf(catalogId)
}

/** The loaders of the releases of a catalog that the viewer may see, newest first, and of their number. */
export function releaseListLoaders({ loaders, viewer }: Context) {
  return viewer.role === 'admin' ? loaders.recordedReleaseListByCatalogId : loaders.publicReleaseListByCatalogId
}
