import { describe, expect, test } from 'vitest'
import { parseInstant } from '../../../src/domain/input/instant.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { toProductPriceView } from '../../../src/domain/pricing/product-price-view.ts'
import { amountOf, at, bundle, price, priceRecord, product, resolve, sale, usd } from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const listing = (item: Parameters<typeof compileProduct>[0], now = '2026-03-15T00:00:00Z') =>
  toProductPriceView(compileProduct(item), at(now))

describe('sale.start-counts-end-does-not, sale.shortest-period-wins: valid_from is inclusive, valid_to exclusive, and the shortest running period wins', () => {
  const item = product(
    priceRecord(usd(1000), [
      sale('march', ...march, usd(800)),
      sale('week', '2026-03-10T00:00:00Z', '2026-03-17T00:00:00Z', usd(700)),
    ]),
  )

  test.each([
    ['2026-02-28T23:59:59.999Z', 1000, null, '2026-03-01T00:00:00Z'],
    ['2026-03-01T00:00:00.000Z', 800, 'march', '2026-03-10T00:00:00Z'],
    ['2026-03-09T23:59:59.999Z', 800, 'march', '2026-03-10T00:00:00Z'],
    ['2026-03-10T00:00:00.000Z', 700, 'week', '2026-03-17T00:00:00Z'],
    ['2026-03-16T23:59:59.999Z', 700, 'week', '2026-03-17T00:00:00Z'],
    ['2026-03-17T00:00:00.000Z', 800, 'march', '2026-04-01T00:00:00Z'],
    ['2026-03-31T23:59:59.999Z', 800, 'march', '2026-04-01T00:00:00Z'],
    ['2026-04-01T00:00:00.000Z', 1000, null, null],
  ])('at %s the price is %i by the sale %s, until %s', (now, amount, name, until) => {
    const { price: found, changesAt } = resolve(item, { now })
    expect([found?.amount, found?.sale?.name ?? null, changesAt]).toEqual([
      amount,
      name,
      until === null ? null : at(until),
    ])
  })
})

describe('the winning sale', () => {
  test('sale.one-winner-for-all-currencies: one sale wins for all currencies (sale.lacking-currency-keeps-list-price)', () => {
    const short = sale('3 days', '2026-03-14T00:00:00Z', '2026-03-17T00:00:00Z', { EUR: price(500) })
    const item = product(
      priceRecord({ USD: price(1000), EUR: price(900) }, [
        short,
        sale('month', ...march, { USD: price(800), EUR: price(700) }),
      ]),
    )
    expect(resolve(item).price).toMatchObject({ amount: 1000, sale: null })
    expect(resolve(item, { currency: 'EUR' }).price).toMatchObject({ amount: 500, sale: { name: '3 days' } })
  })

  test('sale.bundle-sale-stays-inside: a bundle sale competes with other sales inside its bundle, and has no effect elsewhere', () => {
    const inside = sale('bundle', '2026-03-10T00:00:00Z', '2026-03-20T00:00:00Z', usd(900), ['bundle'])
    const item = product(priceRecord(usd(1000), [inside, sale('month', ...march, usd(800))]))
    expect(resolve(item, { bundleId: 'bundle' })).toMatchObject({
      price: { amount: 900 },
      changesAt: at('2026-03-20T00:00:00Z'),
    })
    expect(resolve(item)).toMatchObject({ price: { amount: 800 }, changesAt: at('2026-04-01T00:00:00Z') })
    expect(resolve(bundle([item]))).toMatchObject({ price: { amount: 900 }, changesAt: at('2026-03-20T00:00:00Z') })
    const shorter = sale('day', '2026-03-15T00:00:00Z', '2026-03-16T00:00:00Z', usd(850))
    expect(amountOf(product(priceRecord(usd(1000), [inside, shorter])), { bundleId: 'bundle' })).toBe(850)
  })

  test('sale.bundle-sale-stays-inside: a sale with bundle_ids is cheaper than list tiers inside those bundles alone', () => {
    const item = product(priceRecord(usd(1000, { two: [2, 900] }), [sale('s', null, null, usd(850), ['bundle'])]))
    expect(amountOf(item, { bundleId: 'bundle', quantity: 2 })).toBe(850)
    expect(amountOf(item, { quantity: 2 })).toBe(900)
  })

  test('sale.list-amount-never-compared: a sale that costs as much as the list price or more applies and is reported', () => {
    for (const amount of [1000, 1200]) {
      expect(resolve(product(priceRecord(usd(1000), [sale('s', ...march, usd(amount))]))).price).toMatchObject({
        amount,
        sale: { name: 's' },
      })
    }
  })

  test('sale.shortest-period-wins: of equal periods the later valid_from wins, and an open bound is infinite', () => {
    const early = sale('early', '2026-03-10T00:00:00Z', '2026-03-20T00:00:00Z', usd(1))
    const late = sale('late', '2026-03-11T00:00:00Z', '2026-03-21T00:00:00Z', usd(2))
    expect(resolve(product(priceRecord(usd(1000), [early, late]))).price?.sale?.name).toBe('late')
    const openEnd = sale('open end', '2026-01-01T00:00:00Z', null, usd(3))
    const openStart = sale('open start', null, '2026-03-16T00:00:00Z', usd(4))
    expect(resolve(product(priceRecord(usd(1000), [openStart, openEnd]))).price?.sale?.name).toBe('open end')
    expect(resolve(product(priceRecord(usd(1000), [openStart, early]))).price?.sale?.name).toBe('early')
  })

  test('sale.shortest-period-wins: of equal periods and starts the smaller name wins, by code points and not by UTF-16 units', () => {
    const sales = [
      sale('\u{1f600}', null, '2026-05-01T00:00:00Z', usd(1)),
      sale('\uff5e', null, '2026-06-01T00:00:00Z', usd(2)),
    ]
    expect('\u{1f600}' < '\uff5e').toBe(true)
    expect(resolve(product(priceRecord(usd(1000), sales))).price?.sale?.name).toBe('\uff5e')
    expect(resolve(product(priceRecord(usd(1000), sales.toReversed()))).price?.sale?.name).toBe('\uff5e')
  })

  test('value.instants-cut-to-milliseconds: the bounds of a sale are cut to milliseconds', () => {
    expect(parseInstant('2026-03-01T10:00:00.0001Z')).toBe(parseInstant('2026-03-01T10:00:00.0009Z'))
  })

  const saleTiers = usd(800, { two: [2, 750], five: [5, 700], nine: [9, 650] })

  const permanent = [null, null] as const
  /** Amount, sale and tier at some quantities, while the sale runs. */
  const pricesOf = (item: Parameters<typeof compileProduct>[0], quantities: readonly number[], currency = 'USD') =>
    quantities.map((quantity) => {
      const found = resolve(item, { quantity, currency }).price
      return [quantity, found?.amount, found?.sale?.name ?? null, found?.tier ?? null]
    })

  test.each<[string, readonly [string | null, string | null]]>([
    ['a scheduled sale', march],
    ['a sale with one open bound', ['2026-03-01T00:00:00Z', null]],
    ['a permanent sale', permanent],
  ])(
    'sale.yields-to-lower-tier: %s makes a quantity that reaches a dearer list tier as cheap as one unit',
    (_, bounds) => {
      const item = product(priceRecord(usd(1000, { four: [4, 900] }), [sale('s', ...bounds, usd(800))]))
      expect(pricesOf(item, [1, 3, 4, 100])).toEqual([1, 3, 4, 100].map((quantity) => [quantity, 800, 's', null]))
    },
  )

  test.each<[string, readonly [string | null, string | null]]>([
    ['a scheduled sale', march],
    ['a permanent sale', permanent],
  ])(
    'sale.yields-to-lower-tier: %s yields to a list tier that is lower, and comes back at a dearer one',
    (_, bounds) => {
      const item = product(priceRecord(usd(1000, { four: [4, 700], ten: [10, 900] }), [sale('s', ...bounds, usd(800))]))
      expect(pricesOf(item, [3, 4, 9, 10])).toEqual([
        [3, 800, 's', null],
        [4, 700, null, 'four'],
        [9, 700, null, 'four'],
        [10, 800, 's', null],
      ])
    },
  )

  test.each([
    [799, 799, null, 'four'],
    [800, 800, 's', null],
    [801, 800, 's', null],
  ])(
    'sale.yields-to-lower-tier: of a list tier of %i and a sale of 800 the lower applies, and when they are equal the sale',
    (tier, amount, by, name) => {
      const item = product(priceRecord(usd(1000, { four: [4, tier] }), [sale('s', ...march, usd(800))]))
      expect(pricesOf(item, [4])).toEqual([[4, amount, by, name]])
    },
  )

  test("sale.yields-to-lower-tier, sale.own-tiers-within-it: a list tier is compared with the sale's own tier that the quantity reaches", () => {
    const item = product(priceRecord(usd(1000, { five: [5, 720] }), [sale('s', ...march, saleTiers)]))
    expect(pricesOf(item, [1, 2, 4, 5, 9])).toEqual([
      [1, 800, 's', null],
      [2, 750, 's', 'two'],
      [4, 750, 's', 'two'],
      [5, 700, 's', 'five'],
      [9, 650, 's', 'nine'],
    ])
    const few = product(priceRecord(usd(1000, { five: [5, 720] }), [sale('s', ...march, usd(800, { two: [2, 750] }))]))
    expect(pricesOf(few, [4, 5])).toEqual([
      [4, 750, 's', 'two'],
      [5, 720, null, 'five'],
    ])
  })

  test('sale.yields-to-lower-tier: a sale yields only in the currencies whose list tier is lower', () => {
    const item = product(
      priceRecord({ USD: price(1000, { five: [5, 700] }), EUR: price(1000) }, [
        sale('s', ...march, { USD: price(800), EUR: price(800) }),
      ]),
    )
    expect(pricesOf(item, [5])).toEqual([[5, 700, null, 'five']])
    expect(pricesOf(item, [5], 'EUR')).toEqual([[5, 800, 's', null]])
  })

  test('sale.other-tax-at-every-quantity: a sale with another tax flag than the list price applies beside a lower list tier', () => {
    const taxed = { USD: { ...price(800), includes_tax: true } }
    const item = product(priceRecord(usd(1000, { four: [4, 700] }), [sale('s', ...march, taxed)]))
    expect(pricesOf(item, [1, 4])).toEqual([
      [1, 800, 's', null],
      [4, 800, 's', null],
    ])
  })

  test('sale.no-second-winner: when the winning sale yields, no other sale applies', () => {
    const list = usd(1000, { five: [5, 750] })
    const item = product(priceRecord(list, [sale('always', ...permanent, usd(700)), sale('s', ...march, usd(800))]))
    expect(resolve(item, { quantity: 5 }).price).toMatchObject({ amount: 750, sale: null, tier: 'five' })
    expect(resolve(item, { quantity: 5, now: '2026-04-01T00:00:00Z' }).price).toMatchObject({
      amount: 700,
      sale: { name: 'always' },
    })
  })

  test('sale.yields-to-lower-tier: a list tier from quantity 1 is compared with a sale as any other', () => {
    const dearer = product(priceRecord(usd(1000, { one: [1, 950] }), [sale('s', ...march, usd(800))]))
    expect(resolve(dearer)).toMatchObject({
      price: { amount: 800, tier: null, sale: { name: 's' }, list: { amount: 1000 } },
      changesAt: at(march[1]),
    })
    const lower = product(priceRecord(usd(1000, { one: [1, 750] }), [sale('s', ...march, usd(800))]))
    expect(resolve(lower)).toMatchObject({ price: { amount: 750, tier: 'one', sale: null }, changesAt: null })
    expect(listing(lower)).toEqual({
      price: { USD: { amount: 750, includes_tax: false, tiers: { one: { minimum_quantity: 1 } } } },
      pricebook_id: 'book',
      price_modifiers: {},
      shopper_attributes: null,
      changesAt: null,
    })
  })

  test('sale.reported-when-it-supplies, price.original-in-every-currency: a sale is reported when it supplies the amount, also in only one of several currencies', () => {
    const list = { USD: price(1000), EUR: price(900), GBP: price(null) }
    expect(listing(product(priceRecord(list, [sale('s', ...march, { EUR: price(500) })])))).toMatchObject({
      sale_id: 's',
      sale_expires: '2026-04-01T00:00:00.000Z',
      price: { USD: { amount: 1000 }, EUR: { amount: 500 } },
      original_price: { USD: { amount: 1000, includes_tax: false }, EUR: { amount: 900, includes_tax: false } },
    })
    const idle = listing(product(priceRecord(list, [sale('s', ...march, { GBP: price(500) })])))
    expect(Object.keys(idle)).toEqual(['price', 'pricebook_id', 'price_modifiers', 'shopper_attributes', 'changesAt'])
  })

  test("sale.expires-at-its-own-end: sale_expires is the sale's own end, which may be later than changesAt, and null when open", () => {
    const shorter = sale('week', '2026-03-20T00:00:00Z', '2026-03-27T00:00:00Z', usd(1))
    const month = product(priceRecord(usd(1000), [sale('month', ...march, usd(800)), shorter]))
    expect(resolve(month)).toMatchObject({
      price: { sale: { validTo: at(march[1]) } },
      changesAt: at('2026-03-20T00:00:00Z'),
    })
    expect(listing(product(priceRecord(usd(1000), [sale('s', march[0], null, usd(800))]))).sale_expires).toBeNull()
    expect(listing(product(priceRecord(usd(1000), [sale('s', null, null, usd(800))]))).sale_expires).toBeNull()
  })

  test('price.reasons-are-frozen: a price reports its sale by name and bounds, also a sale named __proto__', () => {
    const prices = resolve(product(priceRecord(usd(1000), [sale('__proto__', march[0], null, usd(800))]))).price
    expect(prices?.sale).toEqual({ name: '__proto__', validFrom: at(march[0]), validTo: null })
    expect(prices).toMatchObject({ book: 'book', productPrice: 'book-row' })
  })

  test('sale.empty-changes-nothing: a sale without currencies never wins, one with other currencies does', () => {
    const month = sale('month', ...march, usd(800))
    const week = (currencies: Parameters<typeof sale>[3]) =>
      sale('week', '2026-03-10T00:00:00Z', '2026-03-17T00:00:00Z', currencies)
    expect(resolve(product(priceRecord(usd(1000), [month, week({})])))).toMatchObject({
      price: { amount: 800 },
      changesAt: at(march[1]),
    })
    for (const hiding of [usd(null), { EUR: price(1) }]) {
      expect(resolve(product(priceRecord(usd(1000), [month, week(hiding)])))).toMatchObject({
        price: { amount: 1000, sale: null },
        changesAt: at('2026-03-17T00:00:00Z'),
      })
    }
  })
})
