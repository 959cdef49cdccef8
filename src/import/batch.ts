/** Which objects of a stream are written together, in one transaction. */
import type { PreparedPrice } from './price-batch.ts'
import { recordTypes } from './record-types.ts'

/** An object that is known to have a `data` of a known type. */
export interface ImportObject {
  readonly line: number
  readonly type: string
  readonly group: Group
  readonly data: object
  /** Of a product price. */
  readonly price?: PreparedPrice
}

/** How objects are written: prices in bulk, a publish on its own since it has its own transactions, the rest one after another. */
export type Group = 'prices' | 'records' | 'release'

/** So many of a group at most. */
export const batchSizes: Readonly<Record<Group, number>> = { prices: 2000, records: 200, release: 1 }

/** Null for a type that there is not. */
export function groupOf(type: string): Group | null {
  if (type === 'product-price') return 'prices'
  if (type === 'catalog-release') return 'release'
  return Object.hasOwn(recordTypes, type) ? 'records' : null
}

export const knownTypes: readonly string[] = [...Object.keys(recordTypes), 'product-price', 'catalog-release']

/** Records with prices among them, in the order of the stream, or one release. */
export class Batch {
  readonly objects: ImportObject[] = []
  private readonly counts: Record<Group, number> = { prices: 0, records: 0, release: 0 }

  /**
   * Adds the object unless it must come after all of these. Records are written before prices, which nothing needs but they themselves; a
   * price may call its book by what a later object of the book takes away, so that waits.
   */
  add(object: ImportObject): boolean {
    const { counts } = this
    const { group } = object
    const others = this.objects.length > 0
    const apart = group === 'release' ? others : counts.release > 0 || (object.type === 'pricebook' && counts.prices > 0)
    if (apart || counts[group] >= batchSizes[group]) return false
    counts[group]++
    this.objects.push(object)
    return true
  }
}
