import { describe, expect, test } from 'vitest'
import { readNew, readUpdate } from '../../../src/domain/input/record-reader.ts'
import { type Product, productRecord, productViolations } from '../../../src/domain/products/product.ts'
import { applyProductPatch, newProduct } from '../../../src/domain/products/product-patch.ts'
import { describeViolations, idOf, productData, variationsOf } from '../../support/products.ts'
import { bad, good } from './product-cases.ts'

let ids = 500
const newId = () => idOf(ids++)

function make(attributes: object = {}, now = 1000, parentId: string | null = null): Product {
  const { value, violations } = readNew(productRecord, productData(attributes))
  expect(describeViolations(violations)).toEqual([])
  if (!value) throw new Error('no value')
  return newProduct({ ...value.patch, slug: value.patch.slug ?? 'made' }, parentId, idOf(1), now, newId)
}

function change(
  stored: Product,
  attributes: object,
  relationships?: object,
  now = 2000,
  parentId?: string | null,
): Product {
  const { value, violations } = readUpdate(productRecord, { type: 'product', attributes, relationships }, stored.id)
  expect(describeViolations(violations)).toEqual([])
  if (!value) throw new Error('no value')
  return applyProductPatch(stored, { ...value, slug: value.slug ?? undefined }, parentId, now, newId)
}

describe('the input of a product', () => {
  test.each(good)('the input of a product accepts %s', (_, attributes) => {
    expect(describeViolations(readNew(productRecord, productData(attributes)).violations)).toEqual([])
  })

  test.each(bad)('the input of a product rejects %s', (_, attributes, broken) => {
    expect(describeViolations(readNew(productRecord, productData(attributes)).violations)).toEqual(broken)
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
    [
      'a file without id',
      productData({}, { files: { data: [{ type: 'file' }] } }),
      ['relationships.files.data.0.id REQUIRED'],
    ],
    [
      'a file of a day',
      productData({}, { files: { data: [{ id: idOf(2), created_at: '2026-01-01' }] } }),
      ['relationships.files.data.0.created_at INVALID_FORMAT'],
    ],
    [
      'a file id that is none',
      productData({}, { files: { data: ['x'] } }),
      ['relationships.files.data.0 INVALID_FORMAT'],
    ],
    ...(
      [
        [{ width: 0 }, 'width OUT_OF_RANGE'],
        [{ height: 2_147_483_648 }, 'height OUT_OF_RANGE'],
        [{ width: 1.5 }, 'width OUT_OF_RANGE'],
        [{ alt: 'a'.repeat(1025) }, 'alt TOO_LONG'],
        [{ locales: { de: { alt: 'a'.repeat(1025) } } }, 'locales.de.alt TOO_LONG'],
        [{ locales: { de_DE: { alt: 'a' } } }, 'locales.de_DE INVALID_FORMAT'],
      ] as const
    ).map(([said, violation]): [string, ReturnType<typeof productData>, string[]] => [
      `a file with ${Object.keys(said)} that it can't have (${violation})`,
      productData({}, { files: { data: [{ id: idOf(2), ...said }] } }),
      [`relationships.files.data.0.${violation}`],
    ]),
    ['a file null', productData({}, { files: { data: [null] } }), ['relationships.files.data.0 REQUIRED']],
    [
      'a main image id that is none',
      productData({}, { main_image: { data: 'x' } }),
      ['relationships.main_image.data INVALID_FORMAT'],
    ],
    [
      'a main image without id',
      productData({}, { main_image: { data: {} } }),
      ['relationships.main_image.data.id REQUIRED'],
    ],
  ])('the input of a product rejects %s', (_, data, broken) => {
    expect(describeViolations(readNew(productRecord, data).violations)).toEqual(broken)
  })

  test('record.given-id-is-kept: the input of a product may have its id in data', () => {
    expect(readNew(productRecord, { id: idOf(1), ...productData() }).value?.id).toBe(idOf(1))
  })
})

describe('a new product', () => {
  test('a new product is a draft with a name and a slug, and null or empty in every other field', () => {
    expect(make({ name: 'Café Mug (large)' })).toEqual({
      id: idOf(1),
      externalRef: null,
      name: 'Café Mug (large)',
      description: null,
      sku: null,
      slug: 'made',
      status: 'draft',
      commodityType: null,
      upcEan: null,
      manufacturerPartNum: null,
      tags: [],
      components: null,
      customInputs: null,
      extensions: null,
      seoTitle: null,
      seoDescription: null,
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

  test('product.tags-in-lower-case: a new product has its tags in lower case, each once, in the given order', () => {
    expect(make({ tags: ['Red', 'blue', 'RED', 'ÉTÉ'] }).tags).toEqual(['red', 'blue', 'été'])
  })

  test('product.mpn-is-an-alias: a new product has mpn as manufacturer_part_num, unless that is given too', () => {
    expect(make({ mpn: 'M' }).manufacturerPartNum).toBe('M')
    expect(make({ mpn: 'M', manufacturer_part_num: 'P' }).manufacturerPartNum).toBe('P')
    expect(make({ mpn: 'M', manufacturer_part_num: null }).manufacturerPartNum).toBeNull()
  })

  test('a new product has the defaults of its components written out, and ids in lower case (bundle.option-quantity-from-one)', () => {
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

  test('a new product has null for empty maps and lists', () => {
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
  const full = {
    name: 'Mug',
    sku: 'M-1',
    description: 'd',
    tags: ['a'],
    extensions: { t: { a: 1 } },
    locales: { de: { name: 'Tasse' } },
  }

  test('an update of a product keeps absent fields, clears null fields, sets given ones, and replaces maps whole', () => {
    const stored = make(full)
    const changed = change(stored, { description: null, extensions: { u: { b: 2 } }, tags: null, status: 'live' })
    expect(changed).toEqual({
      ...stored,
      description: null,
      extensions: { u: { b: 2 } },
      tags: [],
      status: 'live',
      updatedAt: 2000,
    })
  })

  test('an update of a product returns the stored object when nothing, or only equal values are given', () => {
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

  test('record.updated-at-rises: an update of a product raises updated_at even when the clock stands still', () => {
    expect(change(make(full, 5000), { name: 'Cup' }, undefined, 4000).updatedAt).toBe(5001)
  })

  test('an update of a product gives variations without ids those of stored variations with the same name', () => {
    const given = [{ name: 'Size', options: [{ name: 'S' }, { name: 'M' }] }]
    const stored = make({ variations: given })
    expect(change(stored, { variations: given })).toBe(stored)
    const [size] = stored.variations ?? []
    const more = change(stored, { variations: [{ name: 'Size', options: [{ name: 'M' }, { name: 'L' }] }] })
      .variations?.[0]
    expect(more?.id).toBe(size?.id)
    expect(more?.options[0]?.id).toBe(size?.options[1]?.id)
    expect(size?.options.map(({ id }) => id)).not.toContain(more?.options[1]?.id)
  })

  test('an update of a product does not reuse an id that the input gives to another variation', () => {
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

  test('an update of a product keeps the created_at of a stored file, and gives a new file the current time', () => {
    const files = (data: unknown) => ({ files: { data } })
    const first = change(make(), {}, files([{ type: 'file', id: idOf(7), created_at: '2025-01-01T00:00:00+01:00' }]))
    expect(first.files).toEqual([{ id: idOf(7), created_at: '2024-12-31T23:00:00.000Z' }])
    const second = change(first, {}, files([{ id: idOf(7) }, { id: idOf(8) }, { id: idOf(8) }]), 3000)
    expect(second.files).toEqual([...(first.files ?? []), { id: idOf(8), created_at: '1970-01-01T00:00:03.000Z' }])
    expect(change(second, {}, files([])).files).toBeNull()
    expect(change(second, {}, { files: null }).files).toBeNull()
  })

  test('file.keeps-what-is-not-given: an update keeps what it does not give of a file, and clears what is null', () => {
    const files = (...data: object[]) => ({ files: { data } })
    const said = { alt: 'Steel', width: 1, height: 2_147_483_647, locales: { de: { alt: 'Stahl' } } }
    const first = change(make(), {}, files({ id: idOf(7), ...said }, { id: idOf(8), alt: '' }))
    const created_at = new Date(2000).toISOString()
    expect(first.files).toEqual([
      { id: idOf(7), created_at, ...said },
      { id: idOf(8), created_at, alt: '' },
    ])
    expect(change(first, {}, files({ id: idOf(7) }, { id: idOf(8) }))).toBe(first)
    expect(change(first, {}, files({ id: idOf(7), alt: null, locales: null, width: 5 })).files).toEqual([
      { id: idOf(7), created_at, width: 5, height: 2_147_483_647 },
    ])
    const locales = { fr: { alt: 'Acier' }, it: { alt: ' ' } }
    expect(change(first, {}, files({ id: idOf(7), locales })).files?.[0]?.locales).toEqual({ fr: { alt: 'Acier' } })
    expect(change(first, {}, files()).files).toBeNull()
  })

  test('an update of a product sets the main image by id or object, clears it by null, and keeps it when absent', () => {
    const image = (data: unknown) => ({ main_image: { data } })
    const first = change(make(), {}, image(idOf(7).toUpperCase()))
    expect(first.mainImageId).toBe(idOf(7))
    expect(change(first, {}, image({ type: 'main_image', id: idOf(7) }))).toBe(first)
    expect(change(first, {}, { main_image: {} })).toBe(first)
    expect(change(first, {}, image(null)).mainImageId).toBeNull()
  })

  test('an update of a product clears the options when it clears the parent', () => {
    const child = { ...make(), parentId: idOf(2), optionIds: [idOf(91)] }
    expect(change(child, {}, { parent: { data: null } }, 2000, null)).toMatchObject({ parentId: null, optionIds: [] })
  })
})

describe('the rules of a single product', () => {
  const variations = variationsOf({ Size: [91, 92], Hue: [95] })
  const broken = (attributes: object, parentId: string | null = null) =>
    describeViolations(productViolations(make(attributes, 1000, parentId)))

  test('product.one-level-of-children: a child product must not have variations', () => {
    expect(broken({ variations }, idOf(2))).toEqual(['variations INVALID_STRUCTURE'])
  })

  test('product.children-from-build-rules: a build rule must name options of different variations of the product', () => {
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
