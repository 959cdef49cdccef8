/**
 * Published catalogs: catalogs and releases as every viewer may read them (right.shoppers-see-published-and-own,
 * catalog.confidential-by-proof). A shopper sees what is published, an admin also what is not.
 */
import type { CatalogPublication } from '../../domain/catalog/catalog-publication.ts'
import type { CatalogHistory, PublicCatalog, Release } from '../../domain/catalog/release.ts'
import type { Activation } from '../../domain/catalog/release-activation.ts'
import { type AnyRelease, anyRelease, type ReleaseView } from '../../domain/catalog/release-view.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import {
  catalogSource,
  publishedCatalogPage,
  publishedCatalogTotal,
} from '../../persistence/catalog/catalog-publication.ts'
import { type RecordQuery, recordPage, recordTotal } from '../../persistence/database/table.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

const latestOf = (catalogId: string) => ({ catalogId, releaseId: 'latest' })

/**
 * A catalog by its raw id; null when there is none, or for a shopper when it has no release. Its members are loaded
 * later.
 */
export const catalog = query({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { id }: { id: string }): Promise<{ id: string } | null> => {
    if (!isUuid(id)) return null
    if (await ctx.loaders.releaseByCatalogIdAndReleaseId.load(latestOf(id))) return { id }
    return ctx.viewer.role === 'admin' ? ctx.loaders.catalogPublicationById.load(id) : null
  },
})

/**
 * The texts of a visible catalog: the current ones for an admin, those of its latest release for a shopper, who sees
 * edits once they are published. Null when the catalog, or for a shopper its last release, was deleted meanwhile.
 */
export const publicCatalog = query({
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

/**
 * The catalogs that the viewer may see, in pages: for a shopper the published ones, with the published texts. One
 * statement each, after those that find the confidential ones of a shopper.
 */
export const catalogs = {
  page: query({
    right: 'anyone',
    run: async (ctx, request: RecordQuery & KeysetWindow): Promise<(CatalogPublication & VisibleCatalog)[]> => {
      if (!seesAll(ctx, request)) {
        const rows = await publishedCatalogPage(ctx.database, await publishedFor(ctx), request)
        return rows.map((row) => ({ ...row, published: row }))
      }
      const found = await recordPage(ctx.database.prisma, catalogSource, request)
      for (const one of found) ctx.loaders.catalogPublicationById.prime(one.id, one)
      return found
    },
  }),
  total: query({
    right: 'anyone',
    run: async (ctx, request: Pick<RecordQuery, 'clauses'>) =>
      seesAll(ctx, request)
        ? recordTotal(ctx.database.prisma, catalogSource, request)
        : publishedCatalogTotal(ctx.database, await publishedFor(ctx), request),
  }),
}

/** What decides which catalogs a shopper sees in a list (catalog.confidential-by-proof). */
async function publishedFor({ releases, releaseReader }: Context) {
  return { now: releaseReader.now, confidential: (await releases.confidential.idsFor(releaseReader)) ?? [] }
}

/**
 * Whether the viewer sees all catalogs. Throws forbidden when a shopper filters or orders by what shoppers can't read.
 */
function seesAll(
  { viewer }: Context,
  { clauses, order }: Pick<RecordQuery, 'clauses'> & Partial<RecordQuery>,
): boolean {
  if (viewer.role === 'admin') return true
  if (order?.field === 'updatedAt' || clauses.some(({ field }) => field !== 'name'))
    throw new DomainError(
      'forbidden',
      'Catalogs filtered by more than their name, or ordered by updatedAt, are for administrators',
    )
  return false
}

/** The contents of a release that the viewer may read; null when there are none. */
export const releaseView = query({
  right: 'anyone',
  reads: 'releases',
  run: async ({ loaders }, { catalogId, releaseId }: WantedRelease): Promise<ReleaseView | null> => {
    const release = await loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId })
    return release && { release, isLatest: releaseId === 'latest' }
  },
})

/**
 * A release by its raw id or `latest`, of one catalog, or of any when `catalogId` is null. Null when it is not
 * published, except for admins, who also see releases that failed or are being published, and by the id of a carried
 * release that is gone the one that has its schedule.
 */
export const release = query({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { catalogId, releaseId }: WantedRelease): Promise<AnyRelease | null> => {
    const view = await releaseView(ctx, { catalogId, releaseId })
    if (view) return anyRelease(view)
    if (ctx.viewer.role !== 'admin' || !isUuid(releaseId)) return null
    const summary = await ctx.loaders.releaseSummaryById.load(releaseId)
    if (summary) return catalogId === null || summary.catalogId === catalogId ? summary : null
    // The contents of a carried release are gone after a day; its id then leads to the release that has its schedule.
    const into = await ctx.loaders.carriedIntoByReleaseId.load(releaseId)
    const heir = into === null ? null : await releaseView(ctx, { catalogId, releaseId: into })
    return heir && anyRelease(heir)
  },
})

/** The activations of a release: those that were read with it, else those that this server knows. */
export function activationsOf(
  { releases }: Context,
  one: Pick<AnyRelease, 'id' | 'activations'>,
): readonly Activation[] {
  return one.activations ?? releases.known.activationsOf(one.id)
}

/** Since when the catalog of a loaded release is published. */
export function historyOf({ releases }: Context, { catalogId }: Release): CatalogHistory {
  return releases.known.historyOf(catalogId)
}

/** The loaders of the releases of a catalog that the viewer may see, newest first, and of their number. */
export function releaseListLoaders({ loaders, viewer }: Context) {
  return viewer.role === 'admin' ? loaders.recordedReleaseListByCatalogId : loaders.publicReleaseListByCatalogId
}
