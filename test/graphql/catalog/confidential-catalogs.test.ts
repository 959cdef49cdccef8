/** Confidential catalogs: for whom they exist, from when on, and how they are chosen, cached and warned of. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Viewer } from '../../../src/auth/viewer.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { createCatalogRule, deleteCatalogRule } from '../../../src/operations/catalog/catalog-rule.ts'
import { MAX_STALE_MS } from '../../../src/persistence/catalog/release-knowledge.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { listen } from '../../support/live.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { manualClock, START, startTestServer, type TestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { cachePublic: true, cacheMaxAge: 60 } })
const elapsed = manualClock()
let other: TestServer
beforeAll(async () => {
  other = await startTestServer(database, { elapsed })
})
afterAll(() => other.stop())

const secret = idOf(0xcc)
const account = idOf(0xacc)
const HOUR = 3_600_000
const STORE = 'Coffee store'

beforeEach(async () => {
  await reset(database)
  server.now = other.now = START
  const store = fullStore()
  const [catalog] = store.catalogs
  // It is published first, so that it would be the storefront without rules.
  if (catalog) store.catalogs.unshift({ ...catalog, id: secret, name: 'Members' })
  await publishStore(server, store)
  await setConfidential(true)
  for (const { services } of [server, other]) services.releases.invalidate()
})

type Claims = Partial<Pick<Viewer, 'accountId' | 'channel' | 'tags'>>

const tokenOf = async (claims: Claims = {}) =>
  (await server.issue({ subject: 'shopper', role: 'shopper', ...claims }, server.now)).token

async function setConfidential(confidential: boolean): Promise<string[]> {
  const mutation = `mutation ($input: UpdateCatalogInput!) { updateCatalog(input: $input) {
    catalog { settings { confidential warnings } } userErrors { message } } }`
  const { data } = await server.gql(mutation, { input: { id: secret, confidential } })
  expect(data.updateCatalog.userErrors).toEqual([])
  expect(data.updateCatalog.catalog.settings.confidential).toBe(confidential)
  return data.updateCatalog.catalog.settings.warnings
}

const makeRule = (attributes: object, catalog_id = secret) =>
  createCatalogRule(contextOf(server.services, server.now), {
    data: { type: 'catalog_rule', attributes: { name: 'Rule', catalog_id, ...attributes } },
  })

interface Asked {
  readonly headers?: Record<string, string>
  readonly on?: TestServer
}

/** Whether the catalog exists by its id, in the graph and in REST, which agree. */
async function exists(claims: Claims, { headers = {}, on = server }: Asked = {}): Promise<boolean> {
  const token = await tokenOf(claims)
  const { data } = await on.gql(`{ catalog(id: "${secret}") { name } }`, {}, { token, headers })
  const { status } = await on.rest('GET', listingPath(secret, ids.hierarchy), { token, headers })
  expect(status).toBe(data.catalog === null ? 404 : 200)
  return data.catalog !== null
}

/** The name of the storefront; the argument is the part of a query behind its name. */
async function storefront(claims: Claims, headers: Record<string, string> = {}, given = ''): Promise<string | null> {
  const token = await tokenOf(claims)
  const { data } = await server.gql(`{ storefront${given} { name } }`, {}, { token, headers })
  return data.storefront?.name ?? null
}

describe('catalog.confidential-by-proof: for whom a confidential catalog exists', () => {
  it.each([
    ['account', { account_ids: [account] }, { accountId: account.toUpperCase() }, { accountId: idOf(0xacd) }],
    ['channel', { channels: ['inner'] }, { channel: 'inner' }, { channel: 'outer' }],
    ['tags', { tags: ['member', 'gold'] }, { tags: ['new', 'gold'] }, { tags: ['new'] }],
  ] as const)(
    'a shopper has the catalog whose rule matches the %s of the token',
    async (_, criteria, claims, wrong) => {
      expect(await exists(claims)).toBe(false)
      await makeRule(criteria)
      expect([await exists(claims), await exists(wrong), await exists({})]).toEqual([true, false, false])
      expect([await storefront(claims), await storefront(wrong), await storefront({})]).toEqual([
        'Members',
        STORE,
        STORE,
      ])
    },
  )

  it('headers, arguments and @inContext give nobody the catalog', async () => {
    await makeRule({ channels: ['inner'], tags: ['member'] })
    const headers = { 'EP-Channel': 'inner', 'EP-Context-Tag': 'member' }
    expect(await exists({}, { headers })).toBe(false)
    expect(await storefront({}, headers)).toBe(STORE)
    expect(await storefront({}, {}, '(channel: "inner", tags: ["member"])')).toBe(STORE)
    const token = await tokenOf()
    const query = `query @inContext(channel: "inner", tags: ["member"]) { storefront { name } catalog(id: "${secret}") { name } }`
    expect((await server.gql(query, {}, { token })).data).toEqual({ storefront: { name: STORE }, catalog: null })
    const { status, body } = await server.rest('GET', `/catalog/hierarchies/${ids.hierarchy}/products`, {
      token,
      headers,
    })
    expect([status, body.data[0].meta.catalog_id]).toEqual([200, ids.catalog])
  })

  it('headers and arguments take nobody the catalog either', async () => {
    await makeRule({ tags: ['member'] })
    const claims = { tags: ['member'] }
    const headers = { 'EP-Channel': 'web', 'EP-Context-Tag': 'sale' }
    expect(await exists(claims, { headers })).toBe(true)
    expect(await storefront(claims, headers, '(tags: [])')).toBe('Members')
  })

  it('a rule without criteria gives the catalog to nobody, and an administrator needs no rule', async () => {
    await makeRule({})
    expect([await exists({ tags: ['member'] }), await storefront({ accountId: account })]).toEqual([false, STORE])
    const { data } = await server.gql(`{ catalog(id: "${secret}") { name } storefront { name } }`)
    expect(data).toEqual({ catalog: { name: 'Members' }, storefront: { name: STORE } })
  })

  it('an administrator previews the storefront of a member by arguments', async () => {
    await makeRule({ tags: ['member'] })
    const { data } = await server.gql('{ one: storefront(tags: ["member"]) { name } other: storefront { name } }')
    expect(data).toEqual({ one: { name: 'Members' }, other: { name: STORE } })
  })

  it('lists and their totals have the catalog for members alone', async () => {
    await makeRule({ tags: ['member'] })
    const query =
      '{ catalogs { totalCount nodes { name } } byName: catalogs(filter: { name: { eq: "Members" } }) { totalCount } }'
    const list = async (claims: Claims) => (await server.gql(query, {}, { token: await tokenOf(claims) })).data
    const [both, one] = [[{ name: STORE }, { name: 'Members' }], [{ name: STORE }]]
    const [own, others] = [await list({ tags: ['member'] }), await list({ tags: ['new'] })]
    expect([...own.catalogs.nodes].sort((a, b) => a.name.localeCompare(b.name))).toEqual(both)
    expect([own.catalogs.totalCount, own.byName.totalCount]).toEqual([2, 1])
    expect(others).toEqual({ catalogs: { totalCount: 1, nodes: one }, byName: { totalCount: 0 } })
  })

  it('the catalog is there from the first millisecond of a schedule of its rule to the last', async () => {
    const [from, to] = [START + 10_000, START + 20_000]
    const schedules = [{ valid_from: new Date(from).toISOString(), valid_to: new Date(to).toISOString() }]
    await makeRule({ tags: ['member'], schedules })
    const claims = { tags: ['member'] }
    const token = await tokenOf(claims)
    const at = async (now: number) => {
      server.now = now
      const query = `{ catalog(id: "${secret}") { latestRelease { sequence } } }`
      // Twice, so that the second may come from the response cache.
      await server.gql(query, {}, { token })
      const { data, extensions } = await server.gql(query, {}, { token })
      return [data.catalog !== null, extensions.validUntil]
    }
    const until = new Date(to).toISOString()
    expect(await at(from - 1)).toEqual([false, null])
    expect(await at(from)).toEqual([true, until])
    expect(await at(to - 1)).toEqual([true, until])
    expect(await at(to)).toEqual([false, null])
  })

  it('what is scheduled in the catalog is not told to others', async () => {
    const token = await tokenOf()
    const mutation = `mutation { publishRelease(input: { catalogId: "${secret}", at: "${new Date(START + HOUR).toISOString()}" }) { userErrors { message } } }`
    expect((await server.gql(mutation)).errors).toBeUndefined()
    const { extensions } = await server.gql(
      `{ catalog(id: "${secret}") { latestRelease { sequence } } }`,
      {},
      { token },
    )
    expect(extensions.validUntil).toBeNull()
    const { headers } = await server.rest('GET', listingPath(secret, ids.hierarchy), { token })
    expect(headers.get('cache-control')).toBe('private, no-store')
  })
})

describe('release.seen-within-a-second: whether a catalog is confidential', () => {
  it('its own server knows at once that a catalog is confidential, and another one within a second', async () => {
    await setConfidential(false)
    elapsed.ahead += MAX_STALE_MS
    expect([await exists({}), await exists({}, { on: other })]).toEqual([true, true])
    await setConfidential(true)
    expect(await exists({})).toBe(false)
    elapsed.ahead += MAX_STALE_MS
    expect(await exists({}, { on: other })).toBe(false)
  })

  it('its own server knows at once that a rule is gone, and another one within a second', async () => {
    const { id } = await makeRule({ tags: ['member'] })
    const claims = { tags: ['member'] }
    elapsed.ahead += MAX_STALE_MS
    for (const on of [server, other, server, other]) expect(await exists(claims, { on })).toBe(true)
    await deleteCatalogRule(contextOf(server.services, server.now), { id })
    expect(await exists(claims)).toBe(false)
    elapsed.ahead += MAX_STALE_MS
    expect(await exists(claims, { on: other })).toBe(false)
  })
})

describe('catalog-rule.headers-before-claims: the choice among other catalogs', () => {
  it('the argument goes before the header, and the header before the claim', async () => {
    await setConfidential(false)
    await makeRule({ channels: ['inner'] })
    await makeRule({ channels: ['outer'] }, ids.catalog)
    const claims = { channel: 'inner' }
    expect(await storefront(claims)).toBe('Members')
    expect(await storefront(claims, { 'EP-Channel': 'outer' })).toBe(STORE)
    expect(await storefront({ channel: 'outer' }, { 'EP-Channel': 'outer' }, '(channel: "inner")')).toBe('Members')
    expect(await storefront({}, { 'EP-Channel': 'inner' })).toBe('Members')
  })

  it('responses that depend on claims are cached apart', async () => {
    await setConfidential(false)
    await makeRule({ tags: ['member'] })
    await makeRule({ tags: ['gold'] }, ids.catalog)
    for (let time = 0; time < 3; time++)
      expect([await storefront({ tags: ['member'] }), await storefront({ tags: ['gold'] })]).toEqual(['Members', STORE])
  })
})

describe('catalog.confidential-cached-apart: caches', () => {
  it('no shared cache may store what a member reads, and what everybody reads of another catalog it may', async () => {
    await makeRule({ tags: ['member'] })
    const token = await tokenOf({ tags: ['member'] })
    const caching = async (catalog: string) =>
      (await server.rest('GET', listingPath(catalog, ids.hierarchy), { token })).headers.get('cache-control') ?? ''
    expect(await caching(secret)).toMatch(/^private, max-age=/)
    expect(await caching(ids.catalog)).toMatch(/^public, max-age=/)
  })

  it('a response is not confirmed by 304 once the viewer has the catalog no more', async () => {
    const { id } = await makeRule({ tags: ['member'] })
    const token = await tokenOf({ tags: ['member'] })
    const path = listingPath(secret, ids.hierarchy)
    const etag = (await server.rest('GET', path, { token })).headers.get('etag') ?? ''
    const again = () => server.rest('GET', path, { token, headers: { 'if-none-match': etag } })
    expect([(await again()).status, (await again()).status, (await again()).status]).toEqual([304, 304, 304])
    await deleteCatalogRule(contextOf(server.services, server.now), { id })
    expect((await again()).status).toBe(404)
  })
})

describe('live.ends-with-the-catalog: streams', () => {
  const RELEASES = `subscription { releasePublished(catalogId: "${secret}") { release { sequence } } }`
  const TURNS = `subscription { saleTurned(catalogId: "${secret}") { productCount } }`

  it.each([
    ['releasePublished', RELEASES],
    ['saleTurned', TURNS],
  ])(
    '%s is refused to others as for an unknown catalog, and ends without an event once the rule is gone',
    async (_, text) => {
      const { id } = await makeRule({ tags: ['member'] })
      const first = await (await listen(server, text, { token: await tokenOf() })).next()
      const unknown = await (await listen(server, text.replace(secret, idOf(0xfff)), { token: await tokenOf() })).next()
      expect(first).toEqual(unknown)
      const [refusal] = first.errors
      expect(refusal).toMatchObject({
        message: 'catalogId: No such catalog',
        extensions: { violations: [{ code: 'NOT_FOUND' }] },
      })
      const member = await listen(server, text, { token: await tokenOf({ tags: ['member'] }) })
      const admin = await listen(server, text)
      const end = member.next()
      await deleteCatalogRule(contextOf(server.services, server.now), { id })
      const { message, extensions } = (await end).errors[0]
      expect([message, extensions]).toEqual([refusal.message, refusal.extensions])
      expect(await member.next()).toBeUndefined()
      await admin.close()
    },
  )

  it('an event that comes right after the catalog is lost is not delivered', async () => {
    const { id } = await makeRule({ tags: ['member'] })
    const member = await listen(server, RELEASES, { token: await tokenOf({ tags: ['member'] }) })
    await publish(server, secret)
    expect((await member.next()).data.releasePublished).toEqual({ release: { sequence: 2 } })
    await deleteCatalogRule(contextOf(server.services, server.now), { id })
    await publish(server, secret)
    expect((await member.next()).errors[0].message).toBe('catalogId: No such catalog')
  })

  it('a stream of a catalog that becomes confidential ends for others and goes on for members', async () => {
    await setConfidential(false)
    await makeRule({ tags: ['member'] })
    const stranger = await listen(server, RELEASES, { token: await tokenOf() })
    const member = await listen(server, RELEASES, { token: await tokenOf({ tags: ['member'] }) })
    await setConfidential(true)
    expect((await stranger.next()).errors[0].message).toBe('catalogId: No such catalog')
    await publish(server, secret)
    expect((await member.next()).data.releasePublished).toEqual({ release: { sequence: 2 } })
    await member.close()
  })
})

describe('catalog.confidential-warned: warnings at write', () => {
  const createRule = async (input: object) => {
    const mutation = `mutation ($input: CreateCatalogRuleInput!) { createCatalogRule(input: $input) {
      catalogRule { id warnings catalog { settings { warnings } } } userErrors { message } } }`
    const { data } = await server.gql(mutation, { input: { name: 'Rule', catalogId: secret, ...input } })
    return data.createCatalogRule.catalogRule
  }

  it('a confidential catalog without a rule, and a rule without criteria of one, are warned of', async () => {
    expect(await setConfidential(true)).toEqual(['GIVEN_TO_NOBODY'])
    expect(await setConfidential(false)).toEqual([])
    const { id: _, ...open } = await createRule({})
    expect(open).toEqual({ warnings: [], catalog: { settings: { warnings: [] } } })
    expect(await setConfidential(true)).toEqual(['GIVEN_TO_NOBODY', 'RULE_PROVES_NOTHING'])
    const { id, ...empty } = await createRule({ channels: [] })
    const both = ['GIVEN_TO_NOBODY', 'RULE_PROVES_NOTHING']
    expect([id, empty]).toEqual([expect.any(String), { warnings: both, catalog: { settings: { warnings: both } } }])
    const { id: __, ...given } = await createRule({ tags: ['member'] })
    expect(given).toEqual({ warnings: [], catalog: { settings: { warnings: ['RULE_PROVES_NOTHING'] } } })
  })

  it('a rule all of whose schedules have ended gives the catalog to nobody, one that begins later does', async () => {
    const validTo = new Date(server.now).toISOString()
    expect((await createRule({ tags: ['member'], schedules: [{ validTo }] })).warnings).toEqual(['GIVEN_TO_NOBODY'])
    const later = new Date(server.now + 1).toISOString()
    expect((await createRule({ tags: ['member'], schedules: [{ validTo }, { validTo: later }] })).warnings).toEqual([])
    expect(await setConfidential(true)).toEqual([])
  })
})

describe('catalog-rule.choice-explained: storefrontExplanation', () => {
  const QUERY = `query ($account: ID, $channel: String, $tags: [String!], $proved: Boolean! = false) {
    storefrontExplanation(account: $account, channel: $channel, tags: $tags, proved: $proved) {
      catalog { name } ruleCount rules { rule { name } outcome matched unmatched } } }`
  const explain = async (variables: Record<string, unknown>) =>
    (await server.gql(QUERY, variables)).data.storefrontExplanation

  it('an administrator learns what of each rule matches, and why it is not chosen', async () => {
    await makeRule({ name: 'secret', tags: ['member'] })
    await makeRule({ name: 'web', channels: ['web'], account_ids: [account] }, ids.catalog)
    const given = { account: globalId('Account', account), channel: 'app', tags: ['member'] }
    const web = { rule: { name: 'web' }, matched: ['ACCOUNT'], unmatched: ['CHANNEL'] }
    const member = { rule: { name: 'secret' } }
    expect(await explain(given)).toEqual({
      catalog: { name: STORE },
      ruleCount: 2,
      rules: [
        { ...web, outcome: 'CHOSEN' },
        { ...member, outcome: 'NOT_PROVED', matched: [], unmatched: ['TAGS'] },
      ],
    })
    expect(await explain({ ...given, proved: true })).toEqual({
      catalog: { name: 'Members' },
      ruleCount: 2,
      rules: [
        { ...member, outcome: 'CHOSEN', matched: ['TAGS'], unmatched: [] },
        { ...web, outcome: 'MORE_UNMATCHED' },
      ],
    })
    expect(await explain({})).toMatchObject({
      catalog: { name: STORE },
      rules: [{ outcome: 'NO_MATCH' }, { outcome: 'NO_MATCH' }],
    })
  })

  it('shoppers may not ask for it', async () => {
    const { errors } = await server.gql(QUERY, {}, { token: await tokenOf() })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
  })
})
