/** What a reader missed that comes back to a place in a stream. */
import { type ChangeCursor, isAfter, type Subject, type VisibleEntry } from '../../domain/changes/change.ts'
import { isOlder, isVisible, parseSnapshot } from '../../domain/changes/snapshot.ts'
import type { Database } from '../database/database.ts'
import { hasLogEntry, LOG_PAGE, readChangeLog } from './change.ts'
import type { Backlog } from './change-stream.ts'

/** Whether it is a place of the subject's stream after which nothing is gone. */
export async function isCursor(database: Database, subject: Subject, { from, to, id }: ChangeCursor): Promise<boolean> {
  return parseSnapshot(from) !== undefined && parseSnapshot(to) !== undefined && (await hasLogEntry(database, subject, id))
}

/** What the snapshot `until` shows after the place, read as it is asked for, and how later entries follow. */
export function backlogAfter(database: Database, subject: Subject, after: ChangeCursor, until: string): Backlog {
  return { after, entries: readMissed(database, subject, after, until), skipDelivered: (entry) => follow(entry, until) }
}

async function* readMissed(database: Database, subject: Subject, after: ChangeCursor, to: string): AsyncGenerator<VisibleEntry, void> {
  const shown = parseSnapshot(to)
  for (let last = 0; shown; ) {
    const { entries } = await readChangeLog(database, after.from, last, subject)
    for (const entry of entries) if (isVisible(shown, entry.xid) && isAfter(after, entry)) yield { ...entry, from: after.from, to }
    if (entries.length < LOG_PAGE) return
    last = entries.at(-1)?.id ?? last
  }
}

/** The reader may have seen more by itself than its process had handed on by then. */
function follow(entry: VisibleEntry, until: string): VisibleEntry | undefined {
  const [seen, from] = [parseSnapshot(until), parseSnapshot(entry.from)]
  if (!seen || !from) return entry
  if (isVisible(seen, entry.xid)) return undefined
  return isOlder(from, seen) ? { ...entry, from: until } : entry
}
