/** What a publish or restore at once carries into scheduled releases, as administrators and shoppers see it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf } from '../../support/price-books.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { releasesKept: 2 } })

const DAY = 86_400_000
/** The instant of the schedule. */
const TURN = START + 10 * DAY
const iso = (instant: number) => new Date(instant).toISOString()

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

beforeEach(async () => {
  await reset(database)
  server.now = START
  server.services.releases.invalidate()
  await publishStore(server, fullStore())
})

const set = (column: string, value: unknown, id = ids.machine, table = 'product') =>
  database.pool.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [value, id])
const carryFields = `carries {
  release { id sequence status } scheduledFor productCount nodeCount conflictCount conflicts { productId nodeId field key } }`
const tokenOf = async (role: 'admin' | 'shopper') =>
  (await server.issue({ subject: role, role }, Math.floor(server.now / 1000) * 1000)).token
const change = async (name: string, input: object, selected: string): Promise<Any> =>
  mutate(server, name, input, selected, { token: await tokenOf('admin') })
const publish = (more: object = {}): Promise<Any> =>
  change('publishRelease', { catalogId: ids.catalog, ...more }, `release { id sequence status ${carryFields} }`)
const ask = async (query: string, role: 'admin' | 'shopper' = 'admin'): Promise<Any> =>
  (await server.gql(query, {}, { token: await tokenOf(role) })).data
const latest = async (fields: string, role: 'admin' | 'shopper' = 'shopper') =>
  (await ask(`{ catalog(id: "${ids.catalog}") { latestRelease { ${fields} } } }`, role)).catalog.latestRelease
const machine = (fields: string) => `product(by: { id: "${ids.machine}" }) { ${fields} }`
const release = async (id: string, fields: string, role: 'admin' | 'shopper' = 'admin') =>
  (await ask(`{ release(id: "${id}") { ${fields} } }`, role)).release
const productId = globalId('Product', ids.machine)
const conflict = (field: string, key: string | null = null) => ({ productId, nodeId: null, field, key })

/** Schedules a Christmas with another name, and takes that back. The global id of the scheduled release. */
async function scheduleChristmas(): Promise<string> {
  await set('name', 'Christmas machine')
  const { release: scheduled, userErrors } = await publish({ at: iso(TURN) })
  expect([userErrors, scheduled.status, scheduled.carries]).toEqual([[], 'SCHEDULED', []])
  await set('name', 'Espresso machine')
  return scheduled.id
}

describe('release.corrections-carried: a publish at once', () => {
  it('a typo that is corrected after a release was scheduled stays corrected at its instant, and what that release changed shows', async () => {
    const christmas = await scheduleChristmas()
    await set('description', 'Makes coffee.')
    const { release: published } = await publish()
    const [carry] = published.carries
    expect(published.carries).toEqual([
      {
        release: { id: carry.release.id, sequence: 4, status: 'SCHEDULED' },
        scheduledFor: iso(TURN),
        productCount: 1,
        nodeCount: 0,
        conflictCount: 0,
        conflicts: [],
      },
    ])
    expect(carry.release.id).not.toBe(christmas)
    expect(await latest(machine('name description'))).toEqual({
      product: { name: 'Espresso machine', description: 'Makes coffee.' },
    })
    server.now = TURN - 1
    expect(await latest(machine('name'))).toEqual({ product: { name: 'Espresso machine' } })
    server.now = TURN
    expect(await latest(machine('name description'))).toEqual({
      product: { name: 'Christmas machine', description: 'Makes coffee.' },
    })
  })

  it('while a release that ends a campaign waits, a correction is carried into it, and the campaign is not', async () => {
    const [normal] = (await ask(`{ catalog(id: "${ids.catalog}") { releases { nodes { id } } } }`)).catalog.releases
      .nodes
    await set('name', 'Black Friday machine')
    await publish()
    await change('restoreRelease', { releaseId: normal.id, at: iso(TURN) }, 'release { id }')
    await set('description', 'Makes coffee.')
    const { release: corrected } = await publish()
    expect(corrected.carries).toMatchObject([{ productCount: 1, conflictCount: 0 }])
    server.now = TURN
    expect(await latest(machine('name description'))).toEqual({
      product: { name: 'Espresso machine', description: 'Makes coffee.' },
    })
    // The release that was public before stays as it was.
    expect(await release(normal.id, machine('description'))).toEqual({ product: { description: 'Makes espresso.' } })
  })

  it('publishes for later, withdrawals, deletions and the instant of a schedule carry nothing, and neither does a first publish', async () => {
    const christmas = await scheduleChristmas()
    await set('description', 'Makes coffee.')
    const { release: other } = await publish({ at: iso(TURN + DAY) })
    await change('withdrawRelease', { releaseId: other.id }, 'release { id }')
    expect(await release(christmas, `status carriedInto { id } ${machine('description')}`)).toEqual({
      status: 'SCHEDULED',
      carriedInto: null,
      product: { description: 'Makes espresso.' },
    })
    const { release: again } = await publish({ at: iso(TURN + DAY) })
    server.now = TURN
    expect(await release(again.id, `scheduledFor ${machine('name')}`)).toEqual({
      scheduledFor: iso(TURN + DAY),
      product: { name: 'Espresso machine' },
    })
  })

  it('`carry: false` leaves scheduled releases alone, and a dry run with it tells so', async () => {
    const christmas = await scheduleChristmas()
    await set('description', 'Makes coffee.')
    expect((await publish({ dryRun: true, carry: false })).release.carries).toEqual([])
    expect((await publish({ carry: false })).release.carries).toEqual([])
    expect(await release(christmas, `status ${machine('description')}`)).toEqual({
      status: 'SCHEDULED',
      product: { description: 'Makes espresso.' },
    })
  })
})

describe('release.carries-are-told: conflicts', () => {
  it('a dry run, the draft and the publish tell the same conflicts by field, language and currency, and the schedule keeps these', async () => {
    await set('locales', { fr: { name: 'Machine de Noël' } })
    await set('tags', ['coffee', 'christmas'])
    await scheduleChristmas()
    await set('locales', { fr: { name: 'Machine' }, de: { name: 'Maschine' } })
    await set('tags', ['coffee', 'steel'])
    await set('name', 'Machine')
    const dry = (await publish({ dryRun: true })).release
    expect(dry.carries).toMatchObject([{ productCount: 1, nodeCount: 0, conflictCount: 3 }])
    expect(dry.carries[0].conflicts).toEqual([conflict('tags'), conflict('name'), conflict('name', 'fr')])
    expect(dry.carries[0].release.status).toBe('SCHEDULED')
    const { catalog } = await ask(`{ catalog(id: "${ids.catalog}") { draft { id ${carryFields} } } }`)
    expect(catalog.draft).toEqual({ id: dry.id, carries: dry.carries })
    const { release: published } = await publish({ fromDraft: dry.id })
    const told = ({ release: _, ...carry }: Any) => carry
    expect(published.carries.map(told)).toEqual(dry.carries.map(told))
    server.now = TURN
    expect(await latest(machine('name fr: name(locale: "fr") de: name(locale: "de") tags'))).toEqual({
      product: { name: 'Christmas machine', fr: 'Machine de Noël', de: 'Maschine', tags: ['coffee', 'christmas'] },
    })
  })

  it('a conflict shows the product as the latest release had it, as the publish makes it and as the schedule keeps it, before and after', async () => {
    await set('locales', { fr: { name: 'Machine de Noël' } })
    await scheduleChristmas()
    await set('locales', { fr: { name: 'Machine' } })
    await set('name', 'Machine')
    const side = '{ product { name fr: name(locale: "fr") } node { name } }'
    const sides = `field key before ${side} after ${side} scheduled ${side}`
    const shown = (name: string, fr: string) => ({ product: { name, fr }, node: null })
    const values = {
      before: shown('Espresso machine', 'Machine à expresso'),
      after: shown('Machine', 'Machine'),
      scheduled: shown('Christmas machine', 'Machine de Noël'),
    }
    const expected = [
      { field: 'name', key: null, ...values },
      { field: 'name', key: 'fr', ...values },
    ]
    const fields = `release { id carries { conflicts { ${sides} } } }`
    const publishShown = async (more: object) =>
      (await change('publishRelease', { catalogId: ids.catalog, ...more }, fields)).release
    const dry = await publishShown({ dryRun: true })
    expect(dry.carries).toEqual([{ conflicts: expected }])
    const part = (await publishShown({ dryRun: true, only: { products: [productId] } })).carries
    expect(part).toEqual([{ conflicts: expected.map((one) => ({ ...one, after: null })) }])
    const { carries, id } = await publishShown({ fromDraft: dry.id })
    expect(carries).toEqual([{ conflicts: expected }])
    expect(await release(id, `carries { conflicts { ${sides} } }`)).toEqual({ carries: [{ conflicts: expected }] })
  })

  it('a conflict at a node shows the node, and what a schedule has no more is null there', async () => {
    await set('name', 'Christmas shop', ids.clothes, 'catalog_node')
    await scheduleChristmas()
    await set('name', 'Clothing', ids.clothes, 'catalog_node')
    await set('status', 'draft')
    const side = '{ product { name } node { name } }'
    const fields = `release { carries { conflicts { field before ${side} after ${side} scheduled ${side} } } }`
    const { release: published } = await change('publishRelease', { catalogId: ids.catalog }, fields)
    const [node, product] = published.carries[0].conflicts
    expect(node).toEqual({
      field: 'name',
      before: { product: null, node: { name: 'Clothes' } },
      after: { product: null, node: { name: 'Clothing' } },
      scheduled: { product: null, node: { name: 'Christmas shop' } },
    })
    expect(product).toEqual({
      field: 'product',
      before: { product: { name: 'Espresso machine' }, node: null },
      after: { product: null, node: null },
      scheduled: { product: null, node: null },
    })
  })

  it('release.removal-is-carried: what is taken off sale is off in scheduled releases that changed it, and that is told', async () => {
    await scheduleChristmas()
    await set('status', 'draft')
    const { release: published } = await publish()
    expect(published.carries).toMatchObject([{ productCount: 3, conflicts: [conflict('product')] }])
    server.now = TURN
    expect(await latest(machine('name'))).toEqual({ product: null })
  })

  it('a price that would break a rule stays whole, and list prices of other currencies and other sales are carried', async () => {
    const price = idOfPrice()
    await set(
      'currencies',
      { USD: { amount: 500, includes_tax: false }, EUR: { amount: 400, includes_tax: false } },
      price,
      'product_price',
    )
    await publish()
    await set(
      'currencies',
      { USD: { amount: 300, includes_tax: false }, EUR: { amount: 400, includes_tax: false } },
      price,
      'product_price',
    )
    await publish({ at: iso(TURN) })
    await set(
      'currencies',
      { USD: { amount: 500, includes_tax: false }, EUR: { amount: 450, includes_tax: false } },
      price,
      'product_price',
    )
    expect((await publish()).release.carries).toMatchObject([{ conflictCount: 0 }])
    const beans = `product(by: { id: "${ids.beans}" }) { prices { amount { amount currency } } }`
    const prices = (usd: number, eur: number) => ({
      product: { prices: [{ amount: { amount: eur, currency: 'EUR' } }, { amount: { amount: usd, currency: 'USD' } }] },
    })
    expect(await latest(beans)).toEqual(prices(500, 450))
    server.now = TURN
    expect(await latest(beans)).toEqual(prices(300, 450))
  })

  function idOfPrice(): string {
    const found = fullStore().prices.find(({ sku, sales }) => sku === 'BEANS' && sales.length === 0)
    return (found ?? fullStore().prices.find(({ sku }) => sku === 'BEANS'))?.id as string
  }

  it('release.published-from-draft: a draft is stale once other releases are scheduled, and keeps its id while they stay', async () => {
    await set('description', 'Makes coffee.')
    const draftId = async () => (await ask(`{ catalog(id: "${ids.catalog}") { draft { id } } }`)).catalog.draft.id
    const first = await draftId()
    expect(await draftId()).toBe(first)
    await publishRelease(contextOf(server.services, server.now), { catalogId: ids.catalog, at: TURN, carry: false })
    const second = await draftId()
    expect(second).not.toBe(first)
    const stale = await publish({ fromDraft: first })
    const code = 'SCHEDULES_CHANGED'
    expect(stale.userErrors).toEqual([{ code, path: ['fromDraft'], message: expect.any(String) }])
    expect(stale.release.id).toBe(second)
    // Once more is changed, the draft shows something else, whatever is scheduled.
    await set('name', 'Machine')
    expect((await publish({ fromDraft: second })).userErrors).toMatchObject([{ code: 'STALE' }])
    expect((await publish({ fromDraft: first })).userErrors).toMatchObject([{ code: 'STALE' }])
    await set('name', 'Espresso machine')
    // The schedule has begun: a publish would carry into nothing.
    server.now = TURN
    expect(await draftId()).not.toBe(second)
  })

  it('a restore tells before and after what it carries, and its dry run changes nothing', async () => {
    const [first] = (await ask(`{ catalog(id: "${ids.catalog}") { releases { nodes { id } } } }`)).catalog.releases
      .nodes
    await set('description', 'Makes coffee.')
    await publish()
    const christmas = await scheduleChristmas()
    const restore = (more: object) =>
      change('restoreRelease', { releaseId: first.id, ...more }, `release { id ${carryFields} }`)
    const dry = (await restore({ dryRun: true })).release
    expect(dry.carries).toMatchObject([{ release: { id: christmas }, productCount: 1, conflictCount: 0 }])
    expect(await latest(machine('description'))).toEqual({ product: { description: 'Makes coffee.' } })
    expect((await restore({ dryRun: true, carry: false })).release.carries).toEqual([])
    const { release: restored } = await restore({})
    expect(restored.carries).toMatchObject([{ productCount: 1, conflictCount: 0, release: { status: 'SCHEDULED' } }])
    expect(restored.carries[0].release.id).not.toBe(christmas)
    server.now = TURN
    expect(await latest(machine('name description'))).toEqual({
      product: { name: 'Christmas machine', description: 'Makes espresso.' },
    })
  })
})

describe('release.early-shows-warned: a publish that shows what a schedule holds', () => {
  const early = `warningCount warnings { code count productId nodeCount scheduledFor scheduledRelease { id } currency sku }`
  const warned = (id: string, count: number, nodeCount: number, first: string | null = productId) => ({
    ...{ code: 'SCHEDULED_SHOWN_EARLY', count, productId: first, nodeCount, scheduledFor: iso(TURN) },
    ...{ scheduledRelease: { id }, currency: null, sku: null },
  })
  /** The warnings apart from those of two bundles of the store, which come last. */
  const withoutBundles = ({ warningCount, warnings, ...others }: Any) => {
    expect(warnings.slice(-2)).toMatchObject([{ code: 'TAX_MIXED' }, { code: 'TAX_MIXED' }])
    return { ...others, warningCount: warningCount - 2, warnings: warnings.slice(0, -2) }
  }
  const publishEarly = async (more: object = {}): Promise<Any> => {
    const fields = `release { id ${early} carries { productCount } }`
    return withoutBundles((await change('publishRelease', { catalogId: ids.catalog, ...more }, fields)).release)
  }

  it('is warned of with the schedule and counts, in a dry run, the draft and the publish, carried or not, and once', async () => {
    await set('name', 'Christmas machine')
    await set('description', 'Christmas beans', ids.beans)
    const { release: christmas } = await publish({ at: iso(TURN) })
    await set('tags', ['corrected'], ids.shirt)
    const expected = { warningCount: 1, warnings: [warned(christmas.id, 2, 0)] }
    const dry = await publishEarly({ dryRun: true })
    expect(dry).toMatchObject(expected)
    expect(await publishEarly({ dryRun: true, carry: false })).toMatchObject({ ...expected, carries: [] })
    // A release for later is no early one.
    expect(await publishEarly({ dryRun: true, at: iso(TURN + DAY) })).toMatchObject({ warningCount: 0, warnings: [] })
    const { catalog } = await ask(`{ catalog(id: "${ids.catalog}") { draft { ${early} } } }`)
    expect(withoutBundles(catalog.draft)).toEqual(expected)
    const published = await publishEarly({ fromDraft: dry.id })
    const { carriedInto } = await release(christmas.id, 'carriedInto { id }')
    expect(published).toMatchObject({ warningCount: 1, warnings: [warned(carriedInto.id, 2, 0)] })
    await set('tags', ['corrected again'], ids.shirt)
    expect(await publishEarly()).toMatchObject({ warningCount: 0, warnings: [] })
  })

  it('counts products that differ elsewhere, that are removed and that are attached alike, and nodes', async () => {
    await set('name', 'Christmas machine')
    await set('status', 'draft', ids.manual)
    await change('attachProducts', { nodeId: ids.sale, productIds: [ids.beans] }, 'node { id }')
    await set('name', 'Christmas shop', ids.clothes, 'catalog_node')
    const { release: christmas } = await publish({ at: iso(TURN) })
    await set('description', 'Makes coffee.')
    await set('description', 'Roasted.', ids.beans)
    expect(await publishEarly({ carry: false })).toMatchObject({
      warningCount: 1,
      warnings: [warned(christmas.id, 3, 1)],
      carries: [],
    })
  })

  it('a publish of something else, also of the same field, is none', async () => {
    await scheduleChristmas()
    await set('name', 'Machine')
    expect(await publishEarly()).toMatchObject({ warningCount: 0, warnings: [] })
  })

  it('a publish for later and a restore warn of nothing, and a restore keeps the warning of its publish', async () => {
    const [first] = (await ask(`{ catalog(id: "${ids.catalog}") { releases { nodes { id } } } }`)).catalog.releases
      .nodes
    await set('name', 'Christmas machine')
    await publish({ at: iso(TURN) })
    expect(await publishEarly({ at: iso(TURN - DAY) })).toMatchObject({ warningCount: 0, warnings: [] })
    await change('withdrawRelease', { releaseId: (await release0()).id }, 'release { id }')
    const shown = await publishEarly()
    expect(shown.warningCount).toBe(1)
    await change('restoreRelease', { releaseId: first.id }, 'release { id }')
    const restored = await change('restoreRelease', { releaseId: shown.id }, `release { ${early} }`)
    expect(withoutBundles(restored.release)).toMatchObject({
      warningCount: 1,
      warnings: [{ code: 'SCHEDULED_SHOWN_EARLY', count: 1 }],
    })
    expect(withoutBundles(await release(first.id, early)).warnings).toEqual([])
  })

  const release0 = async () =>
    (await ask(`{ catalog(id: "${ids.catalog}") { scheduledReleases { id } } }`)).catalog.scheduledReleases[0]
})

describe('release.carried-is-another: the id of a carried release', () => {
  it('leads administrators to the release that has its schedule, is in no list, and is nothing to shoppers; withdrawing, moving and deleting it does so to that release', async () => {
    const christmas = await scheduleChristmas()
    const next: string[] = []
    for (const text of ['Makes coffee.', 'Makes good coffee.']) {
      await set('description', text)
      next.push((await publish()).release.carries[0].release.id)
    }
    const [second, third] = next as [string, string]
    for (const id of [christmas, second])
      expect(await release(id, `id status carriedInto { id status } ${machine('name')}`)).toEqual({
        id,
        status: 'CARRIED',
        carriedInto: { id: third, status: 'SCHEDULED' },
        product: { name: 'Christmas machine' },
      })
    expect(await release(third, 'carriedInto { id }')).toEqual({ carriedInto: null })
    expect(await release(christmas, 'id', 'shopper')).toBeNull()
    const { catalog } = await ask(
      `{ catalog(id: "${ids.catalog}") { releases { nodes { sequence } } scheduledReleases { id } } }`,
    )
    expect(catalog.releases.nodes.map(({ sequence }: Any) => sequence)).toEqual([6, 5, 3])
    expect(catalog.scheduledReleases).toEqual([{ id: third }])
    const moved = await change(
      'restoreRelease',
      { releaseId: christmas, at: iso(TURN + DAY) },
      'release { id scheduledFor }',
    )
    expect(moved).toEqual({ release: { id: third, scheduledFor: iso(TURN + DAY) }, userErrors: [] })
    const withdrawn = await change('withdrawRelease', { releaseId: christmas }, 'release { id }')
    expect(withdrawn).toEqual({ release: { id: third }, userErrors: [] })
    for (const id of [christmas, second, third]) expect(await release(id, 'id')).toBeNull()
    for (const at of [null, iso(TURN)]) {
      const { release: none, userErrors } = await change(
        'restoreRelease',
        { releaseId: christmas, at },
        'release { id }',
      )
      expect([none, userErrors.map(({ code, path }: Any) => [code, path])]).toEqual([
        null,
        [['NOT_FOUND', ['releaseId']]],
      ])
    }
  })

  it('a walk in it goes on for 24 hours, and its id finds the other release after; changesSince shows what came', async () => {
    const christmas = await scheduleChristmas()
    const page = (after: string | null) =>
      `products(first: 2${after ? `, after: "${after}"` : ''}) { nodes { name } pageInfo { endCursor } }`
    const { products } = await release(christmas, page(null))
    expect(products.nodes[0].name).toBe('Christmas machine')
    await set('description', 'Makes coffee.')
    const [{ release: next }] = (await publish()).release.carries
    const changes = `changesSince(releaseId: "${christmas}") { nodes { kind fields after { description } } }`
    expect(await release(next.id, changes)).toEqual({
      changesSince: { nodes: [{ kind: 'CHANGED', fields: ['description'], after: { description: 'Makes coffee.' } }] },
    })
    server.now = START + DAY - 1
    await publish()
    const rest = await release(christmas, page(products.pageInfo.endCursor))
    expect(rest.products.nodes).toHaveLength(2)
    server.now = START + DAY + 60_000
    await publish()
    server.now += 60_001
    await publish()
    expect(await release(christmas, 'id status')).toEqual({ id: next.id, status: 'SCHEDULED' })
    expect(await release(christmas, 'id', 'shopper')).toBeNull()
  })

  it('release.old-ones-retire: a restored release and the one that it was carried into count as one', async () => {
    const [first] = (await ask(`{ catalog(id: "${ids.catalog}") { releases { nodes { id } } } }`)).catalog.releases
      .nodes
    await set('description', 'Two.')
    await publish()
    await change('restoreRelease', { releaseId: first.id, at: iso(TURN) }, 'release { id }')
    await set('tags', ['three'])
    await publish()
    server.now = TURN
    const sequences = async () =>
      (await ask(`{ catalog(id: "${ids.catalog}") { releases { nodes { sequence } } } }`)).catalog.releases.nodes.map(
        ({ sequence }: Any) => sequence,
      )
    server.now += 120_000
    await publish()
    // Two are kept: the newest one, and the restored one with the first one, which is the same to retention.
    expect(await sequences()).toEqual([5, 4, 1])
  })

  it('its words and its price history are those of its content', async () => {
    await scheduleChristmas()
    await set('name', 'Percolator', ids.beans)
    const [{ release: next }] = (await publish()).release.carries
    const found = await release(next.id, 'products(filter: { search: "percolater" }) { nodes { name } }')
    expect(found.products.nodes).toEqual([{ name: 'Percolator' }])
    await set(
      'currencies',
      { USD: { amount: 77, includes_tax: false } },
      fullStore().prices.find(({ sku, price_book_id }) => sku === 'MACHINE' && price_book_id === ids.premium)?.id,
      'product_price',
    )
    expect((await publish()).release.carries).toMatchObject([{ conflictCount: 0 }])
    const { rows } = await database.pool.query('SELECT product_id FROM price_history WHERE until = $1', [iso(TURN)])
    // The price of the machine is carried, so that it does not change at the instant.
    expect(rows).toEqual([])
    const { history } = await ask('{ history(first: 6, filter: { topic: RELEASE }) { nodes { kind operation } } }')
    expect(history.nodes.map(({ kind, operation }: Any) => `${kind} ${operation}`)).toEqual([
      'CREATED publishRelease',
      'CREATED publishRelease',
      'UPDATED publishRelease',
      'CREATED publishRelease',
      'CREATED publishRelease',
      'UPDATED publishRelease',
    ])
  })
})

describe('label.carried-by-language: labels', () => {
  const label = (kind: string, key: string, texts: Readonly<Record<string, string>>) => {
    const locales = Object.entries(texts).map(([language, name]) => ({ language, name }))
    return change('upsertLabels', { labels: [{ kind, key, locales }] }, 'labels { key }')
  }
  const tags = async (locale: string) => (await latest(machine(`tagLabels(locale: "${locale}")`))).product.tagLabels

  it('label.carried-by-language: a corrected label goes into a scheduled release by language, and what that release changed stays there', async () => {
    await label('TAG', 'coffee', { de: 'Kafee', fr: 'Café' })
    await publish()
    await label('TAG', 'coffee', { de: 'Kafee', fr: 'Café de Noël' })
    await label('TAG', 'kitchen', { de: 'Weihnachtsküche' })
    await publish({ at: iso(TURN) })
    await label('TAG', 'kitchen', {})
    await label('TAG', 'coffee', { de: 'Kaffee', fr: 'Café' })
    const { release: published } = await publish()
    expect(published.carries).toMatchObject([{ productCount: 0, nodeCount: 0, conflictCount: 0 }])
    expect([await tags('de'), await tags('fr')]).toEqual([
      ['Kaffee', 'kitchen'],
      ['Café', 'kitchen'],
    ])
    server.now = TURN
    expect([await tags('de'), await tags('fr')]).toEqual([
      ['Kaffee', 'Weihnachtsküche'],
      ['Café de Noël', 'kitchen'],
    ])
  })

  it('label.carried-by-language: what both changed stays as scheduled, a conflict of the catalog', async () => {
    await label('SALE', 'always', { de: 'Eins' })
    await publish()
    await label('SALE', 'always', { de: 'Zwei' })
    await publish({ at: iso(TURN) })
    await label('SALE', 'always', { de: 'Drei' })
    const { release: published } = await publish()
    expect(published.carries).toMatchObject([
      {
        conflictCount: 1,
        conflicts: [{ productId: null, nodeId: null, field: 'labels', key: 'sale.always.de' }],
      },
    ])
  })

  it('label.carried-by-language: a release that is scheduled anew without labels of its own takes those of the publish', async () => {
    await publish({ at: iso(TURN) })
    await label('TAG', 'coffee', { de: 'Kaffee' })
    await publish()
    server.now = TURN
    expect(await tags('de')).toEqual(['Kaffee', 'kitchen'])
  })
})
