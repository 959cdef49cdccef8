import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalog, deleteCatalog, updateCatalog } from '../../../src/operations/catalog/catalog.ts'
import {
  createCatalogRule,
  deleteCatalogRule,
  updateCatalogRule,
} from '../../../src/operations/catalog/catalog-rule.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import type { Context } from '../../../src/request/context.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode, violationsOf } from '../../support/hierarchies.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const NOW = Date.UTC(2026, 0, 15, 12)
const NOBODY = '0199aaaa-0000-7000-8000-00000000dead'

let ctx: Context
beforeEach(async () => {
  await reset(database)
  ctx = contextOf(services, NOW)
})

const data = (attributes: object, id?: string) => ({ type: 'catalog', ...(id && { id }), attributes })
const create = (attributes: object, id?: string) =>
  createCatalog(ctx, { data: data({ name: 'Shop', hierarchy_ids: [], pricebook_ids: [], ...attributes }, id) })
const update = (id: string, attributes: object, context = ctx) => updateCatalog(context, { id, data: data(attributes) })

describe('catalogs', () => {
  it('catalog.highest-book-prices: a catalog keeps the order of hierarchies and books, and priorities (catalog.equal-priority-first-listed)', async () => {
    const [h1, h2] = [await makeHierarchy(ctx, 'H1'), await makeHierarchy(ctx, 'H2', { external_ref: 'h2' })]
    const [b1, b2, b3] = [
      await makeBook(ctx, 'B1'),
      await makeBook(ctx, 'B2', { external_ref: 'b2' }),
      await makeBook(ctx, 'B3'),
    ]
    const books = [
      { id: b3.id, priority: Number.MAX_SAFE_INTEGER },
      { external_ref: 'b2', priority: 0 },
      { id: b1.id, priority: Number.MIN_SAFE_INTEGER },
    ]
    const created = await create(
      { hierarchy_ids: [{ type: 'hierarchy', external_ref: 'h2' }, h1.id], pricebook_ids: books },
      NOBODY,
    )
    expect(created).toMatchObject({ id: NOBODY, hierarchyIds: [h2.id, h1.id] })
    expect(created.priceBooks).toEqual([
      { id: b3.id, priority: Number.MAX_SAFE_INTEGER },
      { id: b2.id, priority: 0 },
      { id: b1.id, priority: Number.MIN_SAFE_INTEGER },
    ])
    const renamed = await update(NOBODY, { name: 'Shop 2', hierarchy_ids: [h1.id] })
    expect([renamed.hierarchyIds, renamed.priceBooks, renamed.updatedAt]).toEqual([
      [h1.id],
      created.priceBooks,
      NOW + 1,
    ])
    expect(await ctx.loaders.catalogById.load(NOBODY)).toEqual(renamed)
  })

  it('record.updated-at-rises: an update of a catalog with equal values writes nothing', async () => {
    const { id } = await makeHierarchy(ctx, 'H')
    const catalog = await create({ hierarchy_ids: [id] })
    const same = await update(
      catalog.id,
      { name: 'Shop', hierarchy_ids: [id], pricebook_ids: [] },
      contextOf(services, NOW + 1_000),
    )
    expect(same).toEqual(catalog)
  })

  it('an update of a catalog writes the lists that differ, and no others', async () => {
    const [h1, h2, book] = [await makeHierarchy(ctx, 'H1'), await makeHierarchy(ctx, 'H2'), await makeBook(ctx, 'B')]
    const catalog = await create({ hierarchy_ids: [h1.id, h2.id], pricebook_ids: [{ id: book.id, priority: 1 }] })
    const listsWrittenBy = async (attributes: object): Promise<string[]> => {
      const { statements } = await countStatements(database, () => update(catalog.id, attributes))
      const written = statements.map(
        (text) => /^(?:DELETE FROM|INSERT INTO) "public"\."(catalog_hierarchy|catalog_price_book)"/.exec(text)?.[1],
      )
      return written.filter((table) => table !== undefined)
    }
    expect(await listsWrittenBy({ name: 'Shop 2' })).toEqual([])
    expect(await listsWrittenBy({ hierarchy_ids: [h2.id, h1.id] })).toEqual(['catalog_hierarchy', 'catalog_hierarchy'])
    expect(await listsWrittenBy({ pricebook_ids: [] })).toEqual(['catalog_price_book'])
    expect(await ctx.loaders.catalogById.load(catalog.id)).toMatchObject({
      name: 'Shop 2',
      hierarchyIds: [h2.id, h1.id],
      priceBooks: [],
    })
  })

  it('catalog.highest-book-prices: a catalog accepts 5 price books and refuses 6', async () => {
    const books = await Promise.all(Array.from({ length: 6 }, (_, index) => makeBook(ctx, `B${index}`)))
    const entries = books.map(({ id }) => ({ id, priority: 1 }))
    expect((await create({ pricebook_ids: entries.slice(0, 5) })).priceBooks).toHaveLength(5)
    expect(await violationsOf(create({ pricebook_ids: entries }))).toEqual([
      'TOO_MANY attributes.pricebook_ids: must have at most 5 entries',
    ])
  })

  it('catalog.equal-priority-first-listed: a catalog refuses the same book or hierarchy twice, however they are named', async () => {
    const { id } = await makeHierarchy(ctx, 'H')
    const book = await makeBook(ctx, 'B', { external_ref: 'b' })
    const twice = [
      { id: book.id, priority: 1 },
      { external_ref: 'b', priority: 2 },
    ]
    expect(await violationsOf(create({ hierarchy_ids: [id, id.toUpperCase()], pricebook_ids: twice }))).toEqual([
      'DUPLICATE attributes.hierarchy_ids.1: is given twice',
      'DUPLICATE attributes.pricebook_ids.1: is given twice',
    ])
  })

  it('input.fields-by-type: a new catalog requires name, hierarchy_ids and pricebook_ids of the right types', async () => {
    expect(await violationsOf(createCatalog(ctx, { data: data({}) }))).toEqual([
      'REQUIRED attributes.name: must be given',
      'REQUIRED attributes.hierarchy_ids: must be given',
      'REQUIRED attributes.pricebook_ids: must be given',
    ])
    expect(
      await violationsOf(
        create({ hierarchy_ids: ['x'], pricebook_ids: [NOBODY, { id: NOBODY }, { id: NOBODY, priority: 2 ** 53 }] }),
      ),
    ).toEqual([
      'INVALID_FORMAT attributes.hierarchy_ids.0: must be a UUID',
      'INVALID_TYPE attributes.pricebook_ids.0: must be an object',
      'REQUIRED attributes.pricebook_ids.1.priority: must be given',
      `OUT_OF_RANGE attributes.pricebook_ids.2.priority: must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    ])
  })

  it('a catalog refuses unknown hierarchies and books, and nodes in place of hierarchies', async () => {
    const node = await makeNode(ctx, await makeHierarchy(ctx, 'H'), 'N')
    expect(await violationsOf(create({ hierarchy_ids: [node.id] }))).toEqual([
      'NOT_FOUND attributes.hierarchy_ids.0: no such hierarchy',
    ])
    expect(await violationsOf(create({ pricebook_ids: [{ id: NOBODY, priority: 1 }] }))).toEqual([
      'NOT_FOUND attributes.pricebook_ids.0: no such price book',
    ])
  })

  it('IN_USE counts the rules and releases of a catalog that is to be deleted', async () => {
    const { id } = await create({})
    await createCatalogRule(ctx, { data: { type: 'catalog_rule', attributes: { name: 'Club', catalog_id: id } } })
    await publishRelease(ctx, { catalogId: id })
    expect(await violationsOf(deleteCatalog(ctx, { id }))).toEqual([
      'IN_USE id: is still used by 1 catalog rule ("Club") and 1 release',
    ])
    expect((await deleteCatalog(ctx, { id: (await create({})).id })).name).toBe('Shop')
  })

  it('a catalog is deleted also when the documents of its draft can not be removed afterwards', async () => {
    const { id } = await create({})
    const pool = Object.assign(Object.create(database.pool), {
      connect: () => Promise.reject(new Error('the publish lock is kept')),
    })
    expect(await deleteCatalog({ ...ctx, database: { ...database, pool } }, { id })).toMatchObject({ id })
    expect(await violationsOf(deleteCatalog(ctx, { id }))).toEqual(['NOT_FOUND id: No such catalog'])
  })

  it('a release does not change when the settings of its catalog change afterwards', async () => {
    const { id } = await create({})
    const release = await publishRelease(ctx, { catalogId: id })
    await update(id, { name: 'Other' })
    const { rows } = await database.pool.query(
      `SELECT latest_release(id, 'infinity') AS latest, release_sequence FROM catalog WHERE id = $1`,
      [id],
    )
    expect(rows).toEqual([{ latest: release.id, release_sequence: 1 }])
  })
})

describe('catalog rules', () => {
  let catalogId: string
  beforeEach(async () => {
    catalogId = (await create({ external_ref: 'shop' })).id
  })
  const rule = (attributes: object) =>
    createCatalogRule(ctx, {
      data: { type: 'catalog_rule', attributes: { name: 'Rule', catalog_id: catalogId, ...attributes } },
    })
  const change = (id: string, attributes: object) =>
    updateCatalogRule(ctx, { id, data: { type: 'catalog_rule', attributes } })

  it('catalog-rule.most-matches-win: a catalog rule stores each value once, account ids in lower case, schedules in milliseconds', async () => {
    const created = await rule({
      catalog_id: { type: 'catalog', external_ref: 'shop' },
      account_ids: [NOBODY.toUpperCase(), NOBODY],
      channels: ['web', 'Web', 'web'],
      tags: [],
      schedules: [
        { valid_from: '2026-01-01T00:00:00.0009Z', valid_to: '2026-01-01T00:00:00.001Z' },
        {},
        { valid_from: null, valid_to: '2027-01-01' + 'T00:00:00+01:00' },
      ],
    })
    expect(created).toMatchObject({ catalogId, accountIds: [NOBODY], channels: ['web', 'Web'], tags: [] })
    expect(created.schedules).toEqual([
      { valid_from: Date.UTC(2026, 0, 1), valid_to: Date.UTC(2026, 0, 1) + 1 },
      { valid_from: null, valid_to: null },
      { valid_from: null, valid_to: Date.UTC(2026, 11, 31, 23) },
    ])
    expect(await ctx.loaders.catalogRuleById.load(created.id)).toEqual(created)
  })

  it('sale.ends-after-it-starts: a catalog rule refuses a schedule that ends before its start, and other wrong values', async () => {
    const schedules = [
      { valid_from: '2026-01-01T00:00:00Z', valid_to: '2026-01-01T01:00:00+01:00' },
      { valid_from: 'soon' },
      5,
    ]
    expect(await violationsOf(rule({ account_ids: ['me'], channels: [''], tags: [1], schedules }))).toEqual([
      'INVALID_FORMAT attributes.account_ids.0: must be a UUID',
      'TOO_SHORT attributes.channels.0: must be 1 to 1024 characters',
      'INVALID_TYPE attributes.tags.0: must be a string',
      'SALE_SCHEDULE_INVALID attributes.schedules.0.valid_to: must be after valid_from',
      'INVALID_FORMAT attributes.schedules.1.valid_from: must be an RFC 3339 date-time',
      'INVALID_TYPE attributes.schedules.2: must be an object',
    ])
    expect(await violationsOf(rule({ catalog_id: NOBODY }))).toEqual([
      'NOT_FOUND attributes.catalog_id: no such catalog',
    ])
    expect(await violationsOf(createCatalogRule(ctx, { data: { type: 'catalog_rule', attributes: {} } }))).toEqual([
      'REQUIRED attributes.name: must be given',
      'REQUIRED attributes.catalog_id: must be given',
    ])
  })

  it.each([
    ['tags', 1000, (n: number) => `t${n}`],
    ['channels', 1000, (n: number) => `c${n}`],
    ['schedules', 100, () => ({})],
  ])('a catalog rule accepts %s up to their limit, and refuses one more', async (member, max, make) => {
    const values = Array.from({ length: max + 1 }, (_, index) => make(index))
    await rule({ [member]: values.slice(1) })
    expect(await violationsOf(rule({ [member]: values }))).toEqual([
      `TOO_MANY attributes.${member}: must have at most ${max} entries`,
    ])
  })

  it('an update of a rule replaces given lists, clears null ones, keeps absent ones; a rule can be deleted', async () => {
    const created = await rule({ tags: ['a', 'b'], channels: ['web'] })
    const changed = await change(created.id, { tags: ['c'], channels: null })
    expect(changed).toEqual({ ...created, tags: ['c'], channels: [], updatedAt: NOW + 1 })
    expect(await change(created.id, { tags: ['c'] })).toEqual(changed)
    expect(await deleteCatalogRule(ctx, { id: created.id })).toEqual(changed)
    expect(await violationsOf(deleteCatalogRule(ctx, { id: created.id }))).toEqual([
      'NOT_FOUND id: No such catalog rule',
    ])
  })
})
