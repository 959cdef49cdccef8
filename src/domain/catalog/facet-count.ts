/** Facet counts: how many entries of a list have each value of a field. */

/** The maximum number of values of one facet. */
export const FACET_VALUES_MAX = 100

/** The values of a field by position in a scope, each as an index of `values`. */
export interface FacetValues {
  readonly values: readonly string[]
  readonly forEach: (position: number, visit: (code: number) => void) => void
}

/** A value with its count. */
export interface CountedValue {
  readonly value: string
  readonly count: number
  readonly selected: boolean
}

/**
 * The count of each value among `positions`. With `leaders` a value counts once per group; the positions of a group are
 * then adjacent (`byLeader`).
 */
export function countValues(
  positions: Int32Array,
  { values, forEach }: FacetValues,
  leaders: Int32Array | null,
): Int32Array {
  const counts = new Int32Array(values.length)
  const last = new Int32Array(values.length).fill(-1)
  let leader = 0
  const count = (code: number): void => {
    if (last[code] === leader) return
    last[code] = leader
    counts[code] = (counts[code] as number) + 1
  }
  for (const position of positions) {
    leader = leaders === null ? position : (leaders[position] as number)
    forEach(position, count)
  }
  return counts
}

/**
 * At most FACET_VALUES_MAX values to show, most products first, then by value. Values without products are shown only
 * when selected; selected values are the last to be cut. With `inOrder` all `values` are shown in order.
 */
export function shownValues(
  values: readonly string[],
  counts: Int32Array,
  selected: ReadonlySet<string>,
  inOrder = false,
): CountedValue[] {
  const counted = values.map((value, code) => ({ value, count: counts[code] as number, selected: selected.has(value) }))
  if (inOrder) return counted
  const byCount = (left: CountedValue, right: CountedValue): number =>
    right.count - left.count || compareTexts(left.value, right.value)
  const shown = counted.filter((one) => one.count > 0 || one.selected).sort(byCount)
  if (shown.length <= FACET_VALUES_MAX) return shown
  const chosen = [...shown.filter((one) => one.selected), ...shown.filter((one) => !one.selected)]
  return chosen.slice(0, FACET_VALUES_MAX).sort(byCount)
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
