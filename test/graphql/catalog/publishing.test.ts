/** Publishes in GraphQL: running, successful and failed ones (release.whole-or-not-at-all). */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { ReleaseSummary } from '../../../src/domain/catalog/release-summary.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'

const database = useDatabase()
// Embedded, a running publish has the one connection: requests in the meantime must be served from caches.
const server = useServer(database, { elapsed: manualClock() })
const DAY = 86_400_000

beforeAll(async () => {
  server.now = START
  await publishStore(server, fullStore())
})
beforeEach(() => {
  server.now = START
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

async function ask(query: string, role: 'admin' | 'shopper' = 'admin'): Promise<AnyResponse> {
  const { token } = await server.issue({ subject: role, role }, server.now)
  return server.gql(query, {}, { token })
}
const ofCatalog = async (fields: string): Promise<AnyResponse> =>
  (await ask(`{ catalog(id: "${ids.catalog}") { ${fields} } }`)).data.catalog

/**
 * A publish that waits before the first statement that fits; resolves when it does, to what lets it go on to its end.
 */
async function holdAt(statement: RegExp): Promise<() => Promise<ReleaseSummary>> {
  let goOn = () => {}
  const turn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let release: Promise<ReleaseSummary> | undefined
  const there = new Promise<void>((resolve, reject) => {
    const connect = async () => {
      const client = await database.pool.connect()
      const query = async (text: string, values?: unknown[]) => {
        if (statement.test(text)) {
          resolve()
          await turn
        }
        return client.query(text, values)
      }
      return Object.create(client, { query: { value: query } })
    }
    const slowDatabase = { ...database, pool: { connect } } as unknown as Database
    release = publishRelease(contextOf({ ...server.services, database: slowDatabase }, server.now), {
      catalogId: ids.catalog,
    })
    release.catch(reject)
  })
  // Whatever the test finds, the connection is given back.
  onTestFinished(() => goOn())
  await there
  return () => {
    goOn()
    return release as Promise<ReleaseSummary>
  }
}

describe('Catalog.publishing', () => {
  it.each([
    ['attachments', /^\s*INSERT INTO pub_attached\s+SELECT a\./, 0],
    ['documents', /INSERT INTO release_document/, 14],
    ['simple prices', /INSERT INTO release_document_price/, 17],
    ['tree', /INSERT INTO release_node/, 18],
    ['summary', /UPDATE release SET status = CASE/, 32],
    ['texts, prices and warnings', /^\s*WITH large AS/, 33],
    ['texts, prices and warnings', /^DECLARE unseen_text/, 33],
  ])(
    'Catalog.publishing returns the step "%s" while it runs, at every request, and null before and after',
    async (step, statement, done) => {
      const query = 'publishing { step done totalSteps }'
      expect(await ofCatalog(query)).toEqual({ publishing: null })
      const finish = await holdAt(statement)
      for (let turn = 0; turn < 3; turn++)
        expect(await ofCatalog(query)).toEqual({ publishing: { step, done, totalSteps: 34 } })
      await finish()
      expect(await ofCatalog(query)).toEqual({ publishing: null })
    },
  )

  it('a response with Catalog.publishing is never cached, even if it is null', async () => {
    const query = 'publishing { __typename }'
    for (let turn = 0; turn < 3; turn++) expect(await ofCatalog(query)).toEqual({ publishing: null })
    const finish = await holdAt(/INSERT INTO release_node/)
    for (let turn = 0; turn < 3; turn++)
      expect(await ofCatalog(query)).toEqual({ publishing: { __typename: 'PublishProgress' } })
    await finish()
    expect(await ofCatalog(query)).toEqual({ publishing: null })
  })

  it('right.shoppers-see-published-and-own: Catalog.publishing is that of its catalog, and for admins only', async () => {
    const other = idOf(0xcb)
    await database.pool.query('INSERT INTO catalog (id, name, created_at, updated_at) VALUES ($1, $2, now(), now())', [
      other,
      'Other',
    ])
    await publish(server, other)
    const both = `{ one: catalog(id: "${ids.catalog}") { publishing { done } } other: catalog(id: "${other}") { publishing { done } } }`
    await ask(both)
    const finish = await holdAt(/INSERT INTO release_node/)
    expect((await ask(both)).data).toEqual({ one: { publishing: { done: 18 } }, other: { publishing: null } })
    const refused = await ask(`{ catalog(id: "${ids.catalog}") { publishing { done } } }`, 'shopper')
    expect(refused.errors.map((error: AnyResponse) => error.extensions.code)).toEqual(['FORBIDDEN'])
    await finish()
  })
})

describe('Release', () => {
  const summaryFields = 'sequence status startedAt publishedAt productCount nodeCount'
  const iso = (now: number) => new Date(now).toISOString()

  it('catalog-rule.most-matches-win: a release has its instant and its counts, in the payload of the publish and later, and a later one keeps when its catalog was first published', async () => {
    const { sequence } = await publish(server, ids.catalog)
    server.now = START + DAY
    const mutation = await ask(
      `mutation { publishRelease(input: { catalogId: "${ids.catalog}" }) { release { id ${summaryFields} } } }`,
    )
    const { id, ...counted } = mutation.data.publishRelease.release
    const first = {
      status: 'PUBLISHED',
      productCount: 10,
      nodeCount: 6,
      startedAt: iso(server.now),
      publishedAt: iso(server.now),
    }
    expect(counted).toEqual({ ...first, sequence: sequence + 1 })

    // One product fewer, and one node more.
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [ids.manual])
    await database.pool.query(
      `INSERT INTO catalog_node (id, parent_id, hierarchy_id, name, slug, created_at, updated_at) VALUES ($1, $2, $2, 'More', 'more', now(), now())`,
      [idOf(0x25), ids.hierarchy],
    )
    server.now += DAY
    await publish(server, ids.catalog)
    server.now += DAY
    const second = {
      ...first,
      productCount: 9,
      nodeCount: 7,
      startedAt: iso(START + 2 * DAY),
      publishedAt: iso(START + 2 * DAY),
    }
    expect(
      await ofCatalog(
        `firstPublishedAt release(id: "latest") { ${summaryFields} } releases(first: 2) { nodes { ${summaryFields} } }`,
      ),
    ).toEqual({
      firstPublishedAt: iso(START),
      release: { ...second, sequence: sequence + 2 },
      releases: {
        nodes: [
          { ...second, sequence: sequence + 2 },
          { ...first, sequence: sequence + 1 },
        ],
      },
    })
    expect((await ask(`{ node(id: "${id}") { ... on Release { ${summaryFields} } } }`, 'shopper')).data.node).toEqual(
      counted,
    )
  })

  it('admins see a running and a failed release, which are empty', async () => {
    const running = idOf(0x9b)
    await database.pool.query(
      `INSERT INTO release (id, catalog_id, sequence, status, started_at) VALUES ($1, $2, 1000, 'publishing', '2026-01-14T00:00:00Z')`,
      [running, ids.catalog],
    )
    await database.pool.query('UPDATE catalog SET release_sequence = 1000 WHERE id = $1', [ids.catalog])
    const query = `{ release(id: "${running}") { id ${summaryFields} error warningCount warnings { code } products { totalCount } } }`
    const release = {
      id: globalId('Release', running),
      sequence: 1000,
      status: 'PUBLISHING',
      startedAt: '2026-01-14T00:00:00.000Z',
      publishedAt: null,
      productCount: 0,
      nodeCount: 0,
      error: null,
      warningCount: 0,
      warnings: [],
      products: { totalCount: 0 },
    }
    expect((await ask(query)).data).toEqual({ release })
    expect((await ask(`{ release(id: "${running}") { id } }`, 'shopper')).data).toEqual({ release: null })

    const fails = publishRelease(contextOf(server.services, START), { catalogId: ids.catalog }, {}, ({ step }) => {
      if (step === 'summary') throw new Error('as if the power went')
    })
    await expect(fails).rejects.toThrow('as if the power went')
    // The publish after it knows that nothing runs any more.
    expect((await ask(query)).data.release).toEqual({
      ...release,
      status: 'FAILED',
      error: 'the server stopped while it was published',
    })
    const { releases } = await ofCatalog(`releases(first: 1) { nodes { ${summaryFields} error } }`)
    expect(releases.nodes).toEqual([
      {
        sequence: 1001,
        status: 'FAILED',
        startedAt: iso(START),
        publishedAt: null,
        productCount: 0,
        nodeCount: 0,
        error: 'the publish failed; the log of the server says why',
      },
    ])
  })
})
