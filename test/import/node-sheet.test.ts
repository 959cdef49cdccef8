/** Sheets of nodes: CSV files with the nodes of hierarchies and their products. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LeftOut, recordSheetOf, recordSheetText } from '../../src/export/record-sheet.ts'
import { sheetWorkbook } from '../../src/export/sheet-text.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runs } from '../support/effort.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'
import { bytesOf, importSheetFile, type SheetRun } from '../support/sheet.ts'

const database = useDatabase()
const services = servicesOf(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-nodes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => reset(database))

function importSheet(text: string | Buffer): Promise<SheetRun> {
  return importSheetFile(services, join(folder, 'nodes.csv'), text, ['--type', 'node'])
}

async function exported(): Promise<string> {
  const leftOut = new LeftOut('node')
  let text = ''
  for await (const piece of recordSheetText(database, 'node', leftOut)) text += piece
  expect(leftOut.toString()).not.toContain('left out')
  return text
}

function workbook(): Promise<Buffer> {
  return bytesOf(recordSheetOf(sheetWorkbook, database, 'node', new LeftOut('node')))
}

/** The nodes by path, with their products in the order of attachment; ids are left out. */
async function stored(): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query(`WITH RECURSIVE tree AS (
      SELECT id, slug AS path FROM catalog_node WHERE parent_id IS NULL
      UNION ALL SELECT n.id, tree.path || '/' || n.slug FROM tree JOIN catalog_node n ON n.parent_id = tree.id)
    SELECT path, n.name, n.description, n.label, n.sort_order, n.external_ref, n.locales, n.curated_product_ids,
      ARRAY(SELECT product_id FROM node_product WHERE node_id = n.id ORDER BY version) AS products
    FROM tree JOIN catalog_node n USING (id) WHERE n.parent_id IS NOT NULL ORDER BY path COLLATE "C", n.id`)
  return rows
}

async function entries(): Promise<number> {
  return (await database.pool.query('SELECT count(*)::int AS n FROM change')).rows[0].n
}

const SHOP = '0199aaaa-0000-7000-8000-000000000001'
const bare = '0199aaaa-0000-7000-8000-0000000000b0'
const skus = ['MUG', 'a,b', ',c,', "'d", '=e', '-']
const idOf = (at: number): string => `0199aaaa-0000-7000-8000-0000000000a${at}`

async function fill(...nodes: object[]): Promise<void> {
  const { refused } = await runImport(services, [
    { type: 'hierarchy', id: SHOP, attributes: { name: 'Shop', slug: 'shop' } },
    ...skus.map((sku, at) => ({ type: 'product', id: idOf(at), attributes: { sku, name: `Product ${at}` } })),
    { type: 'product', id: bare, attributes: { name: 'Without SKU' } },
    ...nodes,
  ])
  expect(refused).toEqual([])
}

const node = (id: string, parent: string, attributes: object, products: readonly string[] = []) => ({
  type: 'node',
  id,
  attributes,
  relationships: { parent: { data: { id: parent } }, products: { data: products.map((one) => ({ id: one })) } },
})
const nodeId = (at: number): string => `0199aaaa-0000-7000-8000-0000000000${at + 10}`

const anyProducts = fc.shuffledSubarray([...skus.map((_, at) => idOf(at)), bare])
const anyText = fc.option(fc.constantFrom('', '-', '=1+1', "'x", 'two\nlines', 'a;"b",\tc', '4E6'))
const anyNode = fc.record({
  parent: fc.nat({ max: 9 }),
  attributes: fc.record({
    description: anyText,
    external_ref: anyText,
    label: anyText,
    sort_order: fc.option(fc.constantFrom(-2_147_483_648, -1, 0, 7)),
    locales: fc.option(fc.constant({ de: { name: 'Küche' } })),
    curated_products: anyProducts,
  }),
  products: anyProducts,
})

describe('sheet.export-restores-it, sheet.nodes-by-path: a sheet of nodes', () => {
  it('random trees that are exported as CSV or as a workbook and imported again are unchanged, give the same bytes, and come back into a store that has the hierarchy and the products', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyNode, { minLength: 1, maxLength: 12 }), async (nodes) => {
        await reset(database)
        await fill(
          ...nodes.map(({ parent, attributes, products }, at) => {
            const above = at === 0 ? SHOP : nodeId(parent % at)
            const ref = attributes.external_ref === null ? null : attributes.external_ref + at
            const locales = attributes.locales && { de: { ...attributes.locales.de, slug: `-k.${at}` } }
            const own = { ...attributes, locales, external_ref: ref, name: `Node, ${at}`, slug: `-n.${at}` }
            return node(nodeId(at), above, own, products)
          }),
        )
        const [before, text, log] = [await stored(), await exported(), await entries()]
        expect(before.length).toBe(nodes.length)
        expect(await importSheet(text)).toEqual({ counts: [0, 0, nodes.length, 0], reported: [] })
        expect([await stored(), await exported(), await entries()]).toEqual([before, text, log])
        const bytes = await workbook()
        expect(await importSheet(bytes)).toEqual({ counts: [0, 0, nodes.length, 0], reported: [] })
        expect([await stored(), await workbook(), await entries()]).toEqual([before, bytes, log])
        for (const file of [text, bytes]) {
          await database.pool.query('DELETE FROM node_product')
          await database.pool.query('DELETE FROM catalog_node WHERE parent_id IS NOT NULL')
          expect(await importSheet(file)).toEqual({ counts: [nodes.length, 0, 0, 0], reported: [] })
          expect([await stored(), await exported(), await workbook()]).toEqual([before, text, bytes])
        }
      }),
      runs(20),
    )
  })

  const tree = [
    node(nodeId(0), SHOP, { name: 'Kitchen', slug: 'kitchen', external_ref: 'kitchen' }, [idOf(0), bare]),
    node(nodeId(1), nodeId(0), {
      name: 'Mugs',
      slug: 'mugs',
      locales: { de: { name: 'Becher', slug: 'becher' }, fr: { name: 'Tasses' } },
    }),
    node(nodeId(2), SHOP, { name: 'Office', slug: 'office' }),
  ]

  it('an export has parents before children, and products by SKU or id; changed cells change their nodes alone', async () => {
    await fill(...tree)
    const [text, before] = [await exported(), await stored()]
    expect(text).toBe(
      [
        '\ufeffpath,external_ref,name,name.de,name.fr,description,seo_title,seo_description,slug.de,label,sort_order,curated_products,products',
        `shop/kitchen,kitchen,Kitchen,,,,,,,,,,"MUG, ${bare}"`,
        'shop/kitchen/mugs,,Mugs,Becher,Tasses,,,,becher,,,,',
        'shop/office,,Office,,,,,,,,,,',
        '',
      ].join('\r\n'),
    )
    expect(await importSheet('path,name.de,products\nshop/kitchen/mugs,Tassen,"a,,b, MUG"\nshop/office,,\n')).toEqual({
      counts: [0, 1, 1, 0],
      reported: [],
    })
    const locales = { de: { name: 'Tassen', slug: 'becher' }, fr: { name: 'Tasses' } }
    expect(await stored()).toEqual([before[0], { ...before[1], locales, products: [idOf(1), idOf(0)] }, before[2]])
    expect((await importSheet('path,products\nshop/kitchen,-\n')).counts).toEqual([0, 1, 0, 0])
    expect((await stored())[0]?.products).toEqual([])
    expect(await importSheet('path,slug.de\nshop/office,Becher\nshop/kitchen/mugs,-\n')).toEqual({
      counts: [0, 2, 0, 0],
      reported: [],
    })
    const without = { de: { name: 'Tassen' }, fr: { name: 'Tasses' } }
    expect((await stored()).map((one) => one.locales)).toEqual([null, without, { de: { slug: 'Becher' } }])
    const taken = await importSheet('path,slug.de\nshop/kitchen,becher\n')
    expect([taken.counts, taken.reported[0]]).toEqual([[0, 0, 0, 1], expect.stringContaining('"Office"')])
  })

  it('a new path adds a node, also below one that the file adds; with its id another path moves a node with what is below it', async () => {
    await fill(...tree)
    const text = 'path,name,products\nshop/garden,Garden,\nshop/garden/pots,Pots,MUG\n'
    expect(await importSheet(text)).toEqual({ counts: [2, 0, 0, 0], reported: [] })
    expect(await importSheet(text)).toEqual({ counts: [0, 0, 2, 0], reported: [] })
    expect(await importSheet(`id,path\n${nodeId(0)},shop/office/cooking\n`)).toEqual({
      counts: [0, 1, 0, 0],
      reported: [],
    })
    expect((await stored()).map(({ path }) => path)).toEqual([
      'shop/garden',
      'shop/garden/pots',
      'shop/office',
      'shop/office/cooking',
      'shop/office/cooking/mugs',
    ])
    expect(await importSheet('external_ref,label\nkitchen,New\n')).toEqual({ counts: [0, 1, 0, 0], reported: [] })
  })

  it('where two hierarchies have one slug an export gives ids, and changes find their nodes by them', async () => {
    const other = '0199aaaa-0000-7000-8000-000000000002'
    await fill(
      ...tree,
      { type: 'hierarchy', id: other, attributes: { name: 'Other shop', slug: 'shop' } },
      node(nodeId(3), other, { name: 'Kitchen', slug: 'kitchen' }),
    )
    const text = await exported()
    expect(text.split('\r\n').map((row) => row.split(',').slice(0, 2))).toEqual([
      ['\ufeffid', 'path'],
      [nodeId(0), 'shop/kitchen'],
      [nodeId(3), 'shop/kitchen'],
      ['', 'shop/kitchen/mugs'],
      ['', 'shop/office'],
      [''],
    ])
    expect(await importSheet(text)).toEqual({ counts: [0, 0, 4, 0], reported: [] })
    expect((await importSheet('path,label\nshop/kitchen,x\n')).reported).toEqual([
      'nodes.csv A2: path names several nodes: give the id of one (INVALID_VALUE)',
    ])
    expect((await importSheet('path,name\nshop/new,New\n')).reported).toEqual([
      'nodes.csv A2: path is below shop, which names several nodes (INVALID_VALUE)',
    ])
  })

  it.each([
    ['path,name\nshop,Shop\n', 'nodes.csv A2: path must be the slugs from the hierarchy down to the node'],
    ['path,name\nshop//mugs,Mugs\n', 'nodes.csv A2: path must be the slugs from the hierarchy down to the node'],
    ['path,name\n"shop/a\u0000",A\n', 'nodes.csv A2: path must be the slugs from the hierarchy down to the node'],
    ['path,name\nshop/none/mugs,Mugs\n', 'nodes.csv A2: path is below shop/none, where there is no hierarchy or node'],
    ['path,name\nshop/new,Office\n', 'NAME_TAKEN'],
    ['path\nshop/new\n', 'nodes.csv row 2: name must be given'],
    ['path,products\nshop/office,"MUG, CUP"\n', 'nodes.csv B2: products has CUP, which is no SKU or id of a product'],
    ['path,curated_products\nshop/office,\u0000\n', 'nodes.csv B2: curated_products has \u0000, which is no SKU or id'],
    [
      `id,path\n${nodeId(0)},shop/kitchen/mugs/deep\n`,
      'nodes.csv B2: path must not be the node itself or stand below it',
    ],
    ['path,sort_order\nshop/office,1.5\n', 'nodes.csv B2: sort_order must be a whole number'],
    ['path,slug\nshop/office,x\n', 'nodes.csv B1: column slug is unknown'],
    [
      'path,name\n,Mugs\n',
      'nodes.csv A2: path must be given, since a row finds its record by id or path or external_ref',
    ],
    ['name\nMugs\n', 'nodes.csv row 1: has no column id or path or external_ref'],
  ])('what names nothing is refused with its cell, and nothing is stored: %j', async (text, message) => {
    await fill(...tree)
    const before = await stored()
    expect((await importSheet(text)).reported.join('\n')).toContain(message)
    expect(await stored()).toEqual(before)
  })
})
