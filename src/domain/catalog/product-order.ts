/** Product order: the document numbers of a scope of a release, in listing order. Immutable. */

/** The products of a hierarchy, a node or the whole release. The first `curated` of a node are curated in it (list.curated-come-first). */
export class ProductOrder {
  private ranks: Float64Array | undefined
  private sorted: Int32Array | undefined

  constructor(
    readonly documents: Int32Array,
    readonly curated: number,
  ) {}

  /** The document numbers, rising. Sorted once, so that a comparison with another order only walks both (document-difference.ts). */
  get rising(): Int32Array {
    this.sorted ??= this.documents.slice().sort()
    return this.sorted
  }

  /** The index of `document` in the order; -1 when it is not in the scope. */
  positionOf(document: number): number {
    this.ranks ??= rank(this.documents)
    let low = 0
    let high = this.ranks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ranks[middle] ?? 0) < document * POSITIONS) low = middle + 1
      else high = middle
    }
    const found = this.ranks[low]
    return found !== undefined && Math.floor(found / POSITIONS) === document ? found % POSITIONS : -1
  }
}

/** Document number and position share one double, so that a lookup is a binary search over 8 bytes per document. */
const POSITIONS = 2 ** 22

function rank(documents: Int32Array): Float64Array {
  return Float64Array.from(documents, (document, position) => document * POSITIONS + position).sort()
}
