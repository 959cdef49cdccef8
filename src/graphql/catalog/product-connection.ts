/**
 * Connections of published products. A cursor holds the release, a hash of the list's query and the position in the
 * list. For a list that depends on prices it also holds the instant of the first page. So all pages of a walk belong to
 * one list (list.walk-keeps-release-and-instant).
 */
import { createHash } from 'node:crypto'
import { keyOf, type ListingQuery, pricedIn } from '../../domain/catalog/listing-query.ts'
import type { ListRequest } from '../../domain/catalog/listing-scope.ts'
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import { analyserOf } from '../../domain/catalog/search-text.ts'
import { badRequest, type DomainError, type ViolationCode } from '../../domain/input/errors.ts'
import type { ConnectionArguments, KeysetWindow } from '../../domain/input/page.ts'
import { type Listing, listProducts, WALK_MS } from '../../operations/catalog/listing.ts'
import { pageOf } from '../../operations/catalog/page.ts'
import { releaseView } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { type ConnectionSource, connection, type Page, readPage } from '../schema/connection.ts'
import type { CursorKey } from '../schema/cursor.ts'
import type { Filter } from './catalog-filter.ts'
import { PublishedProduct } from './catalog-refs.ts'
import { type ProductListArguments, queryOf } from './product-list.ts'

/** Milliseconds by which the clocks of two servers may differ: an instant so far ahead stands for the present one. */
const CLOCK_SKEW_MS = 5_000

/** Characters of the hash of a list, before the analyser that ordered it. */
const HASH_LENGTH = 8

const cursorOrder = ['uuid', 'text', 'integer', 'integer'] as const

/** A cursor with the name of its argument. */
interface NamedCursor {
  readonly name: 'after' | 'before'
  readonly releaseId: string
  readonly hash: string
  readonly position: number
  readonly instant: number
}

/** The request for a list of a release, with the view of the release. */
type ViewedRequest = ListRequest & ReleaseView

/** A list, by its query. */
export interface QueriedList {
  readonly query: ListingQuery
  readonly list: (request: ListRequest) => Promise<Listing>
}

/** The list behind a connection of published products. It is found at most once, when something of it is selected. */
export class ProductSelection implements ConnectionSource<PublishedProduct> {
  readonly order = cursorOrder
  /** The filter as it was given. */
  readonly filter: Filter | null
  private readonly cursors: readonly NamedCursor[]
  private wanted: Promise<ViewedRequest> | undefined
  private found: Promise<Listing> | undefined
  private hash = ''
  private instant = 0

  /**
   * Without a cursor the list is that of `release` at the present instant. `former` is the list in the order of an
   * earlier version: a walk by its cursors goes on in it.
   */
  constructor(
    args: ConnectionArguments & Pick<ProductListArguments, 'filter'>,
    private readonly ctx: Context,
    private readonly present: QueriedList,
    private readonly view: () => ReleaseView | Promise<ReleaseView>,
    private readonly former: QueriedList | null = null,
  ) {
    this.filter = args.filter ?? null
    const { after, before } = readPage(args, cursorOrder)
    this.cursors = [...toCursor('after', after), ...toCursor('before', before)]
  }

  readonly key = ({ release, position }: PublishedProduct): CursorKey => [release.id, this.hash, position, this.instant]

  readonly fetch = async ({ after, before, limit, reverse, offset }: KeysetWindow): Promise<PublishedProduct[]> => {
    const bounds = { after: after ? Number(after[2]) : offset - 1, before: before && Number(before[2]) }
    const [list, view] = [await this.listing(), await this.request()]
    const page = await pageOf(this.ctx, { list, window: { ...bounds, limit, reverse } })
    return page.map(({ document, position }) => new PublishedProduct(view, document, position))
  }

  readonly count = async (): Promise<number> => (await this.listing()).documents.length

  /** The request for the list, known before the list. Throws DomainError (badRequest) for a cursor of another list. */
  request(): Promise<ViewedRequest> {
    this.wanted ??= this.readRequest()
    return this.wanted
  }

  /** The whole list. Throws DomainError (badRequest) as `request`. */
  listing(): Promise<Listing> {
    this.found ??= this.request().then((request) => this.walked().list(request))
    return this.found
  }

  /** The list that the cursors are of. */
  private walked(): QueriedList {
    const [cursor] = this.cursors
    if (!cursor || !this.former) return this.present
    return listOf(cursor.hash) === listOf(hashOf(this.former.query, this.ctx)) ? this.former : this.present
  }

  private async readRequest(): Promise<ViewedRequest> {
    const { ctx } = this
    const { query } = this.walked()
    const current = await this.view()
    const isPriced = pricedIn(query).length > 0
    this.hash = hashOf(query, ctx)
    const [cursor, other] = this.cursors
    if (!cursor) {
      this.instant = isPriced ? ctx.now : 0
      return { release: current.release, isLatest: current.isLatest, query, instant: ctx.now }
    }
    const { release, isLatest } = await this.viewOf(current, cursor)
    for (const { name, hash } of this.cursors) {
      if (hash === this.hash) continue
      if (listOf(hash) === listOf(this.hash))
        throw refused(
          name,
          'the texts are searched in another way since an upgrade; begin again without it',
          'CURSOR_EXPIRED',
        )
      throw refused(name, 'must be a cursor of this list, with the same filter and order')
    }
    if (other && (other.releaseId !== cursor.releaseId || other.instant !== cursor.instant))
      throw refused(other.name, 'must be a cursor of the same walk as after')
    this.instant = cursor.instant
    return { release, isLatest, query, instant: isPriced ? walkInstant(cursor, ctx.now) : ctx.now }
  }

  private async viewOf(current: ReleaseView, { name, releaseId }: NamedCursor): Promise<ReleaseView> {
    if (releaseId === current.release.id) return current
    if (!current.isLatest) throw refused(name, 'must be a cursor of this release')
    const found = await releaseView(this.ctx, { catalogId: current.release.catalogId, releaseId })
    if (found) return { release: found.release, isLatest: true }
    throw refused(name, 'the release that the cursor is of is gone; begin again without it', 'CURSOR_EXPIRED')
  }
}

/** A hash of the query and, where texts decide the order, the analyser that made it (search.one-analyser). */
function hashOf(query: ListingQuery, ctx: Context): string {
  const list = createHash('sha256').update(keyOf(query)).digest('base64url').slice(0, HASH_LENGTH)
  const isByText = query.search !== null || query.order.field === 'NAME'
  return isByText ? list + analyserOf(ctx.config.storeLanguage).id : list
}

/** The part of a hash that names the list. */
function listOf(hash: string): string {
  return hash.slice(0, HASH_LENGTH)
}

function toCursor(name: 'after' | 'before', key: CursorKey | null): NamedCursor[] {
  if (key === null) return []
  const [releaseId, hash, position, instant] = key
  return [
    { name, releaseId: String(releaseId), hash: String(hash), position: Number(position), instant: Number(instant) },
  ]
}

/**
 * The instant of a walk, from a cursor and the argument that holds it. A future one is refused, since it would show
 * prices that are not in force yet.
 */
export function walkInstant({ name, instant }: Pick<NamedCursor, 'name' | 'instant'>, now: number): number {
  if (instant > now + CLOCK_SKEW_MS) throw refused(name, 'must be a cursor of this list')
  if (instant < now - WALK_MS)
    throw refused(name, 'the walk began more than 24 hours ago; begin again without the cursor', 'CURSOR_EXPIRED')
  return Math.min(instant, now)
}

function refused(name: string, message: string, code: ViolationCode = 'INVALID_VALUE'): DomainError {
  return badRequest(code, [name], message)
}

export interface ListFieldArguments extends ConnectionArguments, ProductListArguments {}

/**
 * The connection of a field with catalogProductListArgs; `scope` is the id of a node or hierarchy, null for the whole
 * release.
 */
export function productConnection(
  args: ListFieldArguments,
  ctx: Context,
  scope: string | null,
  view: () => ReleaseView | Promise<ReleaseView>,
): Page<PublishedProduct> {
  const query = queryOf(scope, args, ctx)
  const list = (request: ListRequest) => listProducts(ctx, request)
  return connection(args, new ProductSelection(args, ctx, { query, list }, view))
}
