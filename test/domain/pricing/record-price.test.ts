import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import {
  amountOf,
  at,
  bundle,
  child,
  equals,
  gross,
  plus,
  price,
  priceRecord,
  product,
  resolve,
  sale,
  usd,
} from '../../support/price-builders.ts'

const now = '2026-03-15T00:00:00Z'
const listing = (item: Parameters<typeof compileProduct>[0]) => toProductPriceView(compileProduct(item), at(now))

describe('the price record of a product', () => {
  test("price.own-record-before-base: the price record of a product is a child's own before its parent's (modifier.own-price-ignores-them)", () => {
    const item = {
      ...child(priceRecord(usd(5000), [], 'high'), [plus('m', 100)]),
      own: priceRecord(usd(700), [], 'low'),
    }
    expect(resolve(item).price).toEqual({
      currency: 'USD',
      amount: 700,
      includesTax: false,
      list: { amount: 700, includesTax: false },
      book: 'low',
      productPrice: 'low-row',
      sale: null,
      tier: null,
      modifiers: [],
    })
  })

  test('price.book-chosen-by-sku: the price record of a product decides even where it lacks the currency, instead of a parent, a sum or a lower book', () => {
    const own = priceRecord({ EUR: price(100), GBP: price(null) })
    const childUnit = { ...child(priceRecord(usd(5000)), []), own }
    expect(resolve(childUnit)).toEqual({ price: null, changesAt: null })
    expect(amountOf(childUnit, { currency: 'GBP' })).toBeNull()
    expect(amountOf(childUnit, { currency: 'EUR' })).toBe(100)
    expect(resolve(bundle([product(priceRecord(usd(5000)))], undefined, own))).toEqual({ price: null, changesAt: null })
    expect(listing({ ...childUnit, own: priceRecord({}, [], 'empty') })).toMatchObject({ pricebook_id: 'empty' })
  })

  test('price.none-without-record: a product may lack a price record, so that a child inherits, a bundle is summed and any other product has no price', () => {
    expect(resolve(product(null))).toEqual({ price: null, changesAt: null })
    expect(listing(product(null))).toEqual({
      pricebook_id: null,
      price_modifiers: {},
      shopper_attributes: null,
      changesAt: null,
    })
    expect(amountOf(child(priceRecord(usd(5000)), []))).toBe(5000)
    expect(amountOf(bundle([product(priceRecord(usd(5000)))]))).toBe(5000)
  })

  test('release.freezes-all-that-prices: the price record of a product is compiled once, so that later changes of the decoded document change no price', () => {
    const frozen = { USD: { amount: 1000 as number | null, includes_tax: false } }
    const item = compileProduct(product(priceRecord(frozen)))
    frozen.USD.amount = 1
    expect(toProductPriceView(item, at(now)).price).toEqual({ USD: { amount: 1000, includes_tax: false } })
  })
})

describe('the currencies of a price', () => {
  const everywhere = sale('s', null, '2027-01-01T00:00:00Z', { USD: price(800), EUR: price(700), GBP: price(600) })

  test('price.list-price-fixes-currencies: a currency needs a list amount; neither a sale nor a tier adds a currency, at any quantity', () => {
    const item = product(priceRecord({ USD: price(1000), EUR: price(null, { t: [2, 500] }) }, [everywhere]))
    for (const quantity of [1, 2, 100]) {
      expect(resolve(item, { currency: 'EUR', quantity })).toEqual({ price: null, changesAt: null })
      expect(resolve(item, { currency: 'GBP', quantity })).toEqual({ price: null, changesAt: null })
      expect(amountOf(item, { quantity })).toBe(800)
    }
  })

  test('sale.null-amount-is-absent: a currency in which a sale has a null amount keeps its list price, with or without tiers', () => {
    const item = product(priceRecord(usd(1000), [sale('s', null, null, usd(null, { t: [1, 10] }))]))
    expect(resolve(item, { quantity: 5 }).price).toMatchObject({ amount: 1000, sale: null, tier: null })
  })

  test('tier.null-amount-is-absent: a tier without an amount in a currency is ignored there, so that a lower tier or a scheduled sale applies', () => {
    const tiers: Record<string, [number, number | null]> = { five: [5, 900], ten: [10, null] }
    expect(resolve(product(priceRecord(usd(1000, tiers))), { quantity: 10 }).price).toMatchObject({
      amount: 900,
      tier: 'five',
    })
    const onSale = product(
      priceRecord(usd(1000, { ten: [10, null] }), [sale('s', null, '2027-01-01T00:00:00Z', usd(800))]),
    )
    expect(resolve(onSale, { quantity: 10 }).price).toMatchObject({ amount: 800, sale: { name: 's' }, tier: null })
  })

  test('price.tax-flag-of-its-source: a price has the tax flag of what supplies its amount, the list price or a sale', () => {
    const item = product(
      priceRecord({ USD: price(1000, { five: [5, 900] }) }, [
        sale('s', null, '2027-01-01T00:00:00Z', { USD: gross(800) }),
      ]),
    )
    expect(resolve(item).price).toMatchObject({
      amount: 800,
      includesTax: true,
      list: { amount: 1000, includesTax: false },
    })
    expect(resolve(item, { now: '2027-01-01T00:00:00Z' }).price).toMatchObject({ amount: 1000, includesTax: false })
    expect(listing(item).original_price).toEqual({ USD: { amount: 1000, includes_tax: false } })
  })

  test('price.missing-currency-left-out, price.book-named-without-price: currencies without a price are left out, and the book is named all the same', () => {
    expect(listing(product(priceRecord({ USD: price(1000), EUR: price(null) }))).price).toEqual({
      USD: { amount: 1000, includes_tax: false },
    })
    const none = listing(product(priceRecord({ EUR: price(null) })))
    expect(none).toEqual({ pricebook_id: 'book', price_modifiers: {}, shopper_attributes: null, changesAt: null })
  })

  test('a price may be 0, as a list price, a sale, a tier and by a modifier', () => {
    expect(amountOf(product(priceRecord(usd(0))))).toBe(0)
    expect(resolve(product(priceRecord(usd(1000), [sale('s', null, null, usd(0))]))).price).toMatchObject({
      amount: 0,
      sale: { name: 's' },
    })
    expect(resolve(product(priceRecord(usd(1000, { t: [2, 0] }))), { quantity: 2 }).price).toMatchObject({
      amount: 0,
      tier: 't',
    })
    expect(amountOf(child(priceRecord(usd(1000)), [equals('e', 0)]))).toBe(0)
  })
})

describe('the context of a price', () => {
  test('price.alone-outside-bundles: a price is outside of bundles by default, so that a bundle sale does not apply', () => {
    const item = product(priceRecord(usd(1000), [sale('s', null, null, usd(700), ['bundle'])]))
    expect(amountOf(item)).toBe(1000)
    expect(amountOf(item, { bundleId: 'other' })).toBe(1000)
    expect(amountOf(item, { bundleId: 'bundle' })).toBe(700)
    expect(amountOf(bundle([item]))).toBe(700)
  })

  test('price.shopper-attributes-frozen: a listing has the shopper_attributes of its price record, an inheriting child those of its parent', () => {
    const base = { ...priceRecord(usd(1000)), shopper_attributes: { colour: 'red', size: null } }
    expect(listing(child(base, [])).shopper_attributes).toEqual({ colour: 'red', size: null })
    expect(listing({ ...child(base, []), own: priceRecord(usd(1)) }).shopper_attributes).toBeNull()
  })
})
