import { beforeEach, describe, expect, it } from 'vitest'
import type { HierarchyNode } from '../../../src/domain/catalog/hierarchy-node.ts'
import { createCatalog } from '../../../src/operations/catalog/catalog.ts'
import { deleteHierarchy, updateHierarchy } from '../../../src/operations/catalog/hierarchy.ts'
import { createNode, deleteNode, updateNode } from '../../../src/operations/catalog/hierarchy-node.ts'
import { attachProducts, curateProducts, detachProducts } from '../../../src/operations/catalog/node-product.ts'
import type { Context } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode, makeProducts, nodeData, violationsOf } from '../../support/hierarchies.ts'
import { contextOf } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const NOW = Date.UTC(2026, 0, 15, 12)
const NOBODY = '0199aaaa-0000-7000-8000-00000000dead'

let ctx: Context
let root: HierarchyNode
beforeEach(async () => {
  await reset(database)
  ctx = contextOf(services, NOW)
  root = await makeHierarchy(ctx, 'Root', { external_ref: 'root' })
})

const move = (node: HierarchyNode, parent: unknown, context = ctx) =>
  updateNode(context, {
    id: node.id,
    data: { type: 'node', attributes: {}, relationships: { parent: { data: parent } } },
  })
const attached = async (nodeId: string): Promise<string[]> =>
  (
    await database.pool.query('SELECT product_id FROM node_product WHERE node_id = $1 ORDER BY version', [nodeId])
  ).rows.map((row) => row.product_id)
const hierarchyOf = async ({ id }: HierarchyNode): Promise<string> =>
  (await database.pool.query('SELECT hierarchy_id FROM catalog_node WHERE id = $1', [id])).rows[0].hierarchy_id

describe('hierarchies and nodes', () => {
  it('hierarchy.is-its-root-node: a hierarchy is a root node without a parent, and has its id', () => {
    expect(root).toEqual({
      id: root.id,
      parentId: null,
      hierarchyId: root.id,
      externalRef: 'root',
      name: 'Root',
      slug: 'root',
      description: null,
      label: null,
      sortOrder: null,
      seoTitle: null,
      seoDescription: null,
      locales: null,
      curatedProductIds: [],
      createdAt: NOW,
      updatedAt: NOW,
    })
  })

  it('input.fields-by-type: a node hangs under a hierarchy or a node, named by id, { type, id } or { type, external_ref }', async () => {
    const one = await createNode(ctx, {
      data: nodeData({ type: 'hierarchy', external_ref: 'root' }, { name: 'One', external_ref: 'root' }),
    })
    const two = await createNode(ctx, { data: nodeData({ type: 'node', external_ref: 'root' }, { name: 'Two' }) })
    const three = await createNode(ctx, { data: nodeData({ type: 'node', id: two.id }, { name: 'Three' }) })
    expect([one, two, three].map(({ parentId, hierarchyId }) => [parentId, hierarchyId])).toEqual([
      [root.id, root.id],
      [one.id, root.id],
      [two.id, root.id],
    ])
    expect(
      await violationsOf(createNode(ctx, { data: nodeData({ external_ref: 'root' }, { name: 'Which' }) })),
    ).toEqual(['INVALID_VALUE relationships.parent.data: means more than one hierarchy or node'])
  })

  it('a new node is refused with all its wrong members, in the order of the fields', async () => {
    const data = {
      type: 'node',
      attributes: { slug: 'no spaces', sort_order: 2 ** 31, curated_products: 'x' },
      relationships: {},
    }
    expect(await violationsOf(createNode(ctx, { data }))).toEqual([
      'REQUIRED attributes.name: must be given',
      'INVALID_FORMAT attributes.slug: must be of letters, digits, hyphen, underscore and period',
      'OUT_OF_RANGE attributes.sort_order: must be an integer from -2147483648 to 2147483647',
      'INVALID_TYPE attributes.curated_products: must be an array',
      'REQUIRED relationships.parent: must be given',
    ])
    expect(await violationsOf(createNode(ctx, { data: nodeData(NOBODY, { name: 'Lost' }) }))).toEqual([
      'NOT_FOUND relationships.parent.data: no such hierarchy or node',
    ])
  })

  it('node.sibling-names-differ: names and slugs of nodes are unique among siblings, not among cousins or hierarchies', async () => {
    const one = await makeNode(ctx, root, 'Tea & Co')
    expect(one.slug).toBe('tea-co')
    expect(await violationsOf(makeNode(ctx, root, 'Tea & Co', { slug: 'other' }))).toEqual([
      'NAME_TAKEN attributes.name: A sibling with the name already exists',
    ])
    expect(await violationsOf(makeNode(ctx, root, 'Tea Co', { slug: 'tea-co' }))).toEqual([
      `SLUG_TAKEN attributes.slug: the slug "tea-co" is that of the sibling "Tea & Co" (${one.id}), give another`,
    ])
    await makeNode(ctx, one, 'Tea & Co')
    await makeHierarchy(ctx, 'Root')
  })

  it('node.sibling-names-differ: of simultaneous siblings with the same name exactly one is created', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => makeNode(contextOf(services, NOW), root, 'Same')),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(
      results.filter((result) => result.status === 'rejected' && result.reason.violations[0].code === 'NAME_TAKEN'),
    ).toHaveLength(11)
  })

  it('product.slug-from-name: an absent slug of a node is made from the name once, a null slug again', async () => {
    const node = await makeNode(ctx, root, 'Café')
    const update = (attributes: object) => updateNode(ctx, { id: node.id, data: { type: 'node', attributes } })
    expect([node.slug, (await update({ name: 'Bar' })).slug, (await update({ slug: null })).slug]).toEqual([
      'cafe',
      'cafe',
      'bar',
    ])
  })

  it('import.absent-fields-stay: an update of a node sets given attributes, keeps absent ones and clears null ones', async () => {
    const [a = '', b = ''] = await makeProducts(ctx, 'a', 'b')
    const given = {
      name: 'New',
      slug: 'new',
      description: 'd',
      external_ref: 'r',
      locales: { de: { name: 'Neu' } },
      label: 'l',
      sort_order: -(2 ** 31),
      curated_products: [b, a],
    }
    const node = await makeNode(ctx, root, 'Old')
    const update = (attributes: object) => updateNode(ctx, { id: node.id, data: { type: 'node', attributes } })
    const members = {
      description: 'd',
      externalRef: 'r',
      locales: { de: { name: 'Neu' } },
      label: 'l',
      sortOrder: -(2 ** 31),
    }
    const set = { ...node, ...members, name: 'New', slug: 'new', curatedProductIds: [b, a], updatedAt: NOW + 1 }
    expect(await update(given)).toEqual(set)
    expect(await update({})).toEqual(set)
    const nulls = {
      description: null,
      external_ref: null,
      locales: null,
      label: null,
      sort_order: null,
      curated_products: null,
    }
    expect(await update(nulls)).toEqual({ ...node, name: 'New', slug: 'new', updatedAt: NOW + 2 })
    expect(await violationsOf(update({ name: null }))).toEqual(['REQUIRED attributes.name: must not be null'])
  })

  it('record.updated-at-rises: an update of a node without a change writes nothing, any other raises updatedAt', async () => {
    const later = contextOf(services, NOW + 1_000)
    const same = await updateHierarchy(later, {
      id: root.id,
      data: { type: 'hierarchy', attributes: { name: 'Root', slug: 'root' } },
    })
    expect(same.updatedAt).toBe(NOW)
    const changed = await updateHierarchy(ctx, {
      id: root.id,
      data: { type: 'hierarchy', attributes: { description: 'd' } },
    })
    expect(changed.updatedAt).toBe(NOW + 1)
  })

  it('the operations of nodes do not find hierarchies, nor those of hierarchies nodes', async () => {
    const node = await makeNode(ctx, root, 'One')
    expect(await violationsOf(deleteNode(ctx, { id: root.id }))).toEqual(['NOT_FOUND id: No such node'])
    expect(await violationsOf(deleteHierarchy(ctx, { id: node.id }))).toEqual(['NOT_FOUND id: No such hierarchy'])
    expect(await violationsOf(updateNode(ctx, { id: 'x', data: { type: 'node', attributes: {} } }))).toEqual([
      'NOT_FOUND id: No such node',
    ])
  })
})

describe('moving nodes', () => {
  it('node.never-below-itself: a move of a node takes a whole subtree into another hierarchy, and its descendants keep their updatedAt', async () => {
    const other = await makeHierarchy(ctx, 'Other')
    const top = await makeNode(ctx, root, 'Top')
    const middle = await makeNode(ctx, top, 'Middle')
    const leaf = await makeNode(ctx, middle, 'Leaf')
    const moved = await move(top, other.id)
    expect([moved.parentId, moved.hierarchyId, moved.updatedAt]).toEqual([other.id, other.id, NOW + 1])
    expect([await hierarchyOf(middle), await hierarchyOf(leaf)]).toEqual([other.id, other.id])
  })

  it('node.never-below-itself: a move of a node under itself, a child or a grandchild is refused as a cycle', async () => {
    const top = await makeNode(ctx, root, 'Top')
    const middle = await makeNode(ctx, top, 'Middle')
    const leaf = await makeNode(ctx, middle, 'Leaf')
    const cycle = ['CYCLE relationships.parent.data: must not be the node itself or stand below it']
    for (const parent of [top, middle, leaf]) expect(await violationsOf(move(top, parent.id))).toEqual(cycle)
  })

  it('node.never-below-itself: of two simultaneous moves that would form a cycle one is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const other = round % 2 === 0 ? root : await makeHierarchy(ctx, `Other ${round}`)
      const a = await makeNode(ctx, root, `A${round}`)
      const b = await makeNode(ctx, other, `B${round}`)
      const moves = [move(a, b.id, contextOf(services, NOW)), move(b, a.id, contextOf(services, NOW))]
      const codes = (await Promise.allSettled(moves)).map((result) =>
        result.status === 'rejected' ? result.reason.violations[0].code : 'moved',
      )
      expect(codes.sort()).toEqual(['CYCLE', 'moved'])
    }
    const { rows } = await database.pool.query(`
      WITH RECURSIVE down AS (
        SELECT id, id AS root FROM catalog_node WHERE parent_id IS NULL
        UNION ALL SELECT n.id, d.root FROM catalog_node n JOIN down d ON n.parent_id = d.id)
      SELECT count(*)::int AS reached, (SELECT count(*)::int FROM catalog_node) AS total,
        count(*) FILTER (WHERE n.hierarchy_id <> d.root)::int AS astray
      FROM down d JOIN catalog_node n ON n.id = d.id`)
    expect(rows[0].reached).toBe(rows[0].total)
    expect(rows[0].astray).toBe(0)
  })

  it('node.never-below-itself: a child that is created while its parent moves is in the hierarchy of its parent', async () => {
    const other = await makeHierarchy(ctx, 'Other')
    for (let round = 0; round < 5; round++) {
      const parent = await makeNode(ctx, root, `Parent ${round}`)
      const [child] = await Promise.all([
        makeNode(contextOf(services, NOW), parent, 'Child'),
        move(parent, other.id, contextOf(services, NOW)),
      ])
      expect(await hierarchyOf(child)).toBe(other.id)
    }
  })

  it('node.sibling-names-differ: a move of a node to a parent that has a child with the same name is refused', async () => {
    const top = await makeNode(ctx, root, 'Top')
    await makeNode(ctx, top, 'Same')
    expect(await violationsOf(move(await makeNode(ctx, root, 'Same'), top.id))).toEqual([
      'NAME_TAKEN attributes.name: A sibling with the name already exists',
    ])
  })
})

describe('products of nodes', () => {
  it("import.absent-fields-stay: a given list of a node's products replaces the stored one, and present ones stay (node.latest-attachment-first)", async () => {
    const [a = '', b = '', c = ''] = await makeProducts(ctx, 'a', 'b', 'c')
    const node = await makeNode(ctx, root, 'Node', {}, { products: { data: [b, { type: 'product', id: a }, b] } })
    expect(await attached(node.id)).toEqual([b, a])
    const set = (data: unknown) =>
      updateNode(ctx, {
        id: node.id,
        data: { type: 'node', attributes: {}, relationships: { products: { data } } },
      })
    const changed = await set([{ type: 'product', external_ref: 'ref-c' }, a])
    expect([await attached(node.id), changed.updatedAt]).toEqual([[a, c], NOW + 1])
    expect((await set([a, c])).updatedAt).toBe(NOW + 1)
    expect(
      await violationsOf(set([a, NOBODY, { type: 'product', external_ref: 'none' }, { type: 'node', id: a }])),
    ).toEqual(['INVALID_VALUE relationships.products.data.3.type: must be product'])
    expect(await violationsOf(set([a, NOBODY, { type: 'product', external_ref: 'none' }]))).toEqual([
      'NOT_FOUND relationships.products.data.1: no such product',
      'NOT_FOUND relationships.products.data.2: no such product',
    ])
    expect(await attached(node.id)).toEqual([a, c])
  })

  it('single products are attached to a node, detached, and curated in order (list.curated-come-first)', async () => {
    const [a = '', b = ''] = await makeProducts(ctx, 'a', 'b')
    const node = await makeNode(ctx, root, 'Node')
    const input = (data: unknown) => ({ id: node.id, data })
    expect((await attachProducts(ctx, input([b, a]))).updatedAt).toBe(NOW + 1)
    expect((await attachProducts(ctx, input([a]))).updatedAt).toBe(NOW + 1)
    expect(await attached(node.id)).toEqual([b, a])
    expect((await curateProducts(ctx, input([a, b, a]))).curatedProductIds).toEqual([a, b])
    expect((await detachProducts(ctx, input([b]))).updatedAt).toBe(NOW + 3)
    expect((await detachProducts(ctx, input([b]))).updatedAt).toBe(NOW + 3)
    expect(await attached(node.id)).toEqual([a])
    expect(await violationsOf(attachProducts(ctx, input([NOBODY])))).toEqual([
      'NOT_FOUND product_ids.0: no such product',
    ])
    expect(await violationsOf(curateProducts(ctx, input(null)))).toEqual(['REQUIRED product_ids: must not be null'])
  })

  it('node.products-not-on-root: products are attached to nodes, not to the root', async () => {
    const [a] = await makeProducts(ctx, 'a')
    expect(await violationsOf(attachProducts(ctx, { id: root.id, data: [a] }))).toEqual([
      'NOT_FOUND nodeId: No such node',
    ])
  })

  it('20 simultaneous attachments to a node are all stored', async () => {
    const ids = await makeProducts(ctx, ...Array.from({ length: 20 }, (_, index) => `p${index}`))
    const node = await makeNode(ctx, root, 'Node')
    await Promise.all(ids.map((id) => attachProducts(contextOf(services, NOW), { id: node.id, data: [id] })))
    expect((await attached(node.id)).sort()).toEqual([...ids].sort())
    const { rows } = await database.pool.query('SELECT updated_at FROM catalog_node WHERE id = $1', [node.id])
    expect(rows[0].updated_at.getTime()).toBe(NOW + 20)
  })
})

describe('deleting nodes and hierarchies', () => {
  it('IN_USE names the children of a node, and the nodes and catalogs of a hierarchy', async () => {
    const top = await makeNode(ctx, root, 'Top')
    for (const name of ['d', 'a', 'c', 'b']) await makeNode(ctx, top, name)
    expect(await violationsOf(deleteNode(ctx, { id: top.id }))).toEqual([
      'IN_USE id: is still used by 4 child nodes ("a", "b", "c", ...)',
    ])
    await createCatalog(ctx, {
      data: { type: 'catalog', attributes: { name: 'Shop', hierarchy_ids: [root.id], pricebook_ids: [] } },
    })
    expect(await violationsOf(deleteHierarchy(ctx, { id: root.id }))).toEqual([
      'IN_USE id: is still used by 1 node ("Top") and 1 catalog ("Shop")',
    ])
  })

  it('the deletion of a node deletes its attachments and keeps the products', async () => {
    const [a] = await makeProducts(ctx, 'a')
    const node = await makeNode(ctx, root, 'Node', {}, { products: { data: [a] } })
    expect((await deleteNode(ctx, { id: node.id })).name).toBe('Node')
    expect((await deleteHierarchy(ctx, { id: root.id })).id).toBe(root.id)
    const { rows } = await database.pool.query(
      'SELECT (SELECT count(*)::int FROM product) AS products, (SELECT count(*)::int FROM node_product) AS attachments',
    )
    expect(rows).toEqual([{ products: 1, attachments: 0 }])
  })

  it('of the deletion of a node and a simultaneous new child one succeeds, and no child is left without a parent', async () => {
    for (let round = 0; round < 5; round++) {
      const top = await makeNode(ctx, root, `Top ${round}`)
      const results = await Promise.allSettled([
        deleteNode(contextOf(services, NOW), { id: top.id }),
        makeNode(contextOf(services, NOW), top, 'Child'),
      ])
      const codes = results.map((result) => (result.status === 'rejected' ? result.reason.violations[0].code : 'done'))
      expect([
        ['done', 'NOT_FOUND'],
        ['IN_USE', 'done'],
      ]).toContainEqual(codes)
    }
  })
})
