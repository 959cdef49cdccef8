/**
 * Catalog products: use cases that read single products of a release, their children and bundles, and configure
 * bundles.
 */
import { wholeScope } from '../../domain/catalog/listing-query.ts'
import type { ListRequest } from '../../domain/catalog/listing-scope.ts'
import { type ChildListOrder, childrenByOptions } from '../../domain/catalog/option-order.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { DomainError, type Violation } from '../../domain/input/errors.ts'
import { slugKey } from '../../domain/input/slug.ts'
import type { CompiledBundle, Selection } from '../../domain/pricing/priceable-product.ts'
import { type ComponentChoice, checkSelection } from '../../domain/pricing/selection.ts'
import type { Context } from '../../request/context.ts'
import { query as defineQuery } from '../operation.ts'
import { formerProduct } from './former-slug.ts'
import { type Listing, listingOf } from './listing.ts'
import { type CatalogProduct, findDocuments } from './page.ts'

/** A list of products that are related to one product; the scope of the query names the list. */
type RelatedList = CatalogProduct & ListRequest

/** The children of a parent in the release that match. Parents that are loaded together share a statement. */
export const listChildren = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { order, ...related }: RelatedList & { readonly order: ChildListOrder }): Promise<Listing> => {
    const { release, document, query, instant } = related
    const children = order === 'OPTIONS' ? childrenByOptions(document.product) : (document.product.children ?? [])
    const numberOfProduct = ctx.loaders.documentNumberByReleaseAndProductId(release)
    const numbers = await Promise.all(children.map(({ id }) => numberOfProduct.load(id)))
    return listingOf(ctx, {
      release,
      query,
      instant,
      among: Int32Array.from(numbers.filter((number) => number !== null)),
    })
  },
})

/** All children of a parent in the release, by their options, as a list without pages; at most CHILDREN_MAX. */
export const childrenOf = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, parent: CatalogProduct): Promise<ReleaseDocument[]> => {
    const query = wholeScope(`children by options of ${parent.document.product.id}`)
    const { documents } = await listChildren(ctx, { ...parent, query, instant: ctx.now, order: 'OPTIONS' })
    return (await findDocuments(ctx, documents)).filter((document) => document !== undefined)
  },
})

/** The matching bundles of the release that have the product as an option, in the order of the release. */
export const listBundles = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, document, query, instant }: RelatedList): Promise<Listing> => {
    const among = await ctx.loaders.bundleNumbersByReleaseAndProductId(release).load(document.product.id)
    return listingOf(ctx, { release, query, instant, among })
  },
})

/**
 * One product by its raw id, exact SKU or slug; null when there is none. When several products have the slug, it is the
 * first listed; one that has it exactly comes before those that have it in another case (slug.exact-first). When none
 * has it, it is one that had it in a former release (slug.old-ones-go-on).
 */
export const catalogProduct = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (
    ctx,
    input: { release: Release; by: 'id' | 'sku' | 'slug'; value: string },
  ): Promise<ReleaseDocument | null> => {
    const number = await numberBy[input.by](ctx, input.release, input.value)
    if (number === null) return null
    const [document] = await findDocuments(ctx, [number])
    return document ?? null
  },
})

type NumberOf = (ctx: Context, release: Release, value: string) => Promise<number | null>

/** The number of the document of the product that a key finds. */
const numberBy: Readonly<Record<'id' | 'sku' | 'slug', NumberOf>> = {
  id: ({ loaders }, release, id) => loaders.documentNumberByReleaseAndProductId(release).load(id),
  sku: async (ctx, release, sku) => {
    const query = wholeScope(null, [{ op: 'eq', field: 'sku', values: [sku] }])
    const { documents } = await listingOf(ctx, { release, query, instant: ctx.now })
    return documents[0] ?? null
  },
  slug: async (ctx, release, slug) => {
    const found = await ctx.loaders.documentSlugsByReleaseAndSlugKey(release).load(slugKey(slug))
    const best = found.find((one) => one.slug === slug) ?? found[0]
    return best?.number ?? formerProduct(ctx, release, slug)
  },
}

/** A bundle with a selection; null stands for the default one, which has no issues. */
export interface BundleSelection {
  readonly bundle: CompiledBundle
  readonly selection: Selection | null
  /** What is wrong with the choice. Paths begin at the list of choices. */
  readonly issues: readonly Violation[]
}

/**
 * A bundle as a shopper configures it. A wrong choice is returned with its issues (bundle.wrong-choice-is-a-state).
 * Throws `validation` for a product that is not a bundle.
 */
export const configureBundle = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (
    _,
    { document, choices }: { document: ReleaseDocument; choices: readonly ComponentChoice[] },
  ): Promise<BundleSelection> => {
    const { bundle } = document.priceable
    if (bundle === null)
      throw new DomainError('validation', [{ code: 'INVALID_VALUE', path: ['id'], message: 'must be a bundle' }])
    return { bundle, ...checkSelection(bundle.components, choices) }
  },
})
