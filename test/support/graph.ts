/** The GraphQL edge alone, over real sockets: any schema, no database, tokens that are the role's name. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GraphQLSchema } from 'graphql'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import type { Bearer } from '../../src/auth/verify.ts'
import type { Viewer } from '../../src/auth/viewer.ts'
import { type Config, loadConfig } from '../../src/config/config.ts'
import { DomainError } from '../../src/domain/input/errors.ts'
import { createGraphqlServer, type GraphqlOptions } from '../../src/graphql/server/server.ts'
import type { Context, Services } from '../../src/request/context.ts'
import { noShopperHeaders } from '../../src/request/context.ts'
import { RequestWork } from '../../src/request/request-work.ts'
import { CachePolicy } from '../../src/response-cache/cache-policy.ts'

export const NOW = Date.UTC(2026, 0, 15, 12)

export function viewer(role: Viewer['role']): Bearer {
  return { subject: role, role, accountId: null, channel: null, tags: [], expiresAt: NOW + 3_600_000, token: role }
}

export function testConfig(config: Partial<Config> = {}): Config {
  return { ...loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'a secret of the tests, long enough for HS256' }), ...config }
}

/** A context for calls that need no database. */
export function testContext(role: Viewer['role'] = 'admin', given: Partial<Context> = {}): Context {
  const config = testConfig()
  return {
    config,
    log: pino({ level: 'silent' }),
    viewer: viewer(role),
    now: NOW,
    shopperHeaders: noShopperHeaders,
    loaders: { forget: () => undefined },
    cachePolicy: new CachePolicy(),
    work: new RequestWork(),
    requestId: 'test',
    ...given,
  } as unknown as Context
}

export interface GraphReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface Graph {
  url: string
  readonly logs: Record<string, unknown>[]
  /** Any request; the token is the admin's unless `token` says another, null for none. */
  send(init: RequestInit & { token?: string | null; path?: string }): Promise<GraphReply>
  /** A JSON POST. */
  post(
    body: unknown,
    options?: { token?: string | null; accept?: string; headers?: Record<string, string> },
  ): Promise<GraphReply>
}

export function useGraph(
  schema?: () => GraphQLSchema,
  config: Partial<Config> = {},
  options: Partial<GraphqlOptions> = {},
): Graph {
  const logs: Record<string, unknown>[] = []
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void logs.push(JSON.parse(line)) })
  // Loaders are made per request but fetch nothing unless a field of the real schema is asked for.
  const database = { prisma: {}, pool: {}, kind: 'embedded' }
  const services = { config: testConfig(config), database, releases: {}, log } as unknown as Services
  const server = createServer()
  // On a busy machine five seconds may pass within a test, and a client may use a connection that is being closed.
  server.keepAliveTimeout = 600_000
  beforeAll(async () => {
    const authenticate = (authorization: string | undefined): Bearer => {
      const role = authorization?.replace('Bearer ', '')
      if (role !== 'admin' && role !== 'shopper') throw new DomainError('unauthenticated')
      return viewer(role)
    }
    const handler = createGraphqlServer(services, { authenticate, issueToken: null, ...options }, schema?.())
    server.on(
      'request',
      (req, res) => void handler(req, res, { id: 'request-1', now: NOW, path: '/graphql', query: '' }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    graph.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const graph: Graph = {
    url: '',
    logs,
    async send({ token = 'admin', path = '', headers, ...init }) {
      const sent = new Headers(headers)
      if (token !== null) sent.set('authorization', `Bearer ${token}`)
      const response = await fetch(graph.url + path, { ...init, headers: sent })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
    },
    post(body, { token, accept, headers = {} } = {}) {
      return graph.send({
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', accept: accept ?? '*/*', ...headers },
        ...(token !== undefined && { token }),
      })
    },
  }
  return graph
}
