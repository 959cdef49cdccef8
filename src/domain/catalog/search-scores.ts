/** Search scores: which documents a search found and how well each matches, in eight bytes a document. */

/** The documents of a release that a search found. */
export class SearchScores {
  constructor(
    /** Rising. */
    readonly documents: Int32Array,
    /** Beside each document its score; the higher, the better it matches. */
    private readonly scores: Float32Array,
  ) {}

  /** The score of a document; -Infinity when it was not found. */
  scoreOf(document: number): number {
    const { documents } = this
    let low = 0
    let high = documents.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((documents[middle] as number) < document) low = middle + 1
      else high = middle
    }
    return documents[low] === document ? (this.scores[low] as number) : Number.NEGATIVE_INFINITY
  }
}
