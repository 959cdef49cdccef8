/**
 * The lower bound of `value` in rising numbers: the index of the first number that is not below it, or their count when
 * all are below.
 */
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
