/** Export: the store as text in the import's format, one object per line (export.import-restores-it). */
import { authoredRecords } from '../persistence/authored-records.ts'
import type { Database } from '../persistence/database/database.ts'
import { exportObject } from './objects.ts'

/** Characters of text that are written at once. */
const PIECE_CHARS = 64 * 1024

/**
 * The lines of an export, some at a time, as the store is at one instant (export.of-one-instant). `onObjects` is called with the number of
 * objects so far. Equal stores give equal text.
 */
export async function* exportText(database: Database, onObjects: (objects: number) => void = () => {}): AsyncGenerator<string> {
  let piece = ''
  let objects = 0
  for await (const record of authoredRecords(database)) {
    piece += `${JSON.stringify(exportObject(record))}\n`
    objects++
    if (piece.length < PIECE_CHARS) continue
    onObjects(objects)
    yield piece
    piece = ''
  }
  onObjects(objects)
  if (piece !== '') yield piece
}
