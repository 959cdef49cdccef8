/**
 * Cooperative scheduling: long work of a request gives way to the event loop after a few milliseconds, and goes on in a later turn of it.
 *
 * One turn runs one slice of all requests' work together, so other requests, /health and the database's responses wait for a slice and not
 * for a query. Slices alternate between light and heavy requests: the lightest of the light ones runs first, and the
 * earliest of the heavy ones, so that a heavy request ends before the next one starts.
 */

/** Milliseconds of work in one turn of the event loop. */
export const SLICE_MS = 5

export interface Waiter {
  readonly isHeavy: boolean
  /** How much work it is, in any unit. */
  readonly weight: number
  /** Rises with each request. */
  readonly order: number
}

/** What of one waiter waits, from `next` on. */
interface Queue {
  readonly waiter: Waiter
  readonly entries: (() => void)[]
  next: number
}

export class TimeSlices {
  /** Of performance.now(); of the turn that runs, while `begun`. */
  private start = 0
  private begun = false
  private scheduled = false
  private heavyFirst = false
  private readonly waiting = new Map<Waiter, Queue>()
  /** Who goes on in this slice. */
  private current: Queue | undefined
  private running: Waiter | undefined

  /** Undefined when the caller may go on; else what resolves when it may. */
  turn(waiter: Waiter): Promise<void> | undefined {
    if ((this.waiting.size === 0 || this.running === waiter) && !this.isUsed()) return undefined
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
      this.heavyFirst = !this.heavyFirst
      this.current = undefined
      this.running = undefined
      this.begin()
      this.resume()
    })
  }

  /** Lets one go on, and after what it does at once the next, until the slice is used. */
  private resume(): void {
    if (this.waiting.size === 0) return
    if (this.isUsed()) this.schedule()
    else {
      this.takeNext()()
      // A tick from within a microtask comes after all microtasks: then the resumed request has run until its next wait, and its time counts.
      queueMicrotask(() => process.nextTick(() => this.resume()))
    }
  }

  /** Of who goes on already, else of who is first. */
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
    return one.isHeavy || one.weight === other.weight ? one.order < other.order : one.weight < other.weight
  }
}
