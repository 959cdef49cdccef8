/**
 * Changes of prices: when the price of a product is another one next, in its release or by one that is scheduled to
 * follow it as the latest of the catalog (price.scheduled-release-counts-where-it-differs). No other release changes it
 * (release.next-is-no-price-change).
 */
import { isDeepStrictEqual } from 'node:util'
import type { ProductOrder } from '../../domain/catalog/product-order.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { ReleaseTurn } from '../../domain/catalog/release-activation.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { displayedQuantities } from '../../domain/pricing/bundle.ts'
import { type PriceQuery, resolvePrice } from '../../domain/pricing/price.ts'
import type { PriceableProduct, Selection } from '../../domain/pricing/priceable-product.ts'
import type { Resolution } from '../../domain/pricing/resolution.ts'
import { type ComponentChoice, checkSelection } from '../../domain/pricing/selection.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'

/** The subject of a price: a product, alone or as a bundle's option, or a bundle with a selection. */
export interface PriceSubject {
  /** The release that has the product. */
  readonly release: Release
  /** The document with the price data: the product's own, or that of the bundle whose option it is. */
  readonly document: ReleaseDocument
  readonly priceable: PriceableProduct
  /** A shopper's own selection of a bundle's options; null for the default one and for a product that is no bundle. */
  readonly selection: Selection | null
  /**
   * Raw id of the bundle as whose option the product is priced (sale.bundle-sale-stays-inside); null: alone
   * (price.alone-outside-bundles).
   */
  readonly bundleId: string | null
  /** A shopper's own selection of the options of that bundle; absent and null for the default one. */
  readonly bundleSelection?: Selection | null
}

/** A price that was resolved, and for what. */
export interface ResolvedPrice {
  readonly subject: PriceSubject
  readonly query: Pick<PriceQuery, 'now' | 'currency' | 'quantity'>
  readonly resolution: Resolution
}

/**
 * The first instant after that of the query at which the price is another one, epoch milliseconds; null for never.
 * Without scheduled releases before its next change it is known at once. Else three statements at most, for all prices
 * that are wanted at the same time: the indexes of these releases, the numbers of the documents that differ in them,
 * and these documents.
 */
export function nextPriceChange(ctx: Context, priced: ResolvedPrice): number | null | Promise<number | null> {
  const { release } = priced.subject
  const { changesAt } = priced.resolution
  if (!release.isLatest) return changesAt
  const after = Math.max(priced.query.now, ctx.releaseReader.now)
  const turns = ctx.releases.known.turnsAfter(release.catalogId, after)
  const [first] = turns
  return first && (changesAt === null || first.at <= changesAt) ? firstChange(ctx, priced, turns) : changesAt
}

async function firstChange(ctx: Context, priced: ResolvedPrice, turns: readonly ReleaseTurn[]): Promise<number | null> {
  const { query, resolution, subject } = priced
  const documents = await documentsAt(ctx, subject, turns)
  let shown: ReleaseDocument | undefined = subject.document
  let { changesAt } = resolution
  for (const [place, { at }] of turns.entries()) {
    if (changesAt !== null && changesAt < at) return changesAt
    const document: ReleaseDocument | undefined = documents[place]
    // The same document has the same prices, and the next change of them is known.
    if (document?.number === shown?.number && changesAt !== at) continue
    const there = document && inDocument(document, priced)
    if (!there) return at
    ctx.work.spend(there.priceable.resolutionCost * PRICE_POINTS)
    const { bundleId } = subject
    const next = resolvePrice(there.priceable, { ...query, now: at, bundleId, selection: there.selection })
    if (!isDeepStrictEqual(next.price, resolution.price)) return at
    shown = document
    changesAt = next.changesAt
  }
  return changesAt
}

/**
 * The document of the subject in each release that follows; undefined where a release lacks the product, or is gone.
 */
async function documentsAt(
  ctx: Context,
  { document }: PriceSubject,
  turns: readonly ReleaseTurn[],
): Promise<(ReleaseDocument | undefined)[]> {
  const { loaders, releases } = ctx
  const following = await Promise.all(turns.map(({ releaseId }) => loaders.scheduledReleaseById.load(releaseId)))
  const orders = following.map((release) => release?.allProducts)
  const has = (order: ProductOrder | undefined, number: number): boolean => order !== undefined && order.positionOf(number) >= 0
  if (orders.every((order) => has(order, document.number))) return orders.map(() => document)
  const numbers = [...(await loaders.documentNumbersByProductId.load(document.product.id))]
  const wanted = orders.map((order) => numbers.find((number) => has(order, number)))
  const others = [...new Set(wanted)].filter((number) => number !== undefined && number !== document.number) as number[]
  const found = new Map([document, ...(await releases.documents.load(others))].map((one) => [one?.number, one]))
  return wanted.map((number) => found.get(number))
}

/**
 * What the subject is in another document of its product or bundle; null when it is not there, its choice is not
 * allowed any more, or the bundle lists the option at another quantity.
 */
function inDocument(
  { priceable }: ReleaseDocument,
  { subject, query }: ResolvedPrice,
): Pick<PriceSubject, 'priceable' | 'selection'> | null {
  const { bundleId, selection, bundleSelection = null } = subject
  const { bundle } = priceable
  const own = bundleId === null ? selection : bundleSelection
  if (own === null && bundleId === null) return { priceable, selection: null }
  if (bundle === null) return null
  const checked = own && checkSelection(bundle.components, choicesOf(own))
  if (bundleId === null) return checked?.issues.length === 0 ? { priceable, selection: checked.selection } : null
  const option = bundle.options.get(subject.priceable.id)
  const quantities = displayedQuantities(bundle.components, checked?.selection ?? bundle.selection)
  return option && quantities.get(option.id) === query.quantity ? { priceable: option, selection: null } : null
}

function choicesOf(selection: Selection): ComponentChoice[] {
  return Object.entries(selection).map(([component, chosen]) => ({
    component,
    options: Object.entries(chosen).map(([productId, quantity]) => ({ productId, quantity })),
  }))
}
