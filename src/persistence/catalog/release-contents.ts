/** Contents of releases: where documents, searches, names and facets are read, a standby that has all known releases or the primary.
 *
 *  SQL, since a standby may be read, which Prisma does not know. */
import { Unavailable } from '../../domain/input/errors.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Database } from '../database/database.ts'
import { throwTranslated, translateFailure } from '../database/failures.ts'
import { type JoinedRead, joinReads } from '../database/joined-reads.ts'
import { REPLICA_TIMEOUT_MS } from '../database/read-replicas.ts'
import type { ReadableReleases } from './readable-releases.ts'
import { resolveReleases } from './release-sql.ts'

/** The reads of releases by one process. */
export class ReleaseContents {
  /** A database whose named statements run on standbys; the primary itself without any. */
  readonly database: Database
  /** Reads there what lists of products are made of, of which a page needs several at once. */
  readonly joinedRead: JoinedRead
  /** As `joinedRead` for prices, which the primary reads: it cuts those that are missing, and a standby's time may be too short. */
  readonly joinedPriceRead: JoinedRead
  /** The position of the primary's log after the commit of all known releases. */
  private position = 0n

  constructor(private readonly primary: Database) {
    const { replicas } = primary
    this.database = replicas ? { ...primary, query: (name, text, values) => replicas.query(this.position, name, text, values) } : primary
    this.joinedRead = joinReads(this.database)
    this.joinedPriceRead = replicas ? joinReads(primary) : this.joinedRead
  }

  /**
   * Releases and their indexes (release-sql.ts). While the primary is away or hangs, a standby lists what it has when `mayUseStandby`; it
   * has the releases that are known, and others must not become known by that. Throws Unavailable when neither can be reached.
   */
  async list<Row extends object>(
    values: readonly unknown[],
    mayUseStandby: boolean,
  ): Promise<{ readonly rows: readonly Row[]; readonly isFromStandby: boolean }> {
    const listOn = (database: Database) => database.query<Row>('releases_resolve', resolveReleases, values)
    const canUseStandby = this.primary.replicas !== null && mayUseStandby
    try {
      const listing = listOn(this.primary)
      const rows = canUseStandby ? await withTimeout(listing, REPLICA_TIMEOUT_MS, null) : await listing
      if (rows) return { rows, isFromStandby: false }
    } catch (error) {
      const failure = translateFailure(error)
      if (!(failure instanceof Unavailable && canUseStandby)) throw failure
    }
    const rows = await listOn(this.database).catch(throwTranslated)
    return { rows, isFromStandby: true }
  }

  /**
   * Await this before `next` replaces `known`, so that standbys are only used once they have its releases. One statement when the two
   * differ and there are standbys.
   */
  async cover(next: ReadableReleases, known: ReadableReleases): Promise<void> {
    if (!this.primary.replicas || next.hasSame(known)) return
    const position = await this.primary.replicas.position()
    if (position > this.position) this.position = position
  }
}
