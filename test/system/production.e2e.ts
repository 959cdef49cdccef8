/** A server in production mode as a process of its own, started by `npm start`: what it logs, and how it stops. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { readMigrations } from '../../src/persistence/database/migrations.ts'
import { IDLE_CLOSE_MS } from '../../src/server/stop-listener.ts'
import { createClient, type HttpRequest, type HttpResponse, jsonHeaders } from '../soak/http.ts'
import { credentials, type Running, signingSecret, startProgram, startServer } from '../soak/program.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { assertHierarchyListing } from '../support/contract-schema.ts'
import { seen } from '../support/hidden-store.ts'
import { shortLived } from '../support/start-command.ts'

const databaseUrl = process.env.DATABASE_URL || null
const listing = `/pcm/catalogs/${seen.catalog}/releases/latest/hierarchies/${seen.hierarchy}/products`

/** Everything that must never be printed, sent through every way that a request can fail or succeed. */
async function sendSecrets(server: Running): Promise<string[]> {
  const { client, admin, shopper } = server
  const [card, customer, email, name] = ['card_4242SECRET', 'cus_SECRET77', 'hush@secret.example', 'Secret Subscriber']
  const data = {
    account_id: seen.ownAccount,
    offering_id: seen.offering,
    plan_id: seen.plan,
    currency: 'USD',
    name,
    email,
    payment_authority: { type: 'platform_payments_gateway', customer_id: customer, card_id: card },
  }
  const bodies = [
    data,
    { ...data, plan_id: seen.ownAccount },
    { ...data, email: 'x' },
    { ...data, currency: card },
    { ...data, name: `${name}\u0000` },
  ]
  const statuses: number[] = []
  const send = async (sent: HttpRequest): Promise<HttpResponse> => {
    const got = await client.send(sent)
    statuses.push(got.status)
    if (sent.path.startsWith(listing)) assertHierarchyListing(JSON.parse(got.text))
    return got
  }
  for (const one of bodies) {
    await send({
      method: 'POST',
      path: `/v2/subscriptions/subscriptions?filter=${card}`,
      headers: jsonHeaders(admin),
      body: JSON.stringify({ data: one }),
    })
    await send({
      method: 'POST',
      path: '/v2/subscriptions/subscriptions',
      headers: jsonHeaders(shopper),
      body: JSON.stringify({ data: one }),
    })
    const query = `mutation($input: CreateSubscriptionInput!) { createSubscription(input: $input) { subscription { paymentAuthority { cardRef customerRef } } userErrors { message } } }`
    const input = {
      accountId: one.account_id,
      offeringId: one.offering_id,
      planId: one.plan_id,
      currency: one.currency,
      subscriber: { name: one.name, email: one.email },
      paymentAuthority: { customerRef: customer, cardRef: card },
    }
    await send({
      method: 'POST',
      path: '/graphql',
      headers: jsonHeaders(admin),
      body: JSON.stringify({ query, variables: { input } }),
    })
  }
  await send({
    method: 'POST',
    path: '/oauth/access_token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...credentials, client_id: 'x', grant_type: 'client_credentials' }),
  })
  await send({
    method: 'POST',
    path: '/v2/subscriptions/subscriptions',
    headers: jsonHeaders(admin),
    body: `{"data": ${card}`,
  })
  await send({ method: 'GET', path: `/graphql?query={__typename}&token=${admin}`, headers: jsonHeaders(`${admin}x`) })
  await send({
    method: 'GET',
    path: `${listing}?filter=eq(sku,${card})`,
    headers: { ...jsonHeaders(admin), 'x-request-id': admin, 'idempotency-key': card },
  })
  expect(new Set(statuses)).toEqual(new Set([200, 201, 400, 401, 403, 422]))
  return [
    admin,
    shopper,
    card,
    customer,
    email,
    name,
    credentials.client_secret,
    signingSecret,
    'eyJ',
    ...(databaseUrl ? [databaseUrl] : []),
  ]
}

/** A request without a response. */
interface Dropped {
  readonly id: string
  readonly error: string
  /** Whether it was the first one of its connection. */
  readonly isFresh: boolean
  /** Milliseconds since its client sent the request before. */
  readonly sinceMs: number
}

/** Clients that never stop sending; the response to each request, and the requests without one. */
function load(server: Running) {
  const statuses: number[] = []
  const dropped: Dropped[] = []
  const client = createClient(server.base, 16)
  let sentCount = 0
  const clientLoop = async (sent: () => HttpRequest): Promise<void> => {
    for (let [before, now] = [0, 0]; ; before = now) {
      now = performance.now()
      const id = `load-${server.child.pid}-${sentCount++}`
      try {
        const request = sent()
        const { status, text } = await client.send({ ...request, headers: { ...request.headers, 'x-request-id': id } })
        statuses.push(status)
        if (request.path === listing && status === 200) assertHierarchyListing(JSON.parse(text))
      } catch (error) {
        // Nobody listens any more: the request never began.
        if (/ECONNREFUSED/.test(String(error))) return
        const { isFresh = false } = error as { isFresh?: boolean }
        dropped.push({ id, error: String(error), isFresh, sinceMs: performance.now() - before })
        return
      }
    }
  }
  let number = 0
  const write = (): HttpRequest => {
    const body = JSON.stringify({
      data: { type: 'product-price', attributes: { sku: `STOP-${server.child.pid}-${number++}`, currencies: {} } },
    })
    return { method: 'POST', path: `/pcm/pricebooks/${seen.book}/prices`, headers: jsonHeaders(server.admin), body }
  }
  const read = (): HttpRequest => ({ method: 'GET', path: listing, headers: jsonHeaders(server.shopper) })
  const graph = (): HttpRequest => ({
    method: 'POST',
    path: '/graphql',
    headers: jsonHeaders(server.shopper),
    body: '{"query":"{ plans { nodes { name } } }"}',
  })
  const ended = Promise.all([write, write, write, read, read, read, graph, graph].map(clientLoop)).then(() =>
    client.close(),
  )
  return { statuses, dropped, ended }
}

test('a whole run of the server logs no secret, drops no request at SIGTERM under load and ends in order, through npm start too', async () => {
  await withWorkspace(databaseUrl, async (place) => {
    const imported = startProgram('import/main', [join(projectRoot, 'prisma/demo.jsonl')], place, {}, shortLived)
    expect(await imported.exit, imported.printed()).toBe(0)
    for (const entry of ['npm start', 'main']) {
      const server = await startServer(
        place,
        { LOG_LEVEL: 'trace', POOL_MAX: '4' },
        entry,
        entry === 'main' ? shortLived : [],
      )
      const secrets = await sendSecrets(server)
      const all = load(server)
      await expect.poll(() => all.statuses.length, { timeout: 120_000 }).toBeGreaterThan(100)
      server.child.kill('SIGTERM')
      const start = performance.now()
      const code = await server.exit
      await all.ended
      expect(performance.now() - start).toBeLessThan(9_500)
      const printed = server.printed()
      // A connection that waits in the system's queue while the port closes is reset, and so may be one whose client
      // was idle for as long as the server waits: these requests never began.
      const mayBeReset = ({ isFresh, sinceMs }: Dropped) => isFresh || sinceMs >= IDLE_CLOSE_MS
      const lost = all.dropped.filter((one) => !mayBeReset(one) || printed.includes(one.id))
      expect([entry, code, lost]).toEqual([entry, 0, []])
      expect(all.statuses.filter((status) => status >= 300)).toEqual([])
      for (const secret of secrets) expect(printed.includes(secret), secret.slice(0, 12)).toBe(false)
      expect(printed).toContain('"msg":"stopped"')
      expect(printed).not.toMatch(/"level":(50|60)/)
      server.client.close()
    }
  })
})

test.runIf(databaseUrl)(
  'two servers that start at once on an empty database migrate it once, and both serve [needs PostgreSQL]',
  async () => {
    await withWorkspace(databaseUrl, async (place) => {
      const servers = await Promise.all([startServer(place), startServer(place)])
      for (const { client, gql } of servers) {
        expect((await client.send({ method: 'GET', path: '/ready' })).status).toBe(200)
        expect(await gql('{ priceBooks { totalCount } }')).toEqual({ data: { priceBooks: { totalCount: 0 } } })
      }
      const client = new pg.Client({ connectionString: place.databaseUrl ?? '' })
      await client.connect()
      const { rows } = await client.query(
        'SELECT migration_name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY 1',
      )
      expect(rows).toEqual(readMigrations().map(({ name }) => ({ migration_name: name, finished: true })))
      await client.end()
      for (const server of servers) await server.kill()
    })
  },
)

test('production refuses to start with the secrets of the demo, or with none', async () => {
  await withWorkspace(null, async (place) => {
    for (const environment of [
      { CLIENT_SECRET: 'demo-secret' },
      { CLIENT_SECRET: '' },
      { AUTH_SECRET: '' },
      { AUTH_SECRET: 'short' },
    ]) {
      const program = startProgram('main', [], place, environment, shortLived)
      expect(await program.exit).toBe(1)
      expect(program.printed()).toContain(Object.keys(environment)[0])
    }
  })
})

test('dependencies have exact versions, and the lockfile has a hash and the registry for each package', () => {
  const { dependencies, devDependencies, overrides } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  )
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...overrides }))
    expect([name, version]).toEqual([name, expect.stringMatching(/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)])
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      {
        integrity?: string
        resolved?: string
        link?: boolean
        bundled?: boolean
        inBundle?: boolean
        optional?: boolean
      }
    >
  }
  for (const [path, { integrity, link, inBundle, optional }] of Object.entries(packages)) {
    if (path === '' || inBundle) continue
    // Of other platforms' packages, which are not installed here, npm notes no more than the exact version.
    expect([path, link ?? false, integrity ?? (optional ? 'sha512-' : '')]).toEqual([
      path,
      false,
      expect.stringMatching(/^sha512-/),
    ])
  }
})
