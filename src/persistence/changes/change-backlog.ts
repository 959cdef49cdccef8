/** Change backlog: the entries that a client missed, from its cursor to the present end of the log. */
import type { ChangeCursor, Subject, VisibleEntry } from '../../domain/changes/change.ts'
import { isOlder, isVisible, parseSnapshot } from '../../domain/changes/transaction-snapshot.ts'
import type { Database } from '../database/database.ts'
import { cursorAtEnd, entriesAfter, hasLogEntry, type LogEnd, logEnd } from './change.ts'
import type { Backlog } from './change-stream.ts'

/**
 * Whether a cursor belongs to the subject's stream and no entry after it has been pruned. One that is not after an entry is that of a
 * release which became the latest by schedule; nothing has been pruned since then while entries are kept from `keptFrom` on, epoch
 * milliseconds.
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

/** The subject's entries after a cursor that are visible now, read page by page while the client consumes them. */
export async function backlogAfter(database: Database, subject: Subject, after: ChangeCursor): Promise<Backlog> {
  const end = await logEnd(database)
  return {
    pages: entriesAfter(database, after, end, subject),
    end: cursorAtEnd(end),
    skipDelivered: (entry) => skipDelivered(entry, end),
  }
}

/**
 * Drops an entry that the backlog contained; moves a later one on to start from the backlog's snapshot, which may be newer than the feed's.
 */
function skipDelivered(entry: VisibleEntry, { snapshot, id }: LogEnd): VisibleEntry | undefined {
  const [delivered, from] = [parseSnapshot(snapshot), parseSnapshot(entry.from)]
  if (!delivered || !from) return entry
  if (entry.id <= id && isVisible(delivered, entry.xid)) return undefined
  return isOlder(from, delivered) ? { ...entry, from: snapshot, fromId: id } : entry
}
