/** Export: the store as text in the import's format, one object per line (export.import-restores-it). */
import { subscriptionObject } from '../domain/subscriptions/subscription-object.ts'
import { authoredRecords } from '../persistence/authored-records.ts'
import type { Database } from '../persistence/database/database.ts'
import { allSubscriptions } from '../persistence/subscriptions/all-subscriptions.ts'
import { exportObject } from './objects.ts'

/** Characters of text that are written at once. */
const PIECE_CHARS = 64 * 1024

type OnObjects = (objects: number) => void

/**
 * The lines of an export, in pieces, with the store as it is at one instant (export.of-one-instant). Calls `onObjects`
 * with the number of objects so far. Equal stores give equal text.
 */
export function exportText(database: Database, onObjects: OnObjects = () => {}): AsyncGenerator<string> {
  return linesOf(authoredRecords(database), exportObject, onObjects)
}

/** The lines of an export of all subscriptions, as those of `exportText` (export.subscriptions-restored). */
export function subscriptionsText(database: Database, onObjects: OnObjects = () => {}): AsyncGenerator<string> {
  return linesOf(allSubscriptions(database), (one) => ({ data: subscriptionObject(one) }), onObjects)
}

async function* linesOf<Found>(
  found: AsyncIterable<Found>,
  toObject: (one: Found) => object,
  onObjects: OnObjects,
): AsyncGenerator<string> {
  let piece = ''
  let objects = 0
  for await (const one of found) {
    piece += `${JSON.stringify(toObject(one))}\n`
    objects++
    if (piece.length < PIECE_CHARS) continue
    onObjects(objects)
    yield piece
    piece = ''
  }
  onObjects(objects)
  if (piece !== '') yield piece
}
