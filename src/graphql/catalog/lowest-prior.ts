/**
 * The lowest price before a reduction, since when it is known, and since when the product is on the market: fields of
 * CatalogPrice (price.lowest-prior-in-force).
 */
import { badRequest } from '../../domain/input/errors.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import type { ChargedPrices } from '../../domain/pricing/charged-prices.ts'
import { type LowestPrior, lowestPrior, onMarketSince } from '../../domain/pricing/lowest-prior.ts'
import { chargedPricesUpTo } from '../../operations/catalog/charged-price.ts'
import type { Context } from '../../request/context.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { type CatalogPrice, CatalogPriceRef } from './catalog-price.ts'

const DEFAULT_DAYS = 30

interface Arguments {
  readonly days?: number | null | undefined
  readonly progressive?: boolean | null | undefined
}

function readDays({ days }: Arguments, { config }: Context): number {
  const most = config.priceHistoryDays
  if (days != null && (days < 1 || days > most)) {
    throw badRequest('OUT_OF_RANGE', ['days'], `must be an integer from 1 to ${most}`)
  }
  return days ?? Math.min(DEFAULT_DAYS, most)
}

const periodArguments = () =>
  builder.args((t) => ({
    days: t.int({
      description:
        'How many days before the reduction, such as `30`, from 1 to PRICE_HISTORY_DAYS of the server; 30 by default, or what the server keeps.',
      ...withReader(readDays),
    }),
    progressive: t.boolean({
      description:
        'Whether reductions that follow one another without a gap, each lower than the one before, count from the first, as a state may allow (Article 6a(5) of Directive 98/6/EC): `true`, or `false` by default.',
    }),
  }))

builder.objectFields(CatalogPriceRef, (t) => ({
  lowestPrior: t.field({
    type: MoneyRef,
    nullable: true,
    description:
      'The lowest price of one that was in force in the catalog in the days before the running reduction began, of the product outside of bundles; of one that was on the market for fewer days the lowest of these. A reduction begins when a sale begins to supply the price of one in the catalog, another sale takes over, or the amount falls. Null when no sale supplies the price (in a bundle: that of the product outside of it), when the catalog charged another one at a past instant, when there was no price before, and when past prices are not known: see `lowestPriorSince`.',
    args: periodArguments(),
    resolve: async (price, args, ctx) => toMoney((await lowestPriorOf(price, args, ctx)).amount, price.price.currency),
  }),
  lowestPriorSince: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'The instant from which on past prices are known, where `lowestPrior` with the same arguments is null since they are not; otherwise null.',
    args: periodArguments(),
    resolve: async (price, args, ctx) => (await lowestPriorOf(price, args, ctx)).knownFrom,
  }),
  onMarketSince: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'The instant from which the catalog first had a price of the product in the currency, outside of bundles. Null when past prices are not known up to it.',
    resolve: async (price, _, ctx) => {
      const charged = await chargedOf(price, ctx)
      return charged && onMarketSince(charged)
    },
  }),
}))

async function lowestPriorOf(price: CatalogPrice, args: Arguments, ctx: Context): Promise<LowestPrior> {
  const period = { length: readDays(args, ctx) * DAY_MS, progressive: args.progressive ?? false }
  const { subject, price: shown } = price
  const isOption = subject.bundleId !== null
  const charged = isOption || shown.sale !== null ? await chargedOf(price, ctx) : null
  // At a past instant the catalog may have charged by another sale than the release does now.
  const sale = charged?.prices.at(-1)?.sale
  const isAnother = !isOption && sale !== undefined && sale !== shown.sale?.name
  return charged === null || isAnother ? { amount: null, knownFrom: null } : lowestPrior(charged, period)
}

function chargedOf({ subject, price: { currency }, at }: CatalogPrice, ctx: Context): Promise<ChargedPrices | null> {
  return chargedPricesUpTo(ctx, subject, { currency, at })
}
