import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { pricedCurrencies, resolvePrice } from '../../../src/domain/pricing/price.ts'
import { toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import { displayAmounts } from '../../../src/domain/pricing/to-price-view.ts'
import { at, bundle, price, priceRecord, product, resolve, sale, usd } from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const listing = (item: Parameters<typeof compileProduct>[0], now = '2026-03-15T00:00:00Z') =>
  toProductPriceView(compileProduct(item), at(now))

describe('the next change of a price', () => {
  test('price.changes-with-its-reasons: the next change of a price is the start of a sale that wins with the same amount', () => {
    const item = product(
      priceRecord(usd(1000), [
        sale('month', ...march, usd(800)),
        sale('week', '2026-03-20T00:00:00Z', '2026-03-27T00:00:00Z', usd(800)),
      ]),
    )
    expect(resolve(item).changesAt).toBe(at('2026-03-20T00:00:00Z'))
  })

  test('price.changes-with-its-reasons: the next change of a price is not the start of a sale that loses, lacks the currency or yields to a tier', () => {
    const loser = sale('loser', '2026-03-20T00:00:00Z', '2026-06-01T00:00:00Z', usd(1))
    expect(resolve(product(priceRecord(usd(1000), [sale('month', ...march, usd(800)), loser]))).changesAt).toBe(
      at(march[1]),
    )
    const foreign = sale('s', '2026-03-20T00:00:00Z', '2026-03-21T00:00:00Z', { EUR: price(1) })
    expect(resolve(product(priceRecord(usd(1000), [foreign]))).changesAt).toBeNull()
    const yielding = sale('s', '2026-03-20T00:00:00Z', '2026-03-21T00:00:00Z', usd(901))
    const tiered = product(priceRecord(usd(1000, { five: [5, 900] }), [yielding]))
    expect(resolve(tiered, { quantity: 5 }).changesAt).toBeNull()
    expect(resolve(tiered, { quantity: 4 }).changesAt).toBe(at('2026-03-20T00:00:00Z'))
  })

  test("price.changes-with-its-reasons: the next change of a price is the start of a winning sale without the currency, which ends the current sale's amount", () => {
    const foreign = sale('week', '2026-03-20T00:00:00Z', '2026-03-27T00:00:00Z', { EUR: price(1) })
    const item = product(priceRecord(usd(1000), [sale('month', ...march, usd(800)), foreign]))
    expect(resolve(item)).toMatchObject({ price: { amount: 800 }, changesAt: at('2026-03-20T00:00:00Z') })
    expect(resolve(item, { now: '2026-03-20T00:00:00Z' })).toMatchObject({
      price: { amount: 1000 },
      changesAt: at('2026-03-27T00:00:00Z'),
    })
  })

  test('price.changes-strictly-later: the next change of a price is strictly later than the instant of the query, and null when nothing follows', () => {
    const item = product(priceRecord(usd(1000), [sale('s', ...march, usd(800))]))
    expect(resolve(item, { now: '2026-02-28T23:59:59.999Z' })).toMatchObject({
      price: { amount: 1000 },
      changesAt: at(march[0]),
    })
    expect(resolve(item, { now: march[0] })).toMatchObject({ price: { amount: 800 }, changesAt: at(march[1]) })
    expect(resolve(item, { now: march[1] })).toMatchObject({ price: { amount: 1000 }, changesAt: null })
  })

  test('price.changes-strictly-later: the next change of a price is one instant where a sale ends and the next one starts', () => {
    const item = product(
      priceRecord(usd(1000), [sale('a', ...march, usd(800)), sale('b', march[1], '2026-05-01T00:00:00Z', usd(700))]),
    )
    expect(resolve(item).changesAt).toBe(at(march[1]))
    expect(resolve(item, { now: march[1] })).toMatchObject({
      price: { amount: 700 },
      changesAt: at('2026-05-01T00:00:00Z'),
    })
  })

  test("bundle.earliest-change-of-options: the next change of a price is the earliest change of a sum's options, even where two changes cancel out", () => {
    const down = product(priceRecord(usd(100), [sale('s', ...march, usd(90))]), 'a')
    const up = product(priceRecord(usd(100), [sale('s', ...march, usd(110))]), 'b')
    const late = product(priceRecord(usd(1), [sale('s', '2026-03-20T00:00:00Z', null, usd(2))]), 'c')
    expect(resolve(bundle([down, up, late]), { now: '2026-02-01T00:00:00Z' })).toMatchObject({
      price: { amount: 201 },
      changesAt: at(march[0]),
    })
    expect(resolve(bundle([down, up, late]), { now: march[0] })).toMatchObject({
      price: { amount: 201 },
      changesAt: at('2026-03-20T00:00:00Z'),
    })
  })

  test('list.true-until-next-change: the next change of a listing is the first one in any currency and component product', () => {
    const sales = [sale('eur', '2026-03-20T00:00:00Z', march[1], { EUR: price(1) })]
    const item = product(priceRecord({ USD: price(1000), EUR: price(900) }, sales), 'a')
    expect(resolve(item).changesAt).toBeNull()
    expect(listing(item).changesAt).toBe(at('2026-03-20T00:00:00Z'))
    const unchosen = bundle([item], { one: { name: 'one', options: [{ id: 'a' }] } })
    expect(listing(unchosen).changesAt).toBe(at('2026-03-20T00:00:00Z'))
  })

  test('list.true-until-next-change: the next change of a listing is null for a nested sum in a currency that one of its options never has', () => {
    const flips = product(priceRecord({ EUR: price(100) }, [sale('s', ...march, { EUR: price(90) })]), 'a')
    const inner = bundle([flips, product(priceRecord(usd(1)), 'b')], undefined, null, 'inner')
    expect(listing(bundle([inner])).changesAt).toBeNull()
    expect(resolvePrice(compileProduct(inner), { now: at(march[0]), currency: 'EUR', quantity: 1 })).toEqual({
      price: null,
      changesAt: null,
    })
  })

  test('price.one-instant-per-request: the next change of a price is found for any instant from the year 1 to the year 9999', () => {
    const item = product(priceRecord(usd(1000), [sale('s', null, '1970-01-01T00:00:00Z', usd(1))]))
    expect(resolve(item, { now: '0001-01-01T00:00:00Z' })).toMatchObject({ price: { amount: 1 }, changesAt: 0 })
    expect(resolve(item, { now: '9999-12-31T23:59:59.999Z' })).toMatchObject({
      price: { amount: 1000 },
      changesAt: null,
    })
  })
})

describe('prices in all currencies', () => {
  const item = product(priceRecord({ USD: price(1000), EUR: price(900) }, [sale('s', ...march, { EUR: price(500) })]))

  test('money.no-tax-engine, price.display-follows-price: displayed amounts are those of price and original_price, else null', () => {
    expect(displayAmounts(listing(item), 'EUR')).toEqual({ price: 500, original: 900 })
    expect(displayAmounts(listing(item), 'USD')).toEqual({ price: 1000, original: 1000 })
    expect(displayAmounts(listing(item), 'GBP')).toEqual({ price: null, original: null })
    expect(displayAmounts(listing(item, march[1]), 'EUR')).toEqual({ price: 900, original: null })
  })

  test('price.every-currency-by-code: prices in all currencies are ordered by currency code', () => {
    expect(pricedCurrencies(compileProduct(item))).toEqual(['EUR', 'USD'])
  })
})
