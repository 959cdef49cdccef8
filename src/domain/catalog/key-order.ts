/**
 * Key order: sorts positions of a list by rising or falling keys, ties by position. An entry without a key has an
 * infinite one; such entries come last in both directions.
 */
import type { Effort } from '../../lib/effort.ts'
import { lowerBound } from '../../lib/lower-bound.ts'

/** Positions that are sorted without a pause, in about three milliseconds. */
const BLOCK = 16_384

/** `positions` (rising) by rising key, ties by position; pauses between blocks. */
export async function orderByKey(
  positions: Int32Array,
  keys: Float64Array,
  { pause }: Pick<Effort, 'pause'>,
): Promise<Int32Array> {
  let runs: Int32Array[] = []
  for (let start = 0; start < positions.length; start += BLOCK) {
    runs.push(sortByKey(positions.subarray(start, start + BLOCK), keys))
    await pause()
  }
  while (runs.length > 1) {
    const merged: Int32Array[] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right] = [runs[at] as Int32Array, runs[at + 1]]
      merged.push(right ? merge(left, right, keys) : left)
      await pause()
    }
    runs = merged
  }
  return runs[0] ?? new Int32Array()
}

/**
 * `positions` (rising) by rising key, ties by position: a counting sort by the index of each key among the distinct
 * ones.
 */
export function sortByKey(positions: Int32Array, keys: Float64Array): Int32Array {
  const sorted = Float64Array.from(positions, (position) => keys[position] as number).sort()
  let count = 0
  for (const key of sorted) if (count === 0 || sorted[count - 1] !== key) sorted[count++] = key
  const distinct = sorted.subarray(0, count)
  const indexes = positions.map((position) => lowerBound(distinct, keys[position] as number))
  const starts = new Int32Array(count + 1)
  for (const index of indexes) starts[index + 1] = (starts[index + 1] as number) + 1
  for (let index = 1; index <= count; index++) starts[index] = (starts[index] as number) + (starts[index - 1] as number)
  const order = new Int32Array(positions.length)
  for (let at = 0; at < positions.length; at++) {
    const index = indexes[at] as number
    const place = starts[index] as number
    order[place] = positions[at] as number
    starts[index] = place + 1
  }
  return order
}

/**
 * The order after the keys of the `changed` positions (rising) changed. The changed ones are merged into the others,
 * which keep their order.
 */
export function moveChanged(order: Int32Array, changed: Int32Array, keys: Float64Array): Int32Array {
  const isChanged = new Uint8Array(order.length)
  for (const position of changed) isChanged[position] = 1
  const others = new Int32Array(order.length - changed.length)
  let at = 0
  for (const position of order) if (isChanged[position] === 0) others[at++] = position
  return merge(others, sortByKey(changed, keys), keys)
}

function merge(left: Int32Array, right: Int32Array, keys: Float64Array): Int32Array {
  const merged = new Int32Array(left.length + right.length)
  let next = 0
  let at = 0
  for (let index = 0; index < left.length; index++) {
    const position = left[index] as number
    while (next < right.length && precedes(right[next] as number, position, keys))
      merged[at++] = right[next++] as number
    merged[at++] = position
  }
  merged.set(right.subarray(next), at)
  return merged
}

function precedes(one: number, other: number, keys: Float64Array): boolean {
  const key = keys[one] as number
  const otherKey = keys[other] as number
  return key < otherKey || (key === otherKey && one < other)
}

/** A rising order by falling keys: ties stay in the default order, and positions without a key stay last. */
export function falling(rising: Int32Array, keys: Float64Array): Int32Array {
  let keyed = rising.length
  while (keyed > 0 && keys[rising[keyed - 1] as number] === Number.POSITIVE_INFINITY) keyed--
  const order = new Int32Array(rising.length)
  order.set(rising.subarray(keyed), keyed)
  let at = 0
  for (let end = keyed; end > 0; ) {
    const key = keys[rising[end - 1] as number]
    let start = end - 1
    while (start > 0 && keys[rising[start - 1] as number] === key) start--
    order.set(rising.subarray(start, end), at)
    at += end - start
    end = start
  }
  return order
}
