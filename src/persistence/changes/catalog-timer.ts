/**
 * Catalog timer: polls one catalog for what its schedules start or end, at their instants by this server's clock and at least every
 * CATALOG_POLL_MS.
 *
 * What starts or ends by schedule is no write: no other server reports it, nothing is stored and no job runs. The regular polls find what
 * was scheduled meanwhile.
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
  readonly #catalogId: string
  readonly #parts: Pick<ClockParts, 'log' | 'clock'>
  readonly #look: () => Promise<number | null>
  #due: number | null = null
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #failing = false

  /** `look` delivers what is due and returns the instant of what comes next, epoch milliseconds; null for nothing. */
  constructor(catalogId: string, parts: Pick<ClockParts, 'log' | 'clock'>, look: () => Promise<number | null>) {
    this.#catalogId = catalogId
    this.#parts = parts
    this.#look = look
    this.#timer = setTimeout(() => this.#run(), 0)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts
    try {
      this.#due = await this.#look()
      this.#failing = false
    } catch (error) {
      if (!this.#failing) log.warn({ err: error, catalog: this.#catalogId }, 'could not read what is due in a catalog')
      this.#failing = true
      this.#due = null
    }
    if (this.#stopped) return
    const wait = Math.min(CATALOG_POLL_MS, Math.max(0, (this.#due ?? Number.POSITIVE_INFINITY) - clock()))
    this.#timer = setTimeout(() => this.#run(), wait).unref()
  }
}
