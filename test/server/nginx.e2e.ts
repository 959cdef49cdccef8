/** The server behind nginx with the cache of container/nginx.conf, by the real clock. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { useDatabase } from '../support/database.ts'
import { flash, fullStore, ids, winter } from '../support/full-store.ts'
import { listen, waitUntil } from '../support/live.ts'
import { listingPath, publish, publishStore } from '../support/published.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((file) => existsSync(file))
const MAX_AGE = 3
/** A second shorter than for clients. */
const SHARED_MAX_AGE = MAX_AGE - 1
/** Milliseconds within which a publish is seen (release.seen-within-a-second). */
const SEEN_WITHIN = 1_000

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Starts nginx with the configuration that operators get, in a folder of its own; returns its address. */
async function startNginx(folder: string, server: TestServer): Promise<{ url: string; stop(): Promise<unknown> }> {
  const port = await freePort()
  const shipped = readFileSync(join(projectRoot, 'src/server/container/nginx.conf'), 'utf8')
  const conf = shipped
    .replace('127.0.0.1:4000', server.url.replace('http://', ''))
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('/var/cache/nginx/commerce-graph', join(folder, 'cache'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`)
  const root = process.getuid?.() === 0 ? 'user root;\n' : ''
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${root}daemon off;\npid ${folder}/pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${conf}}\n`,
  )
  execFileSync(nginx ?? '', ['-t', '-q', '-c', file, '-e', 'stderr'])
  const child = spawn(nginx ?? '', ['-c', file, '-e', 'stderr'], { stdio: 'inherit' })
  const ended = new Promise((done) => child.on('close', done))
  const url = `http://127.0.0.1:${port}`
  await waitUntil(async () => (await fetch(`${url}/health`).catch(() => null))?.ok === true)
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

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
    const running = await startNginx(folder, server)
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
    const response = await fetch(proxy + path, { headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers } })
    const header = (name: string): string | null => response.headers.get(name)
    return {
      status: response.status,
      cache: header('x-cache-status'),
      etag: header('etag'),
      control: header('cache-control'),
      text: await response.text(),
    }
  }

  /** What a new viewer gets at once, after `prepare`; again when the machine took longer than nginx keeps a response. */
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

    it('serves the second request from the cache, and 304 for its ETag', async () => {
      const [first, second, third] = await whileFresh(async () => {
        const first = await get(path)
        return [first, await get(path), await get(path, { 'if-none-match': first.etag ?? '' })] as const
      })
      expect([first.status, first.cache, first.control]).toEqual([200, 'MISS', 'public, max-age=3, s-maxage=2'])
      expect(second).toEqual({ ...first, cache: 'HIT' })
      expect([third.status, third.cache, third.text]).toEqual([304, 'HIT', ''])
    })

    it('asks again when the time of a response is over', async () => {
      const replies = await whileFresh(
        async () => [await get(path), await get(path)],
        () => get(path).then(() => sleep(MAX_AGE * 1000)),
      )
      expect(replies.map(({ cache }) => cache)).toEqual(['EXPIRED', 'HIT'])
    })

    it('gives nothing of one viewer to another', async () => {
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

    it('starts and ends a sale at its instant', async () => {
      for (const instant of [flash.from, flash.to]) {
        const watch = async () => {
          setServerTime(instant - 4_000)
          shopper = await newShopper()
          const { text: before } = await get(path)
          const seen = { before: new Set([before]), after: new Set<string>(), hits: 0, lead: instant - now(), slowest: 0 }
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
        // Again when the machine stood still: nginx keeps no response for less than a second, and counts from its arrival.
        while (seen.lead < 2_000 || seen.slowest > 500) seen = await watch()
        expect(seen.hits).toBeGreaterThan(0)
        expect([seen.before.size, seen.after.size]).toEqual([1, 1])
        expect([...seen.after]).not.toEqual([...seen.before])
      }
    })

    it('shows a publish within a second and the age that a cache may have', async () => {
      const name = `Machine ${edge}`
      expect((await whileFresh(twice)).cache).toBe('HIT')
      await database.pool.query('UPDATE product SET name = $1 WHERE id = $2', [name, ids.machine])
      await publish(server, ids.catalog)
      const published = Date.now()
      while (Date.now() < published + SEEN_WITHIN + MAX_AGE * 1000) await sleep(50)
      expect((await get(path)).text).toContain(name)
    })
  })

  it('passes each event of a stream on at once', async () => {
    const listener = await listen(
      { url: proxy, admin: await newShopper('admin') },
      `subscription { releasePublished(catalogId: "${ids.catalog}") { releaseId release { sequence } } }`,
    )
    const next = listener.next()
    const { sequence } = await publish(server, ids.catalog)
    expect((await next).data.releasePublished.release).toEqual({ sequence })
    await listener.close()
  })

  it('keeps nothing of a catalog that a catalog rule names', async () => {
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
