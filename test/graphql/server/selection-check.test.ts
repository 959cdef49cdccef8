/** What a mutation's selection may not say is refused before the mutation writes. */
import { type GraphQLInputType, isInputObjectType, isObjectType } from 'graphql'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readerOf } from '../../../src/graphql/schema/argument-reader.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { RUNS_BEFORE_COMPILING } from '../../../src/graphql/server/compiled.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)

const catalogs = () => database.prisma.catalog.count()
const input = 'input: { name: "New", hierarchyIds: [], priceBooks: [] }'
const create = (selection: string) => `createCatalog(${input}) { catalog { ${selection} } userErrors { code } }`
const ofProduct = (selection: string) => `release(id: "latest") { products(first: 1) { nodes { ${selection} } } }`

beforeEach(() => reset(database))

describe('an argument that its reader refuses', () => {
  it.each([
    ['a release', 'release(id: "x") { id }', 'INVALID_FORMAT', ['id']],
    ['the length of a page', 'releases(first: 101) { totalCount }', 'OUT_OF_RANGE', ['first']],
    ['both ends of a list', 'releases(first: 1, last: 1) { totalCount }', 'INVALID_VALUE', ['last']],
    ['a cursor', 'releases(after: "x") { totalCount }', 'INVALID_FORMAT', ['after']],
    ['a hierarchy', 'release(id: "latest") { hierarchy(id: "x") { id } }', 'INVALID_FORMAT', ['id']],
    ['nodes', 'release(id: "latest") { nodes(ids: ["x"]) { id } }', 'INVALID_FORMAT', ['ids', '0']],
    ['a key of a product', 'release(id: "latest") { product(by: { id: "x" }) { id } }', 'INVALID_FORMAT', ['by', 'id']],
    ['a path', 'release(id: "latest") { node(by: { path: [] }) { id } }', 'REQUIRED', ['by', 'path']],
    ['the depth of a menu', 'latestRelease { menu(depth: 11) { level } }', 'OUT_OF_RANGE', ['depth']],
    [
      'a filter',
      'release(id: "latest") { products(filter: { id: { in: ["x"] } }) { totalCount } }',
      'INVALID_FORMAT',
      ['filter', 'id', 'in', '0'],
    ],
    [
      'a filter of records',
      'rules(filter: { name: { eq: "\\u0000" } }) { totalCount }',
      'INVALID_TEXT',
      ['filter', 'name'],
    ],
    ['a currency', ofProduct('price(currency: "bad") { amount { amount } }'), 'INVALID_FORMAT', ['currency']],
    ['a quantity', ofProduct('prices(quantity: 0) { amount { amount } }'), 'OUT_OF_RANGE', ['quantity']],
    ['a scope of curation', ofProduct('curated(in: "x")'), 'INVALID_FORMAT', ['in']],
    [
      'a choice of options',
      ofProduct(
        'bundleConfiguration(selection: [{ component: "lid", options: [{ productId: "x", quantity: 1 }] }]) { __typename }',
      ),
      'INVALID_FORMAT',
      ['selection', '0', 'options', '0', 'productId'],
    ],
    ['a catalog', ofProduct('product { catalogProduct(catalogId: "x") { id } }'), 'INVALID_FORMAT', ['catalogId']],
    ['a price book', ofProduct('product { price(priceBookId: "x") { id } }'), 'INVALID_FORMAT', ['priceBookId']],
  ])(
    "a refused argument in a mutation's selection, %s: nothing is written, and the error is the one of the field",
    async (_, selection, code, path) => {
      const reply = await server.gql(`mutation { ${create(selection)} }`)
      expect([reply.status, reply.data, reply.errors]).toMatchObject([
        200,
        null,
        [{ path: ['createCatalog'], extensions: { code: 'BAD_USER_INPUT', violations: [{ code, path }] } }],
      ])
      expect(await catalogs()).toBe(0)
    },
  )

  it("a refused argument in a mutation's selection causes the same error as in a query", async () => {
    const product = await makePlain()
    const response = await server.gql(
      `{ subscriptionProduct(id: "${product}") { price(currency: "bad") { includesTax } } }`,
    )
    const update = `updateSubscriptionProduct(input: { id: "${product}", name: "Other" })`
    const reply = await server.gql(
      `mutation { ${update} { subscriptionProduct { price(currency: "bad") { includesTax } } userErrors { code } } }`,
    )
    const [{ message, extensions }] = response.errors
    expect(reply.errors).toMatchObject([{ message, extensions, locations: [{ line: 1 }] }])
    expect((await server.gql(`{ subscriptionProduct(id: "${product}") { name } }`)).data.subscriptionProduct.name).toBe(
      'Paper',
    )
  })

  const price = (currency: string) => ofProduct(`price(currency: ${currency}) { amount { amount } }`)
  it.each([
    ['of a variable', `mutation ($currency: CurrencyCode) { ${create(price('$currency'))} }`, { currency: 'bad' }],
    ["of a variable's default", `mutation ($currency: CurrencyCode = "bad") { ${create(price('$currency'))} }`, {}],
    [
      'in a fragment',
      `mutation { ${create('...A')} } fragment A on Catalog { ...B } fragment B on Catalog { ${price('"bad"')} }`,
      {},
    ],
    [
      'in an inline fragment under another name',
      `mutation { ${create(`... on Catalog { a: ${price('"bad"')} }`)} }`,
      {},
    ],
    ['in a fragment at the root', `mutation { ...A } fragment A on Mutation { ${create(price('"bad"'))} }`, {}],
    ['in a later mutation', `mutation { a: ${create('id')} b: ${create(price('"bad"'))} }`, {}],
    [
      'in what is included',
      `mutation ($yes: Boolean!) { ${create(`... @include(if: $yes) { ${price('"bad"')} }`)} }`,
      { yes: true },
    ],
  ])(
    'a refused argument of a mutation %s writes nothing, also once the operation has often run',
    async (_, text, variables) => {
      for (let run = 0; run <= RUNS_BEFORE_COMPILING; run++) {
        const reply = await server.gql(text, variables)
        expect([reply.data, reply.errors]).toMatchObject([null, [{ extensions: { code: 'BAD_USER_INPUT' } }]])
      }
      expect(await catalogs()).toBe(0)
    },
  )

  it.each([
    ['@skip(if: $yes)', { yes: true }],
    ['@include(if: $yes)', { yes: false }],
  ])('a wrong argument in what is left out by %s is ignored', async (directive, variables) => {
    const text = `mutation ($yes: Boolean!) { ${create(`id ... ${directive} { ${price('"bad"')} } ...A ${directive}`)} } fragment A on Catalog { b: ${price('"bad"')} }`
    const reply = await server.gql(text, variables)
    expect([reply.errors, reply.data.createCatalog.userErrors]).toEqual([undefined, []])
    expect(await catalogs()).toBe(1)
  })

  it('invalid variables of a mutation cause their usual error', async () => {
    const reply = await server.gql(`mutation ($first: Int) { ${create('releases(first: $first) { totalCount }')} }`, {
      first: 'x',
    })
    expect(reply.errors).toMatchObject([{ message: expect.stringMatching(/^Variable "\$first" got invalid value/) }])
    expect(await catalogs()).toBe(0)
  })

  it('every argument that has a reader is checked before a mutation writes', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    const unread = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) && !roots.includes(type) && !type.name.startsWith('__')
        ? Object.values(type.getFields())
            .filter(({ args }) => args.length > 0 && !args.some(readerOf))
            .flatMap(({ name, args }) => args.map((arg) => `${type.name}.${name}(${arg.name})`))
        : [],
    )
    const unreadFilters = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) && !roots.includes(type)
        ? Object.values(type.getFields())
            .filter(({ args }) => args.some((arg) => arg.name === 'filter' && hasTexts(arg.type) && !readerOf(arg)))
            .map(({ name }) => `${type.name}.${name}`)
        : [],
    )
    expect(unreadFilters).toEqual([])
    expect(unread.filter((one) => !one.endsWith('(locale)'))).toEqual(['PriceBook.price(sku)'])
  })
})

function hasTexts(type: GraphQLInputType): boolean {
  return (
    isInputObjectType(type) &&
    Object.values(type.getFields()).some((field) => String(field.type) === 'RecordTextFilter')
  )
}

async function makePlain(): Promise<string> {
  const made = await server.gql(
    'mutation { createSubscriptionProduct(input: { name: "Paper" }) { subscriptionProduct { id } userErrors { code } } }',
  )
  return made.data.createSubscriptionProduct.subscriptionProduct.id
}

describe('right.shoppers-see-published-and-own: a field that is for administrators, selected by a shopper', () => {
  let id = ''
  let token = ''
  beforeAll(async () => {
    token = (await server.issue({ subject: 'ada', role: 'shopper', accountId: idOf('account', 1) }, START)).token
  })
  beforeEach(async () => {
    const ctx = contextAs(server.services, START)
    await makePlan(ctx, idOf('plan', 1))
    await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)] })
    id = (await makeSubscription(ctx)).id
  })
  const pause = (selection: string) =>
    `pauseSubscription(input: { id: "${id}" }) { subscription { ${selection} } userErrors { code } }`
  const isPaused = async () => (await database.prisma.subscriptionState.count()) > 0

  it('a field for administrators is forbidden to a shopper before any write, by its own right or that of its type, at any depth', async () => {
    const hidden = 'offering { current { subscriptions { totalCount } } }'
    for (const text of [
      `mutation { ${pause(hidden)} }`,
      `mutation { ${pause('...A')} } fragment A on AccountSubscription { ${hidden} }`,
      `mutation { a: ${pause('id')} createPriceBook(input: { name: "Mine" }) { priceBook { id } } }`,
      `mutation { ${pause('id')} more: createSubscription(input: { accountId: "${id}", offeringId: "${id}", planId: "${id}", currency: "USD", name: "Ada", email: "a@b.c" }) { subscription { ${hidden} } } }`,
    ]) {
      const reply = await server.gql(text, {}, { token })
      expect([reply.status, reply.data, reply.errors]).toMatchObject([
        200,
        null,
        [{ extensions: { code: 'FORBIDDEN' } }],
      ])
      expect(await isPaused()).toBe(false)
    }
    expect((await server.gql(`mutation { ${pause(hidden)} }`)).data.pauseSubscription.userErrors).toEqual([])
  })

  it('a field for administrators may be selected by a shopper where @skip or @include leaves it out', async () => {
    const text = `mutation { ${pause('offering { current { id subscriptions @skip(if: true) { totalCount } } }')} }`
    expect((await server.gql(text, {}, { token })).data.pauseSubscription.userErrors).toEqual([])
    expect(await isPaused()).toBe(true)
  })
})
