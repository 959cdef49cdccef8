/** Variant groups: a parent stands once for itself and its children, at the place of the first of them (list.parent-for-children). */
import { POSITIONS, sortedPairs } from './product-order.ts'

/** The leaders of `positions` in their order, each once. `leaders` is by position: of a child its parent, else the product itself. */
export function groupedLeaders(positions: Int32Array, leaders: Int32Array, releaseLength: number): Int32Array {
  const seen = new Uint8Array(releaseLength)
  return positions
    .map((position) => leaders[position] as number)
    .filter((leader) => {
      if (seen[leader] === 1) return false
      seen[leader] = 1
      return true
    })
}

/** All positions, with those of one group side by side. */
export function byGroup(leaders: Int32Array): Int32Array {
  return Int32Array.from(sortedPairs(leaders), (pair) => pair % POSITIONS)
}
