/**
 * Global ids: base64url of the type's name and the raw id, opaque to clients. Fields return global ids; arguments whose
 * type is known accept raw UUIDs as well (graph.global-or-raw-ids).
 */
import { badRequest, type Path } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'

/** The parts of a global id. */
interface GlobalId {
  readonly type: string
  readonly id: string
}

export function globalId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`, 'utf8').toString('base64url')
}

/** The longest global id, in characters; the longest hold two UUIDs. */
export const ID_MAX = 256

/** Decodes a global id. Null for a text that this server would not have written. */
export function parseGlobalId(text: string): GlobalId | null {
  if (text.length > ID_MAX) return null
  const match = /^([A-Z][A-Za-z]*):([a-z\d:-]+)$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
  const [, type, id] = match ?? []
  return type !== undefined && id !== undefined && globalId(type, id) === text ? { type, id } : null
}

/** Whether a text has the form of a type's raw ids; for most types a UUID. */
export type IdForm = (id: string) => boolean

/**
 * The raw id of a record of `type`, from its global id or the raw id itself. Throws DomainError (badRequest) at `path`
 * for anything else. `or` completes the message by what else the argument accepts.
 */
export function readId(type: string, text: string, path: Path, isId: IdForm = isUuid, or = ''): string {
  // Raw ids come first, since most clients send them.
  if (isId(text)) return text.toLowerCase()
  const id = rawId(type, text)
  if (isId(id)) return id.toLowerCase()
  if (id.startsWith('latest:'))
    throw badRequest('INVALID_FORMAT', path, `names whatever ${type} is the latest: give the id of its \`pinned\``)
  throw badRequest(
    'INVALID_FORMAT',
    path,
    `must be the id of ${withArticle(type)}: a global id or a UUID${or && `, or ${or}`}`,
  )
}

/**
 * For an id in a mutation's input: the raw id if `text` is a global id of `type`, otherwise `text` itself, which the
 * operation validates.
 */
export function rawId(type: string, text: string): string {
  const global = parseGlobalId(text)
  return global?.type === type ? global.id : text
}

/**
 * The settings of a required id, for an argument or an input field. `noun` says what the id names; `example` is an id
 * of the demo data.
 */
export function requiredId(noun: string, example?: string) {
  return {
    required: true,
    description: `The global id or the UUID of the ${noun}${example ? `, such as \`${example}\`` : ''}.`,
  } as const
}

/** The name of a type with its article, for messages. */
export function withArticle(type: string): string {
  return `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}`
}
