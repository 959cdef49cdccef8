/**
 * Change feed: one reader of the change log, which serves all streams of a process.
 *
 * It reads from the snapshot that it saw last, so no change is lost however long a gap is: a change is new when the
 * current snapshot shows it and the last one did not. This needs no lock between writers and, unlike a horizon of ended
 * transactions, never waits for a long transaction. The changes that one snapshot adds come in the order of ids, which
 * for each record is the order of its changes.
 */
import {
  type Change,
  type ChangeCursor,
  cursorAfter,
  isOf,
  type Subject,
  type Topic,
  type VisibleEntry,
} from '../../domain/changes/change.ts'
import { Poller } from '../../lib/poller.ts'
import { translateFailure } from '../database/failures.ts'
import type { ClockParts } from './catalog-timer.ts'
import { cursorAtEnd, entriesAfter, logEnd, pruneChangeLog, settleRestoredEntries } from './change.ts'
import { backlogAfter, isCursor } from './change-backlog.ts'
import { type ChangeListener, createChangeListener } from './change-listener.ts'
import { type Backlog, ChangeStream } from './change-stream.ts'
import { ReleaseClock } from './release-clock.ts'

/** Milliseconds by which a change is delayed at most when its notification is lost. */
export const POLL_MS = 1_000
/** Milliseconds between two prunings of the change log. */
const PRUNE_EVERY_MS = 60 * 60 * 1000

/** The feed of one process. It reads the log only while streams are open. */
export class ChangeFeed {
  private readonly releaseClock: ReleaseClock
  private readonly streams = new Set<ChangeStream>()
  /** The position up to which all changes have been delivered; undefined while no stream is open. */
  private delivered: ChangeCursor | undefined
  private listener: ChangeListener | undefined
  private polling: NodeJS.Timeout | undefined
  private pruning: NodeJS.Timeout | undefined
  private readonly reader: Poller
  private stopped = false
  /** Milliseconds for which entries are kept. */
  private keptMs = Number.POSITIVE_INFINITY

  constructor(private readonly parts: ClockParts) {
    this.releaseClock = new ReleaseClock(parts)
    this.reader = new Poller({
      run: () => this.readOn(),
      onFailure: (error) => parts.log.warn({ err: error }, 'could not read the changes'),
    })
  }

  /** The current instant in epoch milliseconds. */
  now(): number {
    return this.parts.clock()
  }

  /** The number of open streams. */
  get size(): number {
    return this.streams.size
  }

  /**
   * A stream of the subject's changes that commit from now on, or that follow the cursor `after`. Undefined for a
   * cursor of another stream, or one after which entries may have been pruned. The stream ends after `endsIn`
   * milliseconds. Throws Unavailable.
   */
  async listen(
    subject: Subject,
    endsIn: number,
    after?: ChangeCursor,
  ): Promise<AsyncIterableIterator<Change, void> | undefined> {
    let unwatch = (): void => undefined
    const stream = new ChangeStream({
      subject,
      backlogAfter: (cursor) => this.backlogAfter(subject, cursor),
      onEnd: (ended) => {
        unwatch()
        this.remove(ended)
      },
    })
    try {
      if (after && !(await isCursor(this.parts.database, subject, after, this.now() - this.keptMs))) return undefined
      this.streams.add(stream)
      const begin = await this.begin()
      const backlog = after && (await this.backlogAfter(subject, after))
      if (this.stopped) stream.end('stopping')
      if (subject.topic !== 'release') return stream.changes(endsIn, after ?? begin, backlog)
      const at = after?.at ?? this.now()
      // A publish that ends after its scheduled instant makes a release the latest at an instant before `at`. The
      // client does not know such a release yet.
      const known = await this.releaseClock.knownUntil(subject.scope, at)
      if (stream.isOpen) unwatch = this.releaseClock.watch(subject.scope, known, (turn) => stream.pushTurn(turn))
      return stream.changes(endsIn, { ...(after ?? begin), at }, backlog)
    } catch (error) {
      stream.end('left')
      throw translateFailure(error)
    }
  }

  /** Reads new entries, soon or when the current read has ended. */
  readonly poll = (): void => this.reader.poll()

  /** Settles restored entries now, and prunes those older than `keptMs` milliseconds, now and every PRUNE_EVERY_MS. */
  startPruning(keptMs: number): void {
    this.keptMs = keptMs
    const { database, log } = this.parts
    // A stopping server closes the database without waiting for a pruning. The next start goes on with it.
    const failed = (error: unknown) => this.stopped || log.warn({ err: error }, 'could not prune the change log')
    const prune = () => pruneChangeLog(database, this.now() - keptMs).catch(failed)
    this.pruning ??= setInterval(prune, PRUNE_EVERY_MS).unref()
    void settleRestoredEntries(database).catch(failed).then(prune)
  }

  /** Ends all streams as `stopping`; streams that begin later end at once. */
  stop(): void {
    this.stopped = true
    clearInterval(this.pruning)
    for (const stream of this.streams) stream.end('stopping')
  }

  private async backlogAfter(subject: Subject, after: ChangeCursor): Promise<Backlog> {
    const backlog = await backlogAfter(this.parts.database, subject, after)
    return subject.topic === 'release' ? { ...backlog, pages: this.announced(backlog.pages) } : backlog
  }

  private async *announced(pages: Backlog['pages']): AsyncGenerator<readonly VisibleEntry[], void> {
    for await (const page of pages) {
      // As in `deliver`: another server may have published the releases a moment ago.
      this.parts.releases.invalidate()
      yield page
    }
  }

  /** Begins to follow the log. Returns the position from which on all streams get its entries. */
  private async begin(): Promise<ChangeCursor> {
    if (this.delivered === undefined) {
      const end = await logEnd(this.parts.database)
      // Another stream may have begun meanwhile. Its position serves both.
      this.delivered ??= cursorAtEnd(end)
    }
    if (this.listener || this.streams.size === 0) return this.delivered
    this.listener = createChangeListener(this.parts.database, this.parts.log, this.poll)
    this.listener.connect()
    this.polling = setInterval(() => {
      this.listener?.connect()
      this.poll()
    }, POLL_MS).unref()
    return this.delivered
  }

  private remove(stream: ChangeStream): void {
    this.streams.delete(stream)
    if (this.streams.size > 0) return
    clearInterval(this.polling)
    this.listener?.stop()
    this.listener = undefined
    this.delivered = undefined
  }

  /** Reads on from what was delivered last. */
  private async readOn(): Promise<undefined> {
    const after = this.delivered
    if (after === undefined) return
    const end = await logEnd(this.parts.database)
    let at = after
    const moveTo = (cursor: ChangeCursor): void => {
      // All streams may have ended meanwhile, and new ones begun.
      if (this.delivered === at) this.delivered = at = cursor
    }
    // A stream opened later starts after this end.
    for await (const page of entriesAfter(this.parts.database, after, end, this.topics())) {
      for (const entry of page) this.deliver(entry)
      moveTo(cursorAfter(page.at(-1) as VisibleEntry))
    }
    moveTo(cursorAtEnd(end))
  }

  private topics(): Topic[] {
    return [...new Set([...this.streams].map(({ subject }) => subject.topic))]
  }

  private deliver(entry: VisibleEntry): void {
    // A client that receives a release can read it at once.
    if (entry.topic === 'release') this.parts.releases.invalidate()
    for (const stream of this.streams) if (isOf(stream.subject, entry)) stream.push(entry)
  }
}
