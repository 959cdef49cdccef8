/**
 * Catalog timer: polls one catalog for what its schedules start or end, at their instants by this server's clock and at least every
 * CATALOG_POLL_MS.
 *
 * What starts or ends by schedule is no write: no other server reports it, nothing is stored and no job runs. The regular polls find what
 * another server scheduled meanwhile; what this one schedules is polled for at once, since its instant may be before the next poll.
 */
import type { Logger } from '../../lib/log.ts'
import type { ReleaseCache } from '../catalog/release-cache.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds between two polls of a catalog. */
export const CATALOG_POLL_MS = 1_000

/** What the timers of schedules need to read a catalog. */
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
  /** Undefined while a poll runs. */
  private timer: NodeJS.Timeout | undefined
  private again = false
  private stopped = false
  private failing = false

  /** `poll` delivers what is due and returns the instant of what comes next, epoch milliseconds; null for nothing. */
  constructor(
    private readonly catalogId: string,
    private readonly parts: ClockParts,
    private readonly poll: () => Promise<number | null>,
  ) {
    this.unwatch = parts.releases.onInvalidate(() => this.pollNow())
    this.timer = setTimeout(() => this.run(), 0)
  }

  stop(): void {
    this.stopped = true
    this.unwatch()
    clearTimeout(this.timer)
  }

  private pollNow(): void {
    this.again = true
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.run(), 0)
  }

  private async run(): Promise<void> {
    const { clock, log } = this.parts
    this.timer = undefined
    this.again = false
    let due: number | null = null
    try {
      due = await this.poll()
      this.failing = false
    } catch (error) {
      if (!this.failing) log.warn({ err: error, catalog: this.catalogId }, 'could not read what is due in a catalog')
      this.failing = true
    }
    if (this.stopped) return
    const dueIn = this.again ? 0 : (due ?? Number.POSITIVE_INFINITY) - clock()
    const wait = Math.min(CATALOG_POLL_MS, Math.max(0, dueIn))
    this.timer = setTimeout(() => this.run(), wait).unref()
  }
}
