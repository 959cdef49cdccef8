import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OPERATION_NAME_LENGTH_MAX } from '../../../src/server/monitoring/operation-names.ts'
import { useDatabase } from '../../support/database.ts'
import { listen } from '../../support/live.ts'
import { startProxy } from '../../support/proxy.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts'
import {
  type CollectedSpan,
  type SpanTree,
  startTraceCollector,
  type TraceCollector,
  treesOf,
} from '../../support/trace-collector.ts'

const database = useDatabase()
let collector: TraceCollector
beforeEach(async () => {
  collector = await startTraceCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await collector.stop()
})

/** Starts a server with traces, by the settings of the environment. */
function start(options: TestServerOptions = {}): Promise<TestServer> {
  return startTestServer(database, { ...options, config: { tracesEndpoint: collector.url, ...options.config } })
}

/** The spans of what `work` requests of a server, without those that set up a new connection; its stop sends them. */
async function spansOf(
  work: (server: TestServer) => Promise<unknown>,
  options?: TestServerOptions,
): Promise<readonly CollectedSpan[]> {
  const server = await start(options)
  try {
    await work(server)
  } finally {
    await server.stop()
  }
  return collector.spans.filter(({ name }) => name !== 'SET')
}

/** The span of a request or an operation, by its name. */
const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name)
const gql = (query: string, variables?: Record<string, unknown>) => (server: TestServer) => server.gql(query, variables)
const ERROR = 2

let bookIds: string[]
beforeAll(async () => {
  const server = await startTestServer(database)
  bookIds = []
  for (const name of ['one', 'two']) {
    const { data } = await server.gql(
      `mutation { createPriceBook(input: {name: "${name}"}) { priceBook { rawId: id } } }`,
    )
    bookIds.push(data.createPriceBook.priceBook.rawId)
  }
  await server.stop()
})

describe('the spans of a request', () => {
  test('the spans of a GraphQL query are the request, its operation, the batches of its loaders, and their statements', async () => {
    const query =
      'query Books { priceBooks(first: 2) { nodes { name catalogs(first: 1) { nodes { id } } prices(first: 1) { totalCount } } } }'
    const spans = await spansOf(gql(query))
    expect(treesOf(spans)).toEqual([
      [
        'POST /graphql',
        [
          'query Books',
          ['SELECT price_book'],
          ['load catalog pages by price_book_id', ['SELECT catalog_price_book']],
          ['load price totals', ['SELECT product_price']],
        ],
      ],
    ])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const described = Object.fromEntries(spans.map(({ name, kind, attributes }) => [name, { kind, ...attributes }]))
    const statement = (summary: string) => ({ kind: 3, 'db.system.name': 'postgresql', 'db.query.summary': summary })
    expect(described).toEqual({
      'POST /graphql': {
        kind: 2,
        'http.request.method': 'POST',
        'http.route': '/graphql',
        'http.response.status_code': 200,
        'graphql.operation.name': 'Books',
      },
      'query Books': { kind: 1, 'graphql.operation.type': 'query', 'graphql.operation.name': 'Books' },
      'SELECT price_book': statement('SELECT price_book'),
      'load catalog pages by price_book_id': {
        kind: 1,
        'commerce.loader.path': 'catalog pages by price_book_id',
        'commerce.loader.keys': 2,
      },
      'SELECT catalog_price_book': statement('SELECT catalog_price_book'),
      'load price totals': { kind: 1, 'commerce.loader.path': 'price totals', 'commerce.loader.keys': 2 },
      'SELECT product_price': statement('SELECT product_price'),
    })
    expect(spans.filter(({ status }) => status.code !== 0)).toEqual([])
  })

  test('the spans of a mutation have the statements of its transaction', async () => {
    const spans = await spansOf(gql('mutation { createPriceBook(input: {name: "three"}) { priceBook { name } } }'))
    const statements: SpanTree[] = [['BEGIN'], ['COMMIT'], ['INSERT price_book'], ['WITH change']]
    expect(treesOf(spans)).toEqual([['POST /graphql', ['mutation (anonymous)', ...statements]]])
  })

  test('the span of a REST request has its route, not its path', async () => {
    const spans = await spansOf((server) =>
      server.rest('GET', '/v2/subscriptions/products/0190a000-0000-7000-8000-0000000000aa?x=1'),
    )
    const route = '/v2/subscriptions/products/{product_uuid}'
    expect(treesOf(spans)).toEqual([[`GET ${route}`, ['load subscription products', ['SELECT subscription_product']]]])
    expect(named(spans, `GET ${route}`)[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': route,
      'http.response.status_code': 404,
    })
  })

  test('the span of a request that no route or operation takes has only its method; a probe has none', async () => {
    const spans = await spansOf(async (server) => {
      await server.rest('GET', '/health')
      await server.rest('GET', '/ready')
      await server.rest('DELETE', '/nowhere/at/all')
      await server.gql('{ nothing }')
    })
    expect(treesOf(spans)).toEqual([['DELETE'], ['POST /graphql']])
    expect(named(spans, 'POST /graphql')[0]?.attributes).not.toHaveProperty('graphql.operation.name')
  })

  test('the span of an operation has the name that metrics give it', async () => {
    const long = `L${'o'.repeat(OPERATION_NAME_LENGTH_MAX)}`
    const spans = await spansOf(gql(`query ${long} { __typename }`))
    expect(treesOf(spans)).toEqual([['POST /graphql', ['query (other)']]])
    expect(spans.map(({ attributes }) => attributes['graphql.operation.name'])).toEqual(['(other)', '(other)'])
  })

  test('statements that wait for a connection stand in the trace of their own request', async () => {
    const requests = 20
    const spans = await spansOf((server) =>
      Promise.all(
        Array.from({ length: requests }, (_, at) =>
          server.gql(`query Q${at} { priceBooks(first: ${at + 1}) { totalCount } }`),
        ),
      ),
    )
    const trees = treesOf(spans)
    expect(trees).toHaveLength(requests)
    for (const [, operation] of trees) expect(operation?.slice(1)).toEqual([['SELECT price_book']])
  })

  test('a stream has the spans of its start, and its events have none', async () => {
    const spans = await spansOf(async (server) => {
      const query = `subscription Prices { productPriceChanged(priceBookId: "${bookIds[1]}") { productPrice { sku priceBook { name } } } }`
      const stream = await listen(server, query)
      await server.gql(
        `mutation Add { addProductPrice(input: { priceBookId: "${bookIds[1]}", sku: "streamed", prices: [{ currency: "USD", price: { amount: 1 } }] })
          { userErrors { message } } }`,
      )
      const { data } = await stream.next()
      expect(data.productPriceChanged.productPrice).toEqual({ sku: 'streamed', priceBook: { name: 'two' } })
      await stream.close()
    })
    const [, stream] = treesOf(spans).find(([, operation]) => operation?.[0] === 'subscription Prices') ?? []
    expect(stream).toEqual(['subscription Prices', ['change-log-end'], ['load price books', ['price_books_by_ids']]])
  })
})

describe('W3C trace context', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = (flags: string) => ({
    traceparent: `00-${traceId}-b7ad6b7169203331-${flags}`,
    tracestate: 'shop=t61rcWkgMzE,other=1',
  })
  const health = (given: Record<string, string>) => (server: TestServer) =>
    server.gql('{ __typename }', {}, { headers: given })

  test('the trace that a client began is continued, with its state', async () => {
    const spans = await spansOf(health(headers('01')))
    expect(spans.map(({ name, traceId: id, traceState }) => [name, id, traceState])).toEqual([
      ['query (anonymous)', traceId, 'shop=t61rcWkgMzE,other=1'],
      ['POST /graphql', traceId, 'shop=t61rcWkgMzE,other=1'],
    ])
    expect(spans.at(-1)?.parentSpanId).toBe('b7ad6b7169203331')
  })

  test('a trace that the client does not sample has no spans, and its id stands in the log', async () => {
    let lines: TestServer['logs'] = []
    const spans = await spansOf(async (server) => {
      lines = server.logs
      await health(headers('00'))(server)
    })
    expect(spans).toEqual([])
    expect(lines.filter(({ msg }) => msg === 'request').map((line) => line.traceId)).toEqual([traceId])
  })

  test('a malformed traceparent is ignored', async () => {
    const [first] = (await spansOf(health({ traceparent: `00-${traceId}-xyz-01` }))).slice(-1)
    expect(first?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(first?.traceId).not.toBe(traceId)
    expect(first?.parentSpanId ?? '').toBe('')
  })
})

test('no span holds a variable, a literal, a filter, a cursor, an id, a token, a header or a parameter of a statement', async () => {
  const hush = 'hush'
  const cursorOf = async (server: TestServer) => {
    for (const sku of ['hush-1', 'hush-2'])
      await server.gql(
        `mutation { addProductPrice(input: { priceBookId: "${bookIds[0]}", sku: "${sku}", prices: [{ currency: "USD", price: { amount: 8765432109876 } }] })
          { userErrors { message } } }`,
      )
    const { data } = await server.gql(
      `{ priceBook(id: "${bookIds[0]}") { prices(first: 1) { pageInfo { endCursor } } } }`,
    )
    return data.priceBook.prices.pageInfo.endCursor as string
  }
  let secrets: string[] = []
  const spans = await spansOf(async (server) => {
    const cursor = await cursorOf(server)
    secrets = [server.admin, server.shopper, cursor, ...bookIds]
    const query = `query Q($name: String!, $id: ID!, $after: String) {
      byName: priceBooks(first: 1, filter: { name: { eq: $name } }) { nodes { id } }
      priceBook(id: $id) { prices(first: 1, after: $after, filter: { sku: { in: ["hush-1", "hush-2"] } }) { totalCount nodes { sku } } } }`
    const variables = { name: 'hush-name', id: bookIds[0], after: cursor }
    const sent = {
      headers: {
        'x-request-id': 'hush-request',
        'idempotency-key': 'hush-key',
        'user-agent': 'hush-agent',
        baggage: 'a=hush',
      },
    }
    const { data } = await server.gql(query, variables, sent)
    expect(data).toMatchObject({
      byName: { nodes: [] },
      priceBook: { prices: { totalCount: 2, nodes: [{ sku: expect.stringMatching(/^hush-[12]$/) }] } },
    })
    await server.gql(
      `{ priceBook(id: "${bookIds[0]}") { history(first: 1, after: "hush") { nodes { id } } } }`,
      {},
      sent,
    )
    await server.gql('query Q($hush: Int) { priceBooks(first: $hush) { totalCount } }', { hush: 'hush' }, sent)
    await server.rest('GET', `/pcm/pricebooks/${bookIds[0]}/prices?filter=in(sku,hush-1)&page[limit]=1`, sent)
    await server.rest('GET', '/v2/subscriptions/products/hush', sent)
    await server.rest('POST', '/v2/subscriptions/subscriptions', { ...sent, raw: '{"data": hush' })
    await server.rest('POST', '/oauth/access_token', {
      ...sent,
      token: null,
      body: { client_secret: 'hush', grant_type: 'implicit' },
    })
    await server.rest('GET', '/hush/nowhere', { ...sent, token: 'hush' })
  })
  expect(spans.length).toBeGreaterThan(20)
  const text = JSON.stringify([spans, collector.resource])
  expect([hush, '8765432109876', 'Bearer', ...secrets].filter((secret) => text.includes(secret))).toEqual([])
})

describe('what fails', () => {
  test('the spans of a 5xx response and of a failed statement have the status of an error, without a message', async () => {
    const spans = await spansOf(gql('{ __typename }'), {
      graphql: async (_, res) => {
        await database.pool.query("SELECT 'hush' FROM price_book WHERE id = 'hush'::uuid").catch(() => undefined)
        res.writeHead(503).end()
      },
    })
    expect(treesOf(spans)).toEqual([['POST /graphql', ['SELECT price_book']]])
    expect(spans.map(({ status }) => status)).toEqual([{ code: ERROR }, { code: ERROR }])
    expect(named(spans, 'POST /graphql')[0]?.attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': '503',
    })
    expect(JSON.stringify(spans)).not.toContain('hush')
  })

  test('the span of an operation has the status of an error when that is unexpected, and not when the client is to blame', async () => {
    const spans = await spansOf(async (server) => {
      await server.gql('query Wrong { priceBook(id: "x") { name } }')
      await database.pool.query('ALTER TABLE price_book RENAME TO away')
      await server
        .gql('query Broken { priceBooks(first: 1) { nodes { name } } }')
        .finally(() => database.pool.query('ALTER TABLE away RENAME TO price_book'))
    })
    const codes = spans.map(({ name, status }) => [name, status.code])
    expect(codes).toContainEqual(['query Broken', ERROR])
    expect(codes).toContainEqual(['query Wrong', 0])
    expect(named(spans, 'POST /graphql').map(({ status }) => status.code)).toEqual([0, 0])
  })
})

describe('the log', () => {
  test('the log has the id of the trace in the line of a request and of a slow operation', async () => {
    const server = await start({ config: { slowOperationMs: 1 } })
    await server.gql('{ priceBooks(first: 1) { totalCount } }')
    await server.stop()
    const lines = server.logs.filter(({ msg }) => msg === 'request' || msg === 'slow operation')
    const id = named(collector.spans, 'POST /graphql')[0]?.traceId
    expect(lines.map(({ msg, traceId }) => [msg, traceId])).toEqual([
      ['request', id],
      ['slow operation', id],
    ])
  })

  test('the log has no trace id while traces are off', async () => {
    const server = await startTestServer(database)
    await server.gql('{ __typename }')
    await server.stop()
    expect(server.logs.filter(({ msg }) => msg === 'request')).toHaveLength(1)
    expect(JSON.stringify(server.logs)).not.toContain('traceId')
    expect(collector.requests()).toBe(0)
  })
})

describe("the SDK's own variables", () => {
  test("the SDK's own variables name the service and add headers", async () => {
    vi.stubEnv('OTEL_SERVICE_NAME', 'shop-eu')
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20of-the-collector')
    await spansOf(gql('{ __typename }'))
    expect(collector.resource['service.name']).toBe('shop-eu')
    expect(collector.headers.authorization).toBe('Bearer of-the-collector')
  })

  test("the SDK's own variables choose what is sampled; without them the service is commerce-graph", async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_off')
    expect(await spansOf(gql('{ __typename }'))).toEqual([])
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_on')
    expect(await spansOf(gql('{ __typename }'))).toHaveLength(2)
    expect(collector.resource['service.name']).toBe('commerce-graph')
  })
})

describe('http.proxies-of-the-environment: a proxy', () => {
  test('a proxy gets what is sent to the collector, unless NO_PROXY names it, and its password stands in no log', async () => {
    const proxy = await startProxy()
    const http = proxy.url.replace('//', '//user:hush@')
    const logs: TestServer['logs'] = []
    const spans = async (except: readonly string[]) =>
      spansOf(
        async (server) => {
          await gql('{ __typename }')(server)
          logs.push(...server.logs)
        },
        { config: { proxies: { http, https: null, except } } },
      )
    expect(await spans([])).toHaveLength(2)
    const sent = { method: 'POST', target: `${collector.url}/v1/traces`, credentials: 'user:hush' }
    expect(proxy.asked).toEqual([sent])
    await spans(['127.0.0.1'])
    expect([proxy.asked.length, collector.requests()]).toEqual([1, 2])
    await proxy.close()
    await spans([])
    expect(collector.requests()).toBe(2)
    expect(JSON.stringify(logs)).not.toContain('hush')
  })
})

describe('a collector', () => {
  const reports = ({ logs }: TestServer) =>
    logs.filter(({ msg }) => String(msg).includes('collector')).map(({ level, reason }) => [level, reason])

  test('a collector that is lost is logged once, and once when it is back; requests go on', async () => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '1')
    const server = await start()
    /** Requests until the collector has been sent so many batches more. */
    const send = async (batches: number) => {
      const wanted = collector.requests() + batches
      await expect
        .poll(async () => {
          expect((await server.gql('{ __typename }')).status).toBe(200)
          return collector.requests()
        })
        .toBeGreaterThanOrEqual(wanted)
    }
    await send(1)
    collector.respond = 400
    await send(3)
    expect(reports(server)).toEqual([[40, 400]])
    collector.respond = 200
    await send(2)
    await server.stop()
    expect(reports(server)).toEqual([
      [40, 400],
      [30, undefined],
    ])
  })

  test('a collector that is not there is logged by the code of the system', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '1')
    await collector.stop()
    const server = await start()
    expect((await server.gql('{ __typename }')).status).toBe(200)
    await server.stop()
    expect(reports(server)).toEqual([[40, 'ECONNREFUSED']])
  })

  test('a collector that does not respond does not hold up a stop', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '600000')
    vi.stubEnv('OTEL_BSP_EXPORT_TIMEOUT', '600000')
    collector.respond = null
    const server = await start()
    await server.gql('{ __typename }')
    await server.stop()
    expect(collector.requests()).toBe(1)
  })
})
