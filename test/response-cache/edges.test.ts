/** HTTP caching of both edges over real sockets: headers, ETags and 304. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCatalogRule } from '../../src/operations/catalog/catalog-rule.ts'
import { countStatements, useDatabase } from '../support/database.ts'
import { flash, fullStore, ids, winter } from '../support/full-store.ts'
import { contextOf } from '../support/price-books.ts'
import { listingPath, publish, publishStore } from '../support/published.ts'
import { manualClock, type RestReply, startTestServer, type TestServer } from '../support/server.ts'

const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'documents-'))
const names =
  'query Names($id: ID!) { catalog(id: $id) { release(id: "latest") { product(by: { id: "MACHINE" }) { name price { amount { amount } } } } } }'.replace(
    'MACHINE',
    ids.machine,
  )
const hash = createHash('sha256').update(names).digest('hex')
let server: TestServer

beforeAll(async () => {
  writeFileSync(join(folder, 'names.graphql'), names)
  const config = { persistedDocuments: folder, cacheMaxAge: 60, corsOrigins: ['https://a.example'] }
  server = await startTestServer(database, { elapsed: manualClock(), config })
  await publishStore(server, fullStore())
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

/** Nothing changes within an hour. */
const quiet = winter.from - 86_400_000
beforeEach(() => {
  server.now = quiet
})

const variables = { id: ids.catalog }
const graphTarget = (parameters: Record<string, string>) =>
  `/graphql?${new URLSearchParams({ ...parameters, variables: JSON.stringify(variables) })}`
const targets = {
  REST: listingPath(ids.catalog, ids.hierarchy, 'page[limit]=2'),
  'a query by GET': graphTarget({ query: names }),
  'a persisted document by GET': graphTarget({ documentId: `sha256:${hash}` }),
} as const
const edges = Object.keys(targets) as (keyof typeof targets)[]

type Viewer = { readonly role: 'admin' | 'shopper'; readonly accountId?: string }

async function get(
  path: string,
  headers: Record<string, string> = {},
  viewer: Viewer = { role: 'shopper' },
  method = 'GET',
): Promise<RestReply> {
  const { token } = await server.issue({ subject: viewer.role, ...viewer }, Math.floor(server.now / 1000) * 1000)
  return server.rest(method, path, { token, headers })
}

function headersOf({ status, headers }: RestReply) {
  return [
    status,
    ...['cache-control', 'etag', 'vary', 'content-type', 'content-length'].map((name) => headers.get(name)),
  ]
}

describe.each(edges)('%s', (edge) => {
  const path = targets[edge]
  const isGraph = edge !== 'REST'

  it(`a cacheable response of ${edge} has the same headers when it is computed, when it is stored and when it comes from the cache`, async () => {
    const first = await get(path)
    const vary = `Origin, Authorization, Accept-Language, X-MOLTIN-CURRENCY, Accept-Encoding${isGraph ? ', Accept, GraphQL-Cost' : ''}`
    const type = isGraph ? 'application/json; charset=utf-8' : 'application/json'
    const etag = first.headers.get('etag')
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    expect(headersOf(first)).toEqual([
      200,
      'private, max-age=60',
      etag,
      vary,
      type,
      String(Buffer.byteLength(first.text)),
    ])
    for (let again = 0; again < 3; again++) {
      const reply = await get(path)
      expect(headersOf(reply)).toEqual(headersOf(first))
      expect(reply.text).toBe(first.text)
    }
  })

  it(`a cacheable response of ${edge} needs no statement once it is cached`, async () => {
    for (let again = 0; again < 2; again++) await get(path)
    expect((await countStatements(database, () => get(path))).count).toBe(0)
  })

  it(`a cacheable response of ${edge} is 304 without a body for its ETag, cached or not`, async () => {
    const languages = { 'accept-language': `fr;q=0.${edges.indexOf(edge)}` }
    const { headers } = await get(path, { 'x-moltin-currency': 'EUR', ...languages })
    const etag = headers.get('etag') ?? ''
    for (let again = 0; again < 3; again++) {
      const reply = await get(path, { 'x-moltin-currency': 'EUR', ...languages, 'if-none-match': `"x", ${etag}` })
      expect(headersOf(reply)).toEqual([304, 'private, max-age=60', etag, headers.get('vary'), null, null])
      expect(reply.text).toBe('')
    }
    expect((await get(path, { 'if-none-match': '"x"' })).status).toBe(200)
  })

  it(`a cacheable path of ${edge} is 401, 429 or 406 for refused requests, and never 304`, async () => {
    for (let again = 0; again < 3; again++) await get(path)
    const headers = { 'if-none-match': '*' }
    for (const token of [null, 'x']) expect((await server.rest('GET', path, { token, headers })).status).toBe(401)
    if (isGraph) expect((await get(path, { ...headers, accept: 'image/png' })).status).toBe(406)
    const limited = await startTestServer(database, { config: { rateLimit: 1, persistedDocuments: folder } })
    limited.now = quiet
    const { token } = await limited.issue({ subject: edge, role: 'shopper' }, quiet)
    const ask = () => limited.rest('GET', path, { token, headers })
    expect([(await ask()).status, (await ask()).status]).toEqual([304, 429])
    await limited.stop()
  })

  it(`list.true-until-next-change: a cacheable response of ${edge} has the whole seconds until the next price change as max-age, at most CACHE_MAX_AGE`, async () => {
    for (const [before, seconds] of [
      [60_001, 60],
      [60_000, 60],
      [59_999, 59],
      [1_000, 1],
      [999, 0],
      [1, 0],
    ] as const) {
      for (const change of [winter.from, flash.from, flash.to, winter.to]) {
        server.now = change - before
        for (let again = 0; again < 3; again++)
          expect((await get(path)).headers.get('cache-control')).toBe(`private, max-age=${seconds}`)
      }
    }
  })

  it(`a cacheable response of ${edge} has another ETag after a price change, and is sent again`, async () => {
    server.now = flash.from - 1
    const headers = { 'if-none-match': (await get(path)).headers.get('etag') ?? '' }
    expect((await get(path, headers)).status).toBe(304)
    server.now = flash.from
    const changed = await get(path, headers)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(headers['if-none-match'])
  })

  it(`release.is-a-snapshot: a cacheable response of ${edge} has another ETag after a publish that changes it, and is sent again`, async () => {
    const headers = { 'if-none-match': (await get(path)).headers.get('etag') ?? '' }
    for (let again = 0; again < 3; again++) expect((await get(path, headers)).status).toBe(304)
    await database.pool.query('UPDATE product SET name = name || $1 WHERE id = $2', [edge, ids.machine])
    await publish(server, ids.catalog)
    const changed = await get(path, headers)
    expect(changed.status).toBe(200)
    expect(changed.text).toContain(edge)
    expect(changed.headers.get('etag')).not.toBe(headers['if-none-match'])
  })
})

describe('REST alone', () => {
  it('http.paths-and-aliases: HEAD of a cacheable path of REST has the headers of GET, and is 304 as well', async () => {
    const whole = await get(targets.REST)
    for (let again = 0; again < 3; again++) {
      const head = await get(targets.REST, {}, { role: 'shopper' }, 'HEAD')
      expect(headersOf(head)).toEqual(headersOf(whole))
      expect(head.text).toBe('')
      const known = await get(
        targets.REST,
        { 'if-none-match': whole.headers.get('etag') ?? '' },
        { role: 'shopper' },
        'HEAD',
      )
      expect(known.status).toBe(304)
    }
  })

  it.each([
    ['a record', `/v2/subscriptions/products/${ids.unknown}`, 404],
    ['a release that is not there', listingPath(ids.unknown, ids.hierarchy), 404],
    ['a query that is refused', listingPath(ids.catalog, ids.hierarchy, 'page[limit]=x'), 400],
  ])('a response of REST to %s is not stored', async (_, path, status) => {
    for (let again = 0; again < 3; again++) {
      const { headers, status: found } = await get(path, { 'if-none-match': '*' })
      expect([found, headers.get('cache-control'), headers.get('etag')]).toEqual([status, 'private, no-store', null])
    }
  })
})

describe('GraphQL alone', () => {
  it('graph.expected-failures-in-payload: a POST to the graph is cached by the server and not by clients', async () => {
    const ask = () =>
      server.rest('POST', '/graphql', {
        body: { query: names, variables },
        headers: { 'if-none-match': '*' },
        token: server.shopper,
      })
    const { text } = await get(targets['a query by GET'])
    server.now = quiet
    for (let again = 0; again < 3; again++) {
      const { result, count } = await countStatements(database, ask)
      expect(headersOf(result)).toEqual([
        200,
        'private, no-store',
        null,
        'Origin, Accept-Encoding',
        'application/json; charset=utf-8',
        String(text.length),
      ])
      expect(result.text).toBe(text)
      if (again > 1) expect(count).toBe(0)
    }
  })

  it('each media type of a GraphQL response has its own ETag', async () => {
    const tag = async (accept: string) => {
      const { headers } = await get(targets['a query by GET'], { accept })
      return [headers.get('content-type'), headers.get('etag')]
    }
    const graphql = 'application/graphql-response+json'
    const [json, response] = [await tag('application/json'), await tag(graphql)]
    expect([json[0], response[0]]).toEqual(['application/json; charset=utf-8', `${graphql}; charset=utf-8`])
    expect(json[1]).not.toBe(response[1])
    for (let again = 0; again < 3; again++) {
      expect(await tag('application/json')).toEqual(json)
      expect(await tag(graphql)).toEqual(response)
    }
  })

  const inRelease = (fields: string) => `catalog(id: "${ids.catalog}") { release(id: "latest") { ${fields} } }`
  it.each([
    ['a record of the release', `{ ${inRelease('sequence warningCount')} }`, 'admin'],
    ['a record beside the release', `{ ${inRelease('sequence')} account(id: "${ids.unknown}") { id } }`],
    [
      'what a publish does at the moment',
      `{ catalog(id: "${ids.catalog}") { publishing { step } release(id: "latest") { sequence } } }`,
      'admin',
    ],
    [
      'a price at an instant',
      `{ ${inRelease(`product(by: { id: "${ids.machine}" }) { price(at: "${new Date(quiet).toISOString()}") { amount { amount } } }`)} }`,
    ],
    ['no release', '{ __typename }'],
    ['the schema', '{ __schema { queryType { name } } }'],
    ['an error beside the release', `{ ${inRelease('sequence')} release(id: "x") { id } }`],
  ])('a GraphQL response to %s is not stored', async (_, query, role = 'shopper') => {
    for (let again = 0; again < 3; again++) {
      const reply = await get(
        `/graphql?${new URLSearchParams({ query })}`,
        { 'if-none-match': '*' },
        { role: role as Viewer['role'] },
      )
      expect(headersOf(reply).slice(0, 3)).toEqual([200, 'private, no-store', null])
    }
  })

  it('a GraphQL response with its cost is not stored, and a stored one without it is not sent instead', async () => {
    for (let again = 0; again < 3; again++) {
      await get(targets['a query by GET'])
      const { body, headers } = await get(targets['a query by GET'], { 'graphql-cost': '1' })
      expect(body.extensions.cost.figure).toBeGreaterThan(0)
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null])
    }
  })

  it('a mutation whose selection reads a release is not stored', async () => {
    const query = `mutation { publishRelease(input: { catalogId: "${ids.catalog}" }) { release { catalog { release(id: "latest") { sequence } } } } }`
    const sequences = new Set<number>()
    for (let again = 0; again < 4; again++) {
      const { token } = await server.issue({ subject: 'a', role: 'admin' }, quiet)
      sequences.add((await server.gql(query, {}, { token })).data.publishRelease.release.catalog.release.sequence)
    }
    expect(sequences.size).toBe(4)
  })
})

describe('catalog-rule.most-matches-win: what the storefront is', () => {
  const storefronts = {
    REST: `/catalog/hierarchies/${ids.hierarchy}/products?page[limit]=1`,
    'a query by GET': `/graphql?${new URLSearchParams({ query: '{ storefront { id latestRelease { sequence } } }' })}`,
  }
  const [from, to] = [quiet + 5_000, quiet + 9_000]
  const validUntil = ({ body }: RestReply) => body.extensions?.validUntil

  beforeAll(async () => {
    const instants = [from, to].map((instant) => new Date(instant).toISOString())
    await createCatalogRule(contextOf(server.services, quiet), {
      data: {
        type: 'catalog_rule',
        attributes: {
          name: 'Preview',
          catalog_id: ids.catalog,
          channels: ['web'],
          schedules: [{ valid_from: instants[0], valid_to: instants[1] }],
        },
      },
    })
  })

  it.each(Object.entries(storefronts))(
    'the storefront, %s, is private, varies by the shopper, and is 304 for its ETag',
    async (edge, path) => {
      const first = await get(path)
      const vary =
        'Origin, Authorization, Accept-Language, X-MOLTIN-CURRENCY, EP-Channel, EP-Context-Tag, Accept-Encoding'
      const etag = first.headers.get('etag') ?? ''
      expect(headersOf(first).slice(0, 4)).toEqual([
        200,
        'private, max-age=60',
        etag,
        edge === 'REST' ? vary : `${vary}, Accept, GraphQL-Cost`,
      ])
      for (let again = 0; again < 3; again++) expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
      expect((await countStatements(database, () => get(path))).count).toBe(0)
    },
  )

  it.each(Object.entries(storefronts))(
    'the storefront, %s, is true until the next bound of a schedule, to the millisecond, for those whom the rule matches',
    async (edge, path) => {
      for (const [before, seconds] of [
        [1_001, 1],
        [1_000, 1],
        [999, 0],
        [1, 0],
      ] as const) {
        for (const bound of [from, to]) {
          server.now = bound - before
          for (let again = 0; again < 3; again++) {
            const [web, app] = [await get(path, { 'ep-channel': 'web' }), await get(path, { 'ep-channel': 'app' })]
            expect([web, app].map(({ headers }) => headers.get('cache-control'))).toEqual([
              `private, max-age=${seconds}`,
              'private, max-age=60',
            ])
            if (edge !== 'REST') expect([web, app].map(validUntil)).toEqual([new Date(bound).toISOString(), null])
          }
        }
      }
      server.now = to
      expect((await get(path, { 'ep-channel': 'web' })).headers.get('cache-control')).toBe('private, max-age=60')
    },
  )

  it('a response with the storefront is never public, unlike a catalog that no rule names', async () => {
    const shared = await startTestServer(database, { config: { cachePublic: true, persistedDocuments: folder } })
    shared.now = quiet
    await database.pool.query('DELETE FROM catalog_rule')
    const { token } = await shared.issue({ subject: 'any', role: 'shopper' }, quiet)
    const control = async (path: string) => (await shared.rest('GET', path, { token })).headers.get('cache-control')
    expect(await control(targets.REST)).toMatch(/^public/)
    for (const path of Object.values(storefronts)) expect(await control(path)).toMatch(/^private, max-age=/)
    await shared.stop()
  })
})

it('cached responses are not shared between the edges, nor between POST and GET', async () => {
  for (const path of Object.values(targets)) {
    for (let again = 0; again < 3; again++) expect((await get(path)).status).toBe(200)
    const headers = { 'content-type': 'application/json' }
    const reply = await server.rest('POST', '/graphql', { raw: path, headers, token: server.shopper })
    expect(reply.status).toBe(400)
  }
})

it('tier.listing-shows-those-that-supply: a cached response expires when its tiers change', async () => {
  const query = names.replace(
    'price { amount { amount } }',
    'price(currency: "USD", quantity: 12) { amount { amount } changesAt tiers { name } }',
  )
  const shown = async () => {
    const { headers, body } = await get(graphTarget({ query }))
    const { price } = body.data.catalog.release.product
    return [
      headers.get('cache-control'),
      price.amount.amount,
      price.changesAt,
      price.tiers.map(({ name }: { name: string }) => name),
    ]
  }
  for (let again = 0; again < 3; again++) {
    server.now = winter.from - 5_000
    expect(await shown()).toEqual(['private, max-age=5', 45_000, new Date(winter.from).toISOString(), ['dozen']])
  }
  server.now = winter.from
  expect(await shown()).toEqual(['private, max-age=60', 39_000, new Date(flash.from).toISOString(), ['pair']])
})

it.each(['', '-', 'null'])(
  'price.malformed-currency-refused: "%s" is refused even if the response without a currency is cached',
  async (currency) => {
    for (let again = 0; again < 3; again++) expect((await get(targets.REST)).status).toBe(200)
    expect((await get(targets.REST, { 'x-moltin-currency': currency })).status).toBe(400)
  },
)

it('scripts of other origins may send If-None-Match and read the ETag', async () => {
  const origin = 'https://a.example'
  expect((await get(targets.REST, { origin })).headers.get('access-control-expose-headers')).toContain('ETag')
  const preflight = await server.rest('OPTIONS', targets.REST, {
    token: null,
    headers: { origin, 'access-control-request-method': 'GET' },
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('If-None-Match')
})

it('with all origins allowed, a response without CORS headers is not reused for a request with an Origin', async () => {
  const open = await startTestServer(database, { config: { corsOrigins: ['*'] } })
  open.now = quiet
  const { token } = await open.issue({ subject: 'any', role: 'shopper' }, quiet)
  const vary = (await open.rest('GET', targets.REST, { token })).headers.get('vary')
  expect(vary).toMatch(/^Origin, Authorization/)
  await open.stop()
})
