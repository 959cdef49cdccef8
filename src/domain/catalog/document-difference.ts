/**
 * Document difference: what a release has of documents that another one lacks. Both share the documents of products that stayed as they
 * were.
 */

/** Document numbers, rising: those of the older release alone, and those of the newer one alone. */
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
