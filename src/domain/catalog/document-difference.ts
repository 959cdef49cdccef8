/**
 * Document difference: what a release has of documents that another one lacks. Both share the documents of products that stayed as they
 * were.
 */

/** Document numbers, rising: those of the older release alone, and those of the newer one alone. */
export interface DocumentDifference {
  readonly gone: Int32Array
  readonly come: Int32Array
}

/** The difference of two sets of document numbers, each in any order. */
export function documentDifference(before: Int32Array, after: Int32Array): DocumentDifference {
  const [old, now] = [before.slice().sort(), after.slice().sort()]
  const gone: number[] = []
  const come: number[] = []
  let at = 0
  for (const document of now) {
    while (at < old.length && (old[at] as number) < document) gone.push(old[at++] as number)
    if (old[at] === document) at++
    else come.push(document)
  }
  for (; at < old.length; at++) gone.push(old[at] as number)
  return { gone: Int32Array.from(gone), come: Int32Array.from(come) }
}
