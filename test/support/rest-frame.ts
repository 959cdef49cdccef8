/** REST frame: the HTTP layer of the facade over routes without a database. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createIssueToken } from '../../src/auth/issue.ts'
import { createAuthenticate } from '../../src/auth/verify.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { Services } from '../../src/request/context.ts'
import { readRequestInfo } from '../../src/request/request-info.ts'
import { listDocument } from '../../src/rest/http/links.ts'
import type { RestRequest, Route } from '../../src/rest/http/route.ts'
import { createRest } from '../../src/rest/server.ts'
import { START, testAuth } from './server.ts'

export const ID = '0198f3c1-0000-7000-8000-000000000001'

export interface FrameRequest {
  /** `admin` (the default) and `shopper` stand for tokens of theirs; null for none. */
  readonly token?: string | null
  readonly type?: string | null
  readonly body?: string | Uint8Array | ReadableStream
  readonly headers?: Record<string, string>
}

/** A REST server with routes that use no database; all members except `ask` are reset before each test. */
export interface Frame {
  base: string
  admin: string
  /** The request that the handler received. */
  seen: RestRequest | undefined
  /** Runs in the handler. */
  outcome: () => void
  /** The result of the rate limit. */
  limited: number | null
  readonly logged: unknown[]
  ask(
    method: string,
    path: string,
    request?: FrameRequest,
  ): Promise<{ status: number; headers: Headers; body: FrameBody }>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
export type FrameBody = any

export function useFrame(): Frame {
  const tokens: Record<string, string> = {}
  const frame: Frame = {
    base: '',
    admin: '',
    seen: undefined,
    outcome: () => {},
    limited: null,
    logged: [],
    async ask(method, path, { token = 'admin', type = 'application/json', body, headers = {} } = {}) {
      const response = await fetch(frame.base + path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${tokens[token] ?? token}` }),
          ...(type && body !== undefined && { 'content-type': type }),
          ...headers,
        },
        ...(body !== undefined && { body: body as BodyInit, duplex: 'half' as const }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
  const server = createServer((req, res) => void rest(req, res, readRequestInfo(req, START)))
  const rest = createFrame(frame)

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    frame.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const issue = createIssueToken(testAuth)
    for (const role of ['admin', 'shopper'] as const) tokens[role] = (await issue({ subject: role, role }, START)).token
    frame.admin = tokens.admin ?? ''
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  beforeEach(() => {
    Object.assign(frame, { seen: undefined, outcome: () => {}, limited: null })
    frame.logged.length = 0
  })
  return frame
}

function createFrame(frame: Frame) {
  const log = { error: (line: unknown) => frame.logged.push(line) }
  const config = { ...loadConfig({ NODE_ENV: 'test', AUTH_SECRET: testAuth.secret }), auth: testAuth }
  const services = { config, database: {}, releases: {}, log } as unknown as Services
  return createRest({
    services,
    authenticate: createAuthenticate(testAuth),
    routes: frameRoutes(frame),
    rateLimit: () => frame.limited,
  })
}

function frameRoutes(frame: Frame): Route[] {
  const document = { id: 'x', tag: 'x', summary: 'x', status: 200 } as const
  const handle = async (request: RestRequest) => {
    frame.seen = request
    frame.outcome()
    return { status: 200, body: { data: request.data ?? null } }
  }
  const list = async (request: RestRequest) => {
    frame.seen = request
    return { status: 200, body: listDocument(request, 60, []) }
  }
  const query = { page: true, filter: { eq: ['sku'], in: ['sku'] } } as const
  return [
    {
      method: 'POST',
      paths: ['/books/{pricebookID}/prices', '/alias/{pricebookID}'],
      right: 'admin',
      body: true,
      document,
      handle,
    },
    { method: 'GET', paths: ['/books/{pricebookID}/prices'], right: 'anyone', query, document, handle: list },
    { method: 'PUT', paths: ['/products/{product_uuid}'], right: 'admin', body: true, document, handle },
    {
      method: 'GET',
      paths: ['/releases/{release_id}'],
      right: 'anyone',
      words: { release_id: ['latest'] },
      document,
      handle,
    },
    { method: 'POST', paths: ['/free'], right: 'anyone', body: true, query: { ignored: ['filter'] }, document, handle },
  ]
}
