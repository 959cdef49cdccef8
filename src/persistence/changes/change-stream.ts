import {
  type Change,
  type ChangeCursor,
  changesOf,
  type StreamEnd,
  StreamEnded,
  type Subject,
  type VisibleEntry,
} from '../../domain/changes/change.ts'

/** Notes that wait for a reader. One who leaves more behind is ended, and resumes by its last place. */
export const PENDING_MAX = 1000

/** What setTimeout can wait for. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** What a reader that comes back has missed. */
export interface Backlog {
  readonly after: ChangeCursor
  readonly entries: AsyncIterable<VisibleEntry>
  /** A pushed entry, placed after what was missed; undefined when it is among that or was before it. */
  readonly skipDelivered: (entry: VisibleEntry) => VisibleEntry | undefined
}

/** The changes of one subject for one reader, in order: first what it missed, then what is pushed. */
export class ChangeStream {
  readonly subject: Subject
  readonly #onEnd: (stream: ChangeStream) => void
  readonly #waiting: VisibleEntry[] = []
  #wake: () => void = () => undefined
  #end: StreamEnd | 'left' | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(subject: Subject, onEnd: (stream: ChangeStream) => void) {
    this.subject = subject
    this.#onEnd = onEnd
  }

  push(entry: VisibleEntry): void {
    if (this.#waiting.length >= PENDING_MAX) {
      this.end('lagging')
      return
    }
    this.#waiting.push(entry)
    this.#wake()
  }

  /** What waits is dropped. */
  end(reason: StreamEnd | 'left'): void {
    if (this.#end) return
    this.#end = reason
    this.#waiting.length = 0
    clearTimeout(this.#timer)
    this.#onEnd(this)
    this.#wake()
  }

  /**
   * To be called once; the reader's right ends in `endsIn` milliseconds. What comes out throws StreamEnded when the stream ends otherwise
   * than by the reader's leave.
   */
  changes(endsIn: number, missed?: Backlog): AsyncIterableIterator<Change, void> {
    this.#expire(endsIn)
    const changes = this.#changes(missed)
    const iterator: AsyncIterableIterator<Change, void> = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => changes.next(),
      // A generator would first wait for the next change.
      return: () => {
        this.end('left')
        return changes.return()
      },
    }
    return iterator
  }

  async *#changes(missed: Backlog | undefined): AsyncGenerator<Change, void> {
    if (missed) yield* this.#catchUp(missed)
    while (!this.#end) {
      const entry = this.#waiting.shift()
      const next = entry && missed ? missed.skipDelivered(entry) : entry
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
