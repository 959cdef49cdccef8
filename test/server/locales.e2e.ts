/**
 * Databases of other encodings and locales: the first are refused, the others decide nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { globalId } from '../../src/graphql/schema/ids.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import type { LiveResult } from '../support/live.ts'
import { makeDatabase, type OwnDatabase } from '../support/own-database.ts'
import { startProgram } from '../support/program.ts'
import { listingPath, publish, publishStore } from '../support/published.ts'
import { storeOfTable, tableCatalog, tableRows } from '../support/search-table.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { searcher, shopperReader } from '../support/services.ts'
import { startCommand } from '../support/start-command.ts'
import type { Store } from '../support/store.ts'

const isServer = Boolean(process.env.DATABASE_URL)

describe.runIf(isServer)('a database in another encoding [needs PostgreSQL]', () => {
  test.each(['SQL_ASCII', 'LATIN1'])(
    'database.unicode-only: a database in %s ends the start with a sentence that says what to do, and nothing is made',
    async (encoding) => {
      const own = await makeDatabase(`ENCODING '${encoding}' LOCALE 'C'`)
      try {
        const program = startProgram(startCommand(), { DATABASE_URL: own.url })
        expect([await program.exit, program.printed()]).toEqual([
          1,
          `The database ${own.name} is in the encoding ${encoding}, which lacks characters: make one in UTF-8 (CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'), and let DATABASE_URL name it.\n`,
        ])
        expect(await own.sql("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([])
      } finally {
        await own.drop()
      }
    },
  )
})

/** Names that locales order in different ways, and that differ in them by case alone. */
const NAMES = ['i', 'I', 'ı', 'İ', 'ç', 'c', 'Z', 'z', 'a', 'A', 'ä', 'Ä', 'б', 'Б', 'straße', 'STRASSE']

/** The full store with such names in all that has names, and with more fields of extensions than become facets. */
function storeOfNames(): Store {
  const store = fullStore()
  const [machine, shirt] = store.products
  if (!machine || !shirt?.variations) throw new Error('The full store has other products')
  const fields = NAMES.flatMap((name) => ['0', '1', '2', '3'].map((digit) => [`${name}${digit}`, 'x']))
  machine.extensions = { 'products(names)': Object.fromEntries(fields) }
  machine.tags = [...new Set(NAMES.map((name) => name.toLowerCase()))]
  return {
    ...store,
    books: [...store.books, ...NAMES.map((name, at) => ({ id: `0199aaaa-0000-7000-8000-0000000000${10 + at}`, name }))],
    modifiers: [
      ...store.modifiers,
      ...NAMES.map((name, at) => ({
        id: `0199aaaa-0000-7000-8000-0000000001${10 + at}`,
        price_book_id: ids.book,
        name,
        modifier_type: 'price_increment' as const,
        currencies: { EUR: { amount: 100, includes_tax: false } },
      })),
    ],
  }
}

const RELEASE = `catalog(id: "${globalId('Catalog', ids.catalog)}") { latestRelease`

const BOOKS = `query ($after: String, $direction: OrderDirection) {
  priceBooks(first: 7, after: $after, orderBy: { field: NAME, direction: $direction }) { nodes { name } pageInfo { endCursor hasNextPage } }
}`

/** What a store responds that has names, in lists, filters, facets, conflicts and releases. */
async function responsesOf(server: TestServer): Promise<Record<string, unknown>> {
  const gql = async (query: string, variables = {}) => {
    const { data, errors } = await server.gql(query, variables)
    expect(errors).toBeUndefined()
    return data
  }
  const pages = async (direction: string) => {
    const names: string[] = []
    for (let after: string | null = null; ; ) {
      const { priceBooks }: LiveResult = await gql(BOOKS, { after, direction })
      names.push(...priceBooks.nodes.map(({ name }: { name: string }) => name))
      if (!priceBooks.pageInfo.hasNextPage) return names
      after = priceBooks.pageInfo.endCursor
    }
  }
  const filtered = (filter: string) =>
    gql(`{ priceBooks(orderBy: { field: NAME }, filter: { name: ${filter} }) { nodes { name } } }`)
  const create = 'mutation ($name: String!) { createPriceBook(input: { name: $name }) { userErrors { code path } } }'
  const tagged = (tag: string) => gql(`{ products(filter: { tag: "${tag}" }) { nodes { sku } } }`)
  const products =
    '{ products { nodes { name tags price { amount { amount } } } facets { key values { value count } } } }'
  const { catalog } = await gql(`{ ${RELEASE} ${products} releases { nodes { id } } } }`)
  const changes = `{ changesSince(releaseId: "${catalog.releases.nodes[0].id}") { nodes { kind after { name } } } }`
  await server.services.database.pool.query("UPDATE product SET name = name || ' II', updated_at = now()")
  await publish(server, ids.catalog)
  return {
    ascending: await pages('ASC'),
    descending: await pages('DESC'),
    equal: await Promise.all(['i', 'I', 'ı', 'İ'].map((name) => filtered(`{ eq: "${name}" }`))),
    beginning: await filtered('{ startsWith: "STRA" }'),
    containing: await filtered('{ contains: "ß" }'),
    tagged: await Promise.all(['I', 'i', 'İ', 'Ä', 'Б'].map(tagged)),
    conflicts: await Promise.all([...NAMES, 'strasse'].map((name) => gql(create, { name }))),
    list: catalog.latestRelease,
    listing: (await server.rest('GET', listingPath(ids.catalog, ids.hierarchy))).body.data.map(
      ({ attributes }: { attributes: { name: string } }) => attributes.name,
    ),
    changes: await gql(`{ ${RELEASE} ${changes} } }`),
  }
}

/** What the searches of the table find, best first, with their scores. */
async function searchesOf(server: TestServer): Promise<unknown[]> {
  await publishStore(server, storeOfTable())
  const { releases } = server.services
  const release = await releases.resolve(tableCatalog, 'latest', shopperReader)
  if (!release) throw new Error('The table is not published')
  const documents = await releases.documents.load([...release.allProducts.documents])
  const skus = new Map(documents.map((document, at) => [release.allProducts.documents[at], document?.product.sku]))
  const searches: unknown[] = []
  for (const [text, language] of tableRows) {
    const found = await releases.search.find(release, text, language, searcher)
    searches.push([text, Array.from(found.documents, (number) => [skus.get(number), found.scoreOf(number)]).sort()])
  }
  return searches
}

describe.runIf(isServer)('a database of another locale [needs PostgreSQL]', () => {
  const made: { own: OwnDatabase; database: Database; server: TestServer }[] = []
  let expected: Record<string, unknown>

  async function responsesIn(options: string): Promise<Record<string, unknown>> {
    const own = await makeDatabase(options)
    const config = { databaseUrl: own.url, dataDir: '', poolMax: 4, statementTimeoutMs: 30_000 }
    const database = await openDatabase(config, { warn: () => {} })
    await migrate(database.pool)
    const server = await startTestServer(database, { config: { responseCacheMb: 0 } })
    made.push({ own, database, server })
    await publishStore(server, storeOfNames())
    return { ...(await responsesOf(server)), searches: await searchesOf(server) }
  }

  beforeAll(async () => {
    expected = await responsesIn("ENCODING 'UTF8' LOCALE 'C.UTF-8'")
  })
  afterAll(async () => {
    for (const { own, database, server } of made) {
      await server.stop()
      await database.close()
      await own.drop()
    }
  })

  test('names in a database of another locale are in the order of code points', () => {
    const order = [...NAMES, 'Premium', 'Standard'].sort()
    expect([expected.ascending, expected.descending]).toEqual([order, order.toReversed()])
  })

  test('search.one-analyser: searches find the same, with equal scores, in the embedded database', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'locales-'))
    const config = { databaseUrl: null, dataDir, poolMax: 4, statementTimeoutMs: 30_000 }
    const database = await openDatabase(config, { warn: () => {} })
    try {
      await migrate(database.pool)
      const server = await startTestServer(database, { config: { responseCacheMb: 0 } })
      expect(await searchesOf(server)).toEqual(expected.searches)
      await server.stop()
    } finally {
      await database.close()
      rmSync(dataDir, { recursive: true })
    }
  })

  test.each([
    ['C', "ENCODING 'UTF8' LOCALE 'C'"],
    ['tr-TR of ICU', "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C.UTF-8'"],
    [
      'sv-SE of ICU, with lower-case letters first',
      "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'sv-SE-u-kf-lower' LOCALE 'C.UTF-8'",
    ],
  ])(
    'database.locale-decides-nothing: the locale %s of a database changes no list, filter, facet, search, conflict or release',
    async (_, options) => {
      expect(await responsesIn(options)).toEqual(expected)
    },
  )
})
