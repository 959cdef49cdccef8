/**
 * Global ids (graph.global-or-raw-ids): the type's name and the raw id, opaque to clients. Outward always global; inward also the raw UUID
 * where the type is known.
 */
import { DomainError, type Path } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'

export interface GlobalId {
  readonly type: string
  readonly id: string
}

export function globalId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`, 'utf8').toString('base64url')
}

/** The longest ids hold two UUIDs. */
export const ID_MAX = 256

/** The parts of a global id, null when `text` is none: what this server would not itself have written is refused. */
export function parseGlobalId(text: string): GlobalId | null {
  if (text.length > ID_MAX) return null
  const match = /^([A-Z][A-Za-z]*):([a-z\d:-]+)$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
  const [, type, id] = match ?? []
  return type !== undefined && id !== undefined && globalId(type, id) === text ? { type, id } : null
}

/** Whether `id` is the raw id of a type whose records are known by a UUID. */
export type IdForm = (id: string) => boolean

/**
 * The raw id of a thing of the known type `type`, from its global id or the raw id itself; anything else is a bad request at `path`, which
 * says what is taken, `or` included.
 */
export function readId(type: string, text: string, path: Path, isId: IdForm = isUuid, or = ''): string {
  // Tried first, since most callers know raw ids.
  if (isId(text)) return text.toLowerCase()
  const id = rawId(type, text)
  if (isId(id)) return id.toLowerCase()
  throw new DomainError('badRequest', [
    { code: 'INVALID_FORMAT', path, message: `must be the id of a ${type}: a global id or a UUID${or && `, or ${or}`}` },
  ])
}

/** For an id inside a mutation's data: the raw id when `text` is a global id of `type`, else `text` as it is, for the operation to judge. */
export function rawId(type: string, text: string): string {
  const global = parseGlobalId(text)
  return global?.type === type ? global.id : text
}
