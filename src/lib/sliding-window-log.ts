/** The request log of one token: how many of its requests were taken in each second, as far back as they count (rate-limit.ts). */

/** The running second and the 60 before it. */
export const WINDOW_SECONDS = 61

export interface SlidingWindowLog {
  /** The latest second in which a request was taken. */
  readonly second: number
  /** How many were taken in it and in each second before it, newest first; at most WINDOW_SECONDS. */
  readonly counts: readonly number[]
}

export const emptyLog: SlidingWindowLog = { second: Number.NEGATIVE_INFINITY, counts: [] }

/** The log with one request more, in `second`; null when `limit` were taken within the window already. */
export function recordRequest({ second: latest, counts }: SlidingWindowLog, second: number, limit: number): SlidingWindowLog | null {
  // An instant before the latest one counts as that.
  const passed = Math.min(Math.max(second - latest, 0), WINDOW_SECONDS)
  const recent = passed < WINDOW_SECONDS ? [...Array<number>(passed).fill(0), ...counts].slice(0, WINDOW_SECONDS) : []
  const [running = 0, ...before] = recent
  const taken = before.reduce((sum, count) => sum + count, running)
  return taken < limit ? { second: Math.max(second, latest), counts: [running + 1, ...before] } : null
}

/** Milliseconds from `now`, of the same clock as the log's seconds, until its window has room again; 0 when it has. */
export function retryAfterMs({ second: latest, counts }: SlidingWindowLog, now: number, limit: number): number {
  let room = limit
  for (const [age, count] of counts.entries()) {
    room -= count
    // The second whose requests fill the window: one may be taken when it has left.
    if (room <= 0) return Math.max(0, (latest - age + WINDOW_SECONDS) * 1_000 - now)
  }
  return 0
}
