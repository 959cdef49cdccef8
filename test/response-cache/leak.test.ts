/**
 * A server with the response cache and one without, side by side over the same database: whatever was requested before and whatever was
 * written meanwhile, both send the same status, headers and bytes to anyone at any instant.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { createCatalogRule, deleteCatalogRule, updateCatalogRule } from '../../src/operations/catalog/catalog-rule.ts'
import { deleteRelease } from '../../src/operations/catalog/release.ts'
import type { Context } from '../../src/request/context.ts'
import { ResponseCache } from '../../src/response-cache/response-cache.ts'
import { useDatabase } from '../support/database.ts'
import { flash, fullStore, ids, winter } from '../support/full-store.ts'
import { contextOf } from '../support/price-books.ts'
import { idOf as numbered } from '../support/products.ts'
import { listingPath, publish } from '../support/published.ts'
import { manualClock, startTestServer, type TestServer } from '../support/server.ts'
import { insertStore } from '../support/store.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from '../support/subscriptions.ts'

const database = useDatabase()
const otherCatalog = numbered(0xcb)
const account = idOf('account', 1)
let cached: TestServer
let plain: TestServer

beforeAll(async () => {
  // The set of published releases is re-read when the test says so: each publish below is made known to both servers.
  cached = await startTestServer(database, { elapsed: manualClock(), config: { cacheMaxAge: 5 } })
  plain = await startTestServer(database, { elapsed: manualClock(), config: { cacheMaxAge: 5 }, cacheResponses: false })
  const store = fullStore()
  const [catalog] = store.catalogs
  if (catalog) store.catalogs.push({ ...catalog, id: otherCatalog, name: 'Other store' })
  await insertStore(database, store)
  const ctx = contextAs(cached.services, cached.now)
  await makeProduct(cached, idOf('product', 1))
  await makePlan(ctx, idOf('plan', 1))
  await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)] })
  for (const catalogId of [ids.catalog, otherCatalog]) await write({ kind: 'publish', by: 'cached', catalogId })
  return async () => {
    await cached.stop()
    await plain.stop()
  }
})

const inCatalog = (fields: string) => `{ catalog(id: "${ids.catalog}") { ${fields} } }`
const inRelease = (fields: string) => inCatalog(`release(id: "latest") { ${fields} }`)
const accountFields = '{ id subscriptions(first: 3) { totalCount nodes { subscriber { name } } } }'
const priced = `key name description language sku tags curated breadCrumbs { node { key name } ancestors { name } }
  price { amount { amount } includesTax tier sale { name validTo } changesAt modifiers { name } list { amount { amount } } }
  prices(quantity: 3) { amount { currency amount formatted } originalAmount { formatted } }`
const page = (first: number, fields = priced) =>
  inRelease(`sequence hierarchy(id: "${ids.hierarchy}") { name products(first: ${first}) { totalCount nodes { ${fields} } } }`)

const queries: readonly string[] = [
  page(1),
  page(25),
  page(3, 'name price { priceBook { name } }'),
  page(3, `name price(at: "${new Date(winter.from).toISOString()}") { amount { amount } }`),
  inCatalog('name description firstPublishedAt releases(first: 2) { totalCount nodes { sequence } }'),
  inRelease('sequence startedAt'),
  inRelease(`sequence product(by: { id: "${ids.machine}" }) { name product { name } }`),
  inRelease('error'),
  `{ storefront { id name release(id: "latest") { sequence hierarchies { name } } } }`,
  `{ storefront { id latestRelease { sequence product(by: { id: "${ids.machine}" }) { name price { amount { amount } } } } } }`,
  `{ app: storefront(channel: "app", tags: []) { name } gold: storefront(tags: ["new", "gold"]) { name } headers: storefront { name } }`,
  `{ account(id: "${account}") ${accountFields} }`,
  `{ node(id: "${globalId('Account', account)}") { id __typename } }`,
  `{ ${page(1, 'name').slice(1, -1)} account(id: "${account}") ${accountFields} }`,
  `{ ${page(1, 'name').slice(1, -1)} storefront { id } }`,
  `{ nodes(ids: ["${globalId('Catalog', ids.catalog)}", "${globalId('Account', account)}"]) { id __typename ... on Catalog { name } } }`,
  `query @inContext(currency: "EUR", locale: "de-CH") ${page(2, 'name price { amount { formatted } }')}`,
  `query @inContext(at: "2026-01-12T00:00:00Z") ${page(2, 'name price { amount { formatted } }')}`,
  `query @inContext(channel: "web", tags: ["gold"]) { storefront { id name } }`,
  `{ catalogs { nodes { id name release(id: "latest") { sequence } } } }`,
  `{ subscriptionProduct(id: "${idOf('product', 1)}") { name } }`,
]
const paths: readonly string[] = [
  ...['', 'page[limit]=2', 'page[limit]=2&page[offset]=1', 'filter=eq(tags,coffee)', 'page[limit]=0'].map((query) =>
    listingPath(ids.catalog, ids.hierarchy, query),
  ),
  listingPath(otherCatalog, ids.hierarchy),
  `/catalog/hierarchies/${ids.hierarchy}/products?page[limit]=1`,
  `/v2/subscriptions/products/${idOf('product', 1)}`,
]

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'GET', 'HEAD'), path: fc.constantFrom(...paths) }),
  fc.constantFrom(...queries).map((query) => ({ method: 'POST', path: '/graphql', body: { query } })),
  fc.constantFrom(...queries).map((query) => ({ method: 'GET', path: `/graphql?${new URLSearchParams({ query })}` })),
)

interface Viewer {
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly accountId?: string
}

const viewers: readonly Viewer[] = [
  { subject: 'a', role: 'admin' },
  { subject: 'b', role: 'admin' },
  { subject: 'a', role: 'shopper' },
  { subject: 'c', role: 'shopper', accountId: account },
  { subject: 'c', role: 'shopper', accountId: idOf('account', 2) },
]

type Headers = Readonly<Record<string, string>>

const values: readonly Headers[] = [
  ...['EUR', 'USD'].map((value) => ({ 'x-moltin-currency': value })),
  ...['de-CH', 'fr;q=0.5, de-CH', 'de-CH;q=0'].map((value) => ({ 'accept-language': value })),
  ...['application/graphql-response+json', 'text/event-stream, application/json'].map((accept) => ({ accept })),
  ...[{ 'ep-channel': 'web' }, { 'ep-channel': 'app' }, { 'ep-context-tag': 'gold' }, { 'graphql-cost': '1' }],
]
/** Some headers, and the same with one added or changed. */
const headers = fc
  .tuple(fc.subarray([...values], { maxLength: 3 }), fc.constantFrom(...values))
  .map(([some, one]): Headers[] => [Object.assign({}, ...some), Object.assign({}, ...some, one)])

/** Two instants around a price change. */
const instants = fc
  .tuple(
    fc.constantFrom(winter.from, winter.to, flash.from, flash.to),
    fc.subarray([-4000, -1000, -999, -1, 0, 1, 1000], { minLength: 2, maxLength: 2 }),
  )
  .map(([change, by]) => by.map((milliseconds) => change + milliseconds))

/** Parts of the requests of a run: few of each, so that equal and similar requests repeat. */
const parts = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 2 }),
  viewers: fc.shuffledSubarray([...viewers], { minLength: 2, maxLength: 2 }),
  headers,
  instants,
})
const choice = fc.record({
  request: fc.nat(1),
  viewer: fc.nat(1),
  headers: fc.nat(1),
  instant: fc.nat(1),
  condition: fc.constantFrom('none', 'none', 'any', 'last'),
  /** From the third time on a response may come from the cache. */
  times: fc.constantFrom(1, 3),
})

interface Question {
  readonly request: Request
  readonly viewer: Viewer
  readonly headers: Headers
  readonly now: number
  /** If-None-Match: `*`, or the tag of the last response to the same request. */
  readonly condition: 'none' | 'any' | 'last'
}

interface Write {
  readonly kind: 'publish' | 'delete' | 'rename' | 'rule' | 'change rule' | 'delete rule' | 'subscribe'
  /** For all but renames and subscriptions: which server writes. */
  readonly by: 'cached' | 'plain'
  readonly catalogId: string
}

const writing: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom('publish', 'publish', 'delete', 'rename', 'rule', 'rule', 'change rule', 'delete rule', 'subscribe'),
  by: fc.constantFrom('cached', 'plain'),
  catalogId: fc.constantFrom(ids.catalog, otherCatalog),
})

const releases = new Map<string, string[]>()
const rules: string[] = []
let written = 0

/** Renames records of every kind that a query above reads, which a release shows only once it is published. */
async function rename(): Promise<void> {
  for (const table of ['product', 'price_book', 'subscription_product', 'catalog'])
    await database.pool.query(`UPDATE ${table} SET name = $1::text || right(id::text, 4)`, [`Name ${written} `])
}

/** Creates a rule, in half of the cases in force around the change of a price alone; or changes or deletes one. */
async function writeRule({ kind, catalogId }: Write, ctx: Context): Promise<void> {
  const criteria = [{ channels: ['web'] }, { tags: ['gold'] }, { account_ids: [account] }, { channels: ['app'], tags: ['new'] }][
    written % 4
  ]
  const [valid_from, valid_to] = [-1000, 999].map((by) => new Date(([winter.from, flash.to][written % 2] as number) + by).toISOString())
  const attributes = { catalog_id: catalogId, ...criteria, schedules: written % 8 < 4 ? [{ valid_from, valid_to }] : [] }
  const ruleId = kind === 'rule' ? undefined : rules[written % rules.length]
  if (ruleId === undefined) {
    const data = { type: 'catalog_rule', attributes: { name: `Rule ${written}`, ...attributes } }
    rules.push((await createCatalogRule(ctx, { data })).id)
  } else if (kind === 'change rule') {
    const cleared = { account_ids: [], channels: [], tags: [] }
    await updateCatalogRule(ctx, { ruleId, data: { type: 'catalog_rule', id: ruleId, attributes: { ...cleared, ...attributes } } })
  } else {
    await deleteCatalogRule(ctx, { ruleId })
    rules.splice(rules.indexOf(ruleId), 1)
  }
}

async function write(one: Write): Promise<void> {
  written++
  const ctx = contextOf(cached.services, cached.now)
  if (one.kind === 'rename') return rename()
  if (one.kind === 'subscribe') return void (await makeSubscription(ctx, { name: `Ada ${written}` }))
  const [server, other] = one.by === 'cached' ? [cached, plain] : [plain, cached]
  if (one.kind.endsWith('rule')) {
    await writeRule(one, contextOf(server.services, server.now))
    return other.services.releases.invalidate()
  }
  const published = releases.get(one.catalogId) ?? []
  releases.set(one.catalogId, published)
  const latest = one.kind === 'delete' && published.length > 1 ? published.pop() : undefined
  if (latest === undefined) published.push((await publish(server, one.catalogId)).id)
  else await deleteRelease(contextOf(server.services, server.now), { releaseId: latest })
  other.services.releases.invalidate()
}

async function ask(server: TestServer, { request, viewer, headers, now, condition }: Question, last: string) {
  server.now = now
  const { token } = await server.issue(viewer, Math.floor(now / 1000) * 1000)
  const conditional = condition === 'none' ? {} : { 'if-none-match': condition === 'any' ? '*' : last }
  const { method, path, body } = request
  const reply = await server.rest(method, path, { token, headers: { ...headers, ...conditional }, ...(body && { body }) })
  const sent = ['content-type', 'content-length', 'cache-control', 'vary'].map((name) => [name, reply.headers.get(name)])
  // An operation that is compiled orders the members of a failure otherwise than one that is interpreted.
  const text = reply.body?.errors ? reply.body : reply.text
  return { status: reply.status, text, etag: reply.headers.get('etag'), ...Object.fromEntries(sent) }
}

describe('the response cache', () => {
  it('right.shoppers-see-published-and-own, release.is-a-snapshot, list.true-until-next-change: changes no response, for any viewer, request, instant and order of writes', async () => {
    const find = vi.spyOn(ResponseCache.prototype, 'find')
    const steps = fc.array(fc.oneof({ weight: 7, arbitrary: choice }, { weight: 1, arbitrary: writing }), { minLength: 8, maxLength: 24 })
    await fc.assert(
      fc.asyncProperty(parts, steps, async ({ requests, viewers, headers, instants }, steps) => {
        const tags = new Map<Request, string>()
        for (const step of steps) {
          if ('kind' in step) {
            await write(step)
            continue
          }
          const request = requests[step.request % requests.length] as Request
          const [viewer, now] = [viewers[step.viewer] as Viewer, instants[step.instant] as number]
          const one = { request, viewer, headers: headers[step.headers] ?? {}, now, condition: step.condition }
          const tag = tags.get(request) ?? '"none"'
          const made = await ask(plain, one, tag)
          if (made.etag) tags.set(request, made.etag)
          for (let time = 0; time < step.times; time++) expect(await ask(cached, one, tag)).toEqual(made)
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
    expect(find.mock.results.filter(({ value }) => value !== undefined).length).toBeGreaterThan(50)
    find.mockRestore()
  }, 240_000)
})
