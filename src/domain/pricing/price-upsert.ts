/**
 * Bulk upsert of product prices: what each row of one call does to its price book, decided before anything is written.
 */
import { prefixPaths, type Violation } from '../input/errors.ts'
import { PRICE_ROWS_MAX } from '../input/limits.ts'
import type { PartialResult } from '../input/reading.ts'
import { recordViolations } from '../input/record-change.ts'
import { named, sentence } from '../input/sentence.ts'
import { limitParams } from '../input/violation-params.ts'
import {
  applyProductPricePatch,
  newPriceResult,
  newProductPrice,
  type PriceUpdate,
  type ProductPrice,
  type ProductPricePatch,
  productPriceRecord,
  readProductPrice,
  readSku,
} from './product-price.ts'

/** A row of the input: `data` of a product price, which its SKU identifies. */
export interface PriceRowInput {
  readonly data: unknown
  /** The `updatedAt` that the client saw last (write.if-updated-at), in epoch milliseconds. */
  readonly ifUpdatedAt?: number | null | undefined
}

/** A row after reading. */
export interface PriceRow extends PriceRowInput {
  /**
   * Undefined when it can't be read. A stored price may have one that no new price may have (text.names-are-visible).
   */
  readonly sku: string | undefined
  /** The row read as a new price, which it is when the book lacks the SKU. */
  readonly createInput: PartialResult<ProductPricePatch>
}

/** The outcome of a row. Paths of violations are relative to the row's data. */
export interface UpsertedRow {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused'
  /** Null when the row was refused. */
  readonly price: ProductPrice | null
  readonly violations: readonly Violation[]
}

/** The writes that produce the outcomes of rows. */
export interface PriceWrites {
  readonly inserts: ProductPrice[]
  readonly updates: PriceUpdate[]
}

/** The outcome of every row, in order, and the writes that produce it. */
export interface UpsertPlan extends PriceWrites {
  readonly rows: readonly UpsertedRow[]
  /** Ids of stored prices that lose their external_ref, so that another row may take it. */
  readonly freed: readonly string[]
}

/** The known members of a price, which may be invalid. */
type Known = Pick<ProductPricePatch, 'externalRef'> & { readonly id?: string }

/**
 * Plans one row and adds its write to `writes`. The row was read as a change of the stored price, or as a new one, with
 * `id` where the input gives it. `further` finds violations beyond the price itself; of a new price with violations it
 * gets the readable part. `now` is in epoch milliseconds.
 */
export function planPrice(
  read: PartialResult<ProductPricePatch>,
  { bookId, stored, id }: { bookId: string; stored: ProductPrice | undefined; id?: string | undefined },
  { now, newId, writes }: { now: number; newId: () => string; writes: PriceWrites },
  further: (price: Known | undefined) => readonly Violation[] = () => [],
): UpsertedRow {
  const { value, violations } = read
  const { value: given } = newPriceResult(read)
  const made = () => given && { ...newProductPrice(bookId, given, now, newId), ...(id && { id }) }
  const price = stored ? value && applyProductPricePatch(stored, value, now, newId) : made()
  const own = price ? recordViolations(productPriceRecord, price) : []
  const broken = [...violations, ...own, ...further(price ?? value)]
  if (broken.length > 0 || !price) return { outcome: 'refused', price: null, violations: broken }
  if (price === stored) return { outcome: 'unchanged', price, violations: [] }
  if (stored) writes.updates.push({ stored, price })
  else writes.inserts.push(price)
  return { outcome: stored ? 'updated' : 'created', price, violations: [] }
}

/**
 * Reads the rows. The violations are those of the call as a whole: more than PRICE_ROWS_MAX rows, or a SKU in several
 * rows, whose order would then matter.
 */
export function readPriceRows(given: readonly PriceRowInput[]): { value: PriceRow[]; violations: Violation[] } {
  if (given.length > PRICE_ROWS_MAX) {
    const params = limitParams(null, PRICE_ROWS_MAX)
    return {
      value: [],
      violations: [
        { code: 'TOO_MANY', path: ['rows'], message: `must have at most ${PRICE_ROWS_MAX} entries`, params },
      ],
    }
  }
  const value = given.map((row) => ({
    ...row,
    sku: readSku(row.data),
    createInput: readProductPrice(row.data, { create: true }),
  }))
  const seen = new Set<string>()
  const violations = value.flatMap(({ sku }, index): Violation[] => {
    if (sku === undefined || !seen.has(sku)) {
      if (sku !== undefined) seen.add(sku)
      return []
    }
    return [{ code: 'DUPLICATE', path: ['rows', index, 'attributes', 'sku'], message: 'is given twice' }]
  })
  return { value, violations }
}

/** The external_refs in the rows. */
export function externalRefsOf(rows: readonly PriceRow[]): string[] {
  return rows.map(({ createInput }) => createInput.value?.externalRef).filter((ref) => ref != null)
}

/**
 * Plans the rows one after the other. `stored` has the book's prices by SKU and `owners` their ids by external_ref,
 * both at least for what the rows name. `now` is in epoch milliseconds.
 */
export function planUpsert(
  rows: readonly PriceRow[],
  book: { bookId: string; stored: ReadonlyMap<string, ProductPrice>; owners: ReadonlyMap<string, string> },
  now: number,
  newId: () => string,
): UpsertPlan {
  const refs = new Map(book.owners)
  const writes: PriceWrites = { inserts: [], updates: [] }
  const freed: string[] = []
  const planned = rows.map(({ sku = '', data, createInput, ifUpdatedAt }) => {
    const stored = book.stored.get(sku)
    const read = stored ? readProductPrice(data, { create: false, stored }) : createInput
    const row = planPrice(read, { bookId: book.bookId, stored }, { now, newId, writes }, (price) => {
      const isTaken = price?.externalRef != null && (refs.get(price.externalRef) ?? price.id) !== price.id
      const isStale = ifUpdatedAt != null && stored?.updatedAt !== ifUpdatedAt
      return [...(isTaken ? [taken] : []), ...(isStale ? [stale] : [])]
    })
    if (row.price === null) return row
    const { id, externalRef } = row.price
    if (stored?.externalRef != null && stored.externalRef !== externalRef) {
      freed.push(stored.id)
      refs.delete(stored.externalRef)
    }
    if (externalRef !== null) refs.set(externalRef, id)
    return row
  })
  return { rows: planned, ...writes, freed }
}

/** The violations of all rows, each path below its row. */
export function rowViolations(rows: readonly UpsertedRow[]): Violation[] {
  return rows.flatMap(({ violations }, index) => prefixPaths(['rows', index], violations))
}

const stale: Violation = { code: 'STALE', path: ['if_updated_at'], message: 'the price has changed since' }

const taken: Violation = {
  code: 'EXTERNAL_REF_TAKEN',
  path: ['attributes', 'external_ref'],
  ...sentence`A price with the ${named('external_ref')} already exists in the price book`,
}
