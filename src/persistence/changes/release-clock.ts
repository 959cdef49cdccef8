/** Release clock: reports to the change streams of a process when scheduled releases become the latest (live.release-at-its-instant). */
import { isInEffect, type ReleaseTurn } from '../../domain/catalog/release-activation.ts'
import { releaseTurns } from '../catalog/release-turns.ts'
import { CatalogTimer, type ClockParts } from './catalog-timer.ts'

/** The release clock of one process. */
export class ReleaseClock {
  private readonly catalogs = new Map<string, WatchedCatalog>()

  constructor(private readonly parts: ClockParts) {}

  /** Reports the turns of a catalog that follow `since`, epoch milliseconds, each once, until the returned function is called. */
  watch(catalogId: string, since: number, report: (turn: ReleaseTurn) => void): () => void {
    const watched = this.catalogs.get(catalogId) ?? new WatchedCatalog(catalogId, this.parts)
    this.catalogs.set(catalogId, watched)
    const watcher: Watcher = { since, report, known: null }
    watched.watchers.add(watcher)
    return () => {
      watched.watchers.delete(watcher)
      if (watched.watchers.size > 0) return
      watched.timer.stop()
      if (this.catalogs.get(catalogId) === watched) this.catalogs.delete(catalogId)
    }
  }
}

interface Watcher {
  readonly since: number
  readonly report: (turn: ReleaseTurn) => void
  /** The turns that were reported, and those that the first poll found not to follow `since`; null before that. */
  known: Set<string> | null
}

const keyOf = ({ releaseId, at }: ReleaseTurn): string => `${releaseId} ${at}`

/** A catalog with watchers. */
class WatchedCatalog {
  readonly watchers = new Set<Watcher>()
  readonly timer: CatalogTimer

  constructor(
    private readonly catalogId: string,
    private readonly parts: ClockParts,
  ) {
    this.timer = new CatalogTimer(catalogId, parts, () => this.poll())
  }

  /** Sends no statement unless the set of releases in memory is old, or shows a turn that a watcher may not know. */
  private async poll(): Promise<number | null> {
    const { database, releases, clock } = this.parts
    const reader = { now: clock(), readsAll: false }
    await releases.resolve(this.catalogId, 'latest', reader)
    const begun = releases.known.scheduledIn(this.catalogId).filter((one) => isInEffect(one, reader.now))
    if ([...this.watchers].some(({ known }) => known === null || begun.some((one) => !known.has(keyOf(one))))) {
      // What is in memory may have been withdrawn within a second.
      const turns = await releaseTurns(database, this.catalogId, reader.now)
      releases.invalidate()
      for (const watcher of this.watchers) {
        reportNew(watcher, turns)
        for (const one of begun) watcher.known?.add(keyOf(one))
      }
    }
    return releases.known.nextActivation(this.catalogId, 'latest', reader.now)
  }
}

/** A turn that is learned of late, from a publish that took past its instant, is reported like any other. */
function reportNew(watcher: Watcher, turns: readonly ReleaseTurn[]): void {
  watcher.known ??= new Set(turns.filter(({ at }) => at <= watcher.since).map(keyOf))
  for (const turn of turns) {
    if (watcher.known.has(keyOf(turn))) continue
    watcher.known.add(keyOf(turn))
    watcher.report(turn)
  }
}
