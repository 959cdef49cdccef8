/** Differences between two releases of a catalog: changesSince and summarySince. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { mutate } from '../../support/mutations.ts'
import { idOf } from '../../support/products.ts'
import { publish } from '../../support/published.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import {
  bySizeOfChange,
  differingFields,
  differingNodes,
  differingPrices,
  productFields,
  type Remembered,
  remember,
} from '../../support/release-change-oracle.ts'
import { manualClock, START, startTestServer, useServer } from '../../support/server.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock(), config: { releasesKept: 100 } })

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

const money = 'before { amount } after { amount } difference { amount }'
const change = `kind fields before { key name release { id } } after { key name release { id } } priceChanges { currency ${money} }`
const summary = `added removed changed fields priceChanges { currency up down added removed }
  nodes { added removed changed moved } nodeChanges { kind fields before { key } after { key } }`

/** Asks as an administrator. */
async function ask(query: string, token: string = server.admin): Promise<Any> {
  const { data, errors } = await server.gql(query, {}, { token })
  expect(errors).toBeUndefined()
  return data
}

async function changesSince(release: string, since: string, args = 'first: 100', fields = change): Promise<Any> {
  const text = `{ release(id: "${release}") { changesSince(releaseId: "${since}", ${args}) {
    totalCount nodes { ${fields} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
  return (await ask(text)).release.changesSince
}

const summarySince = async (release: string, since: string): Promise<Any> =>
  (await ask(`{ release(id: "${release}") { summarySince(releaseId: "${since}") { ${summary} } } }`)).release
    .summarySince

/** Asks expecting a refusal, and returns code and message. */
async function refused(query: string, token: string = server.admin): Promise<Any> {
  const { errors } = await server.gql(query, {}, { token })
  return errors?.map(({ message, extensions }: Any) => `${extensions.code} ${message}`)
}

const sizeFields = { PRICE_DIFFERENCE: false, RELATIVE_PRICE_DIFFERENCE: true } as const

/** Compares each order by the size of a change of price with that of all that readers know of the products. */
async function expectOrders(before: Remembered, after: Remembered): Promise<void> {
  const keys = async (args: string): Promise<string[]> =>
    (await changesSince(after.id, before.id, `first: 100${args}`, 'after { key } before { key }')).nodes.map(
      (one: Any) => (one.after ?? one.before).key,
    )
  const byName = await keys('')
  expect(await keys(', orderBy: { field: NAME, direction: DESC }')).toEqual(byName.toReversed())
  for (const currency of ['EUR', 'USD', 'XXX']) {
    for (const [field, isRelative] of Object.entries(sizeFields)) {
      for (const [direction, sign] of [['ASC', 1] as const, ['DESC', -1] as const]) {
        const found = await keys(`, orderBy: { field: ${field}, direction: ${direction}, currency: "${currency}" }`)
        expect([currency, field, direction, found]).toEqual([
          ...[currency, field, direction],
          bySizeOfChange(byName, before, after, { currency, isRelative, sign }),
        ])
      }
    }
  }
}

/** Compares what the graph says of the difference with what comparing everything finds. */
async function expectDifference(before: Remembered, after: Remembered): Promise<void> {
  const { nodes, totalCount } = await changesSince(after.id, before.id)
  expect(totalCount).toBe(nodes.length)
  const keysOf = (kind: string) =>
    nodes
      .filter((one: Any) => one.kind === kind)
      .map((one: Any) => (one.after ?? one.before).key)
      .sort()
  const missing = (from: Remembered, other: Remembered) =>
    [...from.products.keys()].filter((id) => !other.products.has(id)).sort()
  expect(keysOf('ADDED')).toEqual(missing(after, before))
  expect(keysOf('REMOVED')).toEqual(missing(before, after))

  const reported = new Map<string, Any>(
    nodes.filter((one: Any) => one.kind === 'CHANGED').map((one: Any) => [one.after.key, one]),
  )
  const counts = new Map<string, { up: number; down: number; added: number; removed: number }>()
  for (const id of [...after.products.keys()].filter((one) => before.products.has(one))) {
    expect([id, [...(reported.get(id)?.fields ?? [])].sort()]).toEqual([id, differingFields(before, after, id)])
    const prices = differingPrices(before, after, id)
    const amount = (one: Any) => one?.amount ?? '-'
    expect(
      (reported.get(id)?.priceChanges ?? []).map(
        (one: Any) => `${one.currency} ${amount(one.before)} ${amount(one.after)}`,
      ),
    ).toEqual(prices)
    for (const price of prices) {
      const [currency, old, now] = price.split(' ') as [string, string, string]
      const count = counts.get(currency) ?? { up: 0, down: 0, added: 0, removed: 0 }
      count[old === '-' ? 'added' : now === '-' ? 'removed' : Number(now) > Number(old) ? 'up' : 'down']++
      counts.set(currency, count)
    }
  }
  for (const one of nodes) {
    if (one.before) expect(one.before.release.id).toBe(globalId('Release', before.id))
    if (one.after) expect(one.after.release.id).toBe(globalId('Release', after.id))
  }
  const found = await summarySince(after.id, before.id)
  expect(found).toMatchObject({
    added: keysOf('ADDED').length,
    removed: keysOf('REMOVED').length,
    changed: reported.size,
  })
  expect(found.priceChanges).toEqual(
    [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([currency, one]) => ({ currency, ...one })),
  )
  const tree = differingNodes(before, after)
  const shown = found.nodeChanges.map((one: Any) => [
    (one.after ?? one.before).key,
    one.fields.toSorted().join() || one.kind,
  ])
  expect(new Map(shown)).toEqual(tree)
  const count = (matches: (text: string) => boolean) => [...tree.values()].filter(matches).length
  expect(found.nodes).toEqual({
    added: count((text) => text === 'ADDED'),
    removed: count((text) => text === 'REMOVED'),
    changed: count((text) => text !== 'ADDED' && text !== 'REMOVED'),
    moved: count((text) => text.includes('parent')),
  })
  expect(found.fields).toEqual(
    before.catalog.hierarchy_ids.join() === after.catalog.hierarchy_ids.join() ? [] : ['hierarchies'],
  )
}

describe('the difference of two releases', () => {
  it('release.difference-of-documents, release.change-names-its-fields, release.changes-by-size-of-price: the difference of two releases equals a comparison of everything readable after random edits, in each order and both directions; restored, the first shows what it did, and a publish then shows what the second did', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 12 }), async (seed, edits) => {
        await reset(database)
        const random = randomFrom(seed)
        const store = randomStore(random)
        await insertStore(database, store)
        const [catalog] = store.catalogs
        if (!catalog) throw new Error('a random store has catalogs')
        const published = async () => remember(server, store, catalog, (await publish(server, catalog.id)).id)
        const tree = 'key name description slug'
        const latest = async () => {
          const content = `hierarchies { ${tree} children(first: 100) { nodes { ${tree} } } }
            nodeCount productCount products(first: 100) { nodes { key ${productFields} } }`
          const { pinned, ...shown } = (
            await ask(`{ catalog(id: "${catalog.id}") { latestRelease { pinned { id } ${content} } } }`)
          ).catalog.latestRelease
          return { id: pinned.id, shown }
        }
        const before = await published()
        const shownBefore = await latest()
        for (let edit = 0; edit < edits; edit++) await randomEdit(store, database, random)
        const after = await published()
        await expectDifference(before, after)
        await expectDifference(after, before)
        await expectOrders(before, after)
        const shownAfter = await latest()
        const { userErrors } = await mutate(server, 'restoreRelease', { releaseId: before.id }, 'release { id }')
        expect([userErrors, await latest()]).toEqual([[], shownBefore])
        await publish(server, catalog.id)
        expect((await latest()).shown).toEqual(shownAfter.shown)
      }),
      { ...runs(4), examples: [[-27, 6]] },
    )
  })
})

describe('the difference of two releases of a full catalog', () => {
  const PRODUCTS = 60
  const products = Array.from({ length: PRODUCTS }, (_, at) => ({
    id: idOf(0x100 + at),
    name: `Product ${String(at).padStart(2, '0')}`,
    slug: `product-${at}`,
    status: 'live' as const,
    created_at: START,
    updated_at: START + at,
    sku: `SKU-${at}`,
  }))
  const root = {
    id: idOf(0x200),
    parent_id: null,
    hierarchy_id: idOf(0x200),
    name: 'Shop',
    slug: 'shop',
    created_at: START,
    updated_at: START,
  }
  const node = { ...root, id: idOf(0x201), parent_id: root.id, name: 'All', slug: 'all' }
  const book = { id: idOf(0x300), name: 'Book' }
  const price = (at: number) => ({
    id: idOf(0x400 + at),
    price_book_id: book.id,
    sku: `SKU-${at}`,
    currencies: { EUR: { amount: 100 + at, includes_tax: true } },
    sales: [],
  })
  const catalogs = [0x500, 0x501].map((id) => ({
    ...{ id: idOf(id), name: `Catalog ${id}`, hierarchy_ids: [root.id], books: [{ id: book.id, priority: 1 }] },
  }))
  const [catalog = '', otherCatalog = ''] = catalogs.map(({ id }) => id)
  let first = ''
  let second = ''
  let other = ''

  beforeAll(async () => {
    await reset(database)
    const attachments = products.map(({ id }) => ({ node_id: node.id, product_id: id }))
    const prices = products.map((_, at) => price(at))
    await insertStore(database, {
      products,
      nodes: [root, node],
      attachments,
      books: [book],
      prices,
      modifiers: [],
      catalogs,
    })
    first = (await publish(server, catalog)).id
    other = (await publish(server, otherCatalog)).id
    await database.pool.query(`UPDATE product SET description = 'new' WHERE slug < 'product-4'`)
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE slug = 'product-9'`)
    await database.pool.query(
      `UPDATE product_price SET currencies = '{"EUR": {"amount": 90, "includes_tax": true}}' WHERE sku = 'SKU-50'`,
    )
    await database.pool.query(`UPDATE product SET version = next_version() WHERE slug = 'product-8'`)
    await database.pool.query('UPDATE catalog SET name = $2 WHERE id = $1', [catalog, 'Renamed'])
    second = (await publish(server, catalog)).id
  })

  it('release.difference-of-documents: the difference of two releases of a full catalog leaves out what differs in its version alone', async () => {
    const { nodes } = await changesSince(second, first)
    const named = nodes.map((one: Any) => [
      (one.after ?? one.before).name,
      one.kind,
      one.fields.join(),
      one.priceChanges,
    ])
    expect(named.find(([name]: Any) => name === 'Product 08')).toBeUndefined()
    expect(named.find(([name]: Any) => name === 'Product 09')).toEqual(['Product 09', 'REMOVED', '', []])
    expect(named.find(([name]: Any) => name === 'Product 01')).toEqual(['Product 01', 'CHANGED', 'description', []])
    const difference = { currency: 'EUR', before: { amount: 150 }, after: { amount: 90 }, difference: { amount: -60 } }
    expect(named.find(([name]: Any) => name === 'Product 50')).toEqual([
      'Product 50',
      'CHANGED',
      'prices',
      [difference],
    ])
    expect(named.map(([name]: Any) => name)).toEqual(named.map(([name]: Any) => name).toSorted())
    expect((await summarySince(second, first)).fields).toEqual(['name'])
  })

  it('the difference of two releases of a full catalog is paged without loss or repetition, forwards and backwards, whatever is published meanwhile', async () => {
    const all = (await changesSince(second, first)).nodes.map((one: Any) => (one.after ?? one.before).name)
    expect(all.length).toBeGreaterThan(30)
    for (const [size, end, cursorOf, info] of [
      ['first', 'after', 'endCursor', 'hasNextPage'],
      ['last', 'before', 'startCursor', 'hasPreviousPage'],
    ] as const) {
      const walked: string[][] = []
      let args = `${size}: 7`
      for (let more = true; more; ) {
        const { nodes, pageInfo, totalCount } = await changesSince(second, first, args)
        expect(totalCount).toBe(all.length)
        walked.push(nodes.map((one: Any) => (one.after ?? one.before).name))
        args = `${size}: 7, ${end}: "${pageInfo[cursorOf]}"`
        more = pageInfo[info]
      }
      expect((size === 'first' ? walked : walked.reverse()).flat()).toEqual(all)
    }
  })

  it('the difference of two releases of a full catalog lists only the kinds that the filter names, and refuses a cursor of another filter or of other releases', async () => {
    const removed = await changesSince(second, first, 'first: 5, filter: { kinds: [REMOVED] }')
    expect(removed.nodes.map(({ kind, before }: Any) => [kind, before.name])).toEqual([['REMOVED', 'Product 09']])
    const { pageInfo } = await changesSince(second, first, 'first: 5')
    for (const [release, since, filter] of [
      [second, first, ', filter: { kinds: [CHANGED] }'],
      [first, second, ''],
    ] as const) {
      const args = `releaseId: "${since}", after: "${pageInfo.endCursor}"${filter}`
      expect(await refused(`{ release(id: "${release}") { changesSince(${args}) { nodes { kind } } } }`)).toEqual([
        'BAD_USER_INPUT after: must be a cursor of the difference of the same releases, with the same filter and order',
      ])
    }
  })

  it.each([
    ['changesSince', 'totalCount'],
    ['summarySince', 'added'],
  ])(
    '%s refuses a release of another catalog and one that is not there, by naming releaseId',
    async (field, selected) => {
      const refusalOf = (since: string) =>
        refused(`{ release(id: "${second}") { ${field}(releaseId: "${since}") { ${selected} } } }`)
      expect(await refusalOf(other)).toEqual(['BAD_USER_INPUT releaseId: must be a release of the same catalog'])
      expect(await refusalOf(idOf(0x999))).toEqual(['BAD_USER_INPUT releaseId: must be a release that can be read'])
      expect(await refusalOf('nonsense')).toEqual([expect.stringMatching(/^BAD_USER_INPUT releaseId: must be/)])
    },
  )

  it.each(['changesSince', 'summarySince'])('%s is for administrators', async (field) => {
    const query = `{ catalog(id: "${catalog}") { latestRelease { ${field}(releaseId: "${first}") { __typename } } } }`
    expect(await refused(query, server.shopper)).toEqual([`FORBIDDEN Release.${field} is for administrators`])
    expect(await refused(query)).toBeUndefined()
  })

  it('changesSince compares with the latest release by that word, and under the latest release gives ids of the latest', async () => {
    expect(await changesSince(second, 'latest')).toMatchObject({ totalCount: 0, nodes: [] })
    const query = `{ catalog(id: "${catalog}") { latestRelease { changesSince(releaseId: "${first}", first: 1) { nodes { before { id } after { id } } } } } }`
    const [node] = (await ask(query)).catalog.latestRelease.changesSince.nodes
    const product = products[0]?.id
    expect(node).toEqual({
      before: { id: globalId('CatalogProduct', `${first}:${product}`) },
      after: { id: globalId('CatalogProduct', `latest:${catalog}:${product}`) },
    })
  })

  /**
   * A server that has read nothing yet, and the statements of releases that it sends: their names and the lists of
   * numbers in them.
   */
  async function startReadingServer() {
    const reads: [name: string, numbers: number[][]][] = []
    const query: Database['query'] = (name, text, values = []) => {
      const lists = values.map((value) =>
        typeof value === 'string' && value.startsWith('{') ? JSON.parse(`[${value.slice(1, -1)}]`) : value,
      )
      reads.push([name, lists.filter((list) => Array.isArray(list) && list.every((one) => typeof one === 'number'))])
      return database.query(name, text, values)
    }
    return { server: await startTestServer({ ...database, query }, { elapsed: manualClock() }), reads }
  }

  it('a page of changesSince costs a statement for the difference and one for documents, however long it is, and nothing when it is cached', async () => {
    for (const count of [1, 100]) {
      const fresh = await startTestServer(database, { elapsed: manualClock() })
      const text = `{ release(id: "${second}") { changesSince(releaseId: "${first}", first: ${count}) { totalCount nodes { fields } } } }`
      const [cold, warm] = [
        await countStatements(database, () => fresh.gql(text)),
        await countStatements(database, () => fresh.gql(text)),
      ]
      await fresh.stop()
      // Two more resolve the two releases.
      expect([cold.count, warm.count]).toEqual([4, 0])
    }
  })

  it('release.difference-of-documents: the difference of two releases of a full catalog reads from the database what differs and nothing else, and a later comparison of the two reads no difference again', async () => {
    const numbersOf = async (text: string) => (await database.pool.query(text)).rows.map(({ id }) => id as number)
    const before = await numbersOf(`SELECT max(id) AS id FROM release_document WHERE name = 'Product 20'`)
    await database.pool.query(`UPDATE product SET description = 'newer' WHERE slug = 'product-20'`)
    const third = (await publish(server, catalog)).id
    const after = await numbersOf(`SELECT max(id) AS id FROM release_document WHERE name = 'Product 20'`)
    expect(after).not.toEqual(before)
    const { server: fresh, reads } = await startReadingServer()
    const read = async (args: string, since = second, release = third) => {
      reads.length = 0
      const text = `{ release(id: "${release}") { ${args.replace('SINCE', since)} } }`
      expect((await fresh.gql(text)).errors).toBeUndefined()
      return reads.splice(0).filter(([name]) => name !== 'releases_resolve')
    }
    const page = (size: number) => `changesSince(releaseId: "SINCE", first: ${size}) { totalCount nodes { fields } }`
    const both = [...before, ...after]
    expect(await read(page(1))).toEqual([
      ['release_difference', [before, after]],
      ['release_documents', [both]],
    ])
    expect(await read(page(100))).toEqual([])
    expect(await read(`summarySince(releaseId: "SINCE") { changed nodes { changed } priceChanges { up } }`)).toEqual([
      ['releases_without_price_spans', []],
      ['amounts_at', [both]],
    ])
    // Of 37 documents of the first release and 36 of the second, a page of one change reads those of two, to know that
    // there are more, and longer ones all but what is cached: these and one of the third release.
    const lengths = (read: Awaited<ReturnType<typeof startReadingServer>>['reads']) =>
      read.map(([name, lists]) => [name, ...lists.map(({ length }) => length)])
    expect(lengths(await read(page(1), first, second))).toEqual([
      ['release_difference', 37, 36],
      ['release_documents', 4],
    ])
    expect(lengths(await read(page(100), first, second))).toEqual([['release_documents', 37 + 36 - 2 - 4 - 1]])
    await fresh.stop()
  })

  it('the difference of two releases of a full catalog counts prices of a release that was published before there were spans', async () => {
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await database.pool.query('TRUNCATE release_document_price')
    expect((await summarySince(second, first)).priceChanges).toEqual([
      { currency: 'EUR', up: 0, down: 1, added: 0, removed: 0 },
    ])
  })
})
