/**
 * Change order: orders the products that differ between two releases by the size of their price change
 * (release.changes-by-size-of-price).
 */

/** What changes are ordered by. */
export const changeOrderFields = ['NAME', 'PRICE_DIFFERENCE', 'RELATIVE_PRICE_DIFFERENCE'] as const
/** `RELATIVE_PRICE_DIFFERENCE` is the difference as a part of the older price. */
export type ChangeOrderField = (typeof changeOrderFields)[number]

/** The order of a list of changes. */
export interface ChangeOrder {
  readonly field: ChangeOrderField
  readonly direction: 'ASC' | 'DESC'
  /** Empty for an order by name, which does not depend on prices. */
  readonly currency: string
  /** The instant of the prices, epoch milliseconds: that of the first page of a walk. */
  readonly instant: number
}

/** Whether the order depends on prices. */
export const isByPrice = ({ field }: Pick<ChangeOrder, 'field'>): boolean => field !== 'NAME'

/**
 * The size of a price change, up or down. It is infinite where a release has no price, as for a product that was added
 * or removed. A relative change from 0 is larger than any other finite one.
 */
export function priceChangeSize(field: ChangeOrderField, before: number | null, after: number | null): number {
  if (before === null || after === null) return Number.POSITIVE_INFINITY
  const difference = Math.abs(after - before)
  if (field === 'PRICE_DIFFERENCE' || difference === 0) return difference
  return before === 0 ? Number.MAX_VALUE : difference / before
}
