/** Drafts: what a publish would show, as administrators see it before, and publishing exactly that. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId, rawId } from '../../../src/graphql/schema/ids.ts'
import { catalogDraft } from '../../../src/operations/catalog/draft.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { RETIRED_RETENTION_MS } from '../../../src/persistence/catalog/publish/retention.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { flash, fullStore, ids } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { START, useServer } from '../../support/server.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

/** A price book of no catalog. */
const looseBook = idOf(0xb9)

/** Fills the database and publishes once. */
async function fill(): Promise<void> {
  server.now = START
  await reset(database)
  const store = fullStore()
  store.nodes.push({
    ...(store.nodes[4] as (typeof store.nodes)[number]),
    id: idOf(0x13),
    hierarchy_id: idOf(0x13),
    name: 'Unlinked',
    slug: 'unlinked',
  })
  store.books.push({ id: looseBook, name: 'Of no catalog' })
  await insertStore(database, store)
  await publish(server, ids.catalog)
}

async function ask(query: string, token: string = server.admin): Promise<Any> {
  const { data, errors } = await server.gql(query, {}, { token })
  expect(errors).toBeUndefined()
  return data
}
const ofCatalog = async (fields: string, directive = ''): Promise<Any> =>
  (await ask(`query ${directive} { catalog(id: "${ids.catalog}") { ${fields} } }`)).catalog
const draftId = async (): Promise<string> => (await ofCatalog('draft { id }')).draft.id
const latestSequence = async (): Promise<number> =>
  (await ofCatalog('latestRelease { sequence }')).latestRelease.sequence

async function change(name: string, input: object): Promise<void> {
  // Any record that the mutation returns may be selected; its errors are of interest alone.
  expect(await mutate(server, name, input, '__typename')).toMatchObject({ userErrors: [] })
}
const rename = (name: string) => change('updateProduct', { id: ids.machine, name })
const publishFrom = (fromDraft: string, more: object = {}): Promise<Any> =>
  mutate(
    server,
    'publishRelease',
    { catalogId: ids.catalog, fromDraft, ...more },
    'release { id status sequence publishedAt }',
  )

async function rows(sql: string): Promise<Record<string, Any>[]> {
  return (await database.pool.query(sql)).rows
}
const statuses = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await rows('SELECT status, count(*)::int AS count FROM release GROUP BY status')).map(({ status, count }) => [
      status,
      count,
    ]),
  )

/** All that is stored of the content of a release, by scope and field. */
async function contentOf(id: string): Promise<Any> {
  const raw = rawId('Release', id)
  const scope = `CASE WHEN scope = '${raw}' THEN 'all' ELSE scope::text END`
  return {
    listings: await rows(
      `SELECT ${scope} AS scope, curated, documents FROM release_listing WHERE release_id = '${raw}' ORDER BY 1`,
    ),
    facets: await rows(`SELECT field, value, (SELECT array_agg(d ORDER BY d) FROM unnest(documents) d) AS documents
      FROM release_facet WHERE release_id = '${raw}' ORDER BY 1, 2`),
    nodes: await rows(
      `SELECT to_jsonb(n) - 'release_id' AS node FROM release_node n WHERE release_id = '${raw}' ORDER BY node_id`,
    ),
    release: await rows(
      `SELECT product_count, node_count, hierarchy_ids, catalog_name, notes, has_price_spans FROM release WHERE id = '${raw}'`,
    ),
  }
}

describe('release.draft-shows-a-publish: Catalog.draft', () => {
  beforeEach(fill)

  it('Catalog.draft shows administrators what was edited since the publish: products, lists, search, prices, catalog texts and the difference', async () => {
    await rename('Espresso machine II')
    await change('updateProductPrice', { id: idOf(0x407), prices: [{ currency: 'USD', price: { amount: 1 } }] })
    const { draft } = await ofCatalog(
      `draft { status sequence publishedAt productCount nodeCount warningCount
      product(by: { sku: "MACHINE" }) { name release { id } }
      products(filter: { search: "machine II" }) { nodes { name } }
      gift: product(by: { sku: "GIFT" }) { price(currency: "USD") { amount { amount } } }
      hierarchies { name products(first: 1, orderBy: { field: PRICE, currency: "USD" }) { nodes { name } } }
      changesSince(releaseId: "latest") { nodes { kind fields after { name } priceChanges { currency difference { amount } } } }
      summarySince(releaseId: "latest") { changed priceChanges { currency up down } } } }`.slice(0, -1),
    )
    expect(draft).toMatchObject({ status: 'DRAFT', sequence: 0, publishedAt: null, productCount: 10, nodeCount: 6 })
    expect(draft.product.name).toBe('Espresso machine II')
    expect(draft.products.nodes).toEqual([{ name: 'Espresso machine II' }])
    expect(draft.gift.price.amount.amount).toBe(1)
    expect(draft.hierarchies[0].products.nodes).toEqual([{ name: 'Gift box' }])
    const price = { currency: 'USD', difference: { amount: 1 - 9900 } }
    expect(draft.changesSince.nodes).toEqual([
      { kind: 'CHANGED', fields: ['name', 'updatedAt'], after: { name: 'Espresso machine II' }, priceChanges: [] },
      { kind: 'CHANGED', fields: ['prices'], after: { name: 'Gift box' }, priceChanges: [price] },
    ])
    expect(draft.summarySince).toEqual({ changed: 2, priceChanges: [{ currency: 'USD', up: 0, down: 1 }] })
  })

  it('Catalog.draft shows prices as they will be at the instant of @inContext', async () => {
    const at = async (instant: number): Promise<Any> => {
      const directive = `@inContext(at: "${new Date(instant).toISOString()}", currency: "USD")`
      return (
        await ofCatalog(
          'draft { product(by: { sku: "MACHINE" }) { price { amount { amount } sale { name } } } }',
          directive,
        )
      ).draft.product.price
    }
    expect(await at(flash.from)).toEqual({ amount: { amount: 30000 }, sale: { name: 'flash' } })
    expect(await at(flash.to)).toEqual({ amount: { amount: 40000 }, sale: { name: 'winter' } })
  })

  it('Catalog.draft can be the release that another is compared with: then what a publish would add is REMOVED, and what it would remove ADDED', async () => {
    await change('updateProduct', { id: ids.draftChild, status: 'LIVE' })
    await change('updateProduct', { id: ids.beans, status: 'DRAFT' })
    await change('updateProductPrice', { id: idOf(0x407), prices: [{ currency: 'USD', price: { amount: 1 } }] })
    const draft = await draftId()
    const latest: string = (await ofCatalog('latestRelease { pinned { id } }')).latestRelease.pinned.id
    const of = async (id: string, since: string): Promise<Any> =>
      (
        await ask(`{ release(id: "${id}") {
          changesSince(releaseId: "${since}", filter: { kinds: [ADDED, REMOVED] }) {
            totalCount nodes { kind before { name release { id } } after { name release { id } } } }
          gift: changesSince(releaseId: "${since}", filter: { kinds: [CHANGED] }) {
            nodes { fields before { name release { id } } priceChanges { currency difference { amount } } } }
          summarySince(releaseId: "${since}") { added removed changed priceChanges { currency up down } } } }`)
      ).release
    const [forth, back] = [await of(draft, latest), await of(latest, draft)]
    const inRelease = (id: string, name: string) => ({ name, release: { id } })
    const [shirt, beans] = ['Shirt blue L', 'Coffee beans']
    expect(forth.changesSince).toEqual({
      totalCount: 2,
      nodes: [
        { kind: 'REMOVED', before: inRelease(latest, beans), after: null },
        { kind: 'ADDED', before: null, after: inRelease(draft, shirt) },
      ],
    })
    expect(back.changesSince).toEqual({
      totalCount: 2,
      nodes: [
        { kind: 'ADDED', before: null, after: inRelease(latest, beans) },
        { kind: 'REMOVED', before: inRelease(draft, shirt), after: null },
      ],
    })
    for (const [{ gift, summarySince }, older, difference] of [
      [forth, latest, 1 - 9900],
      [back, draft, 9900 - 1],
    ] as const) {
      const priceChanges = [{ currency: 'USD', difference: { amount: difference } }]
      expect(gift.nodes).toContainEqual({ fields: ['prices'], before: inRelease(older, 'Gift box'), priceChanges })
      const [up, down] = difference > 0 ? [1, 0] : [0, 1]
      expect(summarySince).toEqual({
        added: 1,
        removed: 1,
        changed: gift.nodes.length,
        priceChanges: [{ currency: 'USD', up, down }],
      })
    }
    // A publish of the draft keeps the id, so the comparison of the two stays.
    expect((await publishFrom(draft)).userErrors).toEqual([])
    expect(await of(latest, draft)).toEqual(back)
  })

  it('Catalog.draft is there before the first publish, and null for no catalog', async () => {
    const created = await mutate(
      server,
      'createCatalog',
      { name: 'New', hierarchyIds: [ids.hierarchy], priceBooks: [{ id: ids.book, priority: 1 }] },
      'catalog { id draft { status productCount catalog { name } } latestRelease { id } }',
    )
    expect(created.catalog).toMatchObject({
      draft: { status: 'DRAFT', productCount: 10, catalog: { name: 'New' } },
      latestRelease: null,
    })
    expect((await ask(`{ catalog(id: "${idOf(0x999)}") { draft { id } } }`)).catalog).toBeNull()
  })

  it('Catalog.draft keeps its id while a publish would show the same, and stores nothing for looking at it', async () => {
    const first = await draftId()
    expect(
      (await countStatements(database, draftId)).statements.filter((text) => /INSERT|UPDATE|DELETE/.test(text)),
    ).toEqual([])
    expect(await draftId()).toBe(first)
    await change('createProduct', { name: 'Not in any catalog', status: 'LIVE' })
    expect(await draftId()).toBe(first)
    await rename('Espresso machine II')
    const second = await draftId()
    expect(second).not.toBe(first)
    expect(await statuses()).toEqual({ published: 1, draft: 1, retired: 1 })
  })

  it('Catalog.draft is gone a minute after another one replaced it, with the documents that nothing else has', async () => {
    await rename('Two')
    const replaced = await draftId()
    await rename('Three')
    await draftId()
    expect(await ask(`{ release(id: "${replaced}") { id } }`)).toEqual({ release: null })
    server.now += RETIRED_RETENTION_MS
    await publish(server, ids.catalog)
    expect(await statuses()).toEqual({ published: 2, draft: 1 })
    expect(await rows(`SELECT FROM release_document WHERE name = 'Two'`)).toEqual([])
  })

  it('Catalog.draft is not gone earlier when the request that replaced it waited for long', async () => {
    await rename('Two')
    const replaced = rawId('Release', await draftId())
    await rename('Three')
    const begun = contextOf(server.services, server.now)
    server.now += RETIRED_RETENTION_MS
    await catalogDraft(begun, { catalogId: ids.catalog })
    await publish(server, ids.catalog)
    expect(await rows(`SELECT status FROM release WHERE id = '${replaced}'`)).toEqual([{ status: 'retired' }])
  })

  it('Catalog.draft is ignored by the retention of releases, and by the next publish', async () => {
    const draft = await draftId()
    for (let publishes = 0; publishes < 3; publishes++) await publish(server, ids.catalog)
    expect(await draftId()).toBe(draft)
    expect(await latestSequence()).toBe(4)
  })

  it('Catalog.draft has the warnings that a publish would save', async () => {
    await change('updateProductPrice', {
      id: idOf(0x406),
      prices: [{ currency: 'USD', price: { amount: 500, includesTax: true } }],
    })
    const fields = 'warningCount warnings { code productId currency }'
    const { draft } = await ofCatalog(`draft { ${fields} }`)
    expect(draft.warningCount).toBeGreaterThan(0)
    await publish(server, ids.catalog)
    expect((await ofCatalog(`latestRelease { ${fields} }`)).latestRelease).toEqual(draft)
  })

  it('a build of a draft that fails leaves nothing of it', async () => {
    const before = [await statuses(), await rows('SELECT count(*) FROM release_document')]
    await rename('Two')
    const connect = async () => {
      const client = await database.pool.connect()
      const query = async (text: string, values?: unknown[]) => {
        if (/INTO release_facet/.test(text)) throw new Error('the connection broke')
        return client.query(text, values)
      }
      return Object.create(client, { query: { value: query } })
    }
    const broken = { ...database, pool: { connect } } as unknown as Database
    const ctx = contextOf({ ...server.services, database: broken }, server.now)
    await expect(publishRelease(ctx, { catalogId: ids.catalog, dryRun: true })).rejects.toThrow('the connection broke')
    expect([await statuses(), await rows('SELECT count(*) FROM release_document')]).toEqual(before)
    expect((await ofCatalog('draft { product(by: { sku: "MACHINE" }) { name } }')).draft.product.name).toBe('Two')
  })
})

describe('release.draft-for-administrators: a shopper does not see the draft', () => {
  beforeAll(fill)

  it('a shopper reads a draft neither by its id, by node, by ids in it, through REST, in lists, in search, nor from a cache that an administrator filled', async () => {
    await rename('Secret zyxwvut')
    const draft = await draftId()
    const raw = rawId('Release', draft) ?? ''
    const paths: [string, Any][] = [
      [`{ release(id: "${draft}") { id products { nodes { name } } } }`, { release: null }],
      [`{ node(id: "${draft}") { id } }`, { node: null }],
      [
        `{ node(id: "${globalId('CatalogProduct', `${raw}:${ids.machine}`)}") { ... on CatalogProduct { name } } }`,
        { node: null },
      ],
      [
        `{ node(id: "${globalId('CatalogNode', `${raw}:${ids.espresso}`)}") { ... on CatalogNode { name } } }`,
        { node: null },
      ],
      [
        `{ catalog(id: "${ids.catalog}") { release(id: "${draft}") { productCount } } }`,
        { catalog: { release: null } },
      ],
      [
        `{ catalog(id: "${ids.catalog}") { releases { totalCount nodes { status } } } }`,
        { catalog: { releases: { totalCount: 1, nodes: [{ status: 'PUBLISHED' }] } } },
      ],
      [
        `{ catalog(id: "${ids.catalog}") { latestRelease { products(filter: { search: "zyxwvut" }) { nodes { name } } } } }`,
        { catalog: { latestRelease: { products: { nodes: [] } } } },
      ],
    ]
    for (const [query, response] of paths) {
      await ask(query)
      expect([query, await ask(query, server.shopper)]).toEqual([query, response])
    }
    const path = `/pcm/catalogs/${ids.catalog}/releases/${raw}/hierarchies/${ids.hierarchy}/products`
    for (const token of [server.admin, server.shopper]) {
      const { status, text } = await server.rest('GET', path, { token })
      expect([status, text.includes('Secret')]).toEqual(token === server.admin ? [200, true] : [404, false])
    }
    const { errors } = await server.gql(
      `{ catalog(id: "${ids.catalog}") { draft { id } } }`,
      {},
      { token: server.shopper },
    )
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
    expect((await ofCatalog('releases { nodes { status } }')).releases.nodes).toEqual([{ status: 'PUBLISHED' }])
  })
})

describe('publishRelease(dryRun:)', () => {
  beforeEach(fill)

  it('publishRelease(dryRun:) returns the draft and changes nothing that is published or counted', async () => {
    await rename('Two')
    const seen = async () => [
      await ofCatalog('latestRelease { sequence } releases { totalCount }'),
      await rows('SELECT count(*)::int FROM published_release'),
      await rows('SELECT count(*)::int FROM release_activation'),
      await rows('SELECT count(*)::int FROM price_history'),
      await rows('SELECT release_sequence FROM catalog'),
    ]
    const before = await seen()
    const input = { catalogId: ids.catalog, dryRun: true, idempotencyKey: 'once' }
    const { release, userErrors } = await mutate(
      server,
      'publishRelease',
      input,
      'release { id status product(by: { sku: "MACHINE" }) { name } }',
    )
    expect([release, userErrors]).toEqual([{ id: await draftId(), status: 'DRAFT', product: { name: 'Two' } }, []])
    expect(await seen()).toEqual(before)
    await rename('Three')
    const later = await mutate(server, 'publishRelease', input, 'release { product(by: { sku: "MACHINE" }) { name } }')
    expect(later.release.product.name).toBe('Three')
  })

  it('publishRelease(dryRun:) for a later instant returns the same draft and schedules nothing, and refuses an instant that is not to come', async () => {
    await rename('Two')
    const at = (ms: number) => ({ catalogId: ids.catalog, dryRun: true, at: new Date(server.now + ms).toISOString() })
    const dry = (ms: number) => mutate(server, 'publishRelease', at(ms), 'release { id status }')
    expect(await dry(1)).toEqual({ release: { id: await draftId(), status: 'DRAFT' }, userErrors: [] })
    const refused = {
      code: 'INVALID_VALUE',
      path: ['at'],
      message: `must be later than ${new Date(server.now).toISOString()}`,
    }
    expect(await dry(0)).toEqual({ release: null, userErrors: [expect.objectContaining(refused)] })
    server.now += 1
    expect(await ofCatalog('latestRelease { sequence } releases { totalCount }')).toEqual({
      latestRelease: { sequence: 1 },
      releases: { totalCount: 1 },
    })
    expect(await rows("SELECT count(*)::int FROM change WHERE operation = 'publishRelease'")).toEqual([{ count: 1 }])
  })

  it('publishRelease(dryRun:, fromDraft:) reports whether the draft could be published', async () => {
    const draft = await draftId()
    expect((await publishFrom(draft, { dryRun: true })).userErrors).toEqual([])
    await rename('Two')
    expect((await publishFrom(draft, { dryRun: true })).userErrors).toMatchObject([
      { code: 'STALE', path: ['fromDraft'] },
    ])
    expect(await latestSequence()).toBe(1)
  })

  it('publishRelease(dryRun:) of no catalog is refused', async () => {
    const refused = await mutate(server, 'publishRelease', { catalogId: idOf(0x999), dryRun: true }, 'release { id }')
    expect(refused).toEqual({
      release: null,
      userErrors: [expect.objectContaining({ code: 'NOT_FOUND', path: ['catalogId'] })],
    })
  })
})

describe('release.published-from-draft: publishRelease(fromDraft:)', () => {
  beforeEach(fill)

  it('publishRelease(fromDraft:) publishes the draft under its id, without building anything, and then shoppers see it', async () => {
    await rename('Two')
    const draft = await draftId()
    const built = await contentOf(draft)
    server.now += 1_000
    const { result, statements } = await countStatements(database, () => publishFrom(draft))
    const publishedAt = new Date(server.now).toISOString()
    expect(result).toMatchObject({ release: { id: draft, status: 'PUBLISHED', sequence: 2 }, userErrors: [] })
    expect(new Date(result.release.publishedAt).toISOString()).toBe(publishedAt)
    expect(statements.filter((text) => /INTO (release_listing|release_document|pub_)/.test(text))).toEqual([])
    const shown = await ask(
      `{ catalog(id: "${ids.catalog}") { latestRelease { sequence product(by: { sku: "MACHINE" }) { name } } } }`,
      server.shopper,
    )
    expect(shown.catalog.latestRelease).toEqual({ sequence: 2, product: { name: 'Two' } })
    expect(await ask(`{ release(id: "${draft}") { status sequence } }`)).toEqual({
      release: { status: 'PUBLISHED', sequence: 2 },
    })
    expect(await contentOf(draft)).toEqual(built)
    // A publish that builds shows the same.
    const again = globalId('Release', (await publish(server, ids.catalog)).id)
    expect(await contentOf(again)).toEqual(built)
    expect(await draftId()).not.toBe(draft)
  })

  it('a draft has words of its own, which it keeps when it is published, and changes those of no other release', async () => {
    const words = async () => (await rows('SELECT release_id AS id, words FROM release_search')) as Any[]
    const before = await words()
    await rename('Percolator')
    const draft = await draftId()
    const added = (await words()).filter((one) => before.every(({ id }) => id !== one.id))
    expect(added.map((one) => JSON.parse(one.words).words)).toEqual([expect.stringContaining('percolator')])
    await publishFrom(draft)
    expect((await words()).filter(({ id }) => before.some((one) => one.id === id))).toEqual(before)
    expect(await words()).toHaveLength(before.length + 1)
  })

  it('publishRelease(fromDraft:) remembers the prices that it changes, like any publish', async () => {
    await change('updateProductPrice', { id: idOf(0x407), prices: [{ currency: 'USD', price: { amount: 1 } }] })
    await publishFrom(await draftId())
    expect(await rows('SELECT product_id, currency, amounts::text FROM price_history')).toEqual([
      { product_id: ids.gift, currency: 'USD', amounts: '{9900}' },
    ])
  })

  it('publishRelease(fromDraft:, at:) schedules the draft under its id, and nothing when something else would be shown', async () => {
    await rename('Two')
    const [draft, at] = [await draftId(), new Date(server.now + 60_000).toISOString()]
    await rename('Three')
    const { release, userErrors } = await publishFrom(draft, { at })
    expect([release.status, userErrors]).toEqual([
      'DRAFT',
      [expect.objectContaining({ code: 'STALE', path: ['fromDraft'] })],
    ])
    expect(await rows('SELECT FROM release_activation WHERE scheduled')).toEqual([])
    expect(await publishFrom(release.id, { at })).toMatchObject({
      release: { id: release.id, status: 'SCHEDULED' },
      userErrors: [],
    })
    const shown = async () =>
      (await ofCatalog('latestRelease { pinned { id } product(by: { sku: "MACHINE" }) { name } }')).latestRelease
    expect((await shown()).product.name).toBe('Espresso machine')
    server.now += 60_000
    expect(await shown()).toEqual({ pinned: { id: release.id }, product: { name: 'Three' } })
  })

  it('only publishRelease(fromDraft:) publishes a draft: a draft is not restored, withdrawn or deleted', async () => {
    const draft = await draftId()
    for (const name of ['restoreRelease', 'withdrawRelease', 'deleteRelease']) {
      const { release, userErrors } = await mutate(server, name, { releaseId: draft }, 'release { id status }')
      expect([name, release]).toEqual([name, { id: draft, status: 'DRAFT' }])
      expect(userErrors).toMatchObject([{ code: 'ACTION_REFUSED', path: ['releaseId'] }])
    }
    expect([await draftId(), await latestSequence()]).toEqual([draft, 1])
  })

  it('a draft goes with its catalog and leaves nothing, while the documents of other catalogs stay', async () => {
    const stored = async (): Promise<Any> => {
      const tables = [
        'release',
        'release_listing',
        'release_facet',
        'release_order',
        'release_node',
        'release_draft',
        'release_document',
      ]
      const further = [
        'release_document_price',
        'document_search_text',
        'search_text',
        'release_search',
        'release_fingerprint',
        'release_activation',
      ]
      const counts = [...tables, ...further].map((name) => `(SELECT count(*)::int FROM ${name}) AS ${name}`)
      return (await rows(`SELECT ${counts.join(', ')}`))[0]
    }
    const before = await stored()
    const books = [{ id: ids.book, priority: 1 }]
    const { catalog } = await mutate(
      server,
      'createCatalog',
      { name: 'Second', hierarchyIds: [ids.hierarchy], priceBooks: books },
      'catalog { id }',
    )
    expect(
      (await ask(`{ catalog(id: "${catalog.id}") { draft { productCount } } }`)).catalog.draft.productCount,
    ).toBeGreaterThan(0)
    expect((await stored()).release_document).toBeGreaterThan(before.release_document)
    await change('deleteCatalog', { id: catalog.id })
    expect(await stored()).toEqual(before)
  })

  it('publishRelease(fromDraft:) gives its first result again for its idempotency key', async () => {
    const draft = await draftId()
    const first = await publishFrom(draft, { idempotencyKey: 'once' })
    expect(await publishFrom(draft, { idempotencyKey: 'once' })).toEqual(first)
    expect(await latestSequence()).toBe(2)
    expect((await publishFrom(draft)).userErrors).toMatchObject([{ code: 'STALE', path: ['fromDraft'] }])
  })
})

describe('release.published-from-draft: a draft', () => {
  beforeAll(fill)

  const usd = (amount: number) => [{ currency: 'USD', price: { amount } }]
  it.each<[string, string, object]>([
    ['a product changed', 'updateProduct', { id: ids.machine, name: 'Two' }],
    [
      'a campaign came',
      'addSales',
      {
        priceBookId: ids.premium,
        skus: ['MACHINE'],
        name: 'Campaign',
        schedule: { validFrom: '2040-01-01T00:00:00Z' },
        change: { percentOff: 10 },
      },
    ],
    ['a campaign went', 'removeSales', { priceBookId: ids.premium, name: 'Campaign' }],
    ['a product left the shop', 'updateProduct', { id: ids.machine, status: 'DRAFT' }],
    ['a child came', 'updateProduct', { id: ids.draftChild, status: 'LIVE' }],
    [
      'a child was made',
      'createProduct',
      { name: 'Shirt', parentId: ids.shirt, optionKeys: [ids.large, ids.never], status: 'LIVE' },
    ],
    ['an option of a bundle left the shop', 'updateProduct', { id: ids.cup, status: 'DRAFT' }],
    ['a modifier changed', 'updatePriceModifier', { id: idOf(0x501), prices: usd(1) }],
    ['a modifier went', 'deletePriceModifier', { id: idOf(0x502) }],
    ['a price changed', 'updateProductPrice', { id: idOf(0x407), prices: usd(1) }],
    ['a price came', 'addProductPrice', { priceBookId: ids.premium, sku: 'BEANS', prices: usd(1) }],
    [
      'prices came in bulk',
      'upsertProductPrices',
      { priceBookId: ids.premium, mode: 'PER_ROW', rows: [{ sku: 'SHIRT', prices: usd(1) }] },
    ],
    ['a sale came', 'addSale', { productPriceId: idOf(0x407), name: 'Sale', prices: usd(1) }],
    ['a price went', 'deleteProductPrice', { id: idOf(0x407) }],
    ['a product was attached', 'attachProducts', { nodeId: ids.sale, productIds: [ids.beans] }],
    ['a product was detached', 'detachProducts', { nodeId: ids.sale, productIds: [ids.gift] }],
    ['products were curated', 'curateProducts', { nodeId: ids.espresso, productIds: [ids.beans] }],
    ['a node changed', 'updateNode', { id: ids.espresso, label: 'old' }],
    ['a node moved', 'moveNode', { id: ids.espresso, parentId: ids.hierarchy }],
    ['a node came', 'createNode', { name: 'New', parentId: ids.hierarchy }],
    ['a node went', 'deleteNode', { id: ids.sale }],
    ['a hierarchy changed', 'updateHierarchy', { id: ids.hierarchy, name: 'Renamed' }],
    ["the catalog's texts changed", 'updateCatalog', { id: ids.catalog, name: 'Renamed' }],
    [
      'the order of hierarchies changed',
      'updateCatalog',
      { id: ids.catalog, hierarchyIds: [ids.otherHierarchy, ids.hierarchy] },
    ],
    ['a hierarchy left the catalog', 'updateCatalog', { id: ids.catalog, hierarchyIds: [ids.hierarchy] }],
    [
      'the order of the books changed',
      'updateCatalog',
      { id: ids.catalog, priceBooks: [ids.book, ids.premium].map((id) => ({ id, priority: 1 })) },
    ],
    ['a book left the catalog', 'updateCatalog', { id: ids.catalog, priceBooks: [{ id: ids.premium, priority: 1 }] }],
    ['a product was deleted', 'deleteProduct', { id: ids.gift }],
  ])('a draft is STALE to publishRelease when %s, and the payload has the draft of now', async (_, name, input) => {
    const draft = await draftId()
    await change(name, input)
    const { release, userErrors } = await publishFrom(draft)
    expect(userErrors).toEqual([
      { code: 'STALE', path: ['fromDraft'], message: 'is not what a publish would show now' },
    ])
    expect(release).toMatchObject({ status: 'DRAFT', sequence: 0 })
    expect(release.id).not.toBe(draft)
    expect(release.id).toBe(await draftId())
    expect(await latestSequence()).toBe(1)
  })

  it.each<[string, string, object]>([
    ['nothing', '', {}],
    ['a product in no catalog', 'createProduct', { name: 'Loose', status: 'LIVE' }],
    [
      'prices in a book of no catalog',
      'upsertProductPrices',
      { priceBookId: looseBook, rows: [{ sku: 'BEANS', prices: usd(1) }] },
    ],
    [
      'a campaign in a book of no catalog',
      'addSales',
      {
        priceBookId: looseBook,
        skus: ['BEANS'],
        name: 'Loose',
        schedule: { validFrom: '2026-01-01T00:00:00Z' },
        change: { percentOff: 10 },
      },
    ],
    ['a price without a product', 'addProductPrice', { priceBookId: ids.premium, sku: 'NOBODY', prices: usd(1) }],
    [
      'a modifier that nothing names',
      'createPriceModifier',
      { priceBookId: ids.premium, name: 'unused', type: 'PRICE_EQUALS', prices: usd(1) },
    ],
    ['a hierarchy of no catalog', 'updateHierarchy', { id: idOf(0x13), name: 'Renamed' }],
    [
      'a plan',
      'createPlan',
      {
        name: 'Plan',
        billingIntervalType: 'MONTH',
        billingFrequency: 1,
        trialPeriod: 0,
        planLength: 1,
        endBehavior: 'CLOSE',
        canPause: true,
        canResume: true,
        canCancel: true,
      },
    ],
    ['a rule', 'createCatalogRule', { name: 'Rule', catalogId: ids.catalog }],
  ])('publishRelease publishes a draft after a change of %s', async (_, name, input) => {
    const draft = await draftId()
    if (name !== '') await change(name, input)
    expect(await publishFrom(draft)).toMatchObject({ release: { id: draft, status: 'PUBLISHED' }, userErrors: [] })
  })
})

describe('release.published-from-draft: publishRelease(fromDraft:), further,', () => {
  beforeEach(fill)

  it('publishRelease(fromDraft:) refuses what is no draft of the catalog', async () => {
    const latest = (await ofCatalog('latestRelease { pinned { id } }')).latestRelease.pinned.id
    for (const id of [latest, idOf(0x999)])
      expect((await publishFrom(id)).userErrors).toMatchObject([{ code: 'STALE', path: ['fromDraft'] }])
    expect((await publishFrom('nonsense')).userErrors).toMatchObject([{ code: 'INVALID_FORMAT', path: ['fromDraft'] }])
    expect(await latestSequence()).toBe(1)
  })

  it('of drafts, publishes and edits at the same time each finds a whole release, and one draft stays', async () => {
    const draft = await draftId()
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        [
          () => ofCatalog('draft { status productCount hierarchies { id } }').then((one) => one.draft),
          () => publishFrom(draft).then(({ userErrors }) => userErrors.map(({ code }: Any) => code)),
          () => rename(`Name ${at}`),
          () => publish(server, ids.catalog),
        ][at % 4]?.(),
      ),
    )
    for (const one of results.filter((_, at) => at % 4 === 0))
      expect(one).toMatchObject({ status: 'DRAFT', productCount: 10, hierarchies: [{}, {}] })
    const published = results.filter((_, at) => at % 4 === 1)
    expect(published.filter((codes) => codes.length === 0).length).toBeLessThan(2)
    expect(published.flat().every((code: string) => code === 'STALE')).toBe(true)
    const successes = 1 + 3 + published.filter((codes) => codes.length === 0).length
    expect(await latestSequence()).toBe(successes)
    await draftId()
    expect((await statuses()).draft).toBe(1)
  })
})

describe('release.draft-shows-a-publish, release.published-from-draft: of random stores, after random edits,', () => {
  it('a draft of a random store after random edits has the content of a publish, and another id exactly when that differs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 4 }), async (seed, edits) => {
        server.now = START
        await reset(database)
        const random = randomFrom(seed)
        const store = randomStore(random)
        await insertStore(database, store)
        const catalogId = store.catalogs[0]?.id ?? ''
        const draft = async (): Promise<string> =>
          (await ask(`{ catalog(id: "${catalogId}") { draft { id } } }`)).catalog.draft.id
        let id = await draft()
        for (let edit = 0; edit < edits; edit++) {
          const before = await contentOf(id)
          await randomEdit(store, database, random)
          const now = await draft()
          expect(now === id).toBe(JSON.stringify(await contentOf(now)) === JSON.stringify(before))
          id = now
        }
        const content = await contentOf(id)
        const published = globalId('Release', (await publish(server, catalogId)).id)
        expect(await contentOf(published)).toEqual(content)
        const { release } = await mutate(
          server,
          'publishRelease',
          { catalogId, fromDraft: id },
          'release { id status }',
        )
        expect(release).toEqual({ id, status: 'PUBLISHED' })
        expect(await contentOf(id)).toEqual(content)
      }),
      runs(3),
    )
  })
})
