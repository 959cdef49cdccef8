/**
 * In-flight requests: admission, deadlines and load shedding.
 *
 * More than IN_FLIGHT_MAX concurrent requests are refused with 503 before any work is done. Every request has
 * DEADLINE_MS. A sweep four times a second aborts late ones, which costs less than a timer per request. Clients that
 * read or send too slowly are disconnected, oldest first, once all of them together hold more than UNSENT_MAX or
 * RECEIVED_MAX bytes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Unavailable } from '../domain/input/errors.ts'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { Logger } from '../lib/log.ts'
import { countShed } from '../lib/metrics.ts'
import { isWritten, unsentBytes } from './compression.ts'

/** Concurrent requests. More are shed, since they would only wait and slow down all others. */
export const IN_FLIGHT_MAX = 1_000
/** Milliseconds until a request without a response gets 503. They begin anew while the request still arrives. */
export const DEADLINE_MS = 30_000
/**
 * Bytes of responses that all slow clients together leave unread. Beyond this the clients of the oldest responses are
 * disconnected.
 */
export const UNSENT_MAX = 256 * 1024 * 1024
/**
 * Bytes of all requests without a response. Beyond this the clients that have been sending longest are disconnected,
 * and no new request is admitted.
 */
export const RECEIVED_MAX = 256 * 1024 * 1024
const SWEEP_MS = 250
/**
 * Milliseconds for which the server reads nothing more from the connection of a shed request, so that a flood meets
 * backpressure.
 */
const SHED_PAUSE_MS = 1_000

/** Limits of admission; tests lower them. */
export interface InFlightLimits {
  readonly inFlightMax: number
  readonly deadlineMs: number
  readonly unsentMax: number
  readonly receivedMax: number
}

interface InFlightRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly deadline: RequestDeadline
  /** When its deadline began, by performance.now(). */
  since: number
  /** Bytes that its connection had received before. */
  readonly bytesBefore: number
  /** Responds with 503 in the format of the request's edge. */
  readonly refuse: () => void
}

/** Admission control of the HTTP server: one instance per server. */
export class InFlightRequests {
  /** In the order of admission. */
  private readonly requests = new Set<InFlightRequest>()
  private readonly limits: InFlightLimits
  private timer: NodeJS.Timeout | undefined
  private shedCount = 0
  /** Bytes of requests without a response, at the last sweep. */
  private received = 0

  constructor(
    private readonly log: Logger,
    limits: Partial<InFlightLimits> = {},
  ) {
    this.limits = {
      inFlightMax: IN_FLIGHT_MAX,
      deadlineMs: DEADLINE_MS,
      unsentMax: UNSENT_MAX,
      receivedMax: RECEIVED_MAX,
      ...limits,
    }
  }

  /** The number of requests in flight. */
  get count(): number {
    return this.requests.size
  }

  /**
   * Admits a request and returns its deadline. Null when there are too many requests or bytes: then the caller must
   * shed it.
   */
  admit(req: IncomingMessage, res: ServerResponse, refuse: () => void): RequestDeadline | null {
    if (this.requests.size >= this.limits.inFlightMax || this.received > this.limits.receivedMax) return null
    const deadline: RequestDeadline = { abortReason: null, exempt: false }
    const request = { req, res, deadline, since: performance.now(), bytesBefore: req.socket.bytesRead, refuse }
    this.requests.add(request)
    this.timer ??= setInterval(() => this.sweep(), SWEEP_MS).unref()
    res.once('close', () => {
      this.requests.delete(request)
      if (!res.writableFinished) deadline.abortReason ??= new Unavailable('the client is gone')
    })
    return deadline
  }

  /**
   * Load shedding: refuses a request. Shed requests are logged as one count per second, since a line costs more than a
   * refusal.
   */
  shed(req: IncomingMessage, res: ServerResponse, refuse: () => void): void {
    countShed(this.requests.size >= this.limits.inFlightMax ? 'in_flight' : 'received_bytes')
    if (this.shedCount++ === 0) {
      setTimeout(() => {
        this.log.warn({ requests: this.shedCount }, 'shed requests: too many at once')
        this.shedCount = 0
      }, SHED_PAUSE_MS).unref()
    }
    if (this.shedCount > this.limits.inFlightMax)
      res.once('close', () => (req.complete ? pauseReading(req) : req.once('end', () => pauseReading(req))))
    refuse()
  }

  /** Ends the sweep, once the server has stopped. */
  close(): void {
    clearInterval(this.timer)
  }

  private sweep(): void {
    const now = performance.now()
    const late = now - this.limits.deadlineMs
    let unsent = 0
    this.received = 0
    for (const request of this.requests) {
      unsent += unsentBytes(request.res)
      this.received += receivedOf(request)
      if (isStream(request.res)) this.requests.delete(request)
      else if (request.since <= late) this.end(request, now)
    }
    if (unsent > this.limits.unsentMax) this.dropSlowReaders(unsent)
    if (this.received > this.limits.receivedMax) this.dropSlowSenders()
  }

  /** Applies the deadline to a late request. */
  private end(request: InFlightRequest, now: number): void {
    const { req, res, deadline, refuse } = request
    if (!req.complete && !res.headersSent) {
      // A request that still arrives gets BODY_MS (connections.ts).
      request.since = now
    } else if (isWritten(res)) this.dropSlowReader(res)
    else if (!res.headersSent && !deadline.exempt) {
      deadline.abortReason = new Unavailable('the deadline has passed')
      countShed('deadline')
      refuse()
    }
  }

  /** Disconnects the clients of the oldest unread responses until the rest fits into the limit. */
  private dropSlowReaders(all: number): void {
    let unsent = all
    for (const { res } of this.requests) {
      if (unsent <= this.limits.unsentMax) return
      if (!isWritten(res)) continue
      unsent -= unsentBytes(res)
      this.dropSlowReader(res)
    }
  }

  private dropSlowReader(res: ServerResponse): void {
    const details = { requestId: res.getHeader('X-Request-Id'), unsent: unsentBytes(res) }
    this.log.warn(details, 'disconnected a client that does not read its response')
    res.destroy()
  }

  /** Disconnects the clients whose requests have been arriving longest until the rest fits into the limit. */
  private dropSlowSenders(): void {
    for (const request of this.requests) {
      if (this.received <= this.limits.receivedMax) return
      if (request.req.complete || request.res.headersSent) continue
      this.received -= receivedOf(request)
      const details = { requestId: request.res.getHeader('X-Request-Id'), received: receivedOf(request) }
      this.log.warn(details, 'disconnected a client that sends its request too slowly')
      request.res.destroy()
    }
  }
}

/** Bytes in memory of a request without a response; 0 once its response has started, and of a body that is streamed. */
function receivedOf({ req, res, bytesBefore, deadline }: InFlightRequest): number {
  return res.headersSent || deadline.isStreamed ? 0 : req.socket.bytesRead - bytesBefore
}

function pauseReading({ socket }: IncomingMessage): void {
  socket.pause()
  setTimeout(() => socket.resume(), SHED_PAUSE_MS).unref()
}

/** Event streams have limits of their own (graphql/server/open-streams.ts) and no deadline. */
function isStream(res: ServerResponse): boolean {
  return res.headersSent && !res.writableEnded && isEventStream(res)
}

/** Whether the response is a stream of events, open or ended. */
export function isEventStream(res: ServerResponse): boolean {
  return String(res.getHeader('content-type')).startsWith('text/event-stream')
}
