/** The lower bound of a value: the index of the first of the numbers, which rise, that is not below it; their count when there is none. */
export function lowerBound(rising: Int32Array | Float64Array, value: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
