/** Changes that a client can listen to. */
import { isVisible, parseSnapshot } from './snapshot.ts'

export type Topic = 'release' | 'product_price' | 'subscription'

/** What a stream is about: the releases of a catalog, the prices of a price book, the subscriptions of an account. */
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

/** Everything in `from` was handed on; of what `to` shows beyond it, everything before the entry `id`, and of that the first `index + 1` records. */
export interface ChangeCursor {
  readonly from: string
  readonly to: string
  readonly id: number
  readonly index: number
}

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

/** Why a stream ended that its reader did not end. */
export type StreamEnd = 'expired' | 'lagging' | 'stopping'

export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'

  constructor(readonly reason: StreamEnd) {
    super(`the stream ended: ${reason}`)
  }
}
