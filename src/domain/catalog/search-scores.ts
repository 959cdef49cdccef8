/** Search scores: which documents a search found and how well each matches, in eight bytes a document. */
import { lowerBound } from '../../lib/lower-bound.ts'

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
    const index = lowerBound(this.documents, document)
    return this.documents[index] === document ? (this.scores[index] as number) : Number.NEGATIVE_INFINITY
  }
}
