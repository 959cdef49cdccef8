/** Products that an import refuses, and the nodes that list them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../src/domain/input/errors.ts'
import { RefusedProducts } from '../../src/import/refused-products.ts'
import { countStatements, reset, useDatabase } from '../support/database.ts'
import { runImport as importLines } from '../support/import.ts'
import { useImportFolder } from '../support/import-files.ts'
import { idOf } from '../support/products.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const runImport = (
  on: typeof services,
  objects: readonly object[],
  onError: 'skip' = 'skip',
  known?: RefusedProducts,
) => importLines(on, objects, onError, undefined, undefined, false, known)
const { folder, run, write, linesOf } = useImportFolder(services)
beforeEach(() => reset(database))

const shop = { type: 'hierarchy', id: idOf(1), attributes: { name: 'Shop', slug: 'shop' } }
const product = (n: number, more: object = {}) => ({
  type: 'product',
  id: idOf(100 + n),
  attributes: { name: `P${n}`, sku: `S-${n}`, external_ref: `r-${n}`, ...more },
})
/** A product that is refused. */
const bad = (n: number) => product(n, { name: '' })
const node = (products: readonly unknown[], curated: readonly unknown[] = [], n = 10) => ({
  type: 'node',
  id: idOf(n),
  relationships: { parent: { data: { id: idOf(1) } }, products: { data: products } },
  attributes: { name: `N${n}`, curated_products: curated },
})
const byId = (n: number) => ({ type: 'product', id: idOf(100 + n) })
const byRef = (n: number) => ({ type: 'product', external_ref: `r-${n}` })

/** The SKUs of the node's products, and of its curated ones in their order. */
async function listed(n = 10) {
  const [row] = (
    await database.pool.query(
      `SELECT (SELECT coalesce(array_agg(sku ORDER BY sku), '{}') FROM node_product np JOIN product p ON p.id = np.product_id WHERE np.node_id = c.id) AS products,
        (SELECT coalesce(array_agg(sku ORDER BY o), '{}') FROM unnest(curated_product_ids) WITH ORDINALITY AS u (id, o) JOIN product p ON p.id = u.id) AS curated
       FROM catalog_node c WHERE id = $1`,
      [idOf(n)],
    )
  ).rows
  return row && [row.products, row.curated]
}
const without = (path: string, at: string, name = idOf(101)) =>
  `data.${path}: names product ${name}, which was refused (${at}): the node is taken without it (NOT_FOUND)`

describe('import.refused-products-left-out', () => {
  it('import.refused-products-left-out: a node is taken without products that the import refused before it, by id and by reference, in its list and its curated order', async () => {
    write('in.jsonl', [
      ...[shop, bad(1), product(2), bad(3), product(4)],
      node([byId(1), byId(2), byRef(3), byId(4)], [byRef(4), idOf(101), byId(2)]),
    ])
    const end = await run('--on-error skip in.jsonl')
    expect([end.allTaken, end.counts]).toEqual([
      false,
      { hierarchy: [1, 0, 0, 0], product: [2, 0, 0, 2], node: [1, 0, 0, 0] },
    ])
    expect(end.reported.trimEnd().split('\n').slice(2)).toEqual([
      `in.jsonl:6: ${without('relationships.products.data.0', 'in.jsonl:2')}`,
      `in.jsonl:6: ${without('relationships.products.data.2', 'in.jsonl:4', 'r-3')}`,
      `in.jsonl:6: ${without('attributes.curated_products.1', 'in.jsonl:2')}`,
    ])
    expect(await listed()).toEqual([
      ['S-2', 'S-4'],
      ['S-4', 'S-2'],
    ])
  })

  it('import.refused-products-left-out: a product that no one gave, or that comes behind the node, refuses it with all that it lacks', async () => {
    const { refused } = await runImport(services, [
      ...[shop, bad(1), product(2)],
      node([byId(1), byId(2), byId(5)]),
      product(5),
      node([byId(6)], [], 11),
      bad(6),
    ])
    expect(refused.filter((line) => !line.startsWith('2:') && !line.startsWith('7:'))).toEqual([
      '4: data.relationships.products.data.0: no such product (NOT_FOUND)',
      '4: data.relationships.products.data.2: no such product (NOT_FOUND)',
      '6: data.relationships.products.data.0: no such product (NOT_FOUND)',
    ])
    expect(await listed()).toBeUndefined()
  })

  it('import.refused-products-left-out: a stored product stays in the node though a change of it was refused, and so does one that a later line gives', async () => {
    await runImport(services, [shop, product(1)])
    await runImport(services, [bad(1), bad(2), node([byId(1), byId(2)]), product(2), node([byId(1), byId(2)])])
    expect(await listed()).toEqual([['S-1', 'S-2'], []])
  })

  it('import.refused-products-left-out: what else is wrong with such a node stands at its place in the list as it was given', async () => {
    await runImport(services, [shop, product(2), product(3)])
    await database.pool.query(
      `INSERT INTO catalog_node (id, hierarchy_id, parent_id, name, slug, created_at, updated_at) SELECT gen_random_uuid(), $1, $1, 'M' || n, 'm' || n, now(), now() FROM generate_series(1, 500) n`,
      [idOf(1)],
    )
    await database.pool.query(
      `INSERT INTO node_product (node_id, product_id, created_at) SELECT id, $1, now() FROM catalog_node WHERE parent_id IS NOT NULL`,
      [idOf(103)],
    )
    const { refused } = await runImport(services, [bad(1), node([byId(1), byId(2), byId(3)])])
    expect(refused[1]).toBe('2: data.relationships.products.data.2: is attached to 500 nodes already (TOO_MANY)')
  })

  it('import.refused-products-left-out: a bundle keeps a component that was refused; a child is refused with its parent, and a node is taken without both', async () => {
    const bundle = product(2, {
      components: { main: { name: 'Main', min: 1, max: 1, options: [{ ...byId(1), quantity: 1 }] } },
    })
    const child = { ...product(3), relationships: { parent: { data: byId(1) } } }
    const { counts } = await runImport(services, [
      ...[shop, bad(1), bundle, child, product(4)],
      node([byId(1), byId(2), byId(3), byId(4)]),
    ])
    expect(counts).toEqual({ hierarchy: [1, 0, 0, 0], product: [2, 0, 0, 2], node: [1, 0, 0, 0] })
    expect(await listed()).toEqual([['S-2', 'S-4'], []])
  })

  it('import.refused-products-left-out: the file of refused objects has the node with all its products, and corrected gives it whole', async () => {
    const whole = node([byId(1), byId(2)], [byId(1)])
    write('in.jsonl', [shop, bad(1), product(2), whole])
    await run('--on-error skip --refused bad.jsonl in.jsonl')
    const lines = linesOf('bad.jsonl')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { refused: expect.anything(), data: bad(1) },
      {
        refused: {
          file: join(folder, 'in.jsonl'),
          line: 4,
          problems: [
            without('relationships.products.data.0', `${folder}/in.jsonl:2`),
            without('attributes.curated_products.0', `${folder}/in.jsonl:2`),
          ],
        },
        data: whole,
      },
    ])
    expect(await listed()).toEqual([['S-2'], []])
    writeFileSync(join(folder, 'corrected.jsonl'), lines.join('\n').replace('"name":""', '"name":"P1"'))
    const end = await run('corrected.jsonl')
    expect([end.allTaken, end.counts]).toEqual([true, { product: [1, 0, 0, 0], node: [0, 1, 0, 0] }])
    expect(await listed()).toEqual([['S-1', 'S-2'], ['S-1']])
  })

  it('import.refused-products-left-out, import.dry-run-equals-run: a dry run, and an import of all or nothing, count and tell the same, and store nothing', async () => {
    write('in.jsonl', [shop, bad(1), product(2), node([byId(1), byId(2)])])
    const dry = await run('--on-error skip --dry-run in.jsonl')
    const nothing = await run('--on-error rollback in.jsonl')
    expect(await listed()).toBeUndefined()
    const { counts, reported } = await run('--on-error skip in.jsonl')
    for (const other of [dry, nothing])
      expect({ counts: other.counts, reported: other.reported }).toEqual({ counts, reported })
    expect(counts.node).toEqual([1, 0, 0, 0])
  })

  it('import.refused-products-left-out: a row of nodes is taken without the SKUs that a sheet before it was refused for, and says so by its cell', async () => {
    write('shop.jsonl', [shop])
    writeFileSync(join(folder, 'products.csv'), 'sku,name,status\nA,Mug,live\nB,Cup,none\nC,Jug,live\n')
    writeFileSync(
      join(folder, 'nodes.csv'),
      'path,name,products,curated_products\nshop/k,Kitchen,"A,B,C","C,B"\nshop/l,Lounge,"A,X",\n',
    )
    const end = await run('--on-error skip shop.jsonl products.csv nodes.csv')
    expect(end.counts).toEqual({ hierarchy: [1, 0, 0, 0], product: [2, 0, 0, 1], node: [1, 0, 0, 1] })
    const sentence = 'names product B, which was refused (products.csv row 3): the node is taken without it (NOT_FOUND)'
    expect(end.reported.trimEnd().split('\n').slice(1)).toEqual([
      `nodes.csv C2: products ${sentence}`,
      `nodes.csv D2: curated_products ${sentence}`,
      'nodes.csv C3: products has X, which is no SKU or id of a product (NOT_FOUND)',
    ])
    const { rows } = await database.pool.query(
      `SELECT array_agg(sku ORDER BY sku) AS skus FROM node_product JOIN product p ON p.id = product_id`,
    )
    expect(rows).toEqual([{ skus: ['A', 'C'] }])
  })

  it('import.refused-products-left-out, import.resumes-where-it-was: an import that was killed knows the refused products again, of this file and of earlier ones', async () => {
    const others = Array.from({ length: 200 }, (_, at) => product(10 + at))
    write('one.jsonl', [shop, bad(1), product(2)])
    write('two.jsonl', [bad(3), ...others, product(4), node([byId(1), byId(2), byRef(3), byId(4)], [idOf(103)])])
    const { killed, saves } = killedAfter(9)
    await expect(run('--on-error skip --refused bad.jsonl one.jsonl two.jsonl', undefined, killed)).rejects.toThrow(
      'killed',
    )
    expect([saves(), await listed()]).toEqual([9, undefined])
    const end = await run('--on-error skip --resume --refused bad.jsonl one.jsonl two.jsonl')
    expect(end.reported.trimEnd().split('\n')).toEqual([
      'Goes on after 200 objects of two.jsonl',
      `two.jsonl:203: ${without('relationships.products.data.0', 'one.jsonl:2')}`,
      `two.jsonl:203: ${without('relationships.products.data.2', 'two.jsonl:1', 'r-3')}`,
      `two.jsonl:203: ${without('attributes.curated_products.0', 'two.jsonl:1', idOf(103))}`,
    ])
    expect([end.allTaken, end.counts.node]).toEqual([false, [1, 0, 0, 0]])
    expect(await listed()).toEqual([['S-2', 'S-4'], []])
    expect(linesOf('bad.jsonl').map((line) => JSON.parse(line).data)).toEqual([
      bad(1),
      bad(3),
      node([byId(1), byId(2), byRef(3), byId(4)], [idOf(103)]),
    ])
  })

  it('import.refused-products-left-out: nodes that list no refused product cost no statement more', async () => {
    await runImport(services, [shop, product(2)])
    const nodes = (from: number) => Array.from({ length: 5 }, (_, at) => node([byId(2)], [], from + at))
    const plain = await countStatements(database, () => runImport(services, nodes(10)))
    const known = new RefusedProducts()
    known.add({ line: 1, bytes: Buffer.alloc(0), value: { data: bad(1) } }, 'one.jsonl')
    const behind = await countStatements(database, () => runImport(services, nodes(20), 'skip', known))
    expect(behind.count).toBe(plain.count)
    const lacking = nodes(30).map((one) => ({
      ...one,
      relationships: { ...one.relationships, products: { data: [byId(1)] } },
    }))
    const cut = await countStatements(database, () => runImport(services, lacking, 'skip', known))
    expect(cut.statements.filter((text) => text.includes("'sku ' || sku"))).toHaveLength(5)
  })
})

/** Services whose database is away once an import has stored its place so many times, and how often it did. */
function killedAfter(max: number) {
  let count = 0
  database.onStatement(({ text }) => {
    if (text.includes('INSERT INTO import_checkpoint')) count++
  })
  const prisma = new Proxy(database.prisma, {
    get(target, name) {
      if (name === '$transaction' && count >= max) throw new Unavailable('killed')
      return Reflect.get(target, name)
    },
  })
  return { killed: { ...services, database: { ...database, prisma } }, saves: () => count }
}
