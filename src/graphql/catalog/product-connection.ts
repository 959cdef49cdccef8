/**
 * Connections of published products. A cursor holds the release, a hash of the list's query, the position in it and, for a list that
 * depends on prices, the instant of the first page, so that all pages of a walk are of one list (list.walk-keeps-release-and-instant).
 */
import { createHash } from 'node:crypto'
import { type ListingQuery, pricedIn, queryKey } from '../../domain/catalog/listing-query.ts'
import { Release } from '../../domain/catalog/release.ts'
import { badRequest, type DomainError, type ViolationCode } from '../../domain/input/errors.ts'
import type { ConnectionArguments, KeysetWindow } from '../../domain/input/page.ts'
import { windowIndexes } from '../../lib/position-window.ts'
import { catalogProduct } from '../../operations/catalog/catalog-product.ts'
import { findListing, type Listing, WALK_MS } from '../../operations/catalog/listing.ts'
import type { WantedListing } from '../../operations/catalog/listing-source.ts'
import { release as findRelease } from '../../operations/catalog/published-catalog.ts'
import { type CatalogProduct, productsAt } from '../../operations/catalog/release-listing.ts'
import type { Context } from '../../request/context.ts'
import { type ConnectionSource, connection, type Page, readPage } from '../schema/connection.ts'
import type { CursorKey } from '../schema/cursor.ts'
import { PublishedProduct } from './catalog-refs.ts'
import { type ProductListArguments, toListingQuery } from './product-list.ts'

/** Milliseconds by which the clocks of two servers may differ: an instant so far ahead stands for the present one. */
const CLOCK_SKEW_MS = 5_000

const cursorOrder = ['uuid', 'text', 'integer', 'integer'] as const

/** A cursor with the argument that holds it. */
interface NamedCursor {
  readonly name: 'after' | 'before'
  readonly releaseId: string
  readonly hash: string
  readonly position: number
  readonly instant: number
}

/** The list of a connection. Without a cursor it is that of `release` at the present instant. */
interface ProductSource {
  readonly release: () => Release | Promise<Release>
  readonly queryOf: (release: Release) => ListingQuery
  readonly list: (wanted: WantedListing) => Promise<Listing>
}

/** The list behind a connection of published products; found at most once, and not before something of it is selected. */
export class ProductSelection implements ConnectionSource<PublishedProduct> {
  readonly order = cursorOrder
  private readonly cursors: readonly NamedCursor[]
  private found: Promise<WantedListing> | undefined
  private listed: Promise<Listing> | undefined
  private hash = ''
  private instant = 0

  constructor(
    args: ConnectionArguments,
    private readonly ctx: Context,
    private readonly source: ProductSource,
  ) {
    const { after, before } = readPage(args, cursorOrder)
    this.cursors = [...toCursor('after', after), ...toCursor('before', before)]
  }

  readonly key = ({ release, position }: PublishedProduct): CursorKey => [release.id, this.hash, position, this.instant]

  readonly fetch = async ({ after, before, limit, reverse, offset }: KeysetWindow): Promise<PublishedProduct[]> => {
    const list = await this.listing()
    const bounds = { after: after ? Number(after[2]) : offset - 1, before: before && Number(before[2]) }
    const indexes = windowIndexes(list.documents.length, { ...bounds, limit, reverse })
    return (await productsAt(this.ctx, { list, indexes })).map((product) => new PublishedProduct(product))
  }

  readonly count = async (): Promise<number> => (await this.listing()).documents.length

  /** What is wanted, known before it is listed. Throws DomainError (badRequest) for a cursor of another list. */
  wanted(): Promise<WantedListing> {
    this.found ??= this.find()
    return this.found
  }

  /** The whole list. Throws DomainError (badRequest) as `wanted`. */
  listing(): Promise<Listing> {
    this.listed ??= this.wanted().then(this.source.list)
    return this.listed
  }

  private async find(): Promise<WantedListing> {
    const { ctx, source } = this
    const current = await source.release()
    const query = source.queryOf(current)
    const isPriced = pricedIn(query).length > 0
    this.hash = createHash('sha256').update(queryKey(query, current.id)).digest('base64url').slice(0, 8)
    const [cursor, other] = this.cursors
    if (!cursor) {
      this.instant = isPriced ? ctx.now : 0
      return { release: current, query, instant: ctx.now }
    }
    const release = await this.releaseOf(current, cursor)
    for (const { name, hash } of this.cursors) {
      if (hash !== this.hash) throw refused(name, 'must be a cursor of this list, with the same filter and order')
    }
    if (other && (other.releaseId !== cursor.releaseId || other.instant !== cursor.instant))
      throw refused(other.name, 'must be a cursor of the same walk as after')
    this.instant = cursor.instant
    return { release, query: source.queryOf(release), instant: isPriced ? walkInstant(cursor, ctx.now) : ctx.now }
  }

  private async releaseOf(current: Release, { name, releaseId }: NamedCursor): Promise<Release> {
    if (releaseId === current.id) return current
    if (!current.isLatest) throw refused(name, 'must be a cursor of this release')
    const found = await findRelease(this.ctx, { catalogId: current.catalogId, releaseId })
    if (found instanceof Release) return found.asLatest
    throw refused(name, 'the release that the cursor is of is gone; begin again without it', 'CURSOR_EXPIRED')
  }
}

function toCursor(name: 'after' | 'before', key: CursorKey | null): NamedCursor[] {
  if (key === null) return []
  const [releaseId, hash, position, instant] = key
  return [{ name, releaseId: String(releaseId), hash: String(hash), position: Number(position), instant: Number(instant) }]
}

/**
 * The instant of a walk, from a cursor and the argument that holds it. A future one is refused, since it would show prices that are not in
 * force yet.
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

interface ListFieldArguments extends ConnectionArguments, ProductListArguments {}

/** The connection of a field with catalogProductListArgs; `scope` is the id of a node or hierarchy, null for the whole release. */
export function productConnection(
  args: ListFieldArguments,
  ctx: Context,
  scope: string | null,
  release: () => Release | Promise<Release>,
): Page<PublishedProduct> {
  const query = toListingQuery(scope ?? '', args, ctx)
  const selection = new ProductSelection(args, ctx, {
    release,
    queryOf: ({ id }) => ({ ...query, scope: scope ?? id }),
    list: (wanted) => findListing(ctx, wanted),
  })
  return connection(args, selection)
}

/** The connection of products that belong to one, such as its children, of a field with relatedListArgs; `name` says which. */
export function relatedProducts(
  args: Omit<ListFieldArguments, 'groupVariants'>,
  ctx: Context,
  name: string,
  product: PublishedProduct,
  list: (related: CatalogProduct & WantedListing) => Promise<Listing>,
): Page<PublishedProduct> {
  const { release, document } = product
  const query = toListingQuery(`${name} of ${document.product.id}`, { ...args, groupVariants: false }, ctx)
  const selection = new ProductSelection(args, ctx, {
    release: () => release,
    queryOf: () => query,
    list: async (wanted) => {
      const inWalk =
        wanted.release.id === release.id ? null : await catalogProduct(ctx, { ...wanted, by: 'id', value: document.product.id })
      return list({ ...wanted, document: inWalk?.document ?? document })
    },
  })
  return connection(args, selection)
}
