/**
 * Things that exist inside one release: their ids (graph.release-scoped-ids), their texts (language.best-accepted-tag), and pages over
 * lists whose order never changes.
 */

import type { Release } from '../../domain/catalog/release.ts'
import type { Path } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { ConnectionArguments } from '../../domain/input/page.ts'
import { type Localized, localize } from '../../domain/language/language.ts'
import { windowIndexes } from '../../lib/position-window.ts'
import type { PositionedProduct, ProductList } from '../../operations/catalog/release-listing.ts'
import { cursorPosition, productWindow } from '../../operations/catalog/release-listing.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { connection, type Page } from '../schema/connection.ts'
import { readId } from '../schema/ids.ts'

/** A place in a release, known by both their ids. */
export interface ReleaseScopedId {
  readonly releaseId: string
  readonly placeId: string
}

export function placeId(release: Pick<Release, 'id'>, id: string): string {
  return `${release.id}:${id}`
}

/** Whether `id` is the raw id of a place: the UUIDs of release and record. */
export function isPlaceId(id: string): boolean {
  const [releaseId = '', record = '', ...more] = id.split(':')
  return isUuid(releaseId) && isUuid(record) && more.length === 0
}

/** The parts of an id for which `isPlaceId` holds. */
export function parsePlaceId(id: string): ReleaseScopedId {
  const [releaseId = '', record = ''] = id.toLowerCase().split(':')
  return { releaseId, placeId: record }
}

/** The UUID of the record that a global id (of whatever release) or the UUID itself names. */
export function readPlace(type: string, text: string, path: Path): string {
  const id = readId(type, text, path, (raw) => isUuid(raw) || isPlaceId(raw))
  return isUuid(id) ? id : parsePlaceId(id).placeId
}

export const localeArgs = builder.args((t) => ({
  locale: t.string({ description: "Languages in order of preference, as in Accept-Language; by default the request's." }),
}))

interface Texts {
  readonly name: string
  readonly description: string | null
  readonly locales: Parameters<typeof localize>[0]['locales']
}

/** The texts in the language that the argument, else the request asks for. */
export function textsOf(texts: Texts, { locale }: { readonly locale?: string | null | undefined }, ctx: Context): Localized {
  return localize(texts, locale ?? ctx.shopperHeaders.acceptLanguage)
}

/** A cursor of a list in a release: the release, which never changes, and the place in its order. */
export const placeOrder = {
  order: ['uuid', 'integer'],
  key: ({ release, position }: { readonly release: Pick<Release, 'id'>; readonly position: number }) => [release.id, position],
} as const

/** A page of products; `load` brings their numbers, at most once. */
export function productConnection<T>(
  args: ConnectionArguments,
  ctx: Context,
  load: () => Promise<ProductList>,
  toItem: (product: PositionedProduct) => T & PositionedProduct,
): Page<T & PositionedProduct> {
  let loaded: Promise<ProductList> | undefined
  const list = (): Promise<ProductList> => {
    loaded ??= load()
    return loaded
  }
  return connection(args, {
    ...placeOrder,
    fetch: async (window) => (await productWindow(ctx, { list: await list(), window })).map(toItem),
    count: async () => (await list()).documents.length,
  })
}

/** A page of a list that is at hand. */
export function arrayConnection<Item, T>(
  args: ConnectionArguments,
  release: Release,
  items: readonly Item[],
  toItem: (item: Item) => T,
): Page<T & { readonly release: Release; readonly position: number }> {
  return connection(args, {
    ...placeOrder,
    fetch: async ({ limit, reverse, ...keys }) => {
      const bounds = { after: cursorPosition(release, 'after', keys.after), before: cursorPosition(release, 'before', keys.before) }
      const positions = windowIndexes(null, items.length, { ...bounds, limit, reverse })
      return positions.map((position) => ({ ...toItem(items[position] as Item), release, position }))
    },
    count: async () => items.length,
  })
}
