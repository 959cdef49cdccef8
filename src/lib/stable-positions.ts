/**
 * Stable positions of an edited list: rising integers. Cursors contain positions (graph.connections-both-ways), so an
 * item keeps its own as long as the new order allows it.
 */

/** Distance between new neighbors, so that later items fit between them. */
const GAP = 1024
/** The range of the column, int4. */
const LEAST = -(2 ** 31)
const MOST = 2 ** 31 - 1

/**
 * A position for each id, rising in the order of `ids`.
 *
 * As many ids as possible keep their position in `stored`; the others get positions between, before or after them.
 * Where there is no room, the ids that follow move up: a page after an older cursor then repeats items rather than
 * skipping them. All items move only when the range is exhausted.
 */
export function stablePositions(stored: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const unmoved = longestIncreasingSubsequence(ids.map((id) => stored.get(id)))
  const positions: number[] = []
  for (const [index, own] of unmoved.entries()) {
    const before = positions.at(-1)
    positions.push(
      own !== undefined && (before === undefined || own > before) ? own : newPosition(unmoved, index, before),
    )
  }
  const fits = (position: number): boolean => position >= LEAST && position <= MOST
  return positions.every(fits) ? positions : ids.map((_, index) => index * GAP)
}

function newPosition(unmoved: readonly (number | undefined)[], index: number, before: number | undefined): number {
  const next = unmoved.findIndex(
    (own, at) => at > index && own !== undefined && (before === undefined || own - before > at - index),
  )
  if (next === -1) return before === undefined ? 0 : before + GAP
  const own = unmoved[next] as number
  return before === undefined ? own - (next - index) * GAP : before + Math.floor((own - before) / (next - index + 1))
}

/** One longest strictly increasing subsequence of the values, with undefined in place of the other values. */
function longestIncreasingSubsequence(values: readonly (number | undefined)[]): (number | undefined)[] {
  /**
   * For each length, the index at which a subsequence of that length ends with the smallest value. For each index, the
   * one before it in its subsequence.
   */
  const ends: number[] = []
  const from: (number | undefined)[] = []
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue
    const at = ends.findIndex((end) => (values[end] as number) >= value)
    const length = at === -1 ? ends.length : at
    from[index] = ends[length - 1]
    ends[length] = index
  }
  const subsequence: (number | undefined)[] = values.map(() => undefined)
  for (let index = ends.at(-1); index !== undefined; index = from[index]) subsequence[index] = values[index]
  return subsequence
}
