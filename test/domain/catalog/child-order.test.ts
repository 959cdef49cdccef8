import { describe, expect, test } from 'vitest'
import { type ChildOrder, inChildOrder } from '../../../src/domain/catalog/child-order.ts'
import type { ReleaseNode } from '../../../src/domain/catalog/release.ts'

const base = {
  parentId: 'h',
  hierarchyId: 'h',
  description: null,
  label: null,
  sortOrder: null,
  seoTitle: null,
  seoDescription: null,
  locales: null,
  createdAt: 0,
}
const node = (name: string, more: Partial<ReleaseNode>): ReleaseNode => ({
  ...base,
  id: name,
  name,
  slug: name,
  updatedAt: 0,
  ...more,
})

/** Last updated first, as releases have them. */
const nodes = [
  node('éclair', { updatedAt: 5, sortOrder: 1 }),
  node('Zebra', { updatedAt: 4, sortOrder: 1, locales: { de: { name: 'Aal' } } }),
  node('eagle', { updatedAt: 3 }),
  node('apple', { updatedAt: 3, sortOrder: -2 }),
  node('Apple', { updatedAt: 1 }),
]
const order = (field: ChildOrder['field'], descending: boolean, acceptLanguage: string | null = null) =>
  inChildOrder(nodes, { field, descending, acceptLanguage, storeLanguage: 'sv' }).map(({ name }) => name)

describe('node.children-in-order: inChildOrder', () => {
  test('child nodes are ordered by sort order, then by name, and nodes without a sort order come last in both directions', () => {
    expect(order('SORT_ORDER', true)).toEqual(['éclair', 'Zebra', 'apple', 'Apple', 'eagle'])
    expect(order('SORT_ORDER', false)).toEqual(['apple', 'éclair', 'Zebra', 'Apple', 'eagle'])
    expect(order('SORT_ORDER', true, 'de')).toEqual(['Zebra', 'éclair', 'apple', 'Apple', 'eagle'])
  })

  test('child nodes are ordered by name as the language of the store has it, and as the language in which they are shown', () => {
    expect(order('NAME', false)).toEqual(['apple', 'Apple', 'eagle', 'éclair', 'Zebra'])
    expect(order('NAME', true)).toEqual(['Zebra', 'éclair', 'eagle', 'Apple', 'apple'])
    const swedish = [
      node('Zorn', {}),
      node('Ål', { locales: { de: { name: 'Ål' } } }),
      node('Nr 10', {}),
      node('Nr 9', {}),
    ]
    const names = (acceptLanguage: string | null) =>
      inChildOrder(swedish, { field: 'NAME', descending: false, acceptLanguage, storeLanguage: 'sv' }).map(
        ({ name }) => name,
      )
    expect(names(null)).toEqual(['Nr 9', 'Nr 10', 'Zorn', 'Ål'])
    expect(names('de')).toEqual(['Ål', 'Nr 9', 'Nr 10', 'Zorn'])
  })

  test('names of child nodes are compared in the language in which they are shown', () => {
    expect(order('NAME', false, 'de-CH')).toEqual(['Zebra', 'apple', 'Apple', 'eagle', 'éclair'])
  })

  test('child nodes can be ordered by last update in both directions', () => {
    expect(order('UPDATED_AT', true)).toEqual(['éclair', 'Zebra', 'eagle', 'apple', 'Apple'])
    expect(order('UPDATED_AT', false)).toEqual(['Apple', 'eagle', 'apple', 'Zebra', 'éclair'])
  })
})
