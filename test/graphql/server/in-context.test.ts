import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCatalogRule } from '../../../src/operations/catalog/catalog-rule.ts'
import { useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { listen } from '../../support/live.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, START, startTestServer, type TestServer } from '../../support/server.ts'

const inRelease = (selection: string, release = 'release(id: "latest")') =>
  `{ catalog(id: "${ids.catalog}") { ${release} { ${selection} } } }`
const machine = (selection: string) => inRelease(`product(by: { id: "${ids.machine}" }) { ${selection} }`)
const stored = `query Page($currency: CurrencyCode, $locale: String, $at: DateTime) @inContext(currency: $currency, locale: $locale, at: $at) ${machine(
  'name price { amount { amount currency formatted } sale { name } } ',
)}`

const goldCatalog = idOf(0xcb)

const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'in-context-'))
let server: TestServer

beforeAll(async () => {
  writeFileSync(join(folder, 'page.graphql'), stored)
  server = await startTestServer(database, {
    elapsed: manualClock(),
    config: { persistedDocuments: folder, cacheMaxAge: 60 },
  })
  const store = fullStore()
  const [catalog] = store.catalogs
  if (catalog)
    await publishStore(server, { ...store, catalogs: [catalog, { ...catalog, id: goldCatalog, name: 'Gold' }] })
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})
beforeEach(() => {
  server.now = START
})

interface Options {
  readonly role?: 'admin' | 'shopper'
  readonly headers?: Record<string, string>
}

async function tokenOf(role: 'admin' | 'shopper' = 'shopper'): Promise<string> {
  return (await server.issue({ subject: role, role }, server.now)).token
}

/** The stored document by GET. */
async function getPage(variables: object, { role, headers = {} }: Options = {}) {
  const documentId = createHash('sha256').update(stored).digest('hex')
  const parameters = new URLSearchParams({ documentId, variables: JSON.stringify(variables) })
  return server.rest('GET', `/graphql?${parameters}`, { token: await tokenOf(role), headers })
}

async function page(variables: object, options?: Options) {
  const { body } = await getPage(variables, options)
  expect(body.errors).toBeUndefined()
  const { name, price } = body.data.catalog.release.product
  return [name, price.amount.amount, price.amount.currency, price.amount.formatted, price.sale?.name ?? null]
}

async function post(query: string, { role, headers = {} }: Options = {}, variables = {}) {
  return server.gql(query, variables, { token: await tokenOf(role), headers })
}

interface Failure {
  readonly message: string
  readonly extensions: { readonly code: string }
}
const errorsOf = ({ errors = [] }: { errors?: Failure[] }) =>
  errors.map(({ message, extensions: { code } }) => `${code} ${message}`)

const german = ['Espressomaschine', 46000, 'EUR', 'EUR\u00a0460.00', null]

describe('graph.operation-sets-its-context: @inContext', () => {
  it('@inContext gives a stored document by GET its currency and language, without headers', async () => {
    expect(await page({})).toEqual(['Espresso machine', 40000, 'USD', '$400.00', 'winter'])
    expect(await page({ currency: 'EUR', locale: 'de-CH' })).toEqual(german)
  })

  it('@inContext goes before a header, and null leaves the header in force', async () => {
    const headers = { 'X-MOLTIN-CURRENCY': 'EUR', 'Accept-Language': 'de-CH' }
    expect(await page({ currency: null }, { headers })).toEqual(german)
    expect(await page({ currency: 'USD', locale: 'en' }, { headers })).toEqual([
      'Espresso machine',
      40000,
      'USD',
      '$400.00',
      'winter',
    ])
  })

  it('@inContext yields to an argument of a field', async () => {
    const query = `query @inContext(currency: "EUR", locale: "de-CH") ${machine('price(currency: "USD") { amount { formatted(locale: "en") } }')}`
    expect((await post(query)).data.catalog.release.product.price.amount.formatted).toBe('$400.00')
  })

  it('@inContext is part of the key of a cached response, whatever headers come along', async () => {
    const responses: unknown[] = []
    for (const _ of [1, 2, 3]) {
      responses.push(await page({ currency: 'EUR', locale: 'de-CH' }))
      responses.push(
        await page(
          { currency: 'EUR', locale: 'de-CH' },
          { headers: { 'X-MOLTIN-CURRENCY': 'USD', 'Accept-Language': 'fr' } },
        ),
      )
    }
    expect(responses).toEqual(Array(6).fill(german))
    for (const _ of [1, 2, 3]) expect((await page({}))[2]).toBe('USD')
    const { headers } = await getPage({ currency: 'EUR', locale: 'de-CH' })
    expect([headers.get('Cache-Control'), headers.has('ETag')]).toEqual(['private, max-age=60', true])
  })

  it('@inContext chooses the storefront by channel and tags', async () => {
    const attributes = { name: 'Gold', catalog_id: goldCatalog, channels: ['web'], tags: ['gold'] }
    await createCatalogRule(contextOf(server.services, server.now), { data: { type: 'catalog_rule', attributes } })
    const chosen = async (directive: string, headers = {}) =>
      (await post(`query ${directive} { storefront { name } }`, { headers })).data
    const [gold, first] = ['Gold', 'Coffee store'].map((name) => ({ storefront: { name } }))
    expect(await chosen('')).toEqual(first)
    expect(await chosen('@inContext(channel: "web")')).toEqual(gold)
    expect(await chosen('@inContext(tags: ["silver", "gold"])')).toEqual(gold)
    expect(
      await chosen('@inContext(channel: "app", tags: [])', { 'EP-Channel': 'web', 'EP-Context-Tag': 'gold' }),
    ).toEqual(first)
    expect(await chosen('@inContext(channel: "app")', { 'EP-Channel': 'web', 'EP-Context-Tag': 'gold' })).toEqual(gold)
  })

  describe('at', () => {
    it('@inContext(at:) shows an administrator every price of the operation at an instant, in a response that is never stored', async () => {
      const at = new Date(flash.from).toISOString()
      for (const _ of [1, 2, 3]) expect((await page({ at }, { role: 'admin' })).slice(1, 2)).toEqual([30000])
      expect((await page({ at: new Date(flash.from - 1).toISOString() }, { role: 'admin' }))[1]).toBe(40000)
      const { headers, body } = await getPage({ at }, { role: 'admin' })
      expect([headers.get('Cache-Control'), headers.has('ETag'), body.extensions]).toEqual([
        'private, no-store',
        false,
        undefined,
      ])
    })

    it('@inContext(at:) leaves the latest release that of now, also at an instant before it was published', async () => {
      const sequence = async (args = '') =>
        (await post(`query ${args} ${inRelease('sequence')}`, { role: 'admin' })).data.catalog.release.sequence
      await publish(server, ids.catalog)
      expect(await sequence('@inContext(at: "2020-01-01T00:00:00Z")')).toBe(await sequence())
    })

    it('@inContext(at:) is forbidden to shoppers, also the present instant', async () => {
      const forbidden = ['FORBIDDEN The argument @inContext(at:) is for administrators']
      expect(errorsOf((await getPage({ at: new Date(flash.from).toISOString() })).body)).toEqual(forbidden)
      expect(errorsOf((await getPage({ at: new Date(START).toISOString() })).body)).toEqual(forbidden)
      expect(await page({ at: null })).toEqual(['Espresso machine', 40000, 'USD', '$400.00', 'winter'])
    })
  })

  it('@inContext refuses wrong arguments by their names, whether written out or in variables', async () => {
    const wrong = async (args: string) => errorsOf(await post(`query @inContext(${args}) { storefront { id } }`))
    expect(await wrong('currency: "eur"')).toEqual([
      'BAD_USER_INPUT @inContext(currency:): must be three uppercase letters',
    ])
    expect(await wrong('locale: "de_CH"')).toEqual([
      'BAD_USER_INPUT @inContext(locale:): must be a BCP 47 language tag',
    ])
    expect(await wrong(`tags: [${'"a" '.repeat(101)}]`)).toEqual([
      'BAD_USER_INPUT @inContext(tags:): must have at most 100 entries',
    ])
    expect(await wrong(`tags: [${'"a" '.repeat(100)}]`)).toEqual([])
    expect(await wrong('channel: "\\u0000"')).toEqual([
      'BAD_USER_INPUT @inContext(channel:): must not hold U+0000 or a lone surrogate',
    ])
    expect(errorsOf((await getPage({ currency: 'eur' })).body)).toEqual([
      'BAD_USER_INPUT @inContext(currency:): must be three uppercase letters',
    ])
    expect(errorsOf((await getPage({ at: 'tomorrow' })).body)[0]).toMatch(
      /Variable "\$at" got invalid value "tomorrow"/,
    )
    expect(errorsOf(await post('mutation @inContext(currency: "EUR") { __typename }'))[0]).toMatch(
      /may not be used on MUTATION/,
    )
  })

  it('@inContext holds for each event of a subscription', async () => {
    const query = (args: string) =>
      `subscription @inContext(${args}) { releasePublished(catalogId: "${catalogId}") { release { product(by: { id: "${ids.machine}" }) { price { amount { amount currency } } } } } }`
    const { id: catalogId } = (await post(`{ catalog(id: "${ids.catalog}") { id } }`)).data.catalog
    const refused = await listen(server, query('at: "2026-01-12T00:00:00Z"'), { token: await tokenOf() })
    expect(errorsOf(await refused.next())).toEqual(['FORBIDDEN The argument @inContext(at:) is for administrators'])
    const events = await listen(server, query('currency: "EUR", at: "2026-01-12T00:00:00Z"'), {
      token: await tokenOf('admin'),
    })
    await publish(server, ids.catalog)
    const { data } = await events.next()
    expect(data.releasePublished.release.product.price).toEqual({ amount: { amount: 29000, currency: 'EUR' } })
    await events.close()
  })
})

describe('graph.tells-until-when-it-is-true: extensions.validUntil', () => {
  const priced = machine('price(currency: "USD") { amount { amount } }')
  const validUntil = async (query: string, options?: Options) => (await post(query, options)).extensions?.validUntil

  it('extensions.validUntil is the instant of the next price change in the response, exactly', async () => {
    const seen: unknown[] = []
    for (const now of [winter.from - 1, winter.from, flash.from, flash.to, winter.to - 1, winter.to]) {
      server.now = now
      seen.push(await validUntil(priced))
    }
    const changes = [winter.from, flash.from, flash.to, winter.to, winter.to].map((instant) =>
      new Date(instant).toISOString(),
    )
    expect(seen).toEqual([...changes, null])
  })

  it('extensions.validUntil is the instant at which the response may be cached no longer, of cached responses too', async () => {
    server.now = winter.to - 30_500
    for (const _ of [1, 2, 3]) {
      const { body, headers } = await getPage({})
      expect([body.extensions, headers.get('Cache-Control')]).toEqual([
        { validUntil: new Date(winter.to).toISOString() },
        'private, max-age=30',
      ])
    }
  })

  it('extensions.validUntil is null where nothing changes without a publish, and absent where the response depends on more', async () => {
    expect(await validUntil(machine('name'))).toBeNull()
    expect(await validUntil('{ storefront { id } }')).toBeNull()
    expect(await validUntil('{ storefront { id } catalogs { totalCount } }')).toBeUndefined()
    expect(await validUntil(machine('product { name }'), { role: 'admin' })).toBeUndefined()
    expect(await validUntil(machine('price(currency: "x") { tier }'))).toBeUndefined()
    expect(await validUntil('{ __typename }')).toBeUndefined()
    expect(await validUntil(priced, { headers: { 'GraphQL-Cost': '1' } })).toBe(new Date(winter.to).toISOString())
  })
})
