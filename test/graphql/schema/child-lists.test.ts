/**
 * Connections of records under a parent: each takes the filter and the order that the root connection of its type
 * takes, and is walked both ways under them. Prices: test/graphql/pricing/product-price.test.ts. Releases:
 * test/graphql/catalog/release-list.test.ts. Subscriptions: test/graphql/subscriptions.
 */
import { type GraphQLField, getNamedType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { type NamedPage, namedPageFields, namesOf, walkNames } from '../../support/named-list.ts'
import { manualClock, START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })

/** Out of order, across code points that collations and UTF-16 sort otherwise. */
const names = ['beta', 'Alpha', 'alpha', '\u{10000}mega', '\uffffinal', 'Zeta', 'gamma']
const byName = ['Alpha', 'Zeta', 'alpha', 'beta', 'gamma', '\uffffinal', '\u{10000}mega']
/** The fourth and the fifth begin at one instant; their ids descend. */
const byCreation = ['beta', 'Alpha', 'alpha', '\uffffinal', '\u{10000}mega', 'Zeta', 'gamma']
const byChange = [...byCreation.slice(1), 'beta']
/** The order of positions and attachments. */
const linked = ['\u{10000}mega', 'beta', 'gamma', 'Alpha', 'Zeta', 'alpha', '\uffffinal']
const createdAt = (index: number) => new Date(START + 1_000 * (index > 3 ? index - 1 : index))

/** The id of a record of a group; of a list under the first (0) or second (1) parent. */
const idOf = (group: string, index: number, parent = 0) =>
  `0199f000-0000-7000-8000-00000${group}0${parent}000${9 - index}`

interface Item {
  readonly id: string
  readonly name: string
  readonly externalRef: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Records of a group: all seven, or the first three that the second parent has. */
function items(group: string, parent = 0): (Item & { readonly index: number })[] {
  return names.slice(0, parent === 0 ? 7 : 3).map((name, index) => ({
    index,
    id: idOf(group, index, parent),
    name,
    externalRef: `ref-${index % 2}`,
    createdAt: createdAt(index),
    updatedAt: index === 0 ? new Date(START + 3_600_000) : createdAt(index),
  }))
}

/** The same without the index, with further members. */
function rows<Extra>(group: string, extra: (index: number) => Extra, parent = 0): (Item & Extra)[] {
  return items(group, parent).map(({ index, ...item }) => ({ ...item, ...extra(index) }))
}

const two = [0, 1] as const
/** The parents of lists: records of their own groups. */
const parents = {
  Catalog: two.map((parent) => idOf('a', 8, parent)),
  Hierarchy: two.map((parent) => idOf('b', 8, parent)),
  HierarchyNode: two.map((parent) => idOf('c', 8, parent)),
  Offering: two.map((parent) => idOf('d', 8, parent)),
  Plan: two.map((parent) => idOf('e', 8, parent)),
  PriceBook: two.map((parent) => idOf('f', 8, parent)),
  Product: two.map((parent) => idOf('1', 8, parent)),
  SubscriptionProduct: two.map((parent) => idOf('2', 8, parent)),
} as const

const plan = {
  billingIntervalType: 'month',
  billingFrequency: 1,
  trialPeriod: 0,
  planLength: 12,
  endBehavior: 'roll',
  canPause: true,
  canResume: true,
  canCancel: true,
}
const sortOrders = [2, null, 1, 2, null, -5, 2_147_483_647]
const modifierTypes = ['price_increment', 'price_decrement', 'price_equals']

/** The positions of the first so many names in the order of links. */
const positions = (count: number) =>
  linked.flatMap((name) => (names.indexOf(name) < count ? [names.indexOf(name)] : []))

beforeAll(async () => {
  const { prisma } = database
  const stamps = { createdAt: new Date(START), updatedAt: new Date(START) }
  const named = (ids: readonly string[]) => ids.map((id, index) => ({ id, name: `Parent ${index}`, ...stamps }))
  await prisma.catalog.createMany({ data: named(parents.Catalog) })
  await prisma.offering.createMany({ data: named(parents.Offering) })
  await prisma.plan.createMany({ data: named(parents.Plan).map((one) => ({ ...one, ...plan })) })
  await prisma.priceBook.createMany({ data: named(parents.PriceBook) })
  await prisma.product.createMany({ data: named(parents.Product).map((one) => ({ ...one, slug: 'parent' })) })
  await prisma.subscriptionProduct.createMany({ data: named(parents.SubscriptionProduct) })
  // The parents of nodes stand in a hierarchy of their own, so that no list has them but its own.
  const elsewhere = idOf('b', 7)
  const roots = named([...parents.Hierarchy, elsewhere]).map((one) => ({ ...one, slug: one.name, hierarchyId: one.id }))
  await prisma.catalogNode.createMany({ data: roots })
  const branches = named(parents.HierarchyNode).map((one) => ({
    ...one,
    slug: one.name,
    parentId: elsewhere,
    hierarchyId: elsewhere,
  }))
  await prisma.catalogNode.createMany({ data: branches })
  for (const parent of two) {
    const node = (index: number) => ({
      slug: `slug-${index}`,
      label: index === 1 ? 'New' : null,
      sortOrder: sortOrders[index] ?? null,
    })
    const catalogId = parents.Catalog[parent] ?? ''
    await prisma.catalogRule.createMany({ data: rows('3', () => ({ catalogId }), parent) })
    for (const [group, parentId = '', hierarchyId = ''] of [
      ['4', parents.Hierarchy[parent], parents.Hierarchy[parent]],
      ['5', parents.HierarchyNode[parent], elsewhere],
    ] as const) {
      await prisma.catalogNode.createMany({
        data: rows(group, (index) => ({ ...node(index), parentId, hierarchyId }), parent),
      })
    }
    const modifier = (index: number) => ({
      priceBookId: parents.PriceBook[parent] ?? '',
      modifierType: modifierTypes[index % 3] ?? '',
      currencies: {},
    })
    await prisma.priceModifier.createMany({ data: rows('6', modifier, parent) })
    const child = (index: number) => ({
      slug: 'child',
      sku: `child-${parent}-${index}`,
      parentId: parents.Product[parent] ?? '',
    })
    await prisma.product.createMany({ data: rows('7', (index) => ({ ...product(index), ...child(index) }), parent) })
  }
  // What follows is linked to both parents, to the second only the first three.
  const among = (ids: readonly string[], index: number) => (index < 3 ? [...ids] : ids.slice(0, 1))
  await prisma.catalog.createMany({ data: rows('8', () => ({})) })
  await prisma.product.createMany({
    data: rows('9', (index) => ({
      ...product(index),
      sku: `bundle-${index}`,
      componentProductIds: among(parents.Product, index),
    })),
  })
  await prisma.product.createMany({ data: rows('0', (index) => ({ ...product(index), sku: `sku-${index}` })) })
  await prisma.plan.createMany({ data: rows('a', () => plan) })
  await prisma.subscriptionProduct.createMany({ data: rows('b', (index) => ({ sku: `sku-${index % 3}` })) })
  await prisma.offering.createMany({ data: rows('c', () => ({})) })
  for (const parent of two) {
    const count = parent === 0 ? 7 : 3
    const of = (type: keyof typeof parents) => parents[type][parent] ?? ''
    const listed = items('8').slice(0, count)
    await prisma.catalogHierarchy.createMany({
      data: listed.map(({ id }) => ({ catalogId: id, hierarchyId: of('Hierarchy'), position: parent })),
    })
    await prisma.catalogPriceBook.createMany({
      data: listed.map(({ id }) => ({ catalogId: id, priceBookId: of('PriceBook'), priority: 1, position: parent })),
    })
    for (const [position, index] of positions(count).entries()) {
      await prisma.offeringPlan.create({ data: { offeringId: of('Offering'), planId: idOf('a', index), position } })
      await prisma.offeringProduct.create({
        data: { offeringId: of('Offering'), productId: idOf('b', index), position },
      })
    }
    for (const index of positions(count).reverse()) {
      const now = new Date(START)
      await prisma.nodeProduct.create({
        data: { nodeId: of('HierarchyNode'), productId: idOf('0', index), createdAt: now },
      })
      await prisma.nodeProduct.create({ data: { nodeId: idOf('4', index), productId: of('Product'), createdAt: now } })
    }
    for (const { id } of items('c').slice(0, count)) {
      await prisma.offeringPlan.create({ data: { offeringId: id, planId: of('Plan'), position: parent } })
      await prisma.offeringProduct.create({
        data: { offeringId: id, productId: of('SubscriptionProduct'), position: parent },
      })
    }
  }
})

function product(index: number) {
  return {
    slug: 'slug',
    status: index % 3 === 0 ? 'live' : 'draft',
    tags: index < 3 ? ['early', `tag-${index}`] : [`tag-${index}`],
  }
}

type Given = Record<string, unknown>

type List = readonly [type: keyof typeof parents, field: string, filter: string, order: string, own: readonly string[]]

/** The lists with the names of their filter and order, and the order that they have by themselves. */
const lists: readonly List[] = [
  ['Catalog', 'rules', 'RecordFilter', 'RecordOrderInput', byCreation],
  ['Hierarchy', 'catalogs', 'RecordFilter', 'RecordOrderInput', byCreation],
  ['Hierarchy', 'children', 'HierarchyNodeFilter', 'HierarchyNodeOrderInput', byCreation],
  ['HierarchyNode', 'children', 'HierarchyNodeFilter', 'HierarchyNodeOrderInput', byCreation],
  ['HierarchyNode', 'products', 'ProductFilter', 'RecordOrderInput', linked],
  ['Offering', 'plans', 'RecordFilter', 'RecordOrderInput', linked],
  ['Offering', 'products', 'SubscriptionProductFilter', 'RecordOrderInput', linked],
  ['Plan', 'offerings', 'RecordFilter', 'RecordOrderInput', byCreation],
  ['PriceBook', 'catalogs', 'RecordFilter', 'RecordOrderInput', byCreation],
  ['PriceBook', 'modifiers', 'PriceModifierFilter', 'RecordOrderInput', byCreation],
  ['Product', 'bundles', 'ProductFilter', 'RecordOrderInput', byCreation],
  ['Product', 'children', 'ProductFilter', 'RecordOrderInput', byCreation],
  ['Product', 'nodes', 'HierarchyNodeFilter', 'HierarchyNodeOrderInput', linked],
  ['SubscriptionProduct', 'offerings', 'RecordFilter', 'RecordOrderInput', byCreation],
]

/** The list of a parent, or of both, with what is selected of it. */
function queryOf([type, field, filter, order]: List, selection: string): string {
  return `query ($ids: [ID!]!, $first: Int, $after: String, $last: Int, $before: String, $filter: ${filter}, $orderBy: ${order}) {
    nodes(ids: $ids) { ... on ${type} {
      list: ${field}(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) { ${selection} } } } }`
}

/** The list of both parents. */
async function askBoth(list: List, given: Given = {}): Promise<NamedPage[]> {
  const ids = parents[list[0]].map((id) => globalId(list[0], id))
  const { data, errors } = await server.gql(queryOf(list, namedPageFields), { ids, ...given })
  expect(errors).toBeUndefined()
  return data.nodes.map((node: { list: NamedPage }) => node.list)
}

/** All pages of two of the first parent's list. */
const walk = (list: List, given: Given, backward: boolean): Promise<string[]> =>
  walkNames(backward, async (cursor) => {
    const bounds = backward ? { last: 2, before: cursor } : { first: 2, after: cursor }
    const [page] = await askBoth(list, { ...given, ...bounds })
    if (!page) throw new Error('there is no first parent')
    return page
  })

/** What the second parent has of a list. */
const ofSecond = (all: readonly string[]) => all.filter((name) => names.indexOf(name) < 3)

it('every connection whose items the root or a parent can filter is filtered and ordered alike wherever it stands', () => {
  const found = new Map<string, Set<string>>()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, unknown>[]) {
      if (!field.args.some(({ name }) => name === 'before')) continue
      const taken = field.args
        .filter(({ name }) => name === 'filter' || name === 'orderBy')
        .map((argument) => getNamedType(argument.type).name)
      const element = getNamedType(field.type).name.replace(/Connection$/, '')
      found.set(element, (found.get(element) ?? new Set()).add(taken.sort().join(' ')))
    }
  }
  const several = [...found].filter(([, kinds]) => kinds.size > 1).map(([element]) => element)
  // The root connection of history finds the entries of a record by `recordId`.
  expect(several).toEqual(['HistoryEntry'])
  const unfiltered = [...found]
    .filter(([, kinds]) => ![...kinds].some((kind) => kind.includes('Filter')))
    .map(([element]) => element)
  expect(unfiltered.sort()).toEqual(['CatalogNode', 'ImportJob', 'SubscriptionState', 'Webhook'])
})

describe.each(lists)('%s.%s', (...list) => {
  const [type, field, , , own] = list

  it.each<[string, { field: string; direction?: string } | undefined, readonly string[]]>([
    ['nothing said', undefined, own],
    ['creation', { field: 'CREATED_AT' }, byCreation],
    ['creation, newest first', { field: 'CREATED_AT', direction: 'DESC' }, [...byCreation].reverse()],
    ['change', { field: 'UPDATED_AT' }, byChange],
    ['change, latest first', { field: 'UPDATED_AT', direction: 'DESC' }, [...byChange].reverse()],
    ['name', { field: 'NAME' }, byName],
    ['name, last first', { field: 'NAME', direction: 'DESC' }, [...byName].reverse()],
  ])(`${type}.${field} is walked forward and backward in one order: %s`, async (_, orderBy, expected) => {
    const both = await askBoth(list, { orderBy })
    expect(both.map(namesOf)).toEqual([expected, ofSecond(expected)])
    expect(both.map(({ totalCount }) => totalCount)).toEqual([7, 3])
    expect(await walk(list, { orderBy }, false)).toEqual(expected)
    expect(await walk(list, { orderBy }, true)).toEqual(expected)
  })

  it.each<[string, Given | null, readonly string[]]>([
    ['name eq', { name: { eq: 'alpha' } }, ['alpha']],
    ['name in, with one that is not', { name: { in: ['alpha', 'Zeta', 'none'] } }, ['Zeta', 'alpha']],
    ['name in nothing', { name: { in: [] } }, []],
    ['name startsWith and contains', { name: { startsWith: 'g', contains: 'mm' } }, ['gamma']],
    ['name contains, with signs that are no wildcards', { name: { contains: '_eta' } }, []],
    ['externalRef', { externalRef: { eq: 'ref-1' } }, ['Alpha', '\u{10000}mega', 'Zeta']],
    ['externalRef and name', { externalRef: { eq: 'ref-1' }, name: { in: ['Alpha', 'beta'] } }, ['Alpha']],
    [
      'createdAt',
      { createdAt: { from: createdAt(1).toISOString(), before: createdAt(3).toISOString() } },
      ['Alpha', 'alpha'],
    ],
    [
      'createdAt that begins after its end',
      { createdAt: { from: createdAt(3).toISOString(), before: createdAt(1).toISOString() } },
      [],
    ],
    ['updatedAt', { updatedAt: { from: new Date(START + 3_600_000).toISOString() } }, ['beta']],
    ['null, which asks for nothing', { name: null, externalRef: { eq: null } }, names],
    ['nothing', null, names],
  ])(`${type}.${field} is filtered by %s, its count too`, async (_, filter, found) => {
    const ofOrder = (order: readonly string[]) => order.filter((name) => found.includes(name))
    const both = await askBoth(list, { filter })
    expect(both.map(namesOf)).toEqual([ofOrder(own), ofSecond(ofOrder(own))])
    expect(both.map(({ totalCount }) => totalCount)).toEqual([found.length, ofSecond(found).length])
  })

  it(`${type}.${field} is walked forward and backward with a filter, in its own order and in another`, async () => {
    const filter = { externalRef: { eq: 'ref-0' }, name: { in: names.slice(1) } }
    const ofOrder = (order: readonly string[]) =>
      order.filter((name) => ['alpha', '\uffffinal', 'gamma'].includes(name))
    for (const backward of [false, true]) {
      expect(await walk(list, { filter }, backward)).toEqual(ofOrder(own))
      expect(await walk(list, { filter, orderBy: { field: 'NAME', direction: 'DESC' } }, backward)).toEqual(
        ofOrder(byName).reverse(),
      )
    }
  })

  it(`${type}.${field} refuses cursors of another order and filters that it does not have`, async () => {
    const ask = (given: Given) =>
      server.gql(queryOf(list, namedPageFields), { ids: [globalId(type, parents[type][0] ?? '')], ...given })
    const [page] = await askBoth(list, { first: 1, orderBy: { field: 'NAME' } })
    const { errors } = await ask({ after: page?.pageInfo.endCursor })
    expect([errors[0].extensions.code, errors[0].path]).toEqual(['BAD_USER_INPUT', ['nodes', 0, 'list']])
    expect(errors[0].extensions.violations).toMatchObject([{ path: ['after'] }])
    for (const [given, named] of [
      [{ filter: { colour: 'red' } }, 'colour'],
      [{ filter: { createdAt: { from: 'yesterday' } } }, '$filter'],
      [{ orderBy: { field: 'PRICE' } }, 'PRICE'],
    ] as const) {
      const reply = await ask(given)
      expect([reply.data, reply.errors[0].message]).toEqual([undefined, expect.stringContaining(named)])
    }
  })

  it(`${type}.${field} takes one statement for any number of parents, and one more for their totals`, async () => {
    const run = async (count: number, selection: string) => {
      const ids = parents[type].slice(0, count).map((id) => globalId(type, id))
      const given = { ids, filter: { name: { contains: 'a' } }, orderBy: { field: 'NAME' } }
      const { result, count: sent } = await countStatements(database, () => server.gql(queryOf(list, selection), given))
      expect(result.errors).toBeUndefined()
      return sent
    }
    // The catalogs that are published are read once.
    await run(1, '__typename')
    const alone = await run(1, '__typename')
    expect([await run(1, 'nodes { id }'), await run(2, 'nodes { id }')]).toEqual([alone + 1, alone + 1])
    expect([await run(1, 'totalCount'), await run(2, 'totalCount nodes { id }')]).toEqual([alone + 1, alone + 2])
  })

  it(`right.shoppers-see-published-and-own: ${type}.${field} is for administrators only, or for anyone`, async () => {
    const ids = [globalId(type, parents[type][0] ?? '')]
    const { data, errors } = await server.gql(
      queryOf(list, namedPageFields),
      { ids, filter: { name: { eq: 'alpha' } } },
      { token: server.shopper },
    )
    if (['Offering', 'Plan', 'SubscriptionProduct'].includes(type))
      expect(namesOf(data.nodes[0].list)).toEqual(['alpha'])
    else expect(JSON.stringify([data, errors])).not.toContain('alpha')
  })
})

describe('nodes', () => {
  const orders = [
    ['ASC', ['Zeta', 'alpha', '\u{10000}mega', 'beta', 'gamma', '\uffffinal', 'Alpha']],
    ['DESC', ['gamma', 'beta', '\u{10000}mega', 'alpha', 'Zeta', 'Alpha', '\uffffinal']],
  ] as const
  const ofNodes = lists.filter(([, , filter]) => filter === 'HierarchyNodeFilter')

  it.each(
    ofNodes.flatMap((list) =>
      orders.map(([direction, expected]) => [list[0], list[1], direction, expected, list] as const),
    ),
  )(
    '%s.%s by SORT_ORDER %s: nodes without one come last, in both directions of a walk',
    async (_, __, direction, expected, list) => {
      const orderBy = { field: 'SORT_ORDER', direction }
      expect((await askBoth(list, { orderBy })).map(namesOf)).toEqual([expected, ofSecond(expected)])
      for (const backward of [false, true]) expect(await walk(list, { orderBy }, backward)).toEqual(expected)
    },
  )

  it.each(ofNodes.map((list) => [list[0], list[1], list] as const))(
    '%s.%s are filtered by slug and label',
    async (_, __, list) => {
      const find = async (filter: object) => (await askBoth(list, { filter })).map(namesOf)
      expect(await find({ slug: { in: ['slug-1', 'slug-5'] }, name: { startsWith: 'Z' } })).toEqual([['Zeta'], []])
      expect(await find({ label: { eq: 'New' } })).toEqual([['Alpha'], ['Alpha']])
    },
  )
})

it.each(lists.filter(([, , filter]) => filter === 'ProductFilter').map((list) => [list[0], list[1], list] as const))(
  '%s.%s are filtered by tag, status and SKU',
  async (_, __, list) => {
    const find = async (filter: object) => (await askBoth(list, { filter, orderBy: { field: 'NAME' } })).map(namesOf)
    expect(await find({ tag: 'EARLY' })).toEqual([
      ['Alpha', 'alpha', 'beta'],
      ['Alpha', 'alpha', 'beta'],
    ])
    expect(await find({ tag: 'tag-5' })).toEqual([['Zeta'], []])
    expect(await find({ status: 'LIVE' })).toEqual([['beta', 'gamma', '\u{10000}mega'], ['beta']])
    expect(await find({ sku: { contains: '-6' }, status: 'LIVE' })).toEqual([['gamma'], []])
  },
)

it('Offering.products are filtered by SKU', async () => {
  const list = lists.find(([type, field]) => type === 'Offering' && field === 'products') as List
  expect((await askBoth(list, { filter: { sku: { eq: 'sku-0' } } })).map(namesOf)).toEqual([
    ['\u{10000}mega', 'beta', 'gamma'],
    ['beta'],
  ])
})

it('PriceBook.modifiers are filtered by type', async () => {
  const list = lists.find(([, field]) => field === 'modifiers') as List
  expect((await askBoth(list, { filter: { type: 'PRICE_EQUALS' } })).map(namesOf)).toEqual([
    ['alpha', 'Zeta'],
    ['alpha'],
  ])
})
