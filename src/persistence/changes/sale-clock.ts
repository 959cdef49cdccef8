/** Sale clock: reports to the streams of a process when sales of a catalog begin and end. */
import type { Release } from '../../domain/catalog/release.ts'
import type { SaleTurn } from '../../domain/catalog/sale-turn.ts'
import { nextSaleChange } from '../catalog/sale-turns.ts'
import { CatalogTimer, type ClockParts } from './catalog-timer.ts'
import { EventStream } from './event-stream.ts'

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
  readonly #timer: CatalogTimer
  /** Turns up to this instant are over; a release that is published later does not repeat them. */
  #seenUntil: number
  #release: Release | null = null
  #next: SaleTurn | null = null

  constructor(catalogId: string, parts: ClockParts) {
    this.#catalogId = catalogId
    this.#parts = parts
    this.#seenUntil = parts.clock()
    this.#timer = new CatalogTimer(catalogId, parts, () => this.#look())
  }

  stop(): void {
    this.#timer.stop()
  }

  async #look(): Promise<number | null> {
    const { clock } = this.#parts
    const release = await this.#parts.releases.resolve(this.#catalogId, 'latest', { now: clock(), readsAll: false })
    if (release?.id !== this.#release?.id) await this.#findNext(release)
    for (const now = clock(); this.#next && this.#next.at <= now; ) {
      for (const stream of this.streams) stream.push(this.#next)
      this.#seenUntil = this.#next.at
      await this.#findNext(this.#release)
    }
    // The earlier turns of a release that is published later are not reported.
    if (!this.#next || this.#next.at > clock()) this.#seenUntil = Math.max(this.#seenUntil, clock())
    return this.#next?.at ?? null
  }

  async #findNext(release: Release | null): Promise<void> {
    this.#next = release && (await nextSaleChange(this.#parts.database, release, this.#seenUntil))
    this.#release = release
  }
}
