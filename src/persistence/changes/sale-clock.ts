/** Sale clock: reports to the streams of a process when sales of a catalog begin and end. */
import type { Release } from '../../domain/catalog/release.ts'
import { activeSince } from '../../domain/catalog/release-activation.ts'
import type { SaleTurn } from '../../domain/catalog/sale-turn.ts'
import { cutPricesOfOlderVersion } from '../catalog/publish/price-spans.ts'
import { nextSaleChange } from '../catalog/sale-turns.ts'
import { CatalogTimer, type ClockParts } from './catalog-timer.ts'
import { EventStream } from './event-stream.ts'

/** The sale clock of one process. */
export class SaleClock {
  private readonly catalogs = new Map<string, WatchedCatalog>()
  private stopped = false

  constructor(private readonly parts: ClockParts) {}

  /** The number of open streams. */
  get size(): number {
    let size = 0
    for (const { streams } of this.catalogs.values()) size += streams.size
    return size
  }

  /** The turns of a catalog's latest release from now on, for `endsIn` milliseconds. */
  listen(catalogId: string, endsIn: number): AsyncIterableIterator<SaleTurn, void> {
    const watched = this.catalogs.get(catalogId) ?? new WatchedCatalog(catalogId, this.parts)
    this.catalogs.set(catalogId, watched)
    const stream: EventStream<SaleTurn> = new EventStream(() => {
      watched.streams.delete(stream)
      if (watched.streams.size > 0) return
      watched.timer.stop()
      this.catalogs.delete(catalogId)
    })
    watched.streams.add(stream)
    if (this.stopped) stream.end('stopping')
    return stream.iterate(endsIn, stream.queued())
  }

  /** Ends all streams as `stopping`; streams that begin later end at once. */
  stop(): void {
    this.stopped = true
    for (const { streams } of this.catalogs.values()) for (const stream of streams) stream.end('stopping')
  }
}

/** A catalog with streams, and its next turn. */
class WatchedCatalog {
  readonly streams = new Set<EventStream<SaleTurn>>()
  readonly timer: CatalogTimer
  /** No stream gets sales that begin or end up to this instant. */
  private readonly begunAt: number
  /** The instant of the last poll. */
  private polledAt: number
  private release: Release | null = null
  private next: SaleTurn | null = null
  /**
   * The instants that were reported since this release became the latest. An instant that two releases share is
   * reported once.
   */
  private reported = new Set<number>()

  constructor(
    private readonly catalogId: string,
    private readonly parts: ClockParts,
  ) {
    this.begunAt = this.polledAt = parts.clock()
    this.timer = new CatalogTimer(catalogId, parts, () => this.poll())
  }

  /**
   * Polls at one instant: the present, or that of a scheduled release if it has passed. Returns the instant of the next
   * poll.
   */
  private async poll(): Promise<number | null> {
    const { releases, clock } = this.parts
    const now = Math.min(clock(), this.nextActivation(this.polledAt))
    const release = await releases.resolve(this.catalogId, 'latest', { now, readsAll: false, proof: null })
    if (release?.id !== this.release?.id) await this.follow(release, now)
    await this.reportUntil(now)
    this.polledAt = now
    const next = Math.min(this.next?.at ?? Number.POSITIVE_INFINITY, this.nextActivation(now))
    return Number.isFinite(next) ? next : null
  }

  /**
   * Follows another release. This server may learn of it a second after it became the latest, so what began or ended
   * since then is reported. A release that is the latest again, because another was deleted, is reported from the last
   * poll on.
   */
  private async follow(release: Release | null, now: number): Promise<void> {
    const { releases, database } = this.parts
    const wasDeleted = this.release !== null && releases.known.activationsOf(this.release.id).length === 0
    const latestSince = (release && activeSince(releases.known.activationsOf(release.id), now)) ?? now
    // The server that published it may have a clock that is ahead.
    const before = wasDeleted ? this.polledAt : Math.min(latestSince, now) - 1
    await this.reportUntil(before)
    // A start cuts these prices in the background. Without them no sale would seem to begin or end.
    if (release) await cutPricesOfOlderVersion(database.pool, release.id)
    this.next = release && (await nextSaleChange(database, release, Math.max(before, this.begunAt)))
    this.release = release
    for (const at of this.reported) if (at <= before) this.reported.delete(at)
  }

  private async reportUntil(instant: number): Promise<void> {
    while (this.release && this.next && this.next.at <= instant) {
      const turn = this.next
      if (!this.reported.has(turn.at)) for (const stream of this.streams) stream.push(turn)
      this.reported.add(turn.at)
      this.next = await nextSaleChange(this.parts.database, this.release, turn.at)
    }
  }

  private nextActivation(now: number): number {
    return this.parts.releases.known.nextActivation(this.catalogId, 'latest', now) ?? Number.POSITIVE_INFINITY
  }
}
