/**
 * Pagination arguments of connections: reads `first`, `last`, `after` and `before` (graph.connections-both-ways).
 */
import { DomainError, type Violation } from '../../domain/input/errors.ts'
import { type ConnectionArguments, readConnection } from '../../domain/input/page.ts'
import { type CursorKey, type KeyKind, readCursor } from './cursor.ts'

/** Reads the arguments. Throws DomainError (badRequest) when they are invalid. Without `order`, cursors of any list are valid. */
export function readPage(args: ConnectionArguments, order?: readonly KeyKind[]) {
  const { value: shown, violations } = readConnection(args)
  const after = readBound('after', args.after, order, violations)
  const before = readBound('before', args.before, order, violations)
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  return { shown, after, before }
}

function readBound(
  name: string,
  cursor: string | null | undefined,
  order: readonly KeyKind[] | undefined,
  violations: Violation[],
): CursorKey | null {
  if (cursor == null) return null
  const key = readCursor(cursor, order)
  if (!key) violations.push({ code: 'INVALID_FORMAT', path: [name], message: 'must be a cursor of this list' })
  return key ?? null
}
