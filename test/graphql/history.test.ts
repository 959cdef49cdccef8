/** History in the graph: entries of records, of sales and of all, and who may read them. */
import { beforeAll, expect, test } from 'vitest'
import { topics } from '../../src/domain/changes/change.ts'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { createWebhook, rotateWebhookSecret } from '../../src/operations/changes/webhook.ts'
import { updatePriceBook } from '../../src/operations/pricing/price-book.ts'
import { deleteProductPrice, updateProductPrice } from '../../src/operations/pricing/product-price.ts'
import { addSale, updateSale } from '../../src/operations/pricing/sale.ts'
import { changeSubscriptionState } from '../../src/operations/subscriptions/subscription-change.ts'
import { countStatements, useDatabase } from '../support/database.ts'
import { makeHierarchy, makeNode, makeProducts } from '../support/hierarchies.ts'
import { runImport } from '../support/import.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { START, useServer } from '../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from '../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const admin = (now = START) => contextOf(server.services, now)
const amount = (value: number) => ({ type: 'product-price', attributes: { currencies: { USD: { amount: value } } } })
const sale = (name: string) => ({ type: 'sale', attributes: { name } })
const instant = (ms: number) => new Date(ms).toISOString()

let book = ''
let price = ''
let spring = ''

beforeAll(async () => {
  book = (await makeBook(admin(), 'Book')).id
  price = (await makePrice(admin(), book, 'A')).id
  spring = (await addSale(admin(START + 1), { productPriceId: price, data: sale('spring') })).id
  await updateProductPrice(admin(START + 2), { id: price, data: amount(5) })
  await updateSale(admin(START + 3), { id: spring, data: sale('summer') })
})

const operations = (page: { nodes: { operation: string }[] }) => page.nodes.map(({ operation }) => operation)

test('history.entry-for-every-write: the history of a record has its writes, newest first, with what differs', async () => {
  const entry = 'key at kind operation subject role recordType recordId fields before after'
  const { data } = await server.gql(`{ productPrice(id: "${price}") { history { totalCount nodes { ${entry} } } } }`)
  const { totalCount, nodes } = data.productPrice.history
  expect(totalCount).toBe(4)
  expect(operations({ nodes })).toEqual(['updateSale', 'updateProductPrice', 'addSale', 'addProductPrice'])
  const who = { subject: 'admin', role: 'ADMIN', recordType: 'ProductPrice', recordId: globalId('ProductPrice', price) }
  expect(nodes[1]).toMatchObject({
    ...who,
    kind: 'UPDATED',
    fields: ['currencies', 'updatedAt'],
    before: { id: price, currencies: {}, updatedAt: instant(START + 1) },
    after: {
      currencies: { USD: { amount: 5 } },
      updatedAt: instant(START + 2),
      sales: [{ name: 'spring', createdAt: instant(START + 1) }],
    },
  })
  expect(nodes[3]).toMatchObject({
    ...who,
    kind: 'CREATED',
    before: null,
    after: { sku: 'A', createdAt: instant(START) },
  })
  expect(nodes[1].before).toEqual(nodes[2].after)
  const logged = await database.prisma.change.findMany({ where: { recordId: price }, orderBy: { id: 'desc' } })
  expect(nodes.map(({ key, at }: { key: string; at: string }) => [key, at])).toEqual(
    logged.map(({ id, createdAt }) => [String(id), createdAt.toISOString()]),
  )
})

test('the history of a sale has the writes of its price in which it differs', async () => {
  const { data } = await server.gql(
    `{ sale(id: "${spring}") { history { totalCount nodes { operation kind recordType recordId fields before after } } } }`,
  )
  expect(data.sale.history.totalCount).toBe(2)
  expect(data.sale.history.nodes).toMatchObject([
    {
      operation: 'updateSale',
      kind: 'UPDATED',
      fields: ['name', 'updatedAt'],
      before: { name: 'spring' },
      after: { name: 'summer' },
    },
    { operation: 'addSale', kind: 'CREATED', recordType: 'Sale', recordId: globalId('Sale', spring), before: null },
  ])
})

test('history pages both ways, and needs one statement for the histories of many records', async () => {
  const page = async (args: string) =>
    (
      await server.gql(`{ productPrice(id: "${price}") { history(${args}) {
    nodes { operation } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`)
    ).data.productPrice.history
  const first = await page('first: 3')
  expect([operations(first), first.pageInfo.hasNextPage]).toEqual([
    ['updateSale', 'updateProductPrice', 'addSale'],
    true,
  ])
  expect(operations(await page(`first: 3, after: "${first.pageInfo.endCursor}"`))).toEqual(['addProductPrice'])
  expect(operations(await page(`last: 2, before: "${first.pageInfo.endCursor}"`))).toEqual([
    'updateSale',
    'updateProductPrice',
  ])
  for (const sku of ['B', 'C', 'D']) await makePrice(admin(START + 4), book, sku)
  const query = (count: number) =>
    `{ priceBook(id: "${book}") { prices(first: ${count}) { nodes { history { nodes { operation } } } } } }`
  const [one, many] = [
    await countStatements(database, () => server.gql(query(1))),
    await countStatements(database, () => server.gql(query(4))),
  ]
  expect(many.count).toBe(one.count)
  expect(many.result.data.priceBook.prices.nodes.map(({ history }: never) => operations(history).length)).toEqual([
    4, 1, 1, 1,
  ])
})

test('all history is filtered by kind, record, writer, operation and time, also of what is deleted', async () => {
  const gone = (await makePrice(admin(), book, 'GONE')).id
  await deleteProductPrice(contextOf(server.services, START), { id: gone })
  const bob = { ...admin(START + 9), viewer: { ...admin().viewer, subject: 'bob' } }
  await updatePriceBook(bob, { id: book, data: { type: 'pricebook', id: book, attributes: { description: 'new' } } })
  const list = async (filter: string) =>
    operations((await server.gql(`{ history(filter: {${filter}}) { totalCount nodes { operation } } }`)).data.history)
  expect(await list(`recordId: "${gone}"`)).toEqual(['deleteProductPrice', 'addProductPrice'])
  expect(await list(`recordId: "${globalId('ProductPrice', gone)}", operation: "deleteProductPrice"`)).toEqual([
    'deleteProductPrice',
  ])
  expect(await list('subject: "bob"')).toEqual(['updatePriceBook'])
  expect(await list('topic: PRICE_BOOK')).toEqual(['updatePriceBook', 'createPriceBook'])
  expect(await list('subject: "nobody"')).toEqual([])
  const entries = await database.prisma.change.findMany({
    where: { operation: { in: ['addSale', 'updateSale'] } },
    orderBy: { id: 'asc' },
  })
  await database.pool.query(`UPDATE change SET created_at = created_at - interval '1 hour' WHERE id <= $1`, [
    entries[1]?.id,
  ])
  const [from, to] = entries.map(({ createdAt }) => new Date(createdAt.getTime() - 3_600_000))
  const between = (a?: Date, b?: Date) =>
    list(`from: "${a?.toISOString()}", to: "${b?.toISOString()}", recordId: "${price}"`)
  expect(await between(from, new Date(Number(to) + 1))).toEqual(['updateSale', 'updateProductPrice', 'addSale'])
  expect((await between(from, to)).at(-1)).toBe('addSale')
  expect(await between(from, to)).not.toContain('updateSale')
  expect((await server.gql('{ history(filter: { recordId: "x" }) { totalCount } }')).errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT' } },
  ])
})

test('the history of all kinds of records has no instant as a number, and what clients wrote as it is', async () => {
  const shopper_attributes = { at: '5', valid_from: '7' }
  const written = { type: 'product-price', attributes: { shopper_attributes } }
  const schedule = { valid_from: instant(START), valid_to: instant(START + 9) }
  await updateProductPrice(admin(START + 4), { id: price, data: written })
  const timed = await makePrice(admin(), book, 'TIMED')
  await addSale(admin(), { productPriceId: timed.id, data: { type: 'sale', attributes: { name: 'soon', schedule } } })
  const hierarchy = await makeHierarchy(admin(), 'Hierarchy')
  await makeNode(admin(), hierarchy, 'Node')
  await makeProducts(admin(), 'Product')
  const catalog = { hierarchy_ids: [hierarchy.id], pricebook_ids: [{ id: book, priority: 1 }] }
  const { refused } = await runImport(server.services, [
    {
      type: 'price-modifier',
      pricebook_id: book,
      attributes: { name: 'up', modifier_type: 'price_equals', currencies: {} },
    },
    { type: 'catalog', id: idOf('product', 9), attributes: { name: 'Catalog', ...catalog } },
    { type: 'catalog_rule', attributes: { name: 'Rule', catalog_id: idOf('product', 9), schedules: [schedule] } },
    { type: 'subscription_product', attributes: { name: 'Subscribed' } },
    { type: 'label', attributes: { kind: 'tag', key: 'at', locales: { de: { name: 'bei' } } } },
  ])
  expect(refused).toEqual([])
  await publishRelease(admin(), { catalogId: idOf('product', 9), at: START + 60_000 })
  await makePlan(admin(), idOf('plan', 2))
  await makeOffering(admin(), idOf('offering', 2), { plans: [{ type: 'subscription_plan', id: idOf('plan', 2) }] })
  const terms = { offering_id: idOf('offering', 2), plan_id: idOf('plan', 2) }
  const { id } = await makeSubscription(contextAs(server.services, START, idOf('account', 1)), terms)
  await changeSubscriptionState(admin(), {
    subscriptionId: id,
    data: { type: 'subscription_state', attributes: { action: 'pause' } },
  })
  const webhook = await createWebhook(admin(), {
    data: { type: 'webhook', attributes: { url: 'http://127.0.0.1:9', topics: ['product'] } },
  })
  await rotateWebhookSecret(admin(), { id: webhook.id, data: { previous_valid_seconds: 60 } })

  const logged = await database.pool.query('SELECT DISTINCT topic FROM change ORDER BY topic')
  expect(logged.rows.map(({ topic }) => topic)).toEqual(topics.toSorted())
  const { history } = (await server.gql('{ history(first: 100) { nodes { recordType before after } } }')).data
  const found = new Map<string, unknown>()
  const walk = (value: unknown, path: string): void => {
    for (const [name, member] of Object.entries(value ?? {})) {
      if (name === 'shopperAttributes' || member === null) continue
      if (/(^at|At|From|To|Until|_at|_from|_to|_until)$/.test(name)) found.set(`${path}.${name}`, member)
      if (typeof member === 'object') walk(member, Array.isArray(value) ? path : `${path}.${name}`)
    }
  }
  for (const { recordType, before, after } of history.nodes)
    for (const state of [before, after]) walk(state, recordType)
  for (const [path, member] of found) expect([path, member]).toEqual([path, expect.stringMatching(/^20\d\d-.*Z$/)])
  const names = [...found.keys()]
  for (const name of [
    'ProductPrice.sales.validTo',
    'CatalogRule.schedules.validFrom',
    'Release.activations.at',
    'Release.publishedAt',
  ])
    expect(names).toContain(name)
  for (const name of [
    'AccountSubscription.state.createdAt',
    'AccountSubscription.pausedAt',
    'Webhook.previousSecretUntil',
  ])
    expect(names).toContain(name)
  const { data } = await server.gql(`{ productPrice(id: "${price}") { history(first: 1) { nodes { after } } } }`)
  expect(data.productPrice.history.nodes[0].after.shopperAttributes).toEqual(shopper_attributes)
})

test('history.for-admins: no shopper reads history, not even of its own subscription', async () => {
  await makePlan(admin(), idOf('plan', 1))
  await makeOffering(admin(), idOf('offering', 1), { plans: [{ type: 'subscription_plan', id: idOf('plan', 1) }] })
  const { id } = await makeSubscription(contextAs(server.services, START, idOf('account', 1)))
  const { token } = await server.issue({ subject: 'ada', role: 'shopper', accountId: idOf('account', 1) }, START)
  for (const query of [
    `{ node(id: "${globalId('AccountSubscription', id)}") { ... on AccountSubscription { history { nodes { key } } } } }`,
    `{ plan(id: "${idOf('plan', 1)}") { history { totalCount } } }`,
    '{ history { totalCount } }',
  ]) {
    const { data, errors } = await server.gql(query, {}, { token })
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    expect(JSON.stringify(data ?? null)).not.toContain('totalCount')
  }
  const own = await server.gql(`{ subscription(id: "${id}") { history { nodes { operation subject role after } } } }`)
  expect(own.data.subscription.history.nodes).toMatchObject([
    { operation: 'createSubscription', subject: 'shopper', role: 'SHOPPER' },
  ])
})
