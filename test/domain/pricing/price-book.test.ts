import { describe, expect, it } from 'vitest'
import {
  applyPriceBookPatch,
  newPriceBook,
  type PriceBookPatch,
  readPriceBook,
  readPriceBookUpdate,
} from '../../../src/domain/pricing/price-book.ts'
import { astral } from '../../support/cases.ts'

const ID = '0190a000-0000-7000-8000-00000000000a'
const read = (attributes: unknown) => readPriceBook({ type: 'pricebook', attributes })
const update = (attributes: unknown) => readPriceBookUpdate({ type: 'pricebook', attributes }, ID)
const broken = (attributes: unknown, create = true) =>
  (create ? read : update)(attributes).violations.map(({ code, path }) => [code, path.join('.')])
const patch = (attributes: object): PriceBookPatch => update(attributes).value as PriceBookPatch

describe('a price book (price-book.name-is-unique)', () => {
  it.each([
    ['name', 1024],
    ['external_ref', 2048],
    ['description', 1024],
  ])('accepts a %s of %i code points and no more', (member, max) => {
    expect(broken({ name: 'n', [member]: astral(max) })).toEqual([])
    expect(broken({ name: 'n', [member]: astral(max + 1) })).toEqual([['TOO_LONG', `attributes.${member}`]])
  })

  it('needs a name in a create, and never an empty or null one', () => {
    expect(broken({})).toEqual([['REQUIRED', 'attributes.name']])
    expect(broken({}, false)).toEqual([])
    expect(broken({ name: null }, false)).toEqual([['REQUIRED', 'attributes.name']])
    expect(broken({ name: '' })).toEqual([['TOO_SHORT', 'attributes.name']])
    expect(broken({ name: '\u0000', external_ref: '\ud800' })).toEqual([
      ['INVALID_TEXT', 'attributes.external_ref'],
      ['INVALID_TEXT', 'attributes.name'],
    ])
  })

  it('has the id of the input (record.given-id-is-kept)', () => {
    expect(readPriceBook({ type: 'pricebook', id: ID.toUpperCase(), attributes: { name: 'n' } }).value?.id).toBe(ID)
    expect(readPriceBookUpdate({ type: 'pricebook', id: ID, attributes: {} }, `${ID.slice(0, -1)}b`).violations).toMatchObject([
      { code: 'ID_MISMATCH' },
    ])
  })

  it('keeps absent fields, clears null ones, sets given ones, and is the same object when nothing changes', () => {
    const book = newPriceBook({ name: 'n', externalRef: 'r', description: 'd' }, ID, 1000)
    expect(applyPriceBookPatch(book, patch({}), 2000)).toBe(book)
    expect(applyPriceBookPatch(book, patch({ name: 'n', external_ref: 'r' }), 2000)).toBe(book)
    expect(applyPriceBookPatch(book, patch({ external_ref: null, description: null }), 2000)).toEqual({
      ...book,
      externalRef: null,
      description: null,
      updatedAt: 2000,
    })
    expect(applyPriceBookPatch(book, patch({ name: 'm' }), 5)).toEqual({ ...book, name: 'm', updatedAt: 1001 })
  })
})
