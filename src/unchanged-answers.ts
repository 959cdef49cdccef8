/**
 * Whole answers of what is stored, as bytes, given again while nothing has changed since: not for a moment longer. Two snapshots of the
 * database that are equal show the same rows, since whoever writes has a transaction number and ends by being seen. So an answer
 * is kept with the snapshot that was current both before its first statement and after its last, and given again where that is current
 * still: one small statement, which all who ask at once share, instead of all that the answer takes.
 */
import { LRUCache } from 'lru-cache'
import { ASKED_LATELY, Asked, isKeepable, ownBytes, weightOf } from './keeping.ts'
import type { Database } from './persistence/database.ts'

/** Bytes of answers and their keys. */
export const UNCHANGED_KEPT_BYTES = 8 * 1024 * 1024
/** Where others write all the time nothing can be kept: after an answer that held for less, nobody tries for so long. */
export const QUIET_MS = 1_000

interface UnchangedAnswer {
  readonly body: Buffer
  readonly snapshot: string
  /** In the time of `elapsed`. */
  readonly keptAt: number
}

export class UnchangedAnswers {
  private readonly kept: LRUCache<string, UnchangedAnswer>
  private readonly asked = new Asked(ASKED_LATELY)
  private busyUntil = Number.NEGATIVE_INFINITY

  constructor(
    private readonly database: Database,
    limit = UNCHANGED_KEPT_BYTES,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    this.kept = new LRUCache<string, UnchangedAnswer>({ maxSize: limit, sizeCalculation: weightOf })
  }

  /** The answer, when it would be the same now; else the snapshot with which the one to be made may be kept. Throws as the database does. */
  async find(key: string): Promise<{ readonly body?: Buffer; readonly snapshot?: string }> {
    if (!isKeepable(key) || !this.asked.has(key) || this.elapsed() < this.busyUntil) return {}
    const snapshot = await this.snapshot()
    const known = this.kept.get(key)
    if (known?.snapshot === snapshot) return { body: known.body }
    if (known) {
      this.kept.delete(key)
      this.busyUntil = Math.max(this.busyUntil, known.keptAt + QUIET_MS)
    }
    return { snapshot }
  }

  /**
   * Keeps the body of an answer that was made after `snapshot` was current, if it still is. To be told of all answers that read nothing but
   * what is stored and are the same at every instant, without failures, for whoever has the key.
   */
  async keep(key: string, body: Buffer, snapshot: string | undefined): Promise<void> {
    if (!isKeepable(key, body)) return
    if (!this.asked.again(key) || snapshot === undefined) return
    if ((await this.snapshot()) === snapshot) this.kept.set(key, { body: ownBytes(body), snapshot, keptAt: this.elapsed() })
    else this.busyUntil = this.elapsed() + QUIET_MS
  }

  private snapshot(): Promise<string> {
    return this.database.batchRead({ name: 'snapshot', read: currentSnapshot }, ['current'])
  }
}

/** With the end of the log: after a crash the numbers of transactions that left nothing behind are given out again. */
async function currentSnapshot(database: Database): Promise<string> {
  const text = 'SELECT pg_current_snapshot()::text AS snapshot, pg_current_wal_insert_lsn()::text AS "end"'
  const rows = await database.query<{ snapshot: string; end: string }>('unchanged-snapshot', text)
  return rows.map(({ snapshot, end }) => `${snapshot} ${end}`).join()
}
