/**
 * Event stream: one client's events in order, as an iterator. It ends with the client's token, with the server, or when
 * the client lags.
 */
import { type StreamEnd, StreamEnded } from '../../domain/changes/change.ts'

/** The most events that wait for a client. */
export const PENDING_MAX = 1000

/** The longest wait of setTimeout, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/**
 * One client's stream: a queue of pushed events, until it ends. `onEnd` is called once, when it ends for any reason.
 */
export class EventStream<Event> {
  private readonly pending: Event[] = []
  /** Wakes the reader that waits until something is pushed. */
  wake: () => void = () => undefined
  private endedAs: StreamEnd | 'left' | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly onEnd: () => void) {}

  get isOpen(): boolean {
    return this.endedAs === undefined
  }

  /** Queues an event. Ends the stream as `lagging` when PENDING_MAX events already wait. */
  push(event: Event): void {
    if (this.endedAs || this.tryPush(event)) return
    this.end('lagging')
  }

  /** Queues an event. False when the stream has ended or PENDING_MAX events already wait. */
  tryPush(event: Event): boolean {
    if (this.endedAs || this.pending.length >= PENDING_MAX) return false
    this.pending.push(event)
    this.wake()
    return true
  }

  /** Takes the next event out of the queue; undefined when it is empty. */
  shift(): Event | undefined {
    return this.pending.shift()
  }

  /** Waits until an event is pushed or the stream ends. */
  pushed(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  /** Ends the stream and drops the events that wait. The reason is `left` when the client left. */
  end(reason: StreamEnd | 'left'): void {
    if (this.endedAs) return
    this.endedAs = reason
    this.pending.length = 0
    clearTimeout(this.timer)
    this.onEnd()
    this.wake()
  }

  /**
   * The iterator for the client; call it once. The client's token expires in `endsIn` milliseconds. `events` ends when
   * the stream does. The iterator throws StreamEnded when the stream ends for any reason but that the client left.
   */
  iterate<Item>(endsIn: number, events: AsyncGenerator<Item, void>): AsyncIterableIterator<Item, void> {
    this.expire(endsIn)
    const items = this.untilEnd(events)
    const iterator: AsyncIterableIterator<Item, void> = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => items.next(),
      // The generator's own `return` would wait for the next event.
      return: () => {
        this.end('left')
        return items.return()
      },
    }
    return iterator
  }

  /** The queued events, as they are pushed. */
  async *queued(): AsyncGenerator<Event, void> {
    while (!this.endedAs) {
      const event = this.shift()
      if (event !== undefined) yield event
      else await this.pushed()
    }
  }

  private async *untilEnd<Item>(events: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
    yield* events
    if (this.endedAs !== undefined && this.endedAs !== 'left') throw new StreamEnded(this.endedAs)
  }

  private expire(wait: number): void {
    if (wait <= 0) this.end('expired')
    const now = Math.min(wait, LONGEST_WAIT_MS)
    if (!this.endedAs) this.timer = setTimeout(() => this.expire(wait - now), now).unref()
  }
}
