/**
 * Span column: a price column in typed arrays, 17 bytes for a document of one span and 17 more for each further span.
 */
import type { PriceColumn, PriceSpan } from '../../domain/catalog/price-snapshot.ts'
import { lowerBound } from '../../lib/lower-bound.ts'

/** The spans of one document; `starts` leaves out the first, which is from the beginning of time. */
export type DocumentSpans = readonly [
  document: number,
  starts: readonly number[],
  amounts: readonly (number | null)[],
  /** 1 while a sale supplies the amount, else 0. */
  onSale: readonly number[],
]

/** The span of a document that is not in the column. */
const NO_PRICE: PriceSpan = { amount: null, isOnSale: false, from: null, until: null }

/** The spans of many documents. `NaN` stands for no price. A document that never has a price has one such span. */
export class SpanColumn implements PriceColumn {
  constructor(
    /** Rising. */
    private readonly documents: Int32Array,
    /** Beside each document the index after its last span. */
    private readonly ends: Int32Array,
    /**
     * The starts of all spans but each document's first. Those of the document at index i begin i places earlier than
     * in `amounts`.
     */
    private readonly starts: Float64Array,
    private readonly amounts: Float64Array,
    private readonly onSale: Uint8Array,
  ) {}

  get bytes(): number {
    const arrays = [this.documents, this.ends, this.starts, this.amounts, this.onSale]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 200)
  }

  at(document: number, instant: number): PriceSpan {
    const at = this.indexOf(document)
    if (at < 0) return NO_PRICE
    const span = this.spanAt(at, instant)
    const amount = this.amounts[span] as number
    const isFirst = span === this.firstSpan(at)
    const isLast = span + 1 === this.ends[at]
    return {
      amount: Number.isNaN(amount) ? null : amount,
      isOnSale: this.onSale[span] === 1,
      from: isFirst ? null : (this.starts[span - at - 1] as number),
      until: isLast ? null : (this.starts[span - at] as number),
    }
  }

  /** Whether the column has the document, even one without a price. */
  has(document: number): boolean {
    return this.indexOf(document) >= 0
  }

  /** The spans of a document that is in the column. */
  spansOf(document: number): DocumentSpans {
    const at = this.indexOf(document)
    const first = this.firstSpan(at)
    const end = this.ends[at] as number
    const amounts = Array.from(this.amounts.subarray(first, end), (amount) => (Number.isNaN(amount) ? null : amount))
    const onSale = Array.from(this.onSale.subarray(first, end))
    return [document, Array.from(this.starts.subarray(first - at, end - at - 1)), amounts, onSale]
  }

  private firstSpan(at: number): number {
    return at === 0 ? 0 : (this.ends[at - 1] as number)
  }

  /** The index of the document's span at `instant`. */
  private spanAt(at: number, instant: number): number {
    let low = this.firstSpan(at)
    let high = (this.ends[at] as number) - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.starts[middle - at - 1] as number) <= instant) low = middle
      else high = middle - 1
    }
    return low
  }

  /**
   * The index of `document`; -1 when it is not in the column. Numbers of one publish are consecutive, so the first
   * guess is often right.
   */
  private indexOf(document: number): number {
    const { documents } = this
    const guess = document - (documents[0] ?? 0)
    if (documents[guess] === document) return guess
    const index = lowerBound(documents, document)
    return documents[index] === document ? index : -1
  }
}

/** Builds the column of `documents`, which rise; `known` gives the spans of those that it has. */
export class SpanColumnBuilder {
  private readonly ends: Int32Array
  private at = 0
  private readonly starts: number[] = []
  private readonly amounts: number[] = []
  private readonly onSale: number[] = []

  constructor(
    private readonly documents: Int32Array,
    private readonly known: SpanColumn | undefined,
  ) {
    this.ends = new Int32Array(documents.length)
  }

  /** Adds spans that were read, of documents that rise from call to call. */
  add(spans: readonly DocumentSpans[]): void {
    for (const one of spans) {
      this.fillUpTo(one[0])
      this.push(one)
    }
  }

  build(): SpanColumn {
    this.fillUpTo(Number.POSITIVE_INFINITY)
    return new SpanColumn(
      this.documents,
      this.ends,
      new Float64Array(this.starts),
      new Float64Array(this.amounts),
      new Uint8Array(this.onSale),
    )
  }

  /** Adds the known spans of the documents before `next` that were not added yet. */
  fillUpTo(next: number): void {
    for (
      let document = this.documents[this.at];
      document !== undefined && document < next;
      document = this.documents[this.at]
    ) {
      this.push(this.known?.has(document) ? this.known.spansOf(document) : [document, [], [null], [0]])
    }
  }

  private push([, starts, amounts, onSale]: DocumentSpans): void {
    for (const start of starts) this.starts.push(start)
    for (const amount of amounts) this.amounts.push(amount ?? Number.NaN)
    for (const flag of onSale) this.onSale.push(flag)
    this.ends[this.at++] = this.amounts.length
  }
}
