/** input.unknown-members-refused in imports: every type of object, at every depth, and --ignore-unknown. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { subscriptionObject } from '../../src/domain/subscriptions/subscription-object.ts'
import { exportObject } from '../../src/export/objects.ts'
import { knownTypes } from '../../src/import/batch.ts'
import { ImportProgress } from '../../src/import/import-progress.ts'
import { describeIgnored } from '../../src/import/unknown.ts'
import { authoredRecords } from '../../src/persistence/authored-records.ts'
import { allSubscriptions } from '../../src/persistence/subscriptions/all-subscriptions.ts'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const demo = readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8')

type Json = Record<string, unknown>

/** Members whose keys clients choose, or whose values nobody looks into. */
const free = [
  'currencies',
  'tiers',
  'sales',
  'admin_attributes',
  'shopper_attributes',
  'price',
  'fixed_price',
  'components',
  'custom_inputs',
  'locales',
]

/** Copies of an object, each with a member more in one of its objects, and the path of that member. */
function withColour(object: Json): { path: string; place: string; object: Json }[] {
  const made: { path: string; place: string; object: Json }[] = []
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null || path.at(-1) === 'extensions') return
    if (!Array.isArray(value) && !free.includes(path.at(-1) ?? '')) {
      const copy = structuredClone(object)
      let at = copy
      for (const step of path) at = at[step] as Json
      at.colour = 'red'
      // The same place under other keys and indexes is one place.
      const place = path
        .map((step, index) => (/^\d+$/.test(step) || free.includes(path[index - 1] ?? '') ? '*' : step))
        .join('.')
      made.push({ path: [...path, 'colour'].join('.'), place, object: copy })
    }
    for (const [name, member] of Object.entries(value)) walk(member, [...path, name])
  }
  walk(object, [])
  return made
}

async function exported(): Promise<Json[]> {
  const found: Json[] = []
  for await (const record of authoredRecords(database)) found.push(exportObject(record) as unknown as Json)
  for await (const one of allSubscriptions(database)) found.push({ data: subscriptionObject(one) } as unknown as Json)
  return found
}

const subscription = {
  type: 'subscription',
  attributes: {
    ...{ account_id: demoIds.offering, offering_id: demoIds.offering, plan_id: demoIds.plan, currency: 'EUR' },
    ...{ name: 'Ada', email: 'ada@example.com', trial_ends_at: '2040-01-01T00:00:00Z' },
  },
}

/** A hierarchy of the demo store. */
const hierarchyId = 'c0ffee00-0007-4000-8000-000000000001'

const label = { type: 'label', attributes: { kind: 'tag', key: 'mug', locales: { de: { name: 'Becher' } } } }

const asText = (objects: readonly object[]): string => objects.map((object) => JSON.stringify(object)).join('\n')

describe('input.unknown-members-refused', () => {
  it('an import refuses an unknown member in any object of any type, by its path, and takes each object without it', async () => {
    expect((await runImport(server.services, demo)).fine).toBe(true)
    expect((await runImport(server.services, [subscription, label])).fine).toBe(true)
    const objects = await exported()
    const types = new Set(objects.map(({ data }) => (data as Json).type))
    expect([...types].sort()).toEqual([...knownTypes].sort())
    const again = await runImport(server.services, asText(objects))
    expect([again.refused, again.fine]).toEqual([[], true])

    // One object for each place in a document: attributes, relationships, prices, tiers, components, options,
    // schedules.
    const placed = objects
      .flatMap(withColour)
      .map((one) => [`${(one.object.data as Json).type} ${one.place}`, one] as const)
    const coloured = [...new Map(placed).values()]
    expect(coloured.length).toBeGreaterThan(60)
    const { refused } = await runImport(server.services, asText(coloured.map(({ object }) => object)))
    const problems = refused.map((problem) => problem.replace(/^\d+: /, '').replace(/: is unknown.*\((\w+)\)$/, ' $1'))
    expect(problems).toEqual(coloured.map(({ path }) => `${path} UNKNOWN_FIELD`))
  })

  it('an import reports unknown members together with what else is wrong, of records, prices and releases', async () => {
    const { refused } = await runImport(server.services, [
      { type: 'pricebook', attributes: { name: '', Name: 'x' } },
      { type: 'product-price', pricebook_external_ref: 'none', attributes: { sku: 5, currencies: {} }, pricebook: 1 },
      { type: 'catalog-release', attributes: { catalog: 1 } },
    ])
    expect(refused.map((problem) => problem.replace(/ \(.*/, ''))).toEqual([
      '1: data.attributes.Name: is unknown, did you mean name?',
      '1: data.attributes.name: must be 1 to 1024 characters',
      '2: data.pricebook_external_ref: no such price book',
      '2: data.pricebook: is unknown, did you mean pricebook_id?',
      '2: data.attributes.sku: must be a string',
      '3: data.attributes.catalog: is unknown, did you mean catalog_id?',
      '3: data.attributes.catalog_id: must be given',
    ])
  })
})

describe('input.server-members-accepted', () => {
  it('an import takes what the lists of this server show: products and nodes of a catalog, prices, subscription products', async () => {
    await runImport(server.services, demo)
    const { rows } = await database.pool.query(
      `SELECT (SELECT id FROM catalog ORDER BY id LIMIT 1) AS catalog, (SELECT id FROM catalog_node WHERE parent_id IS NULL ORDER BY id LIMIT 1) AS hierarchy,
        (SELECT array_agg(id) FROM catalog_node WHERE parent_id IS NOT NULL) AS nodes, (SELECT id FROM price_book ORDER BY id LIMIT 1) AS book,
        (SELECT id FROM subscription_product ORDER BY id LIMIT 1) AS subscription_product`,
    )
    const { catalog, hierarchy, nodes, book, subscription_product: sold } = rows[0]
    const list = `/pcm/catalogs/${catalog}/releases/latest/hierarchies/${hierarchy}/products`
    const read = async (path: string): Promise<Json[]> => (await server.rest('GET', path)).body.data
    const products = await read(`${list}?page[limit]=100`)
    const inNodes = await read(`${list}?filter=in(id,${nodes.join(',')})`)
    const prices = (await read(`/pcm/pricebooks/${book}/prices`)).map((price) => ({ ...price, pricebook_id: book }))
    const data = [...products, ...inNodes, ...prices, await read(`/v2/subscriptions/products/${sold}`)]
    expect([products.length, inNodes.length, prices.length].map((length) => length > 5)).toEqual([true, true, true])
    const { refused } = await runImport(server.services, data as object[])
    expect(refused).toEqual([])
  })

  it('an import takes an offering as a subscription shows its copy', async () => {
    await runImport(server.services, demo)
    const one = async (table: string) =>
      (await database.pool.query(`SELECT id FROM ${table} ORDER BY id LIMIT 1`)).rows[0].id
    const named = {
      name: 'Ada',
      email: 'ada@example.com',
      account_id: '11111111-2222-4333-8444-555555555555',
      currency: 'USD',
    }
    const body = { data: { ...named, offering_id: await one('offering'), plan_id: await one('plan') } }
    const { body: created } = await server.rest('POST', '/v2/subscriptions/subscriptions', { body })
    const { refused, counts } = await runImport(server.services, [created.data.attributes.offering])
    expect([refused, counts]).toEqual([[], { subscription_offering: [0, 0, 1, 0] }])
  })
})

describe('--ignore-unknown', () => {
  it('--ignore-unknown takes objects without their unknown members, and counts these by type and name', async () => {
    const lines = [
      { note: 1, data: { type: 'pricebook', attributes: { name: 'One', colour: 'red' } } },
      { data: { type: 'pricebook', attributes: { name: 'Two', colour: 'blue' } } },
      {
        data: {
          type: 'product',
          attributes: { name: 'Set', components: { a: { name: 'A', options: [], note: 1 } }, colour: 5 },
        },
      },
      { data: { type: 'pricebook', attributes: { name: '', colour: 'refused for its name' } } },
    ]
    const progress = new ImportProgress({ stopAtRefusal: false })
    const result = await runImport(server.services, asText(lines), 'skip', undefined, progress, true)
    expect(result.refused.map((problem) => problem.split(': ')[1])).toEqual(['data.attributes.name'])
    expect(describeIgnored(progress.state.ignored)).toBe(
      [
        'Ignored unknown members:',
        '  pricebook note: 1 times',
        '  pricebook data.attributes.colour: 2 times',
        '  product data.attributes.components.*.note: 1 times',
        '  product data.attributes.colour: 1 times',
      ].join('\n'),
    )
    expect(
      (await database.pool.query("SELECT name FROM price_book WHERE name IN ('One', 'Two') ORDER BY 1")).rows,
    ).toEqual([{ name: 'One' }, { name: 'Two' }])
  })

  it('--ignore-unknown counts more than a thousand names together, so that an import keeps its memory', async () => {
    const attributes = { name: 'One', ...Object.fromEntries(Array.from({ length: 1005 }, (_, at) => [`x${at}`, at])) }
    const progress = new ImportProgress({ stopAtRefusal: false })
    await runImport(
      server.services,
      asText([{ data: { type: 'pricebook', attributes } }]),
      'skip',
      undefined,
      progress,
      true,
    )
    expect(progress.state.ignored.size).toBe(1001)
    expect(progress.state.ignored.get('(others)')).toBe(5)
  })
})

describe('import.shown-parts-change-nothing', () => {
  it('an import leaves variations and translated texts alone where a list shows them in part, and takes all else', async () => {
    await runImport(server.services, demo)
    const before = asText(await exported())
    const shown: Json[] = []
    for (const language of ['en', 'de']) {
      const path = `/catalog/hierarchies/${hierarchyId}/products?page[limit]=100`
      const { body } = await server.rest('GET', path, { headers: { 'Accept-Language': language } })
      shown.push(...body.data)
    }
    const attributesOf = (one: Json | undefined) => one?.attributes as Json
    const german = shown.find((one) => attributesOf(one).language === 'de')
    expect(german).toBeDefined()
    expect(shown.some((one) => attributesOf(one).variations !== undefined)).toBe(true)

    const { refused, counts } = await runImport(server.services, shown)
    expect(refused).toEqual([])
    expect(Object.values(counts).map(([created, updated]) => [created, updated])).toEqual(
      Object.keys(counts).map(() => [0, 0]),
    )
    expect(asText(await exported())).toBe(before)

    await runImport(server.services, [{ ...german, attributes: { ...attributesOf(german), tags: ['other'] } }])
    const stored = (await exported()).map(({ data }) => data as Json).find(({ id }) => id === german?.id)
    expect(attributesOf(stored)).toMatchObject({
      tags: ['other'],
      locales: { de: { name: attributesOf(german).name } },
    })
    expect(attributesOf(stored).name).not.toBe(attributesOf(german).name)
  })
})
