import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolvePrice } from '../../../src/domain/pricing/price.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { priceTimeline } from '../../../src/domain/pricing/price-timeline.ts'
import { runs } from '../../support/effort.ts'
import {
  bundleProduct,
  childProduct,
  currency,
  instant,
  plainProduct,
  quantity,
} from '../../support/price-arbitraries.ts'
import { at, bundle, priceRecord, product, sale, usd } from '../../support/price-builders.ts'

const [first, april] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const march = sale('march', first, april, usd(700))

const amounts = (item: ReleasePricing, from: string, to: string) =>
  [...priceTimeline(compileProduct(item), { currency: 'USD', quantity: 1 }, { from: at(from), to: at(to) })].map(
    ({ price, ...span }) =>
      [new Date(span.from).toISOString(), new Date(span.to).toISOString(), price?.amount ?? null] as const,
  )

describe('the timeline of a price', () => {
  const mug = product(priceRecord(usd(1000), [march]), 'mug')

  test('the timeline of a price is cut at the bounds of sales and at those of the period, to the millisecond', () => {
    expect(amounts(mug, '2026-02-28T23:59:59.999Z', '2026-04-01T00:00:00.001Z')).toEqual([
      ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z', 1000],
      ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', 700],
      ['2026-04-01T00:00:00.000Z', '2026-04-01T00:00:00.001Z', 1000],
    ])
    expect(amounts(mug, first, april)).toEqual([['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', 700]])
  })

  test('the timeline of a price is a single span where changes of options cancel out, and where there is no price', () => {
    const raised = product(priceRecord(usd(500), [sale('raised', first, april, usd(800))]), 'raised')
    const set = bundle([mug, raised])
    expect(amounts(set, '2026-02-01T00:00:00Z', '2026-05-01T00:00:00Z')).toEqual([
      ['2026-02-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z', 1500],
    ])
    expect(amounts(product(null), first, april)).toEqual([
      ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', null],
    ])
  })
})

test('price.timeline-has-every-change: a price timeline has the price of each instant, without gaps, and neighbouring spans differ', () => {
  const item = fc.oneof(plainProduct('p1'), childProduct('p1'), bundleProduct)
  fc.assert(
    fc.property(
      item,
      instant,
      fc.integer({ min: 1, max: 9000 }),
      currency,
      quantity,
      (pricing, from, length, code, count) => {
        const unit = compileProduct(pricing)
        const query = { currency: code, quantity: count }
        const priceAt = (now: number) => resolvePrice(unit, { ...query, now }).price
        const spans = [...priceTimeline(unit, query, { from, to: from + length })]
        expect(spans.map((span) => span.from)).toEqual([from, ...spans.slice(0, -1).map(({ to }) => to)])
        expect(spans.at(-1)?.to).toBe(from + length)
        for (const [index, span] of spans.entries()) {
          for (const now of [span.from, Math.floor((span.from + span.to) / 2), span.to - 1])
            expect(priceAt(now)).toEqual(span.price)
          if (index > 0) expect(spans[index - 1]?.price).not.toEqual(span.price)
        }
      },
    ),
    runs(3000),
  )
})
