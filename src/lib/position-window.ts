/** Pages of a list in memory. Positions are indexes. */

/**
 * A window: at most `limit` items strictly between two positions, counted from the end when `reverse`. Null means no
 * bound.
 */
export interface PositionWindow {
  readonly after: number | null
  readonly before: number | null
  readonly limit: number
  readonly reverse: boolean
}

/** The positions of a window's items in a list of `length`, in the order of the walk. */
export function windowIndexes(length: number, window: PositionWindow): number[] {
  const from = Math.min(Math.max(0, (window.after ?? -1) + 1), length)
  const to = Math.min(Math.max(0, window.before ?? length), length)
  const count = Math.max(0, Math.min(window.limit, to - from))
  return Array.from({ length: count }, (_, step) => (window.reverse ? to - 1 - step : from + step))
}
