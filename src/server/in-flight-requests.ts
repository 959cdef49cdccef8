/**
 * The requests that are being answered: how many there may be, how long each may take, and how much of them and of their answers may lie in
 * memory. One look at all of them four times a second costs less than a timer for each.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Unavailable } from '../domain/input/errors.ts'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { Logger } from '../lib/log.ts'

/** More requests at once are answered 503 before anything is done for them: they would only wait, and all others with them. */
export const IN_FLIGHT_MAX = 1_000
/** Within it a request is answered, or 503 is. It counts anew while the request still arrives. */
export const DEADLINE_MS = 30_000
/** Bytes of answers, all together, that slow clients may leave unread; beyond it the longest unread are cut off. */
export const UNSENT_MAX = 256 * 1024 * 1024
/**
 * Bytes of requests, all together, that are not answered yet. Beyond it those that have been arriving longest are cut off, and nobody new is
 * taken.
 */
export const RECEIVED_MAX = 256 * 1024 * 1024
const SWEEP_MS = 250
/** Retry-After of a refusal. In a flood it is kept for clients who don't: until then nothing more is read from their connection. */
const SHED_PAUSE_MS = 1_000

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
  /** Of performance.now(). */
  since: number
  /** What its connection had received before. */
  readonly bytesBefore: number
  /** Answers the request with 503, in the words of its edge. */
  readonly refuse: () => void
}

export class InFlightRequests {
  /** In the order in which they began, save those whose request arrived slowly. */
  private readonly requests = new Set<InFlightRequest>()
  private readonly limits: InFlightLimits
  private timer: NodeJS.Timeout | undefined
  private shedCount = 0
  /** At the last look. */
  private received = 0

  constructor(
    private readonly log: Logger,
    limits: Partial<InFlightLimits> = {},
  ) {
    this.limits = { inFlightMax: IN_FLIGHT_MAX, deadlineMs: DEADLINE_MS, unsentMax: UNSENT_MAX, receivedMax: RECEIVED_MAX, ...limits }
  }

  /** The lifetime of a request from now on; null when there are too many: then nothing is to be done for it but to refuse it. */
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

  /** Refuses a request for which there is no room. Floods are told of together, since a line for each would cost more than the refusal. */
  shed(req: IncomingMessage, res: ServerResponse, refuse: () => void): void {
    if (this.shedCount++ === 0) {
      setTimeout(() => {
        this.log.warn({ requests: this.shedCount }, 'too many requests at once: turned away')
        this.shedCount = 0
      }, SHED_PAUSE_MS).unref()
    }
    if (this.shedCount > this.limits.inFlightMax) res.once('close', () => (req.complete ? rest(req) : req.once('end', () => rest(req))))
    refuse()
  }

  close(): void {
    clearInterval(this.timer)
  }

  private sweep(): void {
    const now = performance.now()
    const late = now - this.limits.deadlineMs
    let unsent = 0
    this.received = 0
    for (const request of this.requests) {
      unsent += request.res.writableLength
      this.received += receivedOf(request)
      if (isStream(request.res)) this.requests.delete(request)
      else if (request.since <= late) this.end(request, now)
    }
    if (unsent > this.limits.unsentMax) this.dropSlowReaders(unsent)
    if (this.received > this.limits.receivedMax) this.dropSlowSenders()
  }

  private end(request: InFlightRequest, now: number): void {
    const { req, res, deadline, refuse } = request
    if (!req.complete && !res.headersSent) {
      // The server's own limit ends a request that does not arrive (REQUEST_MS).
      request.since = now
    } else if (res.writableEnded) {
      this.log.warn({ unsent: res.writableLength }, 'a client that does not read its answer was cut off')
      res.destroy()
    } else if (!res.headersSent && !deadline.exempt) {
      deadline.abortReason = new Unavailable('the deadline has passed')
      refuse()
    }
  }

  /** Those that have waited longest go first, until the rest fits. */
  private dropSlowReaders(all: number): void {
    let unsent = all
    for (const { res } of this.requests) {
      if (unsent <= this.limits.unsentMax) return
      if (!res.writableEnded) continue
      unsent -= res.writableLength
      this.log.warn({ unsent: res.writableLength }, 'a client that does not read its answer was cut off')
      res.destroy()
    }
  }

  /** Those that have been arriving longest go first, until the rest fits. */
  private dropSlowSenders(): void {
    for (const request of this.requests) {
      if (this.received <= this.limits.receivedMax) return
      if (request.req.complete || request.res.headersSent) continue
      this.received -= receivedOf(request)
      this.log.warn({ received: receivedOf(request) }, 'a client that is slow to send its request was cut off')
      request.res.destroy()
    }
  }
}

/** Of a request that is not answered yet. */
function receivedOf({ req, res, bytesBefore }: InFlightRequest): number {
  return res.headersSent ? 0 : req.socket.bytesRead - bytesBefore
}

function rest({ socket }: IncomingMessage): void {
  socket.pause()
  setTimeout(() => socket.resume(), SHED_PAUSE_MS).unref()
}

/** Answers without an end in sight bound themselves, and are not counted. */
function isStream(res: ServerResponse): boolean {
  return res.headersSent && !res.writableEnded && String(res.getHeader('content-type')).startsWith('text/event-stream')
}
