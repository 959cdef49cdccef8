import type { FilterClause } from '../domain/input/filter.ts'
import type { KeysetWindow } from '../domain/input/page.ts'
import { type RecordQuery, type RecordSource, recordPage, recordTotal } from '../persistence/database/table.ts'
import { query, type Right } from './operation.ts'

/** The two reads of a list of all records of a kind: a window of those that all clauses allow, in an order, and how many they are. */
export function recordReads<Row, Item>(name: string, right: Right, source: RecordSource<Row, Item>) {
  return {
    page: query({ name, right, run: (ctx, asked: RecordQuery & KeysetWindow) => recordPage(ctx.database.prisma, source, asked) }),
    total: query({
      name: `${name}Total`,
      right,
      run: (ctx, asked: { readonly clauses: readonly FilterClause[] }) => recordTotal(ctx.database.prisma, source, asked),
    }),
  }
}
