/**
 * Price snapshot: the amounts of a scope's products in one currency, true from `from` until right before `until`. At the next change only
 * the prices that changed are read and sorted again.
 */
import { moveChanged } from './listing-order.ts'
import type { PriceColumn } from './price-column.ts'

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
  { amounts, onSale, changes }: PriceSnapshot,
  column: PriceColumn,
  documents: Int32Array,
  instant: number,
  start: number,
  end: number,
): void {
  for (let position = start; position < end; position++) {
    const document = documents[position] as number
    amounts[position] = column.amountAt(document, instant) ?? Number.POSITIVE_INFINITY
    onSale[position] = column.isOnSaleAt(document, instant) ? 1 : 0
    changes[position] = column.nextChange(document, instant) ?? Number.POSITIVE_INFINITY
  }
}

/** The snapshot with the end of its validity, once all prices are read. */
export function withValidity(snapshot: PriceSnapshot): PriceSnapshot {
  return { ...snapshot, until: least(snapshot.changes) }
}

/** The number of prices that change between the snapshot and a later instant. */
export function changedCount({ changes }: PriceSnapshot, instant: number): number {
  let count = 0
  for (const change of changes) if (change <= instant) count++
  return count
}

/** The snapshot at a later instant: the prices that changed meanwhile are read, and merged into the order of the others. */
export function advance(before: PriceSnapshot, column: PriceColumn, documents: Int32Array, instant: number): PriceSnapshot {
  const changed: number[] = []
  let from = before.from
  for (const [position, change] of before.changes.entries()) {
    if (change > instant) continue
    changed.push(position)
    from = Math.max(from, lastChange(column, documents[position] as number, change, instant))
  }
  const after = {
    ...before,
    from,
    amounts: before.amounts.slice(),
    onSale: before.onSale.slice(),
    changes: before.changes.slice(),
  }
  for (const position of changed) readPrices(after, column, documents, instant, position, position + 1)
  const ascending = before.ascending && moveChanged(before.ascending, Int32Array.from(changed), after.amounts)
  return withValidity({ ...after, ascending })
}

function lastChange(column: PriceColumn, document: number, first: number, instant: number): number {
  let last = first
  for (let next: number | null = first; next !== null && next <= instant; next = column.nextChange(document, last)) last = next
  return last
}

function least(values: Float64Array): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) if (value < found) found = value
  return found
}
