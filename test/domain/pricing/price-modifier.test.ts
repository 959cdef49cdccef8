import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import {
  amountOf,
  at,
  child,
  equals,
  gross,
  minus,
  modifier,
  plus,
  price,
  priceRecord,
  product,
  resolve,
  sale,
  usd,
} from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const listing = (item: Parameters<typeof compileProduct>[0]) =>
  toProductPriceView(compileProduct(item), at('2026-03-15T00:00:00Z'))

describe('price modifiers', () => {
  const onSale = priceRecord(usd(1000, { five: [5, 900] }), [sale('s', ...march, usd(800))])

  test("modifier.changes-price-and-list-price: price modifiers change the parent's sale price, and its list price in original_price", () => {
    expect(resolve(child(onSale, [plus('p', 100)]))).toEqual({
      price: {
        currency: 'USD',
        amount: 900,
        includesTax: false,
        list: { amount: 1100, includesTax: false },
        book: 'book',
        productPrice: 'book-row',
        sale: { name: 's', validFrom: at(march[0]), validTo: at(march[1]) },
        tier: null,
        modifiers: [{ name: 'p', type: 'price_increment', amount: 100 }],
      },
      changesAt: at(march[1]),
    })
    expect(listing(child(onSale, [plus('p', 100)]))).toMatchObject({
      sale_id: 's',
      original_price: { USD: { amount: 1100 } },
    })
    expect(resolve(child(onSale, [plus('p', 100)]), { quantity: 5 }).price).toMatchObject({
      amount: 900,
      tier: null,
    })
  })

  test("modifier.equals-replaces-base: price modifiers of type price_equals replace the parent's price, sales and tiers", () => {
    const item = child(onSale, [plus('p', 100), equals('e', 500), minus('m', 30)])
    for (const quantity of [1, 5]) {
      const { price: found, changesAt } = resolve(item, { quantity })
      expect(found).toMatchObject({ amount: 570, list: { amount: 570 }, sale: null, tier: null })
      expect(found?.modifiers.map(({ name }) => name)).toEqual(['e', 'p', 'm'])
      expect(changesAt).toBeNull()
    }
    expect(Object.keys(listing(item))).not.toContain('sale_id')
  })

  test('modifier.from-supplying-book: price modifiers are skipped when the supplying book lacks their name', () => {
    expect(amountOf(child(priceRecord(usd(1000)), [plus('p', 100)], ['unknown', 'p']))).toBe(1100)
  })

  test('modifier.skipped-without-amount: price modifiers are skipped in a currency without an amount, so that an earlier price_equals decides', () => {
    const other = modifier('later', 'price_equals', { EUR: price(1), USD: price(null, { one: [1, 2] }) })
    expect(amountOf(child(priceRecord(usd(1000)), [equals('first', 500), other]))).toBe(500)
    expect(amountOf(child(priceRecord(usd(1000)), [equals('first', 500), equals('second', 400)]))).toBe(400)
  })

  test('modifier.adds-no-currency: price modifiers add no currency, and no price to a parent without a price record', () => {
    const both = modifier('e', 'price_equals', { EUR: price(1), GBP: price(1), USD: price(1) })
    const item = child(priceRecord({ USD: price(1000), GBP: price(null) }), [both])
    expect([amountOf(item), amountOf(item, { currency: 'EUR' }), amountOf(item, { currency: 'GBP' })]).toEqual([
      1,
      null,
      null,
    ])
    expect(resolve(child(null, [both]))).toEqual({ price: null, changesAt: null })
  })

  test('modifier.highest-reached-tier: price modifiers have the amount of their own highest reached tier, and their plain amount in the list price', () => {
    const tiered = modifier('p', 'price_increment', usd(50, { two: [2, 40], four: [4, 30] }))
    const item = child(onSale, [tiered])
    expect([1, 2, 3, 4, 5].map((quantity) => amountOf(item, { quantity }))).toEqual([850, 840, 840, 830, 830])
    expect(resolve(item, { quantity: 4 }).price).toMatchObject({ list: { amount: 1050 }, modifiers: [{ amount: 30 }] })
    const equal = child(onSale, [modifier('e', 'price_equals', usd(50, { two: [2, 40] }))])
    expect(resolve(equal, { quantity: 2 }).price).toMatchObject({ amount: 40, list: { amount: 50 }, tier: null })
  })

  test('modifier.last-mention-counts: price modifiers count once, at the last place of a repeated name', () => {
    const modifiers = [equals('a', 1), equals('b', 2), plus('p', 10)]
    const item = child(priceRecord(usd(1000)), modifiers, ['a', 'p', 'b', 'a', 'p'])
    expect(resolve(item).price?.modifiers).toEqual([
      { name: 'a', type: 'price_equals', amount: 1 },
      { name: 'p', type: 'price_increment', amount: 10 },
    ])
    expect(compileProduct(item).modifierNames).toEqual(['b', 'a', 'p'])
  })

  test('modifier.never-below-zero: a price below 0 after all modifiers becomes 0, and so does the list price', () => {
    expect(amountOf(child(priceRecord(usd(100)), [minus('m', 150), plus('p', 20)]))).toBe(0)
    expect(amountOf(child(priceRecord(usd(100)), [minus('m', 150), plus('p', 60)]))).toBe(10)
    expect(resolve(child(onSale, [minus('m', 900)])).price).toMatchObject({ amount: 0, list: { amount: 100 } })
    const perCurrency = modifier('m', 'price_decrement', { USD: price(100), EUR: price(10) })
    const item = child(priceRecord({ USD: price(50), EUR: price(50) }), [perCurrency])
    expect([amountOf(item), amountOf(item, { currency: 'EUR' })]).toEqual([0, 40])
  })

  test("modifier.tax-flag-of-base: price modifiers leave the parent's includes_tax, except price_equals, whose own flag applies", () => {
    const base = priceRecord({ USD: price(1000) }, [sale('s', ...march, { USD: gross(800) })])
    const taxed = modifier('p', 'price_increment', { USD: gross(1) })
    expect(resolve(child(priceRecord(usd(1000)), [taxed])).price).toMatchObject({
      includesTax: false,
      list: { includesTax: false },
    })
    expect(resolve(child(base, [plus('p', 1)])).price).toMatchObject({
      includesTax: true,
      list: { includesTax: false },
    })
    const equal = modifier('e', 'price_equals', { USD: gross(5) })
    expect(resolve(child(priceRecord(usd(1000)), [equal])).price).toMatchObject({
      includesTax: true,
      list: { amount: 5, includesTax: true },
    })
  })

  test("modifier.listed-without-sales: price modifiers are listed from the supplying book without sale keys, and not beside a price of the child's own", () => {
    const tiered = modifier('p', 'price_increment', {
      USD: price(50, { two: [2, 40], none: [3, null] }),
      EUR: price(null),
    })
    const item = child(onSale, [tiered, equals('e', 500)], ['unknown', 'p', 'e'])
    expect(listing(item).price_modifiers).toEqual({
      p: {
        modifier_type: 'price_increment',
        currencies: { USD: { amount: 50, includes_tax: false, tiers: { two: { minimum_quantity: 2, amount: 40 } } } },
      },
      e: { modifier_type: 'price_equals', currencies: { USD: { amount: 500, includes_tax: false } } },
    })
    const owned = { ...item, own: priceRecord(usd(7)) }
    expect(listing(owned)).toMatchObject({ price: { USD: { amount: 7 } }, price_modifiers: {} })
    expect(compileProduct(owned).modifierNames).toEqual(['unknown', 'p', 'e'])
  })

  test('modifier.book-and-sale-of-base: price modifiers leave the child the book and sale of its parent', () => {
    const item = child({ ...onSale, book: 'base book' }, [])
    expect(listing(item)).toMatchObject({ pricebook_id: 'base book', sale_id: 's' })
    expect(resolve(item).price).toMatchObject({ book: 'base book', sale: { name: 's' } })
  })

  test('modifier.own-price-ignores-them: price modifiers do not apply to a product that is no child', () => {
    expect(amountOf({ ...product(priceRecord(usd(1000))), modifier_names: ['p'], modifiers: [plus('p', 1)] })).toBe(
      1000,
    )
  })

  test("money.exact-or-no-price: price modifiers give no price past 2^53-1, also when only a sale's price exceeds it for a time", () => {
    const top = Number.MAX_SAFE_INTEGER
    expect(amountOf(child(priceRecord(usd(top - 1)), [plus('p', 1)]))).toBe(top)
    expect(amountOf(child(priceRecord(usd(top)), [plus('p', 1)]))).toBeNull()
    expect(amountOf(child(priceRecord(usd(top)), [plus('p', 1), minus('m', 5)]))).toBeNull()
    const dear = child(priceRecord(usd(10), [sale('s', ...march, usd(top))]), [plus('p', 1)])
    expect(resolve(dear)).toEqual({ price: null, changesAt: at(march[1]) })
    expect(resolve(dear, { now: '2026-02-01T00:00:00Z' })).toMatchObject({
      price: { amount: 11 },
      changesAt: at(march[0]),
    })
    expect(listing(dear).changesAt).toBe(at(march[1]))
  })

  test('money.exact-or-no-price: price modifiers give no price when the list price exceeds 2^53-1, even during a sale', () => {
    const item = child(priceRecord(usd(Number.MAX_SAFE_INTEGER), [sale('s', ...march, usd(10))]), [plus('p', 1)])
    expect(amountOf(item)).toBeNull()
  })
})
