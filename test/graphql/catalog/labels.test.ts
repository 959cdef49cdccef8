/** Labels: names of sales, tiers, tags and attributes in the shopper's language, as a release froze them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids, winter } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
/** While the sale `winter` runs. */
const NOW = winter.from

beforeEach(async () => {
  await reset(database)
  server.now = NOW
  server.services.releases.invalidate()
  await publishStore(server, fullStore())
})

type Texts = Readonly<Record<string, string>>

/** A row of upsertLabels. */
const row = (kind: string, key: string, texts: Texts) => ({
  kind,
  key,
  locales: Object.entries(texts).map(([language, name]) => ({ language, name })),
})

const everyKind = [
  row('SALE', 'winter', { de: 'Winterschlussverkauf', fr: 'Soldes', 'de-CH': 'Winterusverchauf' }),
  row('TIER', 'pair', { de: 'Paar', fr: 'Paire' }),
  row('TIER', 'dozen', { de: 'Dutzend' }),
  row('TAG', 'coffee', { de: 'Kaffee', fr: 'Café' }),
  row('ATTRIBUTE', 'watts', { de: 'Leistung', fr: 'Puissance' }),
  row('ATTRIBUTE_VALUE', '1450', { de: '1450 W' }),
]

const upsert = (labels: readonly object[]) =>
  mutate(server, 'upsertLabels', { labels }, 'labels { kind key locales { language name } }')

async function ask(fields: string, language?: string, of = 'latestRelease') {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, Math.floor(server.now / 1000) * 1000)
  const query = `{ catalog(id: "${ids.catalog}") { ${of} { ${fields} } } }`
  const { data, errors } = await server.gql(query, {}, { headers, token })
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease
}

const machine = (fields: string) => `product(by: { id: "${ids.machine}" }) { ${fields} }`
const price = `price(currency: "USD", quantity: 2) { sale { name label } tier tierLabel tiers { name label }
  steps { quantity sale { label } tierLabel } explanation { kind name label } }`

/** What a shopper sees of every label. */
const everything = machine(`tags tagLabels ${price} extensions { fields { key label value valueLabel } }`)

/** The same, flat. */
async function seen(language?: string) {
  const { product } = await ask(everything, language)
  const { price: of } = product
  const watts = product.extensions[0].fields.find(({ key }: { key: string }) => key === 'watts')
  return {
    sale: of.sale.label,
    tier: of.tierLabel,
    tiers: of.tiers.map(({ label }: { label: string }) => label),
    tags: product.tagLabels,
    attribute: watts.label,
    value: watts.valueLabel,
  }
}

const names = {
  sale: 'winter',
  tier: 'pair',
  tiers: ['pair'],
  tags: ['coffee', 'kitchen'],
  attribute: 'watts',
  value: '1450',
}

describe('labels of a release', () => {
  it('label.in-language, label.one-per-name: sale, tier, tag, attribute and value are called by their label in the best accepted language, else by their name', async () => {
    await upsert(everyKind)
    await publish(server, ids.catalog)
    const german = {
      sale: 'Winterschlussverkauf',
      tier: 'Paar',
      tiers: ['Paar'],
      tags: ['Kaffee', 'kitchen'],
      attribute: 'Leistung',
      value: '1450 W',
    }
    expect(await seen()).toEqual(names)
    expect(await seen('de')).toEqual(german)
    expect(await seen('de-CH')).toEqual({ ...german, sale: 'Winterusverchauf' })
    expect(await seen('it, fr;q=0.5, de;q=0.1')).toEqual({
      sale: 'Soldes',
      tier: 'Paire',
      tiers: ['Paire'],
      tags: ['Café', 'kitchen'],
      attribute: 'Puissance',
      value: '1450 W',
    })
    expect(await seen('it')).toEqual(names)
  })

  it('label.in-language: who accepts no language of a label sees that of the store, before languages accepted after it, else the name', async () => {
    await upsert([
      row('TAG', 'coffee', { de: 'Kaffee', en: 'Coffee' }),
      row('ATTRIBUTE', 'watts', { de: 'Leistung', 'en-US': 'Power' }),
      row('SALE', 'winter', { de: 'Winterschlussverkauf' }),
    ])
    await publish(server, ids.catalog)
    const shown = async (language?: string) => {
      const { tags, attribute, sale } = await seen(language)
      return [tags[0], attribute, sale]
    }
    for (const language of [undefined, 'en', 'it', 'en-US, en;q=0.9, de;q=0.8'])
      expect(await shown(language)).toEqual(['Coffee', 'Power', 'winter'])
    expect(await shown('it, de')).toEqual(['Kaffee', 'Leistung', 'Winterschlussverkauf'])
    const facets = await ask('products { facets(keys: [{ tags: true }]) { values { value label } } }', 'it')
    expect(facets.products.facets[0].values).toContainEqual({ value: 'coffee', label: 'Coffee' })
  })

  it('label.in-language: names, keys and values stay what they are, and each step and candidate of a price has its label', async () => {
    await upsert(everyKind)
    await publish(server, ids.catalog)
    const { product } = await ask(everything, 'de')
    const { price: of } = product
    expect([of.sale.name, of.tier, of.tiers[0].name, product.tags]).toEqual(['winter', 'pair', 'pair', names.tags])
    expect(product.extensions[0].fields).toEqual([
      { key: 'boiler', label: 'boiler', value: null, valueLabel: null },
      { key: 'colours', label: 'colours', value: ['black', 'steel'], valueLabel: null },
      { key: 'watts', label: 'Leistung', value: 1450, valueLabel: '1450 W' },
    ])
    expect(of.steps).toEqual([
      { quantity: 1, sale: { label: 'Winterschlussverkauf' }, tierLabel: null },
      { quantity: 2, sale: { label: 'Winterschlussverkauf' }, tierLabel: 'Paar' },
    ])
    const labels = of.explanation.map(({ kind, label }: { kind: string; label: string }) => [kind, label])
    expect(labels).toContainEqual(['SALE', 'Winterschlussverkauf'])
    expect(labels).toContainEqual(['SALE', 'set'])
    expect(labels).toContainEqual(['TIER', 'Paar'])
    expect(labels).toContainEqual(['LIST', null])
    expect(labels).toContainEqual(['BOOK', null])
  })

  it('label.in-language: the argument `locale` goes before the header, and @inContext too', async () => {
    await upsert(everyKind)
    await publish(server, ids.catalog)
    expect(await ask(machine('tagLabels(locale: "fr")'), 'de')).toEqual({ product: { tagLabels: ['Café', 'kitchen'] } })
    const query = `query @inContext(locale: "fr") { catalog(id: "${ids.catalog}") { latestRelease { ${machine('tagLabels')} } } }`
    expect((await server.gql(query)).data.catalog.latestRelease.product.tagLabels).toEqual(['Café', 'kitchen'])
  })

  it('label.in-language: facets and their values have labels, their values and filters the name', async () => {
    const keys = '{ tags: true }, { extension: { template: "products(technical)", field: "watts" } }'
    const query = `products { facets(keys: [${keys}]) { key label values { value label input } } }`
    await upsert(everyKind)
    await publish(server, ids.catalog)
    const [tags, watts] = (await ask(query, 'de')).products.facets
    expect([tags.key, tags.label]).toEqual(['tags', null])
    expect(tags.values).toContainEqual({ value: 'coffee', label: 'Kaffee', input: { tags: { eq: 'coffee' } } })
    expect(watts).toMatchObject({ key: 'extension:products(technical):watts', label: 'Leistung' })
    expect(watts.values[0]).toMatchObject({ value: '1450', label: '1450 W' })
    const listed = async (tag: string) =>
      (await ask(`products(filter: { tags: { eq: "${tag}" } }) { totalCount }`, 'de')).products.totalCount
    expect(await listed('coffee')).toBeGreaterThan(0)
    expect(await listed('Kaffee')).toBe(0)
  })

  it('label.in-language: REST says the names, with labels or without', async () => {
    const listing = () =>
      server.rest('GET', listingPath(ids.catalog, ids.hierarchy), { headers: { 'accept-language': 'it' } })
    const before = (await listing()).text.replaceAll(/"published_at":"[^"]*"/g, '')
    await upsert(everyKind.map(({ kind, key }) => row(kind, key, { it: 'Altro' })))
    await publish(server, ids.catalog)
    const after = (await listing()).text.replaceAll(/"published_at":"[^"]*"/g, '')
    expect(after).not.toContain('Altro')
    expect(after.length).toBe(before.length)
  })

  it('label.frozen-at-publish: a label that changes shows from the next publish on, and in a draft at once', async () => {
    const sale = async () => (await seen('de')).sale
    await upsert([row('SALE', 'winter', { de: 'Eins' })])
    expect(await sale()).toBe('winter')
    const first = await publish(server, ids.catalog)
    expect(await sale()).toBe('Eins')
    await upsert([row('SALE', 'winter', { de: 'Zwei' })])
    expect(await sale()).toBe('Eins')
    const draft = await mutate(server, 'publishRelease', { catalogId: ids.catalog, dryRun: true }, 'release { id }')
    const labelIn = async (id: string) => {
      const query = `{ release(id: "${id}") { ${machine('price(currency: "USD") { sale { label(locale: "de") } }')} } }`
      return (await server.gql(query)).data.release.product.price.sale.label
    }
    expect(await labelIn(draft.release.id)).toBe('Zwei')
    await publish(server, ids.catalog)
    expect(await sale()).toBe('Zwei')
    expect(await labelIn(first.id)).toBe('Eins')
    await upsert([row('SALE', 'winter', {})])
    expect(await sale()).toBe('Zwei')
    await publish(server, ids.catalog)
    expect(await sale()).toBe('winter')
  })

  it('label.frozen-at-publish: a draft with other labels is another one, and stays while they stay', async () => {
    const draftId = async () =>
      (await mutate(server, 'publishRelease', { catalogId: ids.catalog, dryRun: true }, 'release { id }')).release.id
    const first = await draftId()
    expect(await draftId()).toBe(first)
    await upsert([row('TAG', 'coffee', { de: 'Kaffee' })])
    const second = await draftId()
    expect(second).not.toBe(first)
    await upsert([row('TAG', 'coffee', { de: 'Kaffee' })])
    expect(await draftId()).toBe(second)
  })

  it('label.frozen-at-publish: a release that is published in part has the labels of the latest one', async () => {
    await upsert([row('TAG', 'coffee', { de: 'Eins' })])
    await publish(server, ids.catalog)
    await upsert([row('TAG', 'coffee', { de: 'Zwei' })])
    await database.pool.query(`UPDATE product SET name = 'Corrected' WHERE id = $1`, [ids.machine])
    const input = { catalogId: ids.catalog, only: { products: [ids.machine] } }
    expect((await mutate(server, 'publishRelease', input, 'release { status }')).release.status).toBe('PUBLISHED')
    expect(await ask(machine('name(locale: "it") tagLabels'), 'de')).toEqual({
      product: { name: 'Corrected', tagLabels: ['Eins', 'kitchen'] },
    })
  })

  it('label.frozen-at-publish: a release of a version without labels shows names', async () => {
    await upsert(everyKind)
    await publish(server, ids.catalog)
    await database.pool.query('UPDATE release SET labels = NULL')
    server.services.releases.invalidate()
    expect(await seen('de')).toEqual(names)
  })

  it('label.frozen-at-publish: labels add no statement to a page', async () => {
    const page = `products(first: 5) { nodes { tags price(currency: "USD") { tier sale { name } } } facets(keys: [{ tags: true }]) { values { value } } }`
    const labelled = `products(first: 5) { nodes { tagLabels price(currency: "USD") { tierLabel sale { label } } } facets(keys: [{ tags: true }]) { values { label } } }`
    await upsert(everyKind)
    await publish(server, ids.catalog)
    await ask(page, 'de')
    expect((await countStatements(database, () => ask(page, 'de'))).statements).toEqual([])
    expect((await countStatements(database, () => ask(labelled, 'de'))).statements).toEqual([])
  })
})
