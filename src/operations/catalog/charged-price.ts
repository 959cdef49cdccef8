/**
 * Charged prices of a published product: what one unit of it cost in the catalog, outside of bundles, as one of its
 * releases has it (price.reduction-begins-in-catalog).
 */
import type { Release } from '../../domain/catalog/release.ts'
import { activeSince } from '../../domain/catalog/release-activation.ts'
import {
  type ChargedPrice,
  type ChargedPrices,
  chargedPrices,
  type PastPrice,
  type PriceHistory,
} from '../../domain/pricing/charged-prices.ts'
import { resolvePrice } from '../../domain/pricing/price.ts'
import type { Period } from '../../domain/pricing/price-timeline.ts'
import type { PriceableProduct } from '../../domain/pricing/priceable-product.ts'
import type { Context } from '../../request/context.ts'
import { catalogProduct } from './catalog-product.ts'
import { type PriceSubject, priceSpans, shownPrice } from './price.ts'
import { activationsOf, historyOf } from './published-catalog.ts'

/** The price of one unit at an instant, epoch milliseconds. */
interface PriceOfOne {
  readonly product: PriceableProduct
  readonly currency: string
  readonly at: number
}

/**
 * The prices in force up to an instant, that included; null for an option that the release has in bundles alone. The
 * validity of the response ends with the last of them.
 */
export async function chargedPricesUpTo(
  ctx: Context,
  { release, priceable, bundleId }: PriceSubject,
  { currency, at }: Omit<PriceOfOne, 'product'>,
): Promise<ChargedPrices | null> {
  // Past prices are remembered of the products of a release, not of options that no node has.
  if (bundleId !== null && (await catalogProduct(ctx, { release, by: 'id', value: priceable.id })) === null) return null
  const one = { product: priceable, currency, at }
  shownPrice(ctx, aloneOf(priceable), { now: at, currency, quantity: 1 }, resolvePrice)
  const { history, since } = await historyUpTo(ctx, release, one)
  return chargedPrices(history, { since, pricesIn: (period) => pricesIn(ctx, one, period) }, at + 1)
}

interface HistoryOfRelease {
  readonly history: PriceHistory
  /** The instant from which on the release charges, epoch milliseconds. */
  readonly since: number
}

/**
 * The past prices of a product, as a release has them. The latest release has all of them, even those of deleted
 * releases. Another release has those that ended before it last became the latest. A draft also has those that its
 * publish would end now.
 */
async function historyUpTo(ctx: Context, release: Release, one: PriceOfOne): Promise<HistoryOfRelease> {
  const { catalogId, status } = release
  const { firstPublishedAt, priceHistoryFrom } = historyOf(ctx, release)
  const byCurrency = await ctx.loaders.priceHistoryByCatalogAndProductId(catalogId).load(one.product.id)
  const history = {
    past: byCurrency.get(one.currency) ?? [],
    firstPublishedAt: firstPublishedAt ?? release.publishedAt,
    begunAt: priceHistoryFrom,
  }
  if (status === 'published') return { history, since: await chargesSince(ctx, release, one.at) }
  const now = ctx.changes?.now() ?? ctx.now
  return { history: { ...history, past: await endedBy(ctx, release, history, { ...one, at: now }) }, since: now }
}

/** The instant by which past prices ended that precede those of a published release. */
async function chargesSince(ctx: Context, release: Release, at: number): Promise<number> {
  const { loaders, releases, releaseReader } = ctx
  const { catalogId } = release
  const now = Math.max(at, releaseReader.now)
  const isLatest = releases.known.find(catalogId, 'latest', { ...releaseReader, now }) === release.id
  // The past prices differ once the release is no longer the latest, which the loader reports, or once it is the latest
  // again.
  const latest = isLatest ? await loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId: 'latest' }) : null
  if (latest?.id !== release.id) ctx.cachePolicy.doNotStore()
  return isLatest ? now : (activeSince(activationsOf(ctx, release), now) ?? release.publishedAt)
}

/** The past prices once a draft is published at `at`, which ends those of the latest release. */
async function endedBy(
  ctx: Context,
  { catalogId }: Release,
  { past, firstPublishedAt, begunAt }: PriceHistory,
  { product, currency, at }: PriceOfOne,
): Promise<readonly PastPrice[]> {
  const before = past.filter(({ until }) => until <= at)
  const since = before.at(-1)?.until ?? Math.max(firstPublishedAt, begunAt ?? firstPublishedAt)
  const latest = await ctx.loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId: 'latest' })
  const found = latest && (await catalogProduct(ctx, { release: latest, by: 'id', value: product.id }))
  const prices = found ? pricesIn(ctx, { product: found.priceable, currency }, { from: since, to: at }) : []
  return [
    ...before,
    {
      since,
      until: at,
      starts: prices.map(({ from }) => from),
      amounts: prices.map(({ amount }) => amount),
      sales: prices.map(({ sale }) => sale ?? null),
    },
  ]
}

function pricesIn(
  ctx: Context,
  { product, currency }: Omit<PriceOfOne, 'at'>,
  period: Period,
): readonly ChargedPrice[] {
  const spans = priceSpans(ctx, aloneOf(product), { currency, quantity: 1 }, period)
  return Array.from(spans, ({ from, to, price }) => ({
    from,
    to,
    amount: price?.amount ?? null,
    sale: price?.sale?.name ?? null,
  }))
}

function aloneOf(priceable: PriceableProduct): Pick<PriceSubject, 'priceable' | 'selection' | 'bundleId'> {
  return { priceable, selection: null, bundleId: null }
}
