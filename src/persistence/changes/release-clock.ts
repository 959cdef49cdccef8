/**
 * Release clock: reports to the change streams of a process when scheduled releases become the latest
 * (live.release-at-its-instant).
 */
import { isInEffect, type ReleaseTurn } from '../../domain/catalog/release-activation.ts'
import { releaseTurns } from '../catalog/release-turns.ts'
import { CatalogTimer, type ClockParts } from './catalog-timer.ts'

/** The release clock of one process. */
export class ReleaseClock {
  private readonly catalogs = new Map<string, WatchedCatalog>()

  constructor(private readonly parts: ClockParts) {}

  /** The changes of a catalog's latest release up to `at`, epoch milliseconds, as they are known now. One statement. */
  async knownUntil(catalogId: string, at: number): Promise<Set<string>> {
    return new Set((await releaseTurns(this.parts.database, catalogId, at)).map(keyOf))
  }

  /**
   * Reports each change of a catalog's latest release that is not `known`, once, until the returned function is called.
   * A publish that took past its instant becomes known late, and is reported like any other.
   */
  watch(catalogId: string, known: Set<string>, report: (turn: ReleaseTurn) => void): () => void {
    const watched = this.catalogs.get(catalogId) ?? new WatchedCatalog(catalogId, this.parts)
    this.catalogs.set(catalogId, watched)
    const watcher: Watcher = { known, report }
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
  /** The changes that came before the stream began, and those that were reported. */
  readonly known: Set<string>
  readonly report: (turn: ReleaseTurn) => void
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

  /** Sends no statement unless the set of releases in memory is old, or shows a change that a watcher may not know. */
  private async poll(): Promise<number | null> {
    const { database, releases, clock } = this.parts
    const reader = { now: clock(), readsAll: false, proof: null }
    await releases.resolve(this.catalogId, 'latest', reader)
    const begun = releases.known.scheduledIn(this.catalogId).filter((one) => isInEffect(one, reader.now))
    // A watcher that is added during the read knows more than the read finds.
    const watchers = [...this.watchers]
    if (watchers.some(({ known }) => begun.some((one) => !known.has(keyOf(one))))) {
      // What is in memory may have been withdrawn within a second.
      const turns = await releaseTurns(database, this.catalogId, reader.now)
      releases.invalidate()
      for (const watcher of watchers) {
        reportNew(watcher, turns)
        for (const one of begun) watcher.known.add(keyOf(one))
      }
    }
    return releases.known.nextActivation(this.catalogId, 'latest', reader.now)
  }
}

function reportNew({ known, report }: Watcher, turns: readonly ReleaseTurn[]): void {
  for (const turn of turns) {
    if (known.has(keyOf(turn))) continue
    known.add(keyOf(turn))
    report(turn)
  }
}
