/** What the change log has of writes, read from its table. */
import { describe, expect, test } from 'vitest'
import { createNode, deleteNode, updateNode } from '../../src/operations/catalog/hierarchy-node.ts'
import { attachProducts, detachProducts } from '../../src/operations/catalog/node-product.ts'
import { authorFor } from '../../src/operations/operation.ts'
import { addSales, endSales, removeSales } from '../../src/operations/pricing/campaign.ts'
import { createPriceBook, deletePriceBook, updatePriceBook } from '../../src/operations/pricing/price-book.ts'
import { createPriceModifier } from '../../src/operations/pricing/price-modifier.ts'
import { deleteProductPrice, productPrice, updateProductPrice } from '../../src/operations/pricing/product-price.ts'
import { addSale } from '../../src/operations/pricing/sale.ts'
import { deleteProduct } from '../../src/operations/products/product.ts'
import { changeSubscriptionState } from '../../src/operations/subscriptions/subscription-change.ts'
import type { Transaction } from '../../src/persistence/database/transaction.ts'
import { inTransaction } from '../../src/persistence/database/transaction.ts'
import { reset, useDatabase } from '../support/database.ts'
import { makeHierarchy, makeNode, makeProducts, nodeData } from '../support/hierarchies.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { describeFailure } from '../support/products.ts'
import { START, useServer } from '../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from '../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const admin = (now = START) => contextOf(server.services, now)

interface Entry {
  readonly topic: string
  readonly scope: string
  readonly recordId: string
  readonly operation: string
  readonly subject: string
  readonly role: string
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown> | null
}

const entries = async (where: object = {}) =>
  (await database.prisma.change.findMany({ where, orderBy: { id: 'asc' } })) as unknown as Entry[]
const entriesOf = (recordId: string) => entries({ recordId })
const operations = (found: readonly Entry[]) => found.map(({ operation, topic }) => `${operation} ${topic}`)
const price = (attributes: object) => ({ type: 'product-price', attributes })
const modifier = (name: string) => ({
  type: 'price-modifier',
  attributes: { name, modifier_type: 'price_equals', currencies: {} },
})

describe('history.entry-for-every-write: the change log', () => {
  test('the change log has who wrote what by which operation, with the record before and after', async () => {
    const book = await makeBook(admin(), 'Book')
    const { name: _, ...rest } = book
    const updated = await updatePriceBook(admin(START + 5), {
      id: book.id,
      data: { type: 'pricebook', id: book.id, attributes: { name: 'New' } },
    })
    expect(await entriesOf(book.id)).toMatchObject([
      { topic: 'price_book', operation: 'createPriceBook', subject: 'admin', role: 'admin', before: null, after: book },
      { topic: 'price_book', operation: 'updatePriceBook', before: { ...rest, name: 'Book' }, after: updated },
    ])
  })

  test('the change log has texts of every kind as they are, in one transaction that creates, changes and deletes', async () => {
    const description = '\n "quoted"\t\\n \u2028 \r\n\n 😀 '
    const made = await makeBook(admin(), 'N', { description })
    const { id } = await makePrice(admin(), made.id, 'A\nB')
    const { mine, changed, gone } = await inTransaction(
      database,
      authorFor(admin().viewer, 'all'),
      async (tx: Transaction) => ({
        mine: await createPriceBook(
          admin(),
          { data: { type: 'pricebook', attributes: { name: 'N\nO', description } } },
          {},
          tx,
        ),
        gone: await deleteProductPrice(admin(), { id }, {}, tx),
        changed: await updatePriceBook(
          admin(START + 1),
          { id: made.id, data: { type: 'pricebook', attributes: { name: 'O\n\nN' } } },
          {},
          tx,
        ),
      }),
    )
    expect(await entries({ operation: 'all' })).toMatchObject([
      { recordId: mine.id, topic: 'price_book', before: null, after: { name: 'N\nO', description } },
      { recordId: id, topic: 'product_price', scope: made.id, before: { sku: 'A\nB' }, after: null },
      { recordId: made.id, topic: 'price_book', before: made, after: changed },
    ])
    expect(gone.sku).toBe('A\nB')
  })

  test('the change log has a change of a sale as a change of its price, one entry for each', async () => {
    const { id } = await makePrice(admin(), (await makeBook(admin(), 'Sales')).id, 'A')
    const { id: saleId } = await addSale(admin(), {
      productPriceId: id,
      data: { type: 'sale', attributes: { name: 'spring' } },
    })
    const [, added, ...more] = await entriesOf(id)
    expect(more).toEqual([])
    expect(added).toMatchObject({
      operation: 'addSale',
      before: { sales: [] },
      after: { sales: [{ id: saleId, name: 'spring' }] },
    })
    expect(added?.after).toEqual(await productPrice(admin(), { id }))
  })

  test('the change log has an entry of every price for each call that adds, ends and removes sales of many, and none of a dry run', async () => {
    await reset(database)
    const priceBookId = (await makeBook(admin(), 'Campaigns')).id
    for (const sku of ['A', 'B']) await makePrice(admin(), priceBookId, sku, { currencies: { USD: { amount: 100 } } })
    const call = (data: object, dryRun = false) => ({
      priceBookId,
      mode: 'per_row' as const,
      dryRun,
      data: { skus: ['A', 'B'], ...data },
    })
    const instant = (days: number) => new Date(START + days * 86_400_000).toISOString()
    const summer = {
      name: 'Summer',
      schedule: { valid_from: instant(1), valid_to: instant(9) },
      change: { percent_off: 10 },
    }
    await addSales(admin(), call(summer, true))
    expect(await entries({ operation: 'addSales' })).toEqual([])
    await addSales(admin(), call(summer))
    await endSales(admin(), call({ name: 'Summer', at: instant(5) }))
    await removeSales(admin(), call({ name: 'Summer' }))
    const ids = (await entries({ operation: 'addSales' })).map(({ recordId }) => recordId)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) {
      const [created, ...changes] = await entriesOf(id)
      expect(operations(changes)).toEqual([
        'addSales product_price',
        'endSales product_price',
        'removeSales product_price',
      ])
      expect(changes.map(({ subject, role }) => [subject, role])).toEqual(Array(3).fill(['admin', 'admin']))
      expect(changes.map(({ before }) => before)).toEqual(
        [created, ...changes.slice(0, 2)].map((entry) => entry?.after),
      )
      expect(changes[2]?.after).toMatchObject({ sales: [] })
    }
  })

  test('the change log has its entry in the transaction that writes the record', async () => {
    const { id } = await makeBook(admin(), 'Written')
    const same = async () =>
      (
        await database.pool.query<{ same: boolean }>(
          `SELECT b.xmin::text::bigint = c.xid::text::bigint % 4294967296 AS same FROM price_book b JOIN change c ON c.record_id = b.id
           WHERE b.id = $1 ORDER BY c.id DESC LIMIT 1`,
          [id],
        )
      ).rows
    expect(await same()).toEqual([{ same: true }])
    await updatePriceBook(admin(START + 5), { id, data: { type: 'pricebook', id, attributes: { name: 'Again' } } })
    expect(await same()).toEqual([{ same: true }])
  })

  test('history.nothing-without-a-write: the change log has nothing of an update that changes nothing, a refused or a rolled back write', async () => {
    const book = await makeBook(admin(), 'Quiet')
    const { id } = await makePrice(admin(), book.id, 'A', { currencies: { USD: { amount: 1 } } })
    const before = await entries()
    await updateProductPrice(admin(), { id, data: price({ currencies: { USD: { amount: 1 } } }) })
    expect(await describeFailure(makePrice(admin(), book.id, 'A'))).toContain('PRICE_EXISTS')
    const undone = inTransaction(database, authorFor(admin().viewer, 'test'), async (tx: Transaction) => {
      await deleteProductPrice(admin(), { id }, {}, tx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await entries()).toEqual(before)
  })

  test('history.cascades-are-entries: the change log has an entry for every price and modifier that goes with its book', async () => {
    await reset(database)
    const book = await makeBook(admin(), 'Gone')
    const other = await makePrice(admin(), (await makeBook(admin(), 'Stays')).id, 'A')
    const { id } = await makePrice(admin(), book.id, 'A', {
      currencies: { USD: { amount: 1 } },
      shopper_attributes: { a: null },
    })
    await addSale(admin(), {
      productPriceId: id,
      data: { type: 'sale', attributes: { name: 'spring', bundle_ids: [other.id] } },
    })
    const bare = await makePrice(admin(), book.id, 'B')
    const created = await createPriceModifier(admin(), { priceBookId: book.id, data: modifier('M') })
    const stored = await productPrice(contextOf(server.services, START), { id })
    await deletePriceBook(admin(), { id: book.id })
    const gone = await entries({ operation: 'deletePriceBook' })
    expect(gone.every(({ after, subject, role }) => after === null && subject === 'admin' && role === 'admin')).toBe(
      true,
    )
    const byId = new Map(gone.map(({ recordId, topic, scope, before }) => [recordId, { topic, scope, before }]))
    expect(byId).toEqual(
      new Map([
        [id, { topic: 'product_price', scope: book.id, before: stored }],
        [bare.id, { topic: 'product_price', scope: book.id, before: bare }],
        [created.id, { topic: 'price_modifier', scope: book.id, before: created }],
        [book.id, { topic: 'price_book', scope: expect.anything(), before: book }],
      ]),
    )
  })

  test('the change log names the products that are attached to a node and detached from it', async () => {
    const { id: hierarchy } = await makeHierarchy(admin(), 'Shop')
    const [a, b, c] = (await makeProducts(admin(), 'A', 'B', 'C')) as [string, string, string]
    const linked = (...ids: string[]) => ({ products: { data: ids.map((id) => ({ type: 'product', id })) } })
    const { id } = await createNode(admin(), { data: nodeData(hierarchy, { name: 'Node' }, linked(a)) })
    await attachProducts(admin(), { id, data: [a, b] })
    await updateNode(admin(), { id, data: { type: 'node', id, attributes: {}, relationships: linked(b, c) } })
    await detachProducts(admin(), { id, data: [a, c] })
    await detachProducts(admin(), { id, data: [a] })
    const attachments = (await entriesOf(id)).map(({ operation, after }) => [
      operation,
      after?.attachedProductIds,
      after?.detachedProductIds,
    ])
    expect(attachments).toEqual([
      ['createNode', [a], undefined],
      ['attachProducts', [b], undefined],
      ['updateNode', [c], [a]],
      ['detachProducts', undefined, [c]],
    ])
    await deleteNode(admin(), { id })
    await deleteProduct(admin(), { id: a })
    expect((await entriesOf(id)).at(-1)).toMatchObject({ operation: 'deleteNode', after: null })
    expect((await entriesOf(a)).at(-1)).toMatchObject({
      operation: 'deleteProduct',
      before: { name: 'A' },
      after: null,
    })
  })

  test('the change log has an entry for every node that moves to another hierarchy with one above it', async () => {
    const [from, to] = [await makeHierarchy(admin(), 'From'), await makeHierarchy(admin(), 'To')]
    const top = await makeNode(admin(), from, 'Top')
    const below = await makeNode(admin(), top, 'Below')
    const parent = { data: { type: 'hierarchy', id: to.id } }
    await updateNode(admin(START + 1), {
      id: top.id,
      data: { type: 'node', id: top.id, attributes: {}, relationships: { parent } },
    })
    expect((await entriesOf(below.id)).at(-1)).toMatchObject({
      operation: 'updateNode',
      before: below,
      after: { ...below, hierarchyId: to.id },
    })
    expect((await entriesOf(top.id)).at(-1)?.after).toMatchObject({ parentId: to.id, hierarchyId: to.id })
  })

  test('history.no-secrets: the change log has neither who subscribes and pays nor the copies of offering and plan', async () => {
    await makePlan(admin(), idOf('plan', 1))
    await makeOffering(admin(), idOf('offering', 1), { plans: [{ type: 'subscription_plan', id: idOf('plan', 1) }] })
    const shopper = contextAs(server.services, START, idOf('account', 1))
    const secret = { type: 'platform_payments_gateway', customer_id: 'cus_secret', card_id: 'card_secret' }
    const made = await makeSubscription(shopper, {
      payment_authority: secret,
      email: 'secret@example.com',
      name: 'Secret Ada',
    })
    const pause = { type: 'subscription_state', attributes: { action: 'pause' } }
    const paused = await changeSubscriptionState(admin(START + 1), { subscriptionId: made.id, data: pause })
    const found = await entriesOf(made.id)
    expect(operations(found)).toEqual(['createSubscription subscription', 'changeSubscriptionState subscription'])
    expect(found.map(({ scope, subject, role }) => [scope, subject, role])).toEqual([
      [idOf('account', 1), 'shopper', 'shopper'],
      [idOf('account', 1), 'admin', 'admin'],
    ])
    const { paymentAuthority: _, subscriberName, subscriberEmail, offering, agreement, ...logged } = paused
    const { plan, ...agreed } = agreement
    expect(found[1]?.after).toEqual({
      ...logged,
      ...{ paused: true, canceled: false, pausedAt: START + 1, canceledAt: null, resumedAt: null },
      agreement: { ...agreed, planId: plan.id },
    })
    expect(found[0]?.after).toEqual(found[1]?.before)
    expect(JSON.stringify(found.map(({ before, after }) => [before, after])).toLowerCase()).not.toContain('secret')
  })
})
