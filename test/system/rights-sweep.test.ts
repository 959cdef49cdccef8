/**
 * right.shoppers-see-published-and-own, price-book.admin-attributes-hidden: whatever the schema and the table of routes
 * offer, asked for by a shopper. The queries come from the schema itself.
 */
import { getNamedType, isInputObjectType, isLeafType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { rightOf } from '../../src/graphql/schema/rights.ts'
import { schema } from '../../src/graphql/schema.ts'
import { documentedRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { type HiddenStore, hidden, insertHiddenStore, seen } from '../support/hidden-store.ts'
import { adminFields, call, isForAdmins, literal, pathTo, selection } from '../support/schema-walk.ts'
import { type RestReply, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { production: true } })
let store: HiddenStore
let all: { table: string; id: string }[] = []
const ABSENT = 'abcdef00-0000-4000-8000-00000000dead'
const query = schema.getQueryType()
const roots = Object.values(query?.getFields() ?? {})
const openRoots = roots.filter((field) => !isForAdmins(field) && !field.name.startsWith('_'))

beforeAll(async () => {
  store = await insertHiddenStore(server)
  const tables = [
    'product',
    'catalog_node',
    'catalog',
    'price_book',
    'product_price',
    'sale',
    'price_modifier',
    'catalog_rule',
    'label',
    'plan',
  ]
  for (const table of [...tables, 'offering', 'subscription_product', 'subscription', 'release']) {
    const { rows } = await database.pool.query<{ id: string }>(`SELECT id::text FROM ${table} ORDER BY id LIMIT 40`)
    all.push(...rows.map(({ id }) => ({ table, id })))
  }
  all.push(
    { table: 'account', id: seen.otherAccount },
    { table: 'release', id: store.deletedRelease },
    { table: 'none', id: ABSENT },
  )
  all = all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index)
})

/** Sends a query as the shopper and fails if the response has anything hidden in it. */
async function ask(text: string, variables: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const reply = await server.gql(text, variables, { token: store.shopper, headers })
  const { headers: _, ...shown } = reply
  const sent = new Set([...`${text}${JSON.stringify(variables)}`.matchAll(/dead0000-[\w-]+/g)].map(([id]) => id))
  const json = JSON.stringify(shown)
  const leaked = [...json.matchAll(/HIDDEN[^"]*|dead0000-[\w-]+/gi)]
    .map(([found]) => found)
    .filter((found) => !sent.has(found) && found !== hidden(7))
  expect(leaked, `${text.slice(0, 300)}\n${json.slice(0, 600)}`).toEqual([])
  expect(json).not.toContain('INTERNAL_SERVER_ERROR')
  return shown
}

const codes = (reply: { errors?: { extensions: { code: string } }[] }) => [
  ...new Set((reply.errors ?? []).map(({ extensions }) => extensions.code)),
]
const current = () => all.find(({ table, id }) => table === 'release' && id !== store.deletedRelease)?.id ?? ''
const composite = () => {
  const releases = all.filter(({ table }) => table === 'release').map(({ id }) => id)
  return releases.flatMap((release) =>
    all.filter(({ table }) => ['product', 'catalog_node'].includes(table)).map(({ id }) => `${release}:${id}`),
  )
}
const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))

describe('right.shoppers-see-published-and-own: a shopper in the graph', () => {
  test('open root fields show nothing hidden to a shopper, for every id, four levels deep', async () => {
    const known = all.filter(
      ({ table, id }) => id.startsWith('dead') || id === ABSENT || !['product', 'product_price'].includes(table),
    )
    const ids = [
      ...known.map(({ id }) => id),
      ...composite().filter((id) => /dead|c0ffee00-0002-4000-8000-00000000000[1-3]/.test(id)),
    ]
    let resolvedCount = 0
    for (const field of openRoots) {
      // A variable, since a document of so many fields takes long to read: one of each field does for all ids.
      const text = (id: string): string =>
        `{ ${call(field, id)} { ${selection(schema, getNamedType(field.type), id, 3)} } }`
      const takesId = field.args.some(({ name }) => name === 'id')
      const document = takesId ? `query($id: ID!) ${text('$id')}` : text(ABSENT)
      for (const id of takesId ? ids.filter((one) => !one.includes(':')) : [ABSENT])
        resolvedCount += (await ask(document, takesId ? { id } : {})).data?.[field.name] ? 1 : 0
    }
    // The sweep means nothing when it finds nothing.
    expect(resolvedCount).toBeGreaterThan(10)
  })

  test('node, nodes and _entities show nothing hidden to a shopper, for every type and id, and refuse admin types before they load', async () => {
    const types = schema.getPossibleTypes(schema.getType('Node') as never)
    const raw = [...all.map(({ id }) => id), ...composite()]
    let resolvedCount = 0
    for (const type of types) {
      const select = `__typename ... on ${type.name} { ${selection(schema, type, ABSENT, 1)} }`
      const ids = raw.map((id) => globalId(type.name, id))
      const admin = rightOf(type) === 'admin'
      for (const some of chunks(ids, 100).slice(0, admin ? 1 : undefined)) {
        const variables = { ids: some, all: some.map((id) => ({ __typename: type.name, id })) }
        const replies = [
          await ask(`query($ids: [ID!]!) { nodes(ids: $ids) { ${select} } }`, variables),
          await ask(`query($all: [_Any!]!) { _entities(representations: $all) { ${select} } }`, variables),
        ]
        for (const reply of replies) {
          const things = (reply.data?.nodes ?? reply.data?._entities ?? []) as unknown[]
          resolvedCount += things.filter(Boolean).length
          if (admin) expect([things.filter(Boolean), codes(reply)], type.name).toEqual([[], ['FORBIDDEN']])
        }
      }
      if (admin)
        expect(codes(await ask(`{ node(id: "${globalId(type.name, ABSENT)}") { id } }`))).toEqual(['FORBIDDEN'])
    }
    expect(resolvedCount).toBeGreaterThan(100)
  })

  test('every field for admins is forbidden to a shopper on every path to it', async () => {
    const found = {
      subscription: store.subscription.own,
      account: seen.ownAccount,
      catalog: seen.catalog,
      offering: seen.offering,
      plan: seen.plan,
      subscriptionProduct: seen.subscriptionProduct,
    }
    const idOf = (name: string): string =>
      (({ ...found, release: current() }) as Record<string, string>)[name] ?? seen.hierarchy
    const reached: string[] = []
    for (const { type, field } of adminFields(schema)) {
      if (type === 'Mutation') continue
      const path = pathTo(schema, type, idOf)
      if (!path) continue
      const inner = `${call(field, ABSENT)}${isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'}`
      const reply = await ask(`${path.reduceRight((body, step) => `{ ${step} ${body} }`, `{ ${inner} }`)}`)
      if (reply.errors)
        expect(codes(reply), `${type}.${field.name}: ${JSON.stringify(reply.errors[0])}`).toEqual(['FORBIDDEN'])
      if (reply.errors)
        expect(reply.errors[0].message.split(';')[0]).toBe(`${type}.${field.name} is for administrators`)
      if (type === 'Query') expect(codes(reply), field.name).toEqual(['FORBIDDEN'])
      if (reply.errors) reached.push(`${type}.${field.name}`)
    }
    expect(reached).toContain('Query.priceBooks')
    expect(reached).toContain('Release.warningCount')
  })

  test('every mutation for admins is forbidden to a shopper for any input, and the others work only for its own account', async () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
    for (const field of mutations.filter((one) => rightOf(one) === 'admin')) {
      const reply = await ask(`mutation { ${call(field, seen.catalog)} { userErrors { message } } }`)
      expect([field.name, codes(reply), reply.data]).toEqual([field.name, ['FORBIDDEN'], null])
    }
    const open = mutations.filter((one) => rightOf(one) !== 'admin').map(({ name }) => name)
    const verbs = ['cancel', 'change', 'pause', 'resume', 'update']
    const actions = [...verbs.map((verb) => `${verb}Subscription`), 'undoScheduledChange']
    expect(open.sort()).toEqual([...actions, 'createSubscription'].sort())
    const more: Record<string, string> = { undoScheduledChange: `changeKey: "${ABSENT}"` }
    const responseTo = async (name: string, id: string) =>
      JSON.stringify(
        await ask(
          `mutation { ${name}(input: { id: "${id}" ${more[name] ?? ''} }) { subscription { id } userErrors { code path message } } }`,
        ),
      )
    for (const name of actions)
      expect(await responseTo(name, store.subscription.other)).toBe(await responseTo(name, ABSENT))
    const subscribe = async (accountId: string) =>
      ask(`mutation { createSubscription(input: { accountId: "${accountId}", offeringId: "${seen.offering}", planId: "${seen.plan}",
        currency: "USD", name: "Ada", email: "ada@example.com" }) { subscription { id } userErrors { code } } }`)
    const refused = await subscribe(seen.otherAccount)
    expect([codes(refused), refused.data]).toEqual([['FORBIDDEN'], null])
    expect(await subscribe(ABSENT)).toEqual(refused)
    expect((await subscribe(seen.ownAccount)).data.createSubscription.userErrors).toEqual([])
  })

  test('GraphQL responses to a shopper for hidden and for absent records are equal', async () => {
    const known: Record<string, string[]> = {
      catalog: [hidden(10)],
      release: [store.deletedRelease],
      subscription: [store.subscription.other],
      account: [seen.otherAccount],
    }
    for (const [name, ids] of Object.entries(known)) {
      const responseTo = async (id: string) =>
        JSON.stringify(await ask(`query($id: ID!) { ${name}(id: $id) { __typename id } }`, { id }))
      for (const id of ids) expect(await responseTo(id)).toBe(await responseTo(ABSENT))
    }
    const inRelease = async (args: string) =>
      JSON.stringify(
        await ask(`{ catalog(id: "${seen.catalog}") { release(id: "latest") { product(by: { ${args} }) { id } } } }`),
      )
    for (const [hiddenOne, absent] of [
      [`sku: "HIDDEN-DRAFT"`, `sku: "NOT-THERE"`],
      [`slug: "HIDDEN-old"`, `slug: "not-there"`],
      [`id: "${hidden(4)}"`, `id: "${ABSENT}"`],
      [`id: "${hidden(6)}"`, `id: "${ABSENT}"`],
    ] as const)
      expect(await inRelease(hiddenOne)).toBe(await inRelease(absent))
  })

  test('every filter and order of every open connection finds nothing hidden for a shopper', async () => {
    const values = [
      'HIDDEN-SKU',
      'HIDDEN-DRAFT',
      'HIDDEN-LOOSE',
      'HIDDEN-OLD',
      'HIDDEN draft',
      'HIDDEN edited',
      'HIDDEN-draft',
      'HIDDEN-ref',
      'hidden',
      'HIDDEN',
    ]
    let queried = 0
    const lists = [
      ...openRoots.map((field) => ({ field, wrap: (body: string) => `{ ${body} }` })),
      ...['Release', 'CatalogHierarchy', 'CatalogNode', 'CatalogProduct', 'Offering', 'Plan', 'Account'].flatMap(
        (name) => {
          const type = schema.getType(name)
          const path = pathTo(
            schema,
            name,
            (field) =>
              (
                ({
                  release: current(),
                  catalog: seen.catalog,
                  account: seen.ownAccount,
                  offering: seen.offering,
                  plan: seen.plan,
                }) as Record<string, string>
              )[field] ?? seen.hierarchy,
          )
          const wrap = (body: string): string =>
            (path ?? []).reduceRight((inner, step) => `{ ${step} ${inner} }`, `{ ${body} }`)
          return isObjectType(type) && path
            ? Object.values(type.getFields())
                .filter((field) => !isForAdmins(field))
                .map((field) => ({ field, wrap }))
            : []
        },
      ),
    ].filter(({ field }) => field.args.some(({ name }) => name === 'first'))
    for (const { field, wrap } of lists) {
      const filter = field.args.find(({ name }) => name === 'filter')
      const order = field.args.find(({ name }) => name === 'orderBy')
      const given: Record<string, string>[] = [{}]
      const filterType = filter && getNamedType(filter.type)
      if (isInputObjectType(filterType)) {
        for (const member of Object.values(filterType.getFields())) {
          const type = getNamedType(member.type)
          for (const literal of new Set(values.map((value) => filterLiteral(type, value))))
            given.push({ filter: `{ ${member.name}: ${literal} }` })
        }
      }
      const orderType = order && getNamedType(order.type)
      if (isInputObjectType(orderType)) {
        const by = getNamedType(orderType.getFields().field?.type as never) as never as {
          getValues(): { name: string }[]
        }
        for (const { name } of by.getValues()) given.push({ orderBy: `{ field: ${name}, direction: DESC }` })
      }
      for (const args of given) {
        const reply = await ask(
          wrap(`${call(field, seen.hierarchy, { first: '100', ...args })} { totalCount nodes { id } }`),
        )
        queried++
        const found = JSON.stringify(reply.data ?? {})
        if (args.filter && /HIDDEN|hidden/.test(args.filter))
          expect(found.match(/"totalCount":[1-9]/), `${field.name} ${args.filter}`).toBeNull()
      }
    }
    expect(queried).toBeGreaterThan(60)
  })

  test('price.other-instants-for-admins: other instants than now are for admins, on every field with that argument', async () => {
    const taking = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter(({ args }) => args.some(({ name }) => name === 'at'))
            .map((field) => ({ type, field }))
        : [],
    )
    expect(taking.length).toBeGreaterThan(0)
    for (const { type, field } of taking.filter(({ type }) => type.name === 'CatalogProduct')) {
      const inner = `${call(field, ABSENT, { at: '"2030-01-01T00:00:00Z"' })} { __typename }`
      const reply = await ask(
        `{ catalog(id: "${seen.catalog}") { release(id: "latest") { products(first: 1) { nodes { ${inner} } } } } }`,
      )
      expect(codes(reply), `${type.name}.${field.name}`).toEqual(['FORBIDDEN'])
    }
  })

  test('_service and introspection reveal nothing to a shopper, and no header grants a right', async () => {
    for (const text of [
      '{ _service { sdl } }',
      '{ __schema { types { name } } }',
      '{ __type(name: "PriceBook") { name } }',
    ]) {
      expect(codes(await ask(text))).toEqual(['FORBIDDEN'])
    }
    await ask(
      `{ storefront { ${selection(schema, schema.getType('Catalog') as never, ABSENT, 3)} } }`,
      {},
      { 'ep-channel': 'HIDDEN channel' },
    )
  })
})

function filterLiteral(type: unknown, value: string): string {
  if (!isInputObjectType(type)) return literal(type as never, ABSENT)
  const eq = type.getFields().eq
  const list = type.getFields().in
  if (eq && getNamedType(eq.type).name === 'String') return `{ eq: "${value}" }`
  if (list && getNamedType(list.type).name === 'ID') return `{ in: ["${hidden(4)}", "${hidden(6)}"] }`
  return literal(type, ABSENT)
}

describe('right.shoppers-see-published-and-own: a shopper on REST', () => {
  const ids = () => [
    hidden(1),
    hidden(4),
    hidden(7),
    hidden(8),
    hidden(9),
    hidden(10),
    seen.catalog,
    seen.hierarchy,
    store.deletedRelease,
    store.subscription.other,
    seen.otherAccount,
    ABSENT,
    'latest',
  ]

  async function send(method: string, path: string, body?: object): Promise<RestReply> {
    const reply = await server.rest(method, path, { token: store.shopper, ...(body && { body }) })
    // Links repeat the request's parameters.
    const { links: _, ...shown } = reply.body ?? {}
    expect(JSON.stringify(shown), `${method} ${path}`).not.toMatch(/HIDDEN/)
    expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(500)
    return reply
  }

  test('REST shows nothing hidden to a shopper, for every id in every path; admin routes are 403 for any id', async () => {
    for (const route of documentedRoutes.filter(({ right }) => right !== 'open')) {
      const [path] = route.paths
      const members = [...path.matchAll(/\{(\w+)\}/g)].map(([member]) => member)
      const places =
        members.length > 2
          ? ids().flatMap((id) => [
              [seen.catalog, 'latest', id],
              [seen.catalog, id, seen.hierarchy],
              [id, 'latest', seen.hierarchy],
            ])
          : ids().map((id) => [id, id])
      for (const place of places) {
        const named = members.reduce((text, member, index) => text.replace(member, place[index] ?? ABSENT), path)
        const reply = await send(
          route.method,
          named,
          route.body ? { data: { type: 'subscription_state', attributes: { action: 'cancel' } } } : undefined,
        )
        if (route.right === 'admin') expect([named, reply.status]).toEqual([named, 403])
        if (reply.status === 200)
          expect(named).not.toMatch(new RegExp([hidden(10), store.deletedRelease, store.subscription.other].join('|')))
      }
    }
  })

  test('every filter of the listing, eq and in, finds nothing hidden for a shopper', async () => {
    const listing = `/pcm/catalogs/${seen.catalog}/releases/latest/hierarchies/${seen.hierarchy}/products`
    expect((await send('GET', listing)).body.meta.results.total).toBeGreaterThan(0)
    const values = [
      'HIDDEN-DRAFT',
      'HIDDEN-OLD',
      'HIDDEN draft',
      'HIDDEN-draft',
      'hidden',
      hidden(4),
      hidden(6),
      hidden(9),
    ]
    for (const operator of ['eq', 'in']) {
      for (const field of [
        'id',
        'name',
        'sku',
        'slug',
        'mpn',
        'upc_ean',
        'tags',
        'external_ref',
        'admin_attributes',
        'status',
      ]) {
        for (const value of values) {
          const reply = await send('GET', `${listing}?filter=${encodeURIComponent(`${operator}(${field},${value})`)}`)
          if (reply.status === 200) expect(reply.body.meta.results.total, `${operator}(${field},${value})`).toBe(0)
          else expect(reply.status).toBe(400)
        }
      }
    }
  })

  test('REST responses to a shopper for hidden and absent records are equal', async () => {
    const responseTo = async (method: string, path: string, id: string, body?: object) => {
      const reply = await send(method, path.replace('{id}', id), body)
      return [reply.status, reply.text.replaceAll(id, '')]
    }
    const state = { data: { type: 'subscription_state', attributes: { action: 'pause' } } }
    for (const [method, path, id, body] of [
      ['GET', '/v2/subscriptions/subscriptions/{id}', store.subscription.other],
      ['POST', '/v2/subscriptions/subscriptions/{id}/states', store.subscription.other, state],
      ['GET', `/pcm/catalogs/{id}/releases/latest/hierarchies/${seen.hierarchy}/products`, hidden(10)],
      [
        'GET',
        `/pcm/catalogs/${seen.catalog}/releases/{id}/hierarchies/${seen.hierarchy}/products`,
        store.deletedRelease,
      ],
      ['GET', `/pcm/catalogs/${seen.catalog}/releases/latest/hierarchies/{id}/products`, hidden(8)],
      ['GET', '/pcm/pricebooks/{id}/prices', hidden(1)],
      ['GET', '/catalog/hierarchies/{id}/products', hidden(8)],
    ] as const)
      expect(await responseTo(method, path, id, body)).toEqual(await responseTo(method, path, ABSENT, body))
  })
})
