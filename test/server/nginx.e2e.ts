/** The server behind nginx with the cache of container/nginx.conf, by the real clock. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { flash, fullStore, ids, winter } from '../support/full-store.ts'
import { listen } from '../support/live.ts'
import { nginx, startNginx } from '../support/nginx.ts'
import { listingPath, publish, publishStore } from '../support/published.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const MAX_AGE = 3
/** A second shorter than for clients. */
const SHARED_MAX_AGE = MAX_AGE - 1
/** Milliseconds within which a publish is seen (release.seen-within-a-second). */
const SEEN_WITHIN = 1_000

describe.skipIf(!nginx)('behind nginx [needs nginx]', () => {
  const database = useDatabase()
  let server: TestServer
  let proxy: string
  let shopper: string
  /** Milliseconds from the real clock to the server's. */
  let offset = 0
  const now = (): number => Date.now() + offset

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-nginx-'))
    server = await startTestServer(database, { config: { cacheMaxAge: MAX_AGE, cachePublic: true } })
    Object.defineProperty(server, 'now', { get: now })
    setServerTime(winter.from - 86_400_000)
    await publishStore(server, fullStore())
    const running = await startNginx(folder, [server.url])
    proxy = running.url
    return async () => {
      await running.stop()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  /** Both clocks count the same seconds, since caches do so too. */
  function setServerTime(instant: number): void {
    offset = Math.round((instant - Date.now()) / 1000) * 1000
  }

  async function newShopper(role: 'shopper' | 'admin' = 'shopper'): Promise<string> {
    return (await server.issue({ subject: crypto.randomUUID(), role }, now())).token
  }

  const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { product(by: { id: "${ids.machine}" }) { name price { amount { amount } } } } } }`
  const paths = { REST: listingPath(ids.catalog, ids.hierarchy), GraphQL: `/graphql?${new URLSearchParams({ query })}` }

  async function get(path: string, headers: Record<string, string> = {}, token: string | null = shopper) {
    const response = await fetch(proxy + path, {
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    })
    const header = (name: string): string | null => response.headers.get(name)
    return {
      status: response.status,
      cache: header('x-cache-status'),
      etag: header('etag'),
      control: header('cache-control'),
      text: await response.text(),
    }
  }

  /**
   * What a new viewer gets at once, after `prepare`; again when the machine took longer than nginx keeps a response.
   */
  async function whileFresh<T>(ask: () => Promise<T>, prepare = async (): Promise<unknown> => undefined): Promise<T> {
    for (;;) {
      shopper = await newShopper()
      await prepare()
      const started = performance.now()
      const replies = await ask()
      if (performance.now() - started < SHARED_MAX_AGE * 1_000) return replies
    }
  }

  describe.each(Object.entries(paths))('%s', (edge, path) => {
    beforeAll(() => setServerTime(winter.from - 86_400_000))
    const twice = () => get(path).then(() => get(path))

    it(`nginx serves the second request of ${edge} from its cache, and 304 for its ETag`, async () => {
      const [first, second, third] = await whileFresh(async () => {
        const first = await get(path)
        return [first, await get(path), await get(path, { 'if-none-match': first.etag ?? '' })] as const
      })
      expect([first.status, first.cache, first.control]).toEqual([200, 'MISS', 'public, max-age=3, s-maxage=2'])
      expect(second).toEqual({ ...first, cache: 'HIT' })
      expect([third.status, third.cache, third.text]).toEqual([304, 'HIT', ''])
    })

    it(`nginx asks again when the time of a response of ${edge} is over`, async () => {
      const replies = await whileFresh(
        async () => [await get(path), await get(path)],
        () => get(path).then(() => sleep(MAX_AGE * 1000)),
      )
      expect(replies.map(({ cache }) => cache)).toEqual(['EXPIRED', 'HIT'])
    })

    it(`nginx gives nothing of one viewer of ${edge} to another`, async () => {
      expect((await whileFresh(twice)).cache).toBe('HIT')
      for (const token of [null, 'x', `${shopper}x`]) expect((await get(path, {}, token)).status).toBe(401)
      expect((await get(path, {}, await newShopper())).cache).toBe('MISS')
      const admin = await newShopper('admin')
      for (let again = 0; again < 2; again++) {
        const reply = await get(path, {}, admin)
        expect([reply.cache, reply.control]).toEqual(['MISS', 'private, max-age=3'])
      }
      const german = await get(path, { 'accept-language': 'de', 'x-moltin-currency': 'EUR' })
      expect(german.cache).toBe('MISS')
      expect(german.text).not.toBe((await get(path)).text)
    })

    it(`nginx starts and ends a sale in ${edge} at its instant`, async () => {
      for (const instant of [flash.from, flash.to]) {
        const watch = async () => {
          setServerTime(instant - 4_000)
          shopper = await newShopper()
          const { text: before } = await get(path)
          const seen = {
            before: new Set([before]),
            after: new Set<string>(),
            hits: 0,
            lead: instant - now(),
            slowest: 0,
          }
          while (now() < instant + 500 || seen.after.size === 0) {
            const asked = now()
            const { text, cache } = await get(path)
            if (now() < instant) {
              seen.before.add(text)
              if (cache === 'HIT') seen.hits++
            }
            if (asked >= instant) seen.after.add(text)
            seen.slowest = Math.max(seen.slowest, now() - asked)
            await sleep(10)
          }
          return seen
        }
        let seen = await watch()
        // Again when the machine stood still: nginx keeps no response for less than a second, and counts from its
        // arrival.
        while (seen.lead < 2_000 || seen.slowest > 500) seen = await watch()
        expect(seen.hits).toBeGreaterThan(0)
        expect([seen.before.size, seen.after.size]).toEqual([1, 1])
        expect([...seen.after]).not.toEqual([...seen.before])
      }
    })

    it(`nginx shows a publish in ${edge} within a second and the age that a cache may have`, async () => {
      const name = `Machine ${edge}`
      expect((await whileFresh(twice)).cache).toBe('HIT')
      await database.pool.query('UPDATE product SET name = $1 WHERE id = $2', [name, ids.machine])
      await publish(server, ids.catalog)
      const published = Date.now()
      while (Date.now() < published + SEEN_WITHIN + MAX_AGE * 1000) await sleep(50)
      expect((await get(path)).text).toContain(name)
    })
  })

  it('nginx passes each event of a stream on at once', async () => {
    const listener = await listen(
      { url: proxy, admin: await newShopper('admin') },
      `subscription { releasePublished(catalogId: "${ids.catalog}") { releaseId release { sequence } } }`,
    )
    const next = listener.next()
    const { sequence } = await publish(server, ids.catalog)
    expect((await next).data.releasePublished.release).toEqual({ sequence })
    await listener.close()
  })

  it('nginx keeps nothing of a catalog that a catalog rule names', async () => {
    setServerTime(winter.from - 86_400_000)
    shopper = await newShopper()
    expect((await get(paths.REST)).control).toMatch(/^public/)
    await database.pool.query(
      `INSERT INTO catalog_rule (id, name, catalog_id, account_ids, channels, created_at, tags, updated_at)
       VALUES (gen_random_uuid(), 'rule', $1, '{}', '{}', now(), '{}', now())`,
      [ids.catalog],
    )
    await sleep(SEEN_WITHIN + MAX_AGE * 1000)
    for (let again = 0; again < 2; again++) {
      const { cache, control } = await get(paths.REST)
      expect([cache, control]).toEqual(['EXPIRED', 'private, max-age=3'])
    }
  })
})
