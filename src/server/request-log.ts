/** The end of a request: its log line, the line of a slow operation, its metrics, and the span of its trace. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../lib/log.ts'
import { countShed, requestSeconds, requestsTotal } from '../lib/metrics.ts'
import type { RequestTrace } from '../lib/request-trace.ts'
import type { RequestInfo } from '../request/request-info.ts'
import { isEventStream } from './in-flight-requests.ts'
import { NONE, OperationNames } from './monitoring/operation-names.ts'
import type { Traces } from './monitoring/traces.ts'

/** Characters of a document in the log. */
export const SLOW_DOCUMENT_MAX = 2_000
/** The most names of statements in the log line of a slow operation. */
const SLOW_STATEMENTS_MAX = 5

/**
 * Logs and counts each request once its response has ended. The line lacks headers and query string, which may hold
 * secrets.
 */
export class RequestLog {
  private readonly names = new OperationNames()

  /**
   * `slowMs` is SLOW_OPERATION_MS. `isCounting` says whether metrics are served, since counting takes some 8 µs of a
   * request.
   */
  constructor(
    private readonly log: Logger,
    private readonly slowMs: number,
    private readonly isCounting: boolean,
    private readonly traces?: Traces,
  ) {}

  /** Begins the trace, except of probes, which have no deadline, and waits for the end of the response. */
  observe(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): void {
    if (this.traces && requestInfo.deadline) requestInfo.trace = this.traces.begin(req, this.names)
    const start = performance.now()
    const { method } = req
    res.once('close', () => {
      const ms = performance.now() - start
      this.write(method, res, requestInfo, ms)
      if (this.slowMs > 0 && ms >= this.slowMs && !isEventStream(res)) this.writeSlow(requestInfo, ms)
      if (this.isCounting) this.count(res, requestInfo, ms)
      if (requestInfo.trace) this.endTrace(requestInfo.trace, res, requestInfo)
    })
  }

  private write(method: string | undefined, res: ServerResponse, requestInfo: RequestInfo, ms: number): void {
    const { path, refusal } = requestInfo
    const request = { method, path, status: res.statusCode, ms: rounded(ms) }
    const line = { ...idsOf(requestInfo), ...request, ...(refusal && { refusal }) }
    this.log.info(res.writableFinished ? line : { ...line, aborted: true }, 'request')
  }

  /**
   * Names the operation, its document and its statements. It leaves out variables, literals and parameters, which may
   * be personal data.
   */
  private writeSlow(requestInfo: RequestInfo, ms: number): void {
    const { path, operation, document, statements } = requestInfo
    const { hash, text } = document?.() ?? {}
    const described = hash && text && { documentHash: hash, document: text.slice(0, SLOW_DOCUMENT_MAX) }
    const mostSent = statements?.most(SLOW_STATEMENTS_MAX)
    const waited = statements && { statements: statements.count, mostSent, databaseMs: rounded(statements.ms) }
    const request = { path, operation: operation ?? NONE, ms: rounded(ms) }
    this.log.warn({ ...idsOf(requestInfo), ...request, ...waited, ...described }, 'slow operation')
  }

  private count(res: ServerResponse, requestInfo: RequestInfo, ms: number): void {
    const edge = edgeOf(requestInfo)
    const operation = edge === 'graphql' ? this.names.labelOf(requestInfo.operation) : (requestInfo.operation ?? NONE)
    requestsTotal.inc({ edge, operation, outcome: outcomeOf(res, requestInfo) })
    if (!isEventStream(res)) requestSeconds.observe({ edge, operation }, ms / 1_000)
    if (res.statusCode === 429) countShed('rate_limit')
  }

  private endTrace(trace: RequestTrace, res: ServerResponse, requestInfo: RequestInfo): void {
    const status = res.headersSent ? res.statusCode : null
    const { operation } = requestInfo
    if (edgeOf(requestInfo) === 'rest') trace.end({ status, route: operation?.split(' ')[1] ?? null, operation: null })
    else
      trace.end({
        status,
        route: requestInfo.path,
        operation: operation === undefined ? null : this.names.labelOf(operation),
      })
  }
}

function edgeOf({ path }: RequestInfo): 'graphql' | 'rest' {
  return path === '/graphql' ? 'graphql' : 'rest'
}

/** The ids by which a log line is found. */
function idsOf({ id, trace }: RequestInfo): object {
  return { requestId: id, ...(trace && { traceId: trace.id }) }
}

/** Rounds to tenths of milliseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

function outcomeOf(res: ServerResponse, { graphqlErrors }: RequestInfo): string {
  if (!res.writableFinished) return 'aborted'
  if (res.statusCode >= 500) return 'server_error'
  if (res.statusCode >= 400) return 'client_error'
  return graphqlErrors ?? 'ok'
}
