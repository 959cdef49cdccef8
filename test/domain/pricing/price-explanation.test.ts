import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { explainPrice } from '../../../src/domain/pricing/price-explanation.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { at, bundle, child, equals, minus, plus, price, priceRecord, product, type Query, sale, usd } from '../../support/price-builders.ts'

const explain = (item: ReleasePricing, { now = '2026-03-15T00:00:00Z', ...query }: Query = {}, withFutureSales = true) =>
  explainPrice(compileProduct(item), { now: at(now), currency: 'USD', quantity: 1, withFutureSales, ...query })
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
const list = usd(1000, { six: [6, 900], dozen: [12, 850], gross: [144, 800] })

describe('price.explained-by-every-candidate: the explanation of a price', () => {
  const mug = product(priceRecord(list, [winter, quarter, inMarch, easter, inSet], 'retail'))

  test('has a step for the book, the list price, each sale in the order in which sales win, and each tier', () => {
    expect(outcomes(mug)).toEqual([
      ['BOOK', 'retail', 'APPLIED', null],
      ['LIST', null, 'OUTRANKED', 1000],
      ['SALE', 'easter', 'NOT_RUNNING', 500],
      ['SALE', 'in sets', 'OTHER_BUNDLE', 600],
      ['SALE', 'march', 'APPLIED', 700],
      ['SALE', 'quarter', 'OUTRANKED', 800],
      ['SALE', 'winter', 'NOT_RUNNING', 900],
      ['TIER', 'six', 'NOT_REACHED', 900],
      ['TIER', 'dozen', 'NOT_REACHED', 850],
      ['TIER', 'gross', 'NOT_REACHED', 800],
      ['TIER', 'ten', 'NOT_REACHED', 650],
      ['TIER', 'hundred', 'NOT_REACHED', 600],
    ])
  })

  test('lets a scheduled sale with its tiers yield to the list tier that the quantity reaches, and names the higher of two', () => {
    expect(outcomes(mug, { quantity: 12 }).filter(([, , outcome]) => outcome !== 'NOT_RUNNING')).toEqual([
      ['BOOK', 'retail', 'APPLIED', null],
      ['LIST', null, 'APPLIED', 1000],
      ['SALE', 'in sets', 'OTHER_BUNDLE', 600],
      ['SALE', 'march', 'YIELDED', 700],
      ['SALE', 'quarter', 'OUTRANKED', 800],
      ['TIER', 'six', 'OUTRANKED', 900],
      ['TIER', 'dozen', 'APPLIED', 850],
      ['TIER', 'gross', 'NOT_REACHED', 800],
      ['TIER', 'ten', 'YIELDED', 650],
      ['TIER', 'hundred', 'NOT_REACHED', 600],
    ])
    expect(outcomes(mug, { quantity: 6 }).at(-5)).toEqual(['TIER', 'six', 'APPLIED', 900])
    expect(outcomes(mug, { quantity: 5 }).at(-5)).toEqual(['TIER', 'six', 'NOT_REACHED', 900])
  })

  test('lets a sale without a schedule go before list tiers, with its own tiers', () => {
    const always = product(priceRecord(usd(1000, { six: [6, 900] }), [sale('always', null, null, usd(950, { two: [2, 940] }))]))
    expect(outcomes(always, { quantity: 6 })).toEqual([
      ['BOOK', 'book', 'APPLIED', null],
      ['LIST', null, 'OUTRANKED', 1000],
      ['SALE', 'always', 'APPLIED', 950],
      ['TIER', 'six', 'OUTRANKED', 900],
      ['TIER', 'two', 'APPLIED', 940],
    ])
  })

  test('reports a sale that wins without an amount in the currency', () => {
    const euros = product(priceRecord(usd(1000), [sale('euros', ...march, { EUR: price(1) })]))
    expect(outcomes(euros).slice(1)).toEqual([
      ['LIST', null, 'APPLIED', 1000],
      ['SALE', 'euros', 'NO_AMOUNT', null],
    ])
  })

  test('gives the amount after each modifier, in the order in which they apply, and those that did not', () => {
    const modifiers = [minus('off', 1500), plus('red', 100), { ...plus('euro', 1), currencies: { EUR: price(1) } }, plus('big', 200)]
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

  test('shows what a modifier that replaces the price goes before: list price, sale, tier, and an earlier one of its kind', () => {
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

  test('shows that modifiers yield to an own price, and that an own price of a bundle is no sum', () => {
    const own = { ...child(null, [plus('red', 100)]), own: priceRecord(usd(500)) }
    expect(outcomes(own).at(-1)).toEqual(['MODIFIER', 'red', 'YIELDED', null])
    expect(outcomes(bundle([mug], undefined, priceRecord(usd(500)))).slice(1)).toEqual([
      ['LIST', null, 'APPLIED', 500],
      ['BUNDLE', null, 'OUTRANKED', null],
    ])
  })

  test('names the part of each option of a summed bundle, at the prices inside it, and the sum', () => {
    const components = { main: { name: 'Set', min: 2, max: null, options: [{ id: 'product', quantity: 2 }, { id: 'spoon' }] } }
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

  test('is empty where there is no price', () => {
    expect(explain(mug, { currency: 'EUR' })).toEqual({ steps: [], changesAt: null })
    expect(explain(product(null))).toEqual({ steps: [], changesAt: null })
    expect(explain(bundle([product(null)]))).toEqual({ steps: [], changesAt: null })
  })

  test('gives each reason as a sentence with names, instants and quantities', () => {
    expect(reasonOf(mug, 'retail')).toBe("Price book retail is the first of the catalog's books that has the product's SKU.")
    expect(reasonOf(mug, 'easter')).toBe('Sale "easter" begins at 2026-04-05T00:00:00.000Z.')
    expect(reasonOf(mug, 'winter')).toBe('Sale "winter" ended at 2026-02-01T00:00:00.000Z.')
    expect(reasonOf(mug, 'quarter')).toBe('Sale "march" goes before sale "quarter": its period is shorter.')
    expect(reasonOf(mug, 'march')).toBe(
      'Sale "march" runs from 2026-03-01T00:00:00.000Z until 2026-04-01T00:00:00.000Z and supplies the price in USD.',
    )
    expect(reasonOf(mug, 'march', { quantity: 6 })).toBe(
      'Sale "march" has a schedule and gives way to a list tier, which a quantity of 6 reaches.',
    )
    expect(reasonOf(mug, 'six', { quantity: 12 })).toBe(
      'Tier "six" of the list price, from a quantity of 6: 12 reaches tier "dozen" as well, which is higher.',
    )
    expect(reasonOf(mug, 'ten')).toBe('Tier "ten" of sale "march", from a quantity of 10: 1 does not reach it.')
  })

  test('sale.shortest-period-wins: says why a sale goes before another one whose period is as long', () => {
    const [first, second] = ['2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'] as const
    const early = sale('early', first, '2026-03-20T00:00:00Z', usd(700))
    const late = sale('late', second, '2026-03-21T00:00:00Z', usd(900))
    expect(reasonOf(product(priceRecord(list, [early, late])), 'early')).toBe(
      'Sale "late" goes before sale "early": their periods are equally long, and its own begins later.',
    )
    // Open bounds are infinite, so these are equally long, though they end apart.
    const [one, other] = [sale('one', null, '2026-05-01T00:00:00Z', usd(700)), sale('other', null, '2026-04-01T00:00:00Z', usd(900))]
    expect(reasonOf(product(priceRecord(list, [one, other])), 'other')).toBe(
      'Sale "one" goes before sale "other": their periods are equally long and begin alike, and its name comes first.',
    )
  })

  test('changes when a sale begins or ends, although the price stays', () => {
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
