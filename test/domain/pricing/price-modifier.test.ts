import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import {
  amountOf,
  ask,
  at,
  child,
  equals,
  gross,
  minus,
  modifier,
  plus,
  price,
  product,
  row,
  sale,
  usd,
} from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const listing = (unit: Parameters<typeof compileProduct>[0]) => toProductPriceView(compileProduct(unit), at('2026-03-15T00:00:00Z'))

describe('modifiers', () => {
  const onSale = row(usd(1000, { five: [5, 900] }), [sale('s', ...march, usd(800))])

  test('modifier.changes-price-and-list-price: over the sale price of the base, original_price over its list price', () => {
    expect(ask(child(onSale, [plus('p', 100)]))).toEqual({
      price: {
        currency: 'USD',
        amount: 900,
        includesTax: false,
        list: { amount: 1100, includesTax: false },
        book: 'book',
        productPrice: 'book-row',
        sale: { name: 's', validFrom: at(march[0]), validTo: at(march[1]) },
        saleExpires: at(march[1]),
        tier: null,
        modifiers: [{ name: 'p', type: 'price_increment', amount: 100 }],
      },
      changesAt: at(march[1]),
    })
    expect(listing(child(onSale, [plus('p', 100)]))).toMatchObject({ sale_id: 's', original_price: { USD: { amount: 1100 } } })
    expect(ask(child(onSale, [plus('p', 100)]), { quantity: 5 }).price).toMatchObject({ amount: 1000, tier: 'five' })
  })

  test('modifier.equals-replaces-base: price_equals replaces the base altogether: no sale, no tier, no change; increments still go on top', () => {
    const unit = child(onSale, [plus('p', 100), equals('e', 500), minus('m', 30)])
    for (const quantity of [1, 5]) {
      const { price: answer, changesAt } = ask(unit, { quantity })
      expect(answer).toMatchObject({ amount: 570, list: { amount: 570 }, sale: null, saleExpires: null, tier: null })
      expect(answer?.modifiers.map(({ name }) => name)).toEqual(['e', 'p', 'm'])
      expect(changesAt).toBeNull()
    }
    expect(Object.keys(listing(unit))).not.toContain('sale_id')
  })

  test('modifier.from-supplying-book: a name that the supplying book lacks is skipped', () => {
    expect(amountOf(child(row(usd(1000)), [plus('p', 100)], ['unknown', 'p']))).toBe(1100)
  })

  test('modifier.skipped-without-amount: without the currency or with a null amount it is skipped; an earlier price_equals then decides', () => {
    const other = modifier('later', 'price_equals', { EUR: price(1), USD: price(null, { one: [1, 2] }) })
    expect(amountOf(child(row(usd(1000)), [equals('first', 500), other]))).toBe(500)
    expect(amountOf(child(row(usd(1000)), [equals('first', 500), equals('second', 400)]))).toBe(400)
  })

  test('modifier.adds-no-currency: a currency that only the modifier has gives no price; nor does a base without a row', () => {
    const both = modifier('e', 'price_equals', { EUR: price(1), GBP: price(1), USD: price(1) })
    const unit = child(row({ USD: price(1000), GBP: price(null) }), [both])
    expect([amountOf(unit), amountOf(unit, { currency: 'EUR' }), amountOf(unit, { currency: 'GBP' })]).toEqual([1, null, null])
    expect(ask(child(null, [both]))).toEqual({ price: null, changesAt: null })
  })

  test("modifier.highest-reached-tier: at quantity q the modifier's highest reached tier, independent of the base; the list price by plain amounts", () => {
    const tiered = modifier('p', 'price_increment', usd(50, { two: [2, 40], four: [4, 30] }))
    const unit = child(onSale, [tiered])
    expect([1, 2, 3, 4, 5].map((quantity) => amountOf(unit, { quantity }))).toEqual([850, 840, 840, 830, 930])
    expect(ask(unit, { quantity: 4 }).price).toMatchObject({ list: { amount: 1050 }, modifiers: [{ amount: 30 }] })
    const equal = child(onSale, [modifier('e', 'price_equals', usd(50, { two: [2, 40] }))])
    expect(ask(equal, { quantity: 2 }).price).toMatchObject({ amount: 40, list: { amount: 50 }, tier: null })
  })

  test('modifier.last-mention-counts: a name that occurs twice counts once, at its last place', () => {
    const modifiers = [equals('a', 1), equals('b', 2), plus('p', 10)]
    const unit = child(row(usd(1000)), modifiers, ['a', 'p', 'b', 'a', 'p'])
    expect(ask(unit).price?.modifiers).toEqual([
      { name: 'a', type: 'price_equals', amount: 1 },
      { name: 'p', type: 'price_increment', amount: 10 },
    ])
    expect(compileProduct(unit).modifierNames).toEqual(['b', 'a', 'p'])
  })

  test('modifier.never-below-zero: floored at 0 once, at the end, per currency, the price and the list price each; 0 is a price', () => {
    expect(amountOf(child(row(usd(100)), [minus('m', 150), plus('p', 20)]))).toBe(0)
    expect(amountOf(child(row(usd(100)), [minus('m', 150), plus('p', 60)]))).toBe(10)
    expect(ask(child(onSale, [minus('m', 900)])).price).toMatchObject({ amount: 0, list: { amount: 100 } })
    const perCurrency = modifier('m', 'price_decrement', { USD: price(100), EUR: price(10) })
    const unit = child(row({ USD: price(50), EUR: price(50) }), [perCurrency])
    expect([amountOf(unit), amountOf(unit, { currency: 'EUR' })]).toEqual([0, 40])
  })

  test("modifier.tax-flag-of-base: includes_tax is the base block's, with price_equals the modifier's", () => {
    const base = row({ USD: price(1000) }, [sale('s', ...march, { USD: gross(800) })])
    const taxed = modifier('p', 'price_increment', { USD: gross(1) })
    expect(ask(child(row(usd(1000)), [taxed])).price).toMatchObject({ includesTax: false, list: { includesTax: false } })
    expect(ask(child(base, [plus('p', 1)])).price).toMatchObject({ includesTax: true, list: { includesTax: false } })
    const equal = modifier('e', 'price_equals', { USD: gross(5) })
    expect(ask(child(row(usd(1000)), [equal])).price).toMatchObject({ includesTax: true, list: { amount: 5, includesTax: true } })
  })

  test('E10: only modifiers found in the supplying book are listed, without sale keys; {} with an own row', () => {
    const tiered = modifier('p', 'price_increment', { USD: price(50, { two: [2, 40], none: [3, null] }), EUR: price(null) })
    const unit = child(onSale, [tiered, equals('e', 500)], ['unknown', 'p', 'e'])
    expect(listing(unit).price_modifiers).toEqual({
      p: {
        modifier_type: 'price_increment',
        currencies: { USD: { amount: 50, includes_tax: false, tiers: { two: { minimum_quantity: 2, amount: 40 } } } },
      },
      e: { modifier_type: 'price_equals', currencies: { USD: { amount: 500, includes_tax: false } } },
    })
    const owned = { ...unit, own: row(usd(7)) }
    expect(listing(owned)).toMatchObject({ price: { USD: { amount: 7 } }, price_modifiers: {} })
    expect(compileProduct(owned).modifierNames).toEqual(['unknown', 'p', 'e'])
  })

  test("modifier.book-and-sale-of-base: an inheriting child's book and sale are the base's", () => {
    const unit = child({ ...onSale, book: 'base book' }, [])
    expect(listing(unit)).toMatchObject({ pricebook_id: 'base book', sale_id: 's' })
    expect(ask(unit).price).toMatchObject({ book: 'base book', sale: { name: 's' } })
  })

  test('modifier.own-price-ignores-them: a product that is no child ignores modifiers', () => {
    expect(amountOf({ ...product(row(usd(1000))), modifier_names: ['p'], modifiers: [plus('p', 1)] })).toBe(1000)
  })

  test('money.exact-or-no-price: an increment past 2^53-1 gives no price, at 2^53-1 it does; a price that overflows only during a sale comes back', () => {
    const top = Number.MAX_SAFE_INTEGER
    expect(amountOf(child(row(usd(top - 1)), [plus('p', 1)]))).toBe(top)
    expect(amountOf(child(row(usd(top)), [plus('p', 1)]))).toBeNull()
    expect(amountOf(child(row(usd(top)), [plus('p', 1), minus('m', 5)]))).toBeNull()
    const dear = child(row(usd(10), [sale('s', ...march, usd(top))]), [plus('p', 1)])
    expect(ask(dear)).toEqual({ price: null, changesAt: at(march[1]) })
    expect(ask(dear, { now: '2026-02-01T00:00:00Z' })).toMatchObject({ price: { amount: 11 }, changesAt: at(march[0]) })
    expect(listing(dear).changesAt).toBe(at(march[1]))
  })

  test('money.exact-or-no-price: a list price past 2^53-1 leaves the currency without a price, on sale too (price.list-price-fixes-currencies)', () => {
    const unit = child(row(usd(Number.MAX_SAFE_INTEGER), [sale('s', ...march, usd(10))]), [plus('p', 1)])
    expect(amountOf(unit)).toBeNull()
  })
})
