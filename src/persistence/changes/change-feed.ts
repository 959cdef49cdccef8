/**
 * Changes as this process hands them on (the graph's Live): one reader of the table for all streams. It reads on from the snapshot that it
 * last saw, so nothing is lost in any gap: whatever a later snapshot shows and the last one did not is new. That needs no lock between
 * writers and never waits for a long transaction, which a horizon of ended transactions would, and what one snapshot adds comes in the
 * order of ids, which for each record is that of its changes.
 */
import type { Change, ChangeCursor, Subject, VisibleEntry } from '../../domain/changes/change.ts'
import { isVisible, parseSnapshot } from '../../domain/changes/snapshot.ts'
import type { Logger } from '../../lib/log.ts'
import type { ReleaseCache } from '../catalog/release-cache.ts'
import type { Database } from '../database/database.ts'
import { translateFailure } from '../database/failures.ts'
import { currentSnapshot, LOG_PAGE, pruneChangeLog, readChangeLog } from './change.ts'
import { backlogAfter, isCursor } from './change-backlog.ts'
import { type ChangeListener, createChangeListener } from './change-listener.ts'
import { ChangeStream } from './change-stream.ts'

/** How late a change is when no notification came. */
export const POLL_MS = 1_000
export const PRUNE_EVERY_MS = 60 * 60 * 1000

interface FeedParts {
  readonly database: Database
  readonly releases: ReleaseCache
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly clock: () => number
}

export class ChangeFeed {
  readonly #parts: FeedParts
  readonly #streams = new Set<ChangeStream>()
  /** What was handed on; undefined while nobody listens. */
  #seen: string | undefined
  #listener: ChangeListener | undefined
  #poll: NodeJS.Timeout | undefined
  #trim: NodeJS.Timeout | undefined
  #reading = false
  #again = false
  #stopped = false
  #failing = false

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#parts.clock()
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size
  }

  /**
   * The subject's changes that commit from now on, or those after the place; undefined when it is no place of the subject's stream or when
   * changes after it may be gone. Ends after `endsIn` milliseconds. Throws Unavailable.
   */
  async listen(subject: Subject, endsIn: number, after?: ChangeCursor): Promise<AsyncIterableIterator<Change, void> | undefined> {
    const { database } = this.#parts
    const stream = new ChangeStream(subject, (ended) => this.#remove(ended))
    try {
      if (after && !(await isCursor(database, subject, after))) return undefined
      this.#streams.add(stream)
      await this.#begin()
      const missed = after && backlogAfter(database, subject, after, await currentSnapshot(database))
      if (this.#stopped) stream.end('stopping')
      return stream.changes(endsIn, missed)
    } catch (error) {
      stream.end('left')
      throw translateFailure(error)
    }
  }

  /** Reads what is new, now or after the running read. */
  readonly poll = (): void => {
    this.#again = true
    if (!this.#reading) void this.#readOn()
  }

  /** Removes what is too old, now and from time to time. */
  startPruning(): void {
    const trim = () => pruneChangeLog(this.#parts.database, this.now()).catch((error) => this.#failed(error))
    this.#trim ??= setInterval(trim, PRUNE_EVERY_MS).unref()
    void trim()
  }

  /** Ends all streams; later ones end at once. */
  stop(): void {
    this.#stopped = true
    clearInterval(this.#trim)
    for (const stream of this.#streams) stream.end('stopping')
  }

  async #begin(): Promise<void> {
    const { database } = this.#parts
    if (this.#seen === undefined) {
      const snapshot = await currentSnapshot(database)
      // Of streams that begin together the first one's is as good for all.
      this.#seen ??= snapshot
    }
    if (this.#listener || this.#streams.size === 0) return
    this.#listener = createChangeListener(database, this.poll)
    this.#listener.keep()
    this.#poll = setInterval(() => {
      this.#listener?.keep()
      this.poll()
    }, POLL_MS).unref()
  }

  #remove(stream: ChangeStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#poll)
    this.#listener?.stop()
    this.#listener = undefined
    this.#seen = undefined
  }

  async #readOn(): Promise<void> {
    this.#reading = true
    try {
      while (this.#again && this.#seen !== undefined) {
        this.#again = false
        await this.#readFrom(this.#seen)
        this.#failing = false
      }
    } catch (error) {
      // The next poll reads on from the same place.
      this.#failed(error)
    } finally {
      this.#reading = false
    }
  }

  async #readFrom(from: string): Promise<void> {
    let to: string | undefined
    for (let last = 0; ; ) {
      const { entries, snapshot } = await readChangeLog(this.#parts.database, from, last)
      to ??= snapshot
      const shown = to === undefined ? undefined : parseSnapshot(to)
      if (to === undefined || !shown) return
      // A later page of the same reading may see more than its first.
      for (const entry of entries) if (isVisible(shown, entry.xid)) this.#handOn({ ...entry, from, to })
      last = entries.at(-1)?.id ?? last
      if (entries.length < LOG_PAGE) break
    }
    // Nobody may be left, or others have come and begun anew.
    if (this.#seen === from) this.#seen = to
  }

  #handOn(entry: VisibleEntry): void {
    // Whoever hears of a release can read it.
    if (entry.topic === 'release') this.#parts.releases.invalidate()
    for (const stream of this.#streams) if (stream.subject.topic === entry.topic && stream.subject.scope === entry.scope) stream.push(entry)
  }

  #failed(error: unknown): void {
    // Once, not each second.
    if (!this.#failing) this.#parts.log.warn({ err: error }, 'could not read the changes')
    this.#failing = true
  }
}
