/**
 * The places of a list that its owner edits: whole numbers that rise. A cursor holds such a place (graph.connections-both-ways), so an item
 * keeps its own as long as the new order allows it.
 */

/** Between neighbours of a new list, so that others fit in later. */
const GAP = 1024
/** What the column holds. */
const LEAST = -(2 ** 31)
const MOST = 2 ** 31 - 1

/**
 * A place for each id, in the order given. As many as can keep what they have in `stored`; others come between, before or after them. Where
 * there is no room, the next ones move on: a cursor before them shows them twice rather than never. Only at the end of all numbers
 * does everybody move.
 */
export function stablePositions(stored: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const kept = longestIncreasingSubsequence(ids.map((id) => stored.get(id)))
  const positions: number[] = []
  for (const [index, own] of kept.entries()) {
    const before = positions.at(-1)
    positions.push(own !== undefined && (before === undefined || own > before) ? own : newPosition(kept, index, before))
  }
  const fits = (position: number): boolean => position >= LEAST && position <= MOST
  return positions.every(fits) ? positions : ids.map((_, index) => index * GAP)
}

function newPosition(kept: readonly (number | undefined)[], index: number, before: number | undefined): number {
  const next = kept.findIndex((own, at) => at > index && own !== undefined && (before === undefined || own - before > at - index))
  if (next === -1) return before === undefined ? 0 : before + GAP
  const own = kept[next] as number
  return before === undefined ? own - (next - index) * GAP : before + Math.floor((own - before) / (next - index + 1))
}

/** Of the values, those of one of the longest rows that rise; undefined in the place of the others. */
function longestIncreasingSubsequence(values: readonly (number | undefined)[]): (number | undefined)[] {
  /** Where the rise of each length ends whose end is the smallest so far, and before each place the one that its rise came from. */
  const ends: number[] = []
  const from: (number | undefined)[] = []
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue
    const at = ends.findIndex((end) => (values[end] as number) >= value)
    const length = at === -1 ? ends.length : at
    from[index] = ends[length - 1]
    ends[length] = index
  }
  const rise: (number | undefined)[] = values.map(() => undefined)
  for (let index = ends.at(-1); index !== undefined; index = from[index]) rise[index] = values[index]
  return rise
}
