/**
 * Snapshots: rows of several statements as the database was at one instant, however long they take to read and whatever
 * is written.
 */
import type { Database } from './database.ts'
import { namedQuery, unnamedQuery } from './query.ts'
import { BE_PATIENT } from './session-limits.ts'

/** Rows that are held in memory at once, those of one fetch. */
const FETCH_ROWS = 200

/**
 * A statement of a snapshot. `name` stands for one text and names its cursor, so it is an SQL name. `text` must not
 * contain input of clients.
 */
export interface SnapshotStatement {
  readonly name: string
  readonly text: string
  /** An id, for $1. */
  readonly id?: string
}

/** Reads within one snapshot. */
export interface Snapshot {
  /** The rows of one of its statements, from the first, by a cursor: FETCH_ROWS of them are in this process at once. */
  rows<Row extends object>(statement: SnapshotStatement): AsyncGenerator<Row>
}

type Work<T> = (snapshot: Snapshot) => AsyncGenerator<T>

/**
 * Yields what `work` yields, which reads `statements` as the store was when the first row was asked for.
 *
 * A server reads in a transaction, which takes one connection until it ends. The embedded database has no other: there
 * the rows are set aside at once, and other work goes on between the fetches.
 */
export function inSnapshot<T>(
  database: Database,
  statements: readonly SnapshotStatement[],
  work: Work<T>,
): AsyncGenerator<T> {
  return database.kind === 'server' ? inTransaction(database, work) : inHeldCursors(database, statements, work)
}

async function* inTransaction<T>(database: Database, work: Work<T>): AsyncGenerator<T> {
  const client = await database.pool.connect()
  let failure: Error | undefined
  const snapshot: Snapshot = {
    async *rows<Row extends object>({ name, text, id }: SnapshotStatement) {
      await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, id === undefined ? [] : [id])
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
    await client.query(BE_PATIENT)
    yield* work(snapshot)
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // Nothing was written; after a failure the connection is closed.
    if (failure === undefined) await client.query('ROLLBACK').catch((error: Error) => (failure = error))
    client.release(failure)
  }
}

let lastSnapshot = 0

async function* inHeldCursors<T>(
  { pool }: Database,
  statements: readonly SnapshotStatement[],
  work: Work<T>,
): AsyncGenerator<T> {
  const suffix = ++lastSnapshot
  const cursorOf = ({ name }: SnapshotStatement): string => `${name}_${suffix}`
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    for (const statement of statements) {
      const { text, id } = statement
      await client.query(
        `DECLARE ${cursorOf(statement)} SCROLL CURSOR WITH HOLD FOR ${text}`,
        id === undefined ? [] : [id],
      )
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
  const snapshot: Snapshot = {
    async *rows<Row extends object>(statement: SnapshotStatement) {
      const cursor = cursorOf(statement)
      await pool.query(`MOVE ABSOLUTE 0 FROM ${cursor}`)
      for (;;) {
        const rows = await unnamedQuery<Row>(pool, `FETCH ${FETCH_ROWS} FROM ${cursor}`)
        yield* rows
        if (rows.length < FETCH_ROWS) break
      }
    },
  }
  try {
    yield* work(snapshot)
  } finally {
    for (const statement of statements) await pool.query(`CLOSE ${cursorOf(statement)}`)
  }
}
