/** Products of releases, one by one and in lists of a window (the graph's reads). */

import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { assertValid, DomainError, prefixPaths } from '../../domain/input/errors.ts'
import type { FilterClause } from '../../domain/input/filter.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { CompiledBundle, Selection } from '../../domain/pricing/priceable-product.ts'
import { selectionViolations } from '../../domain/pricing/selection.ts'
import { windowIndexes } from '../../lib/position-window.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'
import { findDocuments, loadDocuments, matchingDocuments } from './release-listing.ts'

/** A product as one release has it. */
export interface CatalogProduct {
  readonly release: Release
  readonly document: ReleaseDocument
}

/** A product at its place in a list of its release. */
export interface PositionedProduct extends CatalogProduct {
  readonly position: number
}

/** Documents by number at rising positions; null: each at its index. */
export interface ProductList {
  readonly release: Release
  readonly documents: ArrayLike<number>
  readonly positions: ArrayLike<number> | null
}

/** What a hierarchy, a node or the release itself lists, and matches. Statements: none without clauses, else as `matchDocuments` says. */
export const listProducts = query({
  name: 'listedIn',
  right: 'anyone',
  reads: 'releases',
  run: async (
    ctx,
    { release, scope, clauses }: { release: Release; scope: string; clauses: readonly FilterClause[] },
  ): Promise<ProductList> => ({ release, ...(await matchingDocuments(ctx, release, scope, clauses)) }),
})

/** A parent's children that the release holds, in the order in which they were made. */
export const listChildren = query({
  name: 'childrenOf',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, document }: CatalogProduct): Promise<ProductList> => {
    const children = document.product.children ?? []
    const numberOfProduct = ctx.loaders.documentNumberByReleaseAndProductId(release)
    const numbers = await Promise.all(children.map(({ id }) => numberOfProduct.load(id)))
    return { release, documents: numbers.filter((number) => number !== null), positions: null }
  },
})

/** The bundles of the release that have the product as an option. */
export const listBundles = query({
  name: 'bundlesOf',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, document }: CatalogProduct): Promise<ProductList> => {
    const documents = await ctx.loaders.bundleNumbersByReleaseAndProductId(release).load(document.product.id)
    return { release, documents, positions: null }
  },
})

/** The items of a window over a list; its keys are the release's id and a position. */
export const productWindow = query({
  name: 'productWindow',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { list, window }: { list: ProductList; window: KeysetWindow }): Promise<PositionedProduct[]> => {
    const { release, documents, positions } = list
    const { limit, reverse } = window
    const bounds = { after: cursorPosition(release, 'after', window.after), before: cursorPosition(release, 'before', window.before) }
    const indexes = windowIndexes(positions, documents.length, { ...bounds, limit, reverse })
    const numbers = indexes.map((index) => documents[index] as number)
    return (await loadDocuments(ctx, numbers)).map((document, at) => {
      const index = indexes[at] as number
      return { release, document, position: positions?.[index] ?? index }
    })
  },
})

/** A cursor is good for the release that handed it out: in another one its position means nothing. */
export function cursorPosition(release: Release, name: 'after' | 'before', key: KeysetWindow['after']): number | null {
  if (key === null) return null
  const [releaseId, position] = key
  if (releaseId === release.id) return Number(position)
  throw new DomainError('badRequest', [{ code: 'INVALID_VALUE', path: [name], message: 'must be a cursor of this release' }])
}

/** By raw product id, or by a text that equals its SKU or slug (of several with the slug the first listed); null when there is none. */
export const catalogProduct = query({
  name: 'catalogProduct',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, input: { release: Release; by: 'id' | 'sku' | 'slug'; value: string }): Promise<CatalogProduct | null> => {
    const { release, by, value } = input
    const number = by === 'id' ? await numberOf(ctx, release, value) : await firstMatch(ctx, release, by, value)
    if (number === null) return null
    const [document] = await findDocuments(ctx, [number])
    return document ? { release, document } : null
  },
})

async function numberOf(ctx: Context, release: Release, productId: string): Promise<number | null> {
  return ctx.loaders.documentNumberByReleaseAndProductId(release).load(productId)
}

async function firstMatch(ctx: Context, release: Release, field: string, value: string): Promise<number | null> {
  const { documents } = await matchingDocuments(ctx, release, release.id, [{ op: 'eq', field, values: [value] }])
  return documents[0] ?? null
}

/** A bundle with a selection that fits it; `selection` null for the default one. */
export interface ConfiguredBundle extends CatalogProduct {
  readonly bundle: CompiledBundle
  readonly selection: Selection | null
}

/** A shopper's own selection in place of the default one; refuses one that the bundle's components do not allow. */
export const configureBundle = query({
  name: 'configureBundle',
  right: 'anyone',
  reads: 'releases',
  run: async (_, { release, document, selection }: CatalogProduct & { selection: Selection }): Promise<ConfiguredBundle> => {
    const { bundle } = document.priceable
    if (bundle === null) throw new DomainError('validation', [{ code: 'INVALID_VALUE', path: ['id'], message: 'must be a bundle' }])
    assertValid(prefixPaths(['selection'], selectionViolations(bundle.components, selection)))
    return { release, document, bundle, selection }
  },
})
