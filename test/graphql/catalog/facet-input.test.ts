/** Inputs of facet values: filters that are ready to be sent. */
import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'
import { emptyStore, type Store, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 }, elapsed: manualClock() })
const [catalog, root, shelf, book] = [idOf(0xca), idOf(0x11), idOf(0x12), idOf(0xb1)] as const
const AT = Date.UTC(2026, 0, 1)
const option = (number: number, name: string) => ({ id: idOf(number), name })
const variations = [
  { id: idOf(0x401), name: 'Size', options: [option(0x301, 'S'), option(0x302, 'M')] },
  { id: idOf(0x402), name: 'Colour', options: [option(0x303, 'red'), option(0x304, 'blue')] },
]

/** A shirt in two sizes and colours, one combination of which is not built, a mug and a bag; the mug is on sale. */
function store(): Store {
  const products: StoreProduct[] = []
  const add = (number: number, name: string, given: Partial<StoreProduct> = {}): void => {
    const texts = { id: idOf(number), name, slug: `product-${number}`, sku: `SKU-${number}` }
    products.push({ ...texts, status: 'live', created_at: AT, updated_at: AT - number, ...given })
  }
  const child = (number: number, name: string, ...options: number[]) =>
    add(number, name, { parent_id: idOf(1), option_ids: options.map(idOf), tags: ['wear'] })
  add(1, 'Shirt', { variations, tags: ['wear', 'cotton'] })
  child(2, 'Shirt S red', 0x301, 0x303)
  child(3, 'Shirt S blue', 0x301, 0x304)
  child(4, 'Shirt M red', 0x302, 0x303)
  const fabric = (material: string, washable: boolean) => ({ extensions: { fabric: { material, washable } } })
  add(5, 'Mug', { tags: ['kitchen'], ...fabric('clay', true) })
  add(6, 'Bag', { tags: ['wear', 'cotton'], ...fabric('cotton', true) })
  add(7, 'Box', { tags: ['kitchen'], ...fabric('cotton', false) })
  const texts = (name: string) => ({ name, slug: name, created_at: AT, updated_at: AT })
  const amount = (of: number) => ({ EUR: { amount: of, includes_tax: true } })
  const prices = [2, 4, 5, 6].map((number) => ({
    ...{ id: idOf(0x500 + number), price_book_id: book, sku: `SKU-${number}`, currencies: amount(number * 100) },
    sales: number === 5 ? [{ name: 'sale', from: null, to: null, bundles: [], currencies: amount(50) }] : [],
  }))
  return {
    ...emptyStore(),
    products,
    nodes: [
      { id: root, parent_id: null, hierarchy_id: root, ...texts('root') },
      { id: shelf, parent_id: root, hierarchy_id: root, ...texts('shelf') },
    ],
    attachments: products.map(({ id }) => ({ node_id: shelf, product_id: id })),
    books: [{ id: book, name: 'Book' }],
    prices,
    catalogs: [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [{ id: book, priority: 1 }] }],
  }
}

beforeAll(() => publishStore(server, store()))

const KEYS = `keys: [{ tags: true }, { productTypes: true }, { variation: "Size" }, { variation: "Colour" }, { onSale: true },
  { extension: { template: "fabric", field: "material" } }, { priceSteps: { steps: [100, 500] } }]`

interface Value {
  readonly value: string
  readonly count: number
  readonly input: object
}

async function list(filter: object | null, fields: string, groupVariants = false) {
  const { data, errors } = await server.gql(
    `query ($filter: CatalogProductFilter, $groupVariants: Boolean!) { catalog(id: "${catalog}") { latestRelease {
      products(filter: $filter, groupVariants: $groupVariants) { ${fields} } } } }`,
    { filter, groupVariants },
    { headers: { 'x-moltin-currency': 'EUR' } },
  )
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.products
}
const facetsOf = async (filter: object | null, groupVariants = false): Promise<{ key: string; values: Value[] }[]> =>
  (await list(filter, `facets(${KEYS}) { key values { value count input } }`, groupVariants)).facets
const inputsOf = async (filter: object | null, wanted: string): Promise<Record<string, object>> => {
  const { values = [] } = (await facetsOf(filter)).find(({ key }) => key === wanted) ?? {}
  return Object.fromEntries(values.map(({ value, input }) => [value, input]))
}

describe('facet.input-lists-its-count: input of a facet value', () => {
  const filters: (object | null)[] = [
    null,
    {},
    { tags: { eq: 'WEAR' } },
    { tags: { all: ['wear', 'cotton'] }, search: 'shirt' },
    { productTypes: { in: ['CHILD', 'PARENT'] }, onSale: false },
    { options: [idOf(0x301), idOf(0x302)] },
    { options: [idOf(0x301), idOf(0x303).toUpperCase()], productTypes: { eq: 'CHILD' } },
    { options: [idOf(0x3ff)] },
    {
      variations: [
        { name: 'Size', in: ['S', 'XL'] },
        { name: 'Colour', in: ['red'] },
      ],
    },
    { variations: [{ name: 'Colour', in: ['red'] }], options: [idOf(0x301)] },
    {
      extension: [
        { template: 'fabric', field: 'washable', eq: 'true' },
        { template: 'fabric', field: 'material', in: ['cotton'] },
      ],
    },
    { price: { min: 100, max: 450 } },
    { price: { min: 100, currency: 'USD' }, tags: { in: ['wear'], eq: null } },
    { onSale: true, name: { contains: 'u' } },
  ]

  it.each(filters.flatMap((filter) => [false, true].map((grouped) => [JSON.stringify(filter), grouped] as const)))(
    'each input of the facets of %s, grouped: %s, lists as many entries as its value counts',
    async (text, grouped) => {
      const facets = await facetsOf(JSON.parse(text), grouped)
      const values = facets.flatMap(({ key, values: all }) => all.map((one) => ({ key, ...one })))
      expect(values.length).toBeGreaterThan(2)
      for (const { key, value, count, input } of values) {
        const { totalCount } = await list(input, 'totalCount', grouped)
        expect([key, value, input, totalCount]).toEqual([key, value, input, count])
      }
    },
  )

  it('an input keeps what the filter has of other facets, and puts its value in place of those of its own', async () => {
    const filter = { tags: { in: ['wear'] }, options: [idOf(0x301), idOf(0x303)], search: 'shirt' }
    const shown = await inputsOf(filter, 'variation:Size')
    const { options: _, ...others } = filter
    const colour = { ...others, options: [idOf(0x303)] }
    expect(shown).toEqual({
      S: { ...colour, variations: [{ name: 'Size', in: ['S'] }] },
      M: { ...colour, variations: [{ name: 'Size', in: ['M'] }] },
    })
    expect(await inputsOf({ tags: { all: ['wear'] } }, 'tags')).toMatchObject({ kitchen: { tags: { eq: 'kitchen' } } })
    expect(await inputsOf({ productTypes: { eq: 'CHILD' } }, 'tags')).toEqual({
      wear: { productTypes: { eq: 'CHILD' }, tags: { eq: 'wear' } },
    })
  })

  it('an input of a range of prices has the bounds of the range, in the currency of the facet', async () => {
    expect(await inputsOf(null, 'price')).toEqual({
      '..99': { price: { max: 99, currency: 'EUR' } },
      '100..499': { price: { min: 100, max: 499, currency: 'EUR' } },
      '500..': { price: { min: 500, currency: 'EUR' } },
    })
    expect(await inputsOf(null, 'onSale')).toEqual({ true: { onSale: true }, false: { onSale: false } })
  })

  it('inputs of facets that are known run no statement', async () => {
    const filter = { options: [idOf(0x301)] }
    await facetsOf(filter)
    expect((await countStatements(database, () => facetsOf(filter))).count).toBe(0)
  })
})
