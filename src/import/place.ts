/**
 * Places in a stream of objects, by which an import that was killed finds where it was (import.resumes-where-it-was).
 */
import { createHash } from 'node:crypto'

/** A place between two objects of a stream. */
export interface Place {
  /** The number of objects before it, including unreadable ones. */
  readonly objects: number
  /** A hash of their texts; empty at the beginning. Blanks between objects don't count. */
  readonly hash: string
}

/** The beginning of a stream. */
export const beginning: Place = { objects: 0, hash: '' }

/** The place after an object of this text. */
export function placeBehind({ objects, hash }: Place, bytes: Buffer): Place {
  return { objects: objects + 1, hash: createHash('sha256').update(hash).update(bytes).digest('base64url') }
}
