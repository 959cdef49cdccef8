/**
 * Change stream: the changes of one subject for one client, in order: first what the client missed, then new entries.
 *
 * Up to PENDING_MAX new entries wait for the client. When there are more, the client gets those that wait and then
 * reads on from the log, page by page as it goes. So an import of any size costs no memory and ends no stream.
 */
import type { ReleaseTurn } from '../../domain/catalog/release-activation.ts'
import {
  type Change,
  type ChangeCursor,
  cursorAfter,
  isOf,
  type StreamEnd,
  type Subject,
  type VisibleEntry,
} from '../../domain/changes/change.ts'
import { EventStream } from './event-stream.ts'

/** The entries that a client missed. */
export interface Backlog {
  readonly pages: AsyncIterable<readonly VisibleEntry[]>
  /** The cursor after all of them. */
  readonly end: ChangeCursor
  /** Adjusts a new entry to follow the backlog. Undefined when the backlog or an earlier stream delivered it. */
  readonly skipDelivered: (entry: VisibleEntry) => VisibleEntry | undefined
}

/** What the feed gives a new stream: its subject, and functions to call. */
interface StreamParts {
  readonly subject: Subject
  /** Reads what follows a cursor. */
  readonly backlogAfter: (after: ChangeCursor) => Promise<Backlog>
  /** Called once, when the stream ends for any reason. */
  readonly onEnd: (stream: ChangeStream) => void
}

/** One client's stream. */
export class ChangeStream {
  readonly subject: Subject
  private readonly stream: EventStream<VisibleEntry>
  /** Whether more than PENDING_MAX entries came: then they are read from the log again. */
  private isBehind = false
  private readonly turns: ReleaseTurn[] = []

  constructor(private readonly parts: StreamParts) {
    this.subject = parts.subject
    this.stream = new EventStream(() => parts.onEnd(this))
  }

  get isOpen(): boolean {
    return this.stream.isOpen
  }

  /** Hands a new entry to the client. */
  push(entry: VisibleEntry): void {
    if (!this.isBehind) this.isBehind = !this.stream.tryPush(entry)
  }

  /** Hands the client a scheduled release that has become the latest. */
  pushTurn(turn: ReleaseTurn): void {
    this.turns.push(turn)
    this.stream.wake()
  }

  /** Ends the stream and drops the entries that wait. The reason is `left` when the client left. */
  end(reason: StreamEnd | 'left'): void {
    this.stream.end(reason)
  }

  /**
   * The stream's changes after `begin` (EventStream.iterate); call it once. The client's token expires in `endsIn`
   * milliseconds.
   */
  changes(endsIn: number, begin: ChangeCursor, backlog?: Backlog): AsyncIterableIterator<Change, void> {
    return this.stream.iterate(endsIn, this.read(begin, backlog))
  }

  private async *read(begin: ChangeCursor, missed: Backlog | undefined): AsyncGenerator<Change, void> {
    const stream = this.stream
    let last = begin
    for (let backlog = missed; stream.isOpen; ) {
      if (backlog) yield* this.readOn(backlog, last.at)
      last = backlog ? { ...backlog.end, at: last.at } : last
      while (stream.isOpen) {
        const turn = this.turns.shift()
        if (turn) {
          last = { ...last, at: Math.max(last.at ?? turn.at, turn.at) }
          yield { recordId: turn.releaseId, cursor: last }
          continue
        }
        const entry = stream.shift()
        if (!entry && this.isBehind) break
        if (!entry) await stream.pushed()
        const next = entry && backlog ? backlog.skipDelivered(entry) : entry
        if (!next) continue
        last = { ...cursorAfter(next), at: last.at }
        yield { recordId: next.recordId, cursor: last }
      }
      if (stream.isOpen) backlog = await this.catchUp(last)
    }
  }

  /** From here on new entries are pending again. What came before is in the backlog. */
  private async catchUp(last: ChangeCursor): Promise<Backlog | undefined> {
    this.isBehind = false
    try {
      return await this.parts.backlogAfter(last)
    } catch {
      // The client resumes from its last cursor.
      this.end('lagging')
      return undefined
    }
  }

  private async *readOn({ pages }: Backlog, at: number | undefined): AsyncGenerator<Change, void> {
    try {
      for await (const page of pages) {
        for (const entry of page) {
          if (!this.stream.isOpen) return
          if (isOf(this.subject, entry)) yield { recordId: entry.recordId, cursor: { ...cursorAfter(entry), at } }
        }
      }
    } catch (error) {
      this.end('left')
      throw error
    }
  }
}
