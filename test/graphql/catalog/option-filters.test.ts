/** Filters of published products by ids of variation options. */
import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'
import { emptyStore, type Store, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 }, elapsed: manualClock() })
const [catalog, root, shelf] = [idOf(0xca), idOf(0x11), idOf(0x12)] as const
const AT = Date.UTC(2026, 0, 1)

const option = (number: number, name: string) => ({ id: idOf(number), name })
/** Sizes and colours of the shirt, of the draft, and of the trousers. */
const [shirtS, shirtM, shirtRed, shirtBlue] = [0x301, 0x302, 0x303, 0x304].map(idOf) as [string, string, string, string]
const [draftS, draftM] = [0x311, 0x312].map(idOf) as [string, string]
const [trousersM, trousersXl] = [0x321, 0x322].map(idOf) as [string, string]
const [unlistedS, unlistedM] = [0x331, 0x332].map(idOf) as [string, string]
const unknown = idOf(0x3ff)

const variation = (number: number, name: string, options: { id: string; name: string }[]) => ({
  id: idOf(number),
  name,
  options,
})

function store(): Store {
  const products: StoreProduct[] = []
  const add = (number: number, name: string, given: Partial<StoreProduct> = {}): void => {
    const texts = { id: idOf(number), name, slug: `product-${number}` }
    products.push({ ...texts, status: 'live', created_at: AT, updated_at: AT - number, ...given })
  }
  add(1, 'Shirt', {
    variations: [
      variation(0x401, 'Size', [option(0x301, 'S'), option(0x302, 'M')]),
      variation(0x402, 'Colour', [option(0x303, 'Red'), option(0x304, 'Blue')]),
    ],
  })
  add(2, 'Shirt S blue', { parent_id: idOf(1), option_ids: [shirtS, shirtBlue] })
  add(3, 'Shirt M blue', { parent_id: idOf(1), option_ids: [shirtM, shirtBlue], status: 'draft' })
  add(4, 'Draft', { status: 'draft', variations: [variation(0x411, 'Size', [option(0x311, 'S'), option(0x312, 'M')])] })
  add(5, 'Draft S', { parent_id: idOf(4), option_ids: [draftS] })
  add(6, 'Trousers', { variations: [variation(0x421, 'Size', [option(0x321, 'M'), option(0x322, 'XL')])] })
  add(7, 'Unlisted', { variations: [variation(0x431, 'Size', [option(0x331, 'S'), option(0x332, 'M')])] })
  add(8, 'Unlisted S', { parent_id: idOf(7), option_ids: [unlistedS] })
  const texts = (name: string) => ({ name, slug: name, created_at: AT, updated_at: AT })
  return {
    ...emptyStore(),
    products,
    nodes: [
      { id: root, parent_id: null, hierarchy_id: root, ...texts('root') },
      { id: shelf, parent_id: root, hierarchy_id: root, ...texts('shelf') },
    ],
    attachments: [1, 4, 6, 8].map((number) => ({ node_id: shelf, product_id: idOf(number) })),
    catalogs: [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [] }],
  }
}

beforeAll(() => publishStore(server, store()))

async function list(args: string, fields = 'nodes { name }') {
  const { data, errors } = await server.gql(
    `{ catalog(id: "${catalog}") { latestRelease { products(${args}) { ${fields} } } } }`,
  )
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.products
}
const named = async (args: string): Promise<string[]> =>
  (await list(args)).nodes.map(({ name }: { name: string }) => name)
const byIds = (...ids: string[]) => `filter: { options: ${JSON.stringify(ids)} }`
const byNames = (wanted: Record<string, string[]>) =>
  `filter: { variations: [${Object.entries(wanted).map(([name, values]) => `{ name: "${name}", in: ${JSON.stringify(values)} }`)}] }`

describe('filter.options-as-by-name: options that no child of the release has', () => {
  it.each<[string, string[], string[]]>([
    ['of a parent whose child is a draft', [shirtS, shirtM], ['Shirt S blue']],
    ['beside one of another variation', [shirtM, shirtS, shirtBlue], ['Shirt S blue']],
    ['of a parent that is a draft', [draftS, draftM], ['Draft S']],
    ['of a parent that is listed by its child alone', [unlistedS, unlistedM], ['Unlisted S']],
    ['of a parent without any child', [trousersM, trousersXl, shirtS], ['Shirt S blue']],
    ['of several parents', [shirtS, draftM, unlistedS], ['Shirt S blue', 'Unlisted S']],
    ['alone', [shirtM], []],
    ['alone in its variation', [shirtS, shirtRed], []],
    ['beside one that no parent has', [shirtS, shirtM, unknown], []],
  ])('filter.options with an option without a child, %s, lists what has the others', async (_, ids, expected) => {
    expect(await named(byIds(...ids))).toEqual(expected)
  })

  it('filter.options lists what filter.variations does, with the same facets, when only one parent is listed', async () => {
    const wanted: [string[], Record<string, string[]>][] = [
      [[shirtS, shirtM], { Size: ['S', 'M'] }],
      [[shirtM], { Size: ['M'] }],
      [[shirtS, shirtRed], { Size: ['S'], Colour: ['Red'] }],
      [[shirtS, shirtRed, shirtBlue], { Size: ['S'], Colour: ['Red', 'Blue'] }],
    ]
    const of = 'nodes { name } totalCount facets { key values { value count selected } }'
    const children = async (filter: string) => {
      const scope = `product(by: { id: "${idOf(1)}" }) { children(${filter}) { ${of} } }`
      const { data, errors } = await server.gql(`{ catalog(id: "${catalog}") { latestRelease { ${scope} } } }`)
      expect(errors).toBeUndefined()
      return data.catalog.latestRelease.product.children
    }
    for (const [ids, names] of wanted) expect(await children(byIds(...ids))).toEqual(await children(byNames(names)))
    const { facets } = await children(byIds(shirtS, shirtM))
    expect(facets.find(({ key }: { key: string }) => key === 'variation:Size').values).toContainEqual({
      ...{ value: 'S', count: 1 },
      selected: true,
    })
  })

  it('filter.options reads the options in one statement, with and without children', async () => {
    const { count } = await countStatements(database, () => named(byIds(shirtS, shirtM, unlistedM)))
    expect(count).toBe(1)
  })
})
