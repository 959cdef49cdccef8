import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OPERATION_NAME_LENGTH_MAX, OPERATION_NAMES_MAX } from '../../../src/server/monitoring/operation-names.ts'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids, winter } from '../../support/full-store.ts'
import { growth, METRICS_TOKEN, scrape } from '../../support/metrics.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { manualClock, startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts'

const database = useDatabase()
/** Those of one test, beside `server`. */
const servers: TestServer[] = []
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const config = { metricsToken: METRICS_TOKEN, ...options.config }
  const server = await startTestServer(database, { elapsed: manualClock(), ...options, config })
  servers.push(server)
  return server
}
let server: TestServer
beforeAll(async () => {
  server = await start()
  servers.pop()
  await publishStore(server, fullStore())
})
beforeEach(async () => {
  server.now = winter.from - 86_400_000
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  Object.assign(server, { shopper: token })
})
afterEach(async () => {
  for (const one of servers.splice(0)) await one.stop()
})
afterAll(() => server.stop())

const requests = (edge: string, operation: string, outcome = 'ok') =>
  `commerce_requests_total{edge="${edge}",operation="${operation}",outcome="${outcome}"}`
const lookups = (cache: string, result: 'hit' | 'miss') =>
  `commerce_cache_lookups_total{cache="${cache}",result="${result}"}`
const shed = (reason: string) => `commerce_shed_requests_total{reason="${reason}"}`
const run = (query: string, of = server) => of.gql(query, {}, { token: of.shopper })

describe('who may read /metrics', () => {
  test('the token of METRICS_TOKEN reads /metrics in the text format of Prometheus, by GET and HEAD', async () => {
    const reply = await server.rest('GET', '/metrics', { token: METRICS_TOKEN })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const head = await server.rest('HEAD', '/metrics', { token: METRICS_TOKEN })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test("no other token reads /metrics, an administrator's neither", async () => {
    const tokens = [null, `${METRICS_TOKEN}x`, METRICS_TOKEN.slice(1), server.admin, server.shopper]
    const replies = await Promise.all(tokens.map((token) => server.rest('GET', '/metrics', { token })))
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(replies.map(({ headers }) => headers.get('www-authenticate'))).toEqual([
      'Bearer',
      ...Array(4).fill('Bearer error="invalid_token", error_description="The token is not the one for metrics"'),
    ])
    expect(replies.every(({ text }) => !text.includes('commerce_'))).toBe(true)
  })

  test('the token of METRICS_TOKEN reads nothing else', async () => {
    expect((await server.rest('GET', '/v2/subscriptions/products/x', { token: METRICS_TOKEN })).status).toBe(401)
    expect((await server.gql('{ __typename }', {}, { token: METRICS_TOKEN })).status).toBe(401)
  })

  test('other methods of /metrics are 405 with Allow', async () => {
    const reply = await server.rest('POST', '/metrics', { token: METRICS_TOKEN })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('without METRICS_TOKEN there is no path /metrics', async () => {
    const without = await start({ config: { metricsToken: null } })
    expect((await without.rest('GET', '/metrics', { token: null })).status).toBe(404)
  })
})

describe('requests', () => {
  test('three requests of an operation count as three, of an anonymous one too, by outcome', async () => {
    const series = [
      requests('graphql', 'Thrice'),
      'commerce_request_duration_seconds_count{edge="graphql",operation="Thrice"}',
      'commerce_request_duration_seconds_bucket{le="+Inf",edge="graphql",operation="Thrice"}',
      requests('graphql', '(anonymous)'),
      requests('graphql', '(none)', 'client_error'),
      requests('graphql', 'Hidden', 'client_error'),
    ]
    const grown = await growth(server, series, async () => {
      for (let count = 0; count < 3; count++) await run('query Thrice { __typename }')
      for (let count = 0; count < 2; count++) await run('{ __typename }')
      // Neither a document that is not valid nor one without a token gets a label of its own.
      await run('query Invalid { nothing }')
      await server.gql('query Stranger { __typename }', {}, { token: null })
      const hidden = await run('query Hidden { priceBooks(first: 1) { totalCount } }')
      expect(hidden.errors[0].extensions.code).toBe('FORBIDDEN')
    })
    expect(grown).toEqual([3, 3, 3, 2, 2, 1])
    const names = [...(await scrape(server)).keys()].join()
    expect(names).not.toMatch(/Invalid|Stranger/)
  })

  test('metrics take the name of the operation that runs, of a document with several', async () => {
    const query = 'query First { __typename } query Second { __typename }'
    const grown = await growth(server, [requests('graphql', 'First'), requests('graphql', 'Second')], () =>
      server.rest('POST', '/graphql', { body: { query, operationName: 'Second' } }),
    )
    expect(grown).toEqual([0, 1])
  })

  test("a cached response counts under its operation's name, also as 304", async () => {
    const query = `query Cached { catalog(id: "${ids.catalog}") { release(id: "latest") { products(first: 1) { nodes { name } } } } }`
    const target = `/graphql?${new URLSearchParams({ query })}`
    const get = (headers = {}) => server.rest('GET', target, { token: server.shopper, headers })
    const series = [requests('graphql', 'Cached'), lookups('responses', 'hit'), lookups('responses', 'miss')]
    const grown = await growth(server, series, async () => {
      for (let count = 0; count < 3; count++) expect((await get()).status).toBe(200)
      const etag = (await get()).headers.get('etag') ?? ''
      expect((await get({ 'if-none-match': etag })).status).toBe(304)
    })
    // The second of five requests stores the response.
    expect(grown).toEqual([5, 3, 2])
  })

  test('with RESPONSE_CACHE_MB=0 no response is cached, and none looked for', async () => {
    const without = await start({ config: { responseCacheMb: 0 } })
    const token = without.shopper
    const grown = await growth(without, [lookups('responses', 'hit'), lookups('responses', 'miss')], async () => {
      for (let count = 0; count < 3; count++) {
        expect((await without.rest('GET', listingPath(ids.catalog, ids.hierarchy), { token })).status).toBe(200)
      }
    })
    expect(grown).toEqual([0, 0])
  })

  test('metrics of REST count by route, not by path, and what no route serves under (none)', async () => {
    const listing = 'GET /pcm/catalogs/{catalog_id}/releases/{release_id}/hierarchies/{hierarchy_id}/products'
    const series = [
      requests('rest', listing),
      requests('rest', 'GET /health'),
      requests('rest', 'GET /v2/subscriptions/products/{product_uuid}', 'client_error'),
      requests('rest', '(none)', 'client_error'),
    ]
    const grown = await growth(server, series, async () => {
      for (let count = 0; count < 3; count++)
        await server.rest('GET', listingPath(ids.catalog, ids.hierarchy), { token: server.shopper })
      await server.rest('GET', '/health', { token: null })
      await server.rest('GET', '/v2/subscriptions/products/x', { token: null })
      await server.rest('GET', '/nowhere/at/all', { token: null })
    })
    expect(grown).toEqual([3, 1, 1, 1])
  })

  test(`the first ${OPERATION_NAMES_MAX} names are labels, the next ones together are others, as are names that are too long`, async () => {
    const fresh = await start()
    const long = 'L'.repeat(OPERATION_NAME_LENGTH_MAX)
    const names = [`${long}L`, long, ...Array.from({ length: OPERATION_NAMES_MAX }, (_, at) => `Bounded${at + 1}`)]
    const last = OPERATION_NAMES_MAX - 1
    const series = [long, `${long}L`, `Bounded${last}`, `Bounded${last + 1}`, '(other)'].map((name) =>
      requests('graphql', name),
    )
    const grown = await growth(fresh, series, async () => {
      for (const name of [...names, 'Bounded1']) await run(`query ${name} { __typename }`, fresh)
    })
    expect(grown).toEqual([1, 0, 1, 0, 2])
  })

  test('requests in flight are counted while they are', async () => {
    let finish = (): void => undefined
    const held = await start({
      graphql: async (_, res) => {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        res.end()
      },
    })
    const inFlight = async () => (await scrape(held)).get('commerce_requests_in_flight')
    expect(await inFlight()).toBe(0)
    const request = held.gql('{ __typename }')
    await expect.poll(inFlight).toBe(1)
    finish()
    await request
    expect(await inFlight()).toBe(0)
  })

  test('an event stream is counted when it ends, and has no duration', async () => {
    const duration = 'commerce_request_duration_seconds_count{edge="graphql",operation="Streamed"}'
    const query = `subscription Streamed { releasePublished(catalogId: "${ids.catalog}") { release { id } } }`
    const grown = await growth(server, [requests('graphql', 'Streamed', 'aborted'), duration], async () => {
      const leave = new AbortController()
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${server.admin}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
        signal: leave.signal,
      })
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
      leave.abort()
      await expect.poll(async () => (await scrape(server)).get(requests('graphql', 'Streamed', 'aborted'))).toBe(1)
    })
    expect(grown).toEqual([1, 0])
  })
})

describe('shed requests count by reason', () => {
  test('a request that is shed since too many are in flight counts under that reason', async () => {
    const full = await start({ limits: { inFlightMax: 0 } })
    const grown = await growth(full, [shed('in_flight'), shed('received_bytes')], async () => {
      expect((await full.gql('{ __typename }')).status).toBe(503)
      expect((await full.rest('GET', '/nowhere')).status).toBe(503)
    })
    expect(grown).toEqual([2, 0])
  })

  test('a request that is shed past the deadline counts under that reason', async () => {
    const late = await start({ limits: { deadlineMs: 1 }, graphql: () => undefined })
    const series = [shed('deadline'), requests('graphql', '(none)', 'server_error')]
    expect(await growth(late, series, async () => expect((await late.gql('{ __typename }')).status).toBe(503))).toEqual(
      [1, 1],
    )
  })

  test('a request past RATE_LIMIT counts under that reason, on both edges', async () => {
    const limited = await start({ config: { rateLimit: 2 } })
    const statuses: number[] = []
    const grown = await growth(limited, [shed('rate_limit')], async () => {
      for (let count = 0; count < 3; count++) statuses.push((await limited.gql('{ __typename }')).status)
      statuses.push((await limited.rest('GET', '/v2/subscriptions/products/x')).status)
    })
    expect([statuses, grown]).toEqual([[200, 200, 429, 429], [2]])
  })

  test('a stream beyond those that may be open counts as shed under that reason', async () => {
    const streams = await start({ streams: { streamsMax: 0 } })
    const query = `subscription { releasePublished(catalogId: "${ids.catalog}") { release { id } } }`
    const grown = await growth(streams, [shed('streams')], async () => {
      const reply = await streams.gql(query, {}, { headers: { accept: 'text/event-stream' } })
      expect(reply.status).toBe(503)
    })
    expect(grown).toEqual([1])
  })
})

describe('the database', () => {
  const sent = (outcome: string) => `commerce_statement_duration_seconds_count{outcome="${outcome}"}`

  test('each statement counts once with its outcome, whether raw, of a transaction or a callback', async () => {
    const grown = await growth(server, [sent('ok'), sent('failed')], async () => {
      await database.query('metrics_one', 'SELECT 1')
      await database.pool.query('SELECT 2')
      await database.prisma.storeFact.count()
      await database.pool.query('SELECT 1 / 0').catch(() => undefined)
    })
    // The scrape before sent one itself.
    expect(grown).toEqual([3 + 1, 1])
  })

  test('a server that has stopped observes no more statements', async () => {
    const stopped = await start()
    await stopped.stop()
    expect(await growth(server, [sent('ok')], () => database.query('metrics_one', 'SELECT 1'))).toEqual([1 + 1])
  })

  test('connections to the database are counted by their state', async () => {
    const scraped = await scrape(server)
    const pool = (state: string) => scraped.get(`commerce_pool_connections{state="${state}"}`)
    expect(scraped.get('commerce_pool_connections_max')).toBe(database.pool.options.max)
    expect([pool('used'), pool('waiting')]).toEqual([0, 0])
    expect(pool('idle')).toBe(database.pool.totalCount)
  })
})

test('the metric of the newest release gives its instant, and nothing where none is public yet or published', async () => {
  const [row] = await database.query<{ at: Date }>('metrics_newest', 'SELECT max(published_at) AS at FROM release')
  const at = row?.at.getTime() ?? 0
  const newest = async (now: number) => {
    server.now = now
    return (await scrape(server)).get('commerce_newest_release_timestamp_seconds')
  }
  expect([await newest(at - 1), await newest(at)]).toEqual([undefined, at / 1_000])
  await database.pool.query("UPDATE release SET status = 'retired'")
  expect(await newest(at)).toBeUndefined()
  await database.pool.query("UPDATE release SET status = 'published'")
})

test('the event loop and the process are measured', async () => {
  const scraped = await scrape(server)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total'])
    expect(scraped.get(name), name).toBeGreaterThan(0)
})
