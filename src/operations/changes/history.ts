/**
 * History: the entries of the change log that a filter lists, newest first; also those of deleted records
 * (history.for-admins).
 */
import type { KeysetWindow } from '../../domain/input/page.ts'
import { type HistoryFilter, historyPage, historyTotal } from '../../persistence/changes/history.ts'
import { query } from '../operation.ts'

/** A page of the entries, and their number. One statement each. */
export const history = {
  page: query({
    right: 'admin',
    run: ({ database }, { filter, window }: { readonly filter: HistoryFilter; readonly window: KeysetWindow }) =>
      historyPage(database, filter, window),
  }),
  total: query({
    right: 'admin',
    run: ({ database }, filter: HistoryFilter) => historyTotal(database, filter),
  }),
}
