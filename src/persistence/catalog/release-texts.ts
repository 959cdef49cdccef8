/**
 * Texts of releases: reads of what a search compares, from releases that are analysed. Releases of program versions
 * with another analyser are analysed when something of them is searched first, the latest ones at the start of a server
 * (search.one-analyser).
 */
import type { Release } from '../../domain/catalog/release.ts'
import type { Analyser } from '../../domain/catalog/search-text.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Database } from '../database/database.ts'
import { throwTranslated } from '../database/failures.ts'
import { type JoinedRead, type JoinedRow, joinReads } from '../database/joined-reads.ts'
import { namedQuery } from '../database/query.ts'
import { withPublishLock } from './publish/lock.ts'
import { inClientTransaction } from './publish/run.ts'
import { indexRelease } from './publish/search-texts.ts'

/** The reads of one process. */
export class ReleaseTexts {
  private readonly analyses = new SingleFlight<string, void>()
  private readonly primaryQuery: JoinedRead

  /** `query` may read a standby; `primary` analyses. */
  constructor(
    private readonly query: JoinedRead,
    private readonly primary: Database,
    readonly analyser: Analyser,
  ) {
    this.primaryQuery = joinReads(primary)
  }

  /**
   * The rows of a text whose first values are the release and the analyser. `isAnalysed` tells from the rows whether
   * the release was analysed; if not, it is, and the rows are read again. One statement when it was.
   */
  async read(
    release: Release,
    name: string,
    text: string,
    values: readonly unknown[],
    isAnalysed: (rows: readonly JoinedRow[]) => boolean = () => true,
  ): Promise<JoinedRow[]> {
    const all = [release.id, this.analyser.id, ...values]
    const rows = await this.query(name, text, all).catch(throwTranslated)
    if (isAnalysed(rows)) return rows
    await this.analyses.run(release.id, () => analyseRelease(this.primary, release.id, this.analyser))
    return this.readPrimary(release, name, text, values)
  }

  /** As `read`, what the primary database has now. */
  readPrimary(release: Release, name: string, text: string, values: readonly unknown[]): Promise<JoinedRow[]> {
    return this.primaryQuery(name, text, [release.id, this.analyser.id, ...values]).catch(throwTranslated)
  }
}

/** Analyses a release unless another server has; under the publish lock, so that none of its texts goes meanwhile. */
async function analyseRelease(database: Database, releaseId: string, analyser: Analyser): Promise<void> {
  await withPublishLock(database, (client) =>
    inClientTransaction(client, async () => {
      const text = 'SELECT 1 FROM release_search WHERE release_id = $1::uuid AND analyser = $2'
      const done = await namedQuery(client, 'release_is_analysed', text, [releaseId, analyser.id])
      if (done.length === 0) await indexRelease(client, releaseId, analyser, {})
    }),
  )
}

/**
 * Analyses the latest releases that no server with this analyser has analysed. `now` is epoch milliseconds;
 * `onProgress` is told which of how many begins. One statement when there is none.
 */
export async function analyseLatestReleases(
  database: Database,
  analyser: Analyser,
  now: number,
  onProgress: (at: number, count: number) => void,
): Promise<void> {
  const text = `SELECT r.id FROM catalog c CROSS JOIN LATERAL latest_release(c.id, $1::timestamptz) r (id)
    WHERE r.id IS NOT NULL AND NOT EXISTS (SELECT FROM release_search s WHERE s.release_id = r.id AND s.analyser = $2)`
  const releases = await namedQuery<{ id: string }>(database.pool, 'releases_not_analysed', text, [
    new Date(now),
    analyser.id,
  ])
  for (const [at, { id }] of releases.entries()) {
    onProgress(at, releases.length)
    await analyseRelease(database, id, analyser)
  }
}
