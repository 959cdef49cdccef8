/** Suggestions of the demo store while a text is typed. */
import { type OperationDefinitionNode, parse } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { schema } from '../../../src/graphql/schema.ts'
import { costOf } from '../../../src/graphql/server/cost.ts'
import { useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { startTestServer, useServer } from '../../support/server.ts'
import { emptyStore, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const catalog = idOf(0xca)

const names: readonly Pick<StoreProduct, 'name' | 'locales' | 'sku'>[] = [
  { name: 'Coffee Kettle', locales: { de: { name: 'Kaffeekessel' } } },
  { name: 'Copper Kettle', sku: 'CK-1' },
  { name: 'Crème Brûlée Torch' },
  { name: '茶杯' },
  { name: 'Tea Cozy for Kettles' },
  { name: 'C++ for Baristas' },
  { name: 'Σάκος' },
  { name: 'İbrik ibrik' },
  { name: "Women's Scarf, 3 sizes" },
  { name: 'Beaker 128ml Mouth-Blown' },
  { name: '华为Mate' },
]

beforeAll(async () => {
  const hierarchy = idOf(0x10)
  const products = names.map((texts, at): StoreProduct => {
    return { id: idOf(at + 1), slug: `p-${at}`, status: 'live', created_at: 0, updated_at: 1000 - at, ...texts }
  })
  const node = (id: number, name: string, parent: string | null, more: object = {}) => ({
    ...{ id: idOf(id), name, slug: `n-${id}`, parent_id: parent, created_at: 0, updated_at: 0 },
    ...{ hierarchy_id: hierarchy, ...more },
  })
  await publishStore(server, {
    ...emptyStore(),
    products,
    nodes: [
      node(0x10, 'Shop', null),
      node(0x11, 'Tea and Coffee', hierarchy),
      node(0x12, 'Coffee', idOf(0x11), { locales: { de: { name: 'Kaffee' } } }),
      node(0x13, 'Coffee Filters', idOf(0x12)),
    ],
    attachments: products.map(({ id }) => ({ node_id: idOf(0x12), product_id: id })),
    catalogs: [{ id: catalog, name: 'c', hierarchy_ids: [hierarchy], books: [] }],
  })
})

interface Found {
  readonly suggest: { readonly products: readonly { readonly name: string }[]; readonly texts: readonly string[] }
}

const asShopper = () => server.issue({ subject: 'shopper', role: 'shopper' }, server.now)

async function suggestions(args: string, language = 'en') {
  const { token } = await asShopper()
  const query = `{ catalog(id: "${catalog}") { latestRelease { suggest(${args}) { products { name } nodes { name } texts } } } }`
  return server.gql(query, {}, { token, headers: { 'accept-language': language } })
}

async function suggested(args: string, language?: string) {
  const { data, errors } = await suggestions(args, language)
  expect(errors).toBeUndefined()
  const { products, nodes, texts } = data.catalog.latestRelease.suggest
  const nameOf = ({ name }: { readonly name: string }) => name
  return [products.map(nameOf), nodes.map(nameOf), texts]
}

describe('search.suggests-while-typing, search.completes-the-last-word: suggest', () => {
  it.each([
    [
      'text: "co"',
      'en',
      ['Coffee Kettle', 'Copper Kettle', 'Tea Cozy for Kettles'],
      ['Coffee', 'Coffee Filters', 'Tea and Coffee'],
      ['coffee', 'copper', 'cozy'],
    ],
    ['text: "co", first: 1', 'en', ['Coffee Kettle'], ['Coffee'], ['coffee']],
    ['text: "Copper ke"', 'en', ['Copper Kettle'], [], ['Copper kettle']],
    ['text: "Copper ke- "', 'en', ['Copper Kettle'], [], ['Copper kettle']],
    ['text: "creme bru"', 'en', ['Crème Brûlée Torch'], [], ['creme brûlée']],
    ['text: "kaf"', 'de', ['Kaffeekessel'], ['Kaffee'], ['kaffeekessel']],
    ['text: "kaf"', 'en', [], [], []],
    [
      'text: "co"',
      'de',
      ['Copper Kettle', 'Tea Cozy for Kettles', 'Kaffeekessel'],
      ['Coffee Filters', 'Tea and Coffee', 'Kaffee'],
      ['copper', 'cozy'],
    ],
    ['text: "CK-K"', 'en', ['Copper Kettle'], [], []],
    ['text: "1 ke"', 'en', ['Copper Kettle'], [], []],
    [
      'text: "co", first: null',
      'en',
      ['Coffee Kettle', 'Copper Kettle', 'Tea Cozy for Kettles'],
      ['Coffee', 'Coffee Filters', 'Tea and Coffee'],
      ['coffee', 'copper', 'cozy'],
    ],
    ['text: "CK-1"', 'en', ['Copper Kettle'], [], []],
    ['text: "茶"', 'en', ['茶杯'], [], []],
    ['text: "c"', 'en', [], [], []],
    ['text: "c++"', 'en', ['C++ for Baristas'], [], []],
    ['text: "σακ"', 'en', ['Σάκος'], [], ['σάκος']],
    ['text: "ibr"', 'en', ['İbrik ibrik'], [], ['ibrik']],
    ['text: "ibrik i"', 'en', ['İbrik ibrik'], [], []],
    ['text: "women\'s"', 'en', ["Women's Scarf, 3 sizes"], [], ["women's"]],
    ['text: "women s"', 'en', ["Women's Scarf, 3 sizes"], [], ['women s', 'women scarf', 'women sizes']],
    ['text: "128m"', 'en', ['Beaker 128ml Mouth-Blown'], [], ['128ml']],
    ['text: "mouth-b"', 'en', ['Beaker 128ml Mouth-Blown'], [], ['mouth-blown']],
    ['text: "华为m"', 'en', ['华为Mate'], [], ['华为mate']],
    ['text: "!"', 'en', [], [], []],
    ['text: ""', 'en', [], [], []],
    ['text: "c o"', 'en', [], [], []],
  ])('suggest(%s) in %s', async (args, language, products, nodes, texts) => {
    expect(await suggested(args, language)).toEqual([products, nodes, texts])
  })

  it.each([
    ['text: "co", first: 0', 'OUT_OF_RANGE', ['first']],
    ['text: "co", first: 21', 'OUT_OF_RANGE', ['first']],
    [`text: "${'a'.repeat(201)}"`, 'TOO_LONG', ['text']],
  ])('suggest(%.30s) is refused with %s', async (args, code, path) => {
    const { errors } = await suggestions(args)
    expect(errors?.[0].extensions.violations).toEqual([expect.objectContaining({ code, path })])
  })

  it('suggest finds the new name of a product in the release that has it, and the old one in the release before', async () => {
    const first = await publish(server, catalog)
    const input = `{ id: "${idOf(3)}", name: "Caramel Torch", sku: "T-9" }`
    const { errors } = await server.gql(`mutation { updateProduct(input: ${input}) { userErrors { message } } }`)
    expect(errors).toBeUndefined()
    await publish(server, catalog)
    const found = async (release: string, text: string) => {
      const fields = `suggest(text: "${text}") { products { name } texts }`
      const { data } = await server.gql(`{ catalog(id: "${catalog}") { ${release} { ${fields} } } }`)
      return Object.values<Found>(data.catalog).flatMap(({ suggest }) => [
        suggest.products.map(({ name }) => name),
        suggest.texts,
      ])
    }
    const before = `release(id: "${first.id}")`
    expect(await found('latestRelease', 'caram')).toEqual([['Caramel Torch'], ['caramel']])
    expect(await found('latestRelease', 'brul')).toEqual([[], []])
    expect(await found(before, 'brul')).toEqual([['Crème Brûlée Torch'], ['brûlée']])
    expect(await found(before, 'caram')).toEqual([[], []])
    expect(await found('latestRelease', 't9')).toEqual([['Caramel Torch'], []])
  })

  it('suggest runs as many statements for one product as for three', async () => {
    const counted = async (text: string) => {
      const fresh = await startTestServer(database)
      await fresh.gql(`{ catalog(id: "${catalog}") { latestRelease { id } } }`, {}, await asShopper())
      let statements = 0
      const end = database.onStatement(() => statements++)
      const query = `{ catalog(id: "${catalog}") { latestRelease { suggest(text: "${text}") { products { name } nodes { name } texts } } } }`
      const { data } = await fresh.gql(query, {}, await asShopper())
      end()
      await fresh.stop()
      return [data.catalog.latestRelease.suggest.products.length, statements]
    }
    const [one, all] = [await counted('torc'), await counted('kettl')]
    expect([one, all]).toEqual([
      [1, one[1]],
      [3, one[1]],
    ])
  })

  it('the text of suggest counts as a search in what an operation costs, once for each text', () => {
    const fields = 'a: suggest(text: "co") { texts } b: suggest(text: "co") { texts } c: suggest(text: $text) { texts }'
    const document = parse(`query ($text: String!) { storefront { latestRelease { ${fields} } } }`)
    const { searches } = costOf(schema, document, document.definitions[0] as OperationDefinitionNode)
    expect([searches({ text: 'co' }), searches({ text: 'kettle' }), searches({ text: '' })]).toEqual([1, 2, 1])
  })
})
