/**
 * Price column: the prices of a release's products in one currency over time, each of one unit outside of a bundle. Orders, ranges and
 * facets by price read it instead of decoding every document. It is immutable, as the release is.
 */
export interface PriceColumn {
  /** The amount in force at `instant` (epoch milliseconds), in minor units; null when the product has no price then. */
  amountAt(document: number, instant: number): number | null
  /** Whether a sale supplies the amount at `instant` (sale.reported-when-it-supplies). */
  isOnSaleAt(document: number, instant: number): boolean
  /** The first instant after `instant` at which the amount or `isOnSaleAt` of the document changes; null for never. */
  nextChange(document: number, instant: number): number | null
}
