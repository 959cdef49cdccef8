/**
 * Document difference: the documents that only one of two releases has. Both share the documents of products that
 * stayed unchanged.
 */

/** Document numbers, rising: those only in the older release, and those only in the newer one. */
export interface DocumentDifference {
  readonly gone: Int32Array
  readonly come: Int32Array
}

/** The difference of two sets of document numbers, both rising: one walk of both, a millisecond for 100,000. */
export function documentDifference(before: Int32Array, after: Int32Array): DocumentDifference {
  const gone: number[] = []
  const come: number[] = []
  let at = 0
  for (const document of after) {
    while (at < before.length && (before[at] as number) < document) gone.push(before[at++] as number)
    if (before[at] === document) at++
    else come.push(document)
  }
  for (; at < before.length; at++) gone.push(before[at] as number)
  return { gone: Int32Array.from(gone), come: Int32Array.from(come) }
}
