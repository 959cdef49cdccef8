import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestDeadline } from '../lib/deadline.ts'

/** What the server knows of a request before it is read. */
export interface RequestInfo {
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly path: string
  /** The raw query string, without its `?`. */
  readonly query: string
  /** Absent where nobody ends requests. */
  readonly deadline?: RequestDeadline | undefined
  /** Set with a 401: why, for the line that the log has of the request. */
  refusal?: string
}

/** RFC 9112, 3.2: there is one Host line; HTTP/1.0 may have none. Of several, Node tells the first alone. */
export function hasSingleHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** The target in its parts. An absolute one names this server; bytes past ASCII never come so far, Node answers 400. */
export function readRequestInfo(req: IncomingMessage, now: number): RequestInfo {
  const target = (req.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = target.indexOf('?')
  const given = req.headers['x-request-id']
  return {
    id: typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID(),
    now,
    path: (mark < 0 ? target : target.slice(0, mark)) || '/',
    query: mark < 0 ? '' : target.slice(mark + 1),
  }
}
