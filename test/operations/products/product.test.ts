import { beforeEach, describe, expect, test } from 'vitest'
import type { Product } from '../../../src/domain/products/product.ts'
import { authorFor } from '../../../src/operations/operation.ts'
import {
  buildChildProducts,
  createProduct,
  deleteProduct,
  product,
  updateProduct,
} from '../../../src/operations/products/product.ts'
import { inTransaction } from '../../../src/persistence/database/transaction.ts'
import { good } from '../../domain/products/product-cases.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { contextOf } from '../../support/price-books.ts'
import {
  childOf,
  describeFailure,
  idOf,
  makeProduct,
  optionsOf,
  productData,
  variationsOf,
} from '../../support/products.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const admin = (now = START) => contextOf(server.services, now)

beforeEach(() => reset(database))

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: Error) => reason,
  )
  return error?.message ?? ''
}

function update(id: string, attributes: object, relationships?: object, now = START + 1000): Promise<Product> {
  return updateProduct(admin(now), {
    id,
    data: { type: 'product', attributes, ...(relationships && { relationships }) },
  })
}

const stored = (id: string) => product(admin(), { id })

describe('createProduct', () => {
  test.each(good)(
    'createProduct stores %s; an equal update changes nothing (input.fields-by-type)',
    async (_, attributes) => {
      const created = await createProduct(admin(), { data: { id: idOf(9), ...productData(attributes) } })
      expect(await stored(idOf(9))).toEqual(created)
      const again = await updateProduct(admin(START + 1000), { id: idOf(9), data: productData(attributes) })
      expect(again).toEqual(created)
      expect(await stored(idOf(9))).toEqual(created)
    },
  )

  test('createProduct stores the ids of all options beside the components', async () => {
    const components = {
      a: { name: 'A', options: [{ id: idOf(2) }, { id: idOf(3) }] },
      b: { name: 'B', options: [{ id: idOf(2) }] },
    }
    const { id } = await makeProduct(admin(), { components })
    const ids = () =>
      database.query(
        'test-component-ids',
        'SELECT component_product_ids AS ids, components IS NULL AS none FROM product WHERE id = $1',
        [id],
      )
    expect(await ids()).toEqual([{ ids: [idOf(2), idOf(3)], none: false }])
    await update(id, { components: null })
    expect(await ids()).toEqual([{ ids: [], none: true }])
  })

  test('SKUs are unique among products, compared exactly (price-book.skus-compare-exactly)', async () => {
    await makeProduct(admin(), { sku: 'A' })
    expect(await describeFailure(makeProduct(admin(), { sku: 'A' }))).toBe('conflict: attributes.sku SKU_TAKEN')
    await Promise.all(['a', '\uff21', null, null].map((sku) => makeProduct(admin(), { sku })))
    const { id } = await makeProduct(admin(), { sku: 'B' })
    expect(await describeFailure(update(id, { sku: 'A' }))).toBe('conflict: attributes.sku SKU_TAKEN')
    expect((await stored(id))?.sku).toBe('B')
  })

  test('of 20 simultaneous products with the same SKU exactly one is created', async () => {
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => makeProduct(admin(), { sku: 'ONE' })))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await database.query('test-count', 'SELECT count(*)::int4 AS n FROM product')).toEqual([{ n: 1 }])
  })

  test('a product with an existing id is a conflict', async () => {
    await createProduct(admin(), { data: { id: idOf(1), ...productData() } })
    expect(await describeFailure(createProduct(admin(), { data: { id: idOf(1), ...productData() } }))).toBe(
      'conflict: id ID_TAKEN',
    )
  })

  test('createProduct joins an open transaction and is rolled back with it', async () => {
    const work = inTransaction(database, authorFor(admin().viewer, 'test'), async (tx) => {
      await createProduct(admin(), { data: { id: idOf(1), ...productData() } }, {}, tx)
      throw new Error('undone')
    })
    await expect(work).rejects.toThrow('undone')
    expect(await stored(idOf(1))).toBeNull()
  })

  test('right.shoppers-see-published-and-own: createProduct is for admins alone', async () => {
    const shopper = contextOf(server.services, START, 'shopper')
    expect(await describeFailure(createProduct(shopper, { data: productData() }))).toBe('forbidden: ')
    expect(await describeFailure(product(shopper, { id: idOf(1) }))).toBe('forbidden: ')
  })
})

describe('updateProduct', () => {
  test('an update of an unknown product is not found', async () => {
    expect(await describeFailure(update(idOf(1), {}))).toBe('notFound: id NOT_FOUND')
    expect(await describeFailure(update('x', {}))).toBe('notFound: id NOT_FOUND')
  })

  test('write.if-updated-at: an update of a product with an outdated ifUpdatedAt is refused with the current product', async () => {
    const { id } = await makeProduct(admin())
    const now = await update(id, { name: 'Cup' })
    const stale = updateProduct(
      admin(),
      { id, data: { type: 'product', attributes: { name: 'Jug' } } },
      { ifUpdatedAt: START },
    )
    await expect(stale).rejects.toMatchObject({ kind: 'conflict', current: now })
    expect((await stored(id))?.name).toBe('Cup')
  })
})

describe('parents and children (product.one-level-of-children)', () => {
  const makeParent = () =>
    makeProduct(admin(), { name: 'Shirt', sku: 'S', variations: variationsOf({ Size: [1, 2], Hue: [3, 4] }) })

  test('a child product has one option of each variation of its parent', async () => {
    const { id } = await makeParent()
    const child = await makeProduct(admin(), ...childOf(id, 3, 1))
    expect(await stored(child.id)).toMatchObject({ parentId: id, optionIds: [idOf(3), idOf(1)] })
    const options = 'attributes.option_ids'
    expect(await describeFailure(makeProduct(admin(), ...childOf(id, 1)))).toBe(
      `validation: ${options} INVALID_STRUCTURE`,
    )
    expect(await describeFailure(makeProduct(admin(), ...childOf(id)))).toBe(
      `validation: ${options} INVALID_STRUCTURE, ${options} INVALID_STRUCTURE`,
    )
    expect(await describeFailure(makeProduct(admin(), ...childOf(id, 1, 2)))).toBe(
      `validation: ${options}.1 INVALID_STRUCTURE, ${options} INVALID_STRUCTURE`,
    )
    expect(await describeFailure(makeProduct(admin(), ...childOf(id, 1, 3, 9)))).toBe(
      `validation: ${options}.2 NOT_FOUND`,
    )
  })

  test('no two children of a product have the same options, in any order', async () => {
    const { id } = await makeParent()
    await makeProduct(admin(), ...childOf(id, 1, 3))
    expect(await describeFailure(makeProduct(admin(), ...childOf(id, 3, 1)))).toBe(
      'validation: attributes.option_ids DUPLICATE',
    )
    const other = await makeProduct(admin(), ...childOf(id, 1, 4))
    expect(await describeFailure(update(other.id, { option_ids: [idOf(1), idOf(3)] }))).toBe(
      'validation: attributes.option_ids DUPLICATE',
    )
  })

  test('of 10 simultaneous children with the same options one is created', async () => {
    const { id } = await makeParent()
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => makeProduct(admin(), ...childOf(id, 1, 3))))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('product.one-level-of-children: a child product can not be a parent, nor a parent a child', async () => {
    const { id } = await makeParent()
    const child = await makeProduct(admin(), ...childOf(id, 1, 3))
    expect(await describeFailure(makeProduct(admin(), ...childOf(child.id, 1, 3)))).toBe(
      'validation: relationships.parent.data INVALID_STRUCTURE',
    )
    const plain = await makeProduct(admin())
    expect(await describeFailure(makeProduct(admin(), ...childOf(plain.id)))).toBe(
      'validation: relationships.parent.data INVALID_STRUCTURE',
    )
    const other = await makeProduct(admin(), { variations: variationsOf({ Cut: [7] }) })
    const [attributes, relationships] = childOf(other.id, 7)
    expect(await describeFailure(update(id, { ...attributes, variations: null }, relationships))).toBe(
      'validation: attributes.variations IN_USE, relationships.parent.data INVALID_STRUCTURE',
    )
    expect(await describeFailure(update(id, attributes, relationships))).toBe(
      'validation: attributes.variations INVALID_STRUCTURE, relationships.parent.data INVALID_STRUCTURE',
    )
    expect(await describeFailure(update(child.id, { variations: variationsOf({ Cut: [8] }) }))).toBe(
      'validation: attributes.variations INVALID_STRUCTURE',
    )
  })

  // They lock each other out, which PostgreSQL finds after a second.
  test('product.one-level-of-children: of two products that become each other’s parent simultaneously one succeeds', async () => {
    for (let round = 0; round < 2; round++) {
      const [left, right] = [
        await makeProduct(admin(), { variations: variationsOf({ Size: [1] }) }),
        await makeProduct(admin(), { variations: variationsOf({ Size: [2] }) }),
      ]
      const become = (child: Product, parent: Product, option: number) => {
        const [attributes, relationships] = childOf(parent.id, option)
        return update(child.id, { ...attributes, variations: null }, relationships)
      }
      const done = await Promise.allSettled([become(left, right, 2), become(right, left, 1)])
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
  })

  test('a product is not its own parent', async () => {
    const { id } = await makeParent()
    expect(await describeFailure(update(id, {}, { parent: { data: id } }))).toContain('relationships.parent.data CYCLE')
  })

  test('the parent of a product may be named by its external_ref; an unknown one is refused', async () => {
    const parent = await makeProduct(admin(), { external_ref: 'shirt', variations: variationsOf({ Size: [1] }) })
    const [attributes] = childOf(parent.id, 1)
    const child = await makeProduct(admin(), attributes, {
      parent: { data: { type: 'product', external_ref: 'shirt' } },
    })
    expect(child.parentId).toBe(parent.id)
    expect(await describeFailure(makeProduct(admin(), attributes, { parent: { data: idOf(99) } }))).toBe(
      'validation: relationships.parent.data NOT_FOUND',
    )
  })

  test('a parent product keeps the options that its children have', async () => {
    const { id } = await makeParent()
    const child = await makeProduct(admin(), { ...childOf(id, 1, 3)[0], name: 'Small red' }, childOf(id)[1])
    const variations = variationsOf({ Size: [2], Hue: [3, 4] })
    expect(await messageOf(update(id, { variations }))).toContain(`"Small red" (${child.id})`)
    expect(await describeFailure(update(id, { variations }))).toBe('validation: attributes.variations IN_USE')
    expect(
      await describeFailure(update(id, { variations: variationsOf({ Size: [1, 2], Hue: [3, 4], Cut: [5] }) })),
    ).toBe('validation: attributes.variations IN_USE')
    expect(await describeFailure(update(id, { variations: null }))).toBe('validation: attributes.variations IN_USE')
    expect((await update(id, { variations: variationsOf({ Size: [1], Hue: [3, 4, 5] }) })).variations).toHaveLength(2)
  })

  test('when a child takes an option that the parent removes simultaneously, one of the two is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = await makeProduct(admin(), { variations: variationsOf({ Size: [1, 2] }) })
      const done = await Promise.allSettled([
        makeProduct(admin(), ...childOf(parent.id, 1)),
        update(parent.id, { variations: variationsOf({ Size: [2] }) }),
      ])
      expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    }
  })

  test('a child product gives up its parent together with its options', async () => {
    const { id } = await makeParent()
    const child = await makeProduct(admin(), ...childOf(id, 1, 3))
    expect(await update(child.id, {}, { parent: { data: null } })).toMatchObject({ parentId: null, optionIds: [] })
    expect(await describeFailure(update(child.id, { option_ids: [idOf(1)] }))).toBe(
      'validation: attributes.option_ids INVALID_STRUCTURE',
    )
  })
})

describe('buildChildProducts (product.children-from-build-rules)', () => {
  const variations = [
    {
      id: idOf(80),
      name: 'Size',
      options: [
        { id: idOf(1), name: 'S' },
        { id: idOf(2), name: 'M', sort_order: 5 },
      ],
    },
    {
      id: idOf(81),
      name: 'Hue',
      sort_order: 1,
      options: [
        { id: idOf(3), name: 'Sky blue' },
        { id: idOf(4), name: 'Red' },
      ],
    },
  ]

  test('buildChildProducts builds one child per missing combination, by descending sort_order', async () => {
    const parent = await makeProduct(admin(), {
      name: 'Shirt',
      sku: 'S-1',
      status: 'live',
      tags: ['cotton'],
      description: 'd',
      variations,
    })
    const first = await makeProduct(admin(), ...childOf(parent.id, 1, 3))
    const { children } = await buildChildProducts(admin(), { id: parent.id })
    expect(children.map(({ name, sku }) => [name, sku])).toEqual([
      ['Shirt Sky blue M', 'S-1-Sky-blue-M'],
      ['Shirt Red M', 'S-1-Red-M'],
      ['Shirt Red S', 'S-1-Red-S'],
    ])
    expect(await stored(children[0]?.id ?? '')).toEqual(children[0])
    expect(children[0]).toMatchObject({
      optionIds: [idOf(3), idOf(2)],
      slug: 'shirt-sky-blue-m',
      status: 'live',
      tags: ['cotton'],
      description: 'd',
      variations: null,
    })
    expect((await buildChildProducts(admin(), { id: parent.id })).children).toEqual([])
    expect(await stored(first.id)).toEqual(first)
  })

  test.each([
    ['exclude', { exclude: [[idOf(1), idOf(4)]] }, ['M Red', 'M Sky blue', 'S Sky blue']],
    ['exclude one option', { exclude: [[idOf(1)]] }, ['M Red', 'M Sky blue']],
    ['include', { default: 'exclude', include: [[idOf(4)]] }, ['M Red', 'S Red']],
    [
      'include and exclude',
      { default: 'exclude', include: [[idOf(4)], [idOf(2)]], exclude: [[idOf(2), idOf(4)]] },
      ['M Sky blue', 'S Red'],
    ],
    ['nothing', { default: 'exclude' }, []],
  ])('buildChildProducts follows build rules: %s', async (_, build_rules, built) => {
    const parent = await makeProduct(admin(), { name: 'Shirt', variations, build_rules })
    const { children } = await buildChildProducts(admin(), { id: parent.id })
    expect(children.map(({ name }) => name.replace(/^Shirt (.*) (\w)$/, '$2 $1')).sort()).toEqual(built)
    expect(children.every(({ sku }) => sku === null)).toBe(true)
  })

  test('language.seo-texts: a built child begins without the texts for search engines of its parent', async () => {
    const seo = { seo_title: 'Shirts', seo_description: 'All shirts.' }
    const parent = await makeProduct(admin(), { name: 'Shirt', description: 'Cotton', variations, ...seo })
    expect(parent).toMatchObject({ seoTitle: 'Shirts', seoDescription: 'All shirts.' })
    const [child] = (await buildChildProducts(admin(), { id: parent.id })).children
    expect(child).toMatchObject({ description: 'Cotton', seoTitle: null, seoDescription: null })
  })

  test('buildChildProducts refuses a product without variations, and too many combinations', async () => {
    const { id } = await makeProduct(admin())
    expect(await describeFailure(buildChildProducts(admin(), { id }))).toBe('validation: id INVALID_STRUCTURE')
    const many = (count: number, from: number) => ({
      name: `V${from}`,
      options: Array.from({ length: count }, (_, n) => ({ id: idOf(from + n), name: `O${n}` })),
    })
    const grid = await makeProduct(admin(), { variations: [many(7, 1), many(11, 100), many(13, 200)] })
    expect(await describeFailure(buildChildProducts(admin(), { id: grid.id }))).toBe('validation: id TOO_MANY')
    const fits = await makeProduct(admin(), { variations: [many(10, 1), many(10, 100), many(10, 200)] })
    expect((await buildChildProducts(admin(), { id: fits.id })).children).toHaveLength(1000)
  })

  const skusOf = async (names: string[], given: object = {}) => {
    const languages = [
      { name: 'Language', options: names.map((name, index) => ({ id: idOf(index + 1), name, sort_order: -index })) },
    ]
    const parent = await makeProduct(admin(), { name: 'Book', sku: 'B', variations: languages })
    const { children } = await buildChildProducts(admin(), { id: parent.id, data: given })
    return children.map(({ sku, slug }) => [sku, slug])
  }

  test('children whose options differ in signs alone get SKUs and slugs that differ', async () => {
    const hashed = expect.stringMatching(/^B-C-[0-9a-f]{12}$/)
    const made = await skusOf(['C', 'C++', 'C#', 'Java'])
    expect(made).toEqual([
      ['B-C', 'book-c'],
      [hashed, 'book-c-2'],
      [hashed, 'book-c-3'],
      ['B-Java', 'book-java'],
    ])
    expect(new Set(made.flat()).size).toBe(8)
  })

  test('product.slug-from-name: children of options in other scripts get SKUs and slugs in Latin letters', async () => {
    expect(await skusOf(['Красный', '赤', 'Größe'])).toEqual([
      ['B-Krasnyy', 'book-krasnyy'],
      ['B-Chi', 'book-chi'],
      ['B-Grosse', 'book-grosse'],
    ])
  })

  test('a built child has the SKU and the slug that are given for its options', async () => {
    const children = [
      { option_ids: [idOf(2)], sku: 'CPP', slug: 'cpp' },
      { option_ids: [idOf(1)], slug: 'plain' },
    ]
    expect(await skusOf(['C', 'C++'], { children })).toEqual([
      ['B-C', 'plain'],
      ['CPP', 'cpp'],
    ])
  })

  test('slug.made-ones-differ: slugs of children differ from those of other products, and from those given in the build', async () => {
    await makeProduct(admin(), { name: 'Book C' })
    const children = [{ option_ids: [idOf(3)], slug: 'Book-C-2' }]
    expect(await skusOf(['C', 'Java', 'R'], { children })).toEqual([
      ['B-C', 'book-c-3'],
      ['B-Java', 'book-java'],
      ['B-R', 'Book-C-2'],
    ])
  })

  test('buildChildProducts builds none when a product has the SKU of one, and names both, with the way out', async () => {
    const parent = await makeProduct(admin(), { sku: 'S', variations })
    const other = await makeProduct(admin(), { name: 'Other', sku: 'S-Red-S' })
    const build = (children?: object[]) =>
      buildChildProducts(admin(), { id: parent.id, data: children && { children } })
    const owner = `the product "Other" (${other.id})`
    const taken = (sku: string) => `the SKU "${sku}" of the child with the options "Red", "S" is that of ${owner}`
    expect(await describeFailure(build())).toBe('conflict: children SKU_TAKEN')
    expect(await messageOf(build())).toBe(`children: ${taken('S-Red-S')}`)
    const given = { option_ids: [idOf(1), idOf(4)], sku: 'S-Red-S' }
    expect(await describeFailure(build([given]))).toBe('conflict: children.0.sku SKU_TAKEN')
    expect(await messageOf(build([given]))).toBe(`children.0.sku: ${taken('S-Red-S')}`)
    expect(await database.query('test-count', 'SELECT count(*)::int4 AS n FROM product')).toEqual([{ n: 2 }])
    expect((await build([{ ...given, sku: 'S-Red-S-2' }])).children).toHaveLength(4)
  })

  test('buildChildProducts builds none when two of them would have one SKU', async () => {
    const parent = await makeProduct(admin(), { sku: 'S', variations })
    const children = [
      { option_ids: [idOf(1), idOf(4)], sku: 'S-Red-M' },
      { option_ids: [idOf(3), idOf(2)], sku: 'S-Sky-blue-S' },
    ]
    const build = buildChildProducts(admin(), { id: parent.id, data: { children } })
    expect(await describeFailure(build)).toBe('conflict: children SKU_TAKEN, children.0.sku SKU_TAKEN')
  })

  test.each([
    ['an option that is none', [{ option_ids: [idOf(1), idOf(9)] }], 'children.0.option_ids.1 NOT_FOUND'],
    ['two options of one variation', [{ option_ids: [idOf(1), idOf(2)] }], 'children.0.option_ids.1 INVALID_STRUCTURE'],
    ['too few options', [{ option_ids: [idOf(1)] }], 'children.0.option_ids INVALID_STRUCTURE'],
    ['options that the rules exclude', [{ option_ids: [idOf(1), idOf(3)] }], 'children.0.option_ids INVALID_STRUCTURE'],
    ['a child that there is', [{ option_ids: [idOf(4), idOf(1)] }], 'children.0.option_ids DUPLICATE'],
    [
      'a child twice',
      [{ option_ids: [idOf(2), idOf(4)] }, { option_ids: [idOf(4), idOf(2)], sku: 'X' }],
      'children.1.option_ids DUPLICATE',
    ],
    ['a blank SKU', [{ option_ids: [idOf(2), idOf(4)], sku: ' ' }], 'children.0.sku INVALID_TEXT'],
    ['a slug that is none', [{ option_ids: [idOf(2), idOf(4)], slug: 'a b' }], 'children.0.slug INVALID_FORMAT'],
  ])('buildChildProducts refuses %s, and builds none', async (_, children, broken) => {
    const parent = await makeProduct(admin(), { variations, build_rules: { exclude: [[idOf(1), idOf(3)]] } })
    await makeProduct(admin(), ...childOf(parent.id, 1, 4))
    expect(await describeFailure(buildChildProducts(admin(), { id: parent.id, data: { children } }))).toBe(
      `validation: ${broken}`,
    )
    expect(await database.query('test-count', 'SELECT count(*)::int4 AS n FROM product')).toEqual([{ n: 2 }])
  })

  test('of simultaneous builds of children that would make one SKU one succeeds, and the other says so', async () => {
    const parents = await Promise.all(
      [1, 2].map((n) => makeProduct(admin(), { name: `P${n}`, sku: n === 1 ? 'S' : 'S-Red', variations })),
    )
    const given = [[{ option_ids: [idOf(1), idOf(3)], sku: 'SAME' }], [{ option_ids: [idOf(1), idOf(3)], sku: 'SAME' }]]
    const done = await Promise.all(
      parents.map(({ id }, index) =>
        describeFailure(buildChildProducts(admin(), { id, data: { children: given[index] } })).catch(() => ''),
      ),
    )
    expect(done.filter((failure) => failure.endsWith('SKU_TAKEN'))).toHaveLength(1)
  })
})

describe('bundles (bundle.one-level-of-nesting)', () => {
  const bundle = (...ids: string[]) => makeProduct(admin(), { components: optionsOf(...ids) })
  const set = (id: string, ...ids: string[]) => update(id, { components: optionsOf(...ids) })

  test('a bundle may have bundles as options, but those must not have any', async () => {
    const single = await makeProduct(admin())
    const inner = await bundle(single.id)
    const outer = await bundle(inner.id, single.id)
    expect(await describeFailure(bundle(outer.id))).toBe(
      'validation: attributes.components.main.options.0.id INVALID_STRUCTURE',
    )
    expect(await describeFailure(set(single.id, idOf(9)))).toBe('validation: attributes.components INVALID_STRUCTURE')
    expect((await stored(single.id))?.components).toBeNull()
  })

  test('no bundle is its own option, at any depth', async () => {
    const { id } = await makeProduct(admin())
    expect(await describeFailure(set(id, id))).toBe('validation: attributes.components.main.options.0.id CYCLE')
    const outer = await bundle(id)
    expect(await describeFailure(set(id, outer.id))).toBe('validation: attributes.components.main.options.0.id CYCLE')
  })

  test('bundle.live-options-only: an option of a bundle that is created later must obey the rule of nesting too', async () => {
    await bundle(idOf(1))
    const middle = await createProduct(admin(), {
      data: { id: idOf(1), ...productData({ components: optionsOf(idOf(2)) }) },
    })
    expect(middle.components).not.toBeNull()
    expect(
      await describeFailure(
        createProduct(admin(), { data: { id: idOf(2), ...productData({ components: optionsOf(idOf(3)) }) } }),
      ),
    ).toBe('validation: attributes.components INVALID_STRUCTURE')
  })

  test('of two simultaneous writes that would form a cycle of bundles one is refused', async () => {
    for (let round = 0; round < 8; round++) {
      const [left, right] = [await makeProduct(admin()), await makeProduct(admin())]
      const done = await Promise.allSettled([set(left.id, right.id), set(right.id, left.id)])
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
  })

  test('of three simultaneous writes that would form a chain of three bundles one is refused', async () => {
    for (let round = 0; round < 8; round++) {
      const [a, b, c, d] = [
        await makeProduct(admin()),
        await makeProduct(admin()),
        await makeProduct(admin()),
        await makeProduct(admin()),
      ]
      const done = await Promise.allSettled([set(a.id, b.id), set(b.id, c.id), set(c.id, d.id)])
      expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    }
  })
})

describe('deleteProduct', () => {
  test('deleteProduct returns the product; the next call finds none', async () => {
    const made = await makeProduct(admin())
    expect(await deleteProduct(admin(), { id: made.id })).toEqual(made)
    expect(await stored(made.id)).toBeNull()
    expect(await describeFailure(deleteProduct(admin(), { id: made.id }))).toBe('notFound: id NOT_FOUND')
  })

  test('deleteProduct names the children and the bundles that have the product as an option (IN_USE)', async () => {
    const parent = await makeProduct(admin(), { name: 'Shirt', variations: variationsOf({ Size: [1] }) })
    const child = await makeProduct(admin(), { ...childOf(parent.id, 1)[0], name: 'Small' }, childOf(parent.id)[1])
    const box = await makeProduct(admin(), { name: 'Box', components: optionsOf(child.id, parent.id) })
    expect(await describeFailure(deleteProduct(admin(), { id: parent.id }))).toBe('conflict: id IN_USE')
    const message = await messageOf(deleteProduct(admin(), { id: parent.id }))
    expect(message).toContain('1 child product ("Small") and 1 bundle ("Box")')
    for (const { id } of [box, child, parent]) await deleteProduct(admin(), { id })
    expect(await stored(parent.id)).toBeNull()
  })

  test('deleteProduct deletes its attachments to nodes', async () => {
    const { id } = await makeProduct(admin())
    await database.query(
      'test-node',
      `INSERT INTO catalog_node (id, hierarchy_id, name, slug, created_at, updated_at) VALUES ($1, $1, 'n', 'n', now(), now())`,
      [idOf(50)],
    )
    await database.query(
      'test-attach',
      'INSERT INTO node_product (node_id, product_id, created_at) VALUES ($1, $2, now())',
      [idOf(50), id],
    )
    await deleteProduct(admin(), { id })
    expect(await database.query('test-attached', 'SELECT FROM node_product')).toEqual([])
  })

  test('write.if-updated-at: deleteProduct with an outdated ifUpdatedAt deletes nothing', async () => {
    const { id } = await makeProduct(admin())
    await expect(deleteProduct(admin(), { id }, { ifUpdatedAt: START - 1 })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await stored(id)).not.toBeNull()
  })
})
