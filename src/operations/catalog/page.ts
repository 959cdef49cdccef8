/** Pages of listings: the documents of a window of a list, and the pages of a hierarchy as REST has them. */
import { type ListingOrder, wholeScope } from '../../domain/catalog/listing-query.ts'
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import { productTypes, type ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { notFound } from '../../domain/input/errors.ts'
import type { FilterClause, FilterRules } from '../../domain/input/filter.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { OffsetPage } from '../../domain/input/page.ts'
import { type PositionWindow, windowIndexes } from '../../lib/position-window.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'
import { listingOf, type ProductList } from './listing.ts'

/** The fields by which a listing can be filtered. */
export const hierarchyFilterRules: FilterRules = {
  eq: ['name', 'sku', 'slug', 'mpn', 'upc_ean', 'product_types', 'tags'],
  in: ['id', 'name', 'sku', 'slug', 'mpn', 'upc_ean', 'product_types', 'tags'],
  aliases: { manufacturer_part_num: 'mpn' },
  words: { product_types: productTypes },
}

/** A product as one release has it. */
export interface CatalogProduct {
  readonly release: Release
  readonly document: ReleaseDocument
}

/** A product with its position in a list of its release. */
interface PositionedProduct {
  readonly document: ReleaseDocument
  readonly position: number
}

/** A product in a page of a hierarchy. */
export interface ListedProduct extends CatalogProduct {
  readonly kind: 'product'
  /** Whether it is curated in the hierarchy (list.curated-come-first). */
  readonly curated: boolean
}

/** A node in a page of a hierarchy. */
export interface ListedNode {
  readonly kind: 'node'
  readonly release: Release
  readonly node: ReleaseNode
}

/** A page of a hierarchy: nodes first, then products. */
export interface HierarchyPage {
  readonly release: Release
  readonly items: readonly (ListedProduct | ListedNode)[]
  /** Matching nodes and products of all pages. */
  readonly total: number
}

/** A window of a list. */
interface ListWindow {
  readonly list: ProductList
  readonly window: PositionWindow
}

/** The products of a window of a list, in the order of the walk. One statement for uncached documents. */
export const pageOf = query({ right: 'anyone', reads: 'releases', run: loadPage })

interface HierarchyPageInput {
  readonly catalogId: string
  readonly releaseId: string
  readonly hierarchyId: string
  readonly clauses: readonly FilterClause[]
  /** The default order when absent. */
  readonly order?: ListingOrder
  readonly page: OffsetPage
}

/**
 * A page of a hierarchy's live products. `in(id, ...)` also matches nodes of the hierarchy: they come first, last
 * updated first, unless there are further clauses (list.nodes-before-products). Throws notFound for an unknown release
 * or hierarchy.
 */
export const listHierarchyProducts = query({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, input: HierarchyPageInput): Promise<HierarchyPage> => {
    const { clauses, page, order } = input
    const { acceptLanguage } = ctx.shopperHeaders
    const release = await requireRelease(ctx, input.catalogId, input.releaseId)
    const hierarchy = release.hierarchy(input.hierarchyId.toLowerCase())
    if (!hierarchy) throw notFound(['hierarchyId'], 'No such hierarchy in the release')
    const nodes = namedNodes(release, hierarchy, clauses)
    const wanted = { ...wholeScope(hierarchy.id, clauses), acceptLanguage, ...(order && { order }) }
    const list = await listingOf(ctx, { release, query: wanted, instant: ctx.now })
    const [first, end] = [page.offset, page.offset + page.limit].map((at) => Math.max(0, at - nodes.length))
    const window = { after: (first ?? 0) - 1, before: null, limit: (end ?? 0) - (first ?? 0), reverse: false }
    const products = (await loadPage(ctx, { list, window })).map(({ document }): ListedProduct => {
      return { kind: 'product', release, document, curated: release.isCurated(hierarchy.id, document.number) }
    })
    const items = [
      ...nodes.slice(page.offset, page.offset + page.limit).map((node) => ({ kind: 'node' as const, release, node })),
      ...products,
    ]
    return { release, items, total: nodes.length + list.documents.length }
  },
})

/** As `pageOf`. Throws notFound when the release was deleted meanwhile. */
async function loadPage(ctx: Context, { list: { documents }, window }: ListWindow): Promise<PositionedProduct[]> {
  const indexes = windowIndexes(documents.length, window)
  const numbers = indexes.map((index) => documents[index] as number)
  return (await findDocuments(ctx, numbers)).map((document, at) => {
    if (!document) throw releaseNotFound()
    return { document, position: indexes[at] as number }
  })
}

/** Documents by number, counted as work of the request; undefined where a document was deleted with its release. */
export async function findDocuments(
  ctx: Context,
  numbers: ArrayLike<number>,
): Promise<(ReleaseDocument | undefined)[]> {
  const documents = await ctx.releases.documents.load(numbers)
  // One statement may have served many requests, which would otherwise all continue in the same turn of the event loop.
  await ctx.work.yieldPoint()
  for (const document of documents) if (document) ctx.work.countDocument(document.number, document.characters)
  return documents
}

/** The error for a release that is not published, or was deleted a minute or more ago while it was being read. */
export function releaseNotFound(): Error {
  return notFound(['releaseId'], 'No such release is published')
}

async function requireRelease(ctx: Context, catalogId: string, releaseId: string): Promise<Release> {
  const isValid = isUuid(catalogId) && (releaseId === 'latest' || isUuid(releaseId))
  const release = isValid ? await ctx.loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId }) : null
  if (!release) throw releaseNotFound()
  return release
}

function namedNodes(release: Release, hierarchy: ReleaseNode, clauses: readonly FilterClause[]): ReleaseNode[] {
  const [only, ...further] = clauses
  if (only?.field !== 'id' || further.length > 0) return []
  const wanted = new Set(only.values.map((value) => value.toLowerCase()))
  return release.nodesByIds(wanted).filter((node) => node.hierarchyId === hierarchy.id)
}
