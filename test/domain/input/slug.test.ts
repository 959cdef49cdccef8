import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slug } from '../../../src/domain/input/formats.ts'
import { FREE_NAME_MAX } from '../../../src/domain/input/limits.ts'
import { slugOf } from '../../../src/domain/input/slug.ts'

describe('slugOf', () => {
  it.each([
    ['Coffee', 'Coffee'],
    ['Tea & Co', 'Tea-Co'],
    ['  Crème brûlée!  ', 'Creme-brulee'],
    ['v1.2_final', 'v1.2_final'],
    ['50 % off -- today', '50-off-today'],
    ['Größe 8½', 'Grosse-81-2'],
    ['Красный', 'Krasnyy'],
    ['咖啡', 'KaFei'],
    ['C++', 'C'],
  ])('product.slug-from-name: the name %j gives the slug %j', (name, made) => {
    expect(slugOf(name)).toBe(made)
  })

  it('product.slug-from-name: names without letters and digits give different slugs', () => {
    expect(slugOf('?!')).toMatch(/^[0-9a-f]{12}$/)
    expect(new Set(['?!', '!?', '...', '-'].map(slugOf)).size).toBe(4)
  })

  it('product.slug-from-name: any name gives a valid slug, the same each time, within the length limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1100 }), (name) => {
        const made = slugOf(name)
        expect(slug(made)).toBeUndefined()
        expect(made.length).toBeLessThanOrEqual(FREE_NAME_MAX)
        expect(slugOf(made)).toBe(made)
      }),
    )
  })
})
