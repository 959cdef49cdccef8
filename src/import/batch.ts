/** Batches: the objects of a stream that are written together, in one transaction. */
import type { Violation } from '../domain/input/errors.ts'
import type { JsonObject } from '../lib/json-object.ts'
import type { GivenRow, ParsedObject } from './parsed-object.ts'
import type { Place } from './place.ts'
import { type PreparedPrice, PriceParts } from './price-batch.ts'
import { recordTypes } from './record-types.ts'

/** An object of the stream whose `data` has a known type. */
export interface ImportObject {
  readonly found: ParsedObject
  /** The place in the stream after the object. */
  readonly place: Place
  readonly type: string
  readonly group: Group
  readonly data: JsonObject
  /** Unknown members of `data`. */
  readonly unknown: readonly Violation[]
  /** Names of unknown members that are left out. */
  readonly ignored: readonly string[]
  /** The row of a sheet that gives it. */
  readonly row?: GivenRow
  /** For a product price: what is read from it in advance. */
  readonly price?: PreparedPrice
}

/**
 * How objects are written: prices in bulk, records one after another, a release alone, since publishing has
 * transactions of its own.
 */
export type Group = 'prices' | 'records' | 'release'

/** The maximum number of objects in a batch, by group. */
export const batchSizes: Readonly<Record<Group, number>> = { prices: 2000, records: 200, release: 1 }

/** The type of objects that publish a catalog. */
export const RELEASE = 'catalog-release'

/** The group of a type; null for an unknown type. */
export function groupOf(type: string): Group | null {
  if (type === 'product-price') return 'prices'
  if (type === RELEASE) return 'release'
  return Object.hasOwn(recordTypes, type) ? 'records' : null
}

/** The types that an import takes. */
export const knownTypes: readonly string[] = [...Object.keys(recordTypes), 'product-price', RELEASE]

/** A batch: records and prices in the order of the stream, or one release. */
export class Batch {
  readonly objects: ImportObject[] = []
  private readonly counts: Record<Group, number> = { prices: 0, records: 0, release: 0 }
  private readonly priceParts = new PriceParts()
  private partCount = 0

  /**
   * Adds an object; false when it belongs in the next batch. Records are written before prices, which no record refers
   * to. A price book after prices starts a new batch, since it may change the external_ref by which a price names its
   * book.
   */
  add(object: ImportObject): boolean {
    const { counts } = this
    const { group } = object
    const isFilled = this.objects.length > 0
    const isSeparate =
      group === 'release' ? isFilled : counts.release > 0 || (object.type === 'pricebook' && counts.prices > 0)
    if (isSeparate || counts[group] >= batchSizes[group]) return false
    // Parts of prices are written one after another, as records are.
    if (object.price && this.priceParts.begins(object.price) && ++this.partCount >= batchSizes.records) return false
    counts[group]++
    this.objects.push(object)
    return true
  }
}
