/**
 * Catalog timer: polls one catalog for what its schedules start or end, at their instants by this server's clock and at
 * least every CATALOG_POLL_MS.
 *
 * A start or end by schedule is no write: no other server reports it, nothing is stored and no job runs. The regular
 * polls find what another server scheduled meanwhile. What this server schedules is polled for at once, since its
 * instant may come before the next poll.
 */
import type { Logger } from '../../lib/log.ts'
import { Poller } from '../../lib/poller.ts'
import type { ReleaseCache } from '../catalog/release-cache.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds between two polls of a catalog. */
export const CATALOG_POLL_MS = 1_000

/** What the timers need to read a catalog. */
export interface ClockParts {
  readonly database: Database
  readonly releases: ReleaseCache
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The timer of one catalog, which runs until it is stopped. */
export class CatalogTimer {
  private readonly unwatch: () => void
  private readonly poller: Poller

  /** `poll` delivers what is due and returns the instant of what comes next, epoch milliseconds; null for nothing. */
  constructor(catalog: string, { releases, log, clock }: ClockParts, poll: () => Promise<number | null>) {
    this.poller = new Poller({
      run: async () => {
        const due = (await poll()) ?? Number.POSITIVE_INFINITY
        return Math.min(CATALOG_POLL_MS, Math.max(0, due - clock()))
      },
      everyMs: CATALOG_POLL_MS,
      onFailure: (error) => log.warn({ err: error, catalog }, 'could not read what is due in a catalog'),
    })
    this.unwatch = releases.onInvalidate(this.poller.poll)
    this.poller.poll()
  }

  stop(): void {
    this.unwatch()
    void this.poller.stop()
  }
}
