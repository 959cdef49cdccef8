/** The lowest price before a sale: CatalogPrice.lowestPrior (price.lowest-prior-in-force). */
import type { Release } from '../../domain/catalog/release.ts'
import { activeSince } from '../../domain/catalog/release-activation.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { lowestPrior, type PastPrice } from '../../domain/pricing/lowest-prior.ts'
import { type Period, priceTimeline, type TimelineSpan } from '../../domain/pricing/price-timeline.ts'
import type { PriceableProduct } from '../../domain/pricing/priceable-product.ts'
import { catalogProduct } from '../../operations/catalog/catalog-product.ts'
import { activationsOf, historyOf } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'
import { type Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { type CatalogPrice, CatalogPriceRef } from './catalog-price.ts'

const DEFAULT_DAYS = 30

interface Arguments {
  readonly days?: number | null | undefined
}

builder.objectField(CatalogPriceRef, 'lowestPrior', (t) =>
  t.field({
    type: MoneyRef,
    nullable: true,
    description:
      "The lowest price of one that was in force in the catalog in the days before the running sale began, of the product outside of bundles. Null when no sale supplies the price, when the sale has no beginning, when there was no price, and when the catalog's history does not reach back so far.",
    args: {
      days: t.arg.int({
        description:
          'How many days before the sale, such as `30`, from 1 to PRICE_HISTORY_DAYS of the server; 30 by default, or what the server keeps.',
        ...withReader(readDays),
      }),
    },
    resolve: (price, args, ctx) => lowestPriorOf(price, args, ctx),
  }),
)

function readDays({ days }: Arguments, { config }: Context): number {
  const most = config.priceHistoryDays
  if (days != null && (days < 1 || days > most)) {
    throw badRequest('OUT_OF_RANGE', ['days'], `must be an integer from 1 to ${most}`)
  }
  return days ?? Math.min(DEFAULT_DAYS, most)
}

async function lowestPriorOf({ subject, price, at }: CatalogPrice, args: Arguments, ctx: Context): Promise<Money | null> {
  const days = readDays(args, ctx)
  const { priceable, bundleId, selection, release } = subject
  const began = price.sale?.validFrom ?? null
  if (began === null || bundleId !== null || selection !== null) return null
  const { currency } = price
  const period = { from: began - days * DAY_MS, to: began }
  const past = await pastOf(release, { at, period, currency, product: priceable }, ctx)
  const keepMs = ctx.config.priceHistoryDays * DAY_MS
  const { firstPublishedAt, priceHistoryFrom } = historyOf(ctx, release)
  const keptFrom = ctx.now - keepMs
  const history = { past, firstPublishedAt: firstPublishedAt ?? release.publishedAt, keptFrom, begunAt: priceHistoryFrom }
  const presentAmounts = (part: Period) => spansIn(part, currency, priceable, ctx).map((span) => span.price?.amount ?? null)
  const { amount, knownUntil } = lowestPrior(history, period, presentAmounts, keepMs)
  ctx.cachePolicy.expireAt(knownUntil)
  return toMoney(amount, currency)
}

interface PricedProduct {
  readonly at: number
  readonly period: Period
  readonly currency: string
  readonly product: PriceableProduct
}

/**
 * The past prices of a product as a release has them at `at`. The latest one has all before it, also those of releases that were deleted;
 * another one lacks those that were changed after it was the latest. A draft has those that its publish would end now.
 */
async function pastOf(release: Release, { at, period, currency, product }: PricedProduct, ctx: Context): Promise<PastPrice[]> {
  const { catalogId, isDraft } = release
  const past = (await ctx.loaders.priceHistoryByCatalogAndProductId(catalogId).load(product.id)).get(currency) ?? []
  const { loaders, releases, releaseReader } = ctx
  if (!isDraft) {
    const now = Math.max(at, releaseReader.now)
    const isLatest = releases.known.find(catalogId, 'latest', { ...releaseReader, now }) === release.id
    // What counts as before the sale differs once the release is no longer the latest, which the loader reports, or is the latest again.
    const latest = isLatest ? await loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId: 'latest' }) : null
    if (latest?.id !== release.id) ctx.cachePolicy.doNotStore()
    const since = isLatest ? now : (activeSince(activationsOf(ctx, release), now) ?? release.publishedAt)
    return past.filter(({ until }) => until <= since)
  }
  const now = ctx.changes?.now() ?? ctx.now
  const before = past.filter(({ until }) => until <= now)
  const latest = await loaders.releaseByCatalogIdAndReleaseId.load({ catalogId, releaseId: 'latest' })
  const found = latest && (await catalogProduct(ctx, { release: latest, by: 'id', value: product.id }))
  const spans = found ? spansIn(period, currency, found.document.priceable, ctx) : []
  return [...before, { until: now, starts: spans.map(({ from }) => from), amounts: spans.map(({ price }) => price?.amount ?? null) }]
}

function spansIn(period: Period, currency: string, product: PriceableProduct, { work }: Context): TimelineSpan[] {
  return [...priceTimeline(product, { currency, quantity: 1 }, period, () => work.spend(product.resolutionCost * PRICE_POINTS))]
}
