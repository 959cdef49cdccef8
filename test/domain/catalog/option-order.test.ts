/** Orders by options, against orders that are found naively. */
import { describe, expect, it } from 'vitest'
import type { CountedFacet } from '../../../src/domain/catalog/facet.ts'
import type { VariationNames } from '../../../src/domain/catalog/facet-column.ts'
import { childrenByOptions, inOptionOrder } from '../../../src/domain/catalog/option-order.ts'
import { times } from '../../support/effort.ts'
import { randomFamily } from '../../support/option-family.ts'
import { randomFrom } from '../../support/random-store.ts'

describe('variation.children-by-options: the children of a parent', () => {
  it('random children are in the order of a plain sort, with missing options, equal children and equal sort orders', () => {
    for (let seed = 1; seed <= times(500); seed++) {
      const { variations, children, sorted } = randomFamily(randomFrom(seed))
      const ids = childrenByOptions({ variations, children }).map(({ id }) => id)
      expect(ids, `seed ${seed}`).toEqual(sorted)
    }
  })

  it('children without variations stay oldest first, and a product without children has none', () => {
    const children = ['b', 'a'].map((id) => ({ id, option_ids: ['gone'] }))
    expect(childrenByOptions({ variations: null, children })).toEqual(children)
    expect(childrenByOptions({ variations: null, children: null })).toEqual([])
  })
})

const german: VariationNames = {
  locales: {},
  options: new Map([
    ['Black', { de: { name: 'Schwarz' } }],
    ['White', { de: { name: 'Weiß' } }],
    ['Red', { de: { name: 'Rot' } }],
  ]),
}

/** The values in their order, of a facet that has them as given. */
function ordered(
  values: readonly string[],
  given: Readonly<Record<string, number>>,
  acceptLanguage: string | null = null,
  of: CountedFacet['of'] = { kind: 'variation', name: 'Any' },
): string[] {
  const counted = values.map((value, at) => ({ value, count: values.length - at, selected: false }))
  const facet = { of, values: counted, options: [], labels: {}, names: german }
  const languages = { acceptLanguage, storeLanguage: 'sv' }
  return inOptionOrder(facet, new Map(Object.entries(given)), languages).values.map(({ value }) => value)
}

describe('facet.options-in-order: the values of a facet', () => {
  it('the highest sort order comes first, 0 before -1, and options without one come last', () => {
    expect(ordered(['none', 'below', 'zero', 'high'], { below: -1, zero: 0, high: 7 })).toEqual([
      'high',
      'zero',
      'below',
      'none',
    ])
  })

  it('equal options are in the order of their names: numbers by value, letters as the language of the store has them', () => {
    expect(ordered(['40', '9.5', '100'], {})).toEqual(['9.5', '40', '100'])
    expect(ordered(['Ål', 'Zebra', 'Apa'], { Ål: 3, Zebra: 3, Apa: 3 })).toEqual(['Apa', 'Zebra', 'Ål'])
  })

  it('equal options are in the order of the labels in the language of the request', () => {
    expect(ordered(['White', 'Red', 'Black'], {})).toEqual(['Black', 'Red', 'White'])
    expect(ordered(['White', 'Red', 'Black'], {}, 'de')).toEqual(['Red', 'Black', 'White'])
    expect(ordered(['Ål', 'Zebra'], {}, 'de')).toEqual(['Ål', 'Zebra'])
  })

  it('the values of any other facet stay in their order', () => {
    expect(ordered(['b', 'c', 'a'], { a: 5 }, null, { kind: 'tags' })).toEqual(['b', 'c', 'a'])
  })
})
