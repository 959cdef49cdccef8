import { getNamedType, isInputObjectType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { createCatalog } from '../../../src/operations/catalog/catalog.ts'
import { createCatalogRule } from '../../../src/operations/catalog/catalog-rule.ts'
import { newId } from '../../../src/persistence/database/id.ts'
import { FILTER_VALUES_MAX } from '../../../src/persistence/database/record-conditions.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy } from '../../support/hierarchies.ts'
import { makeBook } from '../../support/price-books.ts'
import { makeProduct as makeCatalogProduct } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)

/**
 * Out of order, across code points that collations and UTF-16 sort otherwise; the fourth and fifth begin at one
 * instant.
 */
const names = ['beta', 'Alpha', 'alpha', '\u{10000}mega', '\uffffinal', 'Zeta', 'gamma']
const sorted = ['Alpha', 'Zeta', 'alpha', 'beta', 'gamma', '\uffffinal', '\u{10000}mega']
const startOf = (index: number) => START + (index > 3 ? index - 1 : index)

beforeAll(async () => {
  await reset(database)
  for (const [index, name] of names.entries()) {
    const ctx = contextAs(server.services, startOf(index))
    await makeBook(ctx, name, { external_ref: `ref-${index}` })
    await makePlan(ctx, newId(), { name, external_ref: `ref-${index % 2}` })
    await makeOffering(ctx, newId(), { name, external_ref: `ref-${index % 2}` })
    await makeProduct({ services: server.services, now: startOf(index) }, newId(), {
      name,
      externalRef: `ref-${index % 2}`,
      sku: `sku-${index % 3}`,
    })
    const given = { name, external_ref: `ref-${index % 2}` }
    await makeHierarchy(ctx, name, { ...given, slug: `slug-${index}` })
    const tags = index < 3 ? ['Early', `tag-${index}`] : [`tag-${index}`]
    const status = index % 3 === 0 ? 'live' : 'draft'
    await makeCatalogProduct(ctx, { ...given, slug: 'slug', sku: `sku-${index}`, status, tags })
    const { id } = await createCatalog(ctx, {
      data: { type: 'catalog', attributes: { ...given, hierarchy_ids: [], pricebook_ids: [] } },
    })
    await createCatalogRule(ctx, { data: { type: 'catalog_rule', attributes: { ...given, catalog_id: id } } })
  }
  // The oldest is changed last.
  const others = ['catalog_node', 'product', 'catalog', 'catalog_rule']
  for (const table of ['price_book', 'plan', 'offering', 'subscription_product', ...others]) {
    await database.pool.query(`UPDATE ${table} SET updated_at = created_at + interval '1 hour' WHERE name = 'beta'`)
  }
})

it('names are ordered by code point, for any collation of the database', async () => {
  const { rows } = await database.pool.query(
    `SELECT table_name, column_name FROM information_schema.columns WHERE collation_name = 'C' AND table_schema = current_schema()
       AND column_name IN ('name', 'catalog_name') ORDER BY 1`,
  )
  const tables = [
    'catalog',
    'catalog_node',
    'catalog_rule',
    'offering',
    'plan',
    'price_book',
    'product',
    'release',
    'subscription_product',
  ]
  expect(rows).toEqual(
    tables.map((table) => ({ table_name: table, column_name: table === 'release' ? 'catalog_name' : 'name' })),
  )
})

type Given = Record<string, unknown>

const lists = [
  ['priceBooks', 'RecordFilter'],
  ['plans', 'RecordFilter'],
  ['offerings', 'RecordFilter'],
  ['subscriptionProducts', 'SubscriptionProductFilter'],
  ['hierarchies', 'RecordFilter'],
  ['products', 'ProductFilter'],
  ['catalogs', 'RecordFilter'],
  ['catalogRules', 'RecordFilter'],
] as const
const forAdmins: readonly string[] = ['priceBooks', 'hierarchies', 'products', 'catalogRules']

// Sales: test/graphql/pricing/sale-list.test.ts. History: test/graphql/history.test.ts. Webhooks:
// test/graphql/changes/webhook.test.ts. Imports: test/rest/imports/import.test.ts. What is due:
// test/graphql/subscriptions/invoices-due.test.ts; its filter is that of subscriptions. Labels:
// test/graphql/catalog/label-mutation.test.ts.
it('every root connection is tested here, below or beside its noun', () => {
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
    args.some(({ name }) => name === 'first'),
  )
  expect(roots.map(({ name }) => name).sort()).toEqual(
    [
      ...lists.map(([root]) => root),
      'history',
      'importJobs',
      'invoicesDue',
      'labels',
      'sales',
      'subscriptions',
      'webhooks',
    ].sort(),
  )
})

it('value.text-can-be-stored: each filter of a root connection refuses a text that no record can have, by the name of its field', async () => {
  const refused: string[] = []
  for (const { name, args } of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    if (name === 'invoicesDue') continue
    const type = args.find((arg) => arg.name === 'filter')?.type
    for (const field of isInputObjectType(type) ? Object.values(type.getFields()) : []) {
      const query = `query ($filter: ${type}) { ${name}(filter: $filter) { totalCount } }`
      const parts = [{ eq: '\ud800' }, { in: ['a', '\u0000'] }, { startsWith: 'a\u0000' }, { contains: '\ud800b' }]
      for (const text of getNamedType(field.type).name === 'String' ? ['\u0000'] : parts) {
        if (!['String', 'RecordTextFilter'].includes(getNamedType(field.type).name)) continue
        const { errors } = await server.gql(query, { filter: { [field.name]: text } })
        expect([name, errors]).toMatchObject([name, [{ extensions: { code: 'BAD_USER_INPUT' } }]])
        expect(errors[0].extensions.violations).toMatchObject([{ code: 'INVALID_TEXT', path: ['filter', field.name] }])
        refused.push(`${name}.${field.name}`)
      }
    }
  }
  // Name and external reference of eight lists, and what some have beside: each four times; so the
  // key of labels. Two texts of history and a
  // tag, once.
  expect(refused).toHaveLength(4 * (2 * lists.length + 2 + 2 + 2 + 1) + 3)
})

/** All pages of two of a list, by `ask`, in the order of the list. */
async function walked<Item>(
  ask: (given: Given) => Promise<Listed<Item>>,
  given: Given,
  backward: boolean,
): Promise<Item[]> {
  const found: Item[] = []
  for (let cursor: string | undefined; ; ) {
    const { nodes, pageInfo } = await ask({
      ...given,
      ...(backward ? { last: 2, before: cursor } : { first: 2, after: cursor }),
    })
    if (backward) found.unshift(...nodes)
    else found.push(...nodes)
    if (!(backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return found
    cursor = backward ? pageInfo.startCursor : pageInfo.endCursor
  }
}

interface Listed<Item> {
  readonly nodes: readonly Item[]
  readonly totalCount: number
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string
    readonly endCursor: string
  }
}

describe.each(lists)('%s', (root, filterType) => {
  const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ${filterType}, $orderBy: RecordOrderInput) {
    list: ${root}(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { id name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`
  const ask = async (given: Given = {}) => (await server.gql(query, given)).data.list
  const shown = ({ nodes }: { nodes: readonly { name: string }[] }) => nodes.map(({ name }) => name)

  const walk = async (given: Given, backward: boolean) =>
    shown({ nodes: await walked<{ name: string }>(ask, given, backward) })

  it.each<[string, { field: string; direction?: string } | undefined]>([
    ['nothing said, oldest first', undefined],
    ['creation', { field: 'CREATED_AT' }],
    ['creation, newest first', { field: 'CREATED_AT', direction: 'DESC' }],
    ['change', { field: 'UPDATED_AT' }],
    ['change, latest first', { field: 'UPDATED_AT', direction: 'DESC' }],
    ['name', { field: 'NAME' }],
    ['name, last first', { field: 'NAME', direction: 'DESC' }],
  ])(`${root} is walked forward and backward in one order: %s`, async (_, orderBy) => {
    const whole = shown(await ask({ orderBy }))
    expect(await walk({ orderBy }, false)).toEqual(whole)
    expect(await walk({ orderBy }, true)).toEqual(whole)
    expect([...whole].sort()).toEqual([...names].sort())
    const ordered = orderBy?.direction === 'DESC' ? [...whole].reverse() : whole
    if (orderBy?.field === 'NAME') expect(ordered).toEqual(sorted)
    if (orderBy?.field === 'UPDATED_AT') expect(ordered.at(-1)).toBe('beta')
    // Of those that began at one instant the id decides, which nothing here knows.
    if (orderBy?.field !== 'NAME')
      expect(ordered.filter((name) => !['beta', names[3], names[4]].includes(name))).toEqual([
        'Alpha',
        'alpha',
        'Zeta',
        'gamma',
      ])
  })

  it.each([
    ['name eq', { name: { eq: 'alpha' } }, ['alpha']],
    ['name in, with one that is not', { name: { in: ['alpha', 'Zeta', 'none'] } }, ['Zeta', 'alpha']],
    ['name in nothing', { name: { in: [] } }, []],
    ['name eq and in', { name: { eq: 'alpha', in: ['Zeta'] } }, []],
    [
      'externalRef',
      { externalRef: { eq: 'ref-1' } },
      root === 'priceBooks' ? ['Alpha'] : ['Alpha', '\u{10000}mega', 'Zeta'],
    ],
    ['externalRef and name', { externalRef: { eq: 'ref-1' }, name: { in: ['Alpha', 'beta'] } }, ['Alpha']],
    ['name startsWith', { name: { startsWith: 'al' } }, ['alpha']],
    ['name contains', { name: { contains: 'et' } }, ['beta', 'Zeta']],
    ['name contains, with signs that are no wildcards', { name: { contains: '_eta' } }, []],
    ['name startsWith, with a sign that is no wildcard', { name: { startsWith: '%a' } }, []],
    ['name startsWith and contains', { name: { startsWith: 'g', contains: 'mm' } }, ['gamma']],
    ['createdAt from', { createdAt: { from: new Date(startOf(5)).toISOString() } }, ['Zeta', 'gamma']],
    ['createdAt before', { createdAt: { before: new Date(startOf(1)).toISOString() } }, ['beta']],
    [
      'createdAt between two instants',
      { createdAt: { from: new Date(startOf(1)).toISOString(), before: new Date(startOf(3)).toISOString() } },
      ['Alpha', 'alpha'],
    ],
    ['updatedAt', { updatedAt: { from: new Date(START + 3_600_000).toISOString() } }, ['beta']],
    ['null, which asks for nothing', { name: null, externalRef: { eq: null } }, names],
  ])(`${root} is filtered by %s, its count too`, async (_, filter, found) => {
    const page = await ask({ filter })
    expect([...shown(page)].sort()).toEqual([...found].sort())
    expect(page.totalCount).toBe(found.length)
    const orderBy = { field: 'NAME', direction: 'DESC' }
    const backward = [...sorted].reverse().filter((name) => (found as string[]).includes(name))
    expect(await walk({ filter, orderBy }, false)).toEqual(backward)
    expect(await walk({ filter, orderBy }, true)).toEqual(backward)
  })

  it(`${root} refuses cursors of another order, and page sizes out of range`, async () => {
    const { endCursor } = (await ask({ first: 1, orderBy: { field: 'NAME' } })).pageInfo
    for (const given of [{ after: endCursor }, { before: 'x' }, { first: 101 }, { first: -1 }]) {
      expect((await server.gql(query, given)).errors[0].extensions.code).toBe('BAD_USER_INPUT')
    }
    expect(shown(await ask({ first: 1, after: endCursor, orderBy: { field: 'NAME' } }))).toEqual(['Zeta'])
  })

  it(`${root} runs one statement, and another for the total only when that is selected`, async () => {
    const run = async (selected: string) =>
      (await countStatements(database, () => server.gql(`{ ${root}(first: 5) { ${selected} } }`))).count
    expect([await run('nodes { name }'), await run('totalCount'), await run('totalCount nodes { name }')]).toEqual([
      1, 1, 2,
    ])
  })

  it(`right.shoppers-see-published-and-own: ${root} is for administrators only, or for anyone`, async () => {
    const reply = await server.gql(`{ ${root} { totalCount } }`, {}, { token: server.shopper })
    if (forAdmins.includes(root)) expect(reply.errors[0].extensions.code).toBe('FORBIDDEN')
    // No catalog is published.
    else expect(reply.data[root].totalCount).toBe(root === 'catalogs' ? 0 : names.length)
  })
})

it('a filter of records is limited to the number of parameters of a statement', async () => {
  const query = 'query ($filter: RecordFilter) { plans(filter: $filter) { totalCount nodes { name } } }'
  const ask = (count: number) =>
    server.gql(query, {
      filter: { name: { in: ['beta', ...Array.from({ length: count - 1 }, (_, index) => `none ${index}`)] } },
    })
  expect((await ask(FILTER_VALUES_MAX)).data.plans).toEqual({ totalCount: 1, nodes: [{ name: 'beta' }] })
  const { extensions } = (await ask(FILTER_VALUES_MAX + 1)).errors[0]
  expect(extensions.violations).toMatchObject([{ code: 'TOO_MANY', path: ['filter'] }])
})

it('many values of a filter are work, also when aliases repeat them', async () => {
  const filter = { name: { in: Array.from({ length: FILTER_VALUES_MAX }, (_, index) => `none ${index}`) } }
  const ask = (aliases: number) => {
    const lists = Array.from(
      { length: aliases },
      (_, index) => `l${index}: plans(first: 1, filter: $filter) { nodes { id } }`,
    )
    return server.gql(`query ($filter: RecordFilter) { ${lists.join(' ')} }`, { filter })
  }
  // Half a point each: 90,000 points, and 105,000 of at most 100,000.
  expect((await ask(6)).errors).toBeUndefined()
  expect((await ask(7)).errors[0].message).toMatch(/work .* is \d+, at most 100000 is allowed/)
})

it('a filter of a list under a parent is limited as that of a list of all', async () => {
  const query = `query ($filter: RecordFilter) { plans(first: 1) { nodes { offerings(filter: $filter) { totalCount } } } }`
  const ask = (count: number) =>
    server.gql(query, { filter: { name: { in: Array.from({ length: count }, (_, index) => `none ${index}`) } } })
  expect((await ask(FILTER_VALUES_MAX)).data.plans.nodes).toEqual([{ offerings: { totalCount: 0 } }])
  expect((await ask(FILTER_VALUES_MAX + 1)).errors[0].extensions.violations).toMatchObject([
    { code: 'TOO_MANY', path: ['filter'] },
  ])
})

describe('subscriptionProducts', () => {
  it('subscriptionProducts can be filtered by SKU', async () => {
    const query =
      'query ($filter: SubscriptionProductFilter) { subscriptionProducts(filter: $filter) { totalCount nodes { name sku } } }'
    const { subscriptionProducts: found } = (
      await server.gql(query, { filter: { sku: { eq: 'sku-0' }, externalRef: { eq: 'ref-0' } } })
    ).data
    expect(found).toEqual({
      totalCount: 2,
      nodes: [
        { name: 'beta', sku: 'sku-0' },
        { name: 'gamma', sku: 'sku-0' },
      ],
    })
  })
})

describe('products', () => {
  const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ProductFilter, $orderBy: RecordOrderInput) {
    products(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`
  const ask = async (given: Given): Promise<Listed<{ name: string }>> => (await server.gql(query, given)).data.products

  it.each([
    ['tag, whatever its case', { tag: 'EARLY' }, ['Alpha', 'alpha', 'beta']],
    ['one tag of several', { tag: 'tag-1' }, ['Alpha']],
    ['status', { status: 'LIVE' }, ['beta', 'gamma', '\u{10000}mega']],
    ['SKU', { sku: { in: ['sku-0', 'sku-5', 'none'] } }, ['Zeta', 'beta']],
    [
      'all that is given',
      { tag: 'early', status: 'DRAFT', name: { in: ['alpha', 'beta'] }, externalRef: { eq: 'ref-0' } },
      ['alpha'],
    ],
  ])('products are filtered by %s, in the requested order, in both directions', async (_, filter, found) => {
    const orderBy = { field: 'NAME' }
    const inOrder = sorted.filter((name) => (found as string[]).includes(name))
    for (const backward of [false, true]) {
      expect((await walked(ask, { filter, orderBy }, backward)).map(({ name }) => name)).toEqual(inOrder)
    }
    expect((await ask({ filter })).totalCount).toBe(found.length)
  })
})

describe('catalogs', () => {
  const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: RecordFilter, $orderBy: RecordOrderInput) {
    catalogs(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`
  const reply = (given: Given) => server.gql(query, given, { token: server.shopper })
  const ask = async (given: Given): Promise<Listed<{ name: string }>> => (await reply(given)).data.catalogs
  const published = ['Zeta', 'alpha', 'beta', 'gamma']

  it('right.shoppers-see-published-and-own: a shopper sees published catalogs, by name and creation, and can not filter or order by fields for administrators', async () => {
    for (const name of published) {
      const [row] = await database.query<{ id: string }>('test-catalog', 'SELECT id FROM catalog WHERE name = $1', [
        name,
      ])
      await publish(server, row?.id as string)
    }
    for (const backward of [false, true]) {
      const walk = async (given: Given) => (await walked(ask, given, backward)).map(({ name }) => name)
      expect(await walk({ orderBy: { field: 'NAME' } })).toEqual(published)
      expect(await walk({ orderBy: { field: 'NAME', direction: 'DESC' } })).toEqual([...published].reverse())
      expect(await walk({ orderBy: { field: 'CREATED_AT', direction: 'DESC' } })).toEqual([
        'gamma',
        'Zeta',
        'alpha',
        'beta',
      ])
      expect(await walk({ filter: { name: { in: ['alpha', 'Alpha', 'Zeta'] } } })).toEqual(['alpha', 'Zeta'])
    }
    expect((await ask({ filter: { name: { in: ['alpha', 'Alpha', 'Zeta'] } } })).totalCount).toBe(2)
    const byReference = ['ref-0', 'none'].map((ref) => ({ filter: { externalRef: { eq: ref } } }))
    for (const given of [...byReference, { orderBy: { field: 'UPDATED_AT' } }]) {
      const { errors, data } = await reply(given)
      expect([errors[0].extensions.code, data]).toEqual(['FORBIDDEN', null])
    }
  })
})

describe('cursors', () => {
  it('cursors survive inserts and deletes between pages: no item is repeated, no remaining item is left out', async () => {
    const ask = async (after: string | null) =>
      (
        await server.gql(
          'query ($after: String) { plans(first: 2, after: $after, orderBy: { field: NAME }) { nodes { name } pageInfo { hasNextPage endCursor } } }',
          { after },
        )
      ).data.plans
    const seen: string[] = []
    let page = await ask(null)
    seen.push(...page.nodes.map(({ name }: { name: string }) => name))
    expect(seen).toEqual(['Alpha', 'Zeta'])
    // The one that the cursor stands on goes, one before it and one after it come.
    await database.prisma.plan.deleteMany({ where: { name: 'Zeta' } })
    const added = await Promise.all(
      ['Beginning', 'ending'].map((name) => makePlan(contextAs(server.services, START), newId(), { name })),
    )
    while (page.pageInfo.hasNextPage) {
      page = await ask(page.pageInfo.endCursor)
      seen.push(...page.nodes.map(({ name }: { name: string }) => name))
    }
    expect(seen).toEqual(['Alpha', 'Zeta', 'alpha', 'beta', 'ending', 'gamma', '\uffffinal', '\u{10000}mega'])
    await database.prisma.plan.deleteMany({ where: { id: { in: added.map(({ id }) => id) } } })
  })
})

describe('subscriptions', () => {
  const ids: string[] = []
  const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: AccountSubscriptionFilter, $orderBy: DatedOrderInput) {
    subscriptions(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { id subscriber { name } plan { name } status } pageInfo { hasNextPage endCursor startCursor hasPreviousPage }
    }
  }`
  const ask = async (given: Given = {}) => (await server.gql(query, given)).data.subscriptions
  const places = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => ids.indexOf(id))

  beforeAll(async () => {
    const ctx = contextAs(server.services, START)
    for (const number of [1, 2]) {
      await makePlan(ctx, idOf('plan', number))
      await makeOffering(ctx, idOf('offering', number), { plans: [idOf('plan', 1), idOf('plan', 2)].slice(0, number) })
    }
    for (let index = 0; index < 6; index++) {
      const made = await makeSubscription(contextAs(server.services, START + index), {
        account_id: idOf('account', 1 + (index % 2)),
        offering_id: idOf('offering', index < 4 ? 1 : 2),
        plan_id: idOf('plan', index < 5 ? 1 : 2),
        external_ref: `ref-${index % 3}`,
      })
      ids.push(globalId('AccountSubscription', made.id))
    }
  })

  const newest = { field: 'CREATED_AT', direction: 'DESC' }

  it('subscriptions are listed forward and backward in pages', async () => {
    expect(places(await ask())).toEqual([0, 1, 2, 3, 4, 5])
    expect(places(await ask({ orderBy: newest }))).toEqual([5, 4, 3, 2, 1, 0])
    const first = await ask({ first: 2, orderBy: newest })
    expect(places(await ask({ first: 2, after: first.pageInfo.endCursor, orderBy: newest }))).toEqual([3, 2])
    expect(places(await ask({ last: 2, before: first.pageInfo.endCursor, orderBy: newest }))).toEqual([5])
    expect((await ask()).nodes[5]).toMatchObject({
      subscriber: { name: 'Ada' },
      plan: { name: 'Monthly' },
      status: 'ACTIVE',
    })
  })

  it.each([
    ['accountId', { accountId: idOf('account', 2) }, [1, 3, 5]],
    ['accountId as a global id', { accountId: globalId('Account', idOf('account', 1)) }, [0, 2, 4]],
    ['offeringId', { offeringId: idOf('offering', 2) }, [4, 5]],
    ['planId', { planId: idOf('plan', 2) }, [5]],
    ['externalRef', { externalRef: { in: ['ref-0', 'none'] } }, [0, 3]],
    [
      'all of them',
      {
        accountId: idOf('account', 2),
        offeringId: idOf('offering', 1),
        planId: idOf('plan', 1),
        externalRef: { eq: 'ref-0' },
      },
      [3],
    ],
    ['externalRef startsWith and contains', { externalRef: { startsWith: 'ref-', contains: '-2' } }, [2, 5]],
    [
      'createdAt',
      { createdAt: { from: new Date(START + 1).toISOString(), before: new Date(START + 3).toISOString() } },
      [1, 2],
    ],
    ['paused', { paused: true }, []],
    ['not paused and not canceled', { paused: false, canceled: false }, [0, 1, 2, 3, 4, 5]],
    ['one that there is not', { planId: idOf('plan', 9) }, []],
  ])('subscriptions are filtered by %s', async (_, filter, found) => {
    const page = await ask({ filter })
    expect([places(page), page.totalCount]).toEqual([found, found.length])
  })

  it('subscriptions are refused for malformed ids, and to shoppers (right.shoppers-see-published-and-own), before anything is read', async () => {
    expect((await server.gql(query, { filter: { planId: 'x' } })).errors[0].extensions.code).toBe('BAD_USER_INPUT')
    const { result, count } = await countStatements(database, () => server.gql(query, {}, { token: server.shopper }))
    expect([result.errors[0].extensions.code, count]).toEqual(['FORBIDDEN', 0])
  })
})
