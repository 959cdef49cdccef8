import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { explainPrice } from '../../../src/domain/pricing/price-explanation.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import {
  at,
  bundle,
  child,
  equals,
  minus,
  plus,
  price,
  priceRecord,
  product,
  type Query,
  sale,
  usd,
} from '../../support/price-builders.ts'

const explain = (
  item: ReleasePricing,
  { now = '2026-03-15T00:00:00Z', ...query }: Query = {},
  withFutureSales = true,
) => explainPrice(compileProduct(item), { now: at(now), currency: 'USD', quantity: 1, withFutureSales, ...query })
const outcomes = (item: ReleasePricing, query: Query = {}, withFutureSales = true) =>
  explain(item, query, withFutureSales).steps.map(({ kind, name, outcome, amount }) => [kind, name, outcome, amount])
const reasonOf = (item: ReleasePricing, name: string, query: Query = {}) =>
  explain(item, query).steps.find((step) => step.name === name)?.reason

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const quarter = sale('quarter', '2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z', usd(800))
const inMarch = sale('march', ...march, usd(700, { ten: [10, 650], hundred: [100, 600] }))
const winter = sale('winter', null, '2026-02-01T00:00:00Z', usd(900))
const easter = sale('easter', '2026-04-05T00:00:00Z', '2026-04-07T00:00:00Z', usd(500))
const inSet = sale('in sets', '2026-03-14T00:00:00Z', '2026-03-16T00:00:00Z', usd(600), ['set'])
const list = usd(1000, { six: [6, 900], dozen: [12, 640], gross: [144, 630] })

describe('price.explained-by-every-candidate: the explanation of a price', () => {
  const mug = product(priceRecord(list, [winter, quarter, inMarch, easter, inSet], 'retail'))

  test('the explanation of a price has a step for the book, the list price, each sale in the order in which sales win, and each tier', () => {
    expect(outcomes(mug)).toEqual([
      ['BOOK', 'retail', 'APPLIED', null],
      ['LIST', null, 'OUTRANKED', 1000],
      ['SALE', 'easter', 'NOT_RUNNING', 500],
      ['SALE', 'in sets', 'OTHER_BUNDLE', 600],
      ['SALE', 'march', 'APPLIED', 700],
      ['SALE', 'quarter', 'OUTRANKED', 800],
      ['SALE', 'winter', 'NOT_RUNNING', 900],
      ['TIER', 'six', 'NOT_REACHED', 900],
      ['TIER', 'dozen', 'NOT_REACHED', 640],
      ['TIER', 'gross', 'NOT_REACHED', 630],
      ['TIER', 'ten', 'NOT_REACHED', 650],
      ['TIER', 'hundred', 'NOT_REACHED', 600],
    ])
  })

  test('the explanation of a price lets a sale with its tiers yield to a lower list tier that the quantity reaches, and names the higher of two tiers', () => {
    expect(outcomes(mug, { quantity: 12 }).filter(([, , outcome]) => outcome !== 'NOT_RUNNING')).toEqual([
      ['BOOK', 'retail', 'APPLIED', null],
      ['LIST', null, 'APPLIED', 1000],
      ['SALE', 'in sets', 'OTHER_BUNDLE', 600],
      ['SALE', 'march', 'YIELDED', 700],
      ['SALE', 'quarter', 'OUTRANKED', 800],
      ['TIER', 'six', 'OUTRANKED', 900],
      ['TIER', 'dozen', 'APPLIED', 640],
      ['TIER', 'gross', 'NOT_REACHED', 630],
      ['TIER', 'ten', 'YIELDED', 650],
      ['TIER', 'hundred', 'NOT_REACHED', 600],
    ])
    expect(outcomes(mug, { quantity: 6 }).at(-5)).toEqual(['TIER', 'six', 'OUTRANKED', 900])
    expect(outcomes(mug, { quantity: 5 }).at(-5)).toEqual(['TIER', 'six', 'NOT_REACHED', 900])
  })

  test('the explanation of a price puts a sale with its own tiers before dearer list tiers', () => {
    const always = product(
      priceRecord(usd(1000, { six: [6, 945] }), [sale('always', null, null, usd(950, { two: [2, 940] }))]),
    )
    expect(outcomes(always, { quantity: 6 })).toEqual([
      ['BOOK', 'book', 'APPLIED', null],
      ['LIST', null, 'OUTRANKED', 1000],
      ['SALE', 'always', 'APPLIED', 950],
      ['TIER', 'six', 'OUTRANKED', 945],
      ['TIER', 'two', 'APPLIED', 940],
    ])
  })

  test('the explanation of a price reports a sale that wins without an amount in the currency', () => {
    const euros = product(priceRecord(usd(1000), [sale('euros', ...march, { EUR: price(1) })]))
    expect(outcomes(euros).slice(1)).toEqual([
      ['LIST', null, 'APPLIED', 1000],
      ['SALE', 'euros', 'NO_AMOUNT', null],
    ])
  })

  test('the explanation of a price gives the amount after each modifier, in the order in which they apply, and those that did not', () => {
    const modifiers = [
      minus('off', 1500),
      plus('red', 100),
      { ...plus('euro', 1), currencies: { EUR: price(1) } },
      plus('big', 200),
    ]
    const red = child(priceRecord(usd(1000), [inMarch]), modifiers, ['off', 'red', 'gone', 'euro', 'big'])
    expect(outcomes(red).slice(2)).toEqual([
      ['SALE', 'march', 'APPLIED', 700],
      ['TIER', 'ten', 'NOT_REACHED', 650],
      ['TIER', 'hundred', 'NOT_REACHED', 600],
      ['MODIFIER', 'red', 'APPLIED', 800],
      ['MODIFIER', 'euro', 'NO_AMOUNT', null],
      ['MODIFIER', 'big', 'APPLIED', 1000],
      ['MODIFIER', 'off', 'APPLIED', 0],
      ['MODIFIER', 'gone', 'NO_AMOUNT', null],
    ])
  })

  test('the explanation of a price shows what gives way to a modifier that replaces the price: list price, sale, tier, and an earlier such modifier', () => {
    const fixed = child(priceRecord(usd(1000), [sale('march', ...march, usd(700, { one: [1, 690] }))]), [
      equals('a', 300),
      equals('b', 400),
    ])
    expect(outcomes(fixed).slice(1)).toEqual([
      ['LIST', null, 'OUTRANKED', 1000],
      ['SALE', 'march', 'OUTRANKED', 700],
      ['TIER', 'one', 'OUTRANKED', 690],
      ['MODIFIER', 'a', 'OUTRANKED', 300],
      ['MODIFIER', 'b', 'APPLIED', 400],
    ])
  })

  test('the explanation of a price shows that modifiers yield to an own price, and that an own price of a bundle is no sum', () => {
    const own = { ...child(null, [plus('red', 100)]), own: priceRecord(usd(500)) }
    expect(outcomes(own).at(-1)).toEqual(['MODIFIER', 'red', 'YIELDED', null])
    expect(outcomes(bundle([mug], undefined, priceRecord(usd(500)))).slice(1)).toEqual([
      ['LIST', null, 'APPLIED', 500],
      ['BUNDLE', null, 'OUTRANKED', null],
    ])
  })

  test('the explanation of a price names the part of each option of a summed bundle, at the prices inside that bundle, and the sum', () => {
    const components = {
      main: { name: 'Set', min: 2, max: null, options: [{ id: 'product', quantity: 2 }, { id: 'spoon' }] },
    }
    const set = bundle([mug, product(priceRecord(usd(50)), 'spoon')], components, null, 'set')
    expect(explain(set)).toEqual({
      steps: [
        {
          kind: 'BUNDLE',
          name: 'product',
          outcome: 'APPLIED',
          reason: 'One bundle has 2 of product product, priced for the 2 bought.',
          amount: 1200,
        },
        {
          kind: 'BUNDLE',
          name: 'spoon',
          outcome: 'APPLIED',
          reason: 'One bundle has 1 of product spoon, priced for the 1 bought.',
          amount: 50,
        },
        {
          kind: 'BUNDLE',
          name: null,
          outcome: 'APPLIED',
          reason: 'The bundle has no price of its own, so the prices of its chosen options are added up.',
          amount: 1250,
        },
      ],
      changesAt: at('2026-03-16T00:00:00Z'),
    })
  })

  describe('price.missing-price-explained: the explanation where there is no price', () => {
    const inWords = (item: ReleasePricing, query: Query = {}) =>
      explain(item, query).steps.map(({ kind, name, outcome, amount, reason }) =>
        [kind, name ?? '-', outcome, amount ?? '-', reason].join(' '),
      )
    const huge = Number.MAX_SAFE_INTEGER
    const gross = { USD: { ...price(10), includes_tax: true } }
    const spoon = product(priceRecord(usd(50)), 'spoon')

    test('the explanation names the book and the currency that it lacks', () => {
      expect(inWords(mug, { currency: 'EUR' })).toEqual([
        "BOOK retail APPLIED - Price book retail is the first of the catalog's books that has the product's SKU.",
        'LIST - NO_AMOUNT - The price in this book has no amount in EUR, and no lower book, parent, sale or sum adds one.',
      ])
    })

    test('the explanation says that no book has a SKU', () => {
      expect(inWords(product(null))).toEqual([
        "BOOK - NO_AMOUNT - No price book of the catalog has the product's SKU, nor that of its parent.",
      ])
    })

    test('the explanation says that modifiers lead beyond the largest amount, until a sale ends that', () => {
      const sales = [sale('small', '2026-04-01T00:00:00Z', null, usd(1))]
      const large = child(priceRecord(usd(huge), sales), [equals('only', 5), plus('one', huge)])
      expect(inWords(large).at(-1)).toBe(
        `LIST - NO_PRICE ${huge} With its modifiers an amount would be beyond ${huge}, so there is no price in USD.`,
      )
    })

    test('the explanation names each option of a bundle, also those without a price, and why there is no sum', () => {
      const taxed = product(priceRecord(gross), 'taxed')
      expect(inWords(bundle([spoon, taxed])).map((line) => line.replace(/ priced for.*/, ''))).toEqual([
        'BUNDLE spoon NO_PRICE 50 One bundle would have 1 of product spoon,',
        'BUNDLE taxed NO_PRICE 10 One bundle would have 1 of product taxed,',
        'BUNDLE - NO_AMOUNT - Some chosen options include tax and others do not, so there is no sum.',
      ])
      expect(inWords(bundle([spoon, product(null, 'bare')])).slice(1)).toEqual([
        'BUNDLE bare NO_AMOUNT - Product bare has no price in USD.',
        'BUNDLE - NO_AMOUNT - A chosen option has no price, so there is no sum.',
      ])
      const dear = product(priceRecord(usd(huge)), 'dear')
      expect(inWords(bundle([spoon, dear])).at(-1)).toBe(`BUNDLE - NO_AMOUNT - The sum would be beyond ${huge}.`)
    })

    test('the explanation says that nothing is chosen, or that a chosen option is not live', () => {
      const nothing = { main: { name: 'Set', min: 0, max: null, options: [{ id: 'spoon' }] } }
      expect(inWords(bundle([spoon], nothing))).toEqual([
        'BUNDLE - NO_AMOUNT - Nothing of the bundle is chosen, so it has no price.',
      ])
      const gone = { main: { name: 'Set', min: 2, max: null, options: [{ id: 'spoon' }, { id: 'gone' }] } }
      expect(inWords(bundle([spoon], gone)).slice(1)).toEqual([
        'BUNDLE gone NO_AMOUNT - Product gone is chosen, and is not live.',
        'BUNDLE - NO_AMOUNT - A chosen option has no price, so there is no sum.',
      ])
    })

    test('the explanation of a missing sum changes with the first of its options', () => {
      expect(explain(bundle([mug, product(null, 'bare')]))).toMatchObject({ changesAt: at('2026-04-01T00:00:00Z') })
    })
  })

  test('the explanation of a price gives each reason as a sentence with names, instants and quantities', () => {
    expect(reasonOf(mug, 'retail')).toBe(
      "Price book retail is the first of the catalog's books that has the product's SKU.",
    )
    expect(reasonOf(mug, 'easter')).toBe('Sale "easter" begins at 2026-04-05T00:00:00.000Z.')
    expect(reasonOf(mug, 'winter')).toBe('Sale "winter" ended at 2026-02-01T00:00:00.000Z.')
    expect(reasonOf(mug, 'quarter')).toBe('Sale "march" goes before sale "quarter": its period is shorter.')
    expect(reasonOf(mug, 'march')).toBe(
      'Sale "march" runs from 2026-03-01T00:00:00.000Z until 2026-04-01T00:00:00.000Z and supplies the price in USD.',
    )
    expect(reasonOf(mug, 'march', { quantity: 12 })).toBe(
      'Sale "march" gives way to tier "dozen" of the list price, which 12 reaches and which costs less.',
    )
    expect(reasonOf(mug, 'six', { quantity: 6 })).toBe(
      'Tier "six" of the list price, from a quantity of 6: sale "march" costs no more.',
    )
    expect(reasonOf(mug, 'ten', { quantity: 12 })).toBe(
      'Tier "ten" of sale "march", from a quantity of 10: sale "march" gives way to tier "dozen", which costs less.',
    )
    const dearer = product(priceRecord(usd(1000, { two: [2, 500], dozen: [12, 900] }), [inMarch]))
    expect(reasonOf(dearer, 'two', { quantity: 12 })).toBe(
      'Tier "two" of the list price, from a quantity of 2: 12 reaches tier "dozen" as well, which is higher.',
    )
    expect(reasonOf(dearer, 'dozen', { quantity: 12 })).toBe(
      'Tier "dozen" of the list price, from a quantity of 12: sale "march" costs no more.',
    )
    const taxed = product(priceRecord(list, [sale('net', ...march, { USD: { ...price(700), includes_tax: true } })]))
    expect(reasonOf(taxed, 'dozen', { quantity: 12 })).toBe(
      'Tier "dozen" of the list price, from a quantity of 12: of the list price and sale "net" one alone includes tax, so the sale goes before it at every quantity.',
    )
    expect(reasonOf(mug, 'six', { quantity: 12 })).toBe(
      'Tier "six" of the list price, from a quantity of 6: 12 reaches tier "dozen" as well, which is higher.',
    )
    expect(reasonOf(mug, 'ten')).toBe('Tier "ten" of sale "march", from a quantity of 10: 1 does not reach it.')
  })

  test('sale.shortest-period-wins: the explanation of a price says why a sale goes before another one whose period is as long', () => {
    const [first, second] = ['2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'] as const
    const early = sale('early', first, '2026-03-20T00:00:00Z', usd(700))
    const late = sale('late', second, '2026-03-21T00:00:00Z', usd(900))
    expect(reasonOf(product(priceRecord(list, [early, late])), 'early')).toBe(
      'Sale "late" goes before sale "early": their periods are equally long, and its own begins later.',
    )
    // Open bounds are infinite, so these are equally long, though they end apart.
    const [one, other] = [
      sale('one', null, '2026-05-01T00:00:00Z', usd(700)),
      sale('other', null, '2026-04-01T00:00:00Z', usd(900)),
    ]
    expect(reasonOf(product(priceRecord(list, [one, other])), 'other')).toBe(
      'Sale "one" goes before sale "other": their periods are equally long and begin alike, and its name comes first.',
    )
  })

  test('the explanation of a price changes when a sale begins or ends, even if the price stays', () => {
    const under = sale('under', '2026-03-10T00:00:00Z', '2026-05-30T00:00:00Z', usd(1))
    const item = product(priceRecord(usd(1000), [inMarch, under]))
    expect(explain(item, { now: '2026-03-09T23:59:59.999Z' }).changesAt).toBe(at('2026-03-10T00:00:00Z'))
    expect(explain(item, { now: '2026-03-10T00:00:00Z' }).changesAt).toBe(at(march[1]))
    expect(explain(item, { now: '2026-05-30T00:00:00Z' }).changesAt).toBe(null)
  })
})

test('price.future-sales-for-admins: a shopper is shown a sale from the instant on at which it begins', () => {
  const item = product(priceRecord(usd(1000), [easter]))
  const shown = (now: string) => outcomes(item, { now }, false).filter(([kind]) => kind === 'SALE')
  expect(shown('2026-04-04T23:59:59.999Z')).toEqual([])
  expect(shown('2026-04-05T00:00:00Z')).toEqual([['SALE', 'easter', 'APPLIED', 500]])
  expect(shown('2026-04-07T00:00:00Z')).toEqual([['SALE', 'easter', 'NOT_RUNNING', 500]])
})
