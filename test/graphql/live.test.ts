/** Live: the graph's streams over server-sent events, by two servers on one database. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKEN_SECONDS } from '../../src/auth/issue.ts'
import { CLOCK_SKEW_SECONDS } from '../../src/auth/verify.ts'
import { globalId } from '../../src/graphql/ids.ts'
import { deleteProductPrice, updateProductPrice } from '../../src/operations/product-price.ts'
import { changeSubscriptionState } from '../../src/operations/subscription.ts'
import { WAITING_MAX } from '../../src/persistence/change-stream.ts'
import { useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { type Listener, listen, until } from '../support/live.ts'
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
  productPriceChanged(priceBookId: $book, after: $after) { cursor productPriceId productPrice { sku prices { currency amount } } }
}`
const RELEASES = `subscription ($catalog: ID!) { releasePublished(catalogId: $catalog) { releaseId release { sequence productCount } } }`

const codes = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) => errors.map(({ extensions }) => extensions.code)
const usd = (amount: number) => ({ type: 'product-price', attributes: { currencies: { USD: { amount } } } })

async function nothingIsOpen(): Promise<void> {
  await until(() => server.services.changes?.size === 0 && other.services.changes?.size === 0)
}

/** A refusal: one answer without data, then the end. */
async function refusal(query: string, variables: object, token = server.admin) {
  const listener = await listen(server, query, { variables, token })
  const refused = await listener.next()
  expect(await listener.next()).toBeUndefined()
  expect(refused.data).toBeUndefined()
  return refused.errors[0]
}

describe('what is told, on whatever server', () => {
  test('a subscription begins and changes, and each event shows it as it is then', async () => {
    const listeners = await Promise.all([server, other].map((one) => listen(one, SUBSCRIPTIONS, { variables: { account: ACCOUNT } })))
    const made = await makeSubscription(contextAs(server.services, START), { external_ref: 'live' })
    const event = { subscriptionId: globalId('Subscription', made.id), subscription: { paused: false, externalRef: 'live' } }
    for (const listener of listeners) expect((await listener.next()).data.subscriptionChanged).toMatchObject(event)
    const data = { type: 'subscription_state', attributes: { action: 'pause' } }
    await changeSubscriptionState(contextAs(other.services, START + 1), { subscriptionId: made.id, data })
    for (const listener of listeners) expect((await listener.next()).data.subscriptionChanged.subscription.paused).toBe(true)
    for (const listener of listeners) await listener.close()
    await nothingIsOpen()
  })

  test('a price is added, changed, not changed, and deleted, through either edge', async () => {
    const listener = await listen(other, PRICES, { variables: { book: globalId('PriceBook', book) } })
    const path = `/pcm/pricebooks/${book}/prices`
    const added = await server.rest('POST', path, { body: { data: { type: 'product-price', attributes: { sku: 'A', currencies: {} } } } })
    expect(added.status).toBe(201)
    const { id } = added.body.data
    const change = (amount: number, now: number) => updateProductPrice(contextOf(server.services, now), { id, data: usd(amount) })
    expect((await listener.next()).data.productPriceChanged).toMatchObject({
      productPriceId: globalId('ProductPrice', id),
      productPrice: { sku: 'A', prices: [] },
    })
    await change(7, START + 1)
    expect((await listener.next()).data.productPriceChanged.productPrice.prices).toEqual([{ currency: 'USD', amount: 7 }])
    await change(7, START + 2)
    await deleteProductPrice(contextOf(server.services, START + 3), { id })
    expect((await listener.next()).data.productPriceChanged).toMatchObject({
      productPriceId: globalId('ProductPrice', id),
      productPrice: null,
    })
    await listener.close()
  })

  test('CAT-2 a release can be read on every server by whoever hears of it', async () => {
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

  test('what fails is told of by nobody', async () => {
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

describe('resuming', () => {
  test('a client goes on after its last cursor on another server, and on one that starts later', async () => {
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

  test('a cursor of another stream, or of none, is refused', async () => {
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

describe('AUTH-2 rights, asked when a stream begins', () => {
  test('prices of a book are for administrators, whether it is there or not', async () => {
    for (const id of [book, idOf('plan', 1)]) {
      expect((await refusal(PRICES, { book: id }, server.shopper)).extensions.code).toBe('FORBIDDEN')
    }
    expect((await refusal(PRICES, { book: idOf('plan', 1) })).extensions.violations[0].code).toBe('NOT_FOUND')
  })

  test('an account’s subscriptions are for its own shoppers and for administrators', async () => {
    const own = await listen(server, SUBSCRIPTIONS, { variables: { account: ACCOUNT.toUpperCase() }, token: await shopper(ACCOUNT) })
    await makeSubscription(contextAs(server.services, START), { external_ref: 'own' })
    expect((await own.next()).data.subscriptionChanged.subscription.externalRef).toBe('own')
    await own.close()
    for (const token of [await shopper(idOf('account', 2)), await shopper()]) {
      expect((await refusal(SUBSCRIPTIONS, { account: ACCOUNT }, token)).extensions.violations[0].code).toBe('NOT_FOUND')
    }
    // An account is there for administrators before its first subscription is.
    const first = await listen(server, SUBSCRIPTIONS, { variables: { account: idOf('account', 9) } })
    await makeSubscription(contextAs(server.services, START), { account_id: idOf('account', 9) })
    expect((await first.next()).errors).toBeUndefined()
    await first.close()
  })

  test('a catalog that has no release is hidden from shoppers', async () => {
    const { id } = await database.prisma.catalog.create({
      data: { id: idOf('plan', 77), name: 'Hidden', createdAt: new Date(START), updatedAt: new Date(START) },
    })
    expect((await refusal(RELEASES, { catalog: id }, server.shopper)).extensions.violations[0].code).toBe('NOT_FOUND')
    await (await listen(server, RELEASES, { variables: { catalog: id } })).close()
  })

  test('AUTH-1 a stream ends when its token is no longer good for requests either, after 60 s of skew', async () => {
    const issued = START - (TOKEN_SECONDS + CLOCK_SKEW_SECONDS) * 1000
    const token = async (more: number) => (await server.issue({ subject: 'a', role: 'admin' }, issued + more)).token
    expect((await server.gql(PRICES, { book }, { token: await token(0) })).status).toBe(401)
    const ending = await token(3_000)
    const listener = await listen(server, PRICES, { variables: { book }, token: ending })
    await makePrice(contextOf(server.services, START), book, 'LAST')
    expect((await listener.next()).data.productPriceChanged.productPrice.sku).toBe('LAST')
    expect(codes(await listener.next())).toEqual(['UNAUTHENTICATED'])
    expect(await listener.next()).toBeUndefined()
    expect((await server.gql(PRICES, { book }, { token: null })).status).toBe(401)
    await nothingIsOpen()
  })
})

describe('how a stream is asked for', () => {
  test('as JSON it is not acceptable', async () => {
    expect((await server.gql(PRICES, { book }, { headers: { accept: 'application/json' } })).status).toBe(406)
    await nothingIsOpen()
  })

  test('what would cost too much for one event is not begun', async () => {
    const deep =
      '{ prices(first: 100) { nodes { priceBook { prices(first: 100) { nodes { priceBook { prices(first: 100) { nodes { sku } } } } } } } } }'
    const query = `subscription { productPriceChanged(priceBookId: "${book}") { productPrice { priceBook ${deep} } } }`
    expect((await refusal(query, {})).extensions.code).toBe('QUERY_TOO_COSTLY')
    await nothingIsOpen()
  })

  test('an event that fails in part shows the rest, and the stream goes on', async () => {
    const query = `subscription { productPriceChanged(priceBookId: "${book}") { productPrice { sku priceBook { prices(first: 101) { totalCount } } } } }`
    const listener = await listen(server, query)
    for (const sku of ['F1', 'F2']) {
      await makePrice(contextOf(server.services, START), book, sku)
      expect(codes(await listener.next())).toEqual(['BAD_USER_INPUT'])
    }
    await listener.close()
  })
})

describe('a client that does not read', () => {
  const account = idOf('account', 8)
  const cursors = Array.from({ length: 150 }, (_, number) => `c${number}: cursor`).join(' ')
  const body = JSON.stringify({ query: `subscription { subscriptionChanged(accountId: "${account}") { ${cursors} } }` })
  const many = () =>
    database.pool.query("SELECT note_change('subscription', $1, ARRAY[gen_random_uuid()]) FROM generate_series(1, 500)", [account])

  async function listenWithoutReading() {
    // A stream of the test before may still be on its way out, and would be taken for this one.
    await nothingIsOpen()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname).pause()
    const types = ['accept: text/event-stream', 'content-type: application/json', `content-length: ${body.length}`]
    const head = ['POST /graphql HTTP/1.1', `host: ${hostname}`, `authorization: Bearer ${server.admin}`, ...types]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await until(() => server.services.changes?.size === 1)
    return socket
  }

  test('is ended, told to resume, and holds no memory', { timeout: 60_000 }, async () => {
    const socket = await listenWithoutReading()
    let written = 0
    await until(async () => {
      await many()
      written += 500
      return server.services.changes?.size === 0
    })
    expect(written).toBeGreaterThan(WAITING_MAX)
    let text = ''
    socket.on('data', (chunk) => {
      text = text.slice(-10_000) + chunk.toString('latin1')
    })
    socket.resume()
    await until(() => text.includes('event: complete'))
    expect(text).toContain('TOO_SLOW')
    socket.destroy()
  })

  test('is let go when it leaves', async () => {
    const socket = await listenWithoutReading()
    await many()
    await many()
    socket.destroy()
    await nothingIsOpen()
  })
})

test('a stop ends all streams, and tells their clients to come back', async () => {
  const stopping = await startTestServer(database)
  const listeners: Listener[] = []
  for (let count = 0; count < 3; count++) listeners.push(await listen(stopping, PRICES, { variables: { book } }))
  const start = Date.now()
  await stopping.app.stop(20_000)
  expect(Date.now() - start).toBeLessThan(5_000)
  for (const listener of listeners) {
    expect(codes(await listener.next())).toEqual(['SERVICE_UNAVAILABLE'])
    expect(await listener.next()).toBeUndefined()
  }
})
