import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { expectGoldenFile } from '../../support/golden-file.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let releaseId = ''

beforeAll(async () => {
  releaseId = (await publishStore(server, fullStore())).get(ids.catalog)?.id ?? ''
})
beforeEach(() => {
  server.now = START
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

async function ask(query: string, variables: object = {}, role: 'admin' | 'shopper' = 'shopper'): Promise<AnyResponse> {
  const { token } = await server.issue({ subject: role, role }, server.now)
  return server.gql(query, { catalog: ids.catalog, hierarchy: ids.hierarchy, ...variables }, { token })
}

async function release(fields: string, role: 'admin' | 'shopper' = 'shopper'): Promise<AnyResponse> {
  const response = await ask(
    `query ($catalog: ID!) { catalog(id: $catalog) { release(id: "latest") { ${fields} } } }`,
    {},
    role,
  )
  if (response.errors) throw new Error(JSON.stringify(response.errors))
  return response.data.catalog.release
}

const product = async (id: string, fields: string, role?: 'admin'): Promise<AnyResponse> =>
  (await release(`product(by: { id: "${id}" }) { ${fields} }`, role)).product

const place = (type: string, id: string) => globalId(type, `${releaseId}:${id}`)
const codes = (response: AnyResponse) => response.errors?.map((error: AnyResponse) => error.extensions.code)

describe('CatalogProduct', () => {
  it('a published product has every feature as recorded in the file, for shoppers and admins alike', async () => {
    const query = readFileSync(new URL('./catalog-product.graphql', import.meta.url), 'utf8')
    const { data, errors } = await ask(query)
    expect(errors).toBeUndefined()
    expectGoldenFile(new URL('./catalog-product.json', import.meta.url), data)
    expect((await ask(query, {}, 'admin')).data).toEqual(data)
  })
})

describe('price(currency, quantity, at)', () => {
  const usd = 'price(currency: "USD") { amount { amount } sale { name } changesAt }'

  it('price.changes-with-its-reasons, price.changes-strictly-later: a sale starts and ends on the instant that changesAt names, without a write', async () => {
    const seen: unknown[] = []
    server.now = winter.from - 1
    for (let turn = 0; turn < 5; turn++) {
      const { price } = await product(ids.machine, usd)
      seen.push([new Date(server.now).toISOString(), price.amount.amount, price.sale?.name ?? null])
      const before = { ...price, changesAt: null }
      if (price.changesAt === null) break
      // One millisecond earlier the response is still the same.
      server.now = Date.parse(price.changesAt) - 1
      expect({ ...(await product(ids.machine, usd)).price, changesAt: null }).toEqual(before)
      server.now += 1
    }
    expect(seen).toEqual([
      ['2026-01-09T23:59:59.999Z', 50000, null],
      ['2026-01-10T00:00:00.000Z', 40000, 'winter'],
      ['2026-01-12T00:00:00.000Z', 30000, 'flash'],
      ['2026-01-13T00:00:00.000Z', 40000, 'winter'],
      ['2026-01-20T00:00:00.000Z', 50000, null],
    ])
    expect(seen).toHaveLength([winter.from - 1, winter.from, flash.from, flash.to, winter.to].length)
  })

  it('price.other-instants-for-admins: prices at other instants than now are for admins, those of now are for all', async () => {
    const at = (instant: number) =>
      `price(currency: "USD", at: "${new Date(instant).toISOString()}") { amount { amount } }`
    expect((await product(ids.machine, at(flash.from), 'admin')).price.amount.amount).toBe(30000)
    expect((await product(ids.machine, at(START))).price.amount.amount).toBe(40000)
    for (const field of [at(flash.from), `prices(at: "${new Date(flash.from).toISOString()}") { amount { amount } }`]) {
      const refused = await ask(
        `query ($catalog: ID!) { catalog(id: $catalog) { release(id: "latest") { product(by: { id: "${ids.machine}" }) { ${field} } } } }`,
      )
      expect(codes(refused)).toEqual(['FORBIDDEN'])
    }
    const inBundle = `bundleConfiguration { componentProducts { ${at(flash.from)} } }`
    await expect(product(ids.gift, inBundle)).rejects.toThrow('FORBIDDEN')
    expect(
      (await product(ids.gift, inBundle, 'admin')).bundleConfiguration.componentProducts[0].price.amount.amount,
    ).toBe(30000)
  })

  it.each([0, -1])('price.quantity-from-one: price(quantity: %i) is refused', async (quantity) => {
    await expect(product(ids.machine, `price(quantity: ${quantity}) { amount { amount } }`)).rejects.toThrow(
      'BAD_USER_INPUT',
    )
  })

  it('price.quantity-from-one, price.amount-is-per-unit: price takes the largest quantity, and its amount is that of one unit', async () => {
    expect((await product(ids.machine, 'price(quantity: 9007199254740991) { amount { amount } tier }')).price).toEqual({
      amount: { amount: 39000 },
      tier: 'pair',
    })
  })

  it('price.malformed-currency-refused: price refuses a malformed currency, and is null for an unknown one', async () => {
    await expect(product(ids.machine, 'price(currency: "usd") { amount { amount } }')).rejects.toThrow('BAD_USER_INPUT')
    expect((await product(ids.machine, 'price(currency: "XXX") { amount { amount } }')).price).toBeNull()
  })

  it('price.reasons-are-frozen: the reasons of a price have edges to the current records, for admins', async () => {
    const edges = `price(currency: "USD") {
      priceBook { name } productPrice { sku } sale { name sale { bundleIds prices { amount { amount } } } } }`
    const { price } = await product(ids.machine, edges, 'admin')
    expect(price).toEqual({
      priceBook: { name: 'Premium' },
      productPrice: { sku: 'MACHINE' },
      sale: { name: 'winter', sale: { bundleIds: [], prices: [{ amount: { amount: 40000 } }] } },
    })
    const child = await product(
      ids.redLarge,
      'product { sku } price(currency: "USD") { modifiers { name priceModifier { name } } }',
      'admin',
    )
    expect(child.price.modifiers).toEqual(['large', 'dyed'].map((name) => ({ name, priceModifier: { name } })))
    const refused = [
      'price { priceBook { name } }',
      'price { productPrice { sku } }',
      'price { sale { sale { name } } }',
      'product { name }',
      'variations { options { priceModifierNames } }',
    ]
    for (const field of refused) {
      await expect(product(field.startsWith('var') ? ids.shirt : ids.machine, field), field).rejects.toThrow(
        'FORBIDDEN',
      )
    }
    await expect(product(ids.redLarge, 'price { modifiers { priceModifier { name } } }')).rejects.toThrow('FORBIDDEN')
  })
})

describe('configureBundle', () => {
  const configure = (id: string, selection: object[], fields = 'price(currency: "USD") { amount { amount } }') =>
    ask(
      `query ($id: ID!, $selection: [ComponentSelectionInput!]!) { configureBundle(id: $id, selection: $selection) {
        selectedOptions { component options { productKey quantity } } ${fields} } }`,
      { id: place('CatalogProduct', id), selection },
    )
  const choose = (component: string, ...options: [string, number][]) => ({
    component,
    options: options.map(([productId, quantity]) => ({ productId, quantity })),
  })

  it("configureBundle prices a shopper's own selection: units, tiers and sales inside the bundle", async () => {
    server.now = winter.to
    const whole = [choose('machine', [ids.machine, 1]), choose('clothes'), choose('morning', [ids.breakfast, 1])]
    const { data, errors } = await configure(
      ids.starter,
      whole,
      'price(currency: "USD", quantity: 2) { amount { amount } list { amount { amount } } sale { name } }',
    )
    expect(errors).toBeUndefined()
    // The machine by the sale of the set 35000, the breakfast 5200.
    expect(data.configureBundle.price).toEqual({
      amount: { amount: 40200 },
      list: { amount: { amount: 50000 + 2 * 1200 + 6 * 500 } },
      sale: null,
    })
    expect(data.configureBundle.selectedOptions.map((one: AnyResponse) => [one.component, one.options.length])).toEqual(
      [
        ['clothes', 0],
        ['machine', 1],
        ['morning', 1],
      ],
    )
  })

  it('bundle.components-listed-anyway: configureBundle gives a bundle with its own price that price for any selection', async () => {
    const { data } = await configure(ids.gift, [choose('any', [ids.manual, 1])])
    expect(data.configureBundle.price.amount.amount).toBe(9900)
  })

  it('configureBundle accepts global ids of products', async () => {
    const { data } = await configure(ids.gift, [choose('any', [place('CatalogProduct', ids.manual), 1])])
    expect(data.configureBundle.selectedOptions[0].options).toEqual([{ productKey: ids.manual, quantity: 1 }])
  })

  const wrong: [string, string, object[], [string, string][]][] = [
    [
      'fewer than min',
      ids.breakfast,
      [choose('coffee'), choose('cup', [ids.cup, 6])],
      [['INVALID_STRUCTURE', '0.options']],
    ],
    [
      'a component left out that asks for options',
      ids.breakfast,
      [choose('coffee', [ids.beans, 2])],
      [['INVALID_STRUCTURE', '']],
    ],
    ['more than max', ids.gift, [choose('any', [ids.machine, 1], [ids.manual, 1])], [['TOO_MANY', '0.options']]],
    ['an unknown component', ids.gift, [choose('other')], [['INVALID_VALUE', '0.component']]],
    ['an unknown option', ids.gift, [choose('any', [ids.beans, 1])], [['INVALID_VALUE', '0.options.0.productId']]],
    ['a wrong quantity', ids.gift, [choose('any', [ids.machine, 2])], [['INVALID_VALUE', '0.options.0.quantity']]],
    ['a component twice', ids.gift, [choose('any'), choose('any')], [['DUPLICATE', '1.component']]],
    [
      'an option twice',
      ids.gift,
      [choose('any', [ids.machine, 1], [ids.machine, 1])],
      [['DUPLICATE', '0.options.1.productId']],
    ],
  ]
  it.each(wrong)(
    'bundle.wrong-choice-is-a-state: configureBundle: %s is an issue, and the choice has no price',
    async (_, id, selection, issues) => {
      const { data, errors } = await configure(
        id,
        selection,
        'valid issues { code path message } price { amount { amount } } prices { quantity }',
      )
      expect(errors).toBeUndefined()
      const { configureBundle: configured } = data
      expect(configured.issues.map(({ code, path }: AnyResponse) => [code, path])).toEqual(
        issues.map(([code, path]) => [code, ['selection', ...path.split('.').filter(Boolean)]]),
      )
      expect([configured.valid, configured.price, configured.prices]).toEqual([false, null, []])
    },
  )

  it('bundle.option-has-its-quantity: configureBundle takes a choice without quantities, and prices it with those of the options', async () => {
    const selection = [
      { component: 'coffee', options: [{ productId: ids.beans }] },
      { component: 'cup', options: [{ productId: ids.cup, quantity: null }] },
    ]
    const { data } = await configure(
      ids.breakfast,
      selection,
      'valid issues { code } price(currency: "USD") { amount { amount } }',
    )
    expect(data.configureBundle).toMatchObject({ valid: true, issues: [], price: { amount: { amount: 5200 } } })
    expect(data.configureBundle.selectedOptions.map(({ options }: AnyResponse) => options[0].quantity)).toEqual([2, 6])
  })

  it('configureBundle refuses malformed ids and more entries than a bundle can have by name', async () => {
    const violation = async (selection: object[]) =>
      (await configure(ids.gift, selection)).errors[0].extensions.violations[0]
    expect(await violation([choose('any', ['x', 1])])).toMatchObject({
      code: 'INVALID_FORMAT',
      path: ['selection', '0', 'options', '0', 'productId'],
    })
    expect(await violation(Array(101).fill(choose('any')))).toMatchObject({ code: 'TOO_MANY', path: ['selection'] })
  })

  it('configureBundle refuses a product that is no bundle, and is null for an unknown product', async () => {
    expect((await configure(ids.machine, [])).errors[0].extensions.violations[0].path).toEqual(['id'])
    expect((await configure(ids.draftChild, [])).data.configureBundle).toBeNull()
  })
})

describe('graph.release-scoped-ids: global ids', () => {
  const node = async (id: string, fields: string): Promise<AnyResponse> =>
    (await ask(`query ($id: ID!) { node(id: $id) { __typename id ${fields} } }`, { id })).data?.node

  it('node(id:) loads every published type', async () => {
    const expected: [string, string, string][] = [
      [globalId('Catalog', ids.catalog), 'Catalog', '... on Catalog { name }'],
      [globalId('Release', releaseId), 'Release', '... on Release { sequence }'],
      [place('CatalogHierarchy', ids.hierarchy), 'CatalogHierarchy', '... on CatalogHierarchy { name }'],
      [
        place('CatalogNode', ids.espresso),
        'CatalogNode',
        '... on CatalogNode { name parent { name } hierarchy { name } }',
      ],
      [place('CatalogProduct', ids.machine), 'CatalogProduct', '... on CatalogProduct { name }'],
    ]
    for (const [id, type, fields] of expected) expect(await node(id, fields)).toMatchObject({ __typename: type, id })
  })

  it('node(id:) is null for records that the release does not have', async () => {
    const absent = [
      place('CatalogProduct', ids.cup),
      place('CatalogProduct', ids.draftChild),
      place('CatalogNode', ids.hierarchy),
      place('CatalogHierarchy', ids.espresso),
      globalId('CatalogProduct', `${ids.catalog}:${ids.machine}`),
      globalId('Release', ids.catalog),
    ]
    for (const id of absent) expect(await node(id, '')).toBeNull()
  })

  it.each(['CatalogProduct', 'CatalogNode'])('a malformed global id of a %s is refused', async (type) => {
    for (const id of [globalId(type, ids.machine), globalId(type, `${releaseId}:x`), `${place(type, ids.machine)}x`]) {
      expect(codes(await ask('query ($id: ID!) { node(id: $id) { id } }', { id }))).toEqual(['BAD_USER_INPUT'])
    }
  })

  it('product takes exactly one of id (global or UUID), SKU and slug', async () => {
    const found = await release(`
      raw: product(by: { id: "${ids.machine}" }) { name } global: product(by: { id: "${place('CatalogProduct', ids.machine)}" }) { name }
      sku: product(by: { sku: "MACHINE" }) { name } slug: product(by: { slug: "espresso-machine" }) { name } none: product(by: { sku: "CUP" }) { name }`)
    const name = 'Espresso machine'
    expect(found).toEqual({ raw: { name }, global: { name }, sku: { name }, slug: { name }, none: null })
    await expect(release('product { name }')).rejects.toThrow('is required')
    await expect(release('product(by: { sku: "MACHINE", slug: "x" }) { name }')).rejects.toThrow('exactly one')
    await expect(release('product(by: { sku: "\\u0000" }) { name }')).rejects.toThrow('BAD_USER_INPUT')
  })

  it('list.nodes-before-products: nodes(ids:) of a product lists them by their last update, without the root', async () => {
    const wanted = [ids.machines, ids.hierarchy, place('CatalogNode', ids.espresso), ids.beans, ids.sale].map(
      (id) => `"${id}"`,
    )
    const { nodes } = await release(`nodes(ids: [${wanted.join(',')}]) { name ancestors { name } }`)
    expect(nodes).toEqual([
      { name: 'Sale', ancestors: [{ name: 'Offers' }] },
      { name: 'Espresso', ancestors: [{ name: 'Shop' }, { name: 'Machines' }] },
      { name: 'Machines', ancestors: [{ name: 'Shop' }] },
    ])
  })
})
