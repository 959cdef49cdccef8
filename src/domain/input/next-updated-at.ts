/**
 * The `updatedAt` of a stored change: later than the previous one, whatever the clock does (record.updated-at-rises). Epoch
 * milliseconds.
 */
export function nextUpdatedAt(now: number, previous: number): number {
  return Math.max(now, previous + 1)
}
