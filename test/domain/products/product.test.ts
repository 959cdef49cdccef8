import { describe, expect, test } from 'vitest'
import { type Product, productViolations } from '../../../src/domain/products/product.ts'
import { readProduct, readProductUpdate } from '../../../src/domain/products/product-input.ts'
import { applyProductPatch, newProduct } from '../../../src/domain/products/product-patch.ts'
import { describeViolations, idOf, productData, variationsOf } from '../../support/products.ts'
import { bad, good } from './product-cases.ts'

let ids = 500
const newId = () => idOf(ids++)

function make(attributes: object = {}, now = 1000, parentId: string | null = null): Product {
  const { value, violations } = readProduct(productData(attributes))
  expect(describeViolations(violations)).toEqual([])
  if (!value) throw new Error('no value')
  return newProduct(value.patch, parentId, idOf(1), now, newId)
}

function change(stored: Product, attributes: object, relationships?: object, now = 2000, parentId?: string | null): Product {
  const { value, violations } = readProductUpdate({ type: 'product', attributes, relationships }, stored.id)
  expect(describeViolations(violations)).toEqual([])
  if (!value) throw new Error('no value')
  return applyProductPatch(stored, value, parentId, now, newId)
}

describe('the input of a product', () => {
  test.each(good)('accepts %s', (_, attributes) => {
    expect(describeViolations(readProduct(productData(attributes)).violations)).toEqual([])
  })

  test.each(bad)('rejects %s', (_, attributes, broken) => {
    expect(describeViolations(readProduct(productData(attributes)).violations)).toEqual(broken)
  })

  test.each([
    ['another type', { type: 'products', attributes: { name: 'x' } }, ['type INVALID_VALUE']],
    ['no attributes', { type: 'product' }, ['attributes REQUIRED']],
    ['an id that is none', { id: 'x', type: 'product', attributes: { name: 'x' } }, ['id INVALID_FORMAT']],
    ['null', null, [' REQUIRED']],
    ['no object', 'x', [' INVALID_TYPE']],
    ['relationships of another type', { ...productData(), relationships: [] }, ['relationships INVALID_TYPE']],
    [
      'a parent of another type',
      productData({}, { parent: { data: { type: 'node', id: idOf(2) } } }),
      ['relationships.parent.data.type INVALID_VALUE'],
    ],
    ['a file without id', productData({}, { files: { data: [{ type: 'file' }] } }), ['relationships.files.data.0.id REQUIRED']],
    [
      'a file of a day',
      productData({}, { files: { data: [{ id: idOf(2), created_at: '2026-01-01' }] } }),
      ['relationships.files.data.0.created_at INVALID_FORMAT'],
    ],
    ['a file id that is none', productData({}, { files: { data: ['x'] } }), ['relationships.files.data.0 INVALID_FORMAT']],
    ['a file null', productData({}, { files: { data: [null] } }), ['relationships.files.data.0 REQUIRED']],
    ['a main image id that is none', productData({}, { main_image: { data: 'x' } }), ['relationships.main_image.data INVALID_FORMAT']],
    ['a main image without id', productData({}, { main_image: { data: {} } }), ['relationships.main_image.data.id REQUIRED']],
  ])('rejects %s', (_, data, broken) => {
    expect(describeViolations(readProduct(data).violations)).toEqual(broken)
  })

  test('record.given-id-is-kept: reads the id in data', () => {
    expect(readProduct({ id: idOf(1), ...productData() }).value?.id).toBe(idOf(1))
  })
})

describe('a new product', () => {
  test('product.slug-from-name: is a draft with a slug from its name, and null or empty in every other field', () => {
    expect(make({ name: 'Café Mug (large)' })).toEqual({
      id: idOf(1),
      externalRef: null,
      name: 'Café Mug (large)',
      description: null,
      sku: null,
      slug: 'Cafe-Mug-large',
      status: 'draft',
      commodityType: null,
      upcEan: null,
      manufacturerPartNum: null,
      tags: [],
      components: null,
      customInputs: null,
      extensions: null,
      locales: null,
      variations: null,
      buildRules: null,
      parentId: null,
      optionIds: [],
      files: null,
      mainImageId: null,
      createdAt: 1000,
      updatedAt: 1000,
    })
  })

  test('product.tags-in-lower-case: has its tags in lower case, each once, in the given order', () => {
    expect(make({ tags: ['Red', 'blue', 'RED', 'ÉTÉ'] }).tags).toEqual(['red', 'blue', 'été'])
  })

  test('product.mpn-is-an-alias: has mpn as manufacturer_part_num, unless that is given too', () => {
    expect(make({ mpn: 'M' }).manufacturerPartNum).toBe('M')
    expect(make({ mpn: 'M', manufacturer_part_num: 'P' }).manufacturerPartNum).toBe('P')
    expect(make({ mpn: 'M', manufacturer_part_num: null }).manufacturerPartNum).toBeNull()
  })

  test('has the defaults of its components written out, and ids in lower case (bundle.option-quantity-from-one)', () => {
    const components = { main: { name: 'Main', options: [{ id: idOf(0xabc).toUpperCase() }] } }
    expect(make({ components }).components).toEqual({
      main: {
        name: 'Main',
        min: null,
        max: null,
        sort_order: null,
        options: [{ id: idOf(0xabc), type: 'product', quantity: 1, sort_order: null, default: null }],
      },
    })
  })

  test('has null for empty maps and lists', () => {
    const { components, customInputs, extensions, locales, variations } = make({
      components: {},
      custom_inputs: {},
      extensions: {},
      locales: { de: {} },
      variations: [],
    })
    expect([components, customInputs, extensions, locales, variations]).toEqual([null, null, null, null, null])
  })
})

describe('an update of a product (patch.absent-keeps-null-clears, patch.equal-values-write-nothing, record.updated-at-rises)', () => {
  const full = { name: 'Mug', sku: 'M-1', description: 'd', tags: ['a'], extensions: { t: { a: 1 } }, locales: { de: { name: 'Tasse' } } }

  test('keeps absent fields, clears null fields, sets given ones, and replaces maps whole', () => {
    const stored = make(full)
    const changed = change(stored, { description: null, extensions: { u: { b: 2 } }, tags: null, status: 'live' })
    expect(changed).toEqual({ ...stored, description: null, extensions: { u: { b: 2 } }, tags: [], status: 'live', updatedAt: 2000 })
  })

  test('returns the stored object when nothing, or only equal values are given', () => {
    const stored = make({
      ...full,
      components: { main: { name: 'Main', options: [{ id: idOf(9) }] } },
      variations: variationsOf({ Size: [91] }),
    })
    expect(change(stored, {})).toBe(stored)
    expect(
      change(stored, {
        ...full,
        components: { main: { name: 'Main', options: [{ id: idOf(9) }] } },
        variations: variationsOf({ Size: [91] }),
      }),
    ).toBe(stored)
  })

  test('record.updated-at-rises: raises updated_at even when the clock stands still', () => {
    expect(change(make(full, 5000), { name: 'Cup' }, undefined, 4000).updatedAt).toBe(5001)
  })

  test('product.slug-from-name: keeps the slug when the name changes, and derives it again when it is null', () => {
    const stored = make({ name: 'Big Mug' })
    expect(change(stored, { name: 'Cup' }).slug).toBe('Big-Mug')
    expect(change(stored, { name: 'Small Cup', slug: null }).slug).toBe('Small-Cup')
  })

  test('gives variations without ids those of stored variations with the same name', () => {
    const given = [{ name: 'Size', options: [{ name: 'S' }, { name: 'M' }] }]
    const stored = make({ variations: given })
    expect(change(stored, { variations: given })).toBe(stored)
    const [size] = stored.variations ?? []
    const more = change(stored, { variations: [{ name: 'Size', options: [{ name: 'M' }, { name: 'L' }] }] }).variations?.[0]
    expect(more?.id).toBe(size?.id)
    expect(more?.options[0]?.id).toBe(size?.options[1]?.id)
    expect(size?.options.map(({ id }) => id)).not.toContain(more?.options[1]?.id)
  })

  test('does not reuse an id that the input gives to another variation', () => {
    const stored = make({ variations: [{ id: idOf(80), name: 'Size', options: [{ id: idOf(81), name: 'S' }] }] })
    const changed = change(stored, {
      variations: [
        { name: 'Size', options: [{ name: 'S' }] },
        { name: 'Cut', options: [{ id: idOf(81), name: 'X' }] },
      ],
    })
    const all = changed.variations?.flatMap(({ options }) => options.map(({ id }) => id)) ?? []
    expect(all[1]).toBe(idOf(81))
    expect(all[0]).not.toBe(idOf(81))
  })

  test('keeps the created_at of a stored file, and gives a new file the current time', () => {
    const files = (data: unknown) => ({ files: { data } })
    const first = change(make(), {}, files([{ type: 'file', id: idOf(7), created_at: '2025-01-01T00:00:00+01:00' }]))
    expect(first.files).toEqual([{ id: idOf(7), created_at: '2024-12-31T23:00:00.000Z' }])
    const second = change(first, {}, files([{ id: idOf(7) }, { id: idOf(8) }, { id: idOf(8) }]), 3000)
    expect(second.files).toEqual([...(first.files ?? []), { id: idOf(8), created_at: '1970-01-01T00:00:03.000Z' }])
    expect(change(second, {}, files([])).files).toBeNull()
    expect(change(second, {}, { files: null }).files).toBeNull()
  })

  test('sets the main image by id or object, clears it by null, and keeps it when absent', () => {
    const image = (data: unknown) => ({ main_image: { data } })
    const first = change(make(), {}, image(idOf(7).toUpperCase()))
    expect(first.mainImageId).toBe(idOf(7))
    expect(change(first, {}, image({ type: 'main_image', id: idOf(7) }))).toBe(first)
    expect(change(first, {}, { main_image: {} })).toBe(first)
    expect(change(first, {}, image(null)).mainImageId).toBeNull()
  })

  test('clears the options when it clears the parent', () => {
    const child = { ...make(), parentId: idOf(2), optionIds: [idOf(91)] }
    expect(change(child, {}, { parent: { data: null } }, 2000, null)).toMatchObject({ parentId: null, optionIds: [] })
  })
})

describe('the rules of a single product', () => {
  const variations = variationsOf({ Size: [91, 92], Hue: [95] })
  const broken = (attributes: object, parentId: string | null = null) =>
    describeViolations(productViolations(make(attributes, 1000, parentId)))

  test('product.one-level-of-children: a child must not have variations', () => {
    expect(broken({ variations }, idOf(2))).toEqual(['variations INVALID_STRUCTURE'])
  })

  test('product.children-from-build-rules: a build rule names options of different variations of the product', () => {
    expect(broken({ variations, build_rules: { include: [[idOf(91), idOf(95)]], exclude: [[idOf(92)]] } })).toEqual([])
    const build_rules = { include: [[idOf(91), idOf(92)], []], exclude: [[idOf(4711)]] }
    expect(broken({ variations, build_rules })).toEqual([
      'build_rules.include.0.1 INVALID_STRUCTURE',
      'build_rules.include.1 INVALID_STRUCTURE',
      'build_rules.exclude.0.0 NOT_FOUND',
    ])
    expect(broken({ build_rules: { include: [[idOf(91)]] } })).toEqual(['build_rules.include.0.0 NOT_FOUND'])
  })

  test('a product without a parent must not have option ids', () => {
    expect(broken({ option_ids: [idOf(91)] })).toEqual(['option_ids INVALID_STRUCTURE'])
  })
})
