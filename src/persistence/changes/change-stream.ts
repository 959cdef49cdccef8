/** Change stream: the changes of one subject for one client, in order: first its backlog, then new entries. */
import {
  type Change,
  type ChangeCursor,
  changesOf,
  type StreamEnd,
  StreamEnded,
  type Subject,
  type VisibleEntry,
} from '../../domain/changes/change.ts'

/** Entries that wait for a client. The stream of a client that lags further ends; the client resumes from its last cursor. */
export const PENDING_MAX = 1000

/** The longest wait of setTimeout, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** The entries that a client missed before it resumed. */
export interface Backlog {
  readonly after: ChangeCursor
  readonly entries: AsyncIterable<VisibleEntry>
  /** The new entry, adjusted to follow the backlog; undefined when the backlog or an earlier stream delivered it. */
  readonly skipDelivered: (entry: VisibleEntry) => VisibleEntry | undefined
}

/** One client's stream. `onEnd` is called once, when the stream ends for any reason. */
export class ChangeStream {
  readonly subject: Subject
  readonly #onEnd: (stream: ChangeStream) => void
  readonly #pending: VisibleEntry[] = []
  #wake: () => void = () => undefined
  #end: StreamEnd | 'left' | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(subject: Subject, onEnd: (stream: ChangeStream) => void) {
    this.subject = subject
    this.#onEnd = onEnd
  }

  /** Queues a new entry; ends the stream as `lagging` when PENDING_MAX entries wait already. */
  push(entry: VisibleEntry): void {
    if (this.#pending.length >= PENDING_MAX) {
      this.end('lagging')
      return
    }
    this.#pending.push(entry)
    this.#wake()
  }

  /** Ends the stream and drops the entries that wait; `left` when the client left. */
  end(reason: StreamEnd | 'left'): void {
    if (this.#end) return
    this.#end = reason
    this.#pending.length = 0
    clearTimeout(this.#timer)
    this.#onEnd(this)
    this.#wake()
  }

  /**
   * The stream's changes; call it once. The client's token expires in `endsIn` milliseconds. The iterator throws StreamEnded when the
   * stream ends for another reason than that the client left.
   */
  changes(endsIn: number, backlog?: Backlog): AsyncIterableIterator<Change, void> {
    this.#expire(endsIn)
    const changes = this.#changes(backlog)
    const iterator: AsyncIterableIterator<Change, void> = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => changes.next(),
      // The generator's own `return` would wait for the next change.
      return: () => {
        this.end('left')
        return changes.return()
      },
    }
    return iterator
  }

  async *#changes(backlog: Backlog | undefined): AsyncGenerator<Change, void> {
    if (backlog) yield* this.#catchUp(backlog)
    while (!this.#end) {
      const entry = this.#pending.shift()
      const next = entry && backlog ? backlog.skipDelivered(entry) : entry
      if (next) yield* this.#untilEnd(changesOf(next))
      else if (!entry) await this.#pushed()
    }
    if (this.#end !== 'left') throw new StreamEnded(this.#end)
  }

  async *#catchUp({ after, entries }: Backlog): AsyncGenerator<Change, void> {
    try {
      for await (const entry of entries) {
        yield* this.#untilEnd(changesOf(entry, after))
        if (this.#end) return
      }
    } catch (error) {
      this.end('left')
      throw error
    }
  }

  *#untilEnd(changes: Iterable<Change>): Generator<Change> {
    for (const change of changes) {
      if (this.#end) return
      yield change
    }
  }

  #pushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #expire(wait: number): void {
    if (wait <= 0) this.end('expired')
    const now = Math.min(wait, LONGEST_WAIT_MS)
    if (!this.#end) this.#timer = setTimeout(() => this.#expire(wait - now), now).unref()
  }
}
