import { badRequest, type Path } from '../../domain/input/errors.ts'

/** Throws DomainError (badRequest) at `path` for a list with more than `max` entries; null and undefined have none. */
export function assertCount(list: readonly unknown[] | null | undefined, max: number, path: Path): void {
  if (list != null && list.length > max) throw badRequest('TOO_MANY', path, `must have at most ${max} entries`)
}
