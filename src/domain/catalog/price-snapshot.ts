/**
 * Price snapshot: the amounts of a scope's products in one currency, valid from `from` until just before `until`. At
 * the next change only the changed prices are read and sorted again.
 */
import type { Effort } from '../../lib/effort.ts'
import { moveChanged, orderByKey } from './key-order.ts'

/**
 * The prices of a release's products in one currency over time, for one unit outside of a bundle. Orders, ranges and
 * facets by price read it instead of decoding every document. It is immutable, like the release.
 */
export interface PriceColumn {
  /** The span of a document at `instant` (epoch milliseconds). It has no amount when the column lacks the document. */
  at(document: number, instant: number): PriceSpan
}

/** Price span: the price of a product from one change to the next. */
export interface PriceSpan {
  /** In minor units; null when the product has no price. */
  readonly amount: number | null
  /** Whether a sale supplies the amount (sale.reported-when-it-supplies). */
  readonly isOnSale: boolean
  /**
   * The instants, epoch milliseconds, at which the amount or `isOnSale` changed last and changes next; null for never.
   */
  readonly from: number | null
  readonly until: number | null
}

/** Prices by position in a scope. */
export interface PriceSnapshot {
  /** Epoch milliseconds; `until` is infinite when nothing changes any more. */
  readonly from: number
  readonly until: number
  /** Infinite where there is no price. */
  readonly amounts: Float64Array
  readonly onSale: Uint8Array
  /** The instant at which the price of each product changes next. */
  readonly changes: Float64Array
  /** The positions by rising amount, ties by position; null until an order by price is requested. */
  readonly ascending: Int32Array | null
}

/** The prices of `documents`, the products of a scope, at an instant. */
export interface ScopePrices {
  readonly column: PriceColumn
  readonly documents: Int32Array
  readonly instant: number
}

/** Products whose prices are read or changed without a pause, in about five milliseconds. */
const CHUNK = 10_000
/** Products per point: reading a price takes about a quarter of a microsecond, sorting it as much. */
const PRICES_PER_POINT = 20

/** The snapshot at an instant, from an earlier one if few prices changed since. */
export async function snapshotOf(
  wanted: ScopePrices,
  before: PriceSnapshot | undefined,
  { pause, spend }: Effort,
): Promise<PriceSnapshot> {
  const { column, documents, instant } = wanted
  const { length } = documents
  const changed = before && changedBy(before, instant)
  if (before && changed && changed.length <= CHUNK) {
    spend((changed.length * 4) / PRICES_PER_POINT + length / 1_000)
    return advance(before, changed, wanted)
  }
  spend(length / PRICES_PER_POINT)
  const read = {
    from: instant,
    amounts: new Float64Array(length),
    onSale: new Uint8Array(length),
    changes: new Float64Array(length),
    ascending: null,
  }
  for (let start = 0; start < length; start += CHUNK) {
    const end = Math.min(start + CHUNK, length)
    for (let at = start; at < end; at++) setPrice(read, at, column.at(documents[at] as number, instant))
    await pause()
  }
  return { ...read, until: least(read.changes) }
}

/** The snapshot with the order by price. */
export async function withOrder(snapshot: PriceSnapshot, effort: Effort): Promise<PriceSnapshot> {
  const { amounts } = snapshot
  effort.spend(amounts.length / PRICES_PER_POINT)
  const positions = Int32Array.from(amounts, (_, position) => position)
  return { ...snapshot, ascending: await orderByKey(positions, amounts, effort) }
}

function setPrice(
  { amounts, onSale, changes }: Pick<PriceSnapshot, 'amounts' | 'onSale' | 'changes'>,
  position: number,
  { amount, isOnSale, until }: PriceSpan,
): void {
  amounts[position] = amount ?? Number.POSITIVE_INFINITY
  onSale[position] = isOnSale ? 1 : 0
  changes[position] = until ?? Number.POSITIVE_INFINITY
}

/** The positions whose prices change between the snapshot and the later `instant`. */
function changedBy({ changes }: PriceSnapshot, instant: number): Int32Array {
  const changed: number[] = []
  for (let position = 0; position < changes.length; position++)
    if ((changes[position] as number) <= instant) changed.push(position)
  return Int32Array.from(changed)
}

/** The snapshot at a later instant: prices that changed meanwhile are read and merged into the order of the others. */
function advance(before: PriceSnapshot, changed: Int32Array, { column, documents, instant }: ScopePrices) {
  const amounts = before.amounts.slice()
  const after = { amounts, onSale: before.onSale.slice(), changes: before.changes.slice() }
  let { from } = before
  for (const position of changed) {
    const span = column.at(documents[position] as number, instant)
    from = Math.max(from, span.from ?? from)
    setPrice(after, position, span)
  }
  const ascending = before.ascending && moveChanged(before.ascending, changed, amounts)
  return { ...after, from, until: least(after.changes), ascending }
}

function least(values: Float64Array): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) if (value < found) found = value
  return found
}
