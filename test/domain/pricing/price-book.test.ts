import { describe, expect, it } from 'vitest'
import { makeRecord, patchRecord } from '../../../src/domain/input/record-change.ts'
import type { RecordPatch } from '../../../src/domain/input/record-definition.ts'
import { readNew, readUpdate } from '../../../src/domain/input/record-reader.ts'
import { priceBookRecord } from '../../../src/domain/pricing/price-book.ts'
import { astral } from '../../support/cases.ts'

const ID = '0190a000-0000-7000-8000-00000000000a'
const read = (attributes: unknown) => readNew(priceBookRecord, { type: 'pricebook', attributes })
const update = (attributes: unknown) => readUpdate(priceBookRecord, { type: 'pricebook', attributes }, ID)
const broken = (attributes: unknown, create = true) =>
  (create ? read : update)(attributes).violations.map(({ code, path }) => [code, path.join('.')])
const patch = (attributes: object): RecordPatch<typeof priceBookRecord.members> =>
  update(attributes).value as RecordPatch<typeof priceBookRecord.members>

describe('a price book (price-book.name-is-unique)', () => {
  it.each([
    ['name', 1024],
    ['external_ref', 2048],
    ['description', 1024],
  ])('a price book accepts a %s of %i code points and no more', (member, max) => {
    expect(broken({ name: 'n', [member]: astral(max) })).toEqual([])
    expect(broken({ name: 'n', [member]: astral(max + 1) })).toEqual([['TOO_LONG', `attributes.${member}`]])
  })

  it('a price book needs a name in a create, and never an empty or null one', () => {
    expect(broken({})).toEqual([['REQUIRED', 'attributes.name']])
    expect(broken({}, false)).toEqual([])
    expect(broken({ name: null }, false)).toEqual([['REQUIRED', 'attributes.name']])
    expect(broken({ name: '' })).toEqual([['TOO_SHORT', 'attributes.name']])
    expect(broken({ name: '\u0000', external_ref: '\ud800' })).toEqual([
      ['INVALID_TEXT', 'attributes.external_ref'],
      ['INVALID_TEXT', 'attributes.name'],
    ])
  })

  it('a price book has the id of the input (record.given-id-is-kept)', () => {
    expect(
      readNew(priceBookRecord, { type: 'pricebook', id: ID.toUpperCase(), attributes: { name: 'n' } }).value?.id,
    ).toBe(ID)
    expect(
      readUpdate(priceBookRecord, { type: 'pricebook', id: ID, attributes: {} }, `${ID.slice(0, -1)}b`).violations,
    ).toMatchObject([{ code: 'ID_MISMATCH' }])
  })

  it('an update of a price book keeps absent fields, clears null ones, sets given ones, and returns the same object when nothing changes', () => {
    const book = makeRecord(priceBookRecord, { name: 'n', externalRef: 'r', description: 'd' }, ID, 1000)
    expect(patchRecord(priceBookRecord, book, patch({}), 2000)).toBe(book)
    expect(patchRecord(priceBookRecord, book, patch({ name: 'n', external_ref: 'r' }), 2000)).toBe(book)
    expect(patchRecord(priceBookRecord, book, patch({ external_ref: null, description: null }), 2000)).toEqual({
      ...book,
      externalRef: null,
      description: null,
      updatedAt: 2000,
    })
    expect(patchRecord(priceBookRecord, book, patch({ name: 'm' }), 5)).toEqual({ ...book, name: 'm', updatedAt: 1001 })
  })
})
