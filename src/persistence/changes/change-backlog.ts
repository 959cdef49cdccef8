/** Change backlog: the entries that a client missed between its cursor and the start of its new stream. */
import { type ChangeCursor, isAfter, type Subject, type VisibleEntry } from '../../domain/changes/change.ts'
import { isOlder, isVisible, parseSnapshot } from '../../domain/changes/snapshot.ts'
import type { Database } from '../database/database.ts'
import { hasLogEntry, LOG_PAGE, readChangeLog } from './change.ts'
import type { Backlog } from './change-stream.ts'

/** Whether a cursor belongs to the subject's stream and no entry after it has been pruned. */
export async function isCursor(database: Database, subject: Subject, { from, to, id }: ChangeCursor): Promise<boolean> {
  return parseSnapshot(from) !== undefined && parseSnapshot(to) !== undefined && (await hasLogEntry(database, subject, id))
}

/** The subject's entries after a cursor that the snapshot `until` shows, read page by page while the client consumes them. */
export function backlogAfter(database: Database, subject: Subject, after: ChangeCursor, until: string): Backlog {
  return { after, entries: readBacklog(database, subject, after, until), skipDelivered: (entry) => skipDelivered(entry, until) }
}

async function* readBacklog(database: Database, subject: Subject, after: ChangeCursor, to: string): AsyncGenerator<VisibleEntry, void> {
  const until = parseSnapshot(to)
  for (let lastId = 0; until; ) {
    const { entries } = await readChangeLog(database, after.from, lastId, subject)
    for (const entry of entries) if (isVisible(until, entry.xid) && isAfter(after, entry)) yield { ...entry, from: after.from, to }
    if (entries.length < LOG_PAGE) return
    lastId = entries.at(-1)?.id ?? lastId
  }
}

/**
 * Drops an entry that the backlog contained; moves a later one on to start from the backlog's snapshot, which may be newer than the feed's.
 */
function skipDelivered(entry: VisibleEntry, until: string): VisibleEntry | undefined {
  const [delivered, from] = [parseSnapshot(until), parseSnapshot(entry.from)]
  if (!delivered || !from) return entry
  if (isVisible(delivered, entry.xid)) return undefined
  return isOlder(from, delivered) ? { ...entry, from: until } : entry
}
