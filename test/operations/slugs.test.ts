import { beforeEach, describe, expect, it } from 'vitest'
import type { HierarchyNode } from '../../src/domain/catalog/hierarchy-node.ts'
import { createHierarchy, updateHierarchy } from '../../src/operations/catalog/hierarchy.ts'
import { createNode, updateNode } from '../../src/operations/catalog/hierarchy-node.ts'
import { createProduct, deleteProduct, updateProduct } from '../../src/operations/products/product.ts'
import type { Context } from '../../src/request/context.ts'
import { reset, useDatabase } from '../support/database.ts'
import { makeHierarchy, makeNode, nodeData, violationsOf } from '../support/hierarchies.ts'
import { contextOf } from '../support/price-books.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const NOW = Date.UTC(2026, 0, 15, 12)

let ctx: Context
beforeEach(async () => {
  await reset(database)
  ctx = contextOf(services, NOW)
})

const product = (name: string, attributes: object = {}, context = ctx) =>
  createProduct(context, { data: { type: 'product', attributes: { name, ...attributes } } })
const change = (id: string, attributes: object) => updateProduct(ctx, { id, data: { type: 'product', attributes } })

describe('slugs of products', () => {
  it('slug.made-ones-differ: a made slug that another product has, in whatever case, gets the next number', async () => {
    expect((await product('Чай 250 г')).slug).toBe('chay-250-g')
    expect((await product('Чай 250 г')).slug).toBe('chay-250-g-2')
    expect((await product('Other', { slug: 'CHAY-250-g-3' })).slug).toBe('CHAY-250-g-3')
    expect((await product('чай, 250 г')).slug).toBe('chay-250-g-4')
  })

  it('product.slug-from-name: a given slug stays as it is, even if another product has it', async () => {
    await product('Tea')
    expect((await product('Cup', { slug: 'tea' })).slug).toBe('tea')
    expect((await product('Cup', { slug: 'Tea' })).slug).toBe('Tea')
  })

  it('product.slug-from-name: an update keeps the slug when the name changes, and makes it again when it is null', async () => {
    const { id } = await product('Big Mug')
    await product('Cup')
    expect((await change(id, { name: 'Cup' })).slug).toBe('big-mug')
    expect((await change(id, { slug: null })).slug).toBe('cup-2')
    expect((await change(id, { name: 'Small Cup', slug: null })).slug).toBe('small-cup')
  })

  it('slug.made-ones-differ: a slug that is made again does not differ from its own', async () => {
    const first = await product('Mug')
    const second = await product('Mug')
    expect(await change(second.id, { slug: null })).toEqual(second)
    await deleteProduct(ctx, { id: first.id })
    expect((await change(second.id, { slug: null })).slug).toBe('mug')
  })

  it('product.slug-from-name: the language of the store decides how ä, ö and ü are written', async () => {
    const german = contextOf(servicesOf(database, { storeLanguage: 'de-AT' }), NOW)
    expect((await product('Grüner Tee', {}, german)).slug).toBe('gruener-tee')
    expect((await product('Grüner Tee')).slug).toBe('gruner-tee')
  })

  it('slug.made-ones-differ: of products of one name that are created at the same time each gets another slug', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => product('Tea', {}, contextOf(services, NOW))))
    const expected = ['tea', ...Array.from({ length: 7 }, (_, index) => `tea-${index + 2}`)]
    expect(made.map(({ slug }) => slug).sort()).toEqual(expected)
  })
})

describe('slugs of hierarchies', () => {
  it('slug.made-ones-differ: a made slug that another hierarchy has gets the next number; a given one stays', async () => {
    expect((await makeHierarchy(ctx, 'Shop')).slug).toBe('shop')
    const second = await makeHierarchy(ctx, 'Shop')
    expect(second.slug).toBe('shop-2')
    expect((await makeHierarchy(ctx, 'Other', { slug: 'Shop' })).slug).toBe('Shop')
    const again = { type: 'hierarchy', attributes: { slug: null } }
    expect(await updateHierarchy(ctx, { id: second.id, data: again })).toEqual(second)
    // Nodes and products have scopes of their own.
    expect((await makeNode(ctx, second, 'Shop')).slug).toBe('shop')
    expect((await product('Shop')).slug).toBe('shop')
  })

  it('slug.made-ones-differ: of hierarchies of one name that are created at the same time each gets another slug', async () => {
    const data = { type: 'hierarchy', attributes: { name: 'Shop' } }
    const made = await Promise.all(Array.from({ length: 4 }, () => createHierarchy(contextOf(services, NOW), { data })))
    expect(made.map(({ slug }) => slug).sort()).toEqual(['shop', 'shop-2', 'shop-3', 'shop-4'])
  })
})

describe('slugs of nodes', () => {
  let root: HierarchyNode
  beforeEach(async () => {
    root = await makeHierarchy(ctx, 'Root')
  })

  const update = (id: string, attributes: object, relationships: object = {}) =>
    updateNode(ctx, { id, data: { type: 'node', attributes, relationships } })
  const to = ({ id }: HierarchyNode) => ({ parent: { data: id } })

  it('slug.made-ones-differ: a made slug that a sibling has gets the next number; cousins may have it', async () => {
    const first = await makeNode(ctx, root, 'Чай 250')
    expect(first.slug).toBe('chay-250')
    expect((await makeNode(ctx, root, 'Chay 250')).slug).toBe('chay-250-2')
    expect((await makeNode(ctx, root, 'chay: 250')).slug).toBe('chay-250-3')
    expect((await makeNode(ctx, first, 'Чай 250')).slug).toBe('chay-250')
  })

  it('node.sibling-names-differ: a given slug that a sibling has in another case is refused, naming both', async () => {
    const tea = await makeNode(ctx, root, 'Tea')
    const refused = (slug: string) =>
      `SLUG_TAKEN attributes.slug: the slug "${slug}", which differs in case alone from "tea", is that of the sibling "Tea" (${tea.id}), give another`
    expect(await violationsOf(makeNode(ctx, root, 'Other', { slug: 'TEA' }))).toEqual([refused('TEA')])
    const other = await makeNode(ctx, root, 'Other')
    expect(await violationsOf(update(other.id, { slug: 'Tea' }))).toEqual([refused('Tea')])
    expect((await update(tea.id, { slug: 'TEA' })).slug).toBe('TEA')
    const below = await makeNode(ctx, other, 'Tea', { slug: 'tEa' })
    expect(await violationsOf(update(below.id, { name: 'Below' }, to(root)))).toEqual([
      `SLUG_TAKEN attributes.slug: the slug "tEa", which differs in case alone from "TEA", is that of the sibling "Tea" (${tea.id}), give another`,
    ])
    expect((await update(below.id, { name: 'Below', slug: null }, to(root))).slug).toBe('below')
  })

  it('node.sibling-names-differ: siblings whose slugs differ in case alone from before stay, and can be changed', async () => {
    const tea = await makeNode(ctx, root, 'Tea')
    const twin = await makeNode(ctx, root, 'Twin')
    await database.pool.query("UPDATE catalog_node SET slug = 'Tea' WHERE id = $1", [twin.id])
    const changed = await update(twin.id, { slug: 'Tea', description: 'd' })
    expect(changed).toMatchObject({ slug: 'Tea', description: 'd' })
    expect((await update(twin.id, { slug: null })).slug).toBe('twin')
    expect((await update(tea.id, { name: 'Green' })).slug).toBe('tea')
  })

  it('slug.made-ones-differ: siblings that are created at the same time all get slugs, and a given one goes to one', async () => {
    const make = (name: string, slug?: string) =>
      createNode(contextOf(services, NOW), { data: nodeData(root.id, { name, ...(slug && { slug }) }) })
    const made = await Promise.all(['Tea', 'tea', 'TEA', 'Tea!'].map((name) => make(name)))
    expect(made.map(({ slug }) => slug).sort()).toEqual(['tea', 'tea-2', 'tea-3', 'tea-4'])
    const given = await Promise.allSettled(['cup', 'Cup', 'CUP'].map((slug, index) => make(`Cup ${index}`, slug)))
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const codes = given.map((one) => (one.status === 'rejected' ? one.reason.violations[0].code : 'made')).sort()
    expect(codes).toEqual(['SLUG_TAKEN', 'SLUG_TAKEN', 'made'])
  })
})
