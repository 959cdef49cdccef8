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

/** What the snapshot `until` shows after the place, read as it is asked for, and how later notes follow. */
export function backlogAfter(database: Database, subject: Subject, after: ChangeCursor, until: string): Backlog {
  return { after, notes: readMissed(database, subject, after, until), skipDelivered: (note) => follow(note, until) }
}

async function* readMissed(database: Database, subject: Subject, after: ChangeCursor, to: string): AsyncGenerator<VisibleEntry, void> {
  const shown = parseSnapshot(to)
  for (let last = 0; shown; ) {
    const { notes } = await readChangeLog(database, after.from, last, subject)
    for (const note of notes) if (isVisible(shown, note.xid) && isAfter(after, note)) yield { ...note, from: after.from, to }
    if (notes.length < LOG_PAGE) return
    last = notes.at(-1)?.id ?? last
  }
}

/** The reader may have seen more by itself than its process had handed on by then. */
function follow(note: VisibleEntry, until: string): VisibleEntry | undefined {
  const [seen, from] = [parseSnapshot(until), parseSnapshot(note.from)]
  if (!seen || !from) return note
  if (isVisible(seen, note.xid)) return undefined
  return isOlder(from, seen) ? { ...note, from: until } : note
}
