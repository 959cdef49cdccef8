import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ProductTexts, searchTextOf } from '../../../src/domain/catalog/search-text.ts'
import { plainSearchText } from '../../support/plain-analyser.ts'

const parts = [
  ...[
    'kettle',
    'Tea',
    'red',
    'STRASSE',
    'running',
    'ESP-HOUSE',
    '3-in-1',
    'M6x20',
    '250g',
    '1,5',
    '1.50',
    '1.234.567',
    '0.0',
  ],
  ...['12', '007', '1.2.3', "men's", 'AT&T', 'salt & pepper', 'a&', '& b', '--', '.', '#5', 'C++', '100%', '\\', "'"],
  ...[
    '55"',
    "6'",
    '55 inch',
    '27-inch',
    '100 %',
    '1/2"',
    '#',
    '+',
    'М6х20',
    'АА',
    '55дюймов',
    '55インチ',
    '5 kilo',
    '5公斤',
    '12мл',
    'gramm',
    '1 000',
    '8-1/2',
    '8 1/2',
    '8x10 cm',
    '2 m x 3 m',
    '3\u00a0500',
    'น\u0e4d\u0e49า',
  ],
  ...[
    'Straße',
    'réservoir',
    'Łódź',
    'Чай',
    'ёлка',
    'Σίσυφος',
    'ŉ',
    'ﬁne',
    '½',
    'x²',
    '10½',
    '٣',
    '٣٤٥',
    'שָׁלוֹם',
    'كتاب',
    'oﬃce',
  ],
  ...[
    '红茶杯子',
    '冷蔵庫2018年製',
    'หมอนยางพารา',
    'ｶﾒﾗ',
    '한국어',
    '\u0301',
    'e\u0301',
    '\u00ad',
    'so\u00adfa',
    '×',
    'x'.repeat(101),
    '9'.repeat(101),
  ],
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 8 })
  .chain((all) => fc.constantFrom(' ', '', '-', '  ', '\n', '.').map((between) => all.join(between)))
const texts: fc.Arbitrary<ProductTexts> = fc.record({
  name: text,
  description: fc.option(text),
  codes: fc.array(text, { maxLength: 3 }),
  tags: fc.array(text, { maxLength: 2 }),
})

describe('the texts of products', () => {
  it('are analysed as in the plain way, however they are spelt and whatever was analysed before', () => {
    const language = fc.constantFrom('en', 'de', 'ru', 'el', 'xx')
    fc.assert(
      fc.property(texts, language, (one, stems) => {
        const expected = plainSearchText(one, stems)
        expect(searchTextOf(one, stems)).toEqual(expected)
        expect(searchTextOf(one, stems)).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('have the positions of the plain way up to the last that is counted', () => {
    const long = Array.from({ length: 4_000 }, (_, at) => `w${at} blue`).join(' ')
    const one = { name: 'Blue w1', description: long, codes: ['', 'W-1'], tags: [long.slice(0, 15_000)] }
    expect(searchTextOf(one, 'en')).toEqual(plainSearchText(one, 'en'))
  })
})
