/**
 * Price snapshot: the amounts of a scope's products in one currency, true from `from` until right before `until`. At the next change only
 * the prices that changed are read and sorted again.
 */
import { moveChanged } from './listing-order.ts'
import type { PriceColumn, PriceSpan } from './price-column.ts'

/** Prices by position in a scope. */
export interface PriceSnapshot {
  /** Epoch milliseconds; `until` is infinite when nothing changes any more. */
  readonly from: number
  readonly until: number
  /** Infinite where there is no price. */
  readonly amounts: Float64Array
  readonly onSale: Uint8Array
  /** When the price of each product changes next. */
  readonly changes: Float64Array
  /** The positions by rising amount, ties by position; null until an order by price was wanted. */
  readonly ascending: Int32Array | null
}

/** An empty snapshot of `length` products, for `readPrices` to fill. */
export function emptySnapshot(length: number, instant: number): PriceSnapshot {
  const arrays = { amounts: new Float64Array(length), onSale: new Uint8Array(length), changes: new Float64Array(length) }
  return { from: instant, until: Number.POSITIVE_INFINITY, ...arrays, ascending: null }
}

/** Reads the prices at `instant` of the positions from `start` to before `end` into the snapshot's arrays. */
export function readPrices(
  snapshot: PriceSnapshot,
  column: PriceColumn,
  documents: Int32Array,
  instant: number,
  start: number,
  end: number,
): void {
  for (let position = start; position < end; position++) setPrice(snapshot, position, column.at(documents[position] as number, instant))
}

function setPrice({ amounts, onSale, changes }: PriceSnapshot, position: number, { amount, isOnSale, until }: PriceSpan): void {
  amounts[position] = amount ?? Number.POSITIVE_INFINITY
  onSale[position] = isOnSale ? 1 : 0
  changes[position] = until ?? Number.POSITIVE_INFINITY
}

/** The snapshot with the end of its validity, once all prices are read. */
export function withValidity(snapshot: PriceSnapshot): PriceSnapshot {
  return { ...snapshot, until: least(snapshot.changes) }
}

/** The positions whose prices change between the snapshot and a later instant. */
export function changedBy({ changes }: PriceSnapshot, instant: number): Int32Array {
  const changed: number[] = []
  for (let position = 0; position < changes.length; position++) if ((changes[position] as number) <= instant) changed.push(position)
  return Int32Array.from(changed)
}

/** The snapshot at a later instant: the prices that changed meanwhile are read, and merged into the order of the others. */
export function advance(
  before: PriceSnapshot,
  changed: Int32Array,
  column: PriceColumn,
  documents: Int32Array,
  instant: number,
): PriceSnapshot {
  const amounts = before.amounts.slice()
  const after = { ...before, amounts, onSale: before.onSale.slice(), changes: before.changes.slice() }
  let { from } = before
  for (const position of changed) {
    const span = column.at(documents[position] as number, instant)
    from = Math.max(from, span.from ?? from)
    setPrice(after, position, span)
  }
  const ascending = before.ascending && moveChanged(before.ascending, changed, amounts)
  return withValidity({ ...after, from, ascending })
}

function least(values: Float64Array): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) if (value < found) found = value
  return found
}
