/**
 * Snapshots: rows of several statements as the database was at one instant, however long they take to read and whatever
 * is written.
 */
import type { Database } from './database.ts'
import { namedQuery } from './query.ts'
import { BE_PATIENT } from './session-limits.ts'

/** Rows that are held in memory at once, those of one fetch. */
const FETCH_ROWS = 200

/** Reads within one snapshot. */
export interface Snapshot {
  /**
   * The rows of a statement, by a cursor of the database: it keeps no more than FETCH_ROWS rows in this process. `name`
   * stands for one text and names the cursor, so it is an SQL name; `text` must not contain input of clients, which
   * comes in `values`.
   */
  rows<Row extends object>(name: string, text: string, values?: readonly unknown[]): AsyncGenerator<Row>
}

/**
 * Yields what `work` yields, reading in a transaction that writes nothing and sees the store as it was at its first
 * statement. It takes one connection until it ends: the embedded database has no other.
 */
export async function* inSnapshot<T>(
  database: Database,
  work: (snapshot: Snapshot) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const client = await database.pool.connect()
  let failure: Error | undefined
  const snapshot: Snapshot = {
    async *rows<Row extends object>(name: string, text: string, values: readonly unknown[] = []) {
      await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, [...values])
      for (;;) {
        const rows = await namedQuery<Row>(client, `fetch_${name}`, `FETCH ${FETCH_ROWS} FROM ${name}`)
        yield* rows
        if (rows.length < FETCH_ROWS) break
      }
      await client.query(`CLOSE ${name}`)
    },
  }
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    // A sort of millions of rows may take longer than a request's statement may.
    await client.query('SET LOCAL statement_timeout = 0')
    if (database.kind === 'server') await client.query(BE_PATIENT)
    yield* work(snapshot)
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // Nothing was written; after a failure the connection is closed.
    if (failure === undefined) await client.query('ROLLBACK')
    client.release(failure)
  }
}
