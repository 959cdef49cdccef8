/**
 * Transaction snapshot: which transactions a reader could see (PostgreSQL's pg_snapshot, `xmin:xmax:running,...`).
 *
 * Row ids are drawn before their transactions commit, so rows become visible out of order; only snapshots show which
 * rows a reader has not seen yet.
 */
export interface TransactionSnapshot {
  /** All transactions with lower ids had ended. */
  readonly xmin: number
  /** No transaction from this id on had begun. */
  readonly xmax: number
  /** The transactions between the two that had not ended, rising. */
  readonly running: readonly number[]
}

/** The snapshot of PostgreSQL's text form; undefined for any other text. */
export function parseSnapshot(text: string): TransactionSnapshot | undefined {
  if (!/^\d{1,16}:\d{1,16}:(\d{1,16}(,\d{1,16})*)?$/.test(text)) return undefined
  const [xmin = 0, xmax = 0] = text.split(':').map(Number)
  const running = (text.split(':')[2] ?? '').split(',').filter(Boolean).map(Number)
  const rising = [xmin, ...running, xmax].every(
    (xid, index, all) => Number.isSafeInteger(xid) && (index < 2 || xid > (all[index - 1] ?? 0)),
  )
  const within = xmin > 0 && xmin <= (running[0] ?? xmax) && xmin <= xmax
  return rising && within ? { xmin, xmax, running } : undefined
}

/** Whether the writes of the transaction `xid` were visible. */
export function isVisible({ xmin, xmax, running }: TransactionSnapshot, xid: number): boolean {
  return xid < xmin || (xid < xmax && !running.includes(xid))
}

/** Whether `one` was taken before `other`, which shows more; both must come from the same database server. */
export function isOlder(one: TransactionSnapshot, other: TransactionSnapshot): boolean {
  return one.xmax < other.xmax || (one.xmax === other.xmax && one.running.length > other.running.length)
}
