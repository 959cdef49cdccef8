/** The end of a request: its log line, that of a slow operation, and its metrics. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../lib/log.ts'
import { countShed, requestSeconds, requestsTotal } from '../lib/metrics.ts'
import type { RequestInfo } from '../request/request-info.ts'
import { isEventStream } from './in-flight-requests.ts'
import { NONE, OperationNames } from './monitoring/operation-names.ts'

/** Characters of a document in the log. */
export const SLOW_DOCUMENT_MAX = 2_000

/** Logs each request, and counts it, once its response has ended; the line is without headers and query string, which may hold secrets. */
export class RequestLog {
  private readonly names = new OperationNames()

  /** `slowMs`: SLOW_OPERATION_MS; `isCounting`: whether metrics are served, since counting takes some 8 µs of a request. */
  constructor(
    private readonly log: Logger,
    private readonly slowMs: number,
    private readonly isCounting: boolean,
  ) {}

  /** Waits for the end of the response. */
  observe(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): void {
    const start = performance.now()
    res.once('close', () => {
      const ms = performance.now() - start
      this.write(req, res, requestInfo, ms)
      if (this.slowMs > 0 && ms >= this.slowMs && !isEventStream(res)) this.writeSlow(requestInfo, ms)
      if (this.isCounting) this.count(res, requestInfo, ms)
    })
  }

  private write(req: IncomingMessage, res: ServerResponse, { id, path, refusal }: RequestInfo, ms: number): void {
    const line = { requestId: id, method: req.method, path, status: res.statusCode, ms: rounded(ms), ...(refusal && { refusal }) }
    this.log.info(res.writableFinished ? line : { ...line, aborted: true }, 'request')
  }

  /** Names the operation and its document; without variables and literals, which may be personal data. */
  private writeSlow({ id, operation, document, statements }: RequestInfo, ms: number): void {
    const { hash, text } = document?.() ?? {}
    const described = hash && text && { documentHash: hash, document: text.slice(0, SLOW_DOCUMENT_MAX) }
    const asked = statements && { statements: statements.count, databaseMs: rounded(statements.ms) }
    this.log.warn({ requestId: id, operation: operation ?? NONE, ms: rounded(ms), ...asked, ...described }, 'slow operation')
  }

  private count(res: ServerResponse, requestInfo: RequestInfo, ms: number): void {
    const edge = requestInfo.path === '/graphql' ? 'graphql' : 'rest'
    const operation = edge === 'graphql' ? this.names.labelOf(requestInfo.operation) : (requestInfo.operation ?? NONE)
    requestsTotal.inc({ edge, operation, outcome: outcomeOf(res, requestInfo) })
    if (!isEventStream(res)) requestSeconds.observe({ edge, operation }, ms / 1_000)
    if (res.statusCode === 429) countShed('rate_limit')
  }
}

/** Tenths of milliseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

function outcomeOf(res: ServerResponse, { graphqlErrors }: RequestInfo): string {
  if (!res.writableFinished) return 'aborted'
  if (res.statusCode >= 500) return 'server_error'
  if (res.statusCode >= 400) return 'client_error'
  return graphqlErrors ?? 'ok'
}
