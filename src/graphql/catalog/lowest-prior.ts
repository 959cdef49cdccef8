/** The lowest price before a sale: CatalogPrice.lowestPrior (price.lowest-prior-in-force). */
import { activeSince } from '../../domain/catalog/release-activation.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { lowestPrior } from '../../domain/pricing/lowest-prior.ts'
import { priceTimeline } from '../../domain/pricing/price-timeline.ts'
import { activationsOf } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'
import { Money, MoneyRef } from '../pricing/money.ts'
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
  if (began === null || release === undefined || bundleId !== null || selection !== null) return null
  const { currency } = price
  const byCurrency = await ctx.loaders.priceHistoryByCatalogAndProductId(release.catalogId).load(priceable.id)
  // The latest release has all prices before it in its past, also those of releases after it that were deleted. To that of another one do
  // not belong the prices that were changed after it was the latest.
  const instant = Math.max(at, ctx.releaseReader.now)
  const latest = ctx.releases.getCached(release.catalogId, 'latest', { ...ctx.releaseReader, now: instant })
  const since = latest?.id === release.id ? instant : (activeSince(activationsOf(ctx, release), instant) ?? release.publishedAt)
  const past = (byCurrency.get(currency) ?? []).filter(({ until }) => until <= since)
  const firstPublishedAt = release.catalog.firstPublishedAt ?? release.publishedAt
  const keepMs = ctx.config.priceHistoryDays * DAY_MS
  const history = { past, firstPublishedAt, keptFrom: ctx.now - keepMs, begunAt: release.catalog.priceHistoryFrom ?? null }
  const { amount, knownUntil } = lowestPrior(
    history,
    { from: began - days * DAY_MS, to: began },
    (period) => {
      const count = () => ctx.work.spend(priceable.resolutionCost * PRICE_POINTS)
      return [...priceTimeline(priceable, { currency, quantity: 1 }, period, count)].map((span) => span.price?.amount ?? null)
    },
    keepMs,
  )
  ctx.cachePolicy.expireAt(knownUntil)
  return amount === null ? null : new Money(amount, currency)
}
