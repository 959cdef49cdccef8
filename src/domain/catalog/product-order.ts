/** Product order: the document numbers of a scope of a release, in listing order. Immutable. */
import { lowerBound } from '../../lib/lower-bound.ts'

/**
 * The products of a hierarchy, a node or the whole release. The first `curated` of a node are curated in it
 * (list.curated-come-first).
 */
export class ProductOrder {
  private pairs: Float64Array | undefined
  private sorted: Int32Array | undefined

  constructor(
    readonly documents: Int32Array,
    readonly curated: number,
  ) {}

  /**
   * The document numbers, rising. Sorted once, so that a comparison with another order only walks both
   * (document-difference.ts).
   */
  get rising(): Int32Array {
    this.sorted ??= this.documents.slice().sort()
    return this.sorted
  }

  /** The index of `document` in the order; -1 when it is not in the scope. */
  positionOf(document: number): number {
    this.pairs ??= sortedPairs(this.documents)
    const found = this.pairs[lowerBound(this.pairs, document * POSITIONS)]
    return found !== undefined && Math.floor(found / POSITIONS) === document ? found % POSITIONS : -1
  }
}

/**
 * More positions than a release has. A number and its position share one double, so that sorted pairs take 8 bytes
 * each.
 */
export const POSITIONS = 2 ** 22

/** Numbers with their positions (`number * POSITIONS + position`), by number, then by position. */
export function sortedPairs(numbers: Int32Array): Float64Array {
  // `from` with a function takes several times as long.
  const pairs = new Float64Array(numbers)
  for (let position = 0; position < pairs.length; position++)
    pairs[position] = (pairs[position] as number) * POSITIONS + position
  return pairs.sort()
}
