/** What a reader missed that comes back to a place in a stream. */
import { type ChangePlace, isAfter, type SeenNote, type Subject } from '../../domain/changes/change.ts'
import { isOlder, parseSnapshot, shows } from '../../domain/changes/snapshot.ts'
import type { Database } from '../database/database.ts'
import { hasNote, NOTES_PAGE, readNotes } from './change.ts'
import type { Missed } from './change-stream.ts'

/** Whether it is a place of the subject's stream after which nothing is gone. */
export async function isPlace(database: Database, subject: Subject, { from, to, id }: ChangePlace): Promise<boolean> {
  return parseSnapshot(from) !== undefined && parseSnapshot(to) !== undefined && (await hasNote(database, subject, id))
}

/** What the snapshot `until` shows after the place, read as it is asked for, and how later notes follow. */
export function missedAfter(database: Database, subject: Subject, after: ChangePlace, until: string): Missed {
  return { after, notes: readMissed(database, subject, after, until), follow: (note) => follow(note, until) }
}

async function* readMissed(database: Database, subject: Subject, after: ChangePlace, to: string): AsyncGenerator<SeenNote, void> {
  const shown = parseSnapshot(to)
  for (let last = 0; shown; ) {
    const { notes } = await readNotes(database, after.from, last, subject)
    for (const note of notes) if (shows(shown, note.xid) && isAfter(after, note)) yield { ...note, from: after.from, to }
    if (notes.length < NOTES_PAGE) return
    last = notes.at(-1)?.id ?? last
  }
}

/** The reader may have seen more by itself than its process had handed on by then. */
function follow(note: SeenNote, until: string): SeenNote | undefined {
  const [seen, from] = [parseSnapshot(until), parseSnapshot(note.from)]
  if (!seen || !from) return note
  if (shows(seen, note.xid)) return undefined
  return isOlder(from, seen) ? { ...note, from: until } : note
}
