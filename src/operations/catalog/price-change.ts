/**
 * Price changes: when the price of a product next becomes another one, in its release or in a release that is scheduled
 * to follow as the latest of the catalog (price.scheduled-release-counts-where-it-differs). No other release changes it
 * (release.next-is-no-price-change).
 */
import { isDeepStrictEqual } from 'node:util'
import type { ProductOrder } from '../../domain/catalog/product-order.ts'
import type { ReleaseTurn } from '../../domain/catalog/release-activation.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { displayedQuantities } from '../../domain/pricing/bundle.ts'
import { type PriceQuery, resolvePrice } from '../../domain/pricing/price.ts'
import type { Selection } from '../../domain/pricing/priceable-product.ts'
import type { Resolution } from '../../domain/pricing/resolution.ts'
import { type ComponentChoice, checkSelection } from '../../domain/pricing/selection.ts'
import type { Context } from '../../request/context.ts'
import { countPrice, type PriceSubject } from './price.ts'

/** A resolved price with its subject and query. */
export interface ResolvedPrice {
  readonly subject: PriceSubject
  readonly query: Pick<PriceQuery, 'now' | 'currency' | 'quantity'>
  readonly resolution: Resolution
}

/**
 * The first instant after that of the query at which the price changes, epoch milliseconds; null for never. It is known
 * at once unless a release is scheduled before the next change. Otherwise all prices that are wanted at the same time
 * share three statements at most: for the indexes of these releases, the numbers of the documents that differ in them,
 * and these documents.
 */
export function nextPriceChange(ctx: Context, priced: ResolvedPrice): number | null | Promise<number | null> {
  const { release, isLatest } = priced.subject
  const { changesAt } = priced.resolution
  if (!isLatest) return changesAt
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
    countPrice(ctx, there)
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
  const has = (order: ProductOrder | undefined, number: number): boolean =>
    order !== undefined && order.positionOf(number) >= 0
  if (orders.every((order) => has(order, document.number))) return orders.map(() => document)
  const numbers = [...(await loaders.documentNumbersByProductId.load(document.product.id))]
  const wanted = orders.map((order) => numbers.find((number) => has(order, number)))
  const others = [...new Set(wanted)].filter((number) => number !== undefined && number !== document.number) as number[]
  const found = new Map([document, ...(await releases.documents.load(others))].map((one) => [one?.number, one]))
  return wanted.map((number) => found.get(number))
}

/**
 * The subject in another document of its product or bundle. Null when it is missing there, its selection is no longer
 * allowed, or the bundle lists the option at another quantity.
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
