/**
 * Writes beside another that holds its locks: what it wrote is seen once it has committed, by whatever was read before.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { createCatalog } from '../../src/operations/catalog/catalog.ts'
import { catalogDraft } from '../../src/operations/catalog/draft.ts'
import { deleteNode, updateNode } from '../../src/operations/catalog/hierarchy-node.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { deletePriceBook } from '../../src/operations/pricing/price-book.ts'
import { createPriceModifier, updatePriceModifier } from '../../src/operations/pricing/price-modifier.ts'
import { addSale } from '../../src/operations/pricing/sale.ts'
import { reset, useDatabase } from '../support/database.ts'
import { hold, untilItWaits } from '../support/held-transaction.ts'
import { makeHierarchy, makeNode } from '../support/hierarchies.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { resultOrViolations } from '../support/result-or-violations.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const NOW = Date.UTC(2026, 0, 15, 12)
const admin = (later = 0) => contextOf(services, NOW + later)

beforeEach(() => reset(database))

/** Expects the entries of a record to lead from its creation to its deletion, each from where the one before led. */
async function expectChainToDeletion(recordId: string, length: number): Promise<void> {
  const entries = await database.prisma.change.findMany({ where: { recordId }, orderBy: { id: 'asc' } })
  expect(entries.map(({ before }) => before)).toEqual([null, ...entries.slice(0, -1).map(({ after }) => after)])
  expect([entries.length, entries.at(-1)?.after]).toEqual([length, null])
}

describe.runIf(database.kind === 'server')('beside another write that has not committed [needs PostgreSQL]', () => {
  const rename = (id: string) => ({ id, data: { type: 'node', attributes: { name: 'Renamed' } } })

  test('history.order-of-writing: the deletion of a node has in the log what the write before it left, though that had not committed', async () => {
    const { id } = await makeNode(admin(), await makeHierarchy(admin(), 'Root'), 'Node')
    const commit = await hold(database, (tx) => updateNode(admin(1), rename(id), {}, tx))
    const deleting = deleteNode(admin(2), { id })
    await untilItWaits(database, deleting)
    await commit()
    expect((await deleting).name).toBe('Renamed')
    await expectChainToDeletion(id, 3)
  })

  test('write.if-updated-at: the deletion of a node that is changed meanwhile is STALE', async () => {
    const { id, updatedAt: ifUpdatedAt } = await makeNode(admin(), await makeHierarchy(admin(), 'Root'), 'Node')
    const commit = await hold(database, (tx) => updateNode(admin(1), rename(id), {}, tx))
    const refused = expect(deleteNode(admin(2), { id }, { ifUpdatedAt })).rejects.toMatchObject({
      violations: [{ code: 'STALE' }],
      current: { name: 'Renamed' },
    })
    await untilItWaits(database, refused)
    await commit()
    await refused
  })

  test('history.cascades-are-entries: the prices and modifiers that go with a book are in the log as the write before left them', async () => {
    const book = await makeBook(admin(), 'Book')
    const price = await makePrice(admin(), book.id, 'A')
    const data = { type: 'price-modifier', attributes: { name: 'M', modifier_type: 'price_equals', currencies: {} } }
    const modifier = await createPriceModifier(admin(), { priceBookId: book.id, data })
    const commit = await hold(database, async (tx) => {
      await addSale(
        admin(1),
        { productPriceId: price.id, data: { type: 'sale', attributes: { name: 'Spring' } } },
        {},
        tx,
      )
      await updatePriceModifier(admin(1), { id: modifier.id, data: { ...data, attributes: { name: 'Other' } } }, {}, tx)
    })
    const deleting = deletePriceBook(admin(2), { id: book.id })
    await untilItWaits(database, deleting)
    await commit()
    await deleting
    for (const { id } of [price, modifier]) await expectChainToDeletion(id, 3)
  })

  test('node.never-below-itself: a node is in the hierarchy of its new parent, though another node gets the external_ref that names it, and moves, meanwhile', async () => {
    const [first, second, third] = await Promise.all(
      ['First', 'Second', 'Third'].map((name) => makeHierarchy(admin(), name)),
    )
    if (!first || !second || !third) throw new Error()
    const node = await makeNode(admin(), first, 'Node')
    const old = await makeNode(admin(), first, 'Old', { external_ref: 'parent' })
    const parent = await makeNode(admin(), second, 'New')
    const moveTo = (id: string, to: object) => ({
      id,
      data: { type: 'node', attributes: {}, relationships: { parent: { data: to } } },
    })
    const refer = (id: string, externalRef: string | null) =>
      updateNode(admin(1), { id, data: { type: 'node', attributes: { external_ref: externalRef } } })

    const release = await hold(
      database,
      (tx) => tx.$executeRaw`SELECT FROM catalog_node WHERE id = ${first.id}::uuid FOR UPDATE`,
    )
    const moving = updateNode(admin(2), moveTo(node.id, { external_ref: 'parent' }))
    await untilItWaits(database, moving)
    await refer(old.id, null)
    await refer(parent.id, 'parent')
    const commit = await hold(database, (tx) => updateNode(admin(2), moveTo(parent.id, { id: third.id }), {}, tx))
    await release()
    await untilItWaits(database, moving)
    await commit()
    expect(await moving).toMatchObject({ parentId: parent.id, hierarchyId: third.id })
  })

  test('graph.absent-is-null: a draft of a catalog that is deleted meanwhile is null, and not published', async () => {
    const attributes = { name: 'Catalog', hierarchy_ids: [], pricebook_ids: [] }
    const work = [
      ({ id }: { id: string }) => catalogDraft(admin(), { catalogId: id }),
      ({ id }: { id: string }) => resultOrViolations(publishRelease(admin(), { catalogId: id, dryRun: true })),
    ]
    const results = []
    for (const read of work) {
      const catalog = await createCatalog(admin(), { data: { type: 'catalog', attributes } })
      const commit = await hold(database, (tx) => tx.catalog.delete({ where: { id: catalog.id } }))
      const reading = read(catalog)
      await untilItWaits(database, reading)
      await commit()
      results.push(await reading)
    }
    expect(results).toEqual([null, ['notFound', 'catalogId NOT_FOUND']])
  })
})
