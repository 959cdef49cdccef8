/** Reading what a release lists. */

import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { notFound } from '../../domain/input/errors.ts'
import type { FilterClause, FilterRules } from '../../domain/input/filter.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { OffsetPage } from '../../domain/input/page.ts'
import type { MatchingDocuments } from '../../persistence/catalog/release-cache.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

/** What a listing can be filtered by. */
export const hierarchyFilterRules: FilterRules = {
  eq: ['name', 'sku', 'slug', 'mpn', 'upc_ean', 'product_types', 'tags'],
  in: ['id', 'name', 'sku', 'slug', 'mpn', 'upc_ean', 'product_types', 'tags'],
  aliases: { manufacturer_part_num: 'mpn' },
}

/** A product where it is listed. */
export interface ListedProduct {
  readonly kind: 'product'
  readonly release: Release
  readonly document: ReleaseDocument
  /** Curated in the scope that lists it (list.curated-come-first). */
  readonly curated: boolean
}

export interface ListedNode {
  readonly kind: 'node'
  readonly release: Release
  readonly node: ReleaseNode
}

export interface HierarchyPage {
  readonly release: Release
  readonly items: readonly (ListedProduct | ListedNode)[]
  /** Nodes and products that match, on all pages. */
  readonly total: number
}

/** The release by id or `latest`, once per request (release.is-a-snapshot); throws notFound naming the member that names nothing. */
export async function requireRelease(ctx: Context, catalogId: string, releaseId: string): Promise<Release> {
  const release =
    isUuid(catalogId) && (releaseId === 'latest' || isUuid(releaseId)) ? await ctx.loaders.releases.resolve(catalogId, releaseId) : null
  if (!release) throw releaseNotFound()
  return release
}

/**
 * A page of a hierarchy's live products. `in(id, ...)` also names nodes of the hierarchy: they come first, last updated first, unless
 * further clauses are given (list.nodes-before-products).
 */
export const listHierarchyProducts = query({
  name: 'listHierarchyProducts',
  right: 'anyone',
  reads: 'releases',
  run: async (
    ctx,
    input: { catalogId: string; releaseId: string; hierarchyId: string; clauses: readonly FilterClause[]; page: OffsetPage },
  ): Promise<HierarchyPage> => {
    const { clauses, page } = input
    const release = await requireRelease(ctx, input.catalogId, input.releaseId)
    const hierarchy = release.hierarchy(input.hierarchyId.toLowerCase())
    if (!hierarchy) throw notFound(['hierarchyId'], 'No such hierarchy in the release')
    const nodes = namedNodes(release, hierarchy, clauses)
    const { documents } = await matchingDocuments(ctx, release, hierarchy.id, clauses)
    const from = Math.max(0, page.offset - nodes.length)
    const to = Math.max(0, page.offset + page.limit - nodes.length)
    const products = await listedProducts(ctx, release, hierarchy.id, documents.subarray(from, to))
    const items = [
      ...nodes.slice(page.offset, page.offset + page.limit).map((node) => ({ kind: 'node' as const, release, node })),
      ...products,
    ]
    return { release, items, total: nodes.length + documents.length }
  },
})

/** What of a scope matches. No statement runs without clauses, nor for those that somebody asked for lately. */
export async function matchingDocuments(
  ctx: Context,
  release: Release,
  scope: string,
  clauses: readonly FilterClause[],
): Promise<MatchingDocuments> {
  const listing = release.productOrder(scope)
  if (clauses.length === 0 || listing.documents.length === 0) return { documents: listing.documents, positions: null }
  const key = `${release.id} ${scope} ${JSON.stringify(clauses)}`
  const known = ctx.releases.matches.get(key)
  if (known) return known
  const uuids = clauses.map((clause) => (clause.field === 'id' ? { ...clause, values: clause.values.filter(isUuid) } : clause))
  const matches = await ctx.loaders.matchesByReleaseAndClauses({ release, clauses: uuids }).load(release.id)
  const positions = Int32Array.from([...matches].map((document) => listing.positionOf(document)).filter((position) => position >= 0)).sort()
  const found = { documents: positions.map((position) => listing.documents[position] as number), positions }
  ctx.releases.matches.set(key, found)
  return found
}

/** Documents as listed in `scope`. */
export async function listedProducts(ctx: Context, release: Release, scope: string, numbers: Int32Array): Promise<ListedProduct[]> {
  const documents = await loadDocuments(ctx, numbers)
  return documents.map((document) => ({ kind: 'product', release, document, curated: release.isCurated(scope, document.number) }))
}

/** Documents by number, counted as work; undefined where one vanished with its release. */
export async function findDocuments(ctx: Context, numbers: ArrayLike<number>): Promise<(ReleaseDocument | undefined)[]> {
  const documents = await ctx.releases.documents.load(numbers)
  // One statement may have served many requests, which would otherwise all go on in the same turn of the event loop.
  await ctx.work.yieldPoint()
  for (const document of documents) if (document) ctx.work.countDocument(document.number, document.characters)
  return documents
}

/** The same; a document that vanished with its release reads as the release not being there. */
export async function loadDocuments(ctx: Context, numbers: ArrayLike<number>): Promise<ReleaseDocument[]> {
  return (await findDocuments(ctx, numbers)).map((document) => {
    if (!document) throw releaseNotFound()
    return document
  })
}

/** What is read of a release after it was deleted, a minute or more ago. */
export function releaseNotFound(): Error {
  return notFound(['releaseId'], 'No such release is published')
}

function namedNodes(release: Release, hierarchy: ReleaseNode, clauses: readonly FilterClause[]): ReleaseNode[] {
  const [only, ...further] = clauses
  if (only?.field !== 'id' || further.length > 0) return []
  const wanted = new Set(only.values.map((value) => value.toLowerCase()))
  return release.nodesByIds(wanted).filter((node) => node.hierarchyId === hierarchy.id)
}
