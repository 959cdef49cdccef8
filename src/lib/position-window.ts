/** Keyset paging over a list in memory, whose items have rising positions. */

/** A window: items strictly between two positions, at most `limit`, from the end when `reverse`. Null is no bound. */
export interface PositionWindow {
  readonly after: number | null
  readonly before: number | null
  readonly limit: number
  readonly reverse: boolean
}

/**
 * The indexes of a window's items, in the order of the walk. `positions` rise; null means that each item's position is its index, below
 * `length`.
 */
export function windowIndexes(positions: ArrayLike<number> | null, length: number, window: PositionWindow): number[] {
  const from = window.after === null ? 0 : firstAtLeast(positions, length, window.after + 1)
  const to = window.before === null ? length : firstAtLeast(positions, length, window.before)
  const count = Math.max(0, Math.min(window.limit, to - from))
  return Array.from({ length: count }, (_, step) => (window.reverse ? to - 1 - step : from + step))
}

function firstAtLeast(positions: ArrayLike<number> | null, length: number, position: number): number {
  if (positions === null) return Math.min(Math.max(0, position), length)
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] as number) < position) low = middle + 1
    else high = middle
  }
  return low
}
