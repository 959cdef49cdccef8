/** Cells of sheets: what is written is read as it was. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDecimal, formatList, pointed, readDecimal, readInteger, readList } from '../../src/import/sheet/cells.ts'
import { joinSegments, segmentsOf } from '../../src/import/sheet/column-name.ts'
import { runs } from '../support/effort.ts'

describe('sheet.record-columns: the cells of lists and numbers', () => {
  const anyEntry = fc.string({
    unit: fc.constantFrom(',', ' ', "'", 'a', '=', '-', '\n', '"'),
    minLength: 1,
    maxLength: 5,
  })

  it('any list of texts is read as it was written, commas, quotes and spaces at the ends included', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 4 }), (texts) => {
        const cell = formatList(texts)
        expect([readList(cell), /^[=+\-@\t\r\n]/.test(cell)]).toEqual([{ value: texts }, false])
      }),
      runs(2000),
    )
  })

  it.each([
    ['a,b', ['a', 'b']],
    ['a , b', ['a', 'b']],
    ['a,,b', ['a,b']],
    ['a, ', ['a', '']],
    ["'=a, b", ['=a', 'b']],
  ])('a list that was typed as %j is read as %j', (cell, value) => {
    expect(readList(cell)).toEqual({ value })
  })

  it('any number is written without an exponent and read as it was', () => {
    const anyNumber = fc.oneof(
      fc.constantFrom(0, 1e-7, 1e-20, 1.5e-9, 0.1 + 0.2, 10_000),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    )
    fc.assert(
      fc.property(anyNumber, (number) => {
        const value = Math.abs(number)
        const cell = formatDecimal(value)
        expect([cell, readDecimal(cell, pointed)]).toEqual([expect.stringMatching(/^\d+(\.\d+)?$/), { value }])
      }),
      runs(2000),
    )
  })

  it.each([
    ['12.50', '.', 12.5],
    ['012,50', ',', 12.5],
    ['-0.5', '.', -0.5],
    ['12,5', '.', 'must be a number such as 12.5, without spaces, grouping signs and exponents'],
    ['1e3', '.', 'must be a number such as 12.5, without spaces, grouping signs and exponents'],
    ['1 000', ',', 'must be a number such as 12,5, without spaces, grouping signs and exponents'],
    ['.5', '.', 'must be a number such as 12.5, without spaces, grouping signs and exponents'],
    ['0.12345678901234567891', '.', 'has more digits than are kept'],
  ] as const)('a number %j with the mark %j is %j', (cell, mark, meaning) => {
    const read = readDecimal(cell, { mark })
    expect('value' in read ? read.value : read.message).toBe(meaning)
  })

  it.each([
    ['9007199254740991', 9007199254740991],
    ['-7', -7],
    ['9007199254740992', undefined],
    ['1.0', undefined],
    ['1,000', undefined],
  ])('a whole number %j is %j', (cell, value) => {
    const read = readInteger(cell)
    expect('value' in read ? read.value : undefined).toBe(value)
  })

  it.each([
    [['sale', 'v1.0', 'EUR'], 'sale.v1..0.EUR'],
    [['name', 'de-AT'], 'name.de-AT'],
  ])('sheet.columns-known-by-name: the parts %j make the name %j of a column, and come back of it', (parts, name) => {
    expect([joinSegments(parts), segmentsOf(name)]).toEqual([name, parts])
  })
})
