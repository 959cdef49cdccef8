/**
 * Sale clock: tells the streams of a process when sales of a catalog begin and end, by this server's clock.
 *
 * A turn is no write, so no other server reports it. A catalog that has streams is looked at when its next turn is due and at least every
 * LOOK_MS, so that turns of a new release are known in time.
 */
import type { Release } from '../../domain/catalog/release.ts'
import type { SaleTurn } from '../../domain/catalog/sale-turn.ts'
import type { Logger } from '../../lib/log.ts'
import type { ReleaseCache } from '../catalog/release-cache.ts'
import { nextTurn } from '../catalog/sale-turns.ts'
import type { Database } from '../database/database.ts'
import { EventStream } from './event-stream.ts'

/** Milliseconds between two looks at a catalog. */
export const LOOK_MS = 1_000

interface ClockParts {
  readonly database: Database
  readonly releases: ReleaseCache
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The sale clock of one process. */
export class SaleClock {
  readonly #parts: ClockParts
  readonly #catalogs = new Map<string, WatchedCatalog>()
  #stopped = false

  constructor(parts: ClockParts) {
    this.#parts = parts
  }

  /** The number of open streams. */
  get size(): number {
    let size = 0
    for (const { streams } of this.#catalogs.values()) size += streams.size
    return size
  }

  /** The turns of a catalog's latest release from now on, for `endsIn` milliseconds. */
  listen(catalogId: string, endsIn: number): AsyncIterableIterator<SaleTurn, void> {
    const watched = this.#catalogs.get(catalogId) ?? new WatchedCatalog(catalogId, this.#parts)
    this.#catalogs.set(catalogId, watched)
    const stream: EventStream<SaleTurn> = new EventStream(() => {
      watched.streams.delete(stream)
      if (watched.streams.size > 0) return
      watched.stop()
      this.#catalogs.delete(catalogId)
    })
    watched.streams.add(stream)
    if (this.#stopped) stream.end('stopping')
    return stream.iterate(endsIn, stream.queued())
  }

  /** Ends all streams as `stopping`; streams that begin later end at once. */
  stop(): void {
    this.#stopped = true
    for (const { streams } of this.#catalogs.values()) for (const stream of streams) stream.end('stopping')
  }
}

/** A catalog with streams, and its next turn. */
class WatchedCatalog {
  readonly streams = new Set<EventStream<SaleTurn>>()
  readonly #catalogId: string
  readonly #parts: ClockParts
  /** Turns up to this instant are over; a release that is published later does not repeat them. */
  #seenUntil: number
  #release: Release | null = null
  #next: SaleTurn | null = null
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #failing = false

  constructor(catalogId: string, parts: ClockParts) {
    this.#catalogId = catalogId
    this.#parts = parts
    this.#seenUntil = parts.clock()
    this.#timer = setTimeout(() => this.#look(), 0)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#parts
    try {
      const release = await this.#parts.releases.resolve(this.#catalogId, 'latest', { now: clock(), readsAll: false })
      if (release?.id !== this.#release?.id) await this.#findNext(release)
      for (const now = clock(); this.#next && this.#next.at <= now; ) {
        for (const stream of this.streams) stream.push(this.#next)
        this.#seenUntil = this.#next.at
        await this.#findNext(this.#release)
      }
      // The turns of a release that is published from now on and were before are no news.
      if (!this.#next || this.#next.at > clock()) this.#seenUntil = Math.max(this.#seenUntil, clock())
      this.#failing = false
    } catch (error) {
      if (!this.#failing) log.warn({ err: error, catalog: this.#catalogId }, 'could not read the next turn of sales')
      this.#failing = true
    }
    if (this.#stopped) return
    const wait = Math.min(LOOK_MS, Math.max(0, (this.#next?.at ?? Number.POSITIVE_INFINITY) - clock()))
    this.#timer = setTimeout(() => this.#look(), wait).unref()
  }

  async #findNext(release: Release | null): Promise<void> {
    this.#next = release && (await nextTurn(this.#parts.database, release, this.#seenUntil))
    this.#release = release
  }
}
