import { describe, expect, it } from 'vitest'
import { formatPath, type Violation } from '../../../src/domain/input/errors.ts'
import type { ProductPrice, Sale } from '../../../src/domain/pricing/product-price.ts'
import {
  applySalePatch,
  isNameTaken,
  newSale,
  readSaleChange,
  type SalePatch,
  saleViolations,
  withoutSale,
  withSale,
} from '../../../src/domain/pricing/sale-change.ts'
import { astral } from '../../support/cases.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const BUNDLE = '0190a000-0000-7000-8000-00000000000B'

const codes = (violations: readonly Violation[]) => violations.map(({ code, path }) => `${formatPath(path)} ${code}`)
const read = (attributes: unknown, create = true) => readSaleChange({ type: 'sale', attributes }, { create })
const patch = (attributes: object, create = false) => read(attributes, create).value as SalePatch

function sale(name: string, attributes: object = {}): Sale {
  return newSale('price', patch({ name, ...attributes }, true), `id-${name}`, NOW)
}

function price(...sales: Sale[]): ProductPrice {
  const texts = { externalRef: null, adminAttributes: null, shopperAttributes: null }
  return { id: 'price', priceBookId: 'book', sku: 'S', currencies: {}, ...texts, sales, createdAt: NOW, updatedAt: NOW }
}

const from = (day: number) => ({ schedule: { valid_from: `2026-01-0${day}T00:00:00Z` } })

describe('the input of a sale', () => {
  it('a sale of a name alone is permanent, for every context and without any currency', () => {
    expect(sale('s')).toEqual({
      id: 'id-s',
      productPriceId: 'price',
      name: 's',
      validFrom: null,
      validTo: null,
      bundleIds: [],
      currencies: {},
      createdAt: NOW,
      updatedAt: NOW,
    })
  })

  it.each([
    ['no object', 5, ['attributes INVALID_TYPE']],
    ['nothing', {}, ['attributes.name REQUIRED']],
    ['a null name', { name: null }, ['attributes.name REQUIRED']],
    ['an empty name', { name: '' }, ['attributes.name TOO_SHORT']],
    ['a name of 1,025 characters', { name: astral(1025) }, ['attributes.name TOO_LONG']],
    ['a bundle id that is none', { name: 's', bundle_ids: [BUNDLE, 'x'] }, ['attributes.bundle_ids.1 INVALID_FORMAT']],
    [
      'an instant that is none',
      { name: 's', schedule: { valid_to: 'soon' } },
      ['attributes.schedule.valid_to INVALID_FORMAT'],
    ],
    ['a removed currency', { name: 's', currencies: { USD: null } }, ['attributes.currencies.USD REQUIRED']],
    [
      'tier.minimum-from-one: a tier without its minimum',
      { name: 's', currencies: { USD: { tiers: { t: {} } } } },
      ['attributes.currencies.USD.tiers.t.minimum_quantity TIER_MINIMUM_QUANTITY'],
    ],
  ])('a sale can not be created with %s', (_, attributes, broken) => {
    expect(codes(read(attributes).violations)).toEqual(broken)
  })

  it('a sale may have a name of 1,024 characters, and needs none in an update', () => {
    expect(read({ name: astral(1024) }).violations).toEqual([])
    expect(read({}, false).violations).toEqual([])
    expect(codes(read({ name: null }, false).violations)).toEqual(['attributes.name REQUIRED'])
    expect(codes(readSaleChange({ attributes: {} }, { create: false }).violations)).toEqual(['type REQUIRED'])
  })
})

describe('patch.absent-keeps-null-clears, graph.maps-become-lists: an update of a sale', () => {
  const stored = sale('s', {
    bundle_ids: [BUNDLE],
    schedule: { valid_from: '2026-01-01T00:00:00Z', valid_to: '2026-01-02T00:00:00Z' },
    currencies: { EUR: { amount: 1 }, USD: { amount: 0 } },
  })
  const usd = { USD: { amount: 0, includes_tax: false } }
  const eur = { EUR: { amount: 1, includes_tax: false } }

  it.each([
    ['absent keeps', {}, {}],
    ['equal values keep', { name: 's', bundle_ids: [BUNDLE], currencies: { USD: { amount: 0 } } }, {}],
    ['a name', { name: 't' }, { name: 't' }],
    ['bundles replaced', { bundle_ids: [] }, { bundleIds: [] }],
    ['bundles cleared', { bundle_ids: null }, { bundleIds: [] }],
    [
      'patch.objects-merge: the end of its schedule',
      { schedule: { valid_to: '2026-01-03T00:00:00Z' } },
      { validTo: Date.UTC(2026, 0, 3) },
    ],
    ['its start', { schedule: { valid_from: '2025-12-31T00:00:00Z' } }, { validFrom: Date.UTC(2025, 11, 31) }],
    ['a cleared end', { schedule: { valid_to: null } }, { validTo: null }],
    ['a cleared start', { schedule: { valid_from: null } }, { validFrom: null }],
    [
      'a cleared start, and an end',
      { schedule: { valid_from: null, valid_to: '2026-01-02T00:00:00Z' } },
      { validFrom: null },
    ],
    ['a schedule cleared', { schedule: null }, { validFrom: null, validTo: null }],
    ['an empty schedule keeps', { schedule: {} }, {}],
    [
      'a currency set',
      { currencies: { GBP: { amount: 3 } } },
      { currencies: { ...eur, GBP: { amount: 3, includes_tax: false }, ...usd } },
    ],
    ['a currency removed', { currencies: { EUR: null } }, { currencies: usd }],
    ['currencies cleared', { currencies: null }, { currencies: {} }],
  ])('an update of a sale: %s', (_, attributes, changes) => {
    const after = applySalePatch(stored, patch(attributes), NOW - 5)
    // record.updated-at-rises: the clock goes back, updatedAt does not.
    expect(after).toEqual(Object.keys(changes).length === 0 ? stored : { ...stored, ...changes, updatedAt: NOW + 1 })
    expect(after === stored).toBe(Object.keys(changes).length === 0)
  })
})

describe('the sales of a price together', () => {
  it('a sale replaces the one with its id, and the price has a later updatedAt (record.updated-at-rises)', () => {
    const before = price(sale('b', from(1)), sale('d', from(2)))
    const renamed = { ...sale('b', from(1)), name: 'e' }
    expect(withSale(before, renamed, NOW).sales.map(({ name }) => name)).toEqual(['d', 'e'])
    expect(withSale(before, sale('c', from(3)), NOW).sales.map(({ name }) => name)).toEqual(['b', 'c', 'd'])
    expect(withoutSale(before, sale('b'), NOW).sales.map(({ name }) => name)).toEqual(['d'])
    for (const after of [withSale(before, renamed, NOW), withoutSale(before, sale('b'), NOW)])
      expect(after.updatedAt).toBe(NOW + 1)
    expect(withSale(before, renamed, NOW + 9).updatedAt).toBe(NOW + 9)
  })

  it.each([
    ['sale.several-need-schedules: the only one may be permanent', [], sale('a'), []],
    [
      'sale.several-need-schedules: not so beside another',
      [sale('a', from(1))],
      sale('b'),
      ['attributes.schedule SALE_SCHEDULE_REQUIRED'],
    ],
    [
      'sale.several-need-schedules: nor may another be',
      [sale('a')],
      sale('b', from(1)),
      ['attributes.schedule SALE_SCHEDULE_REQUIRED'],
    ],
    [
      'sale.schedules-differ: the schedule of another',
      [sale('a', from(1)), sale('b', from(2))],
      sale('c', from(2)),
      ['attributes.schedule SALE_SCHEDULE_DUPLICATE'],
    ],
    [
      'sale.schedules-differ: its own stored schedule is not another’s',
      [sale('a', from(1)), sale('b', from(2))],
      sale('b', from(2)),
      [],
    ],
    [
      'sale.ends-after-it-starts: an end on the start',
      [],
      sale('a', { schedule: { valid_from: '2026-01-01T00:00:00Z', valid_to: '2026-01-01T00:00:00Z' } }),
      ['attributes.schedule.valid_to SALE_SCHEDULE_INVALID'],
    ],
    [
      'sale.ends-after-it-starts: an end a millisecond later',
      [],
      sale('a', { schedule: { valid_from: '2026-01-01T00:00:00Z', valid_to: '2026-01-01T00:00:00.001Z' } }),
      [],
    ],
  ])('the sales of a price are checked together: %s', (_, others, changed, broken) => {
    expect(codes(saleViolations(price(...others), changed))).toEqual(broken)
  })

  it('the name of a sale is taken only if another sale of the price has it', () => {
    const before = price(sale('a', from(1)), sale('b', from(2)))
    expect(isNameTaken(before, sale('a'))).toBe(false)
    expect(isNameTaken(before, { ...sale('a'), id: 'new' })).toBe(true)
    expect(isNameTaken(before, { ...sale('a'), name: 'A' })).toBe(false)
  })
})
