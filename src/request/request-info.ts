import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { RequestTrace } from '../lib/request-trace.ts'
import { StatementTally } from '../persistence/database/statement-tally.ts'

/** Basic facts of a request, known before its body is read: id, instant, path and query. */
export interface RequestInfo {
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Set for HEAD, which everything but GraphQL and the log treats as GET. */
  readonly isHead?: boolean
  readonly path: string
  /** The raw query string, without its `?`. */
  readonly query: string
  /** Absent for /health and /ready, which are not subject to admission. */
  readonly deadline?: RequestDeadline | undefined
  /** Set with a 401: the reason, for the request's log line. */
  refusal?: string
  /**
   * Set once it is known: the name of the GraphQL operation, '' for an anonymous one, or the REST route, such as `GET
   * /health`.
   */
  operation?: string | undefined
  /** Set with the operation of a document that was parsed: its hash and its text, for the log. */
  document?: () => { readonly hash: string; readonly text: string }
  /** Counts the statements that are sent for it. */
  readonly statements?: StatementTally
  /** Set with a deadline while traces are on. */
  trace?: RequestTrace
  /** Set for a GraphQL response with status 200 that has errors: whether one of them is the server's fault. */
  graphqlErrors?: 'client_error' | 'server_error'
}

/**
 * Whether the request has exactly one Host header (RFC 9112, 3.2); HTTP/1.0 may have none. `req.headers` has only the
 * first of several.
 */
export function hasSingleHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  ).length
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/**
 * Splits the request target, also an absolute one, and takes over a well-formed X-Request-Id. `now` in epoch
 * milliseconds.
 */
export function readRequestInfo(req: IncomingMessage, now: number): RequestInfo {
  const target = (req.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  const given = req.headers['x-request-id']
  return {
    id: typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID(),
    now,
    statements: new StatementTally(),
    isHead: req.method === 'HEAD',
    path: (mark < 0 ? target : target.slice(0, mark)) || '/',
    query: mark < 0 ? '' : target.slice(mark + 1),
  }
}
