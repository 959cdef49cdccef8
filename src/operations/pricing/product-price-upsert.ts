/** Price upsert: many prices of one book in one call. The number of statements does not grow with the rows. */
import { assertValid } from '../../domain/input/errors.ts'
import { wholeResult } from '../../domain/input/reading.ts'
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import {
  externalRefsOf,
  type PriceRow,
  type PriceRowInput,
  planUpsert,
  readPriceRows,
  rowViolations,
  type UpsertedRow,
} from '../../domain/pricing/price-upsert.ts'
import type { ProductPrice } from '../../domain/pricing/product-price.ts'
import { compareCodePoints } from '../../lib/code-point.ts'
import { newId } from '../../persistence/database/id.ts'
import { retryOnConflict } from '../../persistence/database/transaction.ts'
import {
  freeExternalRefs,
  insertProductPrices,
  lockPricesBySku,
  ownersOfExternalRefs,
  pricesBySkuIn,
  updateProductPrices,
} from '../../persistence/pricing/product-price-write.ts'
import { command } from '../operation.ts'
import { lockBookOrThrow } from './product-price.ts'

/** Whether a row with violations prevents all rows from being written, or only itself. */
export type BulkMode = 'all_or_nothing' | 'per_row'

/** The rows to write into one book. */
export interface UpsertPrices {
  readonly priceBookId: string
  readonly mode: BulkMode
  /** Only plans: nothing is locked or written. */
  readonly dryRun?: boolean
  /** PRICE_ROWS_MAX at most; no two rows have the same SKU. */
  readonly rows: readonly PriceRowInput[]
}

interface Read {
  readonly mode: BulkMode
  readonly dryRun: boolean
  readonly rows: readonly PriceRow[]
}

/**
 * Changes the price with the SKU of a row as `updateProductPrice` does, or adds one as `addProductPrice` does. Returns
 * the outcome of each row in order. A dry run returns the expected outcomes, with made-up ids of new prices. With
 * `all_or_nothing` it throws `validation` with the violations of all rows, under `rows`. Eight statements at most, and
 * one for the change log.
 */
export const upsertProductPrices = command<UpsertPrices, Read, PriceBook, readonly UpsertedRow[]>({
  name: 'upsertProductPrices',
  right: 'admin',
  read: ({ mode, dryRun = false, rows: inputs }) => {
    const { value, violations } = readPriceRows(inputs)
    return wholeResult({ value: { mode, dryRun, rows: value }, violations })
  },
  load: lockBookOrThrow,
  run: async (tx, { mode, dryRun, rows }, book, ctx) => {
    const skus = rows.flatMap(({ sku }) => sku ?? [])
    const prices = await (dryRun ? pricesBySkuIn : lockPricesBySku)(tx, book.id, skus)
    const stored = new Map(prices.map((price) => [price.sku, price]))
    const owners = await ownersOfExternalRefs(tx, book.id, externalRefsOf(rows))
    const plan = planUpsert(rows, { bookId: book.id, stored, owners }, ctx.now, () => newId(ctx.now))
    if (mode === 'all_or_nothing') assertValid(rowViolations(plan.rows))
    if (dryRun) return plan.rows
    await retryOnConflict(async () => {
      await freeExternalRefs(tx, plan.freed)
      // Sorted, so that two calls with the same SKUs don't deadlock.
      await insertProductPrices(tx, [...plan.inserts].sort(bySku))
      await updateProductPrices(tx, plan.updates)
    })
    return plan.rows
  },
})

function bySku(left: ProductPrice, right: ProductPrice): number {
  return compareCodePoints(left.sku, right.sku)
}
