/**
 * Bulkhead: a semaphore with a fair queue, so that one kind of work can't take what another needs. A limited number of
 * tasks runs at once. Waiting owners take turns (round robin), and the tasks of one owner go in the order of their
 * arrival (http.writes-leave-room).
 */
import { Overloaded } from '../../domain/input/errors.ts'
import { countShed } from '../../lib/metrics.ts'

interface Waiting {
  readonly start: () => void
}

/** The bulkhead of one kind of work. */
export class Bulkhead {
  /** The number of running tasks. */
  running = 0
  /** The number of waiting tasks. */
  waiting = 0
  /** By owner; the owner whose turn comes next is the first. */
  private readonly queues = new Map<string, Waiting[]>()

  /** Runs at most `max` tasks at once. A task waits at most `waitMs` milliseconds for its start. */
  constructor(
    readonly max: number,
    readonly waitMs: number,
  ) {}

  /** Runs `work` at once when there is room, otherwise in turn. Rejects with Overloaded when it can't start in time. */
  async run<T>(owner: string, work: () => PromiseLike<T>): Promise<T> {
    const turn = this.take(owner)
    if (turn) await turn
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Takes a place, as `run` does, for as long as the caller keeps it. Resolves to what gives it back. */
  async enter(owner: string): Promise<() => void> {
    await this.take(owner)
    return () => this.leave()
  }

  /** Takes a place at once, or resolves when it was the owner's turn to get one. */
  private take(owner: string): Promise<void> | undefined {
    if (this.running >= this.max) return this.wait(owner)
    this.running++
    return undefined
  }

  /** Gives the place to the next owner's first task. */
  private leave(): void {
    const [next] = this.queues
    if (!next) {
      this.running--
      return
    }
    const [owner, [first]] = next
    this.remove(owner, first as Waiting)
    first?.start()
  }

  private wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(owner, entry)
        countShed('connection_queue')
        reject(new Overloaded('it was not its turn in time'))
      }, this.waitMs)
      const entry: Waiting = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const queue = this.queues.get(owner)
      if (queue) queue.push(entry)
      else this.queues.set(owner, [entry])
      this.waiting++
    })
  }

  /** Removes a task from the queue. Its owner's next task comes after those of all other owners. */
  private remove(owner: string, entry: Waiting): void {
    const others = (this.queues.get(owner) ?? []).filter((one) => one !== entry)
    this.queues.delete(owner)
    if (others.length > 0) this.queues.set(owner, others)
    this.waiting--
  }
}

/** The shares of a pool's connections. Work for several requests, such as a batch, has no share and waits little. */
export interface Bulkheads {
  /** Reads of single requests. */
  readonly reads: Bulkhead
  /** Transactions of requests: at most half of the connections, so that pages go on while writes wait for a row. */
  readonly writes: Bulkhead
  /** Searches, whose statements take longest. */
  readonly searches: Bulkhead
  /** Exports, each of which holds a connection for as long as its client reads. */
  readonly exports: Bulkhead
}

/** The bulkheads of a pool of `max` connections. */
export function bulkheadsOf(max: number, waitMs: number): Bulkheads {
  const share = (connections: number): Bulkhead => new Bulkhead(Math.max(1, Math.floor(connections)), waitMs)
  return { reads: share(max - 1), writes: share(max / 2), searches: share(max / 4), exports: share(1) }
}
