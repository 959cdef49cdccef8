import { describe, expect, test } from 'vitest'
import { type ChildOrder, inChildOrder } from '../../../src/domain/catalog/child-order.ts'
import type { ReleaseNode } from '../../../src/domain/catalog/release.ts'

const base = { parentId: 'h', hierarchyId: 'h', description: null, label: null, sortOrder: null, locales: null, createdAt: 0 }
const node = (name: string, more: Partial<ReleaseNode>): ReleaseNode => ({ ...base, id: name, name, slug: name, updatedAt: 0, ...more })

/** Last updated first, as releases have them. */
const nodes = [
  node('éclair', { updatedAt: 5, sortOrder: 1 }),
  node('Zebra', { updatedAt: 4, sortOrder: 1, locales: { de: { name: 'Aal' } } }),
  node('eagle', { updatedAt: 3 }),
  node('apple', { updatedAt: 3, sortOrder: -2 }),
  node('Apple', { updatedAt: 1 }),
]
const order = (field: ChildOrder['field'], descending: boolean, acceptLanguage: string | null = null) =>
  inChildOrder(nodes, { field, descending, acceptLanguage }).map(({ name }) => name)

describe('node.children-in-order: inChildOrder', () => {
  test('orders by sort order, then by name, with nodes without one last in both directions', () => {
    expect(order('SORT_ORDER', true)).toEqual(['Zebra', 'éclair', 'apple', 'Apple', 'eagle'])
    expect(order('SORT_ORDER', false)).toEqual(['apple', 'Zebra', 'éclair', 'Apple', 'eagle'])
  })

  test('orders by name whatever case and accents, and equal names stay last updated first', () => {
    expect(order('NAME', false)).toEqual(['apple', 'Apple', 'eagle', 'éclair', 'Zebra'])
    expect(order('NAME', true)).toEqual(['Zebra', 'éclair', 'eagle', 'apple', 'Apple'])
  })

  test('compares the names in the language in which they are shown', () => {
    expect(order('NAME', false, 'de-CH')).toEqual(['Zebra', 'apple', 'Apple', 'eagle', 'éclair'])
  })

  test('orders by last update in both directions', () => {
    expect(order('UPDATED_AT', true)).toEqual(['éclair', 'Zebra', 'eagle', 'apple', 'Apple'])
    expect(order('UPDATED_AT', false)).toEqual(['Apple', 'eagle', 'apple', 'Zebra', 'éclair'])
  })
})
