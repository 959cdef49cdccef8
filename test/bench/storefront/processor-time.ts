/** The processor time that a request costs, of the server and of its database: work beside it changes that less than requests a second. */
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

/** Milliseconds of processor time a request, `amount` requests on 10 connections. Parallel workers of the database are left out. */
export async function processorTime(
  { url, pid }: Running,
  database: string,
  requests: readonly LoadRequest[],
  amount: number,
): Promise<number> {
  const opened = await openAt(database)
  try {
    const { rows } = await opened.pool.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    const pids = [pid, ...rows.map((row) => row.pid)]
    const total = (): number => pids.reduce((sum, one) => sum + processTime(one), 0)
    const before = total()
    await driveOnce({ url, connections: 10, seconds: 1, requests, amount })
    return (total() - before) / amount
  } finally {
    await opened.close()
  }
}
