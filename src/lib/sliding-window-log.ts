/** Sliding window log of one token: the number of its requests in each recent second (rate-limit.ts). */

/** Seconds in a window: the current one and the 60 before it. */
export const WINDOW_SECONDS = 61

/** The requests of one token. */
export interface SlidingWindowLog {
  /** The latest second with a request, by the clock of the rate limit. */
  readonly second: number
  /** Requests in that second and in each one before it, newest first; at most WINDOW_SECONDS entries. */
  readonly counts: readonly number[]
}

/** The log of a token without requests. */
export const emptyLog: SlidingWindowLog = { second: Number.NEGATIVE_INFINITY, counts: [] }

/** The log with one more request in `second`; null when the window has `limit` requests already. */
export function recordRequest(
  { second: latest, counts }: SlidingWindowLog,
  second: number,
  limit: number,
): SlidingWindowLog | null {
  // An earlier second than the latest one counts as the latest.
  const passed = Math.min(Math.max(second - latest, 0), WINDOW_SECONDS)
  const recent = passed < WINDOW_SECONDS ? [...Array<number>(passed).fill(0), ...counts].slice(0, WINDOW_SECONDS) : []
  const [running = 0, ...before] = recent
  const taken = before.reduce((sum, count) => sum + count, running)
  return taken < limit ? { second: Math.max(second, latest), counts: [running + 1, ...before] } : null
}

/** Milliseconds from `now` (ms, by the same clock) until the window has room for a request; 0 when it has. */
export function retryAfterMs({ second: latest, counts }: SlidingWindowLog, now: number, limit: number): number {
  let room = limit
  for (const [age, count] of counts.entries()) {
    room -= count
    // The window has room when the second that fills it has left it.
    if (room <= 0) return Math.max(0, (latest - age + WINDOW_SECONDS) * 1_000 - now)
  }
  return 0
}
