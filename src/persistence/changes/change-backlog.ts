/** Change backlog: the entries that a client missed, from its cursor to the current end of the log. */
import type { ChangeCursor, Subject, VisibleEntry } from '../../domain/changes/change.ts'
import { isOlder, isVisible, parseSnapshot } from '../../domain/changes/transaction-snapshot.ts'
import type { Database } from '../database/database.ts'
import { cursorAtEnd, entriesAfter, hasLogEntry, type LogEnd, logEnd } from './change.ts'
import type { Backlog } from './change-stream.ts'

/**
 * Whether a cursor belongs to the subject's stream and no entry after it has been pruned. A cursor that does not follow
 * an entry belongs to a release that became the latest by schedule. Nothing after it has been pruned if it is not
 * before `keptFrom`, the instant (epoch milliseconds) from which entries are kept.
 */
export async function isCursor(
  database: Database,
  subject: Subject,
  { from, to, id, at }: ChangeCursor,
  keptFrom: number,
): Promise<boolean> {
  if (parseSnapshot(from) === undefined || parseSnapshot(to) === undefined) return false
  if (subject.topic === 'release' && from === to && at !== undefined) return at >= keptFrom
  return hasLogEntry(database, subject, id)
}

/**
 * The subject's entries after a cursor that are visible now. They are read page by page while the client consumes them.
 */
export async function backlogAfter(database: Database, subject: Subject, after: ChangeCursor): Promise<Backlog> {
  const end = await logEnd(database)
  return {
    pages: entriesAfter(database, after, end, subject),
    end: cursorAtEnd(end),
    skipDelivered: (entry) => skipDelivered(entry, end),
  }
}

/**
 * Drops an entry that the backlog contained. A later entry is moved on to start from the backlog's snapshot, which may
 * be newer than the feed's.
 */
function skipDelivered(entry: VisibleEntry, { snapshot, id }: LogEnd): VisibleEntry | undefined {
  const [delivered, from] = [parseSnapshot(snapshot), parseSnapshot(entry.from)]
  if (!delivered || !from) return entry
  if (entry.id <= id && isVisible(delivered, entry.xid)) return undefined
  return isOlder(from, delivered) ? { ...entry, from: snapshot, fromId: id } : entry
}
