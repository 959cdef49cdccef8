import { describe, expect, test } from 'vitest'
import { resolveReferences } from '../../../src/domain/input/record.ts'
import { makeRecord, patchRecord } from '../../../src/domain/input/record-change.ts'
import { readNew, readUpdate } from '../../../src/domain/input/record-reader.ts'
import { offeringRecord } from '../../../src/domain/subscriptions/offering.ts'

const [one, two, three] = ['1', '2', '3'].map((digit) => `0199c0de-0000-7000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
]
const head = { type: 'subscription_offering', attributes: { name: 'Magazine' } }

function errorsOf(read: { violations: readonly { code: string; path: readonly unknown[] }[] }): string[] {
  return read.violations.map(({ code, path }) => `${path.join('.')} ${code}`)
}

function withPlans(...data: unknown[]) {
  return readNew(offeringRecord, { ...head, relationships: { plans: { data } } })
}

describe('offering.products-with-plans: a new offering', () => {
  test('a new offering accepts references by id, by type and id, or by type and external_ref', () => {
    const { value, violations } = withPlans(
      one.toUpperCase(),
      { type: 'subscription_plan', id: two },
      { type: 'subscription_plan', external_ref: 'p' },
    )
    expect(violations).toEqual([])
    expect(value).toEqual({
      id: undefined,
      patch: {
        name: 'Magazine',
        description: undefined,
        externalRef: undefined,
        productIds: undefined,
        planIds: [{ id: one }, { id: two }, { externalRef: 'p' }],
      },
    })
  })

  test.each<[string, unknown, string[]]>([
    ['a number', 1, ['relationships.plans.data.0 INVALID_TYPE']],
    ['null', null, ['relationships.plans.data.0 REQUIRED']],
    ['a text that is no id', 'p', ['relationships.plans.data.0 INVALID_FORMAT']],
    ['nothing to go by', {}, ['relationships.plans.data.0.id REQUIRED']],
    ['another type', { type: 'subscription_product', id: one }, ['relationships.plans.data.0.type INVALID_VALUE']],
  ])('a new offering rejects a reference that is %s', (_, reference, violations) => {
    expect(errorsOf(withPlans(reference))).toEqual(violations)
  })

  test.each<[object, string[]]>([
    [{ type: 'subscription_offering', attributes: {} }, ['attributes.name REQUIRED']],
    [{ ...head, relationships: [] }, ['relationships INVALID_TYPE']],
    [{ ...head, relationships: { plans: {} } }, ['relationships.plans.data REQUIRED']],
    [{ ...head, relationships: { plans: { data: {} } } }, ['relationships.plans.data INVALID_TYPE']],
    [
      { ...head, relationships: { products: { data: Array(1001).fill(one) } } },
      ['relationships.products.data TOO_MANY'],
    ],
    [{ ...head, relationships: { products: { data: Array(1000).fill(one) } } }, []],
    [{ ...head, relationships: {} }, []],
  ])('a new offering reports the violations of input %#', (data, violations) => {
    expect(errorsOf(readNew(offeringRecord, data))).toEqual(violations)
  })

  test('a new offering has each product and plan once, in the order given', () => {
    const made = makeRecord(offeringRecord, { name: 'Magazine', productIds: [two, one, two] }, three, 1000)
    expect(made).toEqual({
      id: three,
      name: 'Magazine',
      description: null,
      externalRef: null,
      productIds: [two, one],
      planIds: [],
      createdAt: 1000,
      updatedAt: 1000,
    })
  })
})

describe('import.absent-fields-stay: an update of an offering', () => {
  const given = { name: 'Magazine', description: 'd', productIds: [one], planIds: [one, two] }
  const stored = makeRecord(offeringRecord, given, three, 1000)
  const patched = (patch: Parameters<typeof patchRecord<typeof offeringRecord.members, typeof stored>>[2]) =>
    patchRecord(offeringRecord, stored, patch, 2000)

  test('an update of an offering replaces the whole set of a given relationship, and keeps that of an absent one', () => {
    expect(patched({ planIds: [two, three] })).toEqual({ ...stored, planIds: [two, three], updatedAt: 2000 })
    expect(patched({ planIds: [] }).planIds).toEqual([])
  })

  test('patch.absent-keeps-null-clears: an update of an offering clears null fields and keeps absent ones', () => {
    expect(patched({ description: null })).toEqual({ ...stored, description: null, updatedAt: 2000 })
  })

  test('patch.equal-values-write-nothing: an update of an offering returns the stored object when nothing, or only equal values are given', () => {
    expect(patched({})).toBe(stored)
    expect(patched({ name: 'Magazine', productIds: [one, one], planIds: [one, two] })).toBe(stored)
  })

  test('an update of an offering must have the id of the offering, if any', () => {
    expect(errorsOf(readUpdate(offeringRecord, { ...head, id: one }, three))).toEqual(['id ID_MISMATCH'])
    expect(errorsOf(readUpdate(offeringRecord, { ...head, id: three }, three))).toEqual([])
  })
})

describe('record.references-by-id-or-ref: references to other records', () => {
  const found = [
    { id: one, externalRef: 'a' },
    { id: two, externalRef: 'b' },
    { id: three, externalRef: 'b' },
  ]

  test('references to other records resolve to the record with their id or external_ref, in order', () => {
    expect(resolveReferences([{ externalRef: 'a' }, { id: three }], found, [], 'plan')).toEqual({
      ids: [one, three],
      violations: [],
    })
  })

  test('references that match no record, or several, are violations at their index', () => {
    const missing = '0199c0de-0000-7000-8000-000000000009'
    expect(
      errorsOf(
        resolveReferences(
          [{ id: missing }, { externalRef: 'b' }, { externalRef: 'c' }, { id: one }],
          found,
          ['data'],
          'plan',
        ),
      ),
    ).toEqual(['data.0 NOT_FOUND', 'data.1 INVALID_VALUE', 'data.2 NOT_FOUND'])
  })
})
