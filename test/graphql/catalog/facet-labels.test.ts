/** Labels of facets and their values in the language of the request. */
import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'
import { emptyStore, type Store, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
const NOW = Date.UTC(2026, 5, 1, 12)
const [catalog, root, leaf, book] = [idOf(0xca), idOf(0x11), idOf(0x12), idOf(0xb1)] as const

type Locales = Readonly<Record<string, { readonly name?: string; readonly description?: string }>>

function product(number: number, name: string, given: Partial<StoreProduct> = {}): StoreProduct {
  const [slug, instant] = [`p-${number}`, NOW - number * 1_000]
  return { id: idOf(number), name, slug, sku: slug, status: 'live', created_at: instant, updated_at: instant, ...given }
}

/** A parent of colours, red and blue, with a child of each. */
function parent(number: number, name: string, colour: Locales, red: Locales, blue: Locales = {}): StoreProduct[] {
  const [variation, first, second] = [0x1000, 0x2000, 0x3000].map((kind) => idOf(kind + number)) as [
    string,
    string,
    string,
  ]
  const options = [
    { id: first, name: 'Red', locales: red },
    { id: second, name: 'Blue', ...(Object.keys(blue).length > 0 && { locales: blue }) },
  ]
  return [
    product(number, name, { variations: [{ id: variation, name: 'Colour', locales: colour, options }] }),
    product(number + 1, `${name} red`, { parent_id: idOf(number), option_ids: [first] }),
    product(number + 2, `${name} blue`, { parent_id: idOf(number), option_ids: [second] }),
  ]
}

/**
 * Of three parents two say Rot and Farbton, one Rubin and Farbe; nobody says what blue is in German, and one has a
 * French name for it.
 */
function store(): Store {
  const given = emptyStore()
  const shade = { de: { name: 'Farbton' } }
  given.products = [
    ...parent(10, 'Shirt', shade, { de: { name: 'Rot' }, fr: { name: 'Rouge' } }, { fr: { name: 'Bleu' } }),
    ...parent(20, 'Cup', shade, { de: { name: 'Rot' }, 'de-CH': { description: 'wie die Fahne' } }),
    ...parent(30, 'Lamp', { de: { name: 'Farbe' }, 'en-GB': { name: 'Colour' } }, { de: { name: 'Rubin' } }),
    product(40, 'Table', { tags: ['rot'], extensions: { fabric: { material: 'oak' } } }),
  ]
  const node = { hierarchy_id: root, created_at: NOW, updated_at: NOW }
  given.nodes = [
    { id: root, parent_id: null, name: 'Root', slug: 'root', ...node },
    { id: leaf, parent_id: root, name: 'Leaf', slug: 'leaf', ...node },
  ]
  given.attachments = given.products.map(({ id }) => ({ node_id: leaf, product_id: id }))
  given.books = [{ id: book, name: 'Book' }]
  given.catalogs = [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [{ id: book, priority: 1 }] }]
  return given
}

beforeAll(async () => {
  server.now = NOW
  await publishStore(server, store())
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

async function facets(
  keys: string,
  language: string | null,
  fields = 'label values { value label count }',
  operation = 'query',
) {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  const query = `${operation} { catalog(id: "${catalog}") { latestRelease { products { facets(keys: [${keys}]) { ${fields} } } } } }`
  const headers = { 'x-moltin-currency': 'EUR', ...(language !== null && { 'accept-language': language }) }
  const { data, errors } = await server.gql(query, {}, { token, headers })
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.products.facets as AnyResponse[]
}

/** The label of the variation, and those of blue and red. */
async function labels(language: string | null, operation?: string): Promise<string[]> {
  const [facet] = await facets('{ variation: "Colour" }', language, undefined, operation)
  expect(facet.values.map(({ value, count }: AnyResponse) => [value, count])).toEqual([
    ['Blue', 3],
    ['Red', 3],
  ])
  return [facet.label, ...facet.values.map(({ label }: AnyResponse) => label)]
}

describe('facet.labels-in-language: a variation and its options', () => {
  it.each([
    [null, ['Colour', 'Blue', 'Red']],
    ['en', ['Colour', 'Blue', 'Red']],
    ['de', ['Farbton', 'Blue', 'Rot']],
    ['de-CH', ['Farbton', 'Blue', 'Rot']],
    ['fr', ['Colour', 'Bleu', 'Rouge']],
    ['fr, de;q=0.5', ['Farbton', 'Bleu', 'Rouge']],
    ['it, de;q=0', ['Colour', 'Blue', 'Red']],
  ])(
    'facets of a variation and its options are called as most parents call them in %s, else by their own names',
    async (language, expected) => {
      expect(await labels(language)).toEqual(expected)
    },
  )

  it('labels of facets follow @inContext before the header, and the argument before both', async () => {
    expect(await labels('fr', 'query @inContext(locale: "de")')).toEqual(['Farbton', 'Blue', 'Rot'])
    const [facet] = await facets(
      '{ variation: "Colour" }',
      'fr',
      'label(locale: "de") values { label(locale: "de-AT") }',
    )
    expect(facet).toEqual({ label: 'Farbton', values: [{ label: 'Blue' }, { label: 'Rot' }] })
  })

  it('filters find options by their own names, whatever the language', async () => {
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const found = async (name: string) => {
      const filter = `filter: { variations: [{ name: "Colour", in: ["${name}"] }] }`
      const query = `{ catalog(id: "${catalog}") { latestRelease { products(${filter}) { totalCount } } } }`
      const { data } = await server.gql(query, {}, { token, headers: { 'accept-language': 'de' } })
      return data.catalog.latestRelease.products.totalCount
    }
    expect([await found('Red'), await found('Rot')]).toEqual([3, 0])
  })

  it('labels of facets cost no statement of their own, in any language', async () => {
    await facets('{ variation: "Colour" }', 'de')
    expect((await countStatements(database, () => facets('{ variation: "Colour" }', 'fr'))).count).toBe(0)
  })

  it('labels of facets change only with a publish', async () => {
    await database.pool.query(
      `UPDATE product SET variations = jsonb_set(variations, '{0,locales,de,name}', '"Farbe"') WHERE id = $1`,
      [idOf(10)],
    )
    expect(await labels('de')).toEqual(['Farbton', 'Blue', 'Rot'])
    await publish(server, catalog)
    expect(await labels('de')).toEqual(['Farbe', 'Blue', 'Rot'])
  })
})

describe('facet.labels-in-language: other facets', () => {
  const steps = '{ priceSteps: { steps: [1000, 2000] } }'

  it.each([
    [null, ['≤ €9.99', '€10.00 – €19.99', '≥ €20.00']],
    ['en-GB', ['≤ €9.99', '€10.00 – €19.99', '≥ €20.00']],
    ['de', ['≤ 9,99 €', '10,00 € – 19,99 €', '≥ 20,00 €']],
  ])('facets of price steps are amounts as %s writes them', async (language, expected) => {
    const [facet] = await facets(steps, language)
    const plain = facet.values.map(({ label }: AnyResponse) => label.replaceAll('\u00a0', ' '))
    expect([facet.label, plain]).toEqual([null, expected])
    expect(facet.values.map(({ value }: AnyResponse) => value)).toEqual(['..999', '1000..1999', '2000..'])
  })

  it('facets of price steps have the decimals of their currency', async () => {
    const [facet] = await facets('{ priceSteps: { steps: [1000], currency: "JPY" } }', null)
    expect(facet.values.map(({ label }: AnyResponse) => label)).toEqual(['≤ ¥999', '≥ ¥1,000'])
  })

  it('the facet of the price step below 0, which nothing is in, is an amount too', async () => {
    const [facet] = await facets('{ priceSteps: { steps: [0] } }', null)
    expect(facet.values.map(({ label }: AnyResponse) => label)).toEqual(['≤ -€0.01', '≥ €0.00'])
  })

  it('facets of tags, types and extension fields have no names in other languages', async () => {
    const found = await facets(
      '{ tags: true }, { productTypes: true }, { extension: { template: "fabric", field: "material" } }',
      'de',
    )
    expect(found.map(({ label }) => label)).toEqual([null, null, 'material'])
    expect(found.map(({ values }) => values.map(({ value, label }: AnyResponse) => [value, label]))).toEqual([
      [['rot', 'rot']],
      [
        ['CHILD', 'child'],
        ['PARENT', 'parent'],
        ['STANDARD', 'standard'],
      ],
      [['oak', 'oak']],
    ])
  })
})

describe('language.best-accepted-tag: the variations of a product', () => {
  it('the variations of a product have a label in the language of the request, beside the name that filters take', async () => {
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const fields =
      'variations { name label options { name label french: label(locale: "fr") locales { language name description } } }'
    const query = `{ catalog(id: "${catalog}") { latestRelease { product(by: { id: "${idOf(20)}" }) { ${fields} } } } }`
    const { data, errors } = await server.gql(query, {}, { token, headers: { 'accept-language': 'de-CH' } })
    expect(errors).toBeUndefined()
    expect(data.catalog.latestRelease.product.variations).toEqual([
      {
        name: 'Colour',
        label: 'Farbton',
        options: [
          {
            name: 'Red',
            // The tag de-CH has no name, which falls back to the default one, as a product's does.
            label: 'Red',
            french: 'Red',
            locales: [
              { language: 'de', name: 'Rot', description: null },
              { language: 'de-CH', name: null, description: 'wie die Fahne' },
            ],
          },
          { name: 'Blue', label: 'Blue', french: 'Blue', locales: [] },
        ],
      },
    ])
  })
})
