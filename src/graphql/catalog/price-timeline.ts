/** The prices of a product over a period: CatalogProduct.priceTimeline (price.timeline-has-every-change). */
import { badRequest, DomainError } from '../../domain/input/errors.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import type { TimelineSpan } from '../../domain/pricing/price-timeline.ts'
import { type PriceSubject, priceSpans } from '../../operations/catalog/price.ts'
import type { Context } from '../../request/context.ts'
import { type CurrencyArguments, currencyArgs, displayCurrency } from '../pricing/price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { type CatalogPrice, CatalogPriceRef } from './catalog-price.ts'
import { CatalogProductRef } from './catalog-refs.ts'
import { quantityArgs, readPriceArguments } from './price-arguments.ts'
import { toCatalogPrice } from './resolve-catalog-price.ts'

/** The maximum number of spans of one timeline. */
export const TIMELINE_SPANS_MAX = 500

interface PriceSpan {
  readonly from: number
  readonly to: number
  readonly price: CatalogPrice | null
}

const PriceSpanRef = builder.objectRef<PriceSpan>('PriceSpan').implement({
  description: 'A part of a period in which a price stays as it is.',
  right: 'anyone',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Its first instant.' }),
    to: t.expose('to', { type: 'DateTime', description: 'The first instant after it.' }),
    price: t.expose('price', {
      type: CatalogPriceRef,
      nullable: true,
      description: 'The price at each of its instants; null for none.',
    }),
  }),
})

interface TimelineArguments extends CurrencyArguments {
  readonly from: number
  readonly to?: number | null | undefined
  readonly quantity?: number | null | undefined
}

builder.objectField(CatalogProductRef, 'priceTimeline', (t) =>
  t.field({
    type: [PriceSpanRef],
    description: `The prices of a period by this release, in the order of time and without gaps: a span for each price, ${TIMELINE_SPANS_MAX} at most.`,
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description: 'The first instant of the period: `2026-01-01T00:00:00Z`.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'The first instant after the period, such as `2030-12-02T00:00:00Z`; by default now, and a later one is for admins only.',
        ...withReader(readTimelineArguments),
      }),
      ...currencyArgs,
      ...quantityArgs,
    },
    resolve: (product, args, ctx) => timelineOf(product, args, ctx),
  }),
)

function readTimelineArguments(args: TimelineArguments, ctx: Context) {
  const { quantity } = readPriceArguments(args, ctx)
  const to = args.to ?? ctx.now
  // The period of a request without `to`, and who may read it (price.future-timeline-for-admins), depend on its
  // instant.
  ctx.cachePolicy.doNotStore()
  if (to > ctx.now && ctx.viewer.role !== 'admin')
    throw new DomainError(
      'forbidden',
      'The argument to is for administrators when it is later than the present instant',
    )
  if (args.from >= to) throw badRequest('OUT_OF_RANGE', ['from'], 'must be earlier than to')
  return { period: { from: args.from, to }, quantity, currency: displayCurrency(args, ctx) }
}

function timelineOf(subject: PriceSubject, args: TimelineArguments, ctx: Context) {
  const { period, quantity, currency } = readTimelineArguments(args, ctx)
  const spans: PriceSpan[] = []
  for (const span of priceSpans(ctx, subject, { currency, quantity }, period)) {
    if (spans.length === TIMELINE_SPANS_MAX) throw tooManySpans(span)
    spans.push({ from: span.from, to: span.to, price: toCatalogPrice(subject, span.from, quantity, span) })
  }
  return spans
}

/** The error of a period with too many spans; `next` is the first span beyond the limit. */
function tooManySpans(next: TimelineSpan): DomainError {
  const message = `would need more than ${TIMELINE_SPANS_MAX} spans: ${TIMELINE_SPANS_MAX} end at ${formatInstant(next.from)}`
  return badRequest('TOO_MANY', ['to'], message)
}
