/** Campaigns: sales of one name put on many prices of a book, ended or removed, in one call. */
import { assertValid, notFound, tooMany } from '../../domain/input/errors.ts'
import { PRICE_ROWS_MAX, SALE_ROWS_MAX } from '../../domain/input/limits.ts'
import type { ReadResult } from '../../domain/input/reading.ts'
import { type PlannedSale, planAddedSale, planEndedSale, planRemovedSale } from '../../domain/pricing/campaign.ts'
import { readNamedSales, readSaleCampaign } from '../../domain/pricing/campaign-input.ts'
import { type CampaignResult, planRow, violationsOf } from '../../domain/pricing/campaign-row.ts'
import type { CampaignRow, CampaignTarget } from '../../domain/pricing/campaign-target.ts'
import type { PriceBook } from '../../domain/pricing/price-book.ts'
import type { ProductPrice } from '../../domain/pricing/product-price.ts'
import { newId } from '../../persistence/database/id.ts'
import { inTransaction, type Transaction } from '../../persistence/database/transaction.ts'
import { skusOfFilter, skusOfSale, unknownNodes } from '../../persistence/pricing/campaign-target.ts'
import {
  lockPricesBySku,
  lockSkus,
  pricesBySkuIn,
  updateProductPrices,
} from '../../persistence/pricing/product-price-write.ts'
import type { Context } from '../../request/context.ts'
import { assertRight, authorFor, command } from '../operation.ts'
import { lockBookOrThrow } from './product-price.ts'
import type { BulkMode } from './product-price-upsert.ts'

/** A call of a campaign. */
export interface CampaignInput {
  readonly priceBookId: string
  /**
   * With `all_or_nothing` one transaction; with `per_row` one for each PRICE_ROWS_MAX prices, which stays written when
   * a later one fails (campaign.row-refused-alone).
   */
  readonly mode: BulkMode
  /** Only plans: nothing is locked or written (campaign.dry-run-equals-run). */
  readonly dryRun: boolean
  /** Read by the campaign's reader. */
  readonly data: unknown
}

interface Target {
  readonly target: CampaignTarget | null
  readonly name: string
}

/** A kind of campaign. */
interface CampaignKind<Value extends Target> {
  readonly name: string
  readonly read: (data: unknown) => ReadResult<Value>
  /** Null for a price without an amount in a currency of the campaign. */
  readonly plan: (price: ProductPrice, value: Value, ctx: Context) => PlannedSale | null
}

/** Some prices of a campaign. */
interface Part<Value> {
  readonly priceBookId: string
  readonly value: Value
  readonly rows: readonly CampaignRow[]
  readonly dryRun: boolean
}

/**
 * Puts a sale on many prices of a book (see `planAddedSale`) and returns the result of each, in the order of the input
 * or of the SKUs that a filter found. A price that has the sale already is unchanged (campaign.repeat-changes-nothing),
 * so a repeated call completes an interrupted one. With `all_or_nothing` it throws `validation` with the violations of
 * all prices, and has written nothing. Up to PRICE_ROWS_MAX prices, the number of statements does not grow.
 */
export const addSales = campaign({
  name: 'addSales',
  read: readSaleCampaign,
  plan: (price, value, { now }) => planAddedSale(price, value, newId(now), now),
})

/** Removes the sales of a name from a book's prices, from all of them unless the input names some. */
export const removeSales = campaign({
  name: 'removeSales',
  read: readNamedSales,
  plan: (price, value, { now }) => planRemovedSale(price, value, now),
})

/**
 * Ends the sales of a name (see `planEndedSale`), on all prices of a book that have one unless the input names some.
 */
export const endSales = campaign({
  name: 'endSales',
  read: readNamedSales,
  plan: (price, value, { now }) => planEndedSale(price, value, now),
})

function campaign<Value extends Target>({ name, read, plan }: CampaignKind<Value>) {
  const find = command<CampaignInput, Value, PriceBook, Pick<Part<Value>, 'value' | 'rows'>>({
    name,
    right: 'admin',
    read: ({ data }) => read(data),
    load: lockBookOrThrow,
    run: async (tx, value, book) => ({ value, rows: await rowsOf(tx, book.id, value) }),
  })
  const write = command<Part<Value>, Part<Value>, PriceBook, CampaignResult[]>({
    name,
    right: 'admin',
    read: (part) => ({ value: part, violations: [] }),
    load: lockBookOrThrow,
    run: async (tx, { rows, value, dryRun }, book, ctx) => {
      const skus = rows.map(({ sku }) => sku)
      const prices = dryRun ? await pricesBySkuIn(tx, book.id, skus) : await lockPricesBySku(tx, book.id, skus)
      const stored = new Map(prices.map((price) => [price.sku, price]))
      const isNamed = value.target !== null && 'rows' in value.target
      const planned = rows.flatMap(
        (row) => planRow(row, stored.get(row.sku), isNamed, (price) => plan(price, value, ctx), ctx.now) ?? [],
      )
      const updates = planned.flatMap(({ update }) => update ?? [])
      if (!dryRun) await updateProductPrices(tx, updates)
      return planned.map(({ result }) => result)
    },
  })
  return async (ctx: Context, input: CampaignInput): Promise<readonly CampaignResult[]> => {
    assertRight('admin', ctx.viewer)
    const { priceBookId, mode, dryRun } = input
    const run = async (tx?: Transaction): Promise<CampaignResult[]> => {
      const { value, rows } = await find(ctx, input, {}, tx)
      const skus = rows.map(({ sku }) => sku)
      // Several parts are locked at once, since two transactions that lock one after the other would deadlock.
      if (tx && !dryRun && rows.length > PRICE_ROWS_MAX) await lockSkus(tx, priceBookId, skus)
      const results: CampaignResult[] = []
      let isRefused = false
      for (let from = 0; from < rows.length; from += PRICE_ROWS_MAX) {
        const part = { priceBookId, value, rows: rows.slice(from, from + PRICE_ROWS_MAX), dryRun: dryRun || isRefused }
        results.push(...(await write(ctx, part, {}, tx)))
        isRefused = tx !== undefined && results.some(({ outcome }) => outcome === 'refused')
      }
      if (tx) assertValid(results.flatMap(violationsOf))
      return results
    }
    return mode === 'all_or_nothing' ? inTransaction(ctx.database, authorFor(ctx.viewer, name), run) : run()
  }
}

/** The rows of a target, SALE_ROWS_MAX at most. Two statements at most. */
async function rowsOf(tx: Transaction, bookId: string, { target, name }: Target): Promise<readonly CampaignRow[]> {
  if (target && 'rows' in target) return target.rows
  const [unknown] = await unknownNodes(tx, target?.filter.nodeIds ?? [])
  if (unknown !== undefined)
    throw notFound(['filter', 'node_ids', target?.filter.nodeIds?.indexOf(unknown) ?? 0], 'No such node')
  const place = target ? ['filter'] : ['name']
  const limit = SALE_ROWS_MAX + 1
  const skus = target ? await skusOfFilter(tx, bookId, target.filter, limit) : await skusOfSale(tx, bookId, name, limit)
  if (skus.length > SALE_ROWS_MAX) throw tooMany(place, `must choose at most ${SALE_ROWS_MAX} prices`, SALE_ROWS_MAX)
  return skus.map((sku) => ({ sku, ifUpdatedAt: null, place }))
}
