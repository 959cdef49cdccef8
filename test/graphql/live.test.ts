/** Live: the graph's streams over server-sent events, by two servers on one database. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { TOKEN_SECONDS } from '../../src/auth/issue.ts'
import { CLOCK_SKEW_SECONDS } from '../../src/auth/verify.ts'
import { Unavailable } from '../../src/domain/input/errors.ts'
import { UNAVAILABLE } from '../../src/graphql/schema/errors.ts'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { schema } from '../../src/graphql/schema.ts'
import { COST_MAX } from '../../src/graphql/server/cost-tree.ts'
import { COST_HEADER } from '../../src/graphql/server/server.ts'
import { STREAM_REQUEST_MAX } from '../../src/graphql/server/subscribe.ts'
import { deleteProductPrice, updateProductPrice } from '../../src/operations/pricing/product-price.ts'
import { changeSubscriptionState } from '../../src/operations/subscriptions/subscription-change.ts'
import type { ChangeFeed } from '../../src/persistence/changes/change-feed.ts'
import { PENDING_MAX } from '../../src/persistence/changes/event-stream.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { CHANGE_CHANNEL } from '../../src/persistence/database/schema.ts'
import { noteChanges } from '../support/changes.ts'
import { useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { books, send } from '../support/import-jobs.ts'
import { type Listener, listen, waitUntil } from '../support/live.ts'
import { mutate } from '../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { publish, publishStore } from '../support/published.ts'
import { START, startTestServer, type TestServer } from '../support/server.ts'
import { useSubscriptionGraph } from '../support/subscription-graph.ts'
import { contextAs, idOf, makeSubscription } from '../support/subscriptions.ts'

// Its own connections where there may be several; it empties the tables before the graph is made.
const apart = useDatabase()
const { database, server, shopper } = useSubscriptionGraph()
const ACCOUNT = idOf('account', 1)
let other: TestServer
let book = ''

beforeAll(async () => {
  other = await startTestServer(database.kind === 'server' ? apart : database)
  await publishStore(server, fullStore())
  book = (await makeBook(contextOf(server.services, START), 'Live')).id
})
afterAll(() => other.stop())

const SUBSCRIPTIONS = `subscription ($account: ID!, $after: String) {
  subscriptionChanged(accountId: $account, after: $after) { cursor subscriptionId subscription { paused externalRef } }
}`
const PRICES = `subscription ($book: ID!, $after: String) {
  productPriceChanged(priceBookId: $book, after: $after) { cursor productPriceId productPrice { sku prices { currency amount { amount } } } }
}`
const PRODUCTS = 'subscription ($after: String) { productChanged(after: $after) { cursor productId product { name } } }'
const CATALOGS =
  'subscription ($after: String) { catalogChanged(after: $after) { cursor catalogId catalog { name settings { name } } } }'
const TURNS = 'subscription ($catalog: ID!) { saleTurned(catalogId: $catalog) { at } }'
const RELEASES = `subscription ($catalog: ID!) { releasePublished(catalogId: $catalog) { releaseId release { sequence productCount } } }`

const codes = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
  errors.map(({ extensions }) => extensions.code)
const usd = (amount: number) => ({ type: 'product-price', attributes: { currencies: { USD: { amount } } } })

const sku = (number: number) => `BULK-${String(number).padStart(2, '0')}`

/**
 * Prices of `count` SKUs by one call, the amounts `amount`; rows that are given take the place of those of their SKU.
 */
async function upserted(
  priceBookId: string,
  amount: number,
  count: number,
  given: { sku: string; prices: object[] }[] = [],
): Promise<void> {
  const prices = [{ currency: 'USD', price: { amount } }]
  const made = Array.from({ length: count }, (_, number) => ({ sku: sku(number), prices }))
  const rows = made.map((row) => given.find((one) => one.sku === row.sku) ?? row)
  const { userErrors } = await mutate(
    server,
    'upsertProductPrices',
    { priceBookId, mode: 'ALL_OR_NOTHING', rows },
    'results { outcome }',
  )
  expect(userErrors).toEqual([])
}

const openStreams = ({ services: { changes, saleClock } }: TestServer) => (changes?.size ?? 0) + (saleClock?.size ?? 0)

async function nothingIsOpen(): Promise<void> {
  await waitUntil(() => openStreams(server) === 0 && openStreams(other) === 0)
}

/** A refused stream: one result without data, then its end. */
async function refusal(query: string, variables: object, token = server.admin) {
  const listener = await listen(server, query, { variables, token })
  const refused = await listener.next()
  expect(await listener.next()).toBeUndefined()
  expect(refused.data).toBeUndefined()
  return refused.errors[0]
}

describe('events are sent, from any server', () => {
  test('an event is sent when a subscription begins and changes, with its state at that moment', async () => {
    const listeners = await Promise.all(
      [server, other].map((one) => listen(one, SUBSCRIPTIONS, { variables: { account: ACCOUNT } })),
    )
    const made = await makeSubscription(contextAs(server.services, START), { external_ref: 'live' })
    const event = {
      subscriptionId: globalId('AccountSubscription', made.id),
      subscription: { paused: false, externalRef: 'live' },
    }
    for (const listener of listeners) expect((await listener.next()).data.subscriptionChanged).toMatchObject(event)
    const data = { type: 'subscription_state', attributes: { action: 'pause' } }
    await changeSubscriptionState(contextAs(other.services, START + 1), { subscriptionId: made.id, data })
    for (const listener of listeners)
      expect((await listener.next()).data.subscriptionChanged.subscription.paused).toBe(true)
    for (const listener of listeners) await listener.close()
    await nothingIsOpen()
  })

  test('an event is sent when a price is added, changed and deleted, by either edge, and not when nothing changes', async () => {
    const listener = await listen(other, PRICES, { variables: { book: globalId('PriceBook', book) } })
    const path = `/pcm/pricebooks/${book}/prices`
    const added = await server.rest('POST', path, {
      body: { data: { type: 'product-price', attributes: { sku: 'A', currencies: {} } } },
    })
    expect(added.status).toBe(201)
    const { id } = added.body.data
    const change = (amount: number, now: number) =>
      updateProductPrice(contextOf(server.services, now), { id, data: usd(amount) })
    expect((await listener.next()).data.productPriceChanged).toMatchObject({
      productPriceId: globalId('ProductPrice', id),
      productPrice: { sku: 'A', prices: [] },
    })
    await change(7, START + 1)
    expect((await listener.next()).data.productPriceChanged.productPrice.prices).toEqual([
      { currency: 'USD', amount: { amount: 7 } },
    ])
    await change(7, START + 2)
    await deleteProductPrice(contextOf(server.services, START + 3), { id })
    expect((await listener.next()).data.productPriceChanged).toMatchObject({
      productPriceId: globalId('ProductPrice', id),
      productPrice: null,
    })
    await listener.close()
  })

  test('an event is sent when a product or a catalog is added, changed and deleted, to administrators, who resume after a cursor', async () => {
    const [products, catalogs] = [await listen(other, PRODUCTS), await listen(other, CATALOGS)]
    const change = async (name: string, input: object, noun: 'product' | 'catalog'): Promise<string> => {
      const { userErrors, [noun]: changed } = await mutate(server, name, input, `${noun} { id }`)
      expect([name, userErrors]).toEqual([name, []])
      return changed.id
    }
    const productId = await change('createProduct', { name: 'Live mug' }, 'product')
    const catalogId = await change('createCatalog', { name: 'Live', hierarchyIds: [], priceBooks: [] }, 'catalog')
    const eventOf = async (stream: Listener) => Object.values((await stream.next()).data)[0] as { cursor: string }
    const { cursor, ...added } = await eventOf(products)
    expect(added).toEqual({ productId, product: { name: 'Live mug' } })
    expect(await eventOf(catalogs)).toMatchObject({ catalogId, catalog: { name: 'Live', settings: { name: 'Live' } } })
    await change('updateProduct', { id: productId, name: 'Live mug' }, 'product')
    await change('updateProduct', { id: productId, name: 'Live cup' }, 'product')
    await change('updateCatalog', { id: catalogId, name: 'Lively' }, 'catalog')
    expect(await eventOf(products)).toMatchObject({ productId, product: { name: 'Live cup' } })
    const changed = await eventOf(catalogs)
    expect(changed).toMatchObject({ catalogId, catalog: { name: 'Lively' } })
    await change('deleteProduct', { id: productId }, 'product')
    expect((await mutate(server, 'deleteCatalog', { id: catalogId }, '__typename')).userErrors).toEqual([])
    const deleted = [await eventOf(products), await eventOf(catalogs)]
    expect(deleted).toMatchObject([
      { productId, product: null },
      { catalogId, catalog: null },
    ])
    for (const stream of [products, catalogs]) await stream.close()
    const resumed = await listen(server, PRODUCTS, { variables: { after: cursor } })
    expect([await eventOf(resumed), await eventOf(resumed)]).toMatchObject([
      { product: null },
      { productId, product: null },
    ])
    await resumed.close()
    expect((await refusal(CATALOGS, { after: cursor })).extensions.violations[0].path).toEqual(['after'])
    await nothingIsOpen()
  })

  test('an event of its price is sent when a sale is added, changed and removed', async () => {
    const { id } = await makePrice(contextOf(server.services, START), book, 'SALES')
    const query = `subscription ($book: ID!) { productPriceChanged(priceBookId: $book) { productPriceId productPrice { sales { name } } } }`
    const listener = await listen(server, query, { variables: { book } })
    const { sale } = await mutate(server, 'addSale', { productPriceId: id, name: 'spring' }, 'sale { id }')
    const event = (...names: string[]) => ({
      productPriceId: globalId('ProductPrice', id),
      productPrice: { sales: names.map((name) => ({ name })) },
    })
    expect((await listener.next()).data.productPriceChanged).toEqual(event('spring'))
    await mutate(server, 'updateSale', { id: sale.id, name: 'summer' }, 'sale { id }')
    expect((await listener.next()).data.productPriceChanged).toEqual(event('summer'))
    await mutate(server, 'removeSale', { id: sale.id }, 'sale { id }')
    expect((await listener.next()).data.productPriceChanged).toEqual(event())
    const { id: last } = await makePrice(contextOf(server.services, START), book, 'AFTER SALES')
    expect((await listener.next()).data.productPriceChanged.productPriceId).toBe(globalId('ProductPrice', last))
    await listener.close()
  })

  test('an event is sent once for each of many prices that are added, changed or deleted with their book', async () => {
    const bulk = (await makeBook(contextOf(server.services, START), 'Bulk')).id
    const listener = await listen(other, PRICES, { variables: { book: bulk } })
    const nextEvents = async (count: number) => {
      const events = (await listener.take(count)).map(({ data }) => data.productPriceChanged)
      return {
        ids: events.map(({ productPriceId }) => productPriceId).sort(),
        skus: events.map(({ productPrice }) => productPrice?.sku).sort(),
      }
    }
    const { ids: first } = await upserted(bulk, 1, 10).then(() => nextEvents(10))
    expect(new Set(first).size).toBe(10)
    // Ten that change, ten that are new; one stays as it is.
    await upserted(bulk, 2, 20, [{ sku: sku(0), prices: [{ currency: 'USD', price: { amount: 1 } }] }])
    const both = await nextEvents(19)
    expect(both.skus).toEqual(Array.from({ length: 19 }, (_, number) => sku(number + 1)))
    expect(both.ids.filter((id) => first.includes(id))).toHaveLength(9)
    const all = [...new Set([...first, ...both.ids])].sort()
    const deleted = await mutate(server, 'deleteProductPrice', { id: first[0] }, 'productPrice { sku }')
    expect(deleted.userErrors).toEqual([])
    expect(await nextEvents(1)).toEqual({ ids: [first[0]], skus: [undefined] })
    expect((await mutate(server, 'deletePriceBook', { id: bulk }, 'priceBook { id }')).userErrors).toEqual([])
    expect(await nextEvents(19)).toEqual({ ids: all.filter((id) => id !== first[0]), skus: Array(19).fill(undefined) })
    await listener.close()
  })

  test('no event is sent when the deletion of a price book is refused', async () => {
    const listener = await listen(server, PRICES, { variables: { book: ids.book } })
    const refused = await mutate(server, 'deletePriceBook', { id: ids.book }, 'priceBook { id }')
    expect(refused).toMatchObject({ priceBook: null, userErrors: [{ code: 'IN_USE' }] })
    await makePrice(contextOf(server.services, START), ids.book, 'STAYS')
    expect((await listener.next()).data.productPriceChanged.productPrice.sku).toBe('STAYS')
    await listener.close()
  })

  test("release.seen-within-a-second: the event of a release is sent when the release can be read on the subscriber's server", async () => {
    const listeners = await Promise.all(
      [server, other].map((one) => listen(one, RELEASES, { variables: { catalog: ids.catalog }, token: one.shopper })),
    )
    for (const sequence of [2, 3]) {
      const { id, productCount } = await publish(server, ids.catalog)
      const event = { releaseId: globalId('Release', id), release: { sequence, productCount } }
      for (const listener of listeners) expect(await listener.next()).toEqual({ data: { releasePublished: event } })
    }
    for (const listener of listeners) await listener.close()
  })

  test('no event is sent when a write fails', async () => {
    const listener = await listen(server, PRICES, { variables: { book } })
    const ctx = contextOf(server.services, START)
    await makePrice(ctx, book, 'TAKEN')
    await expect(makePrice(ctx, book, 'TAKEN')).rejects.toThrow()
    await makePrice(ctx, book, 'FREE')
    const skus = (await listener.take(2)).map(({ data }) => data.productPriceChanged.productPrice.sku)
    expect(skus).toEqual(['TAKEN', 'FREE'])
    await listener.close()
  })
})

test.runIf(database.kind === 'server')(
  'a transaction notifies once, for any number of writes [needs PostgreSQL]',
  async () => {
    const noisy = (await makeBook(contextOf(server.services, START), 'Noisy')).id
    await upserted(noisy, 1, 10)
    const changes = () => database.prisma.change.count({ where: { scope: noisy } })
    const before = await changes()
    const heard: string[] = []
    const client = new pg.Client({ ...database.pool.options } as pg.ClientConfig)
    client.on('notification', ({ channel }) => heard.push(channel))
    await client.connect()
    const [{ channel }] = (await database.pool.query(`SELECT ${CHANGE_CHANNEL} AS channel`)).rows
    await client.query(`LISTEN "${channel}"; LISTEN test_end`)
    await upserted(noisy, 2, 20)
    expect((await changes()) - before).toBeGreaterThan(1)
    // Notifications come in the order of the commits.
    await database.pool.query('NOTIFY test_end')
    await waitUntil(() => heard.includes('test_end'))
    await client.end()
    expect(heard).toEqual([channel, 'test_end'])
  },
)

describe('resuming', () => {
  test('a client of live updates continues after its last cursor on another server, and on one that starts later', async () => {
    const ctx = contextOf(server.services, START)
    const listener = await listen(server, PRICES, { variables: { book } })
    await makePrice(ctx, book, 'R1')
    const { cursor } = (await listener.next()).data.productPriceChanged
    await listener.close()
    for (const sku of ['R2', 'R3']) await makePrice(ctx, book, sku)
    const late = await startTestServer(database)
    for (const one of [other, late]) {
      const resumed = await listen(one, PRICES, { variables: { book, after: cursor } })
      expect((await resumed.take(2)).map(({ data }) => data.productPriceChanged.productPrice.sku)).toEqual(['R2', 'R3'])
      await resumed.close()
    }
    await late.stop()
  })

  test('live updates refuse a cursor of another stream and a forged one', async () => {
    const ctx = contextOf(server.services, START)
    const listener = await listen(server, PRICES, { variables: { book } })
    await makePrice(ctx, book, 'C1')
    const { cursor } = (await listener.next()).data.productPriceChanged
    await listener.close()
    const second = (await makeBook(ctx, 'Second')).id
    for (const variables of [
      { book, after: 'x' },
      { book, after: Buffer.from(JSON.stringify(['1:1:', '1:1:', 1])).toString('base64url') },
      { book, after: Buffer.from(JSON.stringify(["'", '1:1:', 1, 0])).toString('base64url') },
      { book: second, after: cursor },
    ]) {
      const error = await refusal(PRICES, variables)
      expect([error.extensions.code, error.extensions.violations[0].path]).toEqual(['BAD_USER_INPUT', ['after']])
    }
  })
})

describe('right.shoppers-see-published-and-own: rights are checked when a stream begins', () => {
  test("live updates of a book's prices are for administrators, for existing and absent books", async () => {
    for (const id of [book, idOf('plan', 1)]) {
      expect((await refusal(PRICES, { book: id }, server.shopper)).extensions.code).toBe('FORBIDDEN')
    }
    expect((await refusal(PRICES, { book: idOf('plan', 1) })).extensions.violations[0].code).toBe('NOT_FOUND')
  })

  test("live updates of an account's subscriptions are for its own shoppers and for administrators", async () => {
    const own = await listen(server, SUBSCRIPTIONS, {
      variables: { account: ACCOUNT.toUpperCase() },
      token: await shopper(ACCOUNT),
    })
    await makeSubscription(contextAs(server.services, START), { external_ref: 'own' })
    expect((await own.next()).data.subscriptionChanged.subscription.externalRef).toBe('own')
    await own.close()
    const ofOther = await refusal(SUBSCRIPTIONS, { account: ACCOUNT }, await shopper(idOf('account', 2)))
    expect(ofOther.extensions.violations[0].code).toBe('NOT_FOUND')
    expect((await refusal(SUBSCRIPTIONS, { account: ACCOUNT }, await shopper())).extensions.code).toBe('FORBIDDEN')
    // An account is there for administrators before its first subscription is.
    const first = await listen(server, SUBSCRIPTIONS, { variables: { account: idOf('account', 9) } })
    await makeSubscription(contextAs(server.services, START), { account_id: idOf('account', 9) })
    expect((await first.next()).errors).toBeUndefined()
    await first.close()
  })

  test('each stream begins only for viewers with its right', async () => {
    const streams: Record<
      string,
      { query: string; variables: object; account1: string; account2: string; none: string }
    > = {
      releasePublished: {
        query: RELEASES,
        variables: { catalog: ids.catalog },
        account1: 'begins',
        account2: 'begins',
        none: 'begins',
      },
      saleTurned: {
        query: TURNS,
        variables: { catalog: ids.catalog },
        account1: 'begins',
        account2: 'begins',
        none: 'begins',
      },
      productPriceChanged: {
        query: PRICES,
        variables: { book },
        account1: 'FORBIDDEN',
        account2: 'FORBIDDEN',
        none: 'FORBIDDEN',
      },
      productChanged: {
        query: PRODUCTS,
        variables: {},
        account1: 'FORBIDDEN',
        account2: 'FORBIDDEN',
        none: 'FORBIDDEN',
      },
      catalogChanged: {
        query: CATALOGS,
        variables: {},
        account1: 'FORBIDDEN',
        account2: 'FORBIDDEN',
        none: 'FORBIDDEN',
      },
      subscriptionChanged: {
        query: SUBSCRIPTIONS,
        variables: { account: ACCOUNT },
        account1: 'begins',
        account2: 'NOT_FOUND',
        none: 'FORBIDDEN',
      },
      importJobChanged: {
        query: 'subscription ($id: ID!) { importJobChanged(id: $id) { importJobId } }',
        variables: { id: (await send(server, books('Sent'))).body.data.id },
        account1: 'FORBIDDEN',
        account2: 'FORBIDDEN',
        none: 'FORBIDDEN',
      },
    }
    expect(Object.keys(streams).sort()).toEqual(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).sort())
    const begins = async (query: string, variables: object, token: string) => {
      await nothingIsOpen()
      const listener = await listen(server, query, { variables, token })
      const answered = listener.next().then(({ errors }) => {
        const [{ extensions } = { extensions: { code: 'begins' } }] = errors ?? []
        return extensions.violations?.[0].code ?? extensions.code
      })
      const begun = waitUntil(() => openStreams(server) === 1).then(() => 'begins')
      const first = await Promise.race([answered, begun])
      for (const one of [answered, begun]) one.catch(() => undefined)
      await listener.close()
      return first
    }
    for (const [name, { query, variables, account1, account2, none }] of Object.entries(streams)) {
      expect([name, await begins(query, variables, server.admin)]).toEqual([name, 'begins'])
      expect([name, await begins(query, variables, await shopper(ACCOUNT))]).toEqual([name, account1])
      expect([name, await begins(query, variables, await shopper(idOf('account', 2)))]).toEqual([name, account2])
      expect([name, await begins(query, variables, server.shopper)]).toEqual([name, none])
    }
  })

  test('the cursor of a stream grants no right, and fields for administrators are refused inside an event', async () => {
    const stream = await listen(server, SUBSCRIPTIONS, { variables: { account: ACCOUNT } })
    await makeSubscription(contextAs(server.services, START))
    const { cursor } = (await stream.next()).data.subscriptionChanged
    await stream.close()
    const foreign = await refusal(SUBSCRIPTIONS, { account: ACCOUNT, after: cursor }, await shopper(idOf('account', 2)))
    expect(foreign.extensions.violations[0].code).toBe('NOT_FOUND')
    const query = `subscription { releasePublished(catalogId: "${ids.catalog}") { releaseId release { warningCount } } }`
    const listeners = await Promise.all([server.admin, server.shopper].map((token) => listen(server, query, { token })))
    await publish(server, ids.catalog)
    const [seen, hidden] = await Promise.all(listeners.map((listener) => listener.next()))
    expect(seen.data.releasePublished.release.warningCount).toBeGreaterThanOrEqual(0)
    expect([codes(hidden), hidden.data.releasePublished]).toEqual([
      ['FORBIDDEN'],
      { releaseId: seen.data.releasePublished.releaseId, release: null },
    ])
    for (const listener of listeners) await listener.close()
  })

  test('a stream of a catalog that has no release is hidden from shoppers', async () => {
    const { id } = await database.prisma.catalog.create({
      data: { id: idOf('plan', 77), name: 'Hidden', createdAt: new Date(START), updatedAt: new Date(START) },
    })
    expect((await refusal(RELEASES, { catalog: id }, server.shopper)).extensions.violations[0].code).toBe('NOT_FOUND')
    await (await listen(server, RELEASES, { variables: { catalog: id } })).close()
  })

  test('token.one-pinned-algorithm: a stream ends when its token expires, after 60 s of clock skew', async () => {
    const issued = START - (TOKEN_SECONDS + CLOCK_SKEW_SECONDS) * 1000
    const token = async (more: number) => (await server.issue({ subject: 'a', role: 'admin' }, issued + more)).token
    expect((await server.gql(PRICES, { book }, { token: await token(0) })).status).toBe(401)
    const ending = await token(10_000)
    const listener = await listen(server, PRICES, { variables: { book }, token: ending })
    await makePrice(contextOf(server.services, START), book, 'LAST')
    expect((await listener.next()).data.productPriceChanged.productPrice.sku).toBe('LAST')
    expect(codes(await listener.next())).toEqual(['UNAUTHENTICATED'])
    expect(await listener.next()).toBeUndefined()
    expect((await server.gql(PRICES, { book }, { token: null })).status).toBe(401)
    await nothingIsOpen()
  })

  test('token.one-pinned-algorithm: a stream ends when its token expires, whatever instant its operation is for', async () => {
    const issued = START - (TOKEN_SECONDS + CLOCK_SKEW_SECONDS) * 1000
    const { token } = await server.issue({ subject: 'a', role: 'admin' }, issued + 10_000)
    const streams = []
    for (const instant of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
      const at = (query: string) => query.replace(') {', `) @inContext(at: "${instant}") {`)
      const changes = await listen(server, at(SUBSCRIPTIONS), { variables: { account: ACCOUNT }, token })
      streams.push({ changes, turns: await listen(server, at(TURNS), { variables: { catalog: ids.catalog }, token }) })
    }
    const { id } = await makeSubscription(contextAs(server.services, START))
    for (const { changes, turns } of streams) {
      expect((await changes.next()).data.subscriptionChanged.subscriptionId).toBe(globalId('AccountSubscription', id))
      expect(codes(await changes.next())).toEqual(['UNAUTHENTICATED'])
      expect(codes(await turns.next())).toEqual(['UNAUTHENTICATED'])
    }
    await nothingIsOpen()
  })
})

describe('requests for streams', () => {
  test.each([
    'application/json',
    'application/graphql-response+json',
    'multipart/mixed',
    'application/*, text/event-stream;q=0',
  ])('a request for a stream that accepts %s is not acceptable, and the body says what is', async (accept) => {
    const reply = await server.gql(PRICES, { book }, { headers: { accept } })
    expect([reply.status, codes(reply)]).toEqual([406, ['NOT_ACCEPTABLE']])
    expect(reply.errors[0].message).toBe('A stream is text/event-stream, which the Accept header must allow')
    expect(reply.headers.get('content-type')).toMatch(/^application\/.*json; charset=utf-8$/)
    await nothingIsOpen()
  })

  test.each([
    ['productChanged @skip(if: $no) { cursor }', 'skip'],
    ['... @include(if: $yes) { productChanged { cursor } }', 'include'],
    ['...Root', 'skip'],
    ['productChanged @skip(if: true) { cursor }', 'skip'],
  ])('a condition on the root field of a stream is refused: %s', async (selection, directive) => {
    const query = `subscription ($no: Boolean = false, $yes: Boolean = true) { ${selection} }
      fragment Root on Subscription { productChanged @skip(if: $no) { cursor } ...Root }`
    expect(await refusal(query, {})).toEqual({
      message: `A subscription's root field must not have the directive "@${directive}"`,
      locations: [expect.anything()],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    })
    await nothingIsOpen()
  })

  test('a subscription that costs too much for one event does not start', async () => {
    const deep =
      '{ prices(first: 100) { nodes { priceBook { prices(first: 100) { nodes { priceBook { prices(first: 100) { nodes { sku } } } } } } } } }'
    const query = `subscription { productPriceChanged(priceBookId: "${book}") { productPrice { priceBook ${deep} } } }`
    expect((await refusal(query, {})).extensions.code).toBe('QUERY_TOO_COSTLY')
    await nothingIsOpen()
  })

  test("the length of a stream's request is limited", async () => {
    const query = (length: number) => {
      const text = `subscription { productPriceChanged(priceBookId: "${book}") { cursor } }`
      return `${text}${'#'.repeat(length - JSON.stringify({ query: text, variables: {} }).length)}`
    }
    const { code, figure, limit } = (await refusal(query(STREAM_REQUEST_MAX + 1), {})).extensions
    expect([code, figure, limit]).toEqual(['PAYLOAD_TOO_LARGE', STREAM_REQUEST_MAX + 1, STREAM_REQUEST_MAX])
    const variables = { unused: 'x'.repeat(STREAM_REQUEST_MAX) }
    expect(
      (await refusal(`subscription { productPriceChanged(priceBookId: "${book}") { cursor } }`, variables)).extensions
        .code,
    ).toBe(code)
    const listener = await listen(server, query(STREAM_REQUEST_MAX), {})
    await makePrice(contextOf(server.services, START), book, 'LONG')
    expect((await listener.next()).data.productPriceChanged.cursor).toEqual(expect.any(String))
    await listener.close()
    await nothingIsOpen()
  })

  test('each event of a stream has its cost when the header requests it', async () => {
    const query = `subscription { productPriceChanged(priceBookId: "${book}") { productPrice { sku } } }`
    const listener = await listen(server, query, { headers: { [COST_HEADER]: '1' } })
    await makePrice(contextOf(server.services, START), book, 'COSTS')
    expect(await listener.next()).toEqual({
      data: { productPriceChanged: { productPrice: { sku: 'COSTS' } } },
      extensions: { cost: { figure: 4, spent: 0, limit: COST_MAX } },
    })
    await listener.close()
  })

  test('an event with a failed field has its other fields, and the stream continues', async () => {
    const query = `subscription { productPriceChanged(priceBookId: "${book}") { productPrice { sku priceBook { prices(first: 101) { totalCount } } } } }`
    const listener = await listen(server, query)
    for (const sku of ['F1', 'F2']) {
      await makePrice(contextOf(server.services, START), book, sku)
      expect(codes(await listener.next())).toEqual(['BAD_USER_INPUT'])
    }
    await listener.close()
  })

  test('an event whose record cannot be read for now ends the stream, and the client that resumes gets it', async () => {
    let isAway = false
    const unsteady: Database = {
      ...database,
      batchRead: (path, keys, assertActive) =>
        isAway ? Promise.reject(new Unavailable('away')) : database.batchRead(path, keys, assertActive),
    }
    const server = await startTestServer(unsteady)
    const query = `subscription ($after: String) { productPriceChanged(priceBookId: "${book}", after: $after) { cursor productPrice { sku } } }`
    const listener = await listen(server, query)
    await makePrice(contextOf(server.services, START), book, 'SEEN')
    const { cursor: after } = (await listener.next()).data.productPriceChanged
    isAway = true
    await makePrice(contextOf(server.services, START), book, 'LATER')
    expect(await listener.next()).toEqual({
      errors: [
        expect.objectContaining({
          message: expect.stringContaining('`after`'),
          extensions: { code: 'SERVICE_UNAVAILABLE' },
        }),
      ],
    })
    expect(await listener.next()).toBeUndefined()
    await waitUntil(() => server.services.changes?.size === 0)
    isAway = false
    const resumed = await listen(server, query, { variables: { after } })
    expect((await resumed.next()).data.productPriceChanged.productPrice).toEqual({ sku: 'LATER' })
    await resumed.close()
    await server.stop()
  })
})

describe('the number of streams', () => {
  const variables = { account: idOf('account', 7) }
  const body = { query: SUBSCRIPTIONS, variables }
  const headers = { accept: 'text/event-stream' }

  test.each([
    ['so many', { streamsMax: 2 }],
    ['so much of their requests', { textMax: 2 * JSON.stringify(body).length }],
  ])('a server bounds its streams, %s, and refuses one more until another ends', async (_, streams) => {
    const full = await startTestServer(database, { streams })
    // A refused stream does not count.
    for (let time = 0; time < 3; time++) {
      const { text } = await full.rest('POST', '/graphql', { body: { ...body, variables: { account: 'x' } }, headers })
      expect(text).toContain('BAD_USER_INPUT')
    }
    const open = [await listen(full, SUBSCRIPTIONS, { variables }), await listen(full, SUBSCRIPTIONS, { variables })]
    await waitUntil(() => full.services.changes?.size === 2)
    const refused = await full.rest('POST', '/graphql', { body, headers })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(JSON.parse(/^data: (.+)$/m.exec(refused.text)?.[1] ?? '').errors).toEqual([
      { message: UNAVAILABLE, extensions: { code: 'SERVICE_UNAVAILABLE' } },
    ])
    expect((await full.gql('{ __typename }')).data).toEqual({ __typename: 'Query' })
    await open.pop()?.close()
    await waitUntil(() => full.services.changes?.size === 1)
    open.push(await listen(full, SUBSCRIPTIONS, { variables }))
    for (const listener of open) await listener.close()
    await full.stop()
  })

  test('a stream whose client disconnects before its start is released', async () => {
    const full = await startTestServer(database, { streams: { streamsMax: 1 } })
    const changes = full.services.changes as ChangeFeed
    const begin = changes.listen.bind(changes)
    const begun: Promise<unknown>[] = []
    let goOn = (): void => {}
    const left = new Promise<void>((resolve) => {
      goOn = resolve
    })
    changes.listen = async (...given) => {
      const stream = left.then(() => begin(...given))
      begun.push(stream)
      return stream
    }
    const abort = new AbortController()
    const gone = expect(listen(full, SUBSCRIPTIONS, { variables, abort })).rejects.toThrow()
    await waitUntil(() => begun.length === 1)
    abort.abort()
    await gone
    await waitUntil(() => full.logs.some(({ aborted }) => aborted))
    goOn()
    await begun[0]
    await waitUntil(() => changes.size === 0)
    await (await listen(full, SUBSCRIPTIONS, { variables })).close()
    await full.stop()
  })
})

describe('a client that does not read', () => {
  const account = idOf('account', 8)
  const cursors = Array.from({ length: 150 }, (_, number) => `c${number}: cursor`).join(' ')
  const body = JSON.stringify({ query: `subscription { subscriptionChanged(accountId: "${account}") { ${cursors} } }` })
  const many = (count: number) =>
    noteChanges(
      database.pool,
      { topic: 'subscription', scope: account },
      Array.from({ length: count }, () => randomUUID()),
    )

  async function listenWithoutReading() {
    // A stream of the test before may still be on its way out, and would be taken for this one.
    await nothingIsOpen()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname).pause()
    const types = ['accept: text/event-stream', 'content-type: application/json', `content-length: ${body.length}`]
    const head = ['POST /graphql HTTP/1.1', `host: ${hostname}`, `authorization: Bearer ${server.admin}`, ...types]
    const begins = vi.spyOn(server.services.changes as ChangeFeed, 'listen')
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    // The stream has what is written from here on.
    await waitUntil(() => begins.mock.results.length === 1)
    await begins.mock.results[0]?.value
    begins.mockRestore()
    return socket
  }

  test('a client that reads a stream late gets every change, however many there were', async () => {
    const socket = await listenWithoutReading()
    const written = 3 * PENDING_MAX
    for (let count = 0; count < written; count += 500) await many(500)
    await waitUntil(() => server.services.changes?.size === 1)
    let events = 0
    let rest = ''
    socket.on('data', (chunk) => {
      const pieces = (rest + chunk.toString('latin1')).split('event: next')
      events += pieces.length - 1
      rest = (pieces.at(-1) ?? '').slice(-20)
    })
    socket.resume()
    await waitUntil(() => events === written)
    socket.destroy()
    await nothingIsOpen()
  })

  test('a client that does not read its stream is released when it disconnects', async () => {
    const socket = await listenWithoutReading()
    await many(PENDING_MAX + 1)
    socket.destroy()
    await nothingIsOpen()
  })
})

test('a shutdown ends all streams with an error that asks clients to resume', async () => {
  const stopping = await startTestServer(database)
  const listeners: Listener[] = []
  for (let count = 0; count < 3; count++) listeners.push(await listen(stopping, PRICES, { variables: { book } }))
  const start = Date.now()
  await stopping.app.stop(60_000)
  // Long before the limit, which open streams don't wait for.
  expect(Date.now() - start).toBeLessThan(30_000)
  for (const listener of listeners) {
    expect(codes(await listener.next())).toEqual(['SERVICE_UNAVAILABLE'])
    expect(await listener.next()).toBeUndefined()
  }
})
