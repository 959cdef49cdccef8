/**
 * Connections of products that differ between two releases. A cursor holds both releases, the filter and order, the
 * position and, for an order by price, the instant of the first page (list.walk-keeps-release-and-instant).
 */
import { type ChangeOrder, isByPrice } from '../../domain/catalog/change-order.ts'
import type { ReleaseChangeKind } from '../../domain/catalog/product-change.ts'
import { badRequest, type DomainError } from '../../domain/input/errors.ts'
import type { ConnectionArguments } from '../../domain/input/page.ts'
import { windowIndexes } from '../../lib/position-window.ts'
import { type ChangeList, changesAt, type ProductChange } from '../../operations/catalog/release-difference.ts'
import type { Context } from '../../request/context.ts'
import { connection, type Page, readPage } from '../schema/connection.ts'
import type { CursorKey } from '../schema/cursor.ts'
import { walkInstant } from './product-connection.ts'

const nameCursor = ['uuid', 'uuid', 'text', 'integer'] as const
const priceCursor = [...nameCursor, 'instant'] as const
/** The indexes of the position and the instant in a cursor. */
const [POSITION, INSTANT] = [3, 4]

interface WantedChanges {
  /** Sorted, each once. */
  readonly kinds: readonly ReleaseChangeKind[]
  readonly order: Omit<ChangeOrder, 'instant'>
}

/** The connection of a list of changes. `find` finds it at the walk's instant, when something of it is selected. */
export function changeConnection(
  args: ConnectionArguments,
  { kinds, order }: WantedChanges,
  ctx: Context,
  find: (instant: number) => Promise<ChangeList>,
): Page<ProductChange> {
  const isPriced = isByPrice(order)
  const cursorKinds = isPriced ? priceCursor : nameCursor
  const isDefault = !isPriced && order.direction === 'ASC'
  const query = isDefault ? kinds.join() : [kinds.join(), order.field, order.direction, order.currency].join(' ')
  const instant = isPriced ? instantOf(readPage(args, cursorKinds), ctx.now) : ctx.now
  let found: Promise<ChangeList> | undefined
  const list = () => {
    found ??= find(instant)
    return found
  }
  let releases: CursorKey = []
  return connection<ProductChange>(args, {
    order: cursorKinds,
    key: ({ position }) => [...releases, query, position, ...(isPriced ? [instant] : [])],
    fetch: async ({ after, before, limit, reverse }) => {
      const changes = await list()
      releases = [changes.older.release.id, changes.newer.release.id]
      const begin = [...releases, query].join()
      const positionOf = (name: 'after' | 'before', key: CursorKey | null): number | null => {
        if (key === null) return null
        if (key.slice(0, POSITION).join() === begin) return Number(key[POSITION])
        throw refused(name, 'must be a cursor of the difference of the same releases, with the same filter and order')
      }
      const bounds = { after: positionOf('after', after), before: positionOf('before', before) }
      const indexes = windowIndexes(changes.places.length, { ...bounds, limit, reverse })
      return changesAt(ctx, { list: changes, indexes })
    },
    count: async () => (await list()).places.length,
  })
}

/** The instant at which a walk by price began; without a cursor it begins now. */
function instantOf(
  { after, before }: { readonly after: CursorKey | null; readonly before: CursorKey | null },
  now: number,
): number {
  const cursor = after ?? before
  if (!cursor) return now
  if (after && before && after[INSTANT] !== before[INSTANT])
    throw refused('before', 'must be a cursor of the same walk as after')
  return walkInstant({ name: after ? 'after' : 'before', instant: Number(cursor[INSTANT]) }, now)
}

function refused(name: string, message: string): DomainError {
  return badRequest('INVALID_VALUE', [name], message)
}
