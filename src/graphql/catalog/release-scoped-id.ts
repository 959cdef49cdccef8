/**
 * Release-scoped ids: ids, texts and connections of records inside a release (graph.release-scoped-ids,
 * language.best-accepted-tag). The lists of a release never change, so their cursors are positions.
 */
import type { AnyRelease, ReleaseView } from '../../domain/catalog/release-view.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { badRequest, type Path, type ViolationCode } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { ConnectionArguments, KeysetWindow } from '../../domain/input/page.ts'
import { windowIndexes } from '../../lib/position-window.ts'
import { connection, type Page } from '../schema/connection.ts'
import { parseGlobalId, readId } from '../schema/ids.ts'

/** A record inside a release. */
interface ReleaseScopedId extends WantedRelease {
  readonly recordId: string
}

/**
 * The raw id of a release: its UUID, or that of its catalog when it stands for the latest one
 * (graph.latest-or-pinned-ids).
 */
export function releaseNodeId({ id, catalogId, isLatest }: Pick<AnyRelease, 'id' | 'catalogId' | 'isLatest'>): string {
  return isLatest ? `latest:${catalogId}` : id
}

/** Whether `id` has the form of a raw id of a release. */
export function isReleaseNodeId(id: string): boolean {
  return isUuid(id.startsWith('latest:') ? id.slice('latest:'.length) : id)
}

/** The release that a raw id names. */
export function parseReleaseNodeId(id: string): WantedRelease {
  const [first = '', catalogId = ''] = id.toLowerCase().split(':')
  return first === 'latest' ? { catalogId, releaseId: 'latest' } : { catalogId: null, releaseId: first }
}

/** Words for a catalog's latest release, as in REST paths (http.paths-and-aliases). */
const latestWords: ReadonlySet<string> = new Set(['latest', 'latestPublished'])

/** A release from its global id, its UUID or a word for the latest one. Throws DomainError (badRequest) at `path`. */
export function readWantedRelease(text: string, path: Path): WantedRelease {
  if (latestWords.has(text)) return { catalogId: null, releaseId: 'latest' }
  return parseReleaseNodeId(readId('Release', text, path, isReleaseNodeId, '`latest`'))
}

/** The raw id of a record inside a release: that of the release and the record's UUID. */
export function releaseScopedId({ release, isLatest }: ReleaseView, id: string): string {
  return `${isLatest ? `latest:${release.catalogId}` : release.id}:${id}`
}

/** Whether `id` has the form of a raw release-scoped id. */
export function isReleaseScopedId(id: string): boolean {
  const end = id.lastIndexOf(':')
  return end > 0 && isReleaseNodeId(id.slice(0, end)) && isUuid(id.slice(end + 1))
}

/** The parts of a raw release-scoped id, in lower case. */
export function parseReleaseScopedId(id: string): ReleaseScopedId {
  const end = id.lastIndexOf(':')
  return { ...parseReleaseNodeId(id.slice(0, end)), recordId: id.slice(end + 1).toLowerCase() }
}

/**
 * The UUID of a record, from its global id in any release or the UUID itself. Throws DomainError (badRequest) at
 * `path`.
 */
export function readRecordId(type: string, text: string, path: Path): string {
  const id = readId(type, text, path, (raw) => isUuid(raw) || isReleaseScopedId(raw))
  return isUuid(id) ? id : parseReleaseScopedId(id).recordId
}

/**
 * The UUID of a node or hierarchy, from its global id in any release or the UUID itself. Throws DomainError
 * (badRequest) at `path`.
 */
export function readTreeNodeId(text: string, path: Path): string {
  return readRecordId(parseGlobalId(text)?.type === 'CatalogHierarchy' ? 'CatalogHierarchy' : 'CatalogNode', text, path)
}

/**
 * A list in an order. Its cursors hold `order`, which identifies both, since positions differ between lists and orders.
 */
export interface ArrayOrder<Item> {
  readonly items: readonly Item[]
  readonly order: string
}

/**
 * The position of a cursor. A cursor is valid for the release, list and order that issued it, since positions differ
 * between them. Under a latest release it expires with the next publish.
 */
function cursorPosition(
  { release, isLatest }: ReleaseView,
  name: 'after' | 'before',
  key: KeysetWindow['after'],
  order: string,
): number | null {
  if (key === null) return null
  const [releaseId, position, orderOfCursor] = key
  if (releaseId === release.id && orderOfCursor === order) return Number(position)
  const violation = (code: ViolationCode, message: string) => badRequest(code, [name], message)
  if (releaseId === release.id) throw violation('INVALID_VALUE', 'must be a cursor of this list, with the same order')
  if (!isLatest) throw violation('INVALID_VALUE', 'must be a cursor of this release')
  throw violation(
    'CURSOR_EXPIRED',
    'the release that the cursor is of is not the latest any more; begin again without it',
  )
}

/** A connection of a list in memory. */
export function arrayConnection<Item, T>(
  args: ConnectionArguments,
  view: ReleaseView,
  { items, order }: ArrayOrder<Item>,
  toItem: (item: Item) => T,
): Page<T & { readonly position: number }> {
  return connection<T & { readonly position: number }>(args, {
    order: ['uuid', 'integer', 'text'],
    key: ({ position }) => [view.release.id, position, order],
    fetch: async ({ limit, reverse, ...keys }) => {
      const bounds = {
        after: cursorPosition(view, 'after', keys.after, order),
        before: cursorPosition(view, 'before', keys.before, order),
      }
      const positions = windowIndexes(items.length, { ...bounds, limit, reverse })
      return positions.map((position) => ({ ...toItem(items[position] as Item), position }))
    },
    count: async () => items.length,
  })
}
