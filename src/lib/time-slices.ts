/**
 * Time slices: cooperative scheduling of long work, which yields to the event loop after a few milliseconds and goes on
 * in a later turn.
 *
 * One turn runs one slice for the work of all requests together. So other requests, /health and responses of the
 * database wait for a slice, not for a whole query. Slices alternate between light and heavy requests. Of each kind the
 * earliest runs first, so that one request ends before the next begins.
 */

/** Milliseconds of work per turn of the event loop. */
export const SLICE_MS = 5
/**
 * Connections that may be accepted between two slices. Node accepts one in a turn of the event loop, so that behind 200
 * clients that connect at once /health would wait for 200 slices.
 */
export const ACCEPTED_MAX = 50

/** A request whose work is sliced. */
export interface Waiter {
  readonly isHeavy: boolean
  /** Order of arrival; later requests have higher numbers. */
  readonly order: number
}

/** The waiting work of one request: `entries` from the index `next` on. */
interface Queue {
  readonly waiter: Waiter
  readonly entries: (() => void)[]
  next: number
}

/** The scheduler; one per process. */
export class TimeSlices {
  /** Start of the current slice (performance.now(), ms), valid while `begun`. */
  private start = 0
  private begun = false
  private scheduled = false
  private heavyFirst = false
  /** Whether a connection was accepted since the last turn, and how many turns in a row were left to others. */
  private hasAccepted = false
  private skipped = 0
  private readonly waiting = new Map<Waiter, Queue>()
  /** The queue that this slice resumes. */
  private current: Queue | undefined
  private running: Waiter | undefined

  /**
   * Asks for time for work of `waiter`. Undefined when the caller may go on at once; otherwise a promise that resolves
   * when it may.
   */
  turn(waiter: Waiter): Promise<void> | undefined {
    if (!this.hasAccepted && (this.waiting.size === 0 || this.running === waiter) && !this.isUsed()) return undefined
    return new Promise((resolve) => {
      let queue = this.waiting.get(waiter)
      if (!queue) {
        queue = { waiter, entries: [], next: 0 }
        this.waiting.set(waiter, queue)
      }
      queue.entries.push(resolve)
      this.schedule()
    })
  }

  /** Reports that a connection was accepted: others may wait behind it, so the next slice waits for a turn. */
  accept(): void {
    this.hasAccepted = true
  }

  private isSkipped(): boolean {
    this.skipped = this.hasAccepted && this.skipped < ACCEPTED_MAX ? this.skipped + 1 : 0
    this.hasAccepted = false
    return this.skipped > 0
  }

  private isUsed(): boolean {
    if (this.begun) return performance.now() - this.start >= SLICE_MS
    this.begin()
    return false
  }

  private begin(): void {
    this.begun = true
    this.start = performance.now()
    setImmediate(() => {
      this.begun = false
    })
  }

  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      if (this.isSkipped()) return this.schedule()
      this.heavyFirst = !this.heavyFirst
      this.current = undefined
      this.running = undefined
      this.begin()
      this.resume()
    })
  }

  /** Resumes one entry, then after its synchronous work the next, until the slice is used up. */
  private resume(): void {
    if (this.waiting.size === 0) return
    if (this.isUsed()) this.schedule()
    else {
      this.takeNext()()
      // A tick from within a microtask comes after all microtasks: then the resumed request has run until its next
      // wait, and its time counts.
      queueMicrotask(() => process.nextTick(() => this.resume()))
    }
  }

  /** The next entry of the current queue, else of the first queue in order. */
  private takeNext(): () => void {
    const queue = this.current ?? this.first()
    this.running = queue.waiter
    const resolve = queue.entries[queue.next++] as () => void
    const isEmpty = queue.next === queue.entries.length
    if (isEmpty) this.waiting.delete(queue.waiter)
    this.current = isEmpty ? undefined : queue
    return resolve
  }

  private first(): Queue {
    let first: Queue | undefined
    for (const queue of this.waiting.values()) if (!first || this.isBefore(queue.waiter, first.waiter)) first = queue
    return first as Queue
  }

  private isBefore(one: Waiter, other: Waiter): boolean {
    if (one.isHeavy !== other.isHeavy) return one.isHeavy === this.heavyFirst
    return one.order < other.order
  }
}
