/** Bulk upsert of product prices: what each row of one call does to its price book, decided before anything is written. */
import { prefixPaths, type Violation } from '../input/errors.ts'
import { PRICE_ROWS_MAX } from '../input/limits.ts'
import { limitParams } from '../input/violation-params.ts'
import {
  applyProductPricePatch,
  newProductPrice,
  type PriceUpdate,
  type ProductPrice,
  type ProductPricePatch,
  productPriceViolations,
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
  /** Undefined when it can't be read. A stored price may have one that no new price may have (text.names-are-visible). */
  readonly sku: string | undefined
  /** The row read as a new price, which it is when the book lacks the SKU. */
  readonly createInput: { readonly value: ProductPricePatch | undefined; readonly violations: readonly Violation[] }
}

/** The outcome of a row. Paths of violations are relative to the row's data. */
export interface UpsertedRow {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused'
  /** Null when the row was refused. */
  readonly price: ProductPrice | null
  readonly violations: readonly Violation[]
}

/** The outcome of every row, in order, and the writes that make it so. */
export interface UpsertPlan {
  readonly rows: readonly UpsertedRow[]
  readonly inserts: readonly ProductPrice[]
  readonly updates: readonly PriceUpdate[]
  /** Ids of stored prices that lose their external_ref, so that another row may take it. */
  readonly freed: readonly string[]
}

/**
 * Reads the rows. The violations are those of the call as a whole: more than PRICE_ROWS_MAX rows, or a SKU in several rows, whose order
 * would decide otherwise.
 */
export function readPriceRows(given: readonly PriceRowInput[]): { value: PriceRow[]; violations: Violation[] } {
  if (given.length > PRICE_ROWS_MAX) {
    const params = limitParams(null, PRICE_ROWS_MAX)
    return { value: [], violations: [{ code: 'TOO_MANY', path: ['rows'], message: `must have at most ${PRICE_ROWS_MAX} entries`, params }] }
  }
  const value = given.map((row) => ({ ...row, sku: readSku(row.data), createInput: readProductPrice(row.data, { create: true }) }))
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
 * Plans the rows one after the other. `stored` has the book's prices by SKU and `owners` their ids by external_ref, both at least for
 * what the rows name. `now` is in epoch milliseconds.
 */
export function planUpsert(
  rows: readonly PriceRow[],
  { bookId, stored, owners }: { bookId: string; stored: ReadonlyMap<string, ProductPrice>; owners: ReadonlyMap<string, string> },
  now: number,
  newId: () => string,
): UpsertPlan {
  const refs = new Map(owners)
  const plan = { rows: [] as UpsertedRow[], inserts: [] as ProductPrice[], updates: [] as PriceUpdate[], freed: [] as string[] }
  for (const row of rows) {
    const old = stored.get(row.sku ?? '')
    const { value, violations } = old ? readProductPrice(row.data, { create: false, stored: old }) : row.createInput
    const broken = [...violations]
    const price = value && (old ? applyProductPricePatch(old, value, now, newId) : newProductPrice(bookId, value, now, newId))
    if (price) broken.push(...productPriceViolations(price))
    if (price?.externalRef != null && (refs.get(price.externalRef) ?? price.id) !== price.id) broken.push(taken)
    if (row.ifUpdatedAt != null && old?.updatedAt !== row.ifUpdatedAt) broken.push(stale)
    if (broken.length > 0 || !price) {
      plan.rows.push({ outcome: 'refused', price: null, violations: broken })
      continue
    }
    plan.rows.push({ outcome: old ? (price === old ? 'unchanged' : 'updated') : 'created', price, violations: [] })
    if (!old) plan.inserts.push(price)
    else if (price !== old) plan.updates.push({ stored: old, price })
    if (old?.externalRef != null && old.externalRef !== price.externalRef) {
      plan.freed.push(old.id)
      refs.delete(old.externalRef)
    }
    if (price.externalRef !== null) refs.set(price.externalRef, price.id)
  }
  return plan
}

/** The violations of all rows, each path below its row. */
export function rowViolations(rows: readonly UpsertedRow[]): Violation[] {
  return rows.flatMap(({ violations }, index) => prefixPaths(['rows', index], violations))
}

const stale: Violation = { code: 'STALE', path: ['if_updated_at'], message: 'the price has changed since' }

const taken: Violation = {
  code: 'EXTERNAL_REF_TAKEN',
  path: ['attributes', 'external_ref'],
  message: 'A price with the external_ref already exists in the price book',
}
