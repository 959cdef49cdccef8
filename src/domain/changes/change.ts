/** Change events: the changes of records that clients subscribe to. */
import { isVisible, parseSnapshot } from './snapshot.ts'

/** The kinds of records with change events. */
export type Topic = 'release' | 'product_price' | 'subscription'

/**
 * The subject of a stream: the releases of a catalog, the prices of a price book, or the subscriptions of an account, whose id is
 * `scope`.
 */
export interface Subject {
  readonly topic: Topic
  readonly scope: string
}

/** An entry of records that one transaction changed. Ids rise in the order of the changes of each record. */
export interface ChangeLogEntry extends Subject {
  readonly id: number
  readonly xid: number
  readonly recordIds: readonly string[]
}

/** An entry as a reader hands it on: it had seen `from` and came to see `to`. */
export interface VisibleEntry extends ChangeLogEntry {
  readonly from: string
  readonly to: string
}

/** A change of one record, and its cursor in the stream. */
export interface Change {
  readonly recordId: string
  readonly cursor: ChangeCursor
}

/**
 * A position in a stream. Delivered are all entries visible in `from`; of those visible only in `to`, all before the entry `id` and the
 * first `index + 1` records of that entry.
 */
export interface ChangeCursor {
  readonly from: string
  readonly to: string
  readonly id: number
  readonly index: number
}

/** The changes of a log entry, one for each record; with `after`, only those past that cursor. */
export function* changesOf({ recordIds, from, to, id }: VisibleEntry, after?: ChangeCursor): Generator<Change> {
  const start = after?.id === id ? after.index + 1 : 0
  for (let index = start; index < recordIds.length; index++) {
    yield { recordId: recordIds[index] as string, cursor: { from, to, id, index } }
  }
}

/** Whether an entry, or a part of it, follows a cursor. */
export function isAfter({ from, to, id: last }: ChangeCursor, { id, xid }: ChangeLogEntry): boolean {
  const [before, until] = [parseSnapshot(from), parseSnapshot(to)]
  if (!before || !until) return true
  return !isVisible(before, xid) && (id >= last || !isVisible(until, xid))
}

/** Why the server ended a stream: the token expired, the reader was too slow, or the server stops. */
export type StreamEnd = 'expired' | 'lagging' | 'stopping'

/** Thrown to the reader of a stream that the server ended. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'

  constructor(readonly reason: StreamEnd) {
    super(`the stream ended: ${reason}`)
  }
}
