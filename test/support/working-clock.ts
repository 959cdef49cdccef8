/**
 * Working clock: counts milliseconds, and stands still while this process gets no processor. What is promised in
 * seconds is measured by it, since a busy machine is no fault of the server.
 */
const TICK_MS = 5

export interface WorkingClock {
  /** Milliseconds since an arbitrary instant. */
  readonly now: () => number
  readonly stop: () => void
}

/** Starts one. */
export function startWorkingClock(): WorkingClock {
  let stalled = 0
  let last = performance.now()
  const look = (): void => {
    const now = performance.now()
    stalled += Math.max(0, now - last - 2 * TICK_MS)
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  return {
    now: () => {
      look()
      return performance.now() - stalled
    },
    stop: () => clearInterval(timer),
  }
}
