/** Record lists: the two queries of a list of all records of a kind. */
import type { KeysetWindow } from '../domain/input/page.ts'
import type { RecordClause } from '../domain/input/record-filter.ts'
import { type RecordQuery, type RecordSource, recordPage, recordTotal } from '../persistence/database/table.ts'
import { query, type Right } from './operation.ts'

/** The page and the total of the records that meet all clauses of a filter. One statement each. */
export function recordReads<Row, Item>(name: string, right: Right, source: RecordSource<Row, Item>) {
  return {
    page: query({ name, right, run: (ctx, request: RecordQuery & KeysetWindow) => recordPage(ctx.database.prisma, source, request) }),
    total: query({
      name: `${name}Total`,
      right,
      run: (ctx, request: { readonly clauses: readonly RecordClause[] }) => recordTotal(ctx.database.prisma, source, request),
    }),
  }
}
