import { describe, expect, test } from 'vitest'
import { PLAN_DAYS_MAX } from '../../../src/domain/input/limits.ts'
import { makeRecord, patchRecord, recordViolations } from '../../../src/domain/input/record-change.ts'
import { readNew, readUpdate } from '../../../src/domain/input/record-reader.ts'
import { type Plan, planRecord } from '../../../src/domain/subscriptions/plan.ts'

const id = '0199c0de-0000-7000-8000-000000000001'
const attributes = {
  name: 'Monthly',
  billing_interval_type: 'month',
  billing_frequency: 1,
  trial_period: 7,
  plan_length: 12,
  end_behavior: 'close',
  can_pause: true,
  can_resume: true,
  can_cancel: false,
}

function data(changes: object = {}): object {
  return { type: 'subscription_plan', attributes: { ...attributes, ...changes } }
}

function errorsOf(read: { violations: readonly { code: string; path: readonly unknown[] }[] }): string[] {
  return read.violations.map(
    ({ code, path }) =>
      `${path.map((part) => (typeof part === 'object' ? JSON.stringify(part) : part)).join('.')} ${code}`,
  )
}

function plan(changes: object = {}, now = 1000): Plan {
  const { value, violations } = readNew(planRecord, data(changes))
  expect(violations).toEqual([])
  return makeRecord(planRecord, value?.patch as never, id, now)
}

describe('plan.billing-terms: a new plan', () => {
  test('a new plan has every given attribute', () => {
    const full = {
      description: 'd',
      external_ref: 'e',
      base_price_percentage: 12.5,
      fixed_price: { USD: { amount: 0 }, EUR: { amount: 5, includes_tax: true } },
    }
    expect(plan({ ...full, status: 'active', created_at: 'x' })).toEqual({
      id,
      name: 'Monthly',
      description: 'd',
      externalRef: 'e',
      billingIntervalType: 'month',
      billingFrequency: 1,
      trialPeriod: 7,
      planLength: 12,
      endBehavior: 'close',
      canPause: true,
      canResume: true,
      canCancel: false,
      basePricePercentage: 12.5,
      fixedPrice: { EUR: { amount: 5, includes_tax: true }, USD: { amount: 0, includes_tax: false } },
      createdAt: 1000,
      updatedAt: 1000,
    })
  })

  test('a new plan has null for absent attributes and for an empty fixed_price', () => {
    const none = { description: null, externalRef: null, basePricePercentage: null, fixedPrice: null }
    expect(plan()).toMatchObject(none)
    expect(plan({ fixed_price: {} })).toMatchObject(none)
    expect(plan({ fixed_price: { USD: null } })).toMatchObject(none)
  })

  test('a new plan reports every missing attribute, in the order of the fields', () => {
    expect(errorsOf(readNew(planRecord, { type: 'subscription_plan', attributes: {} }))).toEqual(
      Object.keys(attributes).map((name) => `attributes.${name} REQUIRED`),
    )
    expect(errorsOf(readNew(planRecord, {}))).toEqual(['type REQUIRED', 'attributes REQUIRED'])
  })

  test('a new plan has the id of the input', () => {
    expect(readNew(planRecord, { ...data(), id: id.toUpperCase() }).value?.id).toBe(id)
    expect(errorsOf(readNew(planRecord, { ...data(), id: 'one' }))).toEqual(['id INVALID_FORMAT'])
  })

  test.each<[string, object, string[]]>([
    ['name of 2', { name: 'ab' }, ['attributes.name TOO_SHORT']],
    ['name of 3', { name: 'abc' }, []],
    ['name of 1024 astral characters', { name: '😀'.repeat(1024) }, []],
    ['name of 1025', { name: 'a'.repeat(1025) }, ['attributes.name TOO_LONG']],
    ['name null', { name: null }, ['attributes.name REQUIRED']],
    ['name with U+0000', { name: 'ab\u0000c' }, ['attributes.name INVALID_TEXT']],
    ['description of 1024', { description: 'a'.repeat(1024) }, []],
    ['description of 1025', { description: 'a'.repeat(1025) }, ['attributes.description TOO_LONG']],
    ['external_ref of 2048', { external_ref: 'a'.repeat(2048) }, []],
    ['external_ref of 2049', { external_ref: 'a'.repeat(2049) }, ['attributes.external_ref TOO_LONG']],
    ['interval of hours', { billing_interval_type: 'hour' }, ['attributes.billing_interval_type INVALID_VALUE']],
    ['frequency 0', { billing_frequency: 0 }, ['attributes.billing_frequency OUT_OF_RANGE']],
    ['frequency 1.5', { billing_frequency: 1.5 }, ['attributes.billing_frequency OUT_OF_RANGE']],
    ['trial 0', { trial_period: 0 }, []],
    ['trial -1', { trial_period: -1 }, ['attributes.trial_period OUT_OF_RANGE']],
    ['trial at the limit', { trial_period: PLAN_DAYS_MAX }, []],
    ['trial past the limit', { trial_period: PLAN_DAYS_MAX + 1 }, ['attributes.trial_period OUT_OF_RANGE']],
    ['length 0', { plan_length: 0 }, ['attributes.plan_length OUT_OF_RANGE']],
    ['length as text', { plan_length: '1' }, ['attributes.plan_length INVALID_TYPE']],
    ['end_behavior null', { end_behavior: null }, ['attributes.end_behavior REQUIRED']],
    ['can_pause as text', { can_pause: 'true' }, ['attributes.can_pause INVALID_TYPE']],
    ['percentage 0', { base_price_percentage: 0 }, []],
    ['percentage 10000', { base_price_percentage: 10_000 }, []],
    ['percentage past 10000', { base_price_percentage: 10_000.1 }, ['attributes.base_price_percentage OUT_OF_RANGE']],
    ['percentage -0.1', { base_price_percentage: -0.1 }, ['attributes.base_price_percentage OUT_OF_RANGE']],
    ['percentage as text', { base_price_percentage: '5' }, ['attributes.base_price_percentage INVALID_TYPE']],
    ['price without amount', { fixed_price: { USD: {} } }, ['attributes.fixed_price.{"key":"USD"}.amount REQUIRED']],
    [
      'price of -1',
      { fixed_price: { USD: { amount: -1 } } },
      ['attributes.fixed_price.{"key":"USD"}.amount OUT_OF_RANGE'],
    ],
    [
      'price in dollars',
      { fixed_price: { dollars: { amount: 1 } } },
      ['attributes.fixed_price.{"key":"dollars","own":true} INVALID_FORMAT'],
    ],
  ])('%s', (_, changes, violations) => {
    expect(errorsOf(readNew(planRecord, data(changes)))).toEqual(violations)
  })
})

describe('the intervals of a plan together are at most about a thousand years', () => {
  test.each([
    ['day', 366_000, 1],
    ['day', 1, 366_000],
    ['week', 52_285, 1],
    ['week', 1, 52_285],
    ['month', 11_806, 1],
    ['month', 2, 5903],
    ['year', 1000, 1],
    ['year', 10, 100],
  ] as const)('the intervals of a plan, %s: %i x %i is allowed, and not one more', (type, frequency, length) => {
    const read = (billing_frequency: number, plan_length: number) =>
      errorsOf(readNew(planRecord, data({ billing_interval_type: type, billing_frequency, plan_length })))
    expect(read(frequency, length)).toEqual([])
    expect(read(frequency, length + 1)).toEqual(['attributes.plan_length OUT_OF_RANGE'])
    if (length === 1) expect(read(frequency + 1, 1)).toEqual(['attributes.billing_frequency OUT_OF_RANGE'])
  })

  test('http.violations-in-field-order: a plan that takes too long is listed among its other broken members', () => {
    const broken = { name: '', billing_interval_type: 'year', trial_period: -1, end_behavior: 'x' }
    const errors = (changes: object) =>
      errorsOf(readNew(planRecord, data({ ...broken, ...changes }))).map((error) => error.replace('attributes.', ''))
    const [name, trial, end] = ['name TOO_SHORT', 'trial_period OUT_OF_RANGE', 'end_behavior INVALID_VALUE']
    expect(errors({ plan_length: 1000 })).toEqual([name, trial, end])
    expect(errors({ plan_length: 1001 })).toEqual([name, trial, 'plan_length OUT_OF_RANGE', end])
    expect(errors({ billing_frequency: 1000, plan_length: 1 })).toEqual([name, trial, end])
    expect(errors({ billing_frequency: 1001, plan_length: 1 })).toEqual([
      name,
      'billing_frequency OUT_OF_RANGE',
      trial,
      end,
    ])
  })
})

describe('patch.absent-keeps-null-clears: an update of a plan', () => {
  const stored = plan({
    description: 'd',
    external_ref: 'e',
    base_price_percentage: 5,
    fixed_price: { USD: { amount: 1 }, EUR: { amount: 2 } },
  })

  function updated(changes: object, now = 2000): Plan {
    const { value, violations } = readUpdate(planRecord, { type: 'subscription_plan', attributes: changes }, id)
    expect(violations).toEqual([])
    return patchRecord(planRecord, stored, value as never, now)
  }

  test('an update of a plan keeps absent fields, clears null ones and sets given ones', () => {
    expect(updated({ name: 'Yearly', description: null, external_ref: 'f' })).toEqual({
      ...stored,
      name: 'Yearly',
      description: null,
      externalRef: 'f',
      updatedAt: 2000,
    })
    expect(updated({ base_price_percentage: null }).basePricePercentage).toBeNull()
  })

  test('an update of a plan merges fixed_price by currency, and removes it all by null', () => {
    const tax = { includes_tax: false }
    expect(updated({ fixed_price: { USD: null, GBP: { amount: 3 } } }).fixedPrice).toEqual({
      EUR: { amount: 2, ...tax },
      GBP: { amount: 3, ...tax },
    })
    expect(updated({ fixed_price: null }).fixedPrice).toBeNull()
    expect(updated({ fixed_price: { USD: null, EUR: null } }).fixedPrice).toBeNull()
  })

  test('patch.equal-values-write-nothing: an update of a plan returns the stored object when nothing, or only equal values are given', () => {
    expect(updated({})).toBe(stored)
    expect(updated({ name: 'Monthly', fixed_price: { EUR: { amount: 2, includes_tax: false } } })).toBe(stored)
  })

  test('record.updated-at-rises: an update of a plan raises updated_at even when the clock stands still', () => {
    expect(updated({ name: 'Yearly' }, 500).updatedAt).toBe(1001)
  })

  test('an update of a plan is checked as a merged whole, since a length that is valid in days may be too long in years', () => {
    expect(recordViolations(planRecord, updated({ billing_interval_type: 'year', billing_frequency: 84 }))).toEqual([
      {
        code: 'OUT_OF_RANGE',
        path: ['attributes', 'plan_length'],
        message: 'must be at most 11 for this billing interval',
        params: [{ name: 'max', value: '11' }],
      },
    ])
    expect(recordViolations(planRecord, updated({ billing_interval_type: 'year', billing_frequency: 83 }))).toEqual([])
  })

  test('an update of a plan must not clear a required field, and must have the id of the plan, if any', () => {
    const required = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]))
    expect(errorsOf(readUpdate(planRecord, { type: 'subscription_plan', attributes: required }, id))).toEqual(
      Object.keys(attributes).map((name) => `attributes.${name} REQUIRED`),
    )
    const other = { ...data(), id: id.replace('1', '2') }
    expect(errorsOf(readUpdate(planRecord, other, id))).toEqual(['id ID_MISMATCH'])
    expect(errorsOf(readUpdate(planRecord, { ...data(), id: id.toUpperCase() }, id))).toEqual([])
  })
})
