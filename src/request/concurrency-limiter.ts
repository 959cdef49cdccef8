/**
 * Concurrency limit (admission control by work): bounds the work of all requests that run at once, for the process and
 * for each token.
 *
 * A request acquires a permit for its estimated points before it runs. When there is none, it waits to be admitted,
 * lightest first (time-slices.ts orders what runs), and is refused with 503 after QUEUE_TIMEOUT_MS. Heavy requests have
 * a limit of their own, so that pages are served while trees of pages wait. A request that exceeds its estimate waits
 * for a larger permit; the first of those always gets it, so that they can't deadlock.
 */
import { Overloaded } from '../domain/input/errors.ts'
import { countShed } from '../lib/metrics.ts'

/** Points of work (request-work.ts) up to which a request is light; above it is heavy. */
export const HEAVY_POINTS = 2_000
/** Points of all light requests that run at once: half a second of one core. */
export const LIGHT_WORK_MAX = 100_000
/** Points of all heavy requests that run at once: a second of one core. TOKEN_WORK_MAX bounds those of one token. */
export const HEAVY_WORK_MAX = 200_000
export const TOKEN_WORK_MAX = 150_000
/** Milliseconds that a request waits for a permit. */
export const QUEUE_TIMEOUT_MS = 2_000
/** Requests in the queue. When there are more, the heaviest is refused. */
export const QUEUE_MAX = 200

interface Waiting {
  readonly permit: WorkPermit
  /** The whole size that the permit waits for. */
  readonly points: number
  readonly grant: () => void
  readonly refuse: (reason: Overloaded) => void
}

/** What a limiter grants at once, in points. */
export interface ConcurrencyLimits {
  /** What waits in its queue, for the metrics. */
  readonly queue: 'work' | 'body'
  /** The size up to which a request is light. */
  readonly lightUpTo: number
  readonly lightMax: number
  readonly heavyMax: number
  /** The limit of the heavy requests of one token. */
  readonly tokenMax: number
}

const workLimits: ConcurrencyLimits = {
  queue: 'work',
  lightUpTo: HEAVY_POINTS,
  lightMax: LIGHT_WORK_MAX,
  heavyMax: HEAVY_WORK_MAX,
  tokenMax: TOKEN_WORK_MAX,
}

/** A concurrency limit of one process: of work by default, of bodies with other limits (long-bodies.ts). */
export class ConcurrencyLimiter {
  private light = 0
  private heavy = 0
  private readonly heavyByToken = new Map<string, number>()
  /** The queue: fewest points first, then in the order of arrival. */
  private readonly waiting: Waiting[] = []
  /** Permits of requests that exceeded their estimate and became heavy, in that order. */
  private readonly grown = new Set<WorkPermit>()

  constructor(private readonly limits = workLimits) {}

  /** A permit for so many points. Rejects with Overloaded when there is none in time or the queue is full. */
  async acquire(token: string, points: number): Promise<WorkPermit> {
    const permit = new WorkPermit(this, token)
    await this.resize(permit, points)
    return permit
  }

  /** Changes the size of a permit: undefined when that is possible at once, else a promise (see WorkPermit.resize). */
  resize(permit: WorkPermit, exact: number): Promise<void> | undefined {
    // Whole points, since sums of fractions drift.
    const points = Math.ceil(exact)
    if (permit.points > 0 && points > this.limits.lightUpTo) this.grown.add(permit)
    this.set(permit, 0)
    const wait = this.fits(permit, points) ? this.set(permit, points) : this.wait(permit, points)
    // The points that the permit gave back may be enough for others.
    this.grantWaiting()
    return wait
  }

  /** Gives back all points of a permit and removes it from the queue. */
  release(permit: WorkPermit): void {
    // Points that were granted after the release would never be given back.
    for (const entry of this.waiting.filter((one) => one.permit === permit))
      entry.refuse(new Overloaded('the request has ended'))
    this.set(permit, 0)
    this.grown.delete(permit)
    this.grantWaiting()
  }

  private grantWaiting(): void {
    for (const entry of [...this.waiting]) if (this.fits(entry.permit, entry.points)) entry.grant()
  }

  private fits(permit: WorkPermit, points: number): boolean {
    const { lightUpTo, lightMax, heavyMax, tokenMax } = this.limits
    if (points <= lightUpTo) return this.light + points <= lightMax
    const [first] = this.grown
    if (permit === first) return true
    return this.heavy + points <= heavyMax && (this.heavyByToken.get(permit.token) ?? 0) + points <= tokenMax
  }

  private set(permit: WorkPermit, points: number): undefined {
    this.count(permit, -1)
    permit.points = points
    this.count(permit, 1)
  }

  private count({ points, token }: WorkPermit, sign: 1 | -1): void {
    if (points <= this.limits.lightUpTo) this.light += sign * points
    else {
      this.heavy += sign * points
      const ofToken = (this.heavyByToken.get(token) ?? 0) + sign * points
      if (ofToken > 0) this.heavyByToken.set(token, ofToken)
      else this.heavyByToken.delete(token)
    }
  }

  private wait(permit: WorkPermit, points: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        countShed(`${this.limits.queue}_queue_timeout`)
        entry.refuse(new Overloaded('no permit was available in time'))
      }, QUEUE_TIMEOUT_MS)
      const dequeue = (): void => {
        clearTimeout(timer)
        this.waiting.splice(this.waiting.indexOf(entry), 1)
      }
      const entry: Waiting = {
        permit,
        points,
        grant: () => {
          dequeue()
          this.set(permit, points)
          resolve()
        },
        refuse: (reason) => {
          dequeue()
          reject(reason)
        },
      }
      const index = this.waiting.findIndex((other) => other.points > points)
      this.waiting.splice(index < 0 ? this.waiting.length : index, 0, entry)
      if (this.waiting.length <= QUEUE_MAX) return
      countShed(`${this.limits.queue}_queue_full`)
      this.waiting.at(-1)?.refuse(new Overloaded('too much work waits'))
    })
  }
}

/** A running request's share of the concurrent work. */
export class WorkPermit {
  /** Its size; 0 while it waits and after its release. */
  points = 0

  constructor(
    private readonly work: ConcurrencyLimiter,
    /** The token that the work belongs to, or a name for it. */
    readonly token: string,
  ) {}

  /**
   * Changes its size. Undefined when that is possible at once, else a promise, which rejects with Overloaded when it
   * takes too long.
   */
  resize(points: number): Promise<void> | undefined {
    return this.work.resize(this, points)
  }

  /** Gives back all its points. */
  release(): void {
    this.work.release(this)
  }
}
