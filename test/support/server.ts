/** Test server: the whole server over real sockets, with a clock that tests move. */
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { createIssueToken, type IssueToken } from '../../src/auth/issue.ts'
import { createAuthenticate } from '../../src/auth/verify.ts'
import { defaultClaims, type SecretAuth } from '../../src/config/auth-config.ts'
import { type Config, loadConfig } from '../../src/config/config.ts'
import type { StreamLimits } from '../../src/graphql/server/open-streams.ts'
import type { GraphqlHandler } from '../../src/graphql/server/server.ts'
import { createGraphqlServer } from '../../src/graphql/server/server.ts'
import type { Logger } from '../../src/lib/log.ts'
import { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import { ChangeFeed } from '../../src/persistence/changes/change-feed.ts'
import { SaleClock } from '../../src/persistence/changes/sale-clock.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { ImportWatch } from '../../src/persistence/imports/import-watch.ts'
import type { Services } from '../../src/request/context.ts'
import { rateLimitOf } from '../../src/request/rate-limit.ts'
import { type App, type AppParts, createApp } from '../../src/server/app.ts'
import { assertHierarchyListing } from './contract-schema.ts'

/** The authentication of test servers. */
export const testAuth: SecretAuth = {
  kind: 'secret',
  secret: 'a secret of the tests, long enough for HS256',
  clientId: 'demo',
  clientSecret: 'demo-secret',
  issuer: null,
  audience: null,
  claims: defaultClaims,
}

/** The instant at which tests start, in epoch milliseconds; tokens count whole seconds. */
export const START = Date.UTC(2026, 0, 15, 12)

/** A response of the server. */
export interface RestReply {
  readonly status: number
  readonly headers: Headers
  /** The parsed body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly body: any
  readonly text: string
}

/** A request to the server. */
export interface RestOptions {
  /** Sent as the bearer token; the admin's by default, null for none. */
  readonly token?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array | ReadableStream
  readonly headers?: Readonly<Record<string, string>>
}

/** A running test server. */
export interface TestServer {
  readonly url: string
  readonly admin: string
  readonly shopper: string
  readonly services: Services
  readonly app: App
  /** What was logged, one object per line, oldest first. */
  readonly logs: Record<string, unknown>[]
  /** Epoch milliseconds of the server's clock. */
  now: number
  issue: IssueToken
  rest(method: string, path: string, options?: RestOptions): Promise<RestReply>
  /** Returns the GraphQL response with its `status` and `headers`. */
  gql(
    query: string,
    variables?: Record<string, unknown>,
    options?: Omit<RestOptions, 'body' | 'raw'>,
  ): Promise<RestReply['body']>
  stop(): Promise<void>
}

/** The settings of a test server that differ from the defaults. */
export interface TestServerOptions {
  readonly config?: Partial<Config>
  readonly graphql?: GraphqlHandler
  readonly limits?: AppParts['limits']
  readonly keys?: AppParts['keys']
  readonly connections?: AppParts['connections']
  readonly streams?: Partial<StreamLimits>
  /** The limiter of long bodies, instead of the server's own. */
  readonly bodyLimiter?: Services['bodyLimiter']
  /** The clock of the release cache, in milliseconds, instead of the machine's. */
  readonly elapsed?: () => number
}

/**
 * A clock that moves only when the test changes `ahead`, in milliseconds: for tests that count statements, since the
 * release cache refreshes with age (release.seen-within-a-second). No two readings are equal.
 */
export function manualClock(): (() => number) & { ahead: number } {
  const elapsed = () => {
    elapsed.ahead += 0.000_1
    return elapsed.ahead
  }
  elapsed.ahead = 0
  return elapsed
}

/** Starts the whole server on a free port, on `database`, with a clock that only the test moves. */
export async function startTestServer(database: Database, options: TestServerOptions = {}): Promise<TestServer> {
  const defaults = loadConfig({ NODE_ENV: 'test', AUTH_SECRET: testAuth.secret })
  // On a busy machine any operation may be slow, and would add a line to what is logged.
  const config: Config = { ...defaults, auth: testAuth, slowOperationMs: 0, ...options.config }
  const logs: Record<string, unknown>[] = []
  const log: Logger = pino(
    { level: 'debug', base: null },
    { write: (line: string) => void logs.push(JSON.parse(line)) },
  )
  const releases = new ReleaseCache(database, { elapsed: options.elapsed })
  const changes = new ChangeFeed({ database, releases, log, clock: () => server.now })
  const saleClock = new SaleClock({ database, releases, log, clock: () => server.now })
  const { graphql, streams, bodyLimiter } = options
  const services: Services = {
    config,
    database,
    releases,
    changes,
    saleClock,
    importWatch: new ImportWatch({ database, log }),
    log,
    ...(bodyLimiter && { bodyLimiter }),
  }
  const issue = createIssueToken(testAuth)
  const traces =
    config.tracesEndpoint === null
      ? undefined
      : (await import('../../src/server/monitoring/traces.ts')).createTraces(
          database,
          log,
          config.tracesEndpoint,
          config.proxies,
        )
  const app = createApp({
    services,
    clock: () => server.now,
    authenticate: createAuthenticate(config.auth, options.keys),
    ...(options.keys && { keys: options.keys }),
    issue: config.auth.kind === 'secret' ? issue : null,
    rateLimit: rateLimitOf(config.rateLimit, database, () => server.now),
    traces,
    createGraphql: (given, parts) => graphql ?? createGraphqlServer(given, { ...parts, ...(streams && { streams }) }),
    ...(options.limits && { limits: options.limits }),
    ...(options.connections && { connections: options.connections }),
  })
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const server: TestServer = {
    url,
    services,
    app,
    logs,
    issue,
    now: START,
    admin: (await issue({ subject: 'admin', role: 'admin' }, START)).token,
    shopper: (await issue({ subject: 'shopper', role: 'shopper' }, START)).token,
    rest: (method, path, rest = {}) => call(server, method, path, rest),
    async gql(query, variables = {}, { token, headers } = {}) {
      const reply = await call(server, 'POST', '/graphql', {
        body: { query, variables },
        ...(token !== undefined && { token }),
        ...(headers && { headers }),
      })
      return { ...reply.body, status: reply.status, headers: reply.headers }
    },
    stop: () => app.stop(1_000),
  }
  return server
}

/** One server for a test file; its members may be used from the first hook or test on. */
export function useServer(database: Database, options?: TestServerOptions): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    const started = await startTestServer(database, options)
    Object.defineProperties(server, Object.getOwnPropertyDescriptors(started))
    Object.defineProperty(server, 'now', {
      get: () => started.now,
      set: (now: number) => {
        started.now = now
      },
    })
  })
  afterAll(() => server.stop())
  return server
}

async function call(
  server: TestServer,
  method: string,
  path: string,
  { token = server.admin, body, raw, headers = {} }: RestOptions,
): Promise<RestReply> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const init = {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      // fetch would ask for compressed responses; test/server/compression.test.ts does.
      'accept-encoding': 'identity',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent as BodyInit, duplex: 'half' as const }),
  }
  const response = await fetch(server.url + path, init)
  const text = await response.text()
  const reply = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : parsed(text),
    text,
  }
  if (reply.status === 200 && method === 'GET' && hierarchyListing.test(path)) assertHierarchyListing(reply.body)
  return reply
}

/** The paths of hierarchy listings, whose responses are all validated by the contract's schema. */
const hierarchyListing = /^[^?]*\/hierarchies\/[^/?]+\/(relationships\/)?products(\?|$)/

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
