import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReleaseSummary } from '../../../src/domain/catalog/release-summary.ts'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import { listHierarchyProducts } from '../../../src/operations/catalog/page.ts'
import { deleteRelease, publishProgress, publishRelease } from '../../../src/operations/catalog/release.ts'
import { cleanUpReleases } from '../../../src/operations/catalog/release-clean-up.ts'
import { PUBLISH_LOCK } from '../../../src/persistence/catalog/publish/lock.ts'
import { RETIRED_RETENTION_MS } from '../../../src/persistence/catalog/publish/retention.ts'
import type { PublishProgress } from '../../../src/persistence/catalog/publish/run.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { MAX_STALE_MS } from '../../../src/persistence/catalog/release-knowledge.ts'
import type { ChangeFeed } from '../../../src/persistence/changes/change-feed.ts'
import { RequestDatabase } from '../../../src/persistence/database/request-database.ts'
import type { Context } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { NOW, testContext } from '../../support/graph.ts'
import { contextOf } from '../../support/price-books.ts'
import { shopperReader } from '../../support/services.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()

/** A server process of its own: what it knows of releases is its alone. */
function newProcess() {
  const { config, log } = testContext()
  return { config: { ...config, releasesKept: 3 }, log, database, releases: new ReleaseCache(database) }
}

let services = newProcess()
let now = NOW

beforeEach(async () => {
  await reset(database)
  services = newProcess()
  now = NOW
  await insertStore(database, fullStore())
})

const ctx = (role?: 'shopper'): Context => contextOf(services, now, role)
const publish = (): Promise<ReleaseSummary> => publishRelease(ctx(), { catalogId: ids.catalog })

/** The names that a process lists for a release; null when it is not published. */
async function names(releaseId = 'latest', of = services): Promise<string[] | null> {
  const input = {
    catalogId: ids.catalog,
    releaseId,
    hierarchyId: ids.hierarchy,
    clauses: [],
    page: { limit: 100, offset: 0 },
  }
  try {
    const { items } = await listHierarchyProducts(contextOf(of, now, 'shopper'), input)
    return items.map((item) => (item.kind === 'product' ? item.document.product.name : item.node.name))
  } catch {
    return null
  }
}

async function rename(name: string): Promise<void> {
  await database.pool.query('UPDATE product SET name = $2 WHERE id = $1', [ids.machine, name])
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(sql)).rows
}

const statuses = () => rows('SELECT sequence, status FROM release ORDER BY sequence')

describe('release.whole-or-not-at-all: a publish is whole or nothing', () => {
  it('readers see the previous release until a publish is done, then the new one', async () => {
    const first = await publish()
    await rename('New machine')
    const seen: (string | undefined)[] = []
    const second = await publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
      seen.push(step)
      expect(publishProgress(ids.catalog)?.step).toBe(step)
    })
    expect(publishProgress(ids.catalog)).toBeNull()
    expect(seen[0]).toBe('attachments')
    expect(seen.at(-1)).toBe('done')
    expect((await names())?.[0]).toBe('New machine')
    expect((await names(first.id))?.[0]).toBe('Espresso machine')
    expect((await names(second.id))?.[0]).toBe('New machine')
    expect(second).toMatchObject({
      sequence: 2,
      status: 'published',
      productCount: 10,
      nodeCount: 6,
      startedAt: now,
      publishedAt: now,
    })
  })

  it('readers see one complete release at every step of a publish', async () => {
    await publish()
    const old = await names()
    await database.pool.query(`UPDATE product SET name = 'New ' || name`)
    const readers: Promise<string[] | null>[] = []
    await publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
      if (step !== 'done') readers.push(names('latest', newProcess()))
    })
    const fresh = await names()
    expect(fresh).not.toEqual(old)
    // Some may have read once it was done: embedded they wait for the one connection, and on a server a slow one comes
    // later too.
    for (const seen of await Promise.all(readers)) expect([old, fresh]).toContainEqual(seen)
  })

  it('a release lacks edits that are made while its publish runs', async () => {
    await publish()
    const old = await names()
    let edited: Promise<unknown> = Promise.resolve()
    await publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
      if (step === 'bundles') edited = database.pool.query(`UPDATE product SET name = 'New ' || name`)
    })
    await edited
    expect(await names('latest', newProcess())).toEqual(old)
  })

  it('a publish reports every step once and in order, and ends with all of them done', async () => {
    const reported: PublishProgress[] = []
    await publishRelease(ctx(), { catalogId: ids.catalog }, {}, (one) => reported.push(one))
    expect(reported.map(({ done }) => done)).toEqual(reported.map((_, at) => at))
    expect(new Set(reported.map(({ totalSteps: of }) => of))).toEqual(new Set([reported.length - 1]))
  })

  it('a committed release stays published, whatever fails afterwards', async () => {
    const failed = publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
      if (step === 'done') throw new Error('a listener that fails')
    })
    await expect(failed).rejects.toThrow('a listener that fails')
    expect(await statuses()).toEqual([{ sequence: 1, status: 'published' }])
    expect((await names())?.[0]).toBe('Espresso machine')
  })

  it('failed publishes are retired with the releases around them', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
        if (turn === 1 && step === 'tree') throw new Error('as if the power went')
      }).catch(() => undefined)
    }
    expect((await statuses()).map(({ status }) => status)).toEqual([
      'retired',
      'retired',
      'published',
      'published',
      'published',
    ])
  })

  it('what a publish retires stays for a minute after it has ended, however long it took', async () => {
    const first = await publish()
    let present = now
    const begun = ctx()
    const slow = {
      ...begun,
      config: { ...begun.config, releasesKept: 1 },
      changes: { now: () => present } as ChangeFeed,
    }
    await publishRelease(slow, { catalogId: ids.catalog }, {}, ({ step }) => {
      if (step === 'done') present += RETIRED_RETENTION_MS
    })
    const removed = async () => (await rows(`SELECT FROM release WHERE id = '${first.id}'`)).length === 0
    now = present
    await cleanUpReleases(database, now)
    expect(await removed()).toBe(false)
    await cleanUpReleases(database, now + RETIRED_RETENTION_MS)
    expect(await removed()).toBe(true)
  })

  it.each(['attachments', 'documents', 'summary', 'texts, prices and warnings'])(
    'a publish that fails at the step "%s" shows in no response',
    async (failing) => {
      await publish()
      await rename('New machine')
      const failed = publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
        if (step === failing) throw new Error('as if the power went')
      })
      await expect(failed).rejects.toThrow('as if the power went')
      expect(await statuses()).toEqual([
        { sequence: 1, status: 'published' },
        { sequence: 2, status: 'failed' },
      ])
      expect((await names())?.[0]).toBe('Espresso machine')
      const [counts] = await rows(`SELECT (SELECT count(DISTINCT release_id)::int FROM release_listing) AS listings,
      (SELECT count(DISTINCT release_id)::int FROM release_node) AS nodes, (SELECT count(*)::int FROM release_document) AS documents`)
      expect(counts).toEqual({ listings: 1, nodes: 1, documents: 10 })
      expect((await publish()).sequence).toBe(3)
      expect((await names())?.[0]).toBe('New machine')
    },
  )

  it.runIf(process.env.DATABASE_URL)(
    'a publish whose connection is killed leaves nothing, and the next one comes about [needs PostgreSQL]',
    async () => {
      await publish()
      // A connection that is there already is in time, however busy the machine is.
      const killer = await database.pool.connect()
      const killed = publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
        if (step !== 'attachments of parents') return
        void killer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL`)
      })
      await expect(killed).rejects.toThrow()
      killer.release()
      expect((await names())?.[0]).toBe('Espresso machine')
      const next = await publish()
      expect(next.status).toBe('published')
      expect((await statuses()).map(({ status }) => status)).toEqual(['published', 'failed', 'published'])
    },
  )

  it('a publish that was killed is marked failed at the next start, and at the next publish', async () => {
    const leave = () =>
      rows(`INSERT INTO release (id, catalog_id, sequence, status, started_at)
        VALUES (gen_random_uuid(), '${ids.catalog}', (SELECT coalesce(max(sequence), 0) + 100 FROM release), 'publishing', now())`)
    await leave()
    await cleanUpReleases(database, now)
    expect(await statuses()).toEqual([{ sequence: 100, status: 'failed' }])
    await leave()
    await publish()
    expect(await statuses()).toEqual([
      { sequence: 1, status: 'published' },
      { sequence: 100, status: 'failed' },
      { sequence: 200, status: 'failed' },
    ])
  })

  it('simultaneous publishes run one after another', async () => {
    const releases = await Promise.all([publish(), publish(), publish()])
    expect(releases.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3])
    const latest = await services.releases.resolve(ids.catalog, 'latest', shopperReader)
    expect(latest?.sequence).toBe(3)
  })

  it.runIf(database.kind === 'server')(
    'publishes that wait, here or for another server, hold one connection of the pool in all, so that others can read [needs PostgreSQL]',
    async () => {
      const { pool } = database
      const other = await pool.connect()
      let publishes: Promise<ReleaseSummary>[] = []
      try {
        await other.query(`SELECT pg_advisory_lock(${PUBLISH_LOCK})`)
        publishes = Array.from({ length: pool.options.max + 1 }, publish)
        const waiting = `SELECT count(*)::int AS count FROM pg_locks JOIN pg_database ON pg_database.oid = database
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
        await expect.poll(async () => (await other.query(waiting)).rows[0].count).toBe(1)
        expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([2, 0])
      } finally {
        await other.query(`SELECT pg_advisory_unlock(${PUBLISH_LOCK})`)
        other.release()
      }
      const sequences = (await Promise.all(publishes)).map(({ sequence }) => sequence)
      expect(sequences).toEqual(publishes.map((_, index) => index + 1))
    },
  )

  it('a publish that fails while it waits does not change the progress of the running one', async () => {
    const gone = { abortReason: new Unavailable('the client is gone'), exempt: true }
    const refused: Promise<unknown>[] = []
    await publishRelease(ctx(), { catalogId: ids.catalog }, {}, ({ step }) => {
      if (step !== 'documents') return
      refused.push(
        publishRelease(contextOf({ ...services, database: new RequestDatabase(database, gone) }, now), {
          catalogId: ids.catalog,
        }).catch(String),
      )
      expect(publishProgress(ids.catalog)?.step).toBe('documents')
    })
    expect(await Promise.all(refused)).toEqual([expect.stringContaining('the client is gone')])
    expect(publishProgress(ids.catalog)).toBeNull()
    expect(await statuses()).toEqual([{ sequence: 1, status: 'published' }])
  })

  it('a publish of an unknown catalog is not found, and nothing is written', async () => {
    await expect(publishRelease(ctx(), { catalogId: ids.machine })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await statuses()).toEqual([])
  })

  it('right.shoppers-see-published-and-own: publishing and deleting releases is for admins', async () => {
    await expect(publishRelease(ctx('shopper'), { catalogId: ids.catalog })).rejects.toMatchObject({
      kind: 'forbidden',
    })
    const { id } = await publish()
    await expect(deleteRelease(ctx('shopper'), { releaseId: id })).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('write.idempotency-key: an idempotency key of a publish returns the first result while the catalog exists, and is refused for another input', async () => {
    const keyed = (catalogId: string) => publishRelease(ctx(), { catalogId }, { idempotencyKey: 'monday' })
    const first = await keyed(ids.catalog)
    expect(await keyed(ids.catalog)).toEqual(first)
    expect(await statuses()).toHaveLength(1)
    await expect(keyed(ids.machine)).rejects.toMatchObject({ kind: 'conflict' })
    await database.pool.query('DELETE FROM catalog WHERE id = $1', [ids.catalog])
    await expect(keyed(ids.catalog)).rejects.toMatchObject({ kind: 'notFound' })
  })
})

describe('release.old-ones-retire: retention of releases', () => {
  it('retention keeps the newest RELEASES_KEPT of a catalog; rows and documents of older ones are removed a minute later', async () => {
    const releases: string[] = []
    for (let turn = 1; turn <= 5; turn++) {
      await rename(`Machine ${turn}`)
      releases.push((await publish()).id)
    }
    expect(await Promise.all(releases.map((id) => names(id).then((found) => found?.[0] ?? null)))).toEqual([
      null,
      null,
      'Machine 3',
      'Machine 4',
      'Machine 5',
    ])
    // Of the machine five documents, and five of each of the two bundles that it is an option of; the others are
    // shared.
    const documents = async () => (await rows('SELECT count(*)::int AS count FROM release_document'))[0]?.count
    expect([(await statuses()).length, await documents()]).toEqual([5, 7 + 5 * 3])
    now += RETIRED_RETENTION_MS - 1
    await cleanUpReleases(database, now)
    expect((await statuses()).length).toBe(5)
    now += 1
    await cleanUpReleases(database, now)
    expect([(await statuses()).length, await documents()]).toEqual([3, 7 + 3 * 3])
    expect((await names(releases[2]))?.[0]).toBe('Machine 3')
  })

  it('deleting the latest release makes the previous one the latest; deleting all leaves none', async () => {
    const first = await publish()
    await rename('New machine')
    const second = await publish()
    expect(await deleteRelease(ctx(), { releaseId: second.id })).toEqual(second)
    expect((await names())?.[0]).toBe('Espresso machine')
    expect(await names(second.id)).toBeNull()
    await deleteRelease(ctx(), { releaseId: first.id })
    expect(await names()).toBeNull()
    await expect(deleteRelease(ctx(), { releaseId: first.id })).rejects.toMatchObject({ kind: 'notFound' })
    // The count goes on.
    expect((await publish()).sequence).toBe(3)
  })

  it('the next publish makes removed documents again, though their products have not changed', async () => {
    const { id } = await publish()
    const whole = await names()
    await deleteRelease(ctx(), { releaseId: id })
    now += RETIRED_RETENTION_MS
    await cleanUpReleases(database, now)
    expect(await rows('SELECT 1 FROM release_document UNION ALL SELECT 1 FROM release_fingerprint')).toEqual([])
    await publish()
    expect(await names()).toEqual(whole)
  })

  it('deleting an older release does not change the latest', async () => {
    const first = await publish()
    await rename('New machine')
    await publish()
    await deleteRelease(ctx(), { releaseId: first.id })
    expect((await names())?.[0]).toBe('New machine')
  })
})

describe('release.seen-within-a-second: other servers', () => {
  it('other servers see a publish and a deletion within a second, the publishing server at once', async () => {
    const other = newProcess()
    await publish()
    expect((await names('latest', other))?.[0]).toBe('Espresso machine')
    await rename('New machine')
    const second = await publish()
    expect((await names())?.[0]).toBe('New machine')
    await sleep(MAX_STALE_MS + 20)
    expect((await names('latest', other))?.[0]).toBe('New machine')
    await deleteRelease(ctx(), { releaseId: second.id })
    expect((await names())?.[0]).toBe('Espresso machine')
    await sleep(MAX_STALE_MS + 20)
    expect((await names('latest', other))?.[0]).toBe('Espresso machine')
    expect(await names(second.id, other)).toBeNull()
  })

  it('a read of releases that began before the end of a publish does not overwrite the newer set', async () => {
    await publish()
    services.releases.invalidate()
    const reading = names()
    await rename('New machine')
    await publish()
    await reading
    expect((await names())?.[0]).toBe('New machine')
  })
})

describe('bundle.options-agree-on-tax, money.exact-or-no-price: warnings of a publish', () => {
  it('warnings of a publish name the first hundred products without a price in a currency that their parts have', async () => {
    const { warnings, warningCount } = await publish()
    // Beans are net and cups are gross in EUR; the set holds that breakfast.
    const mixed = [ids.breakfast, ids.starter].map((product_id) => ({ code: 'TAX_MIXED', product_id, currency: 'EUR' }))
    expect([warnings.slice(0, 2), warningCount]).toEqual([mixed, 2])
  })

  it('warnings of a publish name sums and increments beyond 2^53-1', async () => {
    await database.pool.query(`UPDATE product_price SET currencies = '{"USD": {"amount": 9007199254740991, "includes_tax": false}}'
      WHERE sku IN ('SHIRT', 'CUP')`)
    const { warnings } = await publish()
    expect(warnings).toContainEqual({ code: 'AMOUNT_TOO_LARGE', product_id: ids.redLarge, currency: 'USD' })
    expect(warnings).toContainEqual({ code: 'AMOUNT_TOO_LARGE', product_id: ids.breakfast, currency: 'USD' })
    expect(warnings.filter(({ product_id }) => product_id === ids.shirt)).toEqual([])
  })
})

describe('price-book.doubtful-prices-warned: the warnings of a publish about doubtful prices', () => {
  const kinds = ['TIER_DEARER', 'SALE_DEARER', 'TAX_DIFFERS']
  const doubtful = async () => {
    const { warnings } = await publish()
    return warnings.filter(({ code }) => kinds.includes(code))
  }
  const setPrice = (sku: string, currencies: object) =>
    database.pool.query(`UPDATE product_price SET currencies = $1 WHERE sku = $2`, [currencies, sku])
  const addSale = (sku: string, name: string, currencies: object, validTo: Date | null = null) =>
    database.pool.query(
      `INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
      SELECT gen_random_uuid(), id, price_book_id, $1, '2020-01-01'::timestamptz + length($1) * interval '1 day', $2, '{}', $3, now(), now() FROM product_price WHERE sku = $4`,
      [name, validTo, currencies, sku],
    )
  const net = (amount: number, tiers?: object) => ({ amount, includes_tax: false, ...(tiers && { tiers }) })
  const tier = (minimum_quantity: number, amount: number | null) => ({ minimum_quantity, amount })

  beforeEach(async () => {
    await database.pool.query(`DELETE FROM sale`)
  })

  it('the warnings of a publish group what is doubtful by kind and product, with the first and the count', async () => {
    const tiers = { four: tier(4, 80), ten: tier(10, 90), none: tier(12, null), lot: tier(50, 95), last: tier(99, 95) }
    await setPrice('MACHINE', { EUR: net(100, tiers), USD: net(100, tiers) })
    await addSale('MACHINE', 'dear', { EUR: net(101), USD: net(100) })
    await addSale('MACHINE', 'gross', { USD: { amount: 1, includes_tax: true } })
    const machine = { product_id: ids.machine, sku: 'MACHINE' }
    expect(await doubtful()).toEqual([
      { code: 'TIER_DEARER', ...machine, currency: 'EUR', tier: 'ten', count: 4 },
      { code: 'SALE_DEARER', ...machine, currency: 'EUR', sale: 'dear' },
      { code: 'TAX_DIFFERS', ...machine, currency: 'USD', sale: 'gross' },
    ])
  })

  it('the warnings of a publish leave out sales that are over, and tiers that are lower than a sale or dearer than it', async () => {
    await setPrice('MACHINE', { USD: net(100, { four: tier(4, 80), ten: tier(10, 60) }) })
    await addSale('MACHINE', 'lower', { USD: net(70) })
    await addSale('MACHINE', 'over', { USD: net(500) }, new Date(now))
    expect(await doubtful()).toEqual([])
    await database.pool.query(`UPDATE sale SET valid_to = $1 WHERE name = 'over'`, [new Date(now + 1)])
    expect(await doubtful()).toMatchObject([{ code: 'SALE_DEARER', sale: 'over' }])
  })

  it('the warnings of a publish name a price that children inherit once, with the product that has it', async () => {
    await setPrice('SHIRT', { USD: net(100, { case: tier(6, 101) }) })
    const { rows: inheriting } = await database.pool.query(
      `SELECT FROM product WHERE parent_id = $1 AND sku IS NULL OR sku NOT IN (
      SELECT sku FROM product_price)`,
      [ids.shirt],
    )
    expect(inheriting.length).toBeGreaterThan(0)
    expect(await doubtful()).toEqual([
      { code: 'TIER_DEARER', product_id: ids.shirt, sku: 'SHIRT', currency: 'USD', tier: 'case' },
    ])
  })
})
