/**
 * Price column: the prices of a release's products in one currency over time, each of one unit outside of a bundle. Orders, ranges and
 * facets by price read it instead of decoding every document. It is immutable, as the release is.
 */
export interface PriceColumn {
  /** The span of a document at `instant`, epoch milliseconds; without an amount where the column does not know the document. */
  at(document: number, instant: number): PriceSpan
}

/** Price span: the price of a product from one change to the next. */
export interface PriceSpan {
  /** In minor units; null when the product has no price. */
  readonly amount: number | null
  /** Whether a sale supplies the amount (sale.reported-when-it-supplies). */
  readonly isOnSale: boolean
  /** The instants, epoch milliseconds, at which the amount or `isOnSale` changed last and changes next; null for never. */
  readonly from: number | null
  readonly until: number | null
}
