import type { FilterClause } from '../domain/filter.ts'
import type { KeysetWindow } from '../persistence/keyset.ts'
import { type RecordList, type RecordQuery, recordPage, recordTotal } from '../persistence/record-list.ts'
import { query, type Right } from './operation.ts'

/** The two reads of a list of all records of a kind: a window of those that all clauses allow, in an order, and how many they are. */
export function recordReads<Row extends object, Item>(name: string, right: Right, list: RecordList<Row, Item>) {
  return {
    page: query({ name, right, run: (ctx, asked: RecordQuery & KeysetWindow) => recordPage(ctx.database, list, asked) }),
    total: query({
      name: `${name}Total`,
      right,
      run: (ctx, asked: { readonly clauses: readonly FilterClause[] }) => recordTotal(ctx.database, list, asked),
    }),
  }
}
