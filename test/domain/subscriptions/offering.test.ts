import { describe, expect, test } from 'vitest'
import { resolveReferences } from '../../../src/domain/input/record.ts'
import {
  applyOfferingPatch,
  newOffering,
  type OfferingPatch,
  readOffering,
  readOfferingUpdate,
} from '../../../src/domain/subscriptions/offering.ts'

const [one, two, three] = ['1', '2', '3'].map((digit) => `0199c0de-0000-7000-8000-00000000000${digit}`) as [string, string, string]
const head = { type: 'subscription_offering', attributes: { name: 'Magazine' } }

function errorsOf(read: { violations: readonly { code: string; path: readonly unknown[] }[] }): string[] {
  return read.violations.map(({ code, path }) => `${path.join('.')} ${code}`)
}

function withPlans(...data: unknown[]) {
  return readOffering({ ...head, relationships: { plans: { data } } })
}

describe('offering.products-with-plans: a new offering', () => {
  test('accepts references by id, by type and id, or by type and external_ref', () => {
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
        products: undefined,
        plans: [{ id: one }, { id: two }, { externalRef: 'p' }],
      },
    })
  })

  test.each<[string, unknown, string[]]>([
    ['a number', 1, ['relationships.plans.data.0 INVALID_TYPE']],
    ['null', null, ['relationships.plans.data.0 REQUIRED']],
    ['a text that is no id', 'p', ['relationships.plans.data.0 INVALID_FORMAT']],
    ['nothing to go by', {}, ['relationships.plans.data.0.id REQUIRED']],
    ['another type', { type: 'subscription_product', id: one }, ['relationships.plans.data.0.type INVALID_VALUE']],
  ])('rejects a reference that is %s', (_, reference, violations) => {
    expect(errorsOf(withPlans(reference))).toEqual(violations)
  })

  test.each<[object, string[]]>([
    [{ type: 'subscription_offering', attributes: {} }, ['attributes.name REQUIRED']],
    [{ ...head, relationships: [] }, ['relationships INVALID_TYPE']],
    [{ ...head, relationships: { plans: {} } }, ['relationships.plans.data REQUIRED']],
    [{ ...head, relationships: { plans: { data: {} } } }, ['relationships.plans.data INVALID_TYPE']],
    [{ ...head, relationships: { products: { data: Array(1001).fill(one) } } }, ['relationships.products.data TOO_MANY']],
    [{ ...head, relationships: { products: { data: Array(1000).fill(one) } } }, []],
    [{ ...head, relationships: {} }, []],
  ])('reports the violations of input %#', (data, violations) => {
    expect(errorsOf(readOffering(data))).toEqual(violations)
  })

  test('has each product and plan once, in the order given', () => {
    const made = newOffering(patch({ name: 'Magazine' }), { productIds: [two, one, two], planIds: undefined }, three, 1000)
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

function patch(given: Partial<OfferingPatch>): OfferingPatch {
  return { name: undefined, description: undefined, externalRef: undefined, products: undefined, plans: undefined, ...given }
}

describe('import.absent-fields-stay: an update of an offering', () => {
  const stored = newOffering(patch({ name: 'Magazine', description: 'd' }), { productIds: [one], planIds: [one, two] }, three, 1000)
  const keep = { productIds: undefined, planIds: undefined }

  test('replaces the whole set of a given relationship, and keeps that of an absent one', () => {
    expect(applyOfferingPatch(stored, patch({}), { ...keep, planIds: [two, three] }, 2000)).toEqual({
      ...stored,
      planIds: [two, three],
      updatedAt: 2000,
    })
    expect(applyOfferingPatch(stored, patch({}), { ...keep, planIds: [] }, 2000).planIds).toEqual([])
  })

  test('patch.absent-keeps-null-clears: clears null fields and keeps absent ones', () => {
    expect(applyOfferingPatch(stored, patch({ description: null }), keep, 2000)).toEqual({ ...stored, description: null, updatedAt: 2000 })
  })

  test('patch.equal-values-write-nothing: returns the stored object when nothing, or only equal values are given', () => {
    expect(applyOfferingPatch(stored, patch({}), keep, 2000)).toBe(stored)
    expect(applyOfferingPatch(stored, patch({ name: 'Magazine' }), { productIds: [one, one], planIds: [one, two] }, 2000)).toBe(stored)
  })

  test('must have the id of the offering, if any', () => {
    expect(errorsOf(readOfferingUpdate({ ...head, id: one }, three))).toEqual(['id ID_MISMATCH'])
    expect(errorsOf(readOfferingUpdate({ ...head, id: three }, three))).toEqual([])
  })
})

describe('record.references-by-id-or-ref: references to other records', () => {
  const found = [
    { id: one, externalRef: 'a' },
    { id: two, externalRef: 'b' },
    { id: three, externalRef: 'b' },
  ]

  test('resolve to the record with their id or external_ref, in order', () => {
    expect(resolveReferences([{ externalRef: 'a' }, { id: three }], found, [], 'plan')).toEqual({ ids: [one, three], violations: [] })
  })

  test('that match no record, or several, are violations at their index', () => {
    const missing = '0199c0de-0000-7000-8000-000000000009'
    expect(
      errorsOf(resolveReferences([{ id: missing }, { externalRef: 'b' }, { externalRef: 'c' }, { id: one }], found, ['data'], 'plan')),
    ).toEqual(['data.0 NOT_FOUND', 'data.1 INVALID_VALUE', 'data.2 NOT_FOUND'])
  })
})
