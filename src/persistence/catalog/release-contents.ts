/**
 * Contents of releases: reads releases, their documents, searches, names and facets on the primary or on a standby that
 * has all known releases (replica.serves-what-it-has).
 *
 * SQL, since a standby may be read, which Prisma does not know.
 */
import type { Release } from '../../domain/catalog/release.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { Unavailable } from '../../domain/input/errors.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Database } from '../database/database.ts'
import { throwTranslated, translateFailure } from '../database/failures.ts'
import { type JoinedRead, joinReads } from '../database/joined-reads.ts'
import { REPLICA_TIMEOUT_MS } from '../database/read-replicas.ts'
import { ReadableReleases, type ReadableRows } from './readable-releases.ts'
import { type IndexRow, readIndex } from './release-index.ts'
import { resolveReleases } from './release-sql.ts'

/** A wanted release, and the instant (epoch milliseconds) that decides which one is the latest. */
export interface ReleaseLookup extends WantedRelease {
  readonly now: number
}

/** What one statement found. */
interface Answer {
  /** Null from a standby: the known releases stay known, and a standby must not make others known. */
  readonly readable: ReadableReleases | null
  /** The indexes of the wanted releases that were not cached. */
  readonly indexes: readonly Release[]
}

interface ResolvedRow extends Partial<ReadableRows> {
  readonly release: IndexRow | null
}

/** The reads of releases by one process. */
export class ReleaseContents {
  /** A database whose named statements run on standbys; without standbys the primary itself. */
  readonly database: Database
  /** Reads from `database` what lists of products are made of; joined, since a page needs several reads at once. */
  readonly joinedRead: JoinedRead
  /**
   * As `joinedRead`, for prices. The primary reads them, since it cuts missing ones, and a standby's time limit may be
   * too short.
   */
  readonly joinedPriceRead: JoinedRead
  /** The position of the primary's log after the commit of all known releases. */
  private position = 0n
  /** The releases that `position` covers. */
  private covered = new ReadableReleases()

  constructor(private readonly primary: Database) {
    const { replicas } = primary
    this.database = replicas
      ? { ...primary, query: (name, text, values) => replicas.query(this.position, name, text, values) }
      : primary
    this.joinedRead = joinReads(this.database)
    this.joinedPriceRead = replicas ? joinReads(primary) : this.joinedRead
  }

  /**
   * Reads which releases there are, and the indexes of those that are wanted and not `cached` (release-sql.ts). While
   * the primary is away or hangs, a standby is read when `mayUseStandby`. Throws Unavailable when neither can be
   * reached.
   */
  async list(wanted: readonly ReleaseLookup[], cached: readonly string[], mayUseStandby: boolean): Promise<Answer> {
    const catalogIds = wanted.map(({ catalogId }) => catalogId)
    const releaseIds = wanted.map(({ releaseId }) => (releaseId === 'latest' ? null : releaseId))
    const instants = wanted.map(({ now }) => formatInstant(now))
    const values = [catalogIds, releaseIds, instants, cached]
    const listOn = (database: Database) => database.query<ResolvedRow>('releases_resolve', resolveReleases, values)
    const { rows, isFromStandby } = await this.onPrimaryFirst(listOn, mayUseStandby)
    const readable = isFromStandby ? null : new ReadableReleases(rows[0])
    if (readable) await this.cover(readable)
    return { readable, indexes: rows.flatMap(({ release }) => (release ? readIndex(release) : [])) }
  }

  private async onPrimaryFirst<Row>(listOn: (database: Database) => Promise<Row[]>, mayUseStandby: boolean) {
    const canUseStandby = this.primary.replicas !== null && mayUseStandby
    try {
      const listing = listOn(this.primary)
      const rows = canUseStandby ? await withTimeout(listing, REPLICA_TIMEOUT_MS, null) : await listing
      if (rows) return { rows, isFromStandby: false }
    } catch (error) {
      const failure = translateFailure(error)
      if (!(failure instanceof Unavailable && canUseStandby)) throw failure
    }
    return { rows: await listOn(this.database).catch(throwTranslated), isFromStandby: true }
  }

  /** Excludes standbys until they have what was found. One statement when that is new and there are standbys. */
  private async cover(found: ReadableReleases): Promise<void> {
    if (!this.primary.replicas || found.hasSame(this.covered)) return
    const position = await this.primary.replicas.position()
    if (position > this.position) this.position = position
    this.covered = found
  }
}
