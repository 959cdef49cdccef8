/**
 * Which transactions a reader could see (PostgreSQL's pg_snapshot, `xmin:xmax:running,...`). Numbers of rows are drawn before their
 * transactions commit, so they come into sight out of order; what a reader has not seen yet is told by snapshots alone.
 */
export interface Snapshot {
  /** All before it had ended. */
  readonly xmin: number
  /** None from it on had begun. */
  readonly xmax: number
  /** Those between that had not ended, rising. */
  readonly running: readonly number[]
}

/** Undefined when the text is no snapshot. */
export function parseSnapshot(text: string): Snapshot | undefined {
  if (!/^\d{1,16}:\d{1,16}:(\d{1,16}(,\d{1,16})*)?$/.test(text)) return undefined
  const [xmin = 0, xmax = 0] = text.split(':').map(Number)
  const running = (text.split(':')[2] ?? '').split(',').filter(Boolean).map(Number)
  const rising = [xmin, ...running, xmax].every(
    (xid, index, all) => Number.isSafeInteger(xid) && (index < 2 || xid > (all[index - 1] ?? 0)),
  )
  const within = xmin > 0 && xmin <= (running[0] ?? xmax) && xmin <= xmax
  return rising && within ? { xmin, xmax, running } : undefined
}

/** Whether what the transaction wrote was in sight. */
export function isVisible({ xmin, xmax, running }: Snapshot, xid: number): boolean {
  return xid < xmin || (xid < xmax && !running.includes(xid))
}

/** Whether one snapshot of a server was taken before another, which shows more. */
export function isOlder(one: Snapshot, other: Snapshot): boolean {
  return one.xmax < other.xmax || (one.xmax === other.xmax && one.running.length > other.running.length)
}
