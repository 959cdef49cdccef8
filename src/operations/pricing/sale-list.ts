/** Lists of sales over all prices and books. */
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { RecordQuery } from '../../persistence/database/table.ts'
import { type SaleQuery, salePage, saleTotal } from '../../persistence/pricing/sale-list.ts'
import { query } from '../operation.ts'

/** A page of the sales that match, and their number. One statement each. */
export const sales = {
  page: query({
    right: 'admin',
    run: (ctx, request: SaleQuery & RecordQuery & KeysetWindow) => salePage(ctx.database, request),
  }),
  total: query({
    right: 'admin',
    run: (ctx, request: SaleQuery) => saleTotal(ctx.database, request),
  }),
}
