/** Variant groups: a parent stands once for itself and its children, at the place of the first of them (list.parent-for-children). */

/** The leaders of `positions` in their order, each once. `leaders` is by position: the parent of a child, else the product itself. */
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
  const shift = 2 ** 22
  const packed = Float64Array.from(leaders, (leader, position) => leader * shift + position).sort()
  return Int32Array.from(packed, (one) => one % shift)
}
