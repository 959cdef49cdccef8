/**
 * The requests of leak.test.ts: queries and paths with every feature that may be cached, viewers, headers and instants.
 */
import fc from 'fast-check'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { flash, ids, winter } from '../support/full-store.ts'
import { idOf as numbered } from '../support/products.ts'
import { listingPath } from '../support/published.ts'
import { idOf } from '../support/subscriptions.ts'

/** A second catalog over the same records. */
export const otherCatalog = numbered(0xcb)
/** The account with subscriptions. */
export const account = idOf('account', 1)

const inCatalog = (fields: string) => `{ catalog(id: "${ids.catalog}") { ${fields} } }`
const inRelease = (fields: string) => inCatalog(`release(id: "latest") { ${fields} }`)
const accountFields = '{ id subscriptions(first: 3) { totalCount nodes { subscriber { name } } } }'
const priced = `key name description language sku tags curated breadCrumbs { node { key name } ancestors { name } }
  price { amount { amount } includesTax tier sale { name validTo } changesAt modifiers { name } list { amount { amount } } }
  prices(quantity: 3) { amount { currency amount formatted } originalAmount { formatted } }`
const page = (first: number, fields = priced) =>
  inRelease(
    `sequence hierarchy(id: "${ids.hierarchy}") { name products(first: ${first}) { totalCount nodes { ${fields} } } }`,
  )

const ofMachine = (fields: string) => inRelease(`product(by: { id: "${ids.machine}" }) { name price { ${fields} } }`)

export const queries: readonly string[] = [
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
  inRelease(
    `sequence products(first: 2) { totalCount priceRange { min { amount } max { amount } } facets { key label values { value label count } } }`,
  ),
  inRelease(
    'products(first: 2) { facets(keys: [{ onSale: true }, { priceSteps: { steps: [10000, 35000] } }]) { values { value count } } }',
  ),
  inRelease('products(first: 3, filter: { search: "coffee" }) { totalCount nodes { name } }'),
  inRelease(
    'products(first: 3, orderBy: { field: PRICE, direction: DESC }) { nodes { name price { amount { amount } } } }',
  ),
  inRelease('products(first: 3, filter: { onSale: true, price: { min: 1 } }) { totalCount nodes { name } }'),
  inRelease(
    'products(first: 9, groupVariants: true) { totalCount nodes { name } facets { key values { value count } } }',
  ),
  inRelease(
    `node(by: { id: "${ids.machines}" }) { name products(first: 3, descendants: false) { totalCount nodes { name } } }`,
  ),
  ofMachine('explanation { kind name outcome reason amount { amount } }'),
  ofMachine('sale { name } lowestPrior(days: 5) { amount }'),
  inRelease(`product(by: { id: "${ids.machine}" }) {
    priceTimeline(from: "2026-01-01T00:00:00Z", to: "2026-01-12T12:00:00Z") { from to price { amount { amount } sale { name } } } }`),
  inRelease('sequence menu(depth: 3) { level childCount node { name } }'),
  inCatalog('latestRelease { sequence status publishedAt } scheduledReleases { sequence scheduledFor status }'),
  inCatalog('latestRelease { sequence products(first: 1) { nodes { name price { amount { amount } changesAt } } } }'),
  inCatalog(`draft { productCount products(first: 2) { nodes { name price { amount { amount } } } }
    changesSince(releaseId: "latest", first: 3) { totalCount nodes { kind fields after { name } } } }`),
]
export const paths: readonly string[] = [
  ...['', 'page[limit]=2', 'page[limit]=2&page[offset]=1', 'filter=eq(tags,coffee)', 'page[limit]=0'].map((query) =>
    listingPath(ids.catalog, ids.hierarchy, query),
  ),
  listingPath(otherCatalog, ids.hierarchy),
  `/catalog/hierarchies/${ids.hierarchy}/products?page[limit]=1`,
  `/v2/subscriptions/products/${idOf('product', 1)}`,
]

export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: object
}

export const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'GET', 'HEAD'), path: fc.constantFrom(...paths) }),
  fc.constantFrom(...queries).map((query) => ({ method: 'POST', path: '/graphql', body: { query } })),
  fc.constantFrom(...queries).map((query) => ({ method: 'GET', path: `/graphql?${new URLSearchParams({ query })}` })),
)

export interface Viewer {
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly accountId?: string
}

export const viewers: readonly Viewer[] = [
  { subject: 'a', role: 'admin' },
  { subject: 'b', role: 'admin' },
  { subject: 'a', role: 'shopper' },
  { subject: 'c', role: 'shopper', accountId: account },
  { subject: 'c', role: 'shopper', accountId: idOf('account', 2) },
]

export type Headers = Readonly<Record<string, string>>

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
export const parts = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 2 }),
  viewers: fc.shuffledSubarray([...viewers], { minLength: 2, maxLength: 2 }),
  headers,
  instants,
})
export const choice = fc.record({
  request: fc.nat(1),
  viewer: fc.nat(1),
  headers: fc.nat(1),
  instant: fc.nat(1),
  condition: fc.constantFrom('none', 'none', 'any', 'last'),
  /** From the third time on a response may come from the cache. */
  times: fc.constantFrom(1, 3),
})
