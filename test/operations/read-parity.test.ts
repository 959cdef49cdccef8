/** What can be read on both edges: the same records in the same order, through filters and pages of every length. */
import { beforeAll, describe, expect, it } from 'vitest'
import { rawId } from '../../src/graphql/schema/ids.ts'
import { documentedRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { at, fullStore, ids } from '../support/full-store.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { idOf } from '../support/products.ts'
import { publishStore } from '../support/published.ts'
import { useServer } from '../support/server.ts'
import {
  contextAs,
  makeOffering,
  makePlan,
  makeProduct,
  makeSubscription,
  idOf as recordId,
} from '../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const NOW = at('2026-01-12T12:00:00Z')
const SKUS = Array.from({ length: 30 }, (_, number) => `SKU ${String((number * 7) % 30).padStart(2, '0')}`)
let book = ''
let priceId = ''
let subscriptionId = ''

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Answer = any

beforeAll(async () => {
  server.now = NOW
  const store = fullStore()
  // Many that were updated at one instant: the id decides (list.latest-update-first).
  for (let number = 0; number < 25; number++) {
    const id = idOf(0x900 + ((number * 7) % 25))
    const tags = [number % 2 === 0 ? 'even' : 'odd', 'coffee']
    const times = { created_at: 1, updated_at: 1000 + Math.floor(number / 5) }
    store.products.push({
      id,
      name: `Mug ${number % 10}`,
      slug: 'mug',
      status: 'live',
      sku: `MUG-${number}`,
      tags,
      ...times,
    })
    store.attachments.push({ node_id: number % 3 === 0 ? ids.clothes : ids.espresso, product_id: id })
  }
  await publishStore(server, store)
  book = (await makeBook(contextOf(server.services, NOW), 'Parity', { external_ref: 'book' })).id
  for (const [number, sku] of SKUS.entries()) {
    // Three of them share each instant (price-book.prices-oldest-first).
    const ctx = contextOf(server.services, NOW + Math.floor(number / 3))
    const currencies = { USD: { amount: number }, ...(number % 2 === 0 && { EUR: { amount: null } }) }
    const sales = number % 5 === 0 ? { spring: { currencies: { USD: { amount: 1 } } } } : {}
    priceId = (await makePrice(ctx, book, sku, { external_ref: `ref ${number}`, currencies, sales })).id
  }
  const [product, plan, offering] = [recordId('product', 1), recordId('plan', 1), recordId('offering', 1)]
  await makeProduct({ services: server.services, now: NOW }, product, {
    sku: 'PAPER',
    price: { USD: { amount: 5, includes_tax: true } },
  })
  await makePlan(contextAs(server.services, NOW), plan)
  await makeOffering(contextAs(server.services, NOW), offering, { plans: [plan], products: [product] })
  subscriptionId = (await makeSubscription(contextAs(server.services, NOW), { external_ref: 'ref' })).id
})

interface Listed {
  readonly total: number
  readonly records: readonly unknown[]
}

interface List {
  /** The route's id in the OpenAPI document. */
  readonly route: string
  readonly path: () => string
  /** The connection's field, between these. */
  readonly field: readonly [before: string, after: string]
  readonly connection: string
  readonly filterType: string
  readonly selected: string
  /** A record by REST and by GraphQL. */
  readonly ofRest: (item: Answer) => unknown
  readonly ofGraph: (node: Answer) => unknown
  /** Filters of the facade and of the graph that mean the same. */
  readonly filters: readonly (readonly [rest: string, graph: object])[]
}

const HEADERS = { 'accept-language': 'fr;q=0.5, de-CH', 'x-moltin-currency': 'EUR' }

/** All pages, by the links. */
async function walkRest({ path, ofRest }: List, filter: string | null, limit: number): Promise<Listed> {
  const records: unknown[] = []
  const query = `page[limit]=${limit}${filter === null ? '' : `&filter=${encodeURIComponent(filter)}`}`
  for (let next = `${path()}?${query}`; ; ) {
    const { status, body } = await server.rest('GET', next, { headers: HEADERS })
    expect(status).toBe(200)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    records.push(...body.data.map(ofRest))
    if (body.links.next === null) return { total: body.meta.results.total, records }
    next = body.links.next
  }
}

/** All pages, by the cursors. */
async function walkGraph(list: List, filter: object | null, first: number): Promise<Listed> {
  const records: unknown[] = []
  const [before, after] = list.field
  const query = `query ($first: Int, $after: String, $filter: ${list.filterType}) { ${before} ${list.connection}(first: $first, after: $after, filter: $filter) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ${list.selected} } } ${after} }`
  for (let cursor: string | null = null; ; ) {
    const { data, errors } = await server.gql(query, { first, after: cursor, filter }, { headers: HEADERS })
    expect(errors).toBeUndefined()
    let found = data
    while (found.totalCount === undefined) [found] = Object.values<Answer>(found)
    records.push(...found.nodes.map(list.ofGraph))
    if (!found.pageInfo.hasNextPage) return { total: found.totalCount, records }
    cursor = found.pageInfo.endCursor
  }
}

const hierarchyList = {
  connection: 'products',
  filterType: 'CatalogProductFilter',
  selected: `key name language sku slug tags productTypes updatedAt curated(in: "${ids.hierarchy}") priceBookKey
    price { amount { formatted } } breadCrumbs { node { key } }`,
  ofRest: ({ id, attributes, meta }: Answer) => ({
    id,
    name: attributes.name,
    language: attributes.language ?? null,
    sku: attributes.sku ?? null,
    slug: attributes.slug,
    tags: attributes.tags,
    types: attributes.product_types,
    updatedAt: attributes.updated_at,
    curated: attributes.curated_product ?? false,
    book: meta.pricebook_id,
    shown: meta.display_price?.with_tax.formatted ?? null,
    nodes: meta.bread_crumb_nodes,
  }),
  ofGraph: (node: Answer) => ({
    id: node.key,
    name: node.name,
    language: node.language,
    sku: node.sku,
    slug: node.slug,
    tags: node.tags,
    types: node.productTypes.map((type: string) => type.toLowerCase()),
    updatedAt: node.updatedAt,
    curated: node.curated,
    book: node.priceBookKey && rawId('PriceBook', node.priceBookKey),
    shown: node.price?.amount.formatted ?? null,
    nodes: node.breadCrumbs.slice(0, 10).map((one: Answer) => one.node.key),
  }),
  filters: [
    ['eq(name,Mug 3)', { name: { eq: 'Mug 3' } }],
    ['in(name,Mug 3,Manual)', { name: { in: ['Mug 3', 'Manual'] } }],
    ['in(sku,MUG-3,MUG-9,MUG-21,BEANS)', { sku: { in: ['MUG-3', 'MUG-9', 'MUG-21', 'BEANS'] } }],
    ['eq(slug,mug)', { slug: { eq: 'mug' } }],
    ['eq(mpn,EM-9)', { manufacturerPartNum: { eq: 'EM-9' } }],
    ['in(upc_ean,0012345678905)', { upcEan: { in: ['0012345678905'] } }],
    ['eq(product_types,child)', { productTypes: { eq: 'CHILD' } }],
    ['in(product_types,bundle,parent)', { productTypes: { in: ['BUNDLE', 'PARENT'] } }],
    ['eq(tags,Coffee)', { tags: { eq: 'Coffee' } }],
    ['in(tags,odd,clothes)', { tags: { in: ['odd', 'clothes'] } }],
    [`in(id,${ids.beans},${ids.machine},${idOf(0x905)})`, { id: { in: [ids.beans, ids.machine, idOf(0x905)] } }],
    ['eq(tags,coffee):in(sku,MUG-1,MUG-2,BEANS)', { tags: { eq: 'coffee' }, sku: { in: ['MUG-1', 'MUG-2', 'BEANS'] } }],
    ['eq(sku,nothing)', { sku: { eq: 'nothing' } }],
  ],
} satisfies Partial<List>

const lists: readonly List[] = [
  {
    ...hierarchyList,
    route: 'getHierarchyProducts',
    path: () => `/pcm/catalogs/${ids.catalog}/releases/latest/hierarchies/${ids.hierarchy}/products`,
    field: [`catalog(id: "${ids.catalog}") { release(id: "latest") { hierarchy(id: "${ids.hierarchy}") {`, '} } }'],
  },
  {
    ...hierarchyList,
    route: 'getStorefrontHierarchyProducts',
    path: () => `/catalog/hierarchies/${ids.hierarchy}/products`,
    field: [`storefront { release(id: "latest") { hierarchy(id: "${ids.hierarchy}") {`, '} } }'],
  },
  {
    route: 'listProductPrices',
    path: () => `/pcm/pricebooks/${book}/prices`,
    get field() {
      return [`priceBook(id: "${book}") {`, '}'] as const
    },
    connection: 'prices',
    filterType: 'ProductPriceFilter',
    selected:
      'id sku externalRef createdAt updatedAt prices { currency amount { amount } } sales { name prices { currency amount { amount } } }',
    ofRest: restPrice,
    ofGraph: graphPrice,
    filters: [
      ['eq(sku,SKU 07)', { sku: { eq: 'SKU 07' } }],
      ['in(sku,SKU 07,SKU 21,SKU 01,SKU 29,none)', { sku: { in: ['SKU 07', 'SKU 21', 'SKU 01', 'SKU 29', 'none'] } }],
      ['eq(external_ref,ref 4)', { externalRef: { eq: 'ref 4' } }],
      [
        'in(sku,SKU 07,SKU 14):eq(external_ref,ref 1)',
        { sku: { in: ['SKU 07', 'SKU 14'] }, externalRef: { eq: 'ref 1' } },
      ],
      ['eq(sku,none)', { sku: { eq: 'none' } }],
    ],
  },
]

function restPrice({ id, attributes }: Answer) {
  const amounts = (currencies: Answer = {}) =>
    Object.fromEntries(Object.entries<Answer>(currencies).map(([code, { amount }]) => [code, amount]))
  return {
    id,
    sku: attributes.sku,
    externalRef: attributes.external_ref,
    createdAt: attributes.created_at,
    updatedAt: attributes.updated_at,
    amounts: amounts(attributes.currencies),
    sales: Object.entries<Answer>(attributes.sales ?? {}).map(([name, { currencies }]) => [name, amounts(currencies)]),
  }
}

function graphPrice({ id, sku, externalRef, createdAt, updatedAt, prices, sales }: Answer) {
  const amounts = (given: Answer[]) =>
    Object.fromEntries(given.map(({ currency, amount }) => [currency, amount?.amount ?? null]))
  return {
    ...{ id: rawId('ProductPrice', id), sku, externalRef, createdAt, updatedAt },
    amounts: amounts(prices),
    sales: sales.map((sale: Answer) => [sale.name, amounts(sale.prices)]),
  }
}

describe.each(lists)('$route returns the same records by REST and GraphQL', (list) => {
  it.each([1, 7, 100])(
    `list.pages-and-links, graph.connections-both-ways: ${list.route} returns the same whole list by REST and GraphQL, in pages of %i`,
    async (length) => {
      const rest = await walkRest(list, null, length)
      expect(rest.total).toBe(rest.records.length)
      expect(rest.total).toBeGreaterThan(25)
      expect(await walkGraph(list, null, length)).toEqual(rest)
    },
  )

  it(`filter.clauses-all-hold: ${list.route} returns the same records by REST and GraphQL through each filter, in pages of 2`, async () => {
    let found = 0
    for (const [filter, meaning] of list.filters) {
      const rest = await walkRest(list, filter, 2)
      expect([filter, await walkGraph(list, meaning, 2)]).toEqual([filter, rest])
      expect(rest.total).toBe(rest.records.length)
      found += rest.total
    }
    expect(found).toBeGreaterThan(list.filters.length)
  })
})

it('list.nodes-before-products: nodes by id are those of the hierarchy, last updated first, by REST and GraphQL', async () => {
  const asked = [ids.clothes, ids.machines, ids.espresso, ids.hierarchy, idOf(1)]
  const { body } = await server.rest('GET', `${lists[0]?.path()}?filter=in(id,${asked.join()})`)
  expect(body.data).toHaveLength(3)
  const query = `{ storefront { release(id: "latest") { nodes(ids: ${JSON.stringify(asked)}) { key name slug updatedAt } } } }`
  const { data } = await server.gql(query)
  const nodes = body.data.map(({ id, attributes: { name, slug, updated_at } }: Answer) => ({
    key: id,
    name,
    slug,
    updatedAt: updated_at,
  }))
  expect(data.storefront.release.nodes).toEqual(nodes)
})

interface Single {
  readonly path: () => string
  readonly field: () => string
  readonly ofRest: (data: Answer) => object
  readonly ofGraph: (record: Answer) => object
}

const singles: Readonly<Record<string, Single>> = {
  getProductPrice: {
    path: () => `/pcm/pricebooks/${book}/prices/${priceId}`,
    field: () =>
      `productPrice(id: "${priceId}") { id sku externalRef createdAt updatedAt prices { currency amount { amount } } sales { name prices { currency amount { amount } } } }`,
    ofRest: restPrice,
    ofGraph: graphPrice,
  },
  getSubscriptionProduct: {
    path: () => `/v2/subscriptions/products/${recordId('product', 1)}`,
    field:
      () => `subscriptionProduct(id: "${recordId('product', 1)}") { id name sku prices { amount { currency amount } includesTax } createdAt updatedAt
      price(currency: "USD") { amount { formatted } } }`,
    ofRest: ({ id, attributes, meta }) => ({
      ...{
        id,
        name: attributes.name,
        sku: attributes.sku,
        createdAt: attributes.created_at,
        updatedAt: attributes.updated_at,
      },
      prices: [
        {
          amount: { currency: 'USD', amount: attributes.price.USD.amount },
          includesTax: attributes.price.USD.includes_tax,
        },
      ],
      shown: meta.display_price.with_tax.formatted,
    }),
    ofGraph: ({ id, price, ...record }) => ({
      ...record,
      id: rawId('SubscriptionProduct', id),
      shown: price.amount.formatted,
    }),
  },
  getSubscription: {
    path: () => `/v2/subscriptions/subscriptions/${subscriptionId}`,
    field:
      () => `subscription(id: "${subscriptionId}") { id externalRef currency status invoiceAfter endDate paused canceled closed suspended
      offering { name } createdAt updatedAt }`,
    ofRest: ({ id, attributes, meta }) => ({
      ...{
        id,
        externalRef: attributes.external_ref,
        currency: attributes.currency,
        status: meta.status,
        invoiceAfter: meta.invoice_after,
      },
      ...{ paused: meta.paused, canceled: meta.canceled, closed: meta.closed, suspended: meta.suspended },
      ...{
        endDate: meta.timestamps.end_date,
        createdAt: meta.timestamps.created_at,
        updatedAt: meta.timestamps.updated_at,
      },
      offering: { name: attributes.offering.attributes.name },
    }),
    ofGraph: ({ id, status, ...record }) => ({
      ...record,
      id: rawId('AccountSubscription', id),
      status: status.toLowerCase(),
    }),
  },
}

it.each(Object.entries(singles))(
  '%s returns the same record by REST and GraphQL',
  async (_, { path, field, ofRest, ofGraph }) => {
    const { body, status } = await server.rest('GET', path())
    expect(status).toBe(200)
    const { data } = await server.gql(`{ record: ${field()} }`)
    expect(ofGraph(data.record)).toEqual(ofRest(body.data))
  },
)

it('http.paths-and-aliases: all GET routes of the facade are compared but the one that responds with a file', () => {
  const reads = documentedRoutes
    .map(({ method, document }) => (method === 'GET' ? document.id : 'getRefusedObjects'))
    .filter((id) => id !== 'getRefusedObjects')
  expect([...lists.map(({ route }) => route), ...Object.keys(singles)].sort()).toEqual(reads.sort())
})
