import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Release } from '../../../src/domain/catalog/release.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { INDEX_BYTES_MAX, ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { documentBytes, ReleaseDocuments } from '../../../src/persistence/catalog/release-documents.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { manualClock } from '../../support/server.ts'
import { servicesOf, shopperReader } from '../../support/services.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
let releaseId = ''

beforeAll(async () => {
  await insertStore(database, fullStore())
  releaseId = (await publishRelease(contextOf(servicesOf(database), Date.now()), { catalogId: ids.catalog })).id
})

describe('ReleaseCache.resolve', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('the release cache runs one statement for simultaneous requests for the same release', async () => {
    const store = new ReleaseCache(database)
    const { result, count } = await countStatements(database, () =>
      Promise.all([1, 2, 3].map(() => store.resolve(ids.catalog, 'latest', shopperReader))),
    )
    expect(count).toBe(1)
    expect(new Set(result).size).toBe(1)
    expect(result[0]?.id).toBe(releaseId)
  })

  it('the release cache finds a release by its id alone, but not under another catalog', async () => {
    const store = new ReleaseCache(database, { elapsed: manualClock() })
    expect((await store.resolve(null, releaseId, shopperReader))?.catalogId).toBe(ids.catalog)
    expect(await store.resolve(idOf(1), releaseId, shopperReader)).toBeNull()
    expect(await store.resolve(null, idOf(1), shopperReader)).toBeNull()
    // Unknown ids are resolved from the cached set as well.
    expect((await countStatements(database, () => store.resolve(null, idOf(2), shopperReader))).count).toBe(0)
  })

  it('the release cache reads the set of published releases again after invalidate, and keeps the cached index', async () => {
    const store = new ReleaseCache(database)
    const before = await store.resolve(ids.catalog, 'latest', shopperReader)
    store.invalidate()
    const { result, count } = await countStatements(database, () => store.resolve(ids.catalog, 'latest', shopperReader))
    expect([result === before, count]).toEqual([true, 1])
  })

  it('the release cache knows since when the catalog of a resolved release is published, also when another release is published meanwhile', async () => {
    const query: typeof database.query = async (...statement) => {
      store.invalidate()
      return database.query(...statement)
    }
    const store = new ReleaseCache({ ...database, query })
    const found = await store.resolve(ids.catalog, 'latest', shopperReader)
    expect(store.known.historyOf(ids.catalog).firstPublishedAt).toBe(found?.publishedAt)
    expect(store.known.activationsOf(releaseId)).toHaveLength(1)
    // It is read again before it is used for the next request.
    expect(store.getCached(ids.catalog, 'latest', shopperReader)).toBeUndefined()
  })

  /** A promise with its resolve function; Node 20 lacks Promise.withResolvers. */
  function gate() {
    let resolve = (): void => undefined
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    return { promise, resolve }
  }

  /** A cache whose first statement stops before it is sent, or with its rows, until `goOn` is called. */
  function stopping(place: 'before' | 'after') {
    const [stopped, go] = [gate(), gate()]
    let isFirst = true
    const query: typeof database.query = async (...statement) => {
      const stops = isFirst
      isFirst = false
      const rows = stops && place === 'before' ? null : await database.query(...statement)
      if (stops) {
        stopped.resolve()
        await go.promise
      }
      return (rows ?? (await database.query(...statement))) as never
    }
    return { store: new ReleaseCache({ ...database, query }), stopped: stopped.promise, goOn: go.resolve }
  }

  it('the release cache takes no published release for the draft that it was, when an earlier statement comes late', async () => {
    const publish = (more: object) =>
      publishRelease(contextOf(servicesOf(database), Date.now()), { catalogId: ids.catalog, ...more })
    const draft = await publish({ dryRun: true })
    const { store, stopped, goOn } = stopping('after')
    const late = store.resolve(ids.catalog, draft.id, { ...shopperReader, readsAll: true })
    await stopped
    const { sequence } = await publish({ fromDraft: draft.id })
    store.invalidate()
    const published = { id: draft.id, status: 'published', sequence }
    expect(await store.resolve(ids.catalog, 'latest', shopperReader)).toMatchObject(published)
    goOn()
    const ofLate = await late
    expect(store.getCached(ids.catalog, 'latest', shopperReader)).toMatchObject(published)
    expect(ofLate).toMatchObject(published)
    releaseId = draft.id
  })

  it('the release cache resolves no release that is not known, when a statement is overtaken that found more than a later one', async () => {
    const catalogId = idOf(0xce)
    await database.pool.query(
      "INSERT INTO catalog (id, name, created_at, updated_at) VALUES ($1, 'New', now(), now())",
      [catalogId],
    )
    const { store, stopped, goOn } = stopping('before')
    const overtaken = store.resolve(catalogId, 'latest', shopperReader)
    await stopped
    await store.resolve(ids.catalog, 'latest', shopperReader)
    const { id } = await publishRelease(contextOf(servicesOf(database), Date.now()), { catalogId })
    goOn()
    const found = await overtaken
    expect(store.known.historyOf(catalogId).firstPublishedAt).toBe(found?.publishedAt ?? null)
    store.invalidate()
    expect((await store.resolve(catalogId, 'latest', shopperReader))?.id).toBe(id)
  })

  it.each([
    ['zero', 0],
    ['above the bound of the cache', INDEX_BYTES_MAX + 1],
  ])('the release cache caches the index of a release whose size in bytes is %s', async (_, size) => {
    vi.spyOn(Release.prototype, 'sizeInBytes', 'get').mockReturnValue(size)
    const store = new ReleaseCache(database, { elapsed: manualClock() })
    expect((await store.resolve(ids.catalog, 'latest', shopperReader))?.id).toBe(releaseId)
    expect(store.getCached(ids.catalog, 'latest', shopperReader)?.id).toBe(releaseId)
  })
})

describe('ReleaseDocuments.load', () => {
  const numbers = async () => {
    const release = await new ReleaseCache(database).resolve(null, releaseId, shopperReader)
    return [...(release?.allProducts.documents ?? [])]
  }

  it('the document cache reads missing documents of simultaneous calls in one statement, returns them in order, and keeps them', async () => {
    const documents = new ReleaseDocuments(database, 1_000_000)
    const [a = 0, b = 0, c = 0] = await numbers()
    const { result, count } = await countStatements(database, () =>
      Promise.all([documents.load([b, a]), documents.load([c, b, 999_999])]),
    )
    expect(count).toBe(1)
    expect(result.map((list) => list.map((one) => one?.number))).toEqual([
      [b, a],
      [c, b, undefined],
    ])
    const again = await countStatements(database, () => documents.load([a, b, c]))
    expect(again.count).toBe(0)
    expect(again.result[1]).toBe(result[0]?.[0])
  })

  it('the document cache keeps nothing when it is given less memory than a document takes', async () => {
    const [number = 0] = await numbers()
    for (const [documentsMb, count] of [
      [1 / 4_096, 1],
      [1, 0],
    ] as const) {
      const { documents } = new ReleaseCache(database, { documentsMb })
      await documents.load([number])
      expect((await countStatements(database, () => documents.load([number]))).count).toBe(count)
    }
  })

  it('the document cache evicts the least recently used document when the bound is reached', async () => {
    const [a = 0, b = 0, c = 0] = await numbers()
    const { rows } = await database.pool.query(
      'SELECT length(body::text) AS characters FROM release_document WHERE id = ANY ($1)',
      [[a, b, c]],
    )
    const limit = rows.reduce((sum, row) => sum + documentBytes(row), 0) - 1
    const documents = new ReleaseDocuments(database, limit)
    for (const number of [a, b, a, c]) await documents.load([number])
    expect((await countStatements(database, () => documents.load([a, c]))).count).toBe(0)
    expect((await countStatements(database, () => documents.load([b]))).count).toBe(1)
  })
})
