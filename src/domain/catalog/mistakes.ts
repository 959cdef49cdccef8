/** Typing mistakes between two words: a letter that is wrong, missing, too much, or swapped with the next. */

/**
 * How many mistakes part two words, none of them in a letter that another has changed; a number above `most` when there
 * are more than that.
 */
export function mistakesBetween(left: string, right: string, most: number): number {
  if (left === right) return 0
  if (Math.abs(left.length - right.length) > most) return most + 1
  let [before, last, row] = [[] as number[], [] as number[], Array.from({ length: right.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= left.length; at++) {
    ;[before, last, row] = [last, row, [at]]
    let least = at
    for (let to = 1; to <= right.length; to++) {
      const isSame = left[at - 1] === right[to - 1]
      let count = Math.min(
        (last[to] as number) + 1,
        (row[to - 1] as number) + 1,
        (last[to - 1] as number) + (isSame ? 0 : 1),
      )
      if (at > 1 && to > 1 && left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1])
        count = Math.min(count, (before[to - 2] as number) + 1)
      row[to] = count
      least = Math.min(least, count)
    }
    if (least > most) return most + 1
  }
  return row[right.length] as number
}
