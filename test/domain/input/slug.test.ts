import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slug } from '../../../src/domain/input/formats.ts'
import { FREE_NAME_MAX } from '../../../src/domain/input/limits.ts'
import { distinctParts, slugOf } from '../../../src/domain/input/slug.ts'

describe('slugOf', () => {
  it.each([
    ['Coffee', 'coffee'],
    ['Tea & Co', 'tea-co'],
    ['  Crème brûlée!  ', 'creme-brulee'],
    ['V1.2_final', 'v1.2_final'],
    ['50 % off -- today', '50-off-today'],
    ['Größe 8½', 'grosse-81-2'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['ყავა კარგი', 'qava-kargi'],
    ['Łódź', 'lodz'],
    ['Điện', 'dien'],
    ['İstanbul ısı', 'istanbul-isi'],
    ['Красный', 'krasnyy'],
    ['Чай 250 г', 'chay-250-g'],
    ['Самовар тульский объёмный', 'samovar-tulskiy-obemnyy'],
    ["М’ята п'ять комп\u02bcютер ’М’", 'myata-pyat-kompyuter-m'],
    ['Ελληνικά', 'ellinika'],
    ['红', 'hong'],
    ['咖啡', 'kafei'],
    ['C++', 'c'],
    ['Coffee & Co.', 'coffee-co'],
    ['.NET – 1.5 l.', 'net-1.5-l'],
    ['Чай 250 г.', 'chay-250-g'],
  ])('product.slug-from-name: the name %j gives the slug %j', (name, made) => {
    expect(slugOf(name, 'en')).toBe(made)
  })

  it.each([
    ['de', 'Kräutertee für Öfen ÄÖÜ', 'kraeutertee-fuer-oefen-aeoeue'],
    ['de-CH', 'Müesli', 'mueesli'],
    ['DE', 'Müsli', 'muesli'],
    ['de', 'Mu\u0308sli', 'muesli'],
    ['de', 'Crème Straße', 'creme-strasse'],
    ['sv', 'Öl', 'ol'],
    ['den', 'Öl', 'ol'],
    ['en', 'Müsli', 'musli'],
  ])('product.slug-from-name: in the language %s the name %j gives the slug %j', (language, name, made) => {
    expect(slugOf(name, language)).toBe(made)
  })

  it('product.slug-from-name: names without letters and digits give different slugs', () => {
    expect(slugOf('?!', 'en')).toMatch(/^[0-9a-f]{12}$/)
    expect(new Set(['?!', '!?', '...', '-'].map((name) => slugOf(name, 'en'))).size).toBe(4)
  })

  it('product.slug-from-name: any name gives a valid slug in lower case, the same each time, within the length limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1100 }),
        fc.constantFrom('en', 'de'),
        (name, language) => {
          const made = slugOf(name, language)
          expect(slug(made)).toBeUndefined()
          expect(made).toBe(made.toLowerCase())
          expect(made.length).toBeLessThanOrEqual(FREE_NAME_MAX)
          expect(slugOf(made, language)).toBe(made)
        },
      ),
    )
  })
})

it('product.children-from-build-rules: parts of SKUs keep their capitals, and differ where the names do', () => {
  const parts = distinctParts(['C', 'C++', 'Größe'])
  expect(parts).toEqual(['C', expect.stringMatching(/^C-[0-9a-f]{12}$/), 'Grosse'])
})
