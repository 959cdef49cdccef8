/**
 * Lists that clients write are bounded: n entries are taken and n + 1 refused, with one violation at the list, by every
 * way in.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  BUILD_RULES_MAX,
  BUNDLE_COMPONENTS_MAX,
  BUNDLE_OPTIONS_MAX,
  CURRENCIES_MAX,
  CUSTOM_INPUTS_MAX,
  EXTENSION_FIELDS_MAX,
  EXTENSIONS_MAX,
  LOCALES_MAX,
  OPTION_MODIFIERS_MAX,
  PRODUCT_FILES_MAX,
  PRODUCT_TAGS_MAX,
  SALE_BUNDLES_MAX,
  SALES_MAX,
  TIERS_MAX,
  VALIDATION_RULES_MAX,
  VARIATION_OPTIONS_MAX,
  VARIATIONS_MAX,
} from '../../src/domain/input/limits.ts'
import type { PriceBook } from '../../src/domain/pricing/price-book.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { mutate } from '../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { graphPriceInput } from '../support/price-input.ts'
import { idOf } from '../support/products.ts'
import { START, useServer } from '../support/server.ts'
import { contextAs, makePlan } from '../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const admin = () => contextOf(server.services, START)

let book: PriceBook
beforeEach(async () => {
  server.now = START
  await reset(database)
  book = await makeBook(admin(), 'Book')
})

const list = <T>(count: number, entry: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => entry(index))
const map = <T>(count: number, key: (index: number) => string, entry: (index: number) => T): Record<string, T> =>
  Object.fromEntries(list(count, (index) => [key(index), entry(index)]))
const letter = (index: number) => String.fromCharCode(65 + (index % 26))
const code = (index: number) => `X${letter(Math.floor(index / 26))}${letter(index)}`
const priced = (count: number, from = 0) =>
  map(
    count,
    (index) => code(from + index),
    () => ({ amount: 1 }),
  )
const tiersOf = (count: number) =>
  map(
    count,
    (index) => `t${index}`,
    (index) => ({ minimum_quantity: index + 1, amount: 1 }),
  )
const salesOf = (count: number) =>
  map(
    count,
    (index) => `s${index}`,
    (index) => ({ schedule: { valid_from: new Date(START + index).toISOString() } }),
  )

/** What was refused, as `CODE path`. */
type Answer = Promise<string[]>

const ofGraph = async (reply: Promise<{ userErrors: { code: string; path: string[] }[] }>): Answer =>
  (await reply).userErrors.map((error) => `${error.code} ${error.path.join('.')}`)
const ofRest = async (reply: ReturnType<typeof server.rest>): Answer =>
  ((await reply).body.errors ?? []).map(
    (error: { code: string; detail: string }) => `${error.code} ${error.detail.split(': ')[0]}`,
  )
const ofImport = async (data: object): Answer =>
  (await runImport(server.services, [data])).refused.map((line) => line.replace(/^1: (\S+): .*\((\w+)\)$/s, '$2 $1'))

const postPrice = (attributes: object) =>
  ofRest(
    server.rest('POST', `/pcm/pricebooks/${book.id}/prices`, {
      body: { data: { type: 'product-price', attributes } },
      token: server.admin,
    }),
  )
const graphPrice = (attributes: object) =>
  ofGraph(
    mutate(server, 'addProductPrice', { priceBookId: book.id, ...(graphPriceInput({ attributes }) as object) }, ''),
  )
const importPrice = (attributes: object) => ofImport({ type: 'product-price', pricebook_id: book.id, attributes })

describe('a price', () => {
  test.each<[string, number, (count: number) => object, string, string]>([
    ['currencies', CURRENCIES_MAX, (n) => ({ currencies: priced(n) }), 'currencies', 'prices'],
    [
      'tiers of a currency',
      TIERS_MAX,
      (n) => ({ currencies: { USD: { tiers: tiersOf(n) } } }),
      'currencies.USD.tiers',
      'prices.0.price.tiers',
    ],
    ['sales', SALES_MAX, (n) => ({ currencies: {}, sales: salesOf(n) }), 'sales', 'sales'],
    [
      'tiers of a sale',
      TIERS_MAX,
      (n) => ({ currencies: {}, sales: { s: { currencies: { USD: { tiers: tiersOf(n) } } } } }),
      'sales.s.currencies.USD.tiers',
      'sales.0.prices.0.price.tiers',
    ],
    [
      'bundles of a sale',
      SALE_BUNDLES_MAX,
      (n) => ({ currencies: {}, sales: { s: { bundle_ids: list(n, idOf) } } }),
      'sales.s.bundle_ids',
      'sales.0.bundleIds',
    ],
  ])('a price accepts %s up to the limit of %i, and refuses one more', async (_, max, attributes, path, graphPath) => {
    const at = (sku: string, count: number) => ({ sku, ...attributes(count) })
    expect(await postPrice(at('A', max))).toEqual([])
    expect(await postPrice(at('B', max + 1))).toEqual([`TOO_MANY data.attributes.${path}`])
    expect(await graphPrice(at('C', max))).toEqual([])
    expect(await graphPrice(at('D', max + 1))).toEqual([`TOO_MANY ${graphPath}`])
    expect(await importPrice(at('E', max))).toEqual([])
    expect(await importPrice(at('F', max + 1))).toEqual([`TOO_MANY data.attributes.${path}`])
    const rows = [graphPriceInput({ attributes: at('G', max + 1) }) as object]
    const bulk = mutate(
      server,
      'upsertProductPrices',
      { priceBookId: book.id, mode: 'ALL_OR_NOTHING', rows },
      'results { outcome }',
    )
    expect(await ofGraph(bulk)).toEqual([`TOO_MANY rows.0.${graphPath}`])
    const stored = await database.query<{ sku: string }>('test-limits', 'SELECT sku FROM product_price ORDER BY sku')
    expect(stored.map(({ sku }) => sku)).toEqual(['A', 'C', 'E'])
  })

  test('a price in the graph is refused with one violation for too many entries, also repeated ones', async () => {
    const tiers = list(30_000, (index) => ({ name: `t${index}`, minimumQuantity: index + 1, amount: 1 }))
    const price = (given: object[]) => ({
      priceBookId: book.id,
      sku: 'S',
      prices: [{ currency: 'USD', price: { tiers: given } }],
    })
    expect(await ofGraph(mutate(server, 'addProductPrice', price(tiers), ''))).toEqual([
      'TOO_MANY prices.0.price.tiers',
    ])
    const same = list(30_000, () => tiers[0] ?? {})
    expect(await ofGraph(mutate(server, 'addProductPrice', price(same), ''))).toEqual([
      'DUPLICATE prices.0.price.tiers.29999.name',
    ])
  })

  test('a price keeps the limit of currencies when an update is merged', async () => {
    const { id } = await makePrice(admin(), book.id, 'S', { currencies: priced(CURRENCIES_MAX) })
    const more = graphPriceInput({ attributes: { currencies: priced(1, CURRENCIES_MAX) } }) as object
    const moved = { currencies: { ...priced(1, CURRENCIES_MAX), [code(0)]: null } }
    expect(await ofGraph(mutate(server, 'updateProductPrice', { id, ...more }, ''))).toEqual(['TOO_MANY prices'])
    const rows = [{ sku: 'S', ...more }]
    const bulk = mutate(
      server,
      'upsertProductPrices',
      { priceBookId: book.id, mode: 'ALL_OR_NOTHING', rows },
      'results { outcome }',
    )
    expect(await ofGraph(bulk)).toEqual(['TOO_MANY rows.0.prices'])
    expect(await importPrice({ sku: 'S', currencies: priced(1, CURRENCIES_MAX) })).toEqual([
      'TOO_MANY data.attributes.currencies',
    ])
    expect(
      await ofGraph(
        mutate(server, 'updateProductPrice', { id, ...(graphPriceInput({ attributes: moved }) as object) }, ''),
      ),
    ).toEqual([])
  })

  test('a price keeps the limit of sales when clients add them simultaneously', async () => {
    const { id } = await makePrice(admin(), book.id, 'S', { sales: salesOf(SALES_MAX - 1) })
    const add = (index: number) =>
      ofGraph(
        mutate(
          server,
          'addSale',
          { productPriceId: id, name: `n${index}`, schedule: { validTo: new Date(START - index).toISOString() } },
          '',
        ),
      )
    const answers = (await Promise.all(list(10, add))).map(String).sort()
    expect(answers).toEqual(['', ...Array(9).fill('TOO_MANY productPriceId')])
    expect(await database.prisma.sale.count()).toBe(SALES_MAX)
  })
})

describe('other maps of prices', () => {
  test('a subscription product has at most 200 currencies, new or merged', async () => {
    const put = (price: object) => {
      const data = { id: idOf(1), type: 'subscription_product', attributes: { price } }
      return ofRest(server.rest('PUT', `/v2/subscriptions/products/${idOf(1)}`, { body: { data } }))
    }
    const imported = (price: object) =>
      ofImport({ type: 'subscription_product', id: idOf(1), attributes: { name: 'Box', price } })
    const graph = (currencies: string[]) =>
      ofGraph(
        mutate(
          server,
          'updateSubscriptionProduct',
          { id: idOf(1), prices: currencies.map((currency) => ({ currency, price: { amount: 1 } })) },
          '',
        ),
      )
    expect(await imported(priced(CURRENCIES_MAX + 1))).toEqual(['TOO_MANY data.attributes.price'])
    expect(await imported(priced(CURRENCIES_MAX))).toEqual([])
    expect(await put(priced(CURRENCIES_MAX + 1))).toEqual(['TOO_MANY data.attributes.price'])
    expect(await put(priced(CURRENCIES_MAX))).toEqual([])
    expect(await put(priced(1, CURRENCIES_MAX))).toEqual(['TOO_MANY data.attributes.price'])
    expect(await graph(list(CURRENCIES_MAX + 1, code))).toEqual(['TOO_MANY prices'])
    expect(await graph([code(CURRENCIES_MAX)])).toEqual(['TOO_MANY prices'])
    expect(await graph(list(CURRENCIES_MAX, code))).toEqual([])
    expect(await imported(priced(1, CURRENCIES_MAX))).toEqual(['TOO_MANY data.attributes.price'])
  })

  test('a plan has at most 200 currencies', async () => {
    await makePlan(contextAs(server.services, START), idOf(1))
    const prices = (count: number, from: number) =>
      Object.entries(priced(count, from)).map(([currency, price]) => ({ currency, price }))
    const update = (count: number, from = 0) =>
      ofGraph(mutate(server, 'updatePlan', { id: idOf(1), fixedPrices: prices(count, from) }, ''))
    expect(await update(CURRENCIES_MAX + 1)).toEqual(['TOO_MANY fixedPrices'])
    expect(await update(CURRENCIES_MAX)).toEqual([])
    expect(await update(1, CURRENCIES_MAX)).toEqual(['TOO_MANY fixedPrices'])
    const attributes = { fixed_price: priced(1, CURRENCIES_MAX) }
    expect(await ofImport({ type: 'subscription_plan', id: idOf(1), attributes })).toEqual([
      'TOO_MANY data.attributes.fixed_price',
    ])
  })

  test('a price modifier and a single sale have at most 200 currencies', async () => {
    const input = (count: number, from = 0) =>
      graphPriceInput({ attributes: { currencies: priced(count, from) } }) as object
    const make = (name: string, count: number) => ({
      priceBookId: book.id,
      name,
      type: 'PRICE_EQUALS',
      ...input(count),
    })
    expect(await ofGraph(mutate(server, 'createPriceModifier', make('a', CURRENCIES_MAX + 1), ''))).toEqual([
      'TOO_MANY prices',
    ])
    const reply = await mutate(server, 'createPriceModifier', make('a', CURRENCIES_MAX), 'priceModifier { id }')
    const change = { id: reply.priceModifier.id, ...input(1, CURRENCIES_MAX) }
    expect(await ofGraph(mutate(server, 'updatePriceModifier', change, ''))).toEqual(['TOO_MANY prices'])
    const modifier = { name: 'a', modifier_type: 'price_equals', currencies: priced(1, CURRENCIES_MAX) }
    expect(await ofImport({ type: 'price-modifier', pricebook_id: book.id, attributes: modifier })).toEqual([
      'TOO_MANY data.attributes.currencies',
    ])
    const price = await makePrice(admin(), book.id, 'S', { sales: { s: { currencies: priced(CURRENCIES_MAX) } } })
    const sale = { id: price.sales[0]?.id, ...input(1, CURRENCIES_MAX) }
    expect(await ofGraph(mutate(server, 'updateSale', sale, ''))).toEqual(['TOO_MANY prices'])
  })
})

const input = { name: 'Input' }
const option = (index: number) => ({ id: idOf(index + 1) })
const choice = (index: number) => ({ name: `Option ${index}` })
const key = (index: number) => `k${index}`
const language = (index: number) => `en-${letter(Math.floor(index / 26))}${letter(index)}`

describe('a product', () => {
  /** Attributes as an import gives them, and as the graph does. */
  interface Limit {
    readonly max: number
    readonly given: (count: number) => { readonly attributes?: object; readonly relationships?: object }
    readonly graph: (count: number) => object
    readonly path: string
    readonly graphPath: string
  }

  test.each<[string, Limit]>([
    [
      'tags',
      {
        max: PRODUCT_TAGS_MAX,
        given: (n) => ({ attributes: { tags: list(n, key) } }),
        graph: (n) => ({ tags: list(n, key) }),
        path: 'attributes.tags',
        graphPath: 'tags',
      },
    ],
    [
      'components',
      {
        max: BUNDLE_COMPONENTS_MAX,
        given: (n) => ({ attributes: { components: map(n, key, () => ({ name: 'C', options: [] })) } }),
        graph: (n) => ({ components: list(n, (index) => ({ key: key(index), name: 'C', options: [] })) }),
        path: 'attributes.components',
        graphPath: 'components',
      },
    ],
    [
      'options over all components',
      {
        max: BUNDLE_OPTIONS_MAX,
        given: (n) => ({
          attributes: {
            components: { a: { name: 'A', options: list(n - 1, option) }, b: { name: 'B', options: [option(n)] } },
          },
        }),
        graph: (n) => ({
          components: [
            { key: 'a', name: 'A', options: list(n - 1, option) },
            { key: 'b', name: 'B', options: [option(n)] },
          ],
        }),
        path: 'attributes.components',
        graphPath: 'components',
      },
    ],
    [
      'custom inputs',
      {
        max: CUSTOM_INPUTS_MAX,
        given: (n) => ({ attributes: { custom_inputs: map(n, key, () => input) } }),
        graph: (n) => ({ customInputs: list(n, (index) => ({ key: key(index), ...input })) }),
        path: 'attributes.custom_inputs',
        graphPath: 'customInputs',
      },
    ],
    [
      'rules of a custom input',
      {
        max: VALIDATION_RULES_MAX,
        given: (n) => ({ attributes: { custom_inputs: { a: { ...input, validation_rules: list(n, () => ({})) } } } }),
        graph: (n) => ({ customInputs: [{ key: 'a', ...input, validationRules: list(n, () => ({})) }] }),
        path: 'attributes.custom_inputs.a.validation_rules',
        graphPath: 'customInputs.0.validationRules',
      },
    ],
    [
      'extensions',
      {
        max: EXTENSIONS_MAX,
        given: (n) => ({ attributes: { extensions: map(n, key, () => ({})) } }),
        graph: (n) => ({ extensions: list(n, (index) => ({ template: key(index), fields: [] })) }),
        path: 'attributes.extensions',
        graphPath: 'extensions',
      },
    ],
    [
      'fields of an extension',
      {
        max: EXTENSION_FIELDS_MAX,
        given: (n) => ({ attributes: { extensions: { a: map(n, key, () => 1) } } }),
        graph: (n) => ({
          extensions: [{ template: 'a', fields: list(n, (index) => ({ key: key(index), value: 1 })) }],
        }),
        path: 'attributes.extensions.a',
        graphPath: 'extensions.0.fields',
      },
    ],
    [
      'variations',
      {
        max: VARIATIONS_MAX,
        given: (n) => ({ attributes: { variations: list(n, (index) => ({ name: key(index), options: [] })) } }),
        graph: (n) => ({ variations: list(n, (index) => ({ name: key(index), options: [] })) }),
        path: 'attributes.variations',
        graphPath: 'variations',
      },
    ],
    [
      'options over all variations',
      {
        max: VARIATION_OPTIONS_MAX,
        given: (n) => ({
          attributes: {
            variations: [
              { name: 'A', options: list(n - 1, choice) },
              { name: 'B', options: [choice(0)] },
            ],
          },
        }),
        graph: (n) => ({
          variations: [
            { name: 'A', options: list(n - 1, choice) },
            { name: 'B', options: [choice(0)] },
          ],
        }),
        path: 'attributes.variations',
        graphPath: 'variations',
      },
    ],
    [
      'price modifiers of an option',
      {
        max: OPTION_MODIFIERS_MAX,
        given: (n) => ({
          attributes: { variations: [{ name: 'A', options: [{ name: 'O', price_modifiers: list(n, key) }] }] },
        }),
        graph: (n) => ({ variations: [{ name: 'A', options: [{ name: 'O', priceModifierNames: list(n, key) }] }] }),
        path: 'attributes.variations.0.options.0.price_modifiers',
        graphPath: 'variations.0.options.0.priceModifierNames',
      },
    ],
    [
      'languages of an option',
      {
        max: LOCALES_MAX,
        given: (n) => ({
          attributes: {
            variations: [{ name: 'A', options: [{ name: 'O', locales: map(n, language, () => ({ name: 'N' })) }] }],
          },
        }),
        graph: (n) => ({
          variations: [
            {
              name: 'A',
              options: [{ name: 'O', locales: list(n, (index) => ({ language: language(index), name: 'N' })) }],
            },
          ],
        }),
        path: 'attributes.variations.0.options.0.locales',
        graphPath: 'variations.0.options.0.locales',
      },
    ],
    [
      'build rules of a kind',
      {
        max: BUILD_RULES_MAX,
        given: (n) => ({
          attributes: {
            variations: [{ name: 'A', options: [{ id: idOf(1), name: 'O' }] }],
            build_rules: { include: list(n, () => [idOf(1)]) },
          },
        }),
        graph: (n) => ({
          variations: [{ name: 'A', options: [{ key: idOf(1), name: 'O' }] }],
          buildRules: { include: list(n, () => [idOf(1)]) },
        }),
        path: 'attributes.build_rules.include',
        graphPath: 'buildRules.include',
      },
    ],
    [
      'languages',
      {
        max: LOCALES_MAX,
        given: (n) => ({ attributes: { locales: map(n, language, () => ({ name: 'N' })) } }),
        graph: (n) => ({ locales: list(n, (index) => ({ language: language(index), name: 'N' })) }),
        path: 'attributes.locales',
        graphPath: 'locales',
      },
    ],
    [
      'files',
      {
        max: PRODUCT_FILES_MAX,
        given: (n) => ({ relationships: { files: { data: list(n, option) } } }),
        graph: (n) => ({ files: list(n, (index) => ({ key: option(index).id })) }),
        path: 'relationships.files.data',
        graphPath: 'files',
      },
    ],
  ])(
    'a product accepts %s up to their limit, and refuses one more',
    async (_, { max, given, graph, path, graphPath }) => {
      const imported = (count: number) => {
        const { attributes, relationships } = given(count)
        return ofImport({
          type: 'product',
          attributes: { name: 'Thing', ...attributes },
          ...(relationships && { relationships }),
        })
      }
      const created = (count: number) =>
        ofGraph(mutate(server, 'createProduct', { name: 'Thing', ...graph(count) }, ''))
      expect(await imported(max)).toEqual([])
      expect(await imported(max + 1)).toEqual([`TOO_MANY data.${path}`])
      expect(await created(max)).toEqual([])
      expect(await created(max + 1)).toEqual([`TOO_MANY ${graphPath}`])
      expect(await database.prisma.product.count()).toBe(2)
    },
  )

  test('a product has at most 100 option_ids; more are refused without a look-up', async () => {
    const ids = list(VARIATIONS_MAX + 1, () => 'x')
    expect(await ofGraph(mutate(server, 'createProduct', { name: 'Thing', optionKeys: ids }, ''))).toEqual([
      'TOO_MANY optionKeys',
    ])
    const build_rules = { exclude: [ids] }
    expect(await ofImport({ type: 'product', attributes: { name: 'Thing', build_rules } })).toEqual([
      'TOO_MANY data.attributes.build_rules.exclude.0',
    ])
  })
})
