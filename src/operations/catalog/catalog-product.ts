/** Catalog products: use cases that read single products of a release, their children and bundles, and configure bundles. */
import { wholeScope } from '../../domain/catalog/listing-query.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { DomainError, type Violation } from '../../domain/input/errors.ts'
import type { CompiledBundle, Selection } from '../../domain/pricing/priceable-product.ts'
import { type ComponentChoice, checkSelection } from '../../domain/pricing/selection.ts'
import type { Context } from '../../request/context.ts'
import { query as defineQuery } from '../operation.ts'
import { type Listing, listingAmong, listingOf } from './listing.ts'
import type { WantedListing } from './listing-source.ts'
import { type CatalogProduct, findDocuments } from './release-listing.ts'

/** A list of products that belong to one; the scope of the query names the list. */
type RelatedList = CatalogProduct & WantedListing

/** The children of a parent that the release holds and that match, oldest first. Parents that are loaded together share a statement. */
export const listChildren = defineQuery({
  name: 'listChildren',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, document, query, instant }: RelatedList): Promise<Listing> => {
    const children = document.product.children ?? []
    const numberOfProduct = ctx.loaders.documentNumberByReleaseAndProductId(release)
    const numbers = await Promise.all(children.map(({ id }) => numberOfProduct.load(id)))
    const documents = Int32Array.from(numbers.filter((number) => number !== null))
    return listingAmong(documents, { ctx, release, query, instant })
  },
})

/** The children of a parent that the release holds, oldest first, as a list without pages; at most CHILDREN_MAX. */
export const childrenOf = defineQuery({
  name: 'childrenOf',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, parent: CatalogProduct): Promise<CatalogProduct[]> => {
    const query = wholeScope(`children of ${parent.document.product.id}`)
    const { release, documents } = await listChildren(ctx, { ...parent, query, instant: ctx.now })
    return (await findDocuments(ctx, documents)).flatMap((document) => (document ? [{ release, document }] : []))
  },
})

/** The bundles of the release that have the product as an option and match, in the order of the release. */
export const listBundles = defineQuery({
  name: 'listBundles',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, document, query, instant }: RelatedList): Promise<Listing> => {
    const documents = await ctx.loaders.bundleNumbersByReleaseAndProductId(release).load(document.product.id)
    return listingAmong(documents, { ctx, release, query, instant })
  },
})

/** One product by its raw id, exact SKU or exact slug (of several with the slug the first listed); null when there is none. */
export const catalogProduct = defineQuery({
  name: 'catalogProduct',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, input: { release: Release; by: 'id' | 'sku' | 'slug'; value: string }): Promise<CatalogProduct | null> => {
    const { release, by, value } = input
    const numberOfProduct = ctx.loaders.documentNumberByReleaseAndProductId(release)
    const number = by === 'id' ? await numberOfProduct.load(value) : await firstMatch(ctx, release, by, value)
    if (number === null) return null
    const [document] = await findDocuments(ctx, [number])
    return document ? { release, document } : null
  },
})

async function firstMatch(ctx: Context, release: Release, field: string, value: string): Promise<number | null> {
  const { documents } = await listingOf(ctx, release, wholeScope(release.id, [{ op: 'eq', field, values: [value] }]))
  return documents[0] ?? null
}

/** A bundle with a selection; null stands for the default one, which has no issues. */
export interface ConfiguredBundle extends CatalogProduct {
  readonly bundle: CompiledBundle
  readonly selection: Selection | null
  /** What is wrong with the choice, from the list of choices on. */
  readonly issues: readonly Violation[]
}

/**
 * A bundle as a shopper configures it, with a wrong choice too (bundle.wrong-choice-is-a-state). Throws `validation` for what is no bundle.
 */
export const configureBundle = defineQuery({
  name: 'configureBundle',
  right: 'anyone',
  reads: 'releases',
  run: async (_, { release, document, choices }: CatalogProduct & { choices: readonly ComponentChoice[] }): Promise<ConfiguredBundle> => {
    const { bundle } = document.priceable
    if (bundle === null) throw new DomainError('validation', [{ code: 'INVALID_VALUE', path: ['id'], message: 'must be a bundle' }])
    return { release, document, bundle, ...checkSelection(bundle.components, choices) }
  },
})
