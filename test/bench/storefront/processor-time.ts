/**
 * The processor time that a request costs, of the server and of its database: work beside it changes that less than
 * requests a second.
 */
import { readFileSync } from 'node:fs'
import { openAt } from '../data.ts'
import { driveOnce, type LoadRequest } from '../load.ts'
import type { Running } from '../process.ts'

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

/** User and system time of a process; 0 once it has ended. */
function processTime(pid: number): number {
  try {
    // The name, in brackets, may hold blanks; time is in the 14th and 15th field of all.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/**
 * Milliseconds of processor time, so far, of a server and its present connections. Parallel workers of the database are
 * left out.
 */
export async function processorClock({ pid }: Running, database: string): Promise<() => number> {
  const opened = await openAt(database)
  try {
    const { rows } = await opened.pool.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    const times = new Map([pid, ...rows.map((row) => row.pid)].map((one) => [one, 0]))
    return () => {
      // A connection that has ended counts as it did last.
      for (const [one, last] of times) times.set(one, Math.max(last, processTime(one)))
      return [...times.values()].reduce((sum, time) => sum + time, 0)
    }
  } finally {
    await opened.close()
  }
}

/** Milliseconds of processor time a request, `amount` requests on 10 connections. */
export async function processorTime(
  running: Running,
  database: string,
  requests: readonly LoadRequest[],
  amount: number,
): Promise<number> {
  const total = await processorClock(running, database)
  const before = total()
  await driveOnce({ url: running.url, connections: 10, seconds: 1, requests, amount })
  return (total() - before) / amount
}
