/**
 * Estimated length of a value as JSON, in characters, without the escapes in its strings. Counting stops once it
 * exceeds `limit`.
 */
export function jsonSize(value: unknown, limit: number): number {
  let size = 0
  const count = (one: unknown): void => {
    if (typeof one === 'string') size += one.length + 2
    else if (typeof one !== 'object' || one === null) size += 5
    else if (Array.isArray(one)) {
      size += 2
      for (let at = 0; at < one.length && size <= limit; at++) {
        count(one[at])
        size++
      }
    } else {
      size += 2
      for (const name in one) {
        if (size > limit) return
        size += name.length + 4
        count((one as Record<string, unknown>)[name])
      }
    }
  }
  count(value)
  return size
}
