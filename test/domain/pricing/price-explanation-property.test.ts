import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolvePrice } from '../../../src/domain/pricing/price.ts'
import { explainPrice } from '../../../src/domain/pricing/price-explanation.ts'
import { runs } from '../../support/effort.ts'
import {
  bundleId,
  bundleProduct,
  childProduct,
  currency,
  instant,
  plainProduct,
  quantity,
} from '../../support/price-arbitraries.ts'

const item = fc.oneof(plainProduct('p1'), childProduct('p1'), bundleProduct)
const anyQuery = fc.record({ now: instant, currency, quantity, bundleId })

test('price.explained-by-every-candidate, price.missing-price-explained: the steps of an explanation agree with the price that they explain, for any product and query', () => {
  fc.assert(
    fc.property(item, anyQuery, (pricing, query) => {
      const unit = compileProduct(pricing)
      const { price } = resolvePrice(unit, query)
      const { steps } = explainPrice(unit, { ...query, withFutureSales: true })
      const applied = steps.filter(({ outcome }) => outcome === 'APPLIED')
      for (const { reason } of steps) expect(reason).toMatch(/^[A-Z][\s\S]*\.$/)
      if (price === null) {
        expect(steps.length).toBeGreaterThan(0)
        expect(applied.every(({ kind, amount }) => kind === 'BOOK' && amount === null)).toBe(true)
        expect(['NO_AMOUNT', 'NO_PRICE']).toContain(steps.at(-1)?.outcome)
        return
      }
      const named = (kind: string) => applied.filter((step) => step.kind === kind).map(({ name }) => name)
      expect(applied.at(-1)?.amount).toBe(price.amount)
      expect(named('BOOK')).toEqual(price.book === null ? [] : [price.book])
      expect(named('SALE')).toEqual(price.sale === null ? [] : [price.sale.name])
      expect(named('TIER')).toEqual(price.tier === null ? [] : [price.tier])
      expect(named('MODIFIER')).toEqual(price.modifiers.map(({ name }) => name))
      const sales = steps.filter(({ kind }) => kind === 'SALE').map(({ name }) => name)
      expect(sales).toEqual((unit.record?.sales ?? []).map(({ name }) => name))
    }),
    runs(1000),
  )
})

test('the steps of an explanation stay the same until the instant at which they are said to change, and differ then', () => {
  fc.assert(
    fc.property(item, anyQuery, (pricing, query) => {
      const unit = compileProduct(pricing)
      const explain = (now: number) => explainPrice(unit, { ...query, now, withFutureSales: true })
      const { steps, changesAt } = explain(query.now)
      if (changesAt === null) return
      expect(explain(changesAt - 1).steps).toEqual(steps)
      if (unit.record !== null) expect(explain(changesAt).steps).not.toEqual(steps)
    }),
    runs(600),
  )
})
