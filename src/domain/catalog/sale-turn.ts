/** Sale turns: sales of a release that begin or end at one instant of their schedules (live.turns-at-their-instant). */
import type { Release } from './release.ts'

/** The products of a release whose prices change at one instant, in any currency. */
export interface SaleTurn {
  /** Epoch milliseconds; the new prices are in force from here on. */
  readonly at: number
  readonly release: Release
  /** The documents whose price of one unit changes, in the order of the release's listing. */
  readonly documents: Int32Array
  /** How many of them have a sale price from here on, in any currency. */
  readonly onSaleCount: number
}
