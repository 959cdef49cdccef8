/** Record reads: the query for one record of a kind, and the two of a list of them all. */
import { isUuid } from '../domain/input/formats.ts'
import type { KeysetWindow } from '../domain/input/page.ts'
import type { RecordClause } from '../domain/input/record-filter.ts'
import { type RecordQuery, type RecordSource, recordPage, recordTotal } from '../persistence/database/table.ts'
import type { Loaders } from '../persistence/loaders.ts'
import { query, type Right } from './operation.ts'

/** A record by its raw id, null when there is none. */
export function recordById<Item>(
  right: Right,
  loaderOf: (loaders: Loaders) => { load(id: string): Promise<Item | null> },
) {
  return query({
    right,
    run: async ({ loaders }, { id }: { id: string }): Promise<Item | null> =>
      isUuid(id) ? loaderOf(loaders).load(id) : null,
  })
}

/** The page and the total of the records that meet all clauses of a filter. One statement each. */
export function recordReads<Row, Item>(right: Right, source: RecordSource<Row, Item>) {
  return {
    page: query({
      right,
      run: (ctx, request: RecordQuery & KeysetWindow) => recordPage(ctx.database.prisma, source, request),
    }),
    total: query({
      right,
      run: (ctx, request: { readonly clauses: readonly RecordClause[] }) =>
        recordTotal(ctx.database.prisma, source, request),
    }),
  }
}
