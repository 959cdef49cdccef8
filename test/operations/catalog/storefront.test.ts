import { beforeEach, describe, expect, it } from 'vitest'
import {
  createCatalogRule,
  deleteCatalogRule,
  updateCatalogRule,
} from '../../../src/operations/catalog/catalog-rule.ts'
import { deleteRelease } from '../../../src/operations/catalog/release.ts'
import { MAX_STALE_MS } from '../../../src/persistence/catalog/release-knowledge.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'
import { servicesOf } from '../../support/services.ts'
import { insertStore, type Store } from '../../support/store.ts'

const database = useDatabase()
const elapsed = manualClock()
const server = useServer(database, { elapsed })
const [first, second, unpublished] = [idOf(0xca1), idOf(0xca2), idOf(0xca3)]
const account = idOf(0xacc)

/** Three catalogs of one store; the second lacks the other hierarchy. */
function threeCatalogs(): Store {
  const store = fullStore()
  const books = [{ id: ids.premium, priority: 1 }]
  const all = [ids.hierarchy, ids.otherHierarchy]
  store.catalogs = [
    { id: unpublished, name: 'Next year', hierarchy_ids: all, books },
    { id: first, name: 'First', hierarchy_ids: all, books },
    { id: second, name: 'Second', hierarchy_ids: [ids.hierarchy], books: [{ id: ids.book, priority: 1 }] },
  ]
  return store
}

beforeEach(async () => {
  await reset(database)
  server.services.releases.invalidate()
  server.now = START
  await insertStore(database, threeCatalogs())
})

async function publishBoth(): Promise<string[]> {
  const releases = [(await publish(server, first)).id]
  server.now += 1000
  return [...releases, (await publish(server, second)).id]
}

/** Reads both releases by paths that name their catalogs, so that their indexes are in memory. */
async function readBoth(): Promise<void> {
  for (const catalog of [first, second])
    await server.rest('GET', `/pcm/catalogs/${catalog}/releases/latest/hierarchies/${ids.hierarchy}/products`)
}

const makeRule = (catalog_id: string, attributes: object = {}) =>
  createCatalogRule(contextOf(server.services, server.now), {
    data: { type: 'catalog_rule', attributes: { name: 'Rule', catalog_id, ...attributes } },
  })

interface Shopper {
  headers?: Record<string, string>
  accountId?: string
}

/** The chosen catalog by GraphQL, held to what REST lists. */
async function chosen({ headers = {}, accountId }: Shopper = {}): Promise<string | null> {
  const { token } = await server.issue(
    { subject: 'shopper', role: 'shopper', ...(accountId && { accountId }) },
    server.now,
  )
  const { data } = await server.gql('{ storefront { name } }', {}, { token, headers })
  const { status, body } = await server.rest('GET', `/catalog/hierarchies/${ids.hierarchy}/products`, {
    token,
    headers,
  })
  const name = data.storefront?.name ?? null
  expect(status).toBe(name === null ? 404 : 200)
  if (status === 200) expect(body.data[0].meta.catalog_id).toBe({ First: first, Second: second }[name as string])
  return name
}

describe('catalog-rule.most-matches-win: the storefront', () => {
  it('the storefront without rules is the catalog that was first published longest ago, or none', async () => {
    expect(await chosen()).toBeNull()
    const [oldest] = await publishBoth()
    expect(await chosen()).toBe('First')
    // A later publication makes no catalog younger.
    server.now += 1000
    await publish(server, first)
    expect(await chosen()).toBe('First')
    expect(oldest).toBeDefined()
  })

  it('the storefront is by default no catalog whose releases are all gone', async () => {
    const [release = ''] = await publishBoth()
    await deleteRelease(contextOf(server.services, server.now), { releaseId: release })
    expect(await chosen()).toBe('Second')
  })

  it('rules choose the storefront by channel, tag and account; a new rule applies at once', async () => {
    await publishBoth()
    await makeRule(second, { channels: ['web', 'app'] })
    expect(await chosen()).toBe('First')
    expect(await chosen({ headers: { 'EP-Channel': 'app' } })).toBe('Second')
    expect(await chosen({ headers: { 'EP-Channel': 'shop' } })).toBe('First')
    await makeRule(first, { channels: ['web'], tags: ['gold'] })
    expect(await chosen({ headers: { 'EP-Channel': 'web' } })).toBe('Second')
    expect(await chosen({ headers: { 'EP-Channel': 'web', 'EP-Context-Tag': 'gold' } })).toBe('First')
    await makeRule(second, { account_ids: [account], channels: ['web'], tags: ['gold'] })
    expect(await chosen({ headers: { 'EP-Channel': 'web', 'EP-Context-Tag': 'gold' }, accountId: account })).toBe(
      'Second',
    )
    expect(await chosen({ accountId: account.toUpperCase() })).toBe('Second')
  })

  it('channel and tags given as arguments go before the headers, one by one', async () => {
    await publishBoth()
    await makeRule(second, { channels: ['app'], tags: ['gold', 'new'] })
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const headers = { 'EP-Channel': 'app', 'EP-Context-Tag': 'gold' }
    const query = `{ headers: storefront { name } null: storefront(channel: null, tags: null) { name } channel: storefront(channel: "web") { name }
      tags: storefront(tags: []) { name } neither: storefront(channel: "web", tags: []) { name }
      several: storefront(channel: "web", tags: ["other", "new"]) { name } }`
    await server.gql(query, {}, { token, headers })
    const { result, count } = await countStatements(database, () => server.gql(query, {}, { token, headers }))
    const [one, two] = [{ name: 'First' }, { name: 'Second' }]
    expect(result.data).toEqual({ headers: two, null: two, channel: two, tags: two, neither: one, several: two })
    expect(count).toBe(0)
  })

  it.each([
    ['too many tags', { tags: Array.from({ length: 101 }, String) }, 'TOO_MANY', ['tags']],
    ['a tag that can not be stored', { tags: ['a', '\u0000'] }, 'INVALID_TEXT', ['tags', '1']],
    ['a channel that can not be stored', { channel: '\ud800' }, 'INVALID_TEXT', ['channel']],
  ])('the storefront refuses %s by name', async (_, variables, code, path) => {
    const query = 'query ($channel: String, $tags: [String!]) { storefront(channel: $channel, tags: $tags) { id } }'
    const { errors } = await server.gql(query, variables)
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ code, path }] })
    expect((await server.gql(query, { tags: Array.from({ length: 100 }, String) })).errors).toBeUndefined()
  })

  it('a catalog rule without criteria is the default, and precedes the oldest catalog', async () => {
    await publishBoth()
    await makeRule(second)
    await makeRule(first)
    expect(await chosen()).toBe('Second')
  })

  it('of equal rules of one instant the first written stays the oldest when it is edited', async () => {
    await publishBoth()
    const { id } = await makeRule(second)
    await makeRule(first)
    const data = { id, type: 'catalog_rule', attributes: { name: 'Renamed' } }
    await updateCatalogRule(contextOf(server.services, server.now), { id, data })
    expect(await chosen()).toBe('Second')
  })

  it('schedules of rules begin and end at their exact instants for the storefront', async () => {
    await publishBoth()
    const [from, to] = [server.now + 5000, server.now + 6000]
    await makeRule(second, {
      schedules: [{ valid_from: new Date(from).toISOString(), valid_to: new Date(to).toISOString() }],
    })
    const seen = []
    for (server.now of [from - 1, from, to - 1, to]) seen.push(await chosen())
    expect(seen).toEqual(['First', 'Second', 'Second', 'First'])
  })

  describe('for an administrator, at the instant of @inContext(at:)', () => {
    /**
     * What an administrator sees, at an instant, of the storefront of a channel: the catalog and the price of a product
     * in it.
     */
    async function shownAt(instant: number, channel = 'web') {
      const query = `query ($at: DateTime!, $channel: String!) @inContext(at: $at, channel: $channel, currency: "USD") {
        storefront { name latestRelease { catalog { name } product(by: { id: "${ids.machine}" }) { price { amount { amount } } } } } }`
      const { data, errors } = await server.gql(query, { at: new Date(instant).toISOString(), channel })
      expect(errors).toBeUndefined()
      const { name, latestRelease: release } = data.storefront
      expect(release.catalog.name).toBe(name)
      return [name, release.product.price.amount.amount]
    }
    const scheduled = (...schedules: (readonly [from: number | null, to: number | null])[]) => ({
      schedules: schedules.map(([from, to]) => ({
        valid_from: from === null ? null : new Date(from).toISOString(),
        valid_to: to === null ? null : new Date(to).toISOString(),
      })),
    })

    it('@inContext(at:) begins and ends the schedules of a rule to the millisecond, and leaves the present as it is', async () => {
      await publishBoth()
      const present = server.now
      const [from, to, again, end] = [5_000, 6_000, 8_000, 9_000].map((later) => present + later) as [
        number,
        number,
        number,
        number,
      ]
      await makeRule(second, scheduled([from, to], [again, end]))
      const seen = []
      for (const at of [present, from - 1, from, to - 1, to, again - 1, again, end - 1, end])
        seen.push((await shownAt(at))[0])
      expect(seen).toEqual(['First', 'First', 'Second', 'Second', 'First', 'First', 'Second', 'Second', 'First'])
      expect([server.now, await chosen(), await chosen({ headers: { 'EP-Channel': 'web' } })]).toEqual([
        present,
        'First',
        'First',
      ])
      // The clock passes the schedule; the instant before it shows what was chosen then.
      server.now = end
      expect([(await shownAt(from - 1))[0], (await shownAt(from))[0], await chosen()]).toEqual([
        'First',
        'Second',
        'First',
      ])
    })

    it('@inContext(at:) treats a schedule without a beginning or an end by its other bound alone', async () => {
      await publishBoth()
      const bound = server.now + 5_000
      await makeRule(second, { channels: ['web'], ...scheduled([null, bound]) })
      await makeRule(second, { channels: ['app'], ...scheduled([bound, null]) })
      const seen = []
      for (const at of [0, bound - 1, bound, Date.UTC(8997, 0)])
        seen.push([(await shownAt(at, 'web'))[0], (await shownAt(at, 'app'))[0]])
      expect(seen).toEqual([
        ['Second', 'First'],
        ['Second', 'First'],
        ['First', 'Second'],
        ['First', 'Second'],
      ])
    })

    it('@inContext(at:) chooses the best of the scheduled rules that is in force then, with the prices of its catalog at that instant', async () => {
      await publishBoth()
      // A millisecond around the two instants at which the prices of the first catalog turn.
      const [from, end] = [winter.from - 1, flash.from + 1]
      await makeRule(first, { channels: ['web'], ...scheduled([from, end]) })
      await makeRule(second)
      const seen = []
      for (const at of [from - 1, from, winter.from, flash.from - 1, flash.from, end]) seen.push(await shownAt(at))
      expect(seen).toEqual([
        ['Second', 1],
        ['First', 50_000],
        ['First', 40_000],
        ['First', 40_000],
        ['First', 30_000],
        ['Second', 1],
      ])
      expect(await shownAt(winter.from, 'app')).toEqual(['Second', 1])
    })
  })

  it('@inContext(at:) does not find a rule of another server that was read before it was known, and is deleted again', async () => {
    await publishBoth()
    const other = contextOf(servicesOf(database), server.now)
    const app = { headers: { 'EP-Channel': 'app' } }
    // Both releases are known here, with the state of the rules, and nothing of this shopper.
    await readBoth()
    const attributes = { name: 'A mistake', catalog_id: second, channels: ['app'] }
    const { id } = await createCatalogRule(other, { data: { type: 'catalog_rule', attributes } })
    expect(await chosen(app)).toBe('Second')
    await deleteCatalogRule(other, { id })
    elapsed.ahead += MAX_STALE_MS
    expect(await chosen(app)).toBe('First')
  })

  it('a rule that chooses an unpublished catalog gives no catalog', async () => {
    await publishBoth()
    await makeRule(unpublished, { channels: ['preview'] })
    expect(await chosen({ headers: { 'EP-Channel': 'preview' } })).toBeNull()
  })

  it('a path that names its catalog ignores the rules', async () => {
    await publishBoth()
    await makeRule(second)
    const { body } = await server.rest(
      'GET',
      `/pcm/catalogs/${first}/releases/latest/hierarchies/${ids.otherHierarchy}/products`,
    )
    expect(body.data[0].meta.catalog_id).toBe(first)
    // Which the chosen one does not have.
    expect((await server.rest('GET', `/catalog/hierarchies/${ids.otherHierarchy}/products`)).status).toBe(404)
  })

  it('the choice of the storefront costs one statement for a new shopper, and none after that until a rule is written', async () => {
    await publishBoth()
    await makeRule(second, { channels: ['app'] })
    await chosen()
    await readBoth()
    const query = '{ a: storefront { id } b: storefront { release(id: "latest") { hierarchies { name } } } }'
    const ask = async (headers: Record<string, string> = {}) => {
      const { count, statements } = await countStatements(database, () => server.gql(query, {}, { headers }))
      return statements.length > 0 ? statements : count
    }
    expect(await ask()).toBe(0)
    expect(await ask({ 'EP-Channel': 'app' })).toEqual([expect.stringContaining('account_ids &&')])
    expect(await ask({ 'EP-Channel': 'app' })).toBe(0)
    const rest = await countStatements(database, () =>
      server.rest('GET', `/catalog/hierarchies/${ids.hierarchy}/products`),
    )
    expect(rest.count).toBe(0)
    await makeRule(first, { channels: ['app'], tags: ['gold'] })
    // What is published, with the state of all rules, and those of this shopper.
    expect(await ask({ 'EP-Channel': 'app' })).toEqual([
      expect.stringContaining('release_activation'),
      expect.stringContaining('account_ids &&'),
    ])
  })

  it('the choice of the storefront costs a new shopper one statement also beside a rule of another server that is not known yet', async () => {
    await publishBoth()
    // With both indexes in memory nothing else reads what is published, with the state of the rules, before it is a
    // second old.
    await readBoth()
    const attributes = { name: 'Rule', catalog_id: second, channels: ['app'] }
    await createCatalogRule(contextOf(servicesOf(database), server.now), { data: { type: 'catalog_rule', attributes } })
    const ask = async () => {
      const asking = () => server.gql('{ storefront { name } }', {}, { headers: { 'EP-Channel': 'app' } })
      const { result, statements } = await countStatements(database, asking)
      return [result.data.storefront.name, statements.filter((text) => text.includes('account_ids &&')).length]
    }
    expect(await ask()).toEqual(['Second', 1])
    expect(await ask()).toEqual(['Second', 0])
  })
})
