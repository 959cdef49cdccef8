/**
 * Release differences: use cases that compare two releases of a catalog, for administrators
 * (release.difference-of-documents).
 */
import { type ChangeOrder, isByPrice, priceChangeSize } from '../../domain/catalog/change-order.ts'
import { falling, orderByKey } from '../../domain/catalog/key-order.ts'
import {
  changedReleaseFields,
  countNodeChanges,
  type NodeChange,
  type NodeChangeCounts,
  nodeChanges,
} from '../../domain/catalog/node-change.ts'
import { priceChanges, type ReleaseChangeKind, type ReleasePriceChange } from '../../domain/catalog/product-change.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { badRequest, type DomainError } from '../../domain/input/errors.ts'
import type { DocumentPairs, DocumentPrices, PriceChangeCount } from '../../persistence/catalog/release-differences.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'
import { effortOf } from './listing.ts'
import { findDocuments, releaseNotFound } from './page.ts'
import { countPrice } from './price.ts'
import { releaseView } from './published-catalog.ts'

/** Nodes that a summary lists. */
export const NODE_CHANGES_MAX = 100

/** Products per point of work when a difference is computed. */
const CHANGES_PER_POINT = 100
/** Products per point of work when a difference is sorted by price. */
const SIZES_PER_POINT = 20

/** Two releases to compare: the older one by its raw id or `latest`, optionally of a given catalog. */
export interface ComparedReleases {
  readonly newer: ReleaseView
  readonly since: WantedRelease
}

/** The two releases of a difference. */
export interface FoundReleases {
  readonly older: ReleaseView
  readonly newer: ReleaseView
}

/** A product that differs; null in a release that lacks it. `position` is its place in the list. */
export interface ProductChange extends FoundReleases {
  readonly kind: ReleaseChangeKind
  readonly before: ReleaseDocument | null
  readonly after: ReleaseDocument | null
  readonly position: number
}

/** The products that differ between two releases, as indexes into the pairs. */
export interface ChangeList extends FoundReleases {
  readonly pairs: DocumentPairs
  readonly places: Int32Array
}

/** The numbers of differences between two releases. */
export interface DifferenceSummary extends FoundReleases {
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** Names of fields that differ beside products and nodes. */
  readonly fields: readonly string[]
  readonly nodes: NodeChangeCounts
  /** The first NODE_CHANGES_MAX. */
  readonly nodeChanges: readonly NodeChange[]
}

/** Which changes to list, and in which order. */
interface ListedChanges extends ComparedReleases {
  /** All when empty. */
  readonly kinds: readonly ReleaseChangeKind[]
  readonly order: ChangeOrder
}

/**
 * The products that differ (release.changes-by-size-of-price). One statement when the difference is not cached, two
 * more for an order by price when its prices are not. Throws DomainError (badRequest) at `releaseId` when there is no
 * release to compare with.
 */
export const listChanges = query({
  right: 'admin',
  run: async (ctx, { kinds, order, ...input }: ListedChanges): Promise<ChangeList> => {
    const { older, newer, changes: pairs, prices } = await compare(ctx, input, order)
    const all = Int32Array.from(pairs.before, (_, place) => place)
    const places = kinds.length === 0 ? all : all.filter((place) => kinds.includes(kindOf(pairs, place)))
    const list = { older, newer, pairs, places }
    if (prices) return { ...list, places: await placesByPrice(ctx, list, order, prices) }
    return order.direction === 'ASC' ? list : { ...list, places: places.reverse() }
  },
})

/**
 * The changes at indexes of a list, in their order. One statement for uncached documents. Throws notFound when a
 * release was deleted meanwhile.
 */
export const changesAt = query({
  right: 'admin',
  run: async (ctx, { list, indexes }: { list: ChangeList; indexes: readonly number[] }): Promise<ProductChange[]> => {
    const { older, newer, pairs } = list
    const places = indexes.map((index) => list.places[index] as number)
    const numbers = places
      .flatMap((place) => [pairs.before[place] as number, pairs.after[place] as number])
      .filter((number) => number !== 0)
    const documents = await findDocuments(ctx, numbers)
    const byNumber = new Map(documents.map((document) => [document?.number, document]))
    const documentOf = (number: number): ReleaseDocument | null => {
      if (number === 0) return null
      const document = byNumber.get(number)
      if (!document) throw releaseNotFound()
      return document
    }
    return places.map((place, at) => ({
      older,
      newer,
      kind: kindOf(pairs, place),
      before: documentOf(pairs.before[place] as number),
      after: documentOf(pairs.after[place] as number),
      position: indexes[at] as number,
    }))
  },
})

/** The prices of one unit that differ at the instant of the request, where both releases have the product. */
export function changedPrices(ctx: Context, { before, after }: ProductChange): ReleasePriceChange[] {
  if (!before || !after) return []
  for (const { priceable } of [before, after]) countPrice(ctx, { priceable, selection: null })
  return priceChanges(before.priceable, after.priceable, ctx.now)
}

/** The counts of what differs, except those of prices (`countPriceChanges`). Throws as `listChanges`. */
export const summarizeChanges = query({
  right: 'admin',
  run: async (ctx, input: ComparedReleases): Promise<DifferenceSummary> => {
    const { older, newer, changes, equal } = await compare(ctx, input)
    const [since, release] = [older.release, newer.release]
    const counts = { ADDED: 0, REMOVED: 0, CHANGED: 0 }
    for (let place = 0; place < changes.before.length; place++) counts[kindOf(changes, place)]++
    const counterparts = new Map<number, number>()
    for (const { before, after } of [changes, equal])
      after.forEach((document, place) => void counterparts.set(document, before[place] as number))
    // A product that the older release lacks has no counterpart: its own number matches nothing there.
    const tree = nodeChanges(since, release, (document) => counterparts.get(document) || document)
    return {
      older,
      newer,
      added: counts.ADDED,
      removed: counts.REMOVED,
      changed: counts.CHANGED,
      fields: changedReleaseFields(since, release),
      nodes: countNodeChanges(tree),
      nodeChanges: tree.slice(0, NODE_CHANGES_MAX),
    }
  },
})

/**
 * In how many changed products the price of one unit differs at the instant of the request, by currency. Two
 * statements.
 */
export const countPriceChanges = query({
  right: 'admin',
  run: (ctx, { older, newer }: FoundReleases): Promise<PriceChangeCount[]> =>
    ctx.releases.differences.countPrices(older.release, newer.release, ctx.now),
})

/** The places of a list, ordered by the size of the price change; ties keep their order. */
async function placesByPrice(
  ctx: Context,
  { pairs, places }: ChangeList,
  { field, direction }: ChangeOrder,
  prices: DocumentPrices,
): Promise<Int32Array> {
  ctx.work.spend(places.length / SIZES_PER_POINT)
  const amountOf = (document: number) => prices.get(document) ?? null
  const sizeAt = (place: number) =>
    priceChangeSize(field, amountOf(pairs.before[place] as number), amountOf(pairs.after[place] as number))
  const sizes = Float64Array.from(pairs.before, (_, place) => sizeAt(place))
  const rising = await orderByKey(places, sizes, effortOf(ctx))
  return direction === 'ASC' ? rising : falling(rising, sizes)
}

/** The difference of two releases; for an order by price also the prices of the products that differ. */
async function compare(ctx: Context, { newer, since: wanted }: ComparedReleases, order?: ChangeOrder) {
  const older = await releaseView(ctx, wanted)
  if (!older) throw refused('must be a release that can be read')
  const [since, release] = [older.release, newer.release]
  if (since.catalogId !== release.catalogId) throw refused('must be a release of the same catalog')
  const { differences } = ctx.releases
  const [difference, prices] = await Promise.all([
    differences.load(since, release),
    order && isByPrice(order)
      ? differences.pricesAt(since, release, order.currency, order.instant, effortOf(ctx).spend)
      : null,
  ])
  ctx.work.spend(difference.changes.before.length / CHANGES_PER_POINT)
  return { older, newer, prices, ...difference }
}

function refused(message: string): DomainError {
  return badRequest('INVALID_VALUE', ['releaseId'], message)
}

function kindOf({ before, after }: DocumentPairs, place: number): ReleaseChangeKind {
  if (before[place] === 0) return 'ADDED'
  return after[place] === 0 ? 'REMOVED' : 'CHANGED'
}
